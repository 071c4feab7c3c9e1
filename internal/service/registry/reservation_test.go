package registry_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/supply"
	"github.com/avow-project/avow/resolve"
)

// largeLab is a service with publishers whose files have 3 MB.
func largeLab(t *testing.T, n int) *fileLab {
	t.Helper()
	var sections []string
	for i := range n {
		domain := fmt.Sprintf("p%d.example", i)
		sections = append(sections, wellKnown(domain), strings.Replace(served(simple(domain)), "200", "200 size=3MB", 1))
	}
	l := newFileLab(t, sections...)
	l.Limits(time.Minute, time.Minute)
	return l
}

// TestDocumentsAreWeighed: a document counts once, however many are given it, and until the
// last of them was answered; also when it is not kept any longer.
func TestDocumentsAreWeighed(t *testing.T) {
	t.Parallel()
	l := largeLab(t, 12)
	ask := func(client string, i int) (*budget.Holding, error) {
		ctx, h := budget.With(t.Context(), client)
		_, err := l.Validate(ctx, registry.ValidateRequest{Domain: fmt.Sprintf("p%d.example", i)})
		return h, err
	}
	var mu sync.Mutex
	var holdings []*budget.Holding
	var group sync.WaitGroup
	for i := range 60 {
		group.Go(func() {
			h, err := ask(fmt.Sprint("client ", i%3), 0)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			holdings = append(holdings, h)
		})
	}
	group.Wait()
	l.Settle()
	one := l.HeldBytes()
	if one < 3_000_000 || one > 4_000_000 {
		t.Fatalf("a document that 60 have counts as %d bytes", one)
	}
	// Others push it out of what is kept; those who have it still do.
	for i := 1; i < 12; i++ {
		h, err := ask("another", i)
		if err != nil {
			t.Fatal(err)
		}
		h.End()
	}
	l.Settle()
	kept, _ := l.KeptWeight()
	if used := l.HeldBytes(); used != int64(kept)+one {
		t.Errorf("%d bytes are counted, %d are kept and %d held", used, kept, one)
	}
	for _, h := range holdings {
		h.End()
	}
	if used := l.HeldBytes(); used != int64(kept) {
		t.Errorf("%d bytes are counted when all were answered, %d are kept", used, kept)
	}
}

// TestOneClientHasItsShare: who does not read its answers keeps itself from more, and nobody
// else.
func TestOneClientHasItsShare(t *testing.T) {
	t.Parallel()
	l := largeLab(t, 12)
	ask := func(ctx context.Context, i int) error {
		_, err := l.Validate(ctx, registry.ValidateRequest{Domain: fmt.Sprintf("p%d.example", i)})
		return err
	}
	greedy, h := budget.With(t.Context(), "greedy")
	more, second := budget.With(t.Context(), "greedy")
	other, done := budget.With(t.Context(), "other")
	for _, tc := range []struct {
		ctx      context.Context
		from, to int
		refused  bool
	}{
		{t.Context(), 0, 12, false}, // the last seven are kept
		{greedy, 7, 12, false},      // 15 MB
		{t.Context(), 0, 2, false},
		{more, 0, 2, true},    // 18 MB is the share of one
		{greedy, 0, 2, false}, // but no request is refused for what it holds itself
		{other, 0, 2, false},
	} {
		for i := tc.from; i < tc.to; i++ {
			err := ask(tc.ctx, i)
			var known *registry.Error
			refused := errors.As(err, &known) && known.Kind == registry.Unavailable && known.Code == "busy"
			if refused != tc.refused || err != nil && !refused {
				t.Errorf("p%d: %v", i, err)
			}
		}
		l.Settle()
	}
	h.End()
	second.End()
	done.End()
	if kept, _ := l.KeptWeight(); l.HeldBytes() != int64(kept) {
		t.Errorf("%d bytes are counted, %d are kept", l.HeldBytes(), kept)
	}
}

// TestWhatIsMadeOfAnAnswerGoesWithIt: nothing stays of an answer that is not kept.
func TestWhatIsMadeOfAnAnswerGoesWithIt(t *testing.T) {
	t.Parallel()
	l := largeLab(t, 1)
	var v *registry.Validation
	for range 3 {
		v = l.validate(t, registry.ValidateRequest{Domain: "p0.example"})
	}
	l.Settle()
	before, made := l.HeldBytes(), 0
	for range 3 {
		text, err := v.Once("text", func() ([]byte, error) {
			made++
			return make([]byte, 1_000_000), nil
		})
		if err != nil || len(text) != 1_000_000 {
			t.Fatal(err)
		}
		_, _ = v.Once("part", func() ([]byte, error) { return v.Body[10:], nil })
	}
	if after := l.HeldBytes(); !v.Cached || made != 1 || after != before+1_000_000 {
		t.Errorf("made %d times, and counts %d bytes", made, after-before)
	}
	l.Forget()
	if used := l.HeldBytes(); used != 0 {
		t.Errorf("%d bytes are left", used)
	}
}

