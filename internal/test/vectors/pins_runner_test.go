package vectors_test

import (
	"context"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/freshness"
	"github.com/avow-project/avow/internal/test/vectors"
	"github.com/avow-project/avow/keypin"
)

func pinCases(t *testing.T) []*vectors.PinCase {
	t.Helper()
	all, err := vectors.PinCases()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// pinStates are the states of files by their names in the vectors.
var pinStates = map[string]keypin.State{
	"file": keypin.Usable, "absent": keypin.Absent, "unreachable": keypin.Unreachable, "unusable": keypin.Unusable,
	"rolled_back": keypin.RolledBack, "pointer_changed": keypin.PointerChanged,
}

// maxAge is how long a file is known without being confirmed.
const maxAge = 7 * 24 * time.Hour

// pinSource is the Source of a vector.
type pinSource struct {
	*vectors.PinCase
	now func() time.Time
}

// document returns a file as a Source supplies it.
func (s pinSource) document(state string, src []byte, at time.Time) *keypin.Document {
	d := &keypin.Document{Publisher: s.Publisher, State: pinStates[state], FetchedAt: at}
	if d.State != keypin.Usable {
		return d
	}
	d.File = adagents.Check(src, adagents.Options{Domain: s.Publisher}).File
	h := freshness.Headers{}
	if s.CacheControl != "" {
		h.CacheControl = []string{s.CacheControl}
	}
	if s.Expires != 0 {
		h.Date, h.Expires = at.Format(http.TimeFormat), at.Add(s.Expires).Format(http.TimeFormat)
	}
	life, _ := freshness.Lifetime(h, at, freshness.KeyPolicy)
	d.KeysUntil = at.Add(life)
	if s.now().Sub(at) >= maxAge {
		d.State, d.File = keypin.Expired, nil
	}
	return d
}

func (s pinSource) Pins(context.Context, string) (*keypin.Document, error) {
	return s.document(s.State, s.File, s.At.Add(-s.Age)), nil
}

func (s pinSource) Refresh(context.Context, string) (*keypin.Document, error) {
	switch s.PinCase.Refresh {
	case "same":
		return s.document("file", s.File, s.now()), nil
	case "file":
		return s.document("file", s.Refreshed, s.now()), nil
	}
	return s.document(s.PinCase.Refresh, nil, s.now()), nil
}

var pinProfiles = map[string]func() *keypin.Profile{
	"request": keypin.Requests, "webhook": keypin.Webhooks, "response": keypin.Responses, "unbound_response": keypin.UnsafeUnboundResponses,
}

// profileOf returns the profile of a vector.
func profileOf(c *vectors.PinCase) *keypin.Profile {
	if c.Profile != "request-3.1" {
		return pinProfiles[c.Profile]()
	}
	for _, p := range []keypin.DigestPolicy{keypin.DigestRequired, keypin.DigestEither, keypin.DigestForbidden} {
		if p.String() == c.Digest {
			return keypin.Requests31(p)
		}
	}
	return nil
}

// hosted returns the keys that the agent hosts.
func hosted(t *testing.T, src []byte) []*keypin.Key {
	t.Helper()
	if src == nil {
		return nil
	}
	keys, err := keypin.ParseKeys(src)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// TestPins checks the message of every vector.
func TestPins(t *testing.T) {
	t.Parallel()
	for _, c := range pinCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			if c.Profile == "signed-response" {
				checkAnswer(t, c)
				return
			}
			m, err := keypin.ParseMessage(c.Message, keypin.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if c.Request != nil {
				m.Request, err = keypin.ParseMessage(c.Request, keypin.ParseOptions{})
				if err != nil {
					t.Fatal(err)
				}
			}
			clock := c.At
			v := keypin.New(keypin.Config{Source: pinSource{c, func() time.Time { return clock }}, Now: func() time.Time { return clock }})
			q := keypin.Question{Publisher: c.Publisher, Agent: c.Agent, Profile: profileOf(c), Unpinned: hosted(t, c.JWKS), Revocations: revoker(t, c)}
			if c.AskedBefore != 0 {
				clock = c.At.Add(-c.AskedBefore)
				_, err = v.Verify(t.Context(), m, q)
				if err != nil {
					t.Fatal(err)
				}
				clock = c.At
			}
			r, err := v.Verify(t.Context(), m, q)
			if err != nil {
				t.Fatal(err)
			}
			comparePins(t, c, r, false)
		})
	}
}

