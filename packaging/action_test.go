package packaging

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// good is a file without errors.
const (
	good = `{
  "authorized_agents": [
    {
      "url": "https://agent.example/mcp",
      "authorized_for": "Display on the site",
      "authorization_type": "property_ids",
      "property_ids": ["site"],
      "countries": ["DE"]
    }
  ],
  "properties": [
    {
      "property_id": "site",
      "property_type": "website",
      "name": "Site",
      "identifiers": [{"type": "domain", "value": "publisher.example"}]
    }
  ]
}
`
	where = "public/.well-known/adagents.json"
)

// unassigned has a country that does not exist, which is a warning, and no error.
var unassigned = strings.Replace(good, `["DE"]`, `["UK"]`, 1)

// noIdentifiers has an entry that buyers skip.
var noIdentifiers = strings.Replace(unassigned, `[{"type": "domain", "value": "publisher.example"}]`, `[]`, 1)

func TestActionPasses(t *testing.T) {
	t.Parallel()
	j := newJob(t, map[string]string{where: good}, map[string]string{"program": program(t)})
	if !j.run() {
		t.Fatalf("the action failed:\n%s", &j.log)
	}
	if j.result("valid") != "true" || j.result("exit-code") != "0" || j.result("patch") != "" || len(j.used) != 0 {
		t.Errorf("outputs %v, other actions %v", j.outputs, j.used)
	}
}

func TestActionAnnotatesAndSuggests(t *testing.T) {
	t.Parallel()
	files := map[string]string{where: noIdentifiers, "networks/a b/adagents.json": good}
	// Lines of a workflow may end as on Windows, and names may have spaces.
	j := newJob(t, files, map[string]string{
		"program": program(t), "targets": "  " + where + "\r\n\nnetworks/a b/adagents.json\n", "suggest": "likely", "sarif": "true",
	})
	if j.run() {
		t.Error("the action succeeded on a file with an error")
	}
	if j.result("valid") != "false" || j.result("exit-code") != "1" {
		t.Errorf("outputs %v", j.outputs)
	}
	log := j.log.String()
	for _, want := range []string{"::error file=" + where + ",line=", "title=agent.country_unassigned", "checked 2 files: 1 valid, 1 not valid"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log has no %q:\n%s", want, log)
		}
	}
	for _, want := range []string{"avow fix -w --likely", "```diff\n", "\n-      \"countries\": [\"UK\"]\n+      \"countries\": [\"GB\"]\n"} {
		if !strings.Contains(j.summary(), want) {
			t.Errorf("the summary has no %q:\n%s", want, j.summary())
		}
	}
	git(t, j.dir, "apply", "-p0", j.result("patch"))
	fixed, err := os.ReadFile(filepath.Join(j.dir, where))
	if err != nil || !strings.Contains(string(fixed), `"GB"`) {
		t.Errorf("the patch was not applied: %v\n%s", err, fixed)
	}
	if len(j.used) != 1 || !strings.HasPrefix(j.used[0].Uses, "github/codeql-action/upload-sarif@") {
		t.Fatalf("actions used: %v", j.used)
	}
	report, err := os.ReadFile(j.used[0].With["sarif_file"])
	if err != nil || !strings.Contains(string(report), `"ruleId":"agent.country_unassigned"`) {
		t.Errorf("the report for code scanning: %v\n%s", err, report)
	}
}

var workflowCommand = regexp.MustCompile(`^::([\w-]+)|##\[([\w-]+)`)

// commands returns the names of the workflow commands in a log that GitHub would obey: ::name:: at the
// beginning of a line, ##[name] anywhere in it, and nothing while commands are stopped.
func commands(t *testing.T, log string) []string {
	t.Helper()
	var list []string
	token := ""
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		m := workflowCommand.FindStringSubmatch(line)
		switch {
		case token != "":
			if line == "::"+token+"::" {
				token = ""
			}
		case strings.HasPrefix(line, "::stop-commands::"):
			token = strings.TrimPrefix(line, "::stop-commands::")
			if len(token) < 32 || strings.Count(log, "::stop-commands::"+token) != 1 {
				t.Errorf("%q can be guessed", token)
			}
		case m != nil:
			list = append(list, m[1]+m[2])
		}
	}
	if token != "" {
		t.Error("commands stay stopped")
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestActionTakesTextAsText: nothing in the inputs or in a file is run, is a command for GitHub, or
// ends the block of code in the summary.
func TestActionTakesTextAsText(t *testing.T) {
	t.Parallel()
	hostile := strings.Replace(unassigned, "Display on the site", "````\\n# $(touch owned) `touch owned` ${HOME} ##[add-mask]the", 1)
	j := newJob(t, map[string]string{where: hostile, "##[group]x.json": hostile}, map[string]string{
		"program": program(t), "targets": where + "\n##[group]x.json\n$(touch owned)\n`touch owned`\n; touch owned\n--output=owned\n", "suggest": "likely", "sarif": "true",
	})
	if j.run() {
		t.Error("the action succeeded although targets do not exist")
	}
	if j.result("exit-code") != "3" {
		t.Errorf("exit code %s, want 3:\n%s", j.result("exit-code"), &j.log)
	}
	_, err := os.Stat(filepath.Join(j.dir, "owned"))
	if err == nil {
		t.Error("an input was run")
	}
	lines := strings.Split(strings.TrimSpace(j.summary()), "\n")
	fence := lines[len(lines)-1]
	if strings.Trim(fence, "`") != "" || len(fence) < 5 {
		t.Errorf("the summary ends with %q:\n%s", fence, j.summary())
	}
	if got := commands(t, j.log.String()); !slices.Equal(got, []string{"error", "notice", "warning"}) || !strings.Contains(j.log.String(), "##[add-mask]the") {
		t.Errorf("commands %v:\n%s", got, &j.log)
	}
	// What avow says about its own settings is in the log as well.
	for _, inputs := range []map[string]string{{}, {"profile": "##[add-mask]x"}, {"suggest": "safe", "sarif": "true"}} {
		inputs["program"] = program(t)
		j = newJob(t, map[string]string{where: good, ".avow.toml": "'##[add-mask]x' = 1\n"}, inputs)
		if j.run() || !strings.Contains(j.log.String(), "##[add-mask]x") {
			t.Errorf("%v: the action succeeded, or says nothing:\n%s", inputs, &j.log)
		}
		if got := commands(t, j.log.String()); len(got) > 0 {
			t.Errorf("%v: commands %v:\n%s", inputs, got, &j.log)
		}
	}
}

func TestActionWrongInputs(t *testing.T) {
	t.Parallel()
	for name, inputs := range map[string]map[string]string{
		"profile":  {"profile": "lax"},
		"baseline": {"baseline": "nowhere.json"},
		"suggest":  {"suggest": "all"},
		"fail-on":  {"fail-on": "everything"},
		"targets":  {"targets": "nowhere.json"},
		"empty":    {"targets": ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inputs["program"] = program(t)
			j := newJob(t, map[string]string{where: good}, inputs)
			if j.run() {
				t.Errorf("the action succeeded:\n%s", &j.log)
			}
		})
	}
}

