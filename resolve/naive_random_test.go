package resolve_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/avow-project/avow/adagents"
	random "github.com/avow-project/avow/internal/test/dice"
	"github.com/avow-project/avow/resolve"
)

const (
	// randomPairs is the number of files with a question each that are compared.
	// Reading a file takes longer than answering, so several questions share one.
	randomPairs = 100_000 / slowdown
	randomAsked = 5
	// randomParts is the number of parts they are split into, to use all cores.
	randomParts = 20
)

// TestNaive compares the Resolver and its decisions with the naive implementation.
func TestNaive(t *testing.T) {
	t.Parallel()
	var seen [resolve.Authorized + 1]atomic.Int64
	t.Cleanup(func() {
		for v := range seen {
			if n := seen[v].Load(); n < randomPairs/100 {
				t.Errorf("only %d answers are %s", n, resolve.Verdict(v))
			}
		}
	})
	for part := range randomParts {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			for i := range randomPairs / randomParts / randomAsked {
				r := newDice(uint64(part), uint64(i))
				w := r.world()
				for range randomAsked {
					q := r.Question()
					want := naively(w.doc.State, w.doc.Method, w.naive, q)
					seen[want.Verdict].Add(1)
					w.compare(t, q, want)
					w.decide(t, q, want)
					if t.Failed() {
						t.Fatalf("part %d file %d, %s\n%s\n%+v", part, i, w.doc.Method, w.src, q)
					}
				}
			}
		})
	}
}

// A world is one publisher's file, as both sides read it.
type world struct {
	src     []byte
	naive   naiveFile
	doc     *resolve.Document
	subject resolve.Subject
}

// Document makes a world a Source.
func (w *world) Document(context.Context, string) (*resolve.Document, error) { return w.doc, nil }

var roles = map[string]adagents.Role{
	"direct": adagents.Direct, "authoritative_location": adagents.Authoritative, "ads_txt_managerdomain": adagents.Manager,
}

func (w *world) compare(t *testing.T, q resolve.Question, want naiveAnswer) {
	t.Helper()
	a, err := resolve.New(w).Answer(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	got := naiveAnswer{Verdict: a.Verdict, Needs: slices.Sorted(slices.Values(a.Needs)), Placements: a.Placements}
	for i := range a.Grants {
		var n int
		_, err := fmt.Sscanf(a.Grants[i].Entry, "/authorized_agents/%d", &n)
		if err != nil {
			t.Fatal(err)
		}
		got.Entries = append(got.Entries, n)
	}
	// Comparing by reflection would take longer than answering.
	if want.Verdict != got.Verdict || !slices.Equal(want.Needs, got.Needs) || !slices.Equal(want.Entries, got.Entries) || !maps.Equal(want.Placements, got.Placements) {
		t.Errorf("-naive +resolver:\n%s", cmp.Diff(want, got, cmpopts.EquateEmpty()))
	}
}

// decide asks for the decision alone.
func (w *world) decide(t *testing.T, q resolve.Question, want naiveAnswer) {
	t.Helper()
	q, err := q.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.subject.Decide(&q)
	entry := want.Verdict < resolve.Conditional && got.Entry == -1 || slices.Contains(want.Entries, int(got.Entry))
	if err != nil || got.Verdict != want.Verdict || !entry || !slices.Equal(want.Needs, slices.Sorted(slices.Values(got.Needs.Strings()))) {
		t.Errorf("naive: %+v, decision: %+v, %v", want, got, err)
	}
}

// dice make random files and questions.
type dice struct{ random.Dice }

func newDice(part, number uint64) dice { return dice{random.New(part, number)} }

type object = map[string]any

func (r dice) world() *world {
	w := &world{doc: &resolve.Document{
		Publisher: "pub.example", State: resolve.Usable, URL: "https://pub.example/.well-known/adagents.json",
		Method: r.Pick("direct", "direct", "authoritative_location", "ads_txt_managerdomain"),
	}}
	defer func() { w.subject = resolve.NewSubject(w.doc) }()
	if r.One(10) {
		w.doc.State = []resolve.State{resolve.Absent, resolve.Unreachable, resolve.Unusable}[r.IntN(3)]
		return w
	}
	src := r.File()
	w.src, w.naive = src, naiveRead(src)
	if r.One(4) {
		w.hold(r.Revocations())
	}
	w.doc.File = adagents.Check(src, adagents.Options{Domain: "pub.example", Role: roles[w.doc.Method]}).File
	return w
}

// hold lets revocations count that the file does not list.
func (w *world) hold(list []object) {
	for _, entry := range list {
		domain := naiveDomain(fmt.Sprint(entry["publisher_domain"]))
		w.doc.Revoked = append(w.doc.Revoked, domain)
		w.naive.Revoked = append(w.naive.Revoked, naiveRevocation{domain})
	}
}
