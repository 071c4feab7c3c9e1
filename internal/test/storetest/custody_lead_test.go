package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
)

// custodyLeads: who leads to a file is found, and what nobody leads to can be let go.
func custodyLeads(t *testing.T, open keeping) {
	s := open(t)
	at := func(url string) custody.Location {
		return custody.Location{Method: custody.AuthoritativeLocation, URL: url}
	}
	const goal, own = "https://goal.example/x", "https://a.example/own"
	due := func(urls ...string) {
		t.Helper()
		var have []string
		for _, task := range got[[]custodian.Task](t)(s.Due(t.Context(), day0.AddDate(1, 0, 0), 99)) {
			if task.URL != "" {
				have = append(have, task.URL)
			}
		}
		want(t, have, urls)
	}
	lead := func(url string, domain custody.Domain) {
		t.Helper()
		have, err := s.Lead(t.Context(), url)
		if domain == "" && errors.Is(err, custodian.ErrNotFound) {
			return
		}
		ok(t, err)
		want(t, have, domain)
	}
	p := &custody.Publisher{Domain: "a.example", Location: at(fileURL), TriedAt: day0, Move: &custody.Move{To: at(goal), Since: day0, LastSeen: day0}}
	direct := &custody.Publisher{Domain: "b.example", Location: custody.Location{Method: custody.Direct, URL: own}, TriedAt: day0}
	first := &custody.File{URL: fileURL, TriedAt: day0}
	second := &custody.File{URL: goal, TriedAt: day0.Add(time.Second)}
	third := &custody.File{URL: own, TriedAt: day0.Add(2 * time.Second)}
	commit(t, s, &custodian.Change{Publisher: p, Files: []*custody.File{first, second, third}})
	commit(t, s, &custodian.Change{Publisher: direct})
	lead(fileURL, "a.example")
	lead(goal, "a.example")
	lead(own, "")
	for _, url := range []string{fileURL, goal, own, "https://nothing.example/"} {
		ok(t, s.LetGo(t.Context(), url))
	}
	due(fileURL, goal)
	moved := revised(p, 1)
	moved.Location, moved.Move = at(goal), nil
	commit(t, s, &custodian.Change{Publisher: moved})
	lead(fileURL, "")
	lead(goal, "a.example")
	ok(t, s.LetGo(t.Context(), fileURL))
	due(goal)
	// It is due again when somebody leads there, or when it was asked for.
	back := revised(moved, 2)
	back.Move = &custody.Move{To: at(fileURL), Since: day0, LastSeen: day0}
	commit(t, s, &custodian.Change{Publisher: back})
	due(fileURL, goal)
	commit(t, s, &custodian.Change{Files: []*custody.File{revisedFile(third, 1)}})
	due(fileURL, goal, own)
}

// custodyGetsRarer: a publisher that never had a file is due less and less often.
func custodyGetsRarer(t *testing.T, open keeping) {
	s := open(t)
	p := &custody.Publisher{Domain: "a.example", TriedAt: day0, Absent: true}
	commit(t, s, &custodian.Change{Publisher: p})
	for i, tc := range []struct {
		days  int
		place custody.Location
		pause time.Duration
	}{
		{1, custody.Location{}, 24 * time.Hour}, {8, custody.Location{}, 48 * time.Hour}, {400, custody.Location{}, 7 * 24 * time.Hour},
		{401, custody.Location{Method: custody.Direct, URL: fileURL}, 24 * time.Hour},
	} {
		next := revised(p, int64(i+1))
		next.TriedAt, next.Location = day0.AddDate(0, 0, tc.days), tc.place
		commit(t, s, &custodian.Change{Publisher: next})
		tasks := got[[]custodian.Task](t)(s.Due(t.Context(), day0.AddDate(9, 0, 0), 9))
		want(t, tasks[0].Due.Sub(next.TriedAt), tc.pause)
	}
}
