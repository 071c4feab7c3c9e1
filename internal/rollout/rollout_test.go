package rollout_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/rollout"
	"github.com/avow-project/avow/internal/std/hostname"
)

// property is a website of a publisher.
func property(domain string) string {
	return fmt.Sprintf(`{"property_id": %q, "property_type": "website", "name": "A site", "publisher_domain": %q, "identifiers": [{"type": "domain", "value": %q}]}`, strings.ReplaceAll(domain, ".", "_"), domain, domain)
}

// networkFile selects all properties of publishers, and has those of some.
func networkFile(selected, withProperty []string, more string) string {
	var properties []string
	for _, domain := range withProperty {
		properties = append(properties, property(domain))
	}
	return `{"properties": [` + strings.Join(properties, ",") + `], "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "all", "authorization_type": "publisher_properties",
		"publisher_properties": [{"publisher_domains": ["` + strings.Join(selected, `","`) + `"], "selection_type": "all"}]}]` + more + `}`
}

// direct is the discovery of a publisher with a file at its own path.
func direct(domain, file string) *discover.Discovery {
	url := discover.WellKnownURL(domain)
	return &discover.Discovery{
		Domain: domain, URL: url, ResolvedURL: url, Answer: discover.Usable, Method: discover.Direct,
		Report: adagents.Check([]byte(file), adagents.Options{}), Body: []byte(file),
		Trail: []discover.Hop{{Result: &fetch.Result{URL: url}}},
	}
}

// led is the discovery of a publisher whose pointer leads to a file.
func led(domain, url, file string) *discover.Discovery {
	d := direct(domain, file)
	d.Method, d.ResolvedURL = discover.AuthoritativeLocation, url
	d.Pointer = adagents.Check([]byte(`{"authoritative_location": "`+url+`"}`), adagents.Options{})
	return d
}

func newNetwork(t *testing.T, file, url string) *rollout.Network {
	t.Helper()
	r := adagents.Check([]byte(file), adagents.Options{})
	if r.File == nil {
		t.Fatalf("%v", r.Findings)
	}
	return rollout.New(r.File, []byte(file), url)
}

