package resolve

import (
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

// TestByHand: files need not come from Parse, which leaves out what is tested here.
// Whatever cannot be read is nobody's and picks nothing.
func TestByHand(t *testing.T) {
	t.Parallel()
	site := adagents.Property{ID: "site", Type: "website", Identifiers: []adagents.Identifier{{Type: "domain", Value: "example.com"}}}
	strange := site
	strange.PublisherDomain = "not a domain"
	odd := site
	odd.Identifiers = []adagents.Identifier{{Type: "domain", Value: "not a domain"}}
	doc := &Document{Publisher: "example.com", File: &adagents.File{}}
	for _, c := range []struct {
		p    *adagents.Property
		want string
	}{{&site, "example.com"}, {&strange, ""}} {
		if got := newView(doc).owner(c.p); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	revoked := map[string]struct{}{"example.com": {}}
	if !revokesProperty(revoked, &site, "example.org", nil) || revokesProperty(revoked, &odd, "example.org", nil) {
		t.Error("revocation by identifier")
	}
	if predicate(&adagents.Selector{SelectionType: "some"})(&site) {
		t.Error("an unknown kind of selector picks something")
	}
	l := &lister{explanation: explanation{v: &view{hosts: hostname.Memo{}}}}
	if got := l.domainsOf(&adagents.Selector{PublisherDomains: []string{"a b", "co.uk", "example.com", "Example.com"}}); len(got) != 1 {
		t.Errorf("got %q", got)
	}
	place := adagents.Placement{ID: "top", PropertyIDs: []string{"site"}, FormatOptions: []adagents.FormatOption{{OptionID: "gone"}}}
	file := &adagents.File{Properties: []adagents.Property{site}, Placements: []adagents.Placement{place}}
	found := Formats(&Document{Publisher: "example.com", State: Usable, File: file}, "top", "site")
	if found.Formats != nil || len(found.Reasons) != 1 || found.Reasons[0].Code != "format.unresolved" || found.Reasons[0].Pointer != "" {
		t.Errorf("%+v", found)
	}
	agent := adagents.Agent{URL: "::", Type: "property_ids", PropertyIDs: []string{"site"}, EffectiveFrom: "soon"}
	good := agent
	good.URL = testAgent
	file.Agents = []adagents.Agent{agent, good}
	a, err := Judge(&Document{Publisher: "example.com", State: Usable, File: file}, Question{Publisher: "example.com", Agent: testAgent, At: testTime})
	if err != nil || a.Verdict != NotAuthorized || len(a.Reasons) != 1 || a.Reasons[0].Code != "entry.inert" {
		t.Errorf("%+v %v", a, err)
	}
}
