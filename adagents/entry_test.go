package adagents

import "testing"

func TestEntryPlace(t *testing.T) {
	t.Parallel()
	src := "{\"authorized_agents\": [],\n \"properties\": [{}, {\"property_id\": \"é\",\n  \"identifiers\": [\n    {}]}]}"
	r := Check([]byte(src), Options{})
	if r.File == nil || len(r.File.Properties) != 0 {
		t.Fatalf("file %v", r.File)
	}
	f, err := Parse(Example(InAgent, `{"url": "https://b.example", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["site"]}`))
	if err != nil {
		t.Fatal(err)
	}
	a := &f.Agents[1]
	if got := a.Pointer(); got != "/authorized_agents/1" {
		t.Errorf("pointer %q", got)
	}
	if got := a.Position(); got.Line != 1 || got.Offset != got.Column-1 {
		t.Errorf("position %+v of an ASCII file of one line", got)
	}
	var built Agent
	if built.Pointer() != "" || built.Position() != (Position{}) {
		t.Error("an agent that stands in no file has a place")
	}
}

func TestNamesOfConstants(t *testing.T) {
	t.Parallel()
	for _, s := range []Severity{Info, Warning, Error} {
		back, ok := ParseSeverity(s.String())
		if !ok || back != s {
			t.Errorf("%v read back as %v, %v", s, back, ok)
		}
	}
	if _, ok := ParseSeverity("fatal"); ok {
		t.Error("fatal is a severity")
	}
	if got := UnknownKind.String() + Inline.String() + PointerKind.String(); got != "inlinepointer" {
		t.Errorf("kinds %q", got)
	}
}
