package registry_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/sqlite"
)

// TestMemory fills the memory with documents.
func TestMemory(t *testing.T) {
	t.Parallel()
	var sections []string
	for i := range 12 {
		domain := fmt.Sprintf("p%d.example", i)
		sections = append(sections, wellKnown(domain), strings.Replace(served(simple(domain)), "200", "200 size=2MB", 1))
	}
	l := newFileLab(t, sections...)
	l.Limits(time.Minute, time.Minute) // a busy machine takes its time for them
	var group sync.WaitGroup
	for i := range 12 {
		group.Go(func() {
			v, err := l.Validate(t.Context(), registry.ValidateRequest{Domain: fmt.Sprintf("p%d.example", i)})
			if err != nil || !v.Valid() {
				t.Errorf("%v %+v", err, v)
			}
		})
	}
	group.Wait()
	weight, number := l.KeptWeight()
	if weight > registry.MostWeight || number < 2 || number > 11 {
		t.Errorf("%d documents of weight %d", number, weight)
	}
}

// TestLargestDocument is kept although it is larger than everything that is kept
// usually: it must not be fetched for every call.
func TestLargestDocument(t *testing.T) {
	t.Parallel()
	l := newFileLab(t,
		wellKnown("pub.example"), pointerTo("https://network.example/file.json"),
		"https://network.example/file.json", strings.Replace(served(simple("pub.example")), "200", "200 size=9MB", 1),
	)
	l.Limits(time.Minute, time.Minute)
	for range 3 {
		v := l.validate(t, registry.ValidateRequest{Domain: "pub.example"})
		if !v.Valid() {
			t.Fatalf("%+v", v.Discovery.Findings)
		}
	}
	if l.asked() != 2 {
		t.Errorf("%d requests", l.asked())
	}
}

// A stub is a Finder without a web.
type stub struct{ body []byte }

func (s stub) Domain(_ context.Context, domain string, o discover.Options) (*discover.Discovery, error) {
	at := time.Now()
	url := wellKnown(domain)
	report := adagents.Check(s.body, adagents.Options{Now: at, MaxFindings: o.MaxFindings})
	result := &fetch.Result{Outcome: fetch.Found, URL: url, Body: s.body, Exchanges: []fetch.Exchange{{URL: url, At: at, Status: 200, Outcome: fetch.Found}}}
	return &discover.Discovery{
		Domain: domain, At: at, Answer: discover.Usable, Found: true, URL: url, ResolvedURL: url, Report: report, Body: s.body,
		Trail: []discover.Hop{{URL: url, Result: result, Report: report}},
	}, nil
}

func (s stub) URL(ctx context.Context, url string, o discover.Options) (*discover.Discovery, error) {
	return s.Domain(ctx, url, o)
}

func (s stub) Location(ctx context.Context, domain string, _ discover.Place, o discover.Options) (*discover.Discovery, error) {
	return s.Domain(ctx, domain, o)
}

func (stub) Agents(context.Context, []string, discover.ProbeOptions) []discover.AgentCheck {
	return nil
}

func (stub) Describe(context.Context, string) *discover.AgentDescription { return nil }

func stubbed(b *testing.B) *registry.Service {
	b.Helper()
	store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "registry.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	s := registry.New(registry.Config{Store: store, Custody: store.Custody(), Finder: stub{[]byte(simple("pub.example"))}})
	b.Cleanup(s.Close)
	return s
}

// BenchmarkValidate measures what the service itself costs: an answer that is at hand,
// and one that has to be looked for and stored.
func BenchmarkValidate(b *testing.B) {
	b.Run("cached", func(b *testing.B) {
		s := stubbed(b)
		b.ReportAllocs()
		b.RunParallel(func(p *testing.PB) {
			for p.Next() {
				_, err := s.Validate(b.Context(), registry.ValidateRequest{Domain: "pub.example"})
				if err != nil {
					b.Error(err)
				}
			}
		})
	})
	b.Run("fresh", func(b *testing.B) {
		s := stubbed(b)
		b.ReportAllocs()
		b.SetParallelism(50)
		var number atomic.Int64
		b.RunParallel(func(p *testing.PB) {
			for p.Next() {
				_, err := s.Validate(b.Context(), registry.ValidateRequest{Domain: fmt.Sprintf("p%d.example", number.Add(1))})
				if err != nil {
					b.Error(err)
				}
			}
		})
	})
}
