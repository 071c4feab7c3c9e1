package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
)

// A keeping opens the store of custody of a test, like a subject.
type keeping = func(t *testing.T) custodian.Store

// testCustody tests a custodian.Store.
func testCustody(t *testing.T, open func(t *testing.T) custodian.Store) {
	for _, group := range []struct {
		name  string
		tests map[string]func(*testing.T, keeping)
	}{
		{"records", custodyRecordTests},
		{"commits", custodyCommitTests},
		{"history", custodyHistoryTests},
		{"lists", custodyListTests},
		{"revocations", custodyRevocationTests},
		{"clock", custodyClockTests},
		{"identifiers", custodyIdentifierTests},
		{"leases", leaseTests},
		{"requests", requestTests},
	} {
		t.Run(group.name, func(t *testing.T) {
			for name, test := range group.tests {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					test(t, open)
				})
			}
		})
	}
}

var custodyRecordTests = map[string]func(*testing.T, keeping){
	"come back": func(t *testing.T, open keeping) {
		s := open(t)
		p, f := publisher("a.example"), file(fileURL)
		commit(t, s, &custodian.Change{Publisher: p, Files: []*custody.File{f}})
		want(t, p.Revision+f.Revision, int64(0))
		want(t, got[*custody.Publisher](t)(s.Publisher(t.Context(), "a.example")), revised(p, 1))
		want(t, got[*custody.File](t)(s.File(t.Context(), fileURL)), revisedFile(f, 1))
	},
	"are known": func(t *testing.T, open keeping) {
		s := open(t)
		known := func(domain, url string) bool {
			t.Helper()
			return got[bool](t)(s.Known(t.Context(), custody.Domain(domain), url))
		}
		want(t, known("a.example", fileURL), false)
		commit(t, s, &custodian.Change{Publisher: publisher("a.example")})
		want(t, known("a.example", fileURL), true)
		want(t, known("b.example", fileURL), false)
		commit(t, s, &custodian.Change{Files: []*custody.File{file(fileURL)}})
		want(t, known("b.example", fileURL), true)
		want(t, known("b.example", fileURL+"x"), false)
	},
	"may be nearly empty": func(t *testing.T, open keeping) {
		s := open(t)
		p, f := &custody.Publisher{Domain: "a.example"}, &custody.File{URL: fileURL}
		commit(t, s, &custodian.Change{Publisher: p, Files: []*custody.File{f}})
		want(t, got[*custody.Publisher](t)(s.Publisher(t.Context(), "a.example")), revised(p, 1))
		want(t, got[*custody.File](t)(s.File(t.Context(), fileURL)), revisedFile(f, 1))
	},
	"are replaced": func(t *testing.T, open keeping) {
		s := open(t)
		commit(t, s, &custodian.Change{Publisher: publisher("a.example"), Files: []*custody.File{file(fileURL)}})
		p, f := &custody.Publisher{Domain: "a.example", Revision: 1}, &custody.File{URL: fileURL, Revision: 1}
		commit(t, s, &custodian.Change{Publisher: p, Files: []*custody.File{f}})
		want(t, got[*custody.Publisher](t)(s.Publisher(t.Context(), "a.example")), revised(p, 2))
		want(t, got[*custody.File](t)(s.File(t.Context(), fileURL)), revisedFile(f, 2))
	},
	"unknown ones are not found": func(t *testing.T, open keeping) {
		s := open(t)
		commit(t, s, &custodian.Change{Publisher: publisher("a.example"), Files: []*custody.File{file(fileURL)}})
		for _, name := range append(unstorable, "", "A.example", "a.example ", "' OR 1=1 --", fileURL+"#") {
			_, err := s.Publisher(t.Context(), custody.Domain(name))
			wantErr(t, err, custodian.ErrNotFound)
			_, err = s.File(t.Context(), name)
			wantErr(t, err, custodian.ErrNotFound)
			_, err = s.Document(t.Context(), name)
			wantErr(t, err, custodian.ErrNotFound)
		}
	},
	"keep microseconds in UTC":     custodyTimes,
	"keep text as it is":           custodyText,
	"refuse text they cannot keep": custodyTextRefused,
	"may have long URLs": func(t *testing.T, open keeping) {
		s := open(t)
		long := fileURL + "?" + string(make8000())
		f := file(long)
		commit(t, s, &custodian.Change{Files: []*custody.File{f}, Events: []custody.Event{event("e", custody.Info, "", long)}})
		want(t, got[*custody.File](t)(s.File(t.Context(), long)), revisedFile(f, 1))
		want(t, len(got[[]custody.NumberedEvent](t)(s.Events(t.Context(), custodian.EventFilter{URL: long}, 0, 9))), 1)
	},
	"list the latest events first": func(t *testing.T, open keeping) {
		s := open(t)
		commit(t, s, &custodian.Change{Events: []custody.Event{event("a", custody.Alert, "p.example", ""), event("b", custody.Info, "p.example", ""), event("c", custody.Alert, "p.example", "")}})
		var codes []string
		for _, e := range got[[]custody.NumberedEvent](t)(s.Events(t.Context(), custodian.EventFilter{Least: custody.Alert, Newest: true}, 0, 9)) {
			codes = append(codes, e.Code)
		}
		want(t, codes, []string{"c", "a"})
		want(t, len(got[[]custody.NumberedEvent](t)(s.Events(t.Context(), custodian.EventFilter{Newest: true}, 0, 1))), 1)
	},
	"obey the context": func(t *testing.T, open keeping) {
		s := open(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		wantErr(t, s.Commit(ctx, &custodian.Change{Publisher: publisher("a.example")}), context.Canceled)
		_, err := s.Clock(ctx, day0)
		wantErr(t, err, context.Canceled)
		_, err = s.Publisher(t.Context(), "a.example")
		wantErr(t, err, custodian.ErrNotFound)
	},
	"are the same for all who open the store": func(t *testing.T, open keeping) {
		first, second := open(t), open(t)
		p := publisher("a.example")
		commit(t, first, &custodian.Change{Publisher: p, Documents: [][]byte{[]byte("body")}})
		want(t, got[*custody.Publisher](t)(second.Publisher(t.Context(), "a.example")), revised(p, 1))
		want(t, string(got[[]byte](t)(second.Document(t.Context(), hashOf("body")))), "body")
		wantErr(t, second.Commit(t.Context(), &custodian.Change{Publisher: p}), custodian.ErrConflict)
		commit(t, second, &custodian.Change{Publisher: revised(p, 1)})
		wantErr(t, first.Commit(t.Context(), &custodian.Change{Publisher: revised(p, 1)}), custodian.ErrConflict)
	},
}

// make8000 is a query that compresses badly, so that no index can keep it.
func make8000() []byte {
	b := make([]byte, 0, 8_000)
	for i := 0; len(b) < 7_900; i++ {
		b = append(b, hashOf(string(rune(i)))...)
	}
	return b
}

func custodyTimes(t *testing.T, open keeping) {
	s := open(t)
	zone := time.FixedZone("somewhere", 5*3600+1800)
	times := []time.Time{
		day0, day0.In(zone), day0.Add(999 * time.Nanosecond), time.Now(), time.Unix(0, 0), time.Unix(-1, 999_999_999),
		time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), {},
	}
	for i, at := range times {
		p, f := &custody.Publisher{Domain: "a.example", FirstSeen: at, Revision: int64(i)}, &custody.File{URL: fileURL, HighWater: at, Revision: int64(i)}
		f.Revocations = []custody.Revocation{{Domain: "r.example", First: at, Stated: at, Delisted: at}}
		commit(t, s, &custodian.Change{Publisher: p, Files: []*custody.File{f}})
		kept := at.UTC().Truncate(time.Microsecond)
		want(t, got[*custody.Publisher](t)(s.Publisher(t.Context(), "a.example")).FirstSeen, kept)
		back := got[*custody.File](t)(s.File(t.Context(), fileURL))
		want(t, back.HighWater, kept)
		want(t, back.Revocations, []custody.Revocation{{Domain: "r.example", First: kept, Stated: kept, Delisted: kept}})
	}
	err := s.Commit(t.Context(), &custodian.Change{Publisher: &custody.Publisher{Domain: "b.example", FirstSeen: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}})
	if err == nil {
		t.Error("a year of five digits was stored")
	}
}

