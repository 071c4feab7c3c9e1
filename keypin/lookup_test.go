package keypin

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/avow-project/avow/adagents"
)

// refreshedTo makes the next refresh return a document.
func (w *world) refreshedTo(d *Document) {
	w.source.refreshed = func() (*Document, error) {
		w.source.mu.Lock()
		defer w.source.mu.Unlock()
		if d.State == Usable {
			d.FetchedAt, d.KeysUntil = w.clock, w.clock.Add(time.Hour)
			w.source.doc = d
		}
		return d, nil
	}
}

func TestUnknownKeyRefreshes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL, edJWK("k0", "zero")))
	w.refreshedTo(docOf(fileOf(t, entry(agentURL, edJWK("k0", "zero"), edJWK("k1", "one")))))
	r := w.verify(request(t), Question{})
	wantCode(t, r, Accepted, "signature.accepted")
	if !r.Refreshed || w.source.refreshes != 1 {
		t.Errorf("%+v, %d refreshes", r, w.source.refreshes)
	}
}

func TestAgentAddedSince(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry("https://other.example/"))
	w.refreshedTo(docOf(fileOf(t, entry(agentURL, edJWK("k1", "one")))))
	wantCode(t, w.verify(request(t), Question{}), Accepted, "signature.accepted")
}

func TestRefreshFailures(t *testing.T) {
	t.Parallel()
	tests := []struct {
		state State
		code  string
	}{
		{Unreachable, "pin.refresh_failed"}, {Absent, "pin.refresh_failed"}, {Unusable, "pin.refresh_failed"},
		{Expired, "pin.refresh_failed"}, {RolledBack, "pin.rolled_back"}, {PointerChanged, "pin.pointer_changed"},
	}
	for _, tc := range tests {
		t.Run(tc.state.String(), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, entry(agentURL, edJWK("k0", "zero")))
			w.refreshedTo(&Document{State: tc.state, Detail: "why", FetchedAt: now})
			r := w.verify(request(t), Question{})
			wantCode(t, r, Rejected, tc.code)
			if !r.Refreshed {
				t.Error("not refreshed")
			}
		})
	}
}

// TestRefreshSpacing sends made-up key ids: the publisher is asked once in 30 seconds.
func TestRefreshSpacing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL, edJWK("k0", "zero")))
	for i := range 100 {
		m := signed(t, hook(), Signing{KeyID: "made-up-" + strings.Repeat("x", i)})
		wantCode(t, w.verify(m, Question{}), Rejected, "pin.key_unknown")
		w.clock = now.Add(time.Duration(i) * 299 * time.Millisecond)
	}
	if w.source.refreshes != 1 {
		t.Errorf("%d refreshes within 30 seconds", w.source.refreshes)
	}
	w.clock = now.Add(30 * time.Second)
	wantCode(t, w.verify(request(t), Question{}), Rejected, "pin.key_unknown")
	if w.source.refreshes != 2 {
		t.Errorf("%d refreshes after 30 seconds", w.source.refreshes)
	}
	// A clock that has gone back does not lock the publisher out.
	w.clock = now.Add(-time.Second)
	w.verify(signed(t, hook(), Signing{Nonce: nonce + "7"}), Question{})
	if w.source.refreshes != 3 {
		t.Errorf("%d refreshes after the clock went back", w.source.refreshes)
	}
}

// TestRecentRefreshCounts: a source whose Pins lag behind its Refresh does not matter.
func TestRecentRefreshCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL, edJWK("k0", "zero")))
	fresh := docOf(fileOf(t, entry(agentURL, edJWK("k1", "one"), edJWK("k2", "two"))))
	fresh.FetchedAt = now
	w.source.refreshed = func() (*Document, error) { return fresh, nil }
	wantCode(t, w.verify(request(t), Question{}), Accepted, "signature.accepted")
	w.clock = now.Add(time.Second)
	r := w.verify(signed(t, hook(), Signing{KeyID: "k2", Key: edKey("two")}), Question{})
	wantCode(t, r, Accepted, "signature.accepted")
	if r.Refreshed || w.source.refreshes != 1 {
		t.Errorf("%+v, %d refreshes", r, w.source.refreshes)
	}
}

// slowSource lets refreshes wait.
type slowSource struct {
	fakeSource
	wait chan struct{}
}

func (s *slowSource) Refresh(ctx context.Context, publisher string) (*Document, error) {
	select {
	case <-s.wait:
	case <-ctx.Done():
		s.mu.Lock()
		s.refreshes++
		s.mu.Unlock()
		return nil, ctx.Err()
	}
	return s.fakeSource.Refresh(ctx, publisher)
}

func TestRefreshSingleFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slowSource{wait: make(chan struct{})}
		s.doc = docOf(fileOf(t, entry(agentURL, edJWK("k0", "zero"))))
		fresh := docOf(fileOf(t, entry(agentURL, edJWK("k1", "one"))))
		fresh.FetchedAt = now
		s.refreshed = func() (*Document, error) { return fresh, nil }
		v := New(Config{Source: s, Now: func() time.Time { return now }})
		q := Question{Publisher: publisher, Agent: agentURL}
		// Whoever gives up takes nobody along.
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		group.Go(func() {
			_, err := v.Verify(ctx, request(t), q)
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		gone, stop := context.WithCancel(t.Context())
		stop()
		_, err := v.Verify(gone, request(t), q)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("waited although the context had ended: %v", err)
		}
		for i := range 20 {
			m := signed(t, hook(), Signing{Nonce: nonce + fmt.Sprintf("%02d", i)})
			group.Go(func() {
				r, err := v.Verify(t.Context(), m, q)
				if err != nil || r.Code != "signature.accepted" {
					t.Errorf("%+v %v", r, err)
				}
			})
		}
		synctest.Wait()
		cancel()
		synctest.Wait()
		close(s.wait)
		group.Wait()
		if s.refreshes != 1 {
			t.Errorf("%d refreshes", s.refreshes)
		}
	})
}

// TestHangingUp has callers who do not wait for the answer: however many they are, the
// publisher is asked once in 30 seconds, and the one who waits has the answer.
func TestHangingUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slowSource{wait: make(chan struct{})}
		s.doc = docOf(fileOf(t, entry(agentURL, edJWK("k0", "zero"))))
		fresh := docOf(fileOf(t, entry(agentURL, edJWK("k1", "one"))))
		fresh.FetchedAt = now
		s.refreshed = func() (*Document, error) { return fresh, nil }
		begun := time.Now()
		v := New(Config{Source: s, Now: func() time.Time { return now.Add(time.Since(begun)) }})
		q := Question{Publisher: publisher, Agent: agentURL}
		for range 100 {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
			_, err := v.Verify(ctx, request(t), q)
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("the answer did not take its time: %v", err)
			}
		}
		close(s.wait)
		r, err := v.Verify(t.Context(), request(t), q)
		if err != nil || r.Code != "signature.accepted" {
			t.Errorf("%+v %v", r, err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.refreshes != 1 {
			t.Errorf("%d refreshes", s.refreshes)
		}
	})
}

// TestFailingRefreshes: that a source fails, or does not answer within its time, is
// remembered as long as an answer.
func TestFailingRefreshes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		failure := errors.New("the disk is full")
		w := newWorld(t, entry(agentURL, edJWK("k0", "zero")))
		w.source.refreshed = func() (*Document, error) { return nil, failure }
		ask := func() error {
			_, err := w.v.Verify(t.Context(), request(t), Question{Publisher: publisher, Agent: agentURL})
			return err
		}
		for range 10 {
			err := ask()
			if !errors.Is(err, failure) {
				t.Errorf("got %v", err)
			}
		}
		if w.source.refreshes != 1 {
			t.Errorf("%d refreshes of a source that fails", w.source.refreshes)
		}
		w.clock = w.clock.Add(refreshEvery)
		err := ask()
		if !errors.Is(err, failure) || w.source.refreshes != 2 {
			t.Errorf("%v, %d refreshes", err, w.source.refreshes)
		}
		// A source that panics takes nobody along.
		w.clock = w.clock.Add(refreshEvery)
		w.source.refreshed = func() (*Document, error) { panic("no such page") }
		err = ask()
		if err == nil || !strings.Contains(err.Error(), "no such page") {
			t.Errorf("got %v", err)
		}
		silent := &slowSource{wait: make(chan struct{})}
		silent.doc = w.source.doc
		v := New(Config{Source: silent, Now: func() time.Time { return now }})
		begun := time.Now()
		_, err = v.Verify(t.Context(), request(t), Question{Publisher: publisher, Agent: agentURL})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != refreshTime {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
	})
}

func TestStale(t *testing.T) {
	t.Parallel()
	revoking := edJWK("k9", "nine", `"revoked_at": "2026-01-01T00:00:00Z"`)
	tests := []struct {
		name           string
		keys           []string
		fetched, until time.Duration
		refreshes      int
	}{
		{"fresh", nil, -time.Hour, time.Second, 0},
		{"ended", nil, -time.Hour, 0, 1},
		{"never to be used again, but obtained for this", nil, 0, 0, 0},
		{"a revocation under way", []string{revoking}, -4 * time.Minute, time.Hour, 0},
		{"a revocation five minutes ago", []string{revoking}, -5 * time.Minute, time.Hour, 1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, entry(agentURL, append(tc.keys, edJWK("k1", "one"))...))
			w.source.doc.FetchedAt, w.source.doc.KeysUntil = now.Add(tc.fetched), now.Add(tc.until)
			w.refreshedTo(docOf(fileOf(t, entry(agentURL, edJWK("k1", "one")))))
			wantCode(t, w.verify(request(t), Question{}), Accepted, "signature.accepted")
			if w.source.refreshes != tc.refreshes {
				t.Errorf("%d refreshes, want %d", w.source.refreshes, tc.refreshes)
			}
		})
	}
}

