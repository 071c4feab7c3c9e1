package adagents

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checked runs the check on the example file with parts of it replaced.
func checked(t *testing.T, oldNew ...string) *Report {
	t.Helper()
	src := strings.NewReplacer(oldNew...).Replace(exampleInline)
	if src == exampleInline {
		t.Fatalf("nothing replaced by %q", oldNew)
	}
	return Check([]byte(src), Options{})
}

func TestExactlyOneResult(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"", "[]", "{}", `{"authorized_agents":[]}`, exampleInline, examplePointer,
		`{"authoritative_location":1}`, `{"authorized_agents":[1,null,{}]}`,
	} {
		r := Check([]byte(src), Options{})
		n := 0
		for _, set := range []bool{r.File != nil, r.Pointer != nil, r.Unusable != nil} {
			if set {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%.40q: %d results, want one", src, n)
		}
		if r.Unusable != nil && len(r.Skipped) > 0 {
			t.Errorf("%.40q: unusable and yet entries are skipped", src)
		}
	}
}

func TestEffectCause(t *testing.T) {
	t.Parallel()
	var f effect
	f.raise(DropRef, 3)
	f.raise(SkipEntry, 5)
	f.raise(SkipEntry, 7)
	f.raise(EmptyEntry, 0)
	if want := (effect{worst: SkipEntry, cause: 5}); f != want {
		t.Errorf("effect %+v, want %+v: the first finding with the most serious effect counts", f, want)
	}
}

// TestUsableEntries drives usable with effects of its own, so that it does not
// depend on any one rule.
func TestUsableEntries(t *testing.T) {
	t.Parallel()
	src := `{"properties":[{"name":"a"},{"name":"b","identifiers":[{"type":"x"},{"type":"y"}]}],
"authorized_agents":[{"url":"1"},{"url":"2"},{"url":"3","properties":[{"name":"c"}],"publisher_properties":[{}],"signing_keys":[{}],"encryption_keys":[{}]}]}`
	c := readyChecker(t, src)
	f := c.file
	rep := c.under("file.bom")
	rep.effect = &f.Properties[0].effect
	rep.sayWith(Error, SkipEntry, f.Properties[0].Raw, "first reason")
	rep.effect = &f.Properties[1].Identifiers[0].effect
	rep.sayWith(Error, DropRef, f.Properties[1].Identifiers[0].Raw, "identifier")
	rep.effect = &f.Agents[1].effect
	rep.sayWith(Error, EmptyEntry, f.Agents[1].Raw, "inert")
	rep.effect = nil
	rep.sayWith(Info, NoEffect, f.Agents[0].Raw, "remark")
	rep.sayWith(Warning, DropRef, f.Agents[0].member(atAgentURL), "inner cause")
	f.Agents[0].effect.raise(SkipEntry, 0)
	for _, inner := range []*effect{&f.Agents[2].Properties[0].effect, &f.Agents[2].Selectors[0].effect, &f.Agents[2].SigningKeys[0].effect, &f.Agents[2].EncryptionKeys[0].effect} {
		inner.raise(SkipEntry, 0)
	}
	skips := c.skips()
	c.assemble()
	c.usable(skips)
	want := []Skip{
		{"/properties/0", "file.bom", "first reason"},
		{"/authorized_agents/0", "file.bom", "inner cause"},
		{"/authorized_agents/1", "file.bom", "inert"},
		{"/authorized_agents/2/properties/0", "", ""},
		{"/authorized_agents/2/publisher_properties/0", "", ""},
	}
	if diff := cmp.Diff(want, c.report.Skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	if len(f.Properties) != 1 || f.Properties[0].Name != "b" || len(f.Properties[0].Identifiers) != 1 {
		t.Errorf("properties %+v", f.Properties)
	}
	if len(f.Agents) != 2 || f.Agents[0].URL != "2" || !f.Agents[0].Inert() || f.Agents[1].Inert() {
		t.Errorf("agents %+v", f.Agents)
	}
	last := &f.Agents[1]
	if len(last.Properties)+len(last.Selectors)+len(last.SigningKeys)+len(last.EncryptionKeys) != 0 {
		t.Errorf("the agent keeps %+v", last)
	}
	if !last.Pinned() || f.Agents[0].Pinned() {
		t.Error("an agent stays pinned when its keys are unusable, and only then")
	}
}

// readyChecker returns a check that has read a file and applied no rule.
func readyChecker(t *testing.T, src string) *checker {
	t.Helper()
	r := Check([]byte(src), Options{})
	if r.Tree() == nil {
		t.Fatalf("cannot read %s", src)
	}
	c := &checker{report: new(Report), content: content{tree: r.Tree(), file: new(File)}}
	c.dec.decodeFile(c.tree.Root(), c.file)
	return c
}

func TestUntouchedListsAreKept(t *testing.T) {
	t.Parallel()
	list := make([]Property, 3)
	if got := keep(list, SkipEntry); &got[0] != &list[0] || len(got) != 3 {
		t.Error("a list without losses was copied")
	}
}

func TestSkippedProperty(t *testing.T) {
	t.Parallel()
	r := checked(t, `"identifiers":[{"type":"domain","value":"example.com"}],`, "")
	if r.File == nil || len(r.File.Properties) != 0 || len(r.File.Agents) == 0 {
		t.Fatalf("report %+v", r)
	}
	if len(r.Skipped) == 0 || r.Skipped[0].Pointer != "/properties/0" || r.Skipped[0].Code == "" || r.Skipped[0].Reason == "" {
		t.Errorf("skipped %+v", r.Skipped)
	}
}

// TestAuthorizesNobody: what matters most comes first, and says what it comes from.
func TestAuthorizesNobody(t *testing.T) {
	t.Parallel()
	const bare = `{"url":"https://a.example/mcp","authorized_for":"x"}`
	for src, want := range map[string]string{
		siteFile(`[` + bare + `]`):                      "the only agent listed can sell nothing: an agent entry has no authorization_type",
		siteFile(`[` + bare + `,` + bare + `]`):         "none of the 2 entries lets an agent sell anything: an agent entry has no authorization_type",
		siteFile(`["x",` + bare + `,` + bare + `]`):     "none of the 3 entries lets an agent sell anything: an agent entry has no authorization_type (2), an agent entry is not an object (1)",
		siteFile(`[` + exampleAgent + `,` + bare + `]`): "",
		siteFile(`[]`): "",
	} {
		r := Check([]byte(src), Options{})
		if got := r.AuthorizesNobody(); got != (want != "") || got && r.Findings[0].Message != want {
			t.Errorf("%s: %v, %v", src, got, r.Findings[0])
		}
	}
	inert := Check([]byte(siteFile(`[`+exampleAgent+`,`+bare+`]`)), Options{}).File.Agents
	if inert[1].InertCode() != "agent.type_missing" || inert[0].InertCode() != "" {
		t.Errorf("%q", inert[1].InertCode())
	}
	if r := Check([]byte(siteFile(`[`+bare+`]`)), Options{Profile: Strict}); r.Findings[0].Severity != Error {
		t.Error(r.Findings[0])
	}
}
