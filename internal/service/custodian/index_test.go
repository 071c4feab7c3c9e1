package custodian_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

func TestIdentifiers(t *testing.T) {
	t.Parallel()
	for in, want := range map[resolve.Identifier]string{
		{Type: "domain", Value: "WWW.Example.com."}:              "www.example.com",
		{Type: "domain", Value: "*.Example.com"}:                 "*.example.com",
		{Type: "subdomain", Value: "A.example.com"}:              "a.example.com",
		{Type: "domain", Value: "not a domain"}:                  "not a domain",
		{Type: "rss_url", Value: "HTTPS://Example.com:443/Feed"}: "https://example.com/Feed",
		{Type: "rss_url", Value: "feed"}:                         "feed",
		{Type: "ios_bundle", Value: "com.Example.App"}:           "com.Example.App",
		{Type: "apple_app_store_id", Value: " 12 "}:              " 12 ",
	} {
		if got := custodian.CanonicalIdentifier(in); got.Value != want || got.Type != in.Type {
			t.Errorf("%v: %v", in, got)
		}
	}
	for _, bad := range []string{"", "a\x00b", "\xff", strings.Repeat("x", 513)} {
		if custodian.Indexable(resolve.Identifier{Type: "domain", Value: bad}) || custodian.Indexable(resolve.Identifier{Type: bad, Value: "x"}) {
			t.Errorf("%q can be stored", bad)
		}
	}
}

// listing is a file in which two publishers list an app as their own.
func listing(version, app string, updated time.Duration) string {
	var properties []string
	for _, publisher := range []string{"pub.example", "other.example"} {
		properties = append(properties, fmt.Sprintf(`{"property_id": %q, "property_type": "mobile_app", "name": "App", "publisher_domain": %q,
			"identifiers": [{"type": "ios_bundle", "value": %q}]}`, publisher, publisher, app))
	}
	return strings.Replace(file(version, updated), `"authorized_agents"`, `"properties": [`+strings.Join(properties, ", ")+`], "authorized_agents"`, 1)
}

// claimed are the publishers that list an app, with a minus for those that did.
func (l *lab) claimed(app string) string {
	l.Helper()
	list, err := l.k.Claims(l.Context(), resolve.Identifier{Type: "ios_bundle", Value: app}, l.clock(), 9)
	if err != nil {
		l.Fatal(err)
	}
	var out []string
	for _, v := range list {
		name, _, _ := strings.Cut(string(v.Publisher), ".")
		if v.Gone {
			name = "-" + name
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

// TestIndexOfMoved: an app that names no publisher belongs to whoever serves the file itself, and not
// to one that points to it, when the file names somebody else.
func TestIndexOfMoved(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	text := strings.Replace(file("v1", 0), `"authorized_agents"`, `"properties": [
		{"property_id": "app", "property_type": "mobile_app", "name": "App", "identifiers": [{"type": "ios_bundle", "value": "one"}]},
		{"property_id": "x", "property_type": "website", "name": "X", "publisher_domain": "x.example", "identifiers": [{"type": "domain", "value": "x.example"}]}], "authorized_agents"`, 1)
	l.web.set(network, lasting(time.Hour, tagged(text)))
	l.web.set(pub, lasting(time.Hour, pointer(network)))
	l.want("pub.example", "usable v1")
	if got := l.claimed("one"); got != "" {
		t.Fatalf("the app is listed by %q", got)
	}
	l.web.set(pub, lasting(time.Hour, tagged(text)))
	for range 8 { // a move waits
		l.pass(12 * time.Hour)
		l.refresh()
	}
	l.want("pub.example", "usable v1")
	if got := l.claimed("one"); got != "pub" {
		t.Errorf("the app is listed by %q after the file has moved", got)
	}
}

// TestIndexFollows: publishers are found by what the file in force lists, also when one
// that they share has changed, and after a restart. A version that is refused lists nothing.
func TestIndexFollows(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, lasting(day, pointer(network)))
	l.web.set("https://other.example/.well-known/adagents.json", lasting(day, pointer(network)))
	l.web.set(network, lasting(time.Hour, tagged(listing("v1", "one", 0))))
	step := func(publisher, served, one, two string) {
		t.Helper()
		l.want(publisher, served)
		err := l.keeper().AllTurns(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if l.claimed("one") != one || l.claimed("two") != two {
			t.Fatalf("one is listed by %q and two by %q, want %q and %q", l.claimed("one"), l.claimed("two"), one, two)
		}
	}
	step("pub.example", "usable v1", "pub", "")
	step("other.example", "usable v1", "other pub", "")
	l.pass(2 * time.Hour)
	l.web.set(network, lasting(time.Hour, tagged(listing("v2", "two", time.Hour))))
	step("pub.example", "usable v2", "-other -pub", "other pub")
	l.restart()
	step("other.example", "usable v2", "-other -pub", "other pub")
	commits := l.store.count
	step("other.example", "usable v2", "-other -pub", "other pub")
	if l.store.count != commits {
		t.Error("what is indexed is indexed again")
	}
	l.web.set(network, lasting(time.Hour, tagged(listing("v3", "one", -time.Hour)))) // older
	l.pass(2 * time.Hour)
	step("pub.example", "usable v2", "-other -pub", "other pub")
	l.web.set(pub, page{status: 404})
	l.pass(2 * day)
	l.refresh()
	step("pub.example", "absent", "-other -pub", "-other -pub") // and what is not confirmed any more
}

// TestSharedIsToldTogether: publishers that share a file are told about many at a time when it changes, and one by
// one when that fails.
func TestSharedIsToldTogether(t *testing.T) {
	t.Parallel()
	const publishers = 120
	l := newLab(t)
	var domains []hostname.Domain
	for i := range publishers {
		domains = append(domains, hostname.Domain(fmt.Sprintf("p%03d.example", i)))
		l.web.set(fmt.Sprintf("https://%s/.well-known/adagents.json", domains[i]), lasting(365*day, pointer(network)))
	}
	change := func(version string, updated time.Duration) {
		t.Helper()
		text := file(version, updated)
		l.web.set(network, lasting(time.Hour, tagged(text)))
		for _, domain := range domains {
			_, err := l.k.Refresh(t.Context(), domain, custodian.RefreshOptions{})
			if err != nil {
				t.Fatal(err)
			}
		}
		l.store.told = nil
		err := l.k.AllTurns(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		known, err := l.opened.Custody().Some(t.Context(), domains)
		if err != nil || len(known) != publishers {
			t.Fatalf("%d publishers, %v", len(known), err)
		}
		for _, p := range known {
			if p.Listed != sumOf(text) {
				t.Errorf("%s was told of %s, not of %s", p.Domain, p.Listed, version)
			}
		}
	}
	change("v1", 0)
	l.pass(2 * time.Hour)
	change("v2", time.Hour)
	if len(l.store.told) != 2 || l.store.told[0]+l.store.told[1] != publishers {
		t.Errorf("told about %d at a time, want all in two steps", l.store.told)
	}
	l.store.single = true
	l.pass(2 * time.Hour)
	change("v3", 2*time.Hour)
	if len(l.store.told) != publishers+2 {
		t.Errorf("told %d times, want one time for each after two that failed", len(l.store.told))
	}
}
