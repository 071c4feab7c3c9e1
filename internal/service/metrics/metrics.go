// Package metrics counts what a service does and writes the counts in the text format that
// Prometheus reads. The Prometheus client does the same, but brings protobuf and a reader of
// /proc along: a tenth of the program and a fifth of the time it takes to start (decision 0040).
package metrics

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Set is the metrics of one service. Its zero value is empty and ready for use.
type Set struct {
	mu       sync.Mutex
	families []*family
}

// values are those of the labels of one series, in the order of the labels.
type values [3]string

// A family is the series that share a name.
type family struct {
	name, help, kind string
	labels           []string
	// read returns the value of a family whose value is kept elsewhere.
	read func() float64

	mu     sync.RWMutex
	series map[values]*series
}

// A series is one number, or the durations that were observed.
type series struct {
	n       atomic.Int64
	buckets []atomic.Int64
}

// A Counter only grows.
type Counter struct{ f *family }

// A Gauge goes up and down.
type Gauge struct{ f *family }

// A Histogram tells how long something took.
type Histogram struct{ f *family }

// bounds reach from a cached answer to the longest call.
var bounds = []time.Duration{
	500 * time.Microsecond, time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond, 10 * time.Millisecond,
	25 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2500 * time.Millisecond, 5 * time.Second, 10 * time.Second,
}

// Counter adds a counter. A family without labels is there from the start, with the value 0;
// one with labels has a series for each combination of values that was seen, at most three.
func (s *Set) Counter(name, help string, labels ...string) *Counter {
	return &Counter{s.add(&family{name: name, help: help, kind: "counter", labels: labels})}
}

// Gauge adds a gauge.
func (s *Set) Gauge(name, help string, labels ...string) *Gauge {
	return &Gauge{s.add(&family{name: name, help: help, kind: "gauge", labels: labels})}
}

// Histogram adds a histogram of seconds.
func (s *Set) Histogram(name, help string, labels ...string) *Histogram {
	return &Histogram{s.add(&family{name: name, help: help, kind: "histogram", labels: labels})}
}

// Read adds a gauge, or a counter if its name says that it is one, whose value is asked for
// when it is written. Several may share a name when they have another value of the label; both
// are empty for one without a label.
func (s *Set) Read(name, help, label, value string, read func() float64) {
	f := &family{name: name, help: help, kind: "gauge", read: read}
	if strings.HasSuffix(name, "_total") {
		f.kind = "counter"
	}
	if label != "" {
		f.labels = []string{label}
	}
	f.series = map[values]*series{{value}: {}}
	s.add(f)
}

// add keeps a family in the order of the names.
func (s *Set) add(f *family) *family {
	if len(f.labels) > len(values{}) {
		panic("metrics: " + f.name + " has too many labels")
	}
	if f.series == nil {
		f.series = make(map[values]*series)
	}
	if len(f.labels) == 0 {
		f.at(nil)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i, _ := slices.BinarySearchFunc(s.families, f, func(a, b *family) int {
		return cmp.Or(strings.Compare(a.name, b.name), -1)
	})
	s.families = slices.Insert(s.families, i, f)
	return f
}

// at returns the series with these values of the labels.
func (f *family) at(of []string) *series {
	var v values
	if copy(v[:], of) != len(f.labels) {
		panic("metrics: " + f.name + " has other labels")
	}
	f.mu.RLock()
	s := f.series[v]
	f.mu.RUnlock()
	if s != nil {
		return s
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s = f.series[v]
	if s == nil {
		s = new(series)
		if f.kind == "histogram" {
			s.buckets = make([]atomic.Int64, len(bounds)+1)
		}
		f.series[v] = s
	}
	return s
}

// Add counts n more.
func (c *Counter) Add(n int64, labels ...string) { c.f.at(labels).n.Add(n) }

// Set says what the value is now.
func (g *Gauge) Set(n int64, labels ...string) { g.f.at(labels).n.Store(n) }

// Add changes the value.
func (g *Gauge) Add(n int64, labels ...string) { g.f.at(labels).n.Add(n) }

// Observe counts one more that took so long.
func (h *Histogram) Observe(d time.Duration, labels ...string) {
	s := h.f.at(labels)
	i, _ := slices.BinarySearch(bounds, d)
	s.buckets[i].Add(1)
	s.n.Add(int64(d))
}

// Names returns the names of all families.
func (s *Set) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := make([]string, 0, len(s.families))
	for _, f := range s.families {
		names = append(names, f.name)
	}
	return slices.Compact(names)
}

// WriteTo writes all families that have a series.
func (s *Set) WriteTo(w io.Writer) (int64, error) {
	s.mu.Lock()
	families := slices.Clone(s.families)
	s.mu.Unlock()
	var b []byte
	last := ""
	for _, f := range families {
		f.mu.RLock()
		if len(f.series) > 0 && f.name != last {
			b = append(b, "# HELP "+f.name+" "+escapeHelp.Replace(f.help)+"\n# TYPE "+f.name+" "+f.kind+"\n"...)
			last = f.name
		}
		for _, v := range slices.SortedFunc(maps.Keys(f.series), func(a, b values) int {
			return slices.Compare(a[:], b[:])
		}) {
			b = f.append(b, v, f.series[v])
		}
		f.mu.RUnlock()
	}
	n, err := w.Write(b)
	return int64(n), err
}

// append writes one series.
func (f *family) append(b []byte, v values, s *series) []byte {
	switch {
	case f.read != nil:
		return f.line(b, "", v, "", f.read())
	case f.kind != "histogram":
		return f.line(b, "", v, "", float64(s.n.Load()))
	}
	total := 0.0
	for i := range s.buckets {
		le := "+Inf"
		if i < len(bounds) {
			le = strconv.FormatFloat(bounds[i].Seconds(), 'g', -1, 64)
		}
		total += float64(s.buckets[i].Load())
		b = f.line(b, "_bucket", v, le, total)
	}
	b = f.line(b, "_sum", v, "", time.Duration(s.n.Load()).Seconds())
	return f.line(b, "_count", v, "", total)
}

// What must not stand in a text as it is.
var (
	escapeHelp  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	escapeLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

// line writes one number. The bound of a bucket is the label le, unless it is empty.
func (f *family) line(b []byte, suffix string, v values, le string, number float64) []byte {
	b = append(b, f.name+suffix...)
	sep := byte('{')
	pair := func(name, value string) {
		b = append(b, sep)
		b = append(b, name+`="`+escapeLabel.Replace(value)+`"`...)
		sep = ','
	}
	for i, name := range f.labels {
		pair(name, v[i])
	}
	if le != "" {
		pair("le", le)
	}
	if sep == ',' {
		b = append(b, '}')
	}
	b = append(b, ' ')
	b = strconv.AppendFloat(b, number, 'g', -1, 64)
	return append(b, '\n')
}
