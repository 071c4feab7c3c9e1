package registry_test

import (
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/resolve"
)

// appOf is a file with one app that an agent may sell.
func appOf(publisher, bundle, agent string) string {
	return fileOf(`{"property_id": "app", "property_type": "mobile_app", "name": "App", "publisher_domain": "`+publisher+`",
 "identifiers": [{"type": "ios_bundle", "value": "`+bundle+`"}]}`, entry(agent, "property_ids", `"property_ids": ["app"]`))
}

// TestContestedApp has two publishers that list the same app: neither can authorize
// anybody for it alone.
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
	if a := ask(honest, registry.PropertyOptions{}); !a.Authorized || a.Contested {
		t.Errorf("%+v", a)
	}
	l.validate(t, registry.ValidateRequest{Domain: "evil.example"})
	l.Settle()
	for _, agent := range []string{honest, crook} {
		if a := ask(agent, registry.PropertyOptions{}); a.Authorized || !a.Contested || a.Verdict != resolve.Conditional {
			t.Errorf("%s: %+v", agent, a)
		}
	}
	if a := ask(honest, registry.PropertyOptions{Publisher: "owner.example"}); !a.Authorized || a.Contested {
		t.Errorf("%+v", a)
	}
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
	l := newFileLab(t, wellKnown("slow.example"), strings.Replace(served(simple("slow.example"), "Cache-Control: max-age=600"), "200", "200 delay=500ms", 1))
	l.Limits(5*time.Second, 5*time.Second)
	_, err := l.Authorization(t.Context(), "slow.example", "https://agent.example/mcp", registry.Narrowing{})
	if err != nil {
		t.Fatal(err)
	}
	l.Settle()
	l.Limits(5*time.Second, 100*time.Millisecond)
	for _, c := range []struct {
		after time.Duration
		fails registry.Kind
	}{{6 * 24 * time.Hour, 0}, {7*24*time.Hour + time.Minute, registry.Unavailable}} {
		l.restart(t)
		l.Limits(5*time.Second, 100*time.Millisecond)
		l.later(c.after)
		_, err := l.Authorization(t.Context(), "slow.example", "https://agent.example/mcp", registry.Narrowing{})
		if kindOf(err) != c.fails {
			t.Errorf("after %s: %v", c.after, err)
		}
		l.later(-c.after)
		l.Close() // before the new answer is there
	}
}
