package repotest

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/model"
)

// checkVersion finds copies of the version in a text.
func checkVersion(name, text, version string) []string {
	if !strings.Contains(text, version) {
		return nil
	}
	copied := regexp.MustCompile(`(^|[^0-9.])` + regexp.QuoteMeta(version) + `($|[^0-9])`)
	var problems []string
	for i, line := range strings.Split(text, "\n") {
		if copied.MatchString(line) {
			problems = append(problems, fmt.Sprintf("%s:%d has a copy of the version; it belongs into internal/buildinfo/VERSION alone", name, i+1))
		}
	}
	return problems
}

// checkHome finds copies of the project's URL in a text, and names of what others publish
// there: images, actions, documentation. Import paths, which are not URLs, and the name of the
// npm package are not copies.
func checkHome(name, text string) []string {
	const project = "avow-" + "project/avow"
	var problems []string
	for i, line := range strings.Split(text, "\n") {
		for at := strings.Index(line, project); at >= 0; {
			before := line[:at]
			imported := strings.HasSuffix(before, "github.com/") && !strings.HasSuffix(before, "/github.com/")
			if !imported && !strings.HasSuffix(before, "@") {
				problems = append(problems, fmt.Sprintf("%s:%d has a copy of the project's URL; use buildinfo.Home, or the checkout", name, i+1))
			}
			next := strings.Index(line[at+1:], project)
			if next < 0 {
				break
			}
			at += 1 + next
		}
	}
	return problems
}

// checkTags finds images and packages whose tag means another version tomorrow. The name of the
// tag is in two parts, so that this file has none.
func checkTags(name, text string) []string {
	moving := regexp.MustCompile(`[\w}][:@]` + "lat" + `est\b`)
	var problems []string
	for i, line := range strings.Split(text, "\n") {
		if moving.MatchString(line) {
			problems = append(problems, fmt.Sprintf("%s:%d names a tag that moves; name a version", name, i+1))
		}
	}
	return problems
}

// texts returns the files of the repository that people write. Sums and locks name the versions
// of others.
func texts(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(files(t), func(name string) bool {
		return path.Base(name) == "go.sum" || path.Base(name) == "package-lock.json"
	})
}

func TestVersionHasOnePlace(t *testing.T) {
	t.Parallel()
	version := buildinfo.Get().Version
	for _, name := range texts(t) {
		if name != "internal/buildinfo/VERSION" && name != "CHANGELOG.md" {
			report(t, checkVersion(name, read(t, name), version))
		}
	}
	newest := regexp.MustCompile(`(?m)^## (\S+)`).FindStringSubmatch(read(t, "CHANGELOG.md"))
	if len(newest) == 0 || newest[1] != version {
		t.Errorf("the newest section of CHANGELOG.md is %q, want %s", newest, version)
	}
}

func TestHomeHasOnePlace(t *testing.T) {
	t.Parallel()
	for _, name := range texts(t) {
		// The schema is generated.
		if name != "internal/buildinfo/HOME" && name != "schemas/v3/adagents.json" {
			report(t, checkHome(name, read(t, name)))
		}
	}
}

// TestAdCPReleaseIsStated: who reads one of these learns which release the rules follow.
func TestTagsDoNotMove(t *testing.T) {
	t.Parallel()
	for _, name := range texts(t) {
		report(t, checkTags(name, read(t, name)))
	}
}

func TestAdCPReleaseIsStated(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"README.md", "docs/rules.md", "schemas/v3/adagents.json", "CHANGELOG.md"} {
		if !strings.Contains(read(t, name), "AdCP "+model.AdCPRelease) {
			t.Errorf("%s does not say AdCP %s", name, model.AdCPRelease)
		}
	}
	if !strings.Contains(read(t, "internal/service/api/examples/describe.json"), fmt.Sprintf(`"adcp": %q`, model.AdCPRelease)) {
		t.Errorf("the example of GET /api does not say %s", model.AdCPRelease)
	}
}

func TestReleaseRulesCatch(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"avow 1.2.3", "avow_1.2.3_amd64.deb", `"1.2.3"`, "v1.2.3"} {
		wantProblem(t, checkVersion("f.md", "one\n"+text, "1.2.3"), "f.md:2", "VERSION")
	}
	wantProblem(t, checkVersion("f.md", "11.2.3, 0.1.2.3 and 1.2.34", "1.2.3"))
	project := "avow-" + "project/avow"
	for _, text := range []string{
		"https://github.com/" + project, "ghcr.io/" + project + ":1.2", "uses: " + project + "@v1", "https://pkg.go.dev/github.com/" + project,
		`import "github.com/` + project + `" // see https://github.com/` + project,
	} {
		wantProblem(t, checkHome("f.go", "one\n"+text), "f.go:2", "buildinfo.Home")
	}
	for _, text := range []string{"image: postgres:lat" + "est", `-t "$name:lat` + `est"`, "go install example.com/tool@lat" + "est"} {
		wantProblem(t, checkTags("f.yml", "one\n"+text), "f.yml:2", "moves")
	}
	wantProblem(t, checkTags("f.md", "the latest: one, a later@latestation"))
	wantProblem(t, checkHome("f.go", `import "github.com/`+project+`/adagents"`+"\nmodule github.com/"+project+"\nnpm install @"+project))
}
