package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/internal/test/fakeweb"
)

var updateScripts = flag.Bool("update-scripts", false, "rewrite the output that scripts compare with")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"avow":    func() { os.Exit(Run(context.Background(), scriptEnv())) },
		"webavow": func() { os.Exit(webMain()) },
	})
}

// testNow is the moment of all tests that depend on one.
func testNow() time.Time { return time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC) }

// scriptEnv is the environment of a script, which has a root of its own for an installed service.
func scriptEnv() Env {
	env := processEnv()
	env.Root = filepath.Join(os.Getenv("WORK"), "root")
	return env
}

// webMain is Main in the internet that the file named by FAKEWEB describes, at the stage
// FAKEWEB_STAGE and at the time FAKEWEB_NOW, if there are any. Its servers send the date
// FAKEWEB_DATE, which may be "now". The hosts that were looked up go to the file named by
// FAKEWEB_LOOKUPS.
func webMain() int {
	now, date, err := webTimes()
	if err != nil {
		fmt.Fprintln(os.Stderr, "webavow:", err)
		return 100
	}
	web, err := startWebAt(os.Getenv("FAKEWEB"), os.Getenv("FAKEWEB_STAGE"), date)
	if err != nil {
		fmt.Fprintln(os.Stderr, "webavow:", err)
		return 100
	}
	defer web.Close()
	env := scriptEnv()
	env.Network, env.Now = web.Network(), func() time.Time { return now }
	code := Run(context.Background(), env)
	log := os.Getenv("FAKEWEB_LOOKUPS")
	if log != "" {
		err = os.WriteFile(log, []byte(strings.Join(web.Lookups(), "\n")+"\n"), 0o600)
		if err != nil {
			return 100
		}
	}
	return code
}

// webTimes returns the time of the program and that of the servers, which is zero when they
// do not tell it.
func webTimes() (time.Time, time.Time, error) {
	now, date := testNow(), time.Time{}
	var err error
	if text := os.Getenv("FAKEWEB_NOW"); text != "" {
		now, err = time.Parse(time.RFC3339, text)
	}
	switch text := os.Getenv("FAKEWEB_DATE"); {
	case err != nil || text == "":
	case text == "now":
		date = now
	default:
		date, err = time.Parse(time.RFC3339, text)
	}
	return now, date, err
}

// startWebAt starts an internet at a stage of its story: a section that is named
// "@STAGE https://..." takes the place of the one without the stage. A date is that of all
// answers.
func startWebAt(name, stage string, date time.Time) (*fakeweb.Web, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return startStory(storyAt(text, stage), date)
}

// startStory starts an internet.
func startStory(archive *txtar.Archive, date time.Time) (*fakeweb.Web, error) {
	spec, err := fakeweb.Parse(txtar.Format(archive))
	if err != nil {
		return nil, err
	}
	if !date.IsZero() {
		spec.Date(date)
	}
	return spec.Start()
}

// storyAt is an internet at a stage of its story.
func storyAt(text []byte, stage string) *txtar.Archive {
	archive := txtar.Parse(text)
	staged := map[string]bool{}
	for i := range archive.Files {
		name, ok := strings.CutPrefix(archive.Files[i].Name, "@"+stage+" ")
		if ok && stage != "" {
			archive.Files[i].Name = name
			staged[name] = true
		}
	}
	seen := map[string]bool{}
	slices.Reverse(archive.Files)
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool {
		again := staged[f.Name] && seen[f.Name]
		seen[f.Name] = true
		return again || strings.HasPrefix(f.Name, "@")
	})
	slices.Reverse(archive.Files)
	return archive
}

// TestScripts runs the stories in testdata/script: each is one way in which
// people use the program, told as shell commands. The files of a story whose
// names are URLs are what its internet serves.
func TestScripts(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Abs("testdata/script")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keepMembers(t) })
	testscript.Run(t, testscript.Params{
		Dir: scripts,
		Setup: func(env *testscript.Env) error {
			name, ok := strings.CutPrefix(filepath.Base(env.WorkDir), "script-")
			if !ok {
				return errors.New("the folder of a script is not named after it")
			}
			env.Setenv("FAKEWEB", filepath.Join(scripts, name+".txtar"))
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".state"))
			// With the race detector a process waits a second before it ends, and a script
			// has dozens of them.
			env.Setenv("GORACE", os.Getenv("GORACE")+" atexit_sleep_ms=0")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"asks":     asks,
			"clean":    clean,
			"timeless": timeless,
			"sarif":    sarifValid,
			"xml":      xmlWellFormed,
			"json":     jsonLines,
			"big":      big,
			"damage":   damage,
		},
		UpdateScripts:       *updateScripts,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}
