package resolve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/adagents"
)

// heldFile is a network's file that lets the agent sell for two publishers.
func heldFile(revocations string) string {
	return `{` + revocations + ` "properties": [` + websiteJSON("a", "a.com", `, "publisher_domain": "a.com", "tags": ["t"]`) + `, ` +
		websiteJSON("b", "b.com", `, "publisher_domain": "b.com", "tags": ["t"]`) + `, ` +
		websiteJSON("h", "h.b.com", `, "publisher_domain": "b.com", "tags": ["t"]`) + `],
		"authorized_agents": [` + entry(`"authorization_type": "property_tags", "property_tags": ["t"]`) + `, ` +
		entry(`"authorization_type": "publisher_properties", "publisher_properties": [`+allOfA+`, `+allOfB+`]`) + `]}`
}

func heldDocument(t *testing.T, publisher, src string, revoked ...string) *Document {
	t.Helper()
	doc := networkDocument(t, publisher, "authoritative_location", networkURL, src)
	doc.Revoked = revoked
	return doc
}

func ids(list []*adagents.Property) []string {
	var out []string
	for _, p := range list {
		out = append(out, p.ID)
	}
	return out
}

func TestHeldRevocationSaysSo(t *testing.T) {
	t.Parallel()
	const held = "held although it no longer lists it"
	tests := []struct {
		name, publisher, property string
		revoked                   []string
		file                      string
		verdict                   Verdict
		code                      string
		held                      bool
	}{
		{"nothing", "a.com", "", nil, "", Authorized, "", false},
		{"another publisher", "a.com", "", []string{"b.com"}, "", Authorized, "", false},
		{"the publisher", "a.com", "", []string{"a.com"}, "", NotAuthorized, "publisher.revoked", true},
		{"the publisher, still listed", "a.com", "", []string{"a.com"}, `"revoked_publisher_domains": [{"publisher_domain": "a.com"}],`, NotAuthorized, "publisher.revoked", false},
		{"listed in the file alone", "a.com", "", nil, `"revoked_publisher_domains": ["a.com"],`, NotAuthorized, "publisher.revoked", false},
		{"a host of a property", "b.com", "h", []string{"h.b.com"}, "", NotAuthorized, "property.owner_revoked", true},
		{"a host of another property", "b.com", "b", []string{"h.b.com"}, "", Authorized, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doc := heldDocument(t, tt.publisher, heldFile(tt.file), tt.revoked...)
			a, err := Judge(doc, Question{Publisher: tt.publisher, Agent: testAgent, Property: tt.property, At: testTime})
			if err != nil || a.Verdict != tt.verdict {
				t.Fatalf("%+v, %v", a, err)
			}
			if tt.code == "" {
				return
			}
			for _, r := range a.Reasons {
				if r.Code == tt.code && strings.Contains(r.Message, held) == tt.held {
					return
				}
			}
			t.Errorf("%+v", a.Reasons)
		})
	}
}

// TestHeldLikeListed compares documents that hold revocations with such whose files list
// them.
func TestHeldLikeListed(t *testing.T) {
	t.Parallel()
	for _, domain := range []string{"a.com", "b.com", "h.b.com", "net.example.net", "elsewhere.com"} {
		for _, publisher := range []string{"a.com", "b.com", "net.example.net"} {
			listed := `"revoked_publisher_domains": [{"publisher_domain": "` + domain + `"}],`
			held := heldDocument(t, publisher, heldFile(""), domain)
			want := heldDocument(t, publisher, heldFile(listed))
			if diff := cmp.Diff(ids(Owned(want)), ids(Owned(held))); diff != "" {
				t.Errorf("%s for %s owns, listed (-) held (+):\n%s", domain, publisher, diff)
			}
			sources := [2]*documents{}
			for i, src := range []string{heldFile(listed), heldFile("")} {
				docs := map[string]*Document{}
				for _, name := range []string{"a.com", "b.com", "net.example.net"} {
					docs[name] = heldDocument(t, name, src)
					if i == 1 {
						docs[name].Revoked = []string{domain}
					}
				}
				sources[i] = &documents{docs: docs}
			}
			for _, o := range []ListOptions{{At: testTime}, {At: testTime, Local: true}, {At: testTime, Inline: true}} {
				a, err := New(sources[0]).Properties(t.Context(), publisher, testAgent, o)
				if err != nil {
					t.Fatal(err)
				}
				b, err := New(sources[1]).Properties(t.Context(), publisher, testAgent, o)
				if err != nil {
					t.Fatal(err)
				}
				if a.Verdict != b.Verdict || cmp.Diff(lines(a), lines(b)) != "" {
					t.Errorf("%s for %s, %+v: listed %s %v, held %s %v", domain, publisher, o, a.Verdict, lines(a), b.Verdict, lines(b))
				}
			}
		}
	}
}

