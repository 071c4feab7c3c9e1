package websource

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
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/resolve"
)

// finder is a Finder that finds what find returns, and counts.
type finder struct {
	mu    sync.Mutex
	asked map[string]int
	find  func(ctx context.Context, domain string) (*discover.Discovery, error)
}

func (f *finder) Domain(ctx context.Context, domain string, _ discover.Options) (*discover.Discovery, error) {
	f.mu.Lock()
	if f.asked == nil {
		f.asked = map[string]int{}
	}
	f.asked[domain]++
	f.mu.Unlock()
	return f.find(ctx, domain)
}

func (f *finder) times(domain string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked[domain]
}

// usable is a discovery of one file at a URL.
func usable(url string, body []byte) *discover.Discovery {
	report := adagents.Check(body, adagents.Options{Role: adagents.Authoritative, Now: time.Unix(2_000_000_000, 0)})
	return &discover.Discovery{
		Answer: discover.Usable, Method: discover.AuthoritativeLocation, ResolvedURL: url, Report: report, Body: body,
		Trail: []discover.Hop{{Report: report, Result: &fetch.Result{Exchanges: []fetch.Exchange{{SHA256: "aa", At: time.Unix(5, 0)}}}}},
	}
}

var small = []byte(`{"properties": [], "formats": [], "authorized_agents": []}`)