// TestStaleTooSoon: pins that have ended are not used because the publisher was asked a
// moment ago.
func TestStaleTooSoon(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
	w.source.doc.KeysUntil = now
	w.refreshedTo(&Document{State: Unreachable, FetchedAt: now})
	wantCode(t, w.verify(request(t), Question{}), Rejected, "pin.refresh_failed")
	w.clock = now.Add(time.Second)
	r := w.verify(request(t), Question{})
	if r.OK() {
		t.Errorf("%+v", r)
	}
	w.source.refreshed = nil
	w.clock = now.Add(30 * time.Second)
	w.source.doc.FetchedAt = now.Add(-time.Hour)
	// The source breaks its word and returns the old document again.
	wantCode(t, w.verify(request(t), Question{}), Accepted, "signature.accepted")
	w.clock = now.Add(31 * time.Second)
	wantCode(t, w.verify(request(t), Question{}), Rejected, "pin.stale")
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	file := fileOf(t, entry(agentURL, edJWK("k1", "one")))
	tests := []struct {
		name    string
		doc     *Document
		verdict Verdict
		code    string
	}{
		{"absent", &Document{State: Absent}, Unavailable, "pin.no_file"},
		{"unreachable", &Document{Detail: "why"}, Unavailable, "pin.file_unavailable"},
		{"unusable", &Document{State: Unusable}, Rejected, "pin.file_unusable"},
		{"expired", &Document{State: Expired, File: file}, Rejected, "pin.file_expired"},
		{"rolled back", &Document{State: RolledBack, File: file}, Rejected, "pin.rolled_back"},
		{"pointer changed", &Document{State: PointerChanged, File: file}, Rejected, "pin.pointer_changed"},
		{"usable without a file", &Document{State: Usable}, Unavailable, "pin.file_unavailable"},
		{"of another publisher", &Document{State: Usable, File: file, Publisher: "other.example", FetchedAt: now}, Unavailable, "pin.file_unavailable"},
		{"revoked elsewhere", &Document{State: Usable, File: file, Revoked: true, FetchedAt: now}, Rejected, "pin.publisher_revoked"},
		{"of whoever is asked about", &Document{State: Usable, File: file, FetchedAt: now}, Accepted, "signature.accepted"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.source.doc = tc.doc
			wantCode(t, w.verify(request(t), Question{}), tc.verdict, tc.code)
		})
	}
}

// TestRevokedPublisher: a revocation of the publisher counts as long as its domain can be told.
func TestRevokedPublisher(t *testing.T) {
	t.Parallel()
	for revocation, code := range map[string]string{
		`"PUB.example."`: "pin.publisher_revoked",
		`{"publisher_domain": ["x.example", "pub.example"]}`:   "pin.publisher_revoked",
		`{"domain": "pub.example"}`:                            "pin.publisher_revoked",
		`{"publisher_domain": " ", "domain": "pub.example"}`:   "pin.publisher_revoked",
		`{"domains": ["x.example", "https://pub.example/"]}`:   "pin.publisher_revoked",
		`{"publisher_domain": "x.example"}`:                    "signature.accepted",
		`{"reason": "pub.example", "revoked_at": "yesterday"}`: "signature.accepted",
	} {
		src := `{"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "publisher_domain": "pub.example",
			"identifiers": [{"type": "domain", "value": "pub.example"}]}],
			"authorized_agents": [` + entry(agentURL, edJWK("k1", "one")) + `], "revoked_publisher_domains": [` + revocation + `]}`
		w := newWorld(t)
		w.source.doc = docOf(adagents.Check([]byte(src), adagents.Options{Domain: publisher}).File)
		if r := w.verify(request(t), Question{}); r.Code != code {
			t.Errorf("%s: %s, want %s", revocation, r.Code, code)
		}
	}
}

