package registry_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// ways are publishers whose file is found in every way there is.
func ways() []string {
	return []string{
		wellKnown("direct.example"), served(simple("direct.example")),
		wellKnown("pointer.example"), pointerTo("https://network.example/file.json"),
		"https://network.example/file.json", served(simple("pointer.example")),
		wellKnown("managed.example"), "404",
		"https://managed.example/ads.txt", "200\nContent-Type: text/plain\n\nMANAGERDOMAIN=manager.example",
		wellKnown("manager.example"), served(simple("managed.example")),
		wellKnown("both.example"), "404",
		"https://both.example/ads.txt", "200\nContent-Type: text/plain\n\nMANAGERDOMAIN=second.example",
		wellKnown("second.example"), pointerTo("https://network.example/both.json"),
		"https://network.example/both.json", served(simple("both.example")),
		wellKnown("absent.example"), "404",
		wellKnown("broken.example"), served(`{"authorized_agents": 7}`),
	}
}

// TestDocumentsOutliveTheProcess asks a service that was started anew: the store has
// what the web said, and nobody is asked.
func TestDocumentsOutliveTheProcess(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, ways()...)
	domains := []string{"direct.example", "pointer.example", "managed.example", "both.example", "absent.example", "broken.example"}
	states := []resolve.State{resolve.Usable, resolve.Usable, resolve.Usable, resolve.Usable, resolve.Absent, resolve.Unusable}
	live := map[string]*resolve.Document{}
	for i, domain := range domains {
		doc, err := l.Document(t.Context(), domain)
		if err != nil || doc.State != states[i] {
			t.Fatalf("%s: %+v, %v", domain, doc, err)
		}
		live[domain] = doc
	}
	asked := l.asked()
	l.restart(t)
	for _, domain := range domains {
		doc, err := l.Document(t.Context(), domain)
		if err != nil {
			t.Fatal(err)
		}
		want := live[domain]
		ignore := cmpopts.IgnoreFields(resolve.Document{}, "File", "Prepared", "FetchedAt", "Detail")
		if domain == "broken.example" {
			// Only what can be used is stored; that it cannot be is known.
			ignore = cmpopts.IgnoreFields(resolve.Document{}, "File", "Prepared", "FetchedAt", "Detail", "Method", "SHA256")
		}
		if diff := cmp.Diff(want, doc, ignore, cmpopts.EquateApproxTime(time.Microsecond)); diff != "" {
			t.Errorf("%s: %s", domain, diff)
		}
		if (want.File == nil) != (doc.File == nil) || want.File != nil && !bytes.Equal(adagents.FormatValue(want.File.Raw), adagents.FormatValue(doc.File.Raw)) {
			t.Errorf("%s: another file", domain)
		}
		q := resolve.Question{Publisher: domain, Agent: "https://agent.example/mcp", At: noon}
		before, err := resolve.Judge(want, q)
		if err != nil {
			t.Fatal(err)
		}
		after, err := resolve.Judge(doc, q)
		if err != nil || before.Verdict != after.Verdict {
			t.Errorf("%s: %s became %s", domain, before.Verdict, after.Verdict)
		}
	}
	if l.asked() != asked {
		t.Errorf("%d more requests", l.asked()-asked)
	}
	// A day later nothing of it is in effect any more.
	l.later(25 * time.Hour)
	for _, domain := range domains {
		_, err := l.Document(t.Context(), domain)
		if err != nil {
			t.Fatal(err)
		}
	}
	if l.asked() != 2*asked {
		t.Errorf("%d requests, want %d", l.asked(), 2*asked)
	}
}

// TestStoredDocumentsAreTimeless has an entry that has ended: questions about an
// earlier time are still answered from the store as they were from the web.
func TestStoredDocumentsAreTimeless(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("pub.example"), served(fileOf(site("pub.example", "home", "pub.example"),
		entry("https://agent.example/mcp", "property_ids", `"property_ids": ["home"], "effective_until": "2026-02-01T00:00:00Z"`))))
	for range 2 {
		for at, want := range map[time.Time]resolve.Verdict{noon: resolve.NotAuthorized, noon.AddDate(0, -3, 0): resolve.Authorized} {
			a, err := l.PropertyAuthorization(t.Context(), "https://agent.example/mcp", registry.Identifier{Type: "domain", Value: "pub.example"}, registry.PropertyOptions{Narrowing: registry.Narrowing{At: at}})
			if err != nil || a.Verdict != want {
				t.Errorf("%s: %v, %v", at, a, err)
			}
		}
		l.restart(t)
	}
}

