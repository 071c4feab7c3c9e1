package packaging

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// An action is what action.yml says.
type action struct {
	Inputs  map[string]struct{ Description, Default string }
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

// An actionStep is one step of an action.
type actionStep struct {
	ID, Name, If, Shell, Run, Uses string
	Env, With                      map[string]string
}

func readAction(t *testing.T) *action {
	t.Helper()
	a := new(action)
	readYAML(t, filepath.Join(repository(t), "action.yml"), a)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) == 0 {
		t.Fatal("action.yml is not a composite action with steps")
	}
	return a
}

// readYAML reads a file of which every member must be known to into.
func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	err = yaml.Unmarshal(text, into)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// A job is the run of an action on a machine of GitHub, as far as its steps can see it.
type job struct {
	t       *testing.T
	action  *action
	dir     string            // the checkout
	temp    string            // RUNNER_TEMP, with the files that steps write
	inputs  map[string]string // what the workflow gives
	env     []string
	outputs map[string]string // step.name
	log     bytes.Buffer
	used    []actionStep // steps that use other actions, with their values
}

// newJob prepares a job in a checkout with the files.
func newJob(t *testing.T, files map[string]string, inputs map[string]string) *job {
	t.Helper()
	j := &job{t: t, action: readAction(t), dir: checkout(t, files), temp: t.TempDir(), inputs: inputs, outputs: map[string]string{}}
	for name := range inputs {
		_, ok := j.action.Inputs[name]
		if !ok {
			t.Fatalf("action.yml has no input %s", name)
		}
	}
	return j
}

// checkout makes a repository with files.
func checkout(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	git(t, dir, "init", "-q")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "files")
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	return command(t, dir, "git", append([]string{"-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "commit.gpgsign=false"}, args...)...)
}

// command runs a program that has to succeed, and returns what it writes.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

var expression = regexp.MustCompile(`\$\{\{ *([^}]+?) *\}\}`)

// value evaluates a name in an expression.
func (j *job) value(name string) string {
	parts := strings.Split(name, ".")
	switch {
	case len(parts) == 2 && parts[0] == "inputs":
		input, ok := j.action.Inputs[parts[1]]
		if !ok {
			j.t.Fatalf("action.yml uses the input %s, which it does not have", parts[1])
		}
		value, given := j.inputs[parts[1]]
		if given {
			return value
		}
		return input.Default
	case len(parts) == 4 && parts[0] == "steps" && parts[2] == "outputs":
		known := slices.ContainsFunc(j.action.Runs.Steps, func(s actionStep) bool { return s.ID == parts[1] })
		if !known {
			j.t.Fatalf("action.yml uses the step %s, which it does not have", parts[1])
		}
		return j.outputs[parts[1]+"."+parts[3]]
	case name == "github.action_path":
		return source(j.t)
	case name == "github.action_ref":
		return j.inputs["action_ref"]
	}
	j.t.Fatalf("the test does not know the expression %q", name)
	return ""
}

func (j *job) expand(text string) string {
	return expression.ReplaceAllStringFunc(text, func(m string) string {
		return j.value(expression.FindStringSubmatch(m)[1])
	})
}

var comparison = regexp.MustCompile(`^(\S+) (==|!=) '([^']*)'$`)

// holds evaluates the condition of a step.
func (j *job) holds(condition string) bool {
	if condition == "" {
		return true
	}
	m := comparison.FindStringSubmatch(condition)
	if m == nil {
		j.t.Fatalf("the test does not know the condition %q", condition)
	}
	return (j.value(m[1]) == m[3]) == (m[2] == "==")
}

// run runs the steps and tells whether the job succeeds. As at GitHub, a step that fails is
// the last one.
func (j *job) run() bool {
	j.t.Helper()
	for _, s := range j.action.Runs.Steps {
		if !j.holds(s.If) {
			continue
		}
		if s.Uses != "" {
			with := map[string]string{}
			for name, value := range s.With {
				with[name] = j.expand(value)
			}
			j.used = append(j.used, actionStep{Uses: s.Uses, With: with})
			continue
		}
		if !j.script(s) {
			return false
		}
	}
	return true
}

// script runs the script of a step with the options that GitHub gives to bash.
func (j *job) script(s actionStep) bool {
	j.t.Helper()
	if s.Shell != "bash" {
		j.t.Fatalf("the step %q has the shell %q", s.Name, s.Shell)
	}
	output := filepath.Join(j.temp, "output")
	script := filepath.Join(j.temp, "script.sh")
	write(j.t, script, s.Run)
	write(j.t, output, "")
	cmd := exec.CommandContext(j.t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	cmd.Dir = j.dir
	cmd.Env = append(os.Environ(), "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+j.summaryFile(), "GITHUB_WORKSPACE="+j.dir,
		"RUNNER_TEMP="+j.temp, "RUNNER_OS=Linux", "RUNNER_ARCH="+map[string]string{"amd64": "X64", "arm64": "ARM64"}[architecture])
	cmd.Env = append(cmd.Env, j.env...)
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+j.expand(value))
	}
	cmd.Stdout, cmd.Stderr = &j.log, &j.log
	err := cmd.Run()
	written, readErr := os.ReadFile(output)
	if readErr != nil {
		j.t.Fatal(readErr)
	}
	for line := range strings.Lines(string(written)) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !ok {
			j.t.Errorf("the step %q writes the output %q", s.Name, line)
		}
		j.outputs[s.ID+"."+name] = value
	}
	return err == nil
}

func (j *job) summaryFile() string { return filepath.Join(j.temp, "summary.md") }

func (j *job) summary() string {
	text, err := os.ReadFile(j.summaryFile())
	if err != nil && !os.IsNotExist(err) {
		j.t.Fatal(err)
	}
	return string(text)
}

// result returns an output of the action.
func (j *job) result(name string) string {
	out, ok := j.action.Outputs[name]
	if !ok {
		j.t.Fatalf("action.yml has no output %s", name)
	}
	return j.expand(out.Value)
}
