package custodian_test

import (
	"context"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/translog"
)

// beginLog makes the transparency log of the lab, unless it has one.
func (l *lab) beginLog(s *store.Store) {
	l.Helper()
	keys, err := notary.NewKeys("lab.example/log")
	if err != nil {
		l.Fatal(err)
	}
	first := keys.First()
	first.At = begin
	_, err = s.Log().State(context.Background())
	if err == nil {
		return
	}
	err = s.Log().Begin(context.Background(), "lab.example/log", first)
	if err != nil {
		l.Fatal(err)
	}
}

// checkLog makes leaves of everything that happened in the lab, and compares the newest ones
// with the records: whoever reads the log alone knows what counts.
func (l *lab) checkLog(s *store.Store) {
	l.Helper()
	ctx := context.Background()
	for {
		n, err := s.Log().Sequence(ctx, 1000)
		if err != nil {
			l.Fatal(err)
		}
		if n == 0 {
			break
		}
	}
	prover := notary.Prover{Store: s.Log()}
	_, err := prover.Audit(ctx)
	if err != nil {
		l.Error(err)
	}
	err = s.Custody().Publishers(ctx, "", func(p *custody.Publisher) error {
		got, err := prover.History(ctx, translog.Publisher(string(p.Domain)), 1)
		if err != nil {
			if want := custodian.Counting(p); want.Method != translog.None {
				l.Errorf("the log has nothing about %s, and its place is %+v", p.Domain, want)
			}
			return nil
		}
		if want := custodian.Counting(p); got[0].Leaf.Place != want && !l.confused(got[0].Leaf) {
			l.Errorf("the log has the place %+v of %s after %s, the record %+v", got[0].Leaf.Place, p.Domain, got[0].Leaf.Kind, want)
		}
		for _, url := range []string{p.Location.URL, pub, network, second, manager} {
			l.checkLogged(ctx, s, prover, url)
		}
		return nil
	})
	if err != nil {
		l.Error(err)
	}
}

// checkLogged compares the newest leaf about a file with its record.
func (l *lab) checkLogged(ctx context.Context, s *store.Store, prover notary.Prover, url string) {
	f, err := s.Custody().File(ctx, url)
	if err != nil {
		return // there is none
	}
	if f.WholeAt.IsZero() {
		return // its bytes were removed to make room, which is no event
	}
	want := custodian.Counts(f)
	got, err := prover.History(ctx, translog.File(url), 1)
	switch {
	case err != nil && want != translog.None:
		l.Errorf("the log has nothing about %s, of which %s counts", url, want)
	case err == nil && got[0].Leaf.Counts != want && !l.confused(got[0].Leaf):
		l.Errorf("the log has %s of %s after %s, the record %s", got[0].Leaf.Counts, url, got[0].Leaf.Kind, want)
	}
}

// confused reports whether a leaf says that something expired by a clock that was wrong. When the
// clock is right again it counts without an event, and the log says less than is so.
func (l *lab) confused(leaf *translog.Leaf) bool {
	return strings.Contains(strings.ToLower(l.Name()), "clock") && strings.HasSuffix(leaf.Kind, ".expired")
}

// TestLeaves follows a publisher through its history as the log has it.
func TestLeaves(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	leaf := l.newest(translog.File(pub))
	if leaf.Kind != "file.adopted" || leaf.Document == nil || leaf.Counts != leaf.Document.Hash || leaf.Document.Agents.Count != 1 || !leaf.Seen.Equal(begin) {
		t.Errorf("the file was adopted: %+v %+v", leaf, leaf.Document)
	}
	if leaf = l.newest(translog.Publisher("pub.example")); leaf.Kind != "publisher.located" || leaf.Place.Method != "direct" || leaf.Place.File != translog.File(pub).Name {
		t.Errorf("the publisher was located: %+v", leaf)
	}
}

// newest returns the newest leaf about a subject.
func (l *lab) newest(s translog.Subject) *translog.Leaf {
	l.Helper()
	l.checkLog(l.opened)
	got, err := notary.Prover{Store: l.opened.Log()}.History(l.Context(), s, 1)
	if err != nil {
		l.Fatal(err)
	}
	return got[0].Leaf
}
