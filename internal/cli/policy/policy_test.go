package policy

import (
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
)

func TestParse(t *testing.T) {
	t.Parallel()
	p, err := parse("sub/.avow.toml", []byte(`
targets = ["example.com", "static/a.json"]
profile = "strict"
fail_on = ["warning", "file.schema_missing"]
baseline = "known.json"

[[ignore]]
code = "file.schema_missing"
reason = "the CDN removes it"
until = 2026-01-31
`))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.Targets, " "); got != "example.com sub/static/a.json" || p.Profile != "strict" || p.Baseline != "sub/known.json" {
		t.Errorf("%+v", p)
	}
	if !p.FailOn.Names("x", adagents.Error) || !p.FailOn.Names("x", adagents.Warning) || p.FailOn.Names("x", adagents.Info) || !p.FailOn.Names("file.schema_missing", adagents.Info) {
		t.Errorf("%+v", p.FailOn)
	}
	i := p.Ignores[0]
	last := time.Date(2026, 1, 31, 23, 59, 59, 0, time.UTC)
	if i.Where != "sub/.avow.toml:7" || i.Expired(last) || !i.Expired(last.Add(time.Second)) {
		t.Errorf("%+v", i)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	const good = "[[ignore]]\ncode = \"file.schema_missing\"\n"
	for src, want := range map[string][2]string{
		"x":                           {".avow.toml:1: ", ""},
		"\nprofiles = \"strict\"":     {`.avow.toml:2: there is no setting "profiles"`, "did you mean profile?"},
		"\n\nprofile = \"hard\"":      {`.avow.toml:3: there is no profile "hard"`, "use default or strict"},
		"profile = 1":                 {".avow.toml:1: incompatible types", ""},
		"fail_on = \"error\"":         {".avow.toml:1: ", ""},
		"fail_on = [\"eror.x\"]":      {`.avow.toml:1: there is no code "eror.x"`, "avow explain lists all codes"},
		"targets = [\"-\"]":           {`.avow.toml:1: "-" is not a target`, "name domains"},
		"targets = [\"/abs/a.json\"]": {`.avow.toml:1: the target "/abs/a.json" is outside`, "on the command line"},
		"targets = [\"https://cdn.example/a.json\"]": {`.avow.toml:1: the target "https://cdn.example/a.json" is a URL`, "on the command line"},
		"[[ignore]]\nreason = \"r\"":                 {".avow.toml:1: an ignore has no code", "for example"},
		"[[ignore]]\ncode = \"file.shema_missing\"":  {`.avow.toml:1: there is no code "file.shema_missing"`, "did you mean file.schema_missing?"},
		"\n" + good:                        {".avow.toml:2: the ignore of file.schema_missing has no reason", "say why"},
		good + "reason = \"r\"":            {".avow.toml:1: the ignore of file.schema_missing has no last day", "until = 2026-12-31"},
		good + "reason = \"r\"\nuntil = 3": {".avow.toml:4: ", ""},
		good + "note = \"r\"":              {`.avow.toml:3: there is no setting "ignore.note"`, "[[ignore]] with code, reason and until"},
		"targets = []\ntargets = []":       {".avow.toml:2: ", ""},
	} {
		_, err := parse(".avow.toml", []byte(src))
		if err == nil {
			t.Errorf("%q is accepted", src)
			continue
		}
		known := console.AsError(err)
		if !strings.HasPrefix(known.Message, want[0]) || !strings.Contains(known.Hint, want[1]) || known.Code != console.ExitUsage {
			t.Errorf("%q: %s, hint %s", src, known.Message, known.Hint)
		}
	}
}

// FuzzParse checks that no text makes more of a policy than an error.
func FuzzParse(f *testing.F) {
	f.Add("targets = [\"a\"]\n[[ignore]]\ncode = \"file.schema_missing\"\nreason = \"r\"\nuntil = 2026-01-31\n")
	f.Add("[[ ignore ]]\n[a.b]\nc = {}")
	f.Fuzz(func(t *testing.T, src string) {
		p, err := parse("x.toml", []byte(src))
		if err == nil && p == nil {
			t.Error("neither a policy nor an error")
		}
		if err != nil && !strings.HasPrefix(err.Error(), "x.toml") {
			t.Errorf("the error %v does not name the file", err)
		}
	})
}