// comparePins holds a result to what a vector wants.
func comparePins(t *testing.T, c *vectors.PinCase, r *keypin.Result, bound bool) {
	t.Helper()
	got := *c
	got.Verdict, got.Code, got.Asked, got.Bound, got.Entries = r.Verdict.String(), r.Code, r.Refreshed, bound, nil
	for _, e := range r.Entries {
		got.Entries = append(got.Entries, e.Pointer)
	}
	if diff := cmp.Diff(*c, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s\n-want +got:\n%s\n%s", c.Summary, diff, r.Detail)
	}
}

// checkAnswer checks the signed response of a vector.
func checkAnswer(t *testing.T, c *vectors.PinCase) {
	t.Helper()
	now := func() time.Time { return c.At }
	q := keypin.AnswerQuestion{Publisher: c.Publisher, Agent: c.Agent, Task: c.Task, Brand: c.Brand, Request: c.Arguments, Revocations: revoker(t, c)}
	if c.Revocations == nil {
		q.Unpinned = hosted(t, c.JWKS)
	}
	for _, id := range c.Callers {
		if id == "none" {
			id = keypin.Anonymous
		}
		q.Callers = append(q.Callers, id)
	}
	r, err := keypin.New(keypin.Config{Source: pinSource{c, now}, Now: now}).VerifyAnswer(t.Context(), c.Answer, q)
	if err != nil {
		t.Fatal(err)
	}
	comparePins(t, c, &r.Result, r.RequestBound)
}

// A noList is a list that could not be verified.
type noList struct{ error }

func (l noList) Revocations(context.Context) (*keypin.RevocationList, error) { return nil, l.error }

// revoker returns the list of revoked keys of a vector.
func revoker(t *testing.T, c *vectors.PinCase) keypin.Revoker {
	t.Helper()
	if c.Revocations == nil {
		return nil
	}
	l, err := keypin.ParseRevocations(c.Revocations, c.Issuer, hosted(t, c.JWKS))
	if err != nil {
		return noList{err}
	}
	return l
}

// pinGroups are the prefixes of the names, as pins/README.md lists them.
var pinGroups = []string{"agent", "answer", "cache", "duplicate", "file", "list", "message", "pin", "refresh", "revoked", "rotation", "unpinned"}

func TestEnoughPins(t *testing.T) {
	t.Parallel()
	all := pinCases(t)
	if len(all) < 60 {
		t.Errorf("%d vectors", len(all))
	}
	text, err := os.ReadFile("../../../conformance/pins/README.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	codes := map[string]bool{}
	for _, c := range all {
		found = append(found, c.Group())
		codes[c.Code] = true
	}
	slices.Sort(found)
	if diff := cmp.Diff(pinGroups, slices.Compact(found)); diff != "" {
		t.Error(diff)
	}
	for _, g := range pinGroups {
		if !strings.Contains(string(text), "| `"+g+"`") {
			t.Errorf("the group %s is not in README.md", g)
		}
	}
	// Every code about a pin has a vector, except the two that need more than one message, the note
	// about a key that verifies, and the profiles of AdCP 3.3, whose table is in package keypin.
	for _, info := range keypin.Codes() {
		rare := info.Code == "pin.stale" || info.Code == "pin.entry_not_covered" || info.Code == keypin.CodeEntryOutsideWindow || info.Code == "pin.key_unpublished"
		if strings.HasPrefix(info.Code, "pin.") && !codes[info.Code] && !rare {
			t.Errorf("no vector ends in %s", info.Code)
		}
	}
}

func TestBadPinCases(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing":         "",
		"no question":     "x\n-- want --\ncode: a\n",
		"unknown section": "x\n-- nothing --\n",
		"section twice":   "x\n-- file --\n{}\n-- file --\n{}\n",
		"unknown key":     "x\n-- question --\na: b\n-- want --\ncode: a\n",
		"unknown state":   "x\n-- question --\nstate: b\n-- want --\ncode: a\n",
		"unknown verdict": "x\n-- question --\n-- want --\nverdict: maybe\n",
	} {
		c, err := vectors.ParsePinCase("name", []byte(text))
		if err == nil {
			t.Errorf("%s: %+v", name, c)
		}
	}
}
