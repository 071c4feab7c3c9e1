package supplypath

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var start = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func file(revoked string) []byte { return []byte(`{"revoked_publisher_domains": ` + revoked + `}`) }

// TestHold: a revocation stays for seven days from the first time it was seen.
func TestHold(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	type seen struct {
		after   time.Duration
		file    []byte
		want    string
		problem string
	}
	for name, steps := range map[string][]seen{
		"removed":           {{0, file(`["a.example"]`), "a.example", ""}, {7*day - 1, file(`[]`), "a.example", ""}, {7 * day, file(`[]`), "", ""}},
		"written anew":      {{0, file(`["a.example"]`), "a.example", ""}, {6 * day, file(`["A.example."]`), "a.example", ""}, {7 * day, []byte(`{}`), "", ""}},
		"no file any more":  {{0, file(`["a.example"]`), "a.example", ""}, {day, []byte(`<html>`), "a.example", "invalid"}},
		"earlier date":      {{0, file(`[{"publisher_domain": "a.example", "revoked_at": "2026-05-02T00:00:00Z"}]`), "a.example 2026-05-02T00:00:00Z", ""}, {day, file(`[{"publisher_domain": "a.example", "revoked_at": "2026-05-01T00:00:00Z"}]`), "a.example 2026-05-01T00:00:00Z", ""}, {day, file(`[{"publisher_domain": "a.example", "revoked_at": "2026-05-09T00:00:00Z"}]`), "a.example 2026-05-01T00:00:00Z", ""}},
		"not a list":        {{0, file(`{"a.example": true}`), "", "not a list"}},
		"null":              {{0, file(`null`), "", "not a list"}},
		"an address":        {{0, file(`["a.example", "10.0.0.1"]`), "", "/1 names no domain"}},
		"an item without":   {{0, file(`[{}]`), "", "/0 names no domain"}},
		"still in the file": {{0, file(`["a.example"]`), "a.example", ""}, {8 * day, file(`["a.example"]`), "a.example", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var held []Held
			for i, s := range steps {
				var err error
				held, err = Hold(held, s.file, start.Add(s.after))
				var got []string
				for _, h := range held {
					got = append(got, strings.TrimSpace(h.Domain+" "+h.RevokedAt))
				}
				if diff := cmp.Diff(s.want, strings.Join(got, ", ")); diff != "" {
					t.Errorf("step %d, -want +got:\n%s", i, diff)
				}
				if (err == nil) != (s.problem == "") || err != nil && s.problem != "invalid" && !strings.Contains(err.Error(), s.problem) {
					t.Errorf("step %d: error %v, want %q", i, err, s.problem)
				}
			}
		})
	}
}

func TestHoldIsBounded(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range MaxHeld + 1 {
		all = append(all, fmt.Sprintf(`"d%d.example"`, i))
	}
	held, err := Hold(nil, file("["+strings.Join(all, ",")+"]"), start)
	if err == nil || len(held) != MaxHeld {
		t.Errorf("%d are held with error %v, want %d and an error", len(held), err, MaxHeld)
	}
}

func TestEvidence(t *testing.T) {
	t.Parallel()
	good := Evidence{
		Publisher: "pub.example", Method: "direct", ResolvedURL: "https://pub.example/.well-known/adagents.json",
		FetchedAt: start, File: []byte(`{"authorized_agents": []}`),
	}
	for name, c := range map[string]struct {
		change func(*Evidence)
		after  time.Duration
		want   string
		shared bool
	}{
		"good":             {func(*Evidence) {}, 0, "", false},
		"seven days":       {func(*Evidence) {}, MaxAge, "", false},
		"old":              {func(*Evidence) {}, MaxAge + 1, "seven days", false},
		"future":           {func(*Evidence) {}, -1, "future", false},
		"expired":          {func(e *Evidence) { e.Expires = start.Add(time.Hour) }, time.Hour, "run out", false},
		"not expired":      {func(e *Evidence) { e.Expires = start.Add(time.Hour) }, time.Hour - 1, "", false},
		"pointer":          {func(e *Evidence) { e.Method, e.ResolvedURL = "authoritative_location", "https://cdn.example/a.json" }, 0, "", true},
		"direct elsewhere": {func(e *Evidence) { e.ResolvedURL = "https://www.pub.example/.well-known/adagents.json" }, 0, "another host", true},
		"manager":          {func(e *Evidence) { e.Method = "ads_txt_managerdomain" }, 0, "counts", false},
		"http":             {func(e *Evidence) { e.ResolvedURL = "http://pub.example/a" }, 0, "plain https", true},
		"port":             {func(e *Evidence) { e.ResolvedURL = "https://pub.example:8443/a" }, 0, "plain https", true},
		"user":             {func(e *Evidence) { e.ResolvedURL = "https://u@pub.example/a" }, 0, "plain https", true},
		"fragment":         {func(e *Evidence) { e.ResolvedURL = "https://pub.example/a#b" }, 0, "plain https", true},
		"no address":       {func(e *Evidence) { e.ResolvedURL = "" }, 0, "not known", true},
		"no JSON":          {func(e *Evidence) { e.File = []byte("{") }, 0, "at byte", false},
		"no agents":        {func(e *Evidence) { e.File = []byte(`{"authorized_agents": {}}`) }, 0, "no list", false},
		"still a pointer": {func(e *Evidence) {
			e.File = []byte(`{"authorized_agents": [], "authoritative_location": "https://a.example/"}`)
		}, 0, "no list", false},
		"superseded": {func(e *Evidence) { e.File = []byte(`{"authorized_agents": [], "superseded_by": "https://a.example/"}`) }, 0, "no list", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := good
			c.change(&e)
			err := e.Check(start.Add(c.after))
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) && name != "no JSON" {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if e.Shared() != c.shared {
				t.Errorf("shared is %v", e.Shared())
			}
		})
	}
}