type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func document(t *testing.T, s resolve.Source, publisher string) *resolve.Document {
	t.Helper()
	doc, err := s.Document(t.Context(), publisher)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestSourceKeeps(t *testing.T) {
	t.Parallel()
	f := &finder{find: func(_ context.Context, domain string) (*discover.Discovery, error) {
		switch domain {
		case "down.example":
			return &discover.Discovery{Answer: discover.Unreachable}, nil
		case "none.example":
			return &discover.Discovery{Answer: discover.Absent, Trail: []discover.Hop{{Meaning: "it is not there"}}}, nil
		}
		return usable("https://cdn.example/f.json", small), nil
	}}
	c := &clock{at: time.Unix(1000, 0)}
	s := NewSource(f, SourceConfig{Now: c.now})
	for _, tc := range []struct {
		after     time.Duration
		publisher string
		want      int
	}{
		{0, "a.example", 1}, {59 * time.Second, "a.example", 1}, {time.Second, "a.example", 2},
		{0, "none.example", 1}, {0, "none.example", 1},
		{0, "down.example", 1}, {0, "down.example", 2},
		{-time.Hour, "a.example", 3},
	} {
		c.move(tc.after)
		document(t, s, tc.publisher)
		if got := f.times(tc.publisher); got != tc.want {
			t.Errorf("%+v: asked %d times", tc, got)
		}
	}
	if doc := document(t, s, "none.example"); doc.State != resolve.Absent || doc.Detail != "it is not there" {
		t.Errorf("%+v", doc)
	}
	never := NewSource(f, SourceConfig{Keep: -1})
	document(t, never, "b.example")
	document(t, never, "b.example")
	if got := f.times("b.example"); got != 2 {
		t.Errorf("asked %d times, want 2", got)
	}
}

// TestSourceSharesFiles checks that a thousand publishers of one network file take the
// memory of one.
func TestSourceSharesFiles(t *testing.T) {
	t.Parallel()
	f := &finder{find: func(context.Context, string) (*discover.Discovery, error) {
		return usable("https://cdn.example/f.json", small), nil
	}}
	s := NewSource(f, SourceConfig{}).(*webSource)
	first := document(t, s, "p0.example")
	for i := range 1000 {
		doc := document(t, s, fmt.Sprintf("p%d.example", i))
		if doc.File != first.File || doc.Publisher != fmt.Sprintf("p%d.example", i) {
			t.Fatalf("%d: %+v", i, doc)
		}
	}
	if count, bytes := s.files.Size(); count != 1 || bytes != len(small) {
		t.Errorf("%d bytes in %d files", bytes, count)
	}
}

// TestSourceReadsOnce: where an entry has ended, the file is read once more, as it is at
// any time; but not for every publisher that points to it.
func TestSourceReadsOnce(t *testing.T) {
	t.Parallel()
	ended := []byte(`{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "x", "authorization_type": "inline_properties",
		"properties": [{"property_type": "website", "name": "n", "identifiers": [{"type": "domain", "value": "p.example"}]}],
		"effective_until": "2026-03-01T00:00:00Z"}]}`)
	f := &finder{find: func(_ context.Context, domain string) (*discover.Discovery, error) {
		d := usable("https://cdn.example/f.json", ended)
		if domain != "p0.example" {
			d.Body = []byte(`{`) // to be left alone
		}
		return d, nil
	}}
	s := NewSource(f, SourceConfig{})
	first := document(t, s, "p0.example")
	second := document(t, s, "p1.example")
	if first.File == nil || first.File.Agents[0].Inert() || second.File != first.File || second.Publisher != "p1.example" {
		t.Errorf("%+v, %+v", first, second)
	}
}

// TestSourceKeepsFilesApart: what a file says may depend on whose it is.
func TestSourceKeepsFilesApart(t *testing.T) {
	t.Parallel()
	f := &finder{find: func(_ context.Context, domain string) (*discover.Discovery, error) {
		d := usable("https://www.p.example/.well-known/adagents.json", small)
		d.Method, d.Report = discover.Direct, adagents.Check(small, adagents.Options{Domain: domain})
		d.Trail[0].Report = d.Report
		return d, nil
	}}
	s := NewSource(f, SourceConfig{}).(*webSource)
	first, second := document(t, s, "p.example"), document(t, s, "www.p.example")
	if count, _ := s.files.Size(); first.File == second.File || first.SHA256 != second.SHA256 || count != 2 {
		t.Errorf("%+v, %+v", first, second)
	}
}

func TestSourceIsBounded(t *testing.T) {
	t.Parallel()
	body := []byte(strings.TrimSuffix(string(small), "}") + strings.Repeat(" ", 1_000_000) + "}")
	f := &finder{find: func(_ context.Context, domain string) (*discover.Discovery, error) {
		return usable("https://"+domain, body), nil
	}}
	s := NewSource(f, SourceConfig{}).(*webSource)
	for i := range 100 {
		document(t, s, fmt.Sprintf("p%d.example", i))
		if _, bytes := s.files.Size(); bytes > keptBytes {
			t.Fatalf("%d bytes", bytes)
		}
	}
	document(t, s, "p99.example")
	document(t, s, "p0.example")
	if f.times("p99.example") != 1 || f.times("p0.example") != 2 {
		t.Errorf("asked %d and %d times", f.times("p99.example"), f.times("p0.example"))
	}
}

// TestFirstGivesUp checks that those who wait are not told what happened to somebody
// who lost patience, and that the discovery goes on for them.
func TestFirstGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan struct{})
		f := &finder{find: func(ctx context.Context, _ string) (*discover.Discovery, error) {
			select {
			case <-answer:
				return usable("https://cdn.example/f.json", small), nil
			case <-ctx.Done():
				return &discover.Discovery{Answer: discover.Unreachable}, nil
			}
		}}
		s := NewSource(f, SourceConfig{})
		impatient, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			_, err := s.Document(impatient, "a.example")
			if !errors.Is(err, context.Canceled) {
				t.Errorf("the first: %v", err)
			}
		})
		synctest.Wait()
		for range 3 {
			all.Go(func() {
				doc, err := s.Document(t.Context(), "a.example")
				if err != nil || doc.State != resolve.Usable {
					t.Errorf("%+v, %v", doc, err)
				}
			})
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		_, err := s.Document(gone, "a.example")
		if !errors.Is(err, context.Canceled) {
			t.Errorf("one who leaves while waiting: %v", err)
		}
		synctest.Wait()
		cancel()
		synctest.Wait()
		close(answer)
		all.Wait()
		if f.times("a.example") != 1 {
			t.Errorf("asked %d times", f.times("a.example"))
		}
	})
}