func custodyText(t *testing.T, open keeping) {
	s := open(t)
	for i, text := range append(nasty, `\u0000`, `\\u0000`, "<&>\u2028") {
		p, f := publisher("p"+text), file("u"+text)
		p.Trouble, p.Location.URL, p.Agents, f.CatalogETag = text, text, []string{text, text}, text
		f.Headers.CacheControl = []string{text}
		e := event("code", custody.Info, "p"+text, "u"+text)
		e.Message = text
		commit(t, s, &custodian.Change{
			Publisher: p, Files: []*custody.File{f}, Documents: [][]byte{[]byte("body")}, Events: []custody.Event{e},
			Versions: []custody.Version{{URL: "u" + text, Hash: hashOf("body"), CatalogETag: text, AdoptedAt: day0}},
			Places:   []custody.Place{{Domain: custody.Domain("p" + text), Location: custody.Location{Method: custody.Method(text), URL: text, Manager: text}, AdoptedAt: day0, Pointer: text}},
		})
		want(t, got[*custody.Publisher](t)(s.Publisher(t.Context(), custody.Domain("p"+text))), revised(p, 1))
		want(t, got[*custody.File](t)(s.File(t.Context(), "u"+text)), revisedFile(f, 1))
		want(t, got[[]custody.Version](t)(s.Versions(t.Context(), "u"+text, day0, 2))[0].CatalogETag, text)
		want(t, got[[]custody.Place](t)(s.Places(t.Context(), custody.Domain("p"+text), day0, 2))[0].Location.URL, text)
		events := got[[]custody.NumberedEvent](t)(s.Events(t.Context(), custodian.EventFilter{Publisher: custody.Domain("p" + text)}, 0, 9))
		want(t, events, []custody.NumberedEvent{{ID: events[0].ID, Event: e}})
		want(t, events[0].ID > int64(i), true)
	}
}