// TestActionFailOn: a file that authorizes none of its agents fails the job, unless the workflow says
// that only errors do.
func TestActionFailOn(t *testing.T) {
	t.Parallel()
	slip := strings.Replace(good, `"property_ids": ["site"]`, `"property_ids": ["sight"]`, 1)
	if slip == good {
		t.Fatal("the good file names no property")
	}
	for failOn, passes := range map[string]bool{"": false, "error": true, "warning": false} {
		j := newJob(t, map[string]string{where: slip}, map[string]string{"program": program(t), "fail-on": failOn})
		if j.run() != passes {
			t.Errorf("fail-on %q:\n%s", failOn, &j.log)
		}
	}
}

func TestActionAcceptsABaseline(t *testing.T) {
	t.Parallel()
	j := newJob(t, map[string]string{where: noIdentifiers}, map[string]string{"program": program(t), "baseline": "known.json"})
	command(t, j.dir, program(t), "validate", "--write-baseline", "known.json", ".")
	if !j.run() {
		t.Errorf("the action failed on findings that are accepted:\n%s", &j.log)
	}
}

// TestActionBuilds: without anything else the action builds avow from its own folder.
func TestActionBuilds(t *testing.T) {
	t.Parallel()
	j := newJob(t, map[string]string{where: good}, map[string]string{})
	if !j.run() || !strings.Contains(j.log.String(), "avow "+releaseVersion+" (") {
		t.Errorf("the action failed, or built another version:\n%s", &j.log)
	}
	j = newJob(t, map[string]string{where: good}, map[string]string{})
	j.env = []string{"PATH=/usr/bin:/bin"}
	if j.run() || !strings.Contains(j.log.String(), "::error::avow is built with Go") {
		t.Errorf("without Go the action succeeds, or does not say what is missing:\n%s", &j.log)
	}
}

// TestActionInstalls: a release is downloaded, compared with its checksum and unpacked.
func TestActionInstalls(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		inputs map[string]string
		ok     bool
		log    string
	}{
		"version":      {map[string]string{"version": releaseTag}, true, "avow "},
		"latest":       {map[string]string{}, true, "avow "},
		"altered":      {map[string]string{"version": "v0.0.1"}, false, "FAILED"},
		"not listed":   {map[string]string{"version": "v0.0.2"}, false, ""},
		"no such file": {map[string]string{"version": "v9.9.9"}, false, "404"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.inputs["releases"] = releases(t)
			j := newJob(t, map[string]string{where: good}, tt.inputs)
			if j.run() != tt.ok || !strings.Contains(j.log.String(), tt.log) {
				t.Errorf("succeeds: %v, want %v and %q:\n%s", !tt.ok, tt.ok, tt.log, &j.log)
			}
			if !tt.ok && j.outputs["install.program"] != "" {
				t.Error("a program was installed all the same")
			}
		})
	}
}

// TestActionIsSafe: inputs do not become a part of scripts, and actions of others are pinned.
func TestActionIsSafe(t *testing.T) {
	t.Parallel()
	pinned := regexp.MustCompile(`@[0-9a-f]{40}$`)
	for _, s := range readAction(t).Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("the step %q puts a value into its script; give it as a variable", s.Name)
		}
		if s.Uses != "" && !pinned.MatchString(s.Uses) {
			t.Errorf("%s is not pinned by its commit", s.Uses)
		}
	}
}

// TestActionIsDocumented: the tables of the manual have the inputs and outputs, and no others.
func TestActionIsDocumented(t *testing.T) {
	t.Parallel()
	text := page(t, "docs/pipelines.md")
	section, _, _ := strings.Cut(text, "\n## GitLab")
	var rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(section, -1) {
		rows = append(rows, m[1])
	}
	a := readAction(t)
	if len(rows) != len(a.Inputs)+len(a.Outputs) {
		t.Errorf("docs/pipelines.md has %d rows, action.yml %d inputs and %d outputs", len(rows), len(a.Inputs), len(a.Outputs))
	}
	for _, name := range rows {
		_, in := a.Inputs[name]
		_, out := a.Outputs[name]
		if !in && !out {
			t.Errorf("docs/pipelines.md explains %s, which action.yml does not have", name)
		}
	}
}