// TestLookupsAreWeighed: a lookup has memory for the documents it reads until they are kept,
// and gives it back.
func TestLookupsAreWeighed(t *testing.T) {
	t.Parallel()
	l := largeLab(t, 2)
	for i := range 2 {
		domain := fmt.Sprintf("p%d.example", i)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		release := l.OccupyChecking()
		go func() {
			_, err := l.Document(ctx, domain)
			done <- err
		}()
		l.AwaitCheck()
		if held := l.HeldBytes(); held < 3_000_000 {
			t.Errorf("a document that waits to be checked counts as %d bytes", held)
		}
		release()
		err := <-done
		if err != nil {
			t.Error(err)
		}
		cancel()
		l.Settle()
		l.Forget()
		if held, checking := l.HeldBytes(), l.CheckingBytes(); held != 0 || checking != 0 {
			t.Errorf("%d bytes are held and %d used for checks afterwards", held, checking)
		}
	}
}

// TestEncodingsAreWeighed: what is made of a document that is kept counts, and goes when another call needs
// the memory.
func TestEncodingsAreWeighed(t *testing.T) {
	t.Parallel()
	l := largeLab(t, 2)
	ask := func(i int) *registry.Validation {
		t.Helper()
		ctx, h := budget.With(t.Context(), "client")
		defer h.End()
		v, err := l.Validate(ctx, registry.ValidateRequest{Domain: fmt.Sprintf("p%d.example", i)})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	before := ask(0)
	l.Settle()
	small, _ := l.KeptWeight()
	_, err := before.Encoded("an answer", func() ([]byte, error) { return make([]byte, registry.MostWeight), nil })
	if err != nil {
		t.Fatal(err)
	}
	if grown, _ := l.KeptWeight(); grown != small+registry.MostWeight {
		t.Errorf("%d bytes are kept with an answer of %d, and %d without", grown, registry.MostWeight, small)
	}
	if held := l.HeldBytes(); held < registry.MostWeight {
		t.Errorf("%d bytes are held", held)
	}
	ask(1)
	l.Settle()
	if held := l.HeldBytes(); held > registry.MostWeight {
		t.Errorf("%d bytes are held although another call needs them", held)
	}
}

// TestAnswersAreReserved: an answer about a large document is not made without memory for it, also where the
// document itself is held already.
func TestAnswersAreReserved(t *testing.T) {
	t.Parallel()
	l := largeLab(t, 1)
	l.validate(t, registry.ValidateRequest{Domain: "p0.example"})
	l.Settle()
	for name, ask := range map[string]func(context.Context) error{
		"check": func(ctx context.Context) error {
			_, err := l.Validate(ctx, registry.ValidateRequest{Domain: "p0.example"})
			return err
		},
		"check with another profile": func(ctx context.Context) error {
			_, err := l.Validate(ctx, registry.ValidateRequest{Domain: "p0.example", Profile: adagents.Strict})
			return err
		},
		"lookup": func(ctx context.Context) error {
			_, err := l.Document(ctx, "p0.example")
			return err
		},
	} {
		memory := budget.New(100_000_000, 100_000_000, 1)
		for _, taken := range []int64{95_000_000, 0} {
			err := memory.Acquire(t.Context(), "another", taken)
			if err != nil {
				t.Fatal(err)
			}
			err = memory.Work(t.Context(), "client", 0, 0, func(ctx context.Context, _ *budget.Holding) bool {
				return ask(ctx) == nil && memory.Used() >= 6_000_000
			})
			if refused := errors.Is(err, budget.ErrFull); refused != (taken > 0) {
				t.Errorf("%s beside %d bytes of others: %v", name, taken, err)
			}
			memory.Release("another", taken)
		}
		if left := memory.Used(); left != 0 {
			t.Errorf("%s: %d bytes are left", name, left)
		}
	}
}

// TestIdentifiedGivesBack: what a call needs of one file is given back before the next file is read, so that a call
// about many does not keep all others waiting.
func TestIdentifiedGivesBack(t *testing.T) {
	t.Parallel()
	l := largeLab(t, 6)
	var ids []registry.Identifier
	for i := range 6 {
		l.validate(t, registry.ValidateRequest{Domain: fmt.Sprintf("p%d.example", i)})
		ids = append(ids, registry.Identifier{Type: "domain", Value: fmt.Sprintf("p%d.example", i)})
	}
	l.Settle()
	ctx, h := budget.With(t.Context(), "client")
	defer h.End()
	v, err := l.Directory(ctx)
	if err != nil {
		t.Fatal(err)
	}
	found, err := l.Identified(ctx, v, ids)
	if err != nil || len(found) != len(ids) {
		t.Errorf("%d of %d are found: %v", len(found), len(ids), err)
	}
	kept, _ := l.KeptWeight()
	if used := l.HeldBytes(); used > int64(kept) {
		t.Errorf("%d bytes are held, of which %d are kept", used, kept)
	}
}

// TestVerdictsGiveBack: the same for many questions in one call.
func TestVerdictsGiveBack(t *testing.T) {
	t.Parallel()
	l := largeLab(t, 6)
	var questions []resolve.Question
	for i := range 6 {
		l.validate(t, registry.ValidateRequest{Domain: fmt.Sprintf("p%d.example", i)})
		questions = append(questions, resolve.Question{Publisher: fmt.Sprintf("p%d.example", i), Agent: "https://agent.example/mcp"})
	}
	l.Settle()
	ctx, h := budget.With(t.Context(), "client")
	defer h.End()
	for _, v := range l.Verdicts(ctx, questions) {
		if v.Err != nil || v.Verdict == resolve.Unverified {
			t.Errorf("%s: %v, %v", v.Question.Publisher, v.Verdict, v.Err)
		}
	}
	kept, _ := l.KeptWeight()
	if used := l.HeldBytes(); used > int64(kept) {
		t.Errorf("%d bytes are held, of which %d are kept", used, kept)
	}
}

// TestSupplyPathsAreWeighed: large files are read once more for a supply path, for which there has to be memory.
func TestSupplyPathsAreWeighed(t *testing.T) {
	t.Parallel()
	l := largeLab(t, 1)
	l.validate(t, registry.ValidateRequest{Domain: "p0.example"})
	l.Settle()
	free := l.OccupyChecking()
	answered := make(chan error)
	go func() {
		_, err := l.SupplyPath(t.Context(), supply.Question{Owner: "p0.example", Host: "p0.example", Agent: "https://agent.example/mcp"})
		answered <- err
	}()
	l.AwaitCheck()
	free()
	err := <-answered
	if err != nil || l.CheckingBytes() != 0 {
		t.Errorf("%v, and %d bytes are left", err, l.CheckingBytes())
	}
}

// TestOnceForOthers: what fails for a call that has ended is made again for those that waited for it.
func TestOnceForOthers(t *testing.T) {
	t.Parallel()
	l := largeLab(t, 1)
	v, err := l.Validate(t.Context(), registry.ValidateRequest{Domain: "p0.example"})
	if err != nil {
		t.Fatal(err)
	}
	begun, fail, done := make(chan bool), make(chan bool), make(chan error)
	go func() {
		_, err := v.Once("form", func() ([]byte, error) {
			close(begun)
			<-fail
			return nil, context.Canceled
		})
		done <- err
	}()
	<-begun
	go func() {
		made, err := v.Once("form", func() ([]byte, error) { return []byte("made"), nil })
		if string(made) != "made" {
			t.Errorf("got %q, %v", made, err)
		}
		done <- err
	}()
	close(fail)
	first, second := <-done, <-done
	if !errors.Is(errors.Join(first, second), context.Canceled) || first != nil && second != nil {
		t.Errorf("got %v and %v", first, second)
	}
}

// TestSharedFilesOutliveTheirAsker: a file for all its publishers is kept although the request that asked
// for it first is over, or has no memory left.
func TestSharedFilesOutliveTheirAsker(t *testing.T) {
	t.Parallel()
	for name, short := range map[string]bool{"over": false, "short of memory": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := "https://network.example/file.json"
			web := func(agent string) []string {
				doc := served(strings.ReplaceAll(simple("p.example"), "agent.example", agent), "Cache-Control: max-age=600")
				return []string{
					wellKnown("p.example"), strings.Replace(pointerTo(target), "\n\n", "\nCache-Control: max-age=86400\n\n", 1),
					target, strings.Replace(doc, "200", "200 size=1MB", 1),
				}
			}
			l := newFileLab(t, web("agent.example")...)
			l.Limits(time.Hour, time.Hour)
			_, err := l.File(t.Context(), "p.example")
			if err != nil {
				t.Fatal(err)
			}
			l.Settle()
			l.rewire(t, web("other.example")...)
			l.later(2 * time.Hour)
			memory := budget.New(100_000_000, 100_000_000, 1)
			release := func() {}
			if short {
				err = memory.Acquire(t.Context(), "another", 99_900_000)
				if err != nil {
					t.Fatal(err)
				}
			} else {
				l.Limits(time.Hour, 100*time.Millisecond)
				release = l.hold()
			}
			_ = memory.Work(t.Context(), "client", 0, 0, func(ctx context.Context, _ *budget.Holding) bool {
				_, _ = l.File(ctx, "p.example")
				return true
			})
			release()
			l.Settle()
			last, err := l.LastFile(t.Context(), "p.example")
			if err != nil || last.State != resolve.Usable || !strings.Contains(last.File.Agents[0].URL, "other.example") {
				t.Errorf("have %s, %s, %v; want the file with the other agent", last.State, last.Detail, err)
			}
		})
	}
}