func TestHeldAgainstOneOfMany(t *testing.T) {
	t.Parallel()
	// All documents share one file. What is held against b.com counts for b.com, also when
	// the network's own document does not hold it.
	network := heldDocument(t, "net.example.net", heldFile(""))
	a, b := *network, *network
	a.Publisher, b.Publisher, b.Revoked = "a.com", "b.com", []string{"b.com"}
	s := &documents{docs: map[string]*Document{"net.example.net": network, "a.com": &a, "b.com": &b}}
	l, err := New(s).Properties(t.Context(), "net.example.net", testAgent, ListOptions{At: testTime})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a.com 2 usable confirmed", "b.com 0 usable selector.revoked_by_publisher"}
	if diff := cmp.Diff(want, states(l)); diff != "" {
		t.Error(diff, lines(l))
	}
	for _, p := range l.Publishers {
		if p.Publisher == "b.com" && !strings.Contains(p.Detail, "held") {
			t.Errorf("%+v", p)
		}
	}
}

func TestHeldBlocksAreTheirOwn(t *testing.T) {
	t.Parallel()
	plain := heldDocument(t, "a.com", heldFile(""))
	plain.Prepared = Prepare(plain.File)
	with := func(publisher string, revoked ...string) *Document {
		doc := *plain
		doc.Publisher, doc.Revoked = publisher, revoked
		return &doc
	}
	shared := []string{"h.b.com", "a.com"}
	for _, docs := range [][]*Document{
		{with("a.com"), with("b.com", "b.com")},
		{with("b.com", "b.com"), with("a.com")},
		{with("b.com", "b.com"), with("b.com", "b.com"), with("a.com")},
		{with("a.com"), with("b.com", shared...), with("b.com", "b.com")},
		{with("a.com", shared[:1]...), with("b.com", "b.com"), with("b.com", "b.com", "a.com")},
	} {
		x := map[string]Subject{}
		for _, doc := range docs {
			x[doc.Publisher] = NewSubject(doc)
		}
		for publisher, want := range map[string]Verdict{"a.com": Authorized, "b.com": NotAuthorized} {
			decided(t, x[publisher], Question{Publisher: publisher, Agent: testAgent, At: testTime}, want)
		}
	}
	b := NewSubject(with("b.com", shared...))
	decided(t, b, Question{Publisher: "b.com", Agent: testAgent, Property: "h", At: testTime}, NotAuthorized)
	decided(t, b, Question{Publisher: "b.com", Agent: testAgent, Property: "b", At: testTime}, Authorized)
}

func decided(t *testing.T, s Subject, q Question, want Verdict) {
	t.Helper()
	got, err := s.Decide(&q)
	if err != nil || got.Verdict != want {
		t.Errorf("%+v: %+v, %v", q, got, err)
	}
}

func TestHeldFormats(t *testing.T) {
	t.Parallel()
	const options = `"placements": [{"placement_id": "p", "name": "P", "property_ids": ["a"], "format_options": [{"format_kind": "image", "params": {}}]}],`
	doc := heldDocument(t, "a.com", heldFile(options))
	reasons := Formats(doc, "p", "a").Reasons
	for _, r := range reasons {
		if r.Code == "property.unknown" {
			t.Fatalf("%+v", reasons)
		}
	}
	doc.Revoked = []string{"a.com"}
	reasons = Formats(doc, "p", "a").Reasons
	if len(reasons) == 0 || reasons[0].Code != "property.unknown" {
		t.Errorf("%+v", reasons)
	}
}
