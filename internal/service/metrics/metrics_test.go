package metrics

import (
	"bytes"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// text returns what a collector would read.
func text(t *testing.T, s *Set) string {
	t.Helper()
	var b bytes.Buffer
	n, err := s.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("%d bytes of %d, %v", n, b.Len(), err)
	}
	return b.String()
}

// parse reads a text as Prometheus does.
func parse(t *testing.T, text string) map[string]*dto.MetricFamily {
	t.Helper()
	p := expfmt.NewTextParser(model.UTF8Validation)
	got, err := p.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return got
}

func TestText(t *testing.T) {
	t.Parallel()
	var s Set
	requests := s.Counter("b_total", "Requests,\nby \\ route.", "route", "status")
	s.Counter("a_total", "Nothing yet.")
	s.Counter("unseen_total", "No series.", "route")
	took := s.Histogram("c_seconds", "Time.", "route")
	size := s.Gauge("d_bytes", "Size.")
	s.Read("e", "Read.", "gate", "two", func() float64 { return 2.5 })
	s.Read("e", "Read.", "gate", "one", func() float64 { return 1 })
	requests.Add(2, `/"x"\`+"\n", "2xx")
	requests.Add(1, "/a", "4xx")
	requests.Add(1, "/a", "2xx")
	took.Observe(time.Millisecond, "/a")
	took.Observe(time.Millisecond+1, "/a")
	took.Observe(time.Minute, "/a")
	size.Set(10)
	size.Add(-3)
	got := text(t, &s)
	want := `# HELP a_total Nothing yet.
# TYPE a_total counter
a_total 0
# HELP b_total Requests,\nby \\ route.
# TYPE b_total counter
b_total{route="/\"x\"\\\n",status="2xx"} 2
b_total{route="/a",status="2xx"} 1
b_total{route="/a",status="4xx"} 1
# HELP c_seconds Time.
# TYPE c_seconds histogram
c_seconds_bucket{route="/a",le="0.0005"} 0
c_seconds_bucket{route="/a",le="0.001"} 1
c_seconds_bucket{route="/a",le="0.0025"} 2
`
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	end := `c_seconds_bucket{route="/a",le="10"} 2
c_seconds_bucket{route="/a",le="+Inf"} 3
c_seconds_sum{route="/a"} 60.002000001
c_seconds_count{route="/a"} 3
# HELP d_bytes Size.
# TYPE d_bytes gauge
d_bytes 7
# HELP e Read.
# TYPE e gauge
e{gate="two"} 2.5
e{gate="one"} 1
`
	if !strings.HasSuffix(got, end) {
		t.Errorf("got\n%s\nwant at its end\n%s", got, end)
	}
	families := parse(t, got)
	if route := families["b_total"].GetMetric()[0].GetLabel()[0].GetValue(); route != `/"x"\`+"\n" {
		t.Errorf("the route is %q", route)
	}
	if h := families["c_seconds"].GetMetric()[0].GetHistogram(); h.GetSampleCount() != 3 || len(h.GetBucket()) != len(bounds)+1 {
		t.Errorf("the histogram is %v", h)
	}
	if names := s.Names(); !slices.Equal(names, []string{"a_total", "b_total", "c_seconds", "d_bytes", "e", "unseen_total"}) {
		t.Errorf("the names are %q", names)
	}
}

// TestProcess: what the runtime and the kernel say is there, and can be true.
func TestProcess(t *testing.T) {
	t.Parallel()
	var s Set
	s.Process(time.Unix(1_800_000_000, 0))
	families := parse(t, text(t, &s))
	want := []string{"go_goroutines", "go_memstats_heap_alloc_bytes", "go_memstats_sys_bytes", "process_start_time_seconds"}
	_, err := os.Stat(statPath)
	if err == nil {
		want = append(want, "process_cpu_seconds_total", "process_resident_memory_bytes", "process_virtual_memory_bytes", "process_open_fds", "process_max_fds")
	}
	value := func(name string) float64 {
		m := families[name].GetMetric()[0]
		return m.GetGauge().GetValue() + m.GetCounter().GetValue()
	}
	for _, name := range want {
		if families[name] == nil || math.IsNaN(value(name)) || value(name) < 0 {
			t.Errorf("%s is %v", name, families[name])
		}
	}
	if err == nil && (value("process_resident_memory_bytes") < 1<<20 || value("process_open_fds") < 3) {
		t.Errorf("%g bytes in memory, %g open files", value("process_resident_memory_bytes"), value("process_open_fds"))
	}
	if value("process_start_time_seconds") != 1_800_000_000 {
		t.Errorf("started at %g", value("process_start_time_seconds"))
	}
}

func TestAtOnce(t *testing.T) {
	t.Parallel()
	var s Set
	c := s.Counter("c_total", "Counted.", "who")
	h := s.Histogram("h_seconds", "Took.", "who")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 100 {
				c.Add(1, string(rune('a'+(i+j)%4)))
				h.Observe(time.Second, "x")
				if j%10 == 0 {
					_ = text(t, &s)
				}
			}
		})
	}
	all.Wait()
	got := text(t, &s)
	for _, want := range []string{`c_total{who="a"} 200`, `c_total{who="d"} 200`, `h_seconds_count{who="x"} 800`, `h_seconds_sum{who="x"} 800`} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// TestMisuse: a label too many or too few is a mistake of the program, not of a caller.
func TestMisuse(t *testing.T) {
	t.Parallel()
	var s Set
	c := s.Counter("c_total", "Counted.", "who")
	for name, f := range map[string]func(){
		"too few":  func() { c.Add(1) },
		"too many": func() { c.Add(1, "a", "b") },
		"four":     func() { s.Counter("d_total", "Four.", "a", "b", "c", "d") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