// TestStates: how publishers stand to a file that is at the well-known path of a publisher that it
// names, and to one that is elsewhere.
func TestStates(t *testing.T) {
	t.Parallel()
	const home, cdn = "https://net.example/.well-known/adagents.json", "https://cdn.example/net.json"
	file := networkFile([]string{"net.example", "a.example", "bare.example"}, []string{"net.example", "a.example"}, `, "revoked_publisher_domains": [{"publisher_domain": "gone.example", "revoked_at": "2026-01-01T00:00:00Z"}]`)
	own := networkFile([]string{"a.example"}, []string{"a.example"}, "")
	redirected := direct("a.example", file)
	redirected.ResolvedURL = home
	redirected.Trail[0].Result.URL = home
	manager := direct("a.example", file)
	manager.Method, manager.ResolvedURL = discover.ManagerDomain, home
	bareManager := direct("bare.example", file)
	bareManager.Method, bareManager.ResolvedURL = discover.ManagerDomain, home
	absent := &discover.Discovery{Domain: "a.example", Answer: discover.Absent}
	nameless := &discover.Discovery{Domain: "a.example", Answer: discover.Unreachable, Trail: []discover.Hop{{Result: &fetch.Result{Outcome: fetch.NameNotFound}}}}
	for _, test := range []struct {
		name, url, want string
		found           *discover.Discovery
	}{
		{"the file itself", home, "is_here network.is_here", direct("net.example", file)},
		{"the file itself, of which an older version is live", home, "is_here network.is_here", direct("net.example", own)},
		{"a pointer to it", home, "points_here network.points_here", led("a.example", home, file)},
		{"another spelling", home, "other_way network.other_spelling", led("a.example", "https://NET.example/.well-known/adagents.json", file)},
		{"a redirect to it", home, "other_way network.redirect", redirected},
		{"a line in ads.txt", home, "other_way network.manager_line", manager},
		{"a pointer of a publisher without a property", home, "nothing_here network.nothing_here", led("bare.example", home, file)},
		{"a line in ads.txt of a publisher without a property", home, "nothing_here network.nothing_here", bareManager},
		{"the file at the path of a publisher without a property", discover.WellKnownURL("bare.example"), "nothing_here network.nothing_here", direct("bare.example", file)},
		{"a copy", home, "served_wrong network.copy", direct("a.example", file)},
		{"a copy of a file on a CDN", cdn, "served_wrong network.copy", direct("net.example", file)},
		{"a file of its own", home, "own_file network.own_file", direct("a.example", own)},
		{"another file", home, "elsewhere network.claimed", led("a.example", cdn, own)},
		{"a revoked publisher", home, "revoked_pointing network.revoked_pointing", led("gone.example", home, file)},
		{"a publisher that is not named", home, "orphan network.orphan", led("stray.example", home, file)},
		{"the file at the path of a publisher that is not named", discover.WellKnownURL("host.example"), "is_here network.is_here", direct("host.example", file)},
		{"nothing at all", home, "absent network.absent", absent},
		{"no such name", home, "unresolvable ", nameless},
	} {
		n := newNetwork(t, file, test.url)
		row := n.Judge(n.Visit(test.found))
		if got := string(row.State) + " " + row.Code; got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// TestNoAdviceToBreak: the publisher that has the file gets no message, and a publisher without a
// property is the network's business and gets none either.
func TestNoAdviceToBreak(t *testing.T) {
	t.Parallel()
	const home = "https://net.example/.well-known/adagents.json"
	file := networkFile([]string{"net.example", "a.example", "bare.example"}, []string{"net.example", "a.example"}, "")
	n := newNetwork(t, file, home)
	s := rollout.NewSummary(n, nil)
	for _, d := range []*discover.Discovery{direct("net.example", file), led("a.example", home, file), led("bare.example", home, file)} {
		kept, err := json.Marshal(n.Visit(d))
		if err != nil {
			t.Fatal(err)
		}
		var v rollout.Visit
		err = json.Unmarshal(kept, &v)
		if err != nil {
			t.Fatal(err)
		}
		row := s.Add(v)
		if text := s.Message(row); text != "" {
			t.Errorf("%s is told: %s", row.Publisher, text)
		}
	}
	s.Finish()
	if s.Named != 3 || s.Reached != 2 {
		t.Errorf("%d of %d lead to the file", s.Reached, s.Named)
	}
	causes := s.Causes()
	if len(causes) != 1 || causes[0].State != rollout.NothingHere {
		t.Errorf("causes: %+v", causes)
	}
}

// TestLikelyURL: a file at hand is the one that is served by the only publisher with its bytes, unless
// others lead elsewhere.
func TestLikelyURL(t *testing.T) {
	t.Parallel()
	const cdn = "https://cdn.example/net.json"
	file := networkFile([]string{"net.example", "a.example"}, []string{"net.example", "a.example"}, "")
	for _, test := range []struct {
		name, want string
		found      []*discover.Discovery
	}{
		{"one", discover.WellKnownURL("net.example"), []*discover.Discovery{direct("net.example", file)}},
		{"two copies", "", []*discover.Discovery{direct("net.example", file), direct("a.example", file)}},
		{"a copy and a pointer", cdn, []*discover.Discovery{direct("net.example", file), led("a.example", cdn, file)}},
	} {
		n := newNetwork(t, file, "")
		var visits []rollout.Visit
		for _, d := range test.found {
			visits = append(visits, n.Visit(d))
		}
		if got := n.LikelyURL(visits); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestContests: an identifier of two publishers is told about.
func TestContests(t *testing.T) {
	t.Parallel()
	file := `{"properties": [` + property("a.example") + `, ` + strings.Replace(property("a.example"), `"publisher_domain": "a.example"`, `"publisher_domain": "b.example"`, 1) + `], "authorized_agents": []}`
	got := newNetwork(t, file, "").Contests()
	if len(got) != 1 || got[0].Value != "a.example" || fmt.Sprint(got[0].ClaimedBy) != "[a.example b.example]" {
		t.Errorf("%+v", got)
	}
	if named := newNetwork(t, file, "").Named(); fmt.Sprint(named) != fmt.Sprint([]hostname.Domain{"a.example", "b.example"}) {
		t.Errorf("%v", named)
	}
}

// TestLetter: messages are signed, and have the text of a template.
func TestLetter(t *testing.T) {
	t.Parallel()
	const home = "https://net.example/adagents.json"
	n := newNetwork(t, networkFile([]string{"a.example"}, []string{"a.example"}, ""), home)
	s := rollout.NewSummary(n, nil)
	row := s.Add(n.Visit(&discover.Discovery{Domain: "a.example", Answer: discover.Absent}))
	for _, test := range []struct{ template, sender, want string }{
		{"", "", "adagents.json of a.example\n"},
		{"", "Ada of Net", "\nKind regards,\nAda of Net\n"},
		{"Hi {{.Publisher}}: {{.Problem}} {{.PointerURL}} {{.File}} {{.Sender}}", "Ada",
			"Hi a.example: Your site has no adagents.json, so buyers cannot tell who may sell your inventory. https://a.example/.well-known/adagents.json " + home + " Ada"},
	} {
		letter, err := rollout.NewLetter(test.template, test.sender)
		if err != nil {
			t.Fatal(err)
		}
		s.Letter = letter
		if text := s.Message(row); !strings.Contains(text, test.want) || test.sender == "" && strings.Contains(text, "regards") {
			t.Errorf("%+v: %s", test, text)
		}
	}
	for _, wrong := range []string{"{{.Publisher", "{{.Nothing}}"} {
		_, err := rollout.NewLetter(wrong, "")
		if err == nil {
			t.Errorf("%s is accepted", wrong)
		}
	}
}