// TestManyUnsaved has as many new publishers that are answered and not stored as there may be:
// whoever comes then has an answer when it is stored.
func TestManyUnsaved(t *testing.T) {
	t.Parallel()
	l := newFileLab(t, wellKnown("pub.example"), served(simple("pub.example")), wellKnown("other.example"), served(simple("other.example")))
	l.OccupyUnsaved(l.FreeUnsaved() - 1)
	_, err := l.Validate(t.Context(), registry.ValidateRequest{Domain: "pub.example"})
	if err != nil {
		t.Fatal(err)
	}
	l.Settle()
	if l.FreeUnsaved() != 1 {
		t.Errorf("%d places, want the one that was given back", l.FreeUnsaved())
	}
	l.OccupyUnsaved(l.FreeUnsaved())
	_, err = l.Validate(t.Context(), registry.ValidateRequest{Domain: "other.example"})
	if err != nil {
		t.Fatal(err)
	}
	for _, domain := range []hostname.Domain{"pub.example", "other.example"} {
		_, err = l.store.custody.Publisher(t.Context(), domain)
		if err != nil {
			t.Errorf("%s: %v", domain, err)
		}
	}
}

// TestSilenceReplacesNothing has a publisher that cannot be reached for a while: what it
// said is used as long as it is fresh.
func TestSilenceReplacesNothing(t *testing.T) {
	t.Parallel()
	l := newFileLab(t,
		wellKnown("pub.example"), served(simple("pub.example"))[:3]+" times=1"+served(simple("pub.example"))[3:],
		wellKnown("pub.example"), "503",
	)
	l.validate(t, registry.ValidateRequest{Domain: "pub.example"})
	l.Settle()
	l.later(2 * time.Hour)
	v := l.validate(t, registry.ValidateRequest{Domain: "pub.example"})
	if v.Found() || l.asked() != 2 {
		t.Errorf("%+v", v)
	}
	l.Settle()
	doc, err := l.Document(t.Context(), "pub.example")
	if err != nil || doc.State != resolve.Usable || l.asked() != 2 {
		t.Errorf("%+v, %v", doc, err)
	}
	// A day after it could first not be reached, what it said is over.
	l.later(25 * time.Hour)
	doc, err = l.Document(t.Context(), "pub.example")
	if err != nil || doc.State != resolve.Unreachable || l.asked() != 3 {
		t.Errorf("%+v, %v", doc, err)
	}
}

func TestFreshness(t *testing.T) {
	t.Parallel()
	l := newFileLab(t,
		wellKnown("day.example"), served(simple("day.example")),
		wellKnown("year.example"), served(simple("year.example"), "Cache-Control: max-age=31536000"),
		wellKnown("never.example"), served(simple("never.example"), "Cache-Control: no-store"),
		wellKnown("tenmin.example"), served(simple("tenmin.example"), "Cache-Control: max-age=600"),
		// A pointer is kept for a day in any case; the file behind it decides.
		wellKnown("pointer.example"), served(`{"authoritative_location": "https://network.example/file.json"}`, "Cache-Control: max-age=60"),
		"https://network.example/file.json", served(simple("pointer.example"), "Cache-Control: max-age=1200"),
		wellKnown("absent.example"), "404",
		wellKnown("broken.example"), served(`[]`),
		wellKnown("down.example"), "500",
	)
	for domain, want := range map[string]time.Duration{
		"day.example": 24 * time.Hour, "year.example": 24 * time.Hour, "never.example": time.Minute, "tenmin.example": 10 * time.Minute,
		"pointer.example": 20 * time.Minute, "absent.example": 5 * time.Minute, "broken.example": 5 * time.Minute, "down.example": time.Minute,
	} {
		v := l.validate(t, registry.ValidateRequest{Domain: domain})
		if got := v.FreshUntil.Sub(v.CheckedAt); got != want {
			t.Errorf("%s is fresh for %s, want %s", domain, got, want)
		}
	}
}