// TestRevokedInOneEntry: a key that stands in several entries is revoked when one of them
// says so, in whichever order they stand, and at the earliest of their times.
func TestRevokedInOneEntry(t *testing.T) {
	t.Parallel()
	plain := edJWK("k1", "one")
	early, late := edJWK("k1", "one", `"revoked_at": "2026-01-01T00:00:00Z"`), edJWK("k1", "one", `"revoked_at": "2026-12-01T00:00:00Z"`)
	unreadable := edJWK("k1", "one", `"revoked_at": "soon"`)
	for _, c := range []struct{ a, b, code string }{
		{plain, early, "pin.key_revoked"}, {late, early, "pin.key_revoked"}, {plain, unreadable, "pin.key_revoked"},
		{late, unreadable, "pin.key_revoked"}, {plain, edJWK("old", "one", `"revoked_at": "2026-01-01T00:00:00Z", "key_ops": ["sign"]`), "pin.key_revoked"},
		{plain, edJWK("k2", "two", `"revoked_at": "2026-01-01T00:00:00Z"`), "signature.accepted"}, {plain, late, "signature.accepted"}, {plain, plain, "signature.accepted"},
	} {
		for _, keys := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			w := newWorld(t, entry(agentURL, keys[0]), entry(agentURL, keys[1]))
			if r := w.verify(request(t), Question{}); r.Code != c.code {
				t.Errorf("%s %s: %s, want %s", keys[0], keys[1], r.Code, c.code)
			}
		}
	}
}

// TestSafeFixesOfKeys: a safe fix does not make a key verify that was refused.
func TestSafeFixesOfKeys(t *testing.T) {
	t.Parallel()
	for _, more := range []string{`"key_ops": ["sign"]`, `"key_ops": []`, `"key_ops": "verify"`, `"use": "enc"`, `"use": "SIG"`, `"alg": "ES256"`, `"alg": "eddsa"`,
		`"adcp_use": "Request-Signing"`, `"revoked_at": "2026-01-01"`, `"revoked_at": null`, `"revoked_at": ""`, `"d": "AA"`, `"extra": 1`} {
		safelyRepaired(t, edJWK("k1", "one", more))
	}
	one := edJWK("k1", "one")
	safelyRepaired(t, one+", "+strings.Replace(strings.Replace(one, `"kid": "k1", `, "", 1), "}", `, "kid": "k1"}`, 1))
}

// safelyRepaired makes the safe fixes of an entry with some keys.
func safelyRepaired(t *testing.T, keys string) {
	t.Helper()
	src := fileOf(t, entry(agentURL, keys)).Raw
	done := adagents.Repair(adagents.FormatValue(src), adagents.RepairOptions{Options: adagents.Options{Domain: publisher}})
	var accepted []bool
	for _, f := range []*adagents.File{done.Before.File, done.After.File} {
		w := newWorld(t)
		w.source.doc = docOf(f)
		accepted = append(accepted, w.verify(request(t), Question{}).Verdict == Accepted)
	}
	if !accepted[0] && accepted[1] {
		t.Errorf("%s: %s", keys, done.Text)
	}
}

// badSource breaks its word.
type badSource struct{ pins, refresh error }

func (s badSource) Pins(context.Context, string) (*Document, error)    { return nil, s.pins }
func (s badSource) Refresh(context.Context, string) (*Document, error) { return nil, s.refresh }

// halfSource has pins and fails to refresh.
type halfSource struct {
	doc *Document
	err error
}

func (s halfSource) Pins(context.Context, string) (*Document, error)    { return s.doc, nil }
func (s halfSource) Refresh(context.Context, string) (*Document, error) { return nil, s.err }

func TestBadSources(t *testing.T) {
	t.Parallel()
	lost := errors.New("lost")
	doc := docOf(fileOf(t, entry(agentURL, edJWK("k0", "zero"))))
	for _, tc := range []struct {
		source Source
		want   error
	}{{badSource{pins: lost}, lost}, {badSource{}, errNoDocument}, {halfSource{doc, lost}, lost}, {halfSource{doc, nil}, errNoDocument}} {
		v := New(Config{Source: tc.source, Now: func() time.Time { return now }})
		for range 2 {
			r, err := v.Verify(t.Context(), request(t), Question{Publisher: publisher, Agent: agentURL})
			if !errors.Is(err, tc.want) || r != nil {
				t.Errorf("%+v %v", r, err)
			}
		}
	}
}

func TestRefreshForgets(t *testing.T) {
	t.Parallel()
	at := now
	r := refresher{source: &fakeSource{doc: &Document{}}, recent: map[string]*forced{}}
	for i := range 3 * mostRecent {
		at = at.Add(time.Second)
		_, asked, err := r.do(t.Context(), strings.Repeat("a", i), func() time.Time { return at })
		if err != nil || !asked {
			t.Fatal(asked, err)
		}
	}
	if len(r.recent) > mostRecent {
		t.Errorf("%d publishers are remembered", len(r.recent))
	}
}