// TestAllGiveUp checks that a discovery nobody waits for is canceled, and that what it
// says then is not kept.
func TestAllGiveUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &finder{}
		f.find = func(ctx context.Context, domain string) (*discover.Discovery, error) {
			if f.times(domain) == 1 {
				<-ctx.Done()
				return &discover.Discovery{Answer: discover.Unreachable}, nil
			}
			return usable("https://cdn.example/f.json", small), nil
		}
		s := NewSource(f, SourceConfig{})
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := s.Document(impatient, "a.example")
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the first: %v", err)
		}
		doc := document(t, s, "a.example")
		if doc.State != resolve.Usable || f.times("a.example") != 2 {
			t.Errorf("%+v, asked %d times", doc, f.times("a.example"))
		}
	})
}

func TestSourceTimeout(t *testing.T) {
	t.Parallel()
	f := &finder{find: func(ctx context.Context, _ string) (*discover.Discovery, error) {
		<-ctx.Done()
		return &discover.Discovery{Answer: discover.Unreachable, Trail: []discover.Hop{{Meaning: "nothing came"}}}, nil
	}}
	doc := document(t, NewSource(f, SourceConfig{Timeout: 10 * time.Millisecond}), "slow.example")
	if doc.State != resolve.Unreachable || doc.Detail != "nothing came" {
		t.Errorf("%+v", doc)
	}
}

func TestSourceErrors(t *testing.T) {
	t.Parallel()
	odd := errors.New("odd")
	f := &finder{find: func(_ context.Context, domain string) (*discover.Discovery, error) {
		if domain == "odd.example" {
			return nil, odd
		}
		return nil, &discover.InputError{Message: "no publisher"}
	}}
	s := NewSource(f, SourceConfig{})
	_, err := s.Document(t.Context(), "odd.example")
	if !errors.Is(err, odd) {
		t.Errorf("%v", err)
	}
	if doc := document(t, s, "localhost"); doc.State != resolve.Absent || doc.Detail != "no publisher" {
		t.Errorf("%+v", doc)
	}
}

func TestDocumentOf(t *testing.T) {
	t.Parallel()
	broken := adagents.Check([]byte(`{`), adagents.Options{})
	pointer := adagents.Check([]byte(`{"authoritative_location": "https://a.example/b"}`), adagents.Options{})
	finding := discover.Finding{Severity: adagents.Error, Message: "it redirects"}
	tests := []struct {
		name   string
		d      *discover.Discovery
		state  resolve.State
		detail string
	}{
		{"usable", usable("https://a.example/", small), resolve.Usable, ""},
		{"absent", &discover.Discovery{Answer: discover.Absent}, resolve.Absent, ""},
		{"unreachable", &discover.Discovery{Answer: discover.Unreachable, Findings: []discover.Finding{{Severity: adagents.Info, Message: "no"}, finding}}, resolve.Unreachable, "it redirects"},
		{"unchanged", &discover.Discovery{Answer: discover.Unchanged}, resolve.Unreachable, ""},
		{"unusable", &discover.Discovery{Answer: discover.Unusable, Report: broken}, resolve.Unusable, broken.Unusable.Findings[0].Message},
		{"usable without content", &discover.Discovery{Answer: discover.Usable, Report: pointer}, resolve.Unusable, ""},
		{"usable without anything", &discover.Discovery{Answer: discover.Usable}, resolve.Unusable, ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			doc := DocumentOf("pub.example", tc.d)
			if doc.Publisher != "pub.example" || doc.State != tc.state || doc.Detail != tc.detail || (doc.File != nil) != (tc.state == resolve.Usable) {
				t.Errorf("%+v", doc)
			}
		})
	}
	doc := DocumentOf("pub.example", usable("https://a.example/", small))
	if doc.SHA256 != "aa" || !doc.FetchedAt.Equal(time.Unix(5, 0)) || doc.Method != "authoritative_location" || doc.URL != "https://a.example/" {
		t.Errorf("%+v", doc)
	}
}
