package packaging

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A hook is one of pre-commit's.
type hook struct {
	ID, Name, Description, Entry, Language, Files string
	RequireSerial                                 bool   `yaml:"require_serial"`
	MinimumVersion                                string `yaml:"minimum_pre_commit_version"`
}

// preCommit runs hooks of this repository with pre-commit in a checkout, and returns what it
// writes and whether it found nothing to complain about.
func preCommit(t *testing.T, dir string, ids ...string) (string, bool) {
	t.Helper()
	// pre-commit clones the repository of hooks; a small one with the same hooks will do.
	hooks := checkout(t, map[string]string{".pre-commit-hooks.yaml": page(t, ".pre-commit-hooks.yaml")})
	var list []map[string]string
	for _, id := range ids {
		list = append(list, map[string]string{"id": id})
	}
	from := map[string]any{"repo": hooks, "rev": strings.TrimSpace(git(t, hooks, "rev-parse", "HEAD")), "hooks": list}
	text, err := yaml.Marshal(map[string]any{"repos": []any{from}})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "config.yaml")
	write(t, name, string(text))
	cmd := exec.CommandContext(t.Context(), "pre-commit", "run", "--all-files", "--color", "never", "-c", name)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PRE_COMMIT_HOME="+t.TempDir(), "PATH="+filepath.Dir(program(t))+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	return string(out), err == nil
}

func TestHooksRun(t *testing.T) {
	t.Parallel()
	dir := checkout(t, map[string]string{where: noIdentifiers, "public/adagents.json.txt": "no JSON", "other/package.json": "{"})
	out, ok := preCommit(t, dir, "avow-validate-installed")
	if ok || !strings.Contains(out, where+":") || !strings.Contains(out, "buyers skip") {
		t.Errorf("a file with an error passes, or is not named:\n%s", out)
	}
	write(t, filepath.Join(dir, where), good)
	out, ok = preCommit(t, dir, "avow-validate-installed", "avow-fix-installed")
	if !ok {
		t.Errorf("a good file does not pass:\n%s", out)
	}
	// A hook that changes a file fails once, so that the change is looked at.
	_, ok = preCommit(t, dir, "avow-fmt-installed")
	git(t, dir, "add", "-A")
	out, again := preCommit(t, dir, "avow-fmt-installed")
	if ok || !again {
		t.Errorf("formatting: passes at first %v, then %v:\n%s", ok, again, out)
	}
}

// TestHooks: there is each hook for a machine with avow and for one with Go, which do the same,
// and the manual has them.
func TestHooks(t *testing.T) {
	t.Parallel()
	var hooks []hook
	readYAML(t, filepath.Join(repository(t), ".pre-commit-hooks.yaml"), &hooks)
	byID := map[string]hook{}
	for _, h := range hooks {
		byID[h.ID] = h
		files, err := regexp.Compile(h.Files)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]bool{"adagents.json": true, "a/.well-known/adagents.json": true, "myadagents.json": false, "adagents.json.bak": false} {
			if files.MatchString(name) != want {
				t.Errorf("%s: %s matches: %v", h.ID, name, !want)
			}
		}
	}
	manual := page(t, "docs/pipelines.md")
	for id, h := range byID {
		if strings.HasSuffix(id, "-installed") {
			continue
		}
		other := byID[id+"-installed"]
		if h.Language != "golang" || other.Language != "system" || h.Entry != other.Entry || h.Files != other.Files {
			t.Errorf("%s and %s-installed are not the same hook: %+v, %+v", id, id, h, other)
		}
		if !strings.Contains(manual, "| `"+id+"` |") {
			t.Errorf("docs/pipelines.md does not explain %s", id)
		}
		// pre-commit builds every program of the repository and runs one by its name.
		_, err := os.Stat(filepath.Join(repository(t), "cmd", strings.Fields(h.Entry)[0], "main.go"))
		if err != nil {
			t.Error(err)
		}
	}
}

// A gitlab is a job of GitLab.
type gitlab struct {
	Script    []string
	Variables map[string]string
	Artifacts struct {
		When    string
		Reports struct{ JUnit string }
	}
}

// gitlabJob returns the job that the manual shows.
func gitlabJob(t *testing.T) *gitlab {
	t.Helper()
	for _, m := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(page(t, "docs/pipelines.md"), -1) {
		var doc struct{ Adagents *gitlab }
		err := yaml.Unmarshal([]byte(m[1]), &doc)
		if err == nil && doc.Adagents != nil {
			return doc.Adagents
		}
	}
	t.Fatal("docs/pipelines.md has no job for GitLab")
	return nil
}

func TestGitLabJob(t *testing.T) {
	t.Parallel()
	job := gitlabJob(t)
	// GitLab joins the lines to one script, which ends at the first command that fails.
	text := "set -eo pipefail\n" + strings.Join(job.Script, "\n")
	for name, tt := range map[string]struct {
		file, repository string
		ok, reported     bool
	}{
		"good":      {good, source(t), true, true},
		"wrong":     {noIdentifiers, source(t), false, true},
		"not there": {good, filepath.Join(t.TempDir(), "nowhere"), false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := checkout(t, map[string]string{where: tt.file})
			cmd := exec.CommandContext(t.Context(), "bash", "-c", text)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
			for name, value := range job.Variables {
				cmd.Env = append(cmd.Env, name+"="+value)
			}
			cmd.Env = append(cmd.Env, "AVOW_REPOSITORY="+tt.repository)
			out, err := cmd.CombinedOutput()
			if (err == nil) != tt.ok {
				t.Errorf("the job: %v\n%s", err, out)
			}
			xml, err := os.ReadFile(filepath.Join(dir, job.Artifacts.Reports.JUnit))
			if (err == nil) != tt.reported || tt.reported && !strings.Contains(string(xml), "<testsuite") {
				t.Errorf("the report: %v\n%s\n%s", err, xml, out)
			}
		})
	}
}