// custodyTextRefused: an error, no panic, and nothing is stored.
func custodyTextRefused(t *testing.T, open keeping) {
	s := open(t)
	for _, text := range unstorable {
		for name, c := range unstorableChanges(text) {
			err := s.Commit(t.Context(), c)
			if err == nil || errors.Is(err, custodian.ErrConflict) {
				t.Errorf("%s with %q: %v", name, text, err)
			}
		}
		want(t, len(got[[]custody.NumberedEvent](t)(s.Events(t.Context(), custodian.EventFilter{Publisher: custody.Domain(text)}, 0, 9))), 0)
		want(t, len(got[[]custody.Place](t)(s.Places(t.Context(), custody.Domain(text), time.Time{}, 9))), 0)
		want(t, len(got[[]custody.Revocation](t)(s.Revocations(t.Context(), fileURL, custody.Domain(text)))), 0)
	}
	_, err := s.Publisher(t.Context(), "a.example")
	wantErr(t, err, custodian.ErrNotFound)
	_, err = s.File(t.Context(), fileURL)
	wantErr(t, err, custodian.ErrNotFound)
	want(t, len(got[[]custody.NumberedEvent](t)(s.Events(t.Context(), custodian.EventFilter{}, 0, 9))), 0)
}

// unstorableChanges are changes with a text in one place each.
func unstorableChanges(text string) map[string]*custodian.Change {
	with := func(f func(p *custody.Publisher, f *custody.File, e *custody.Event, v *custody.Version, l *custody.Place)) *custodian.Change {
		p, file, e := publisher("a.example"), file(fileURL), event("e", custody.Info, "a.example", fileURL)
		v, l := custody.Version{URL: fileURL, Hash: hashOf("body")}, custody.Place{Domain: "a.example"}
		f(p, file, &e, &v, &l)
		return &custodian.Change{
			Publisher: p, Files: []*custody.File{file}, Documents: [][]byte{[]byte("body")}, Events: []custody.Event{e},
			Versions: []custody.Version{v}, Places: []custody.Place{l},
		}
	}
	type (
		P = *custody.Publisher
		F = *custody.File
		E = *custody.Event
		V = *custody.Version
		L = *custody.Place
	)
	return map[string]*custodian.Change{
		"domain":          with(func(p P, _ F, _ E, _ V, _ L) { p.Domain = custody.Domain(text) }),
		"trouble":         with(func(p P, _ F, _ E, _ V, _ L) { p.Trouble = text }),
		"agent":           with(func(p P, _ F, _ E, _ V, _ L) { p.Agents[1] = text }),
		"sign":            with(func(p P, _ F, _ E, _ V, _ L) { p.Move.Signs[0] = custody.Sign(text) }),
		"url":             with(func(_ P, f F, _ E, _ V, _ L) { f.URL = text }),
		"etag":            with(func(_ P, f F, _ E, _ V, _ L) { f.Headers.ETag = text }),
		"revocation":      with(func(_ P, f F, _ E, _ V, _ L) { f.Revocations[1].Domain = "z" + text }),
		"event":           with(func(_ P, _ F, e E, _ V, _ L) { e.Message = text }),
		"event publisher": with(func(_ P, _ F, e E, _ V, _ L) { e.Publisher = text }),
		"version":         with(func(_ P, _ F, _ E, v V, _ L) { v.CatalogETag = text }),
		"version hash":    with(func(_ P, _ F, _ E, v V, _ L) { v.Hash = text }),
		"place":           with(func(_ P, _ F, _ E, _ V, l L) { l.Domain = custody.Domain(text) }),
		"place url":       with(func(_ P, _ F, _ E, _ V, l L) { l.Location.URL = text }),
		"pointer":         with(func(_ P, _ F, _ E, _ V, l L) { l.Pointer = text }),
	}
}
