package registry_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/resolve"
)

// appOf is a file with one app that an agent may sell.
func appOf(publisher, bundle, agent string) string {
	return fileOf(`{"property_id": "app", "property_type": "mobile_app", "name": "App", "publisher_domain": "`+publisher+`",
 "identifiers": [{"type": "ios_bundle", "value": "`+bundle+`"}]}`, entry(agent, "property_ids", `"property_ids": ["app"]`))
}

// TestContestedApp has two publishers that are seen to list the same app on the same day:
// neither can authorize anybody for it alone.
func TestContestedApp(t *testing.T) {
	t.Parallel()
	const honest, crook = "https://honest.example/mcp", "https://crook.example/mcp"
	l := newFileLab(t,
		wellKnown("owner.example"), served(appOf("owner.example", "com.example.app", honest)),
		wellKnown("evil.example"), served(appOf("evil.example", "com.example.app", crook)))
	ask := func(agent string, o registry.PropertyOptions) *registry.PropertyAuthorization {
		t.Helper()
		a, err := l.PropertyAuthorization(t.Context(), agent, registry.Identifier{Type: "ios_bundle", Value: "com.example.app"}, o)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	l.validate(t, registry.ValidateRequest{Domain: "owner.example"})
	l.Settle()
	if a := ask(honest, registry.PropertyOptions{}); !a.Authorized || len(a.Contest) > 0 {
		t.Errorf("%+v", a)
	}
	l.validate(t, registry.ValidateRequest{Domain: "evil.example"})
	l.Settle()
	for _, agent := range []string{honest, crook} {
		if a := ask(agent, registry.PropertyOptions{}); a.Authorized || len(a.Contest) == 0 || a.Verdict != resolve.Conditional {
			t.Errorf("%s: %+v", agent, a)
		}
	}
	if a := ask(honest, registry.PropertyOptions{Publisher: "owner.example"}); !a.Authorized || len(a.Contest) > 0 {
		t.Errorf("%+v", a)
	}
}

// A contestLab has publishers that list an app as their own, each for an agent of its own.
type contestLab struct {
	*fileLab
	id registry.Identifier
}

func newContestLab(t *testing.T, app string, publishers ...string) *contestLab {
	t.Helper()
	var sections []string
	for _, p := range publishers {
		sections = append(sections, wellKnown(p), served(appOf(p, app, agentOf(p)), "Cache-Control: max-age=60"))
	}
	return &contestLab{newFileLab(t, sections...), registry.Identifier{Type: "ios_bundle", Value: app}}
}

func agentOf(publisher string) string { return "https://seller." + publisher + "/mcp" }

// see looks at a publisher.
func (l *contestLab) see(t *testing.T, publisher string) {
	t.Helper()
	l.validate(t, registry.ValidateRequest{Domain: publisher})
	l.Settle()
}

// contested reports whether the history of a publisher says that another one lists what it does.
func (l *contestLab) contested(t *testing.T, publisher string) bool {
	t.Helper()
	list, err := l.History(t.Context(), publisher, 50)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(list, func(e custody.Entry) bool { return e.Event != nil && e.Event.Code == "property.contested" })
}

// verdicts are those about the agents of publishers, and who was there first.
func (l *contestLab) verdicts(t *testing.T, publishers ...string) string {
	t.Helper()
	var out []string
	first := "nobody"
	for _, p := range publishers {
		a, err := l.PropertyAuthorization(t.Context(), agentOf(p), l.id, registry.PropertyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		l.Settle()
		out = append(out, a.Verdict.String())
		for _, c := range a.Contest {
			if c.First {
				first = string(c.Publisher)
			}
		}
		if a.Authorized != (a.Verdict == resolve.Authorized) || a.Authorized && a.Publisher != p {
			t.Errorf("%s: %+v", p, a)
		}
	}
	return strings.Join(append(out, first), "/")
}

// TestFirstClaimant: who was there first keeps the yes, whoever lists the app after that.
func TestFirstClaimant(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, c := range []struct {
		name, app, first, second string
		between                  time.Duration
		want                     string
	}{
		{"a day", "1234", "owner.example", "evil.example", day, "authorized/conditional/owner.example"},
		{"less", "1234", "owner.example", "evil.example", day - time.Second, "conditional/conditional/nobody"},
		{"the name of the first, within a day", "example.owner.app", "owner.example", "evil.example", time.Minute, "authorized/conditional/owner.example"},
		{"the name of the second, within a day", "example.owner.app", "evil.example", "owner.example", time.Minute, "conditional/conditional/nobody"},
		{"the name of the first", "example.owner.app", "owner.example", "evil.example", day, "authorized/conditional/owner.example"},
		{"the name of the second", "example.owner.app", "evil.example", "owner.example", 300 * day, "conditional/conditional/nobody"},
		{"the name of neither", "example.other.app", "owner.example", "evil.example", day, "authorized/conditional/owner.example"},
		{"one site", "1234", "owner.example", "apps.owner.example", 0, "authorized/authorized/nobody"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newContestLab(t, c.app, c.first, c.second)
			l.see(t, c.first)
			l.later(c.between)
			l.see(t, c.second)
			if told := l.contested(t, c.first); told != (c.name != "one site") {
				t.Errorf("the first is told that another lists its app: %t", told)
			}
			for range 2 {
				if have := l.verdicts(t, c.first, c.second); have != c.want {
					t.Errorf("%s, want %s", have, c.want)
				}
				l.restart(t)
			}
		})
	}
}

// TestContestIsShown: an answer says who claims the app since when, and what each says.
func TestContestIsShown(t *testing.T) {
	t.Parallel()
	l := newContestLab(t, "1234", "owner.example", "evil.example")
	l.see(t, "owner.example")
	l.later(48 * time.Hour)
	l.see(t, "evil.example")
	a, err := l.PropertyAuthorization(t.Context(), agentOf("evil.example"), l.id, registry.PropertyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []registry.Contestant{
		{Publisher: "owner.example", Since: noon, First: true, Verdict: resolve.NotAuthorized},
		{Publisher: "evil.example", Since: noon.Add(48 * time.Hour), Verdict: resolve.Authorized},
	}
	if !slices.Equal(a.Contest, want) || a.Verdict != resolve.Conditional {
		t.Errorf("%+v", a)
	}
}

// TestCrowd: many names of strangers do not hide the first claimant, nor each other.
func TestCrowd(t *testing.T) {
	t.Parallel()
	crowd := []string{"owner.example"}
	for i := range 15 {
		crowd = append(crowd, fmt.Sprintf("a%d.evil.example", i))
	}
	l := newContestLab(t, "1234", append(crowd, "bad.example")...)
	for _, p := range append(crowd, "bad.example") {
		l.see(t, p)
		l.later(25 * time.Hour)
	}
	if have := l.verdicts(t, "owner.example", "a3.evil.example", "bad.example"); have != "authorized/conditional/conditional/owner.example" {
		t.Error(have)
	}
	late := newContestLab(t, "1234", append(crowd[1:], "owner.example")...)
	for _, p := range append(crowd[1:], "owner.example") {
		late.see(t, p)
	}
	if have := late.verdicts(t, "owner.example", "a3.evil.example"); have != "conditional/conditional/nobody" {
		t.Error(have)
	}
}

// TestClaimOfTheSilent: a first claimant that cannot be reached is not forgotten at once,
// and has its place when it is back. One that says that the app is not its own has none.
func TestClaimOfTheSilent(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	l := newContestLab(t, "1234", "owner.example", "evil.example")
	file := served(appOf("owner.example", "1234", agentOf("owner.example")), "Cache-Control: max-age=60")
	set := func(section string) {
		t.Helper()
		l.rewire(t, wellKnown("owner.example"), section, wellKnown("evil.example"), served(appOf("evil.example", "1234", agentOf("evil.example")), "Cache-Control: max-age=60"))
	}
	both := func(want string) {
		t.Helper()
		l.see(t, "owner.example")
		l.see(t, "evil.example")
		if have := l.verdicts(t, "owner.example", "evil.example"); have != want {
			t.Errorf("%s, want %s", have, want)
		}
	}
	l.see(t, "owner.example")
	l.later(2 * day)
	both("authorized/conditional/owner.example")
	set("200 reset")
	l.later(20 * day)
	both("unverified/conditional/owner.example")
	set(file)
	l.later(day)
	both("authorized/conditional/owner.example")
	set(served(appOf("owner.example", "another", agentOf("owner.example")), "Cache-Control: max-age=60"))
	l.later(day)
	both("not_authorized/authorized/nobody")
	set(file)
	l.later(day)
	both("authorized/conditional/owner.example")
}

// TestNeighbour has a subdomain that lists the domain above it: that is a claim.
func TestNeighbour(t *testing.T) {
	t.Parallel()
	const crook = "https://crook.example/mcp"
	l := newFileLab(t,
		wellKnown("shop.example"), served(simple("shop.example")),
		wellKnown("promo.shop.example"), served(fileOf(site("promo.shop.example", "main", "shop.example"), entry(crook, "property_ids", `"property_ids": ["main"]`))))
	l.validate(t, registry.ValidateRequest{Domain: "promo.shop.example"})
	l.Settle()
	a, err := l.PropertyAuthorization(t.Context(), crook, registry.Identifier{Type: "domain", Value: "shop.example"}, registry.PropertyOptions{})
	if err != nil || a.Authorized || a.Publisher != "shop.example" {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestOldAnswer does not authorize from a file that nobody has seen for a week.
func TestOldAnswer(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("slow.example"), served(simple("slow.example"), "Cache-Control: max-age=600"))
	l.Limits(time.Hour, time.Hour)
	_, err := l.Authorization(t.Context(), "slow.example", "https://agent.example/mcp", registry.Narrowing{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		after time.Duration
		fails registry.Kind
	}{{6 * 24 * time.Hour, 0}, {7*24*time.Hour + time.Minute, registry.Unavailable}} {
		l.restart(t)
		l.Limits(time.Hour, 100*time.Millisecond)
		release := l.hold()
		l.later(c.after)
		_, err := l.Authorization(t.Context(), "slow.example", "https://agent.example/mcp", registry.Narrowing{})
		if kindOf(err) != c.fails {
			t.Errorf("after %s: %v", c.after, err)
		}
		l.later(-c.after)
		l.Close() // before the new answer is there
		release()
	}
}
