package index_test

import (
	"runtime"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/bench"
	"github.com/avow-project/avow/internal/bench/press"
	"github.com/avow-project/avow/internal/index"
	"github.com/avow-project/avow/resolve"
)

// benchFiles are the files of package bench, as the documents of the publishers
// they speak for.
var benchFiles = []struct {
	name string
	make func() []byte
}{
	{"small", bench.Small},
	{"publisher500", bench.Publisher500},
	{"network3mb", bench.Network3MB},
	{"large19mb", bench.Large19MB},
}

// pointing makes a document for each publisher that a file has properties of, all
// of whom point to it.
func pointing(f *adagents.File) []*resolve.Document {
	var docs []*resolve.Document
	seen := map[string]bool{}
	for i := range f.Properties {
		publisher := f.Properties[i].PublisherDomain
		if !seen[publisher] {
			seen[publisher] = true
			docs = append(docs, &resolve.Document{Publisher: publisher, State: resolve.Usable, File: f, Method: "authoritative_location"})
		}
	}
	return docs
}

func benchFile(make func() []byte) *adagents.File {
	return adagents.Check(make(), adagents.Options{Now: bench.Now()}).File
}

// BenchmarkPut includes a document for every publisher in the file.
func BenchmarkPut(b *testing.B) {
	for _, file := range benchFiles {
		b.Run(file.name, func(b *testing.B) {
			docs := pointing(benchFile(file.make))
			b.ReportAllocs()
			for b.Loop() {
				if indexOf(docs...).Len() != len(docs) {
					b.Fatal("publishers are missing")
				}
			}
		})
	}
}

// qualifiedQuestions are questions that name everything, about properties all over a
// file. Half of them are authorized.
func qualifiedQuestions(f *adagents.File, x *index.Index) []resolve.Question {
	var out []resolve.Question
	step := max(1, len(f.Properties)/1024)
	for i := 0; i < len(f.Properties); i += step {
		p := &f.Properties[i]
		claims := x.AgentsOf(p.PublisherDomain, p.ID)
		q := resolve.Question{
			Publisher: p.PublisherDomain, Agent: claims[len(out)%len(claims)].Agent, Property: p.ID,
			Identifier: resolve.Identifier{Type: p.Identifiers[0].Type, Value: p.Identifiers[0].Value},
			Placements: []string{press.Slot}, Collections: []resolve.CollectionRef{{PublisherDomain: press.ProgramDomain, ID: press.Program}},
			Country: press.Country, At: bench.Now(),
		}
		if len(out)%2 == 1 {
			q.Country = "BR"
		}
		out = append(out, q)
	}
	return out
}

func BenchmarkDecide(b *testing.B) {
	for _, file := range benchFiles {
		b.Run(file.name, func(b *testing.B) {
			f := benchFile(file.make)
			press.Qualify(f)
			x := indexOf(pointing(f)...)
			questions := qualifiedQuestions(f, x)
			b.ReportAllocs()
			authorized, n := 0, 0
			for b.Loop() {
				d, err := x.Decide(&questions[n%len(questions)])
				if err == nil && d.Verdict == resolve.Authorized {
					authorized++
				}
				n++
			}
			if authorized == 0 && n > 1 {
				b.Fatal("nothing is authorized")
			}
		})
	}
}

// BenchmarkAnswer is a question to the service: the whole answer, from a document whose
// file is prepared.
func BenchmarkAnswer(b *testing.B) {
	for _, file := range benchFiles {
		b.Run(file.name, func(b *testing.B) {
			f := benchFile(file.make)
			press.Qualify(f)
			docs := pointing(f)
			questions := qualifiedQuestions(f, indexOf(docs...))
			byName := map[string]*resolve.Document{}
			prepared := resolve.Prepare(f)
			for _, d := range docs {
				d.Prepared = prepared
				byName[d.Publisher] = d
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				q := &questions[n%len(questions)]
				_, err := resolve.Judge(byName[q.Publisher], *q)
				if err != nil {
					b.Fatal(err)
				}
				n++
			}
		})
	}
}

// BenchmarkMillion asks an index of a million small files, a different one each
// time, and says how large the index is.
func BenchmarkMillion(b *testing.B) {
	const publishers = 1_000_000
	before := heapInUse()
	x := index.New()
	printer := press.NewPress()
	for i := range publishers {
		x.Put(&resolve.Document{Publisher: press.PublisherName(i), State: resolve.Usable, Method: "direct", File: printer.File(i)})
	}
	size := heapInUse() - before
	questions := make([]resolve.Question, 1<<16)
	for i := range questions {
		n := i * 40503 % publishers
		questions[i] = resolve.Question{
			Publisher: press.PublisherName(n), Agent: press.SharedAgent, Property: "gazette_site",
			Identifier: resolve.Identifier{Type: "domain", Value: press.PublisherName(n)},
			Placements: []string{"home_top"}, Country: press.Country, At: bench.Now(),
		}
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		d, err := x.Decide(&questions[n%len(questions)])
		if err != nil || d.Verdict != resolve.Authorized {
			b.Fatal("not authorized")
		}
		n++
	}
	b.ReportMetric(float64(size)/publishers, "B/publisher")
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestDecideAllocates counts the allocations of decisions of every kind.
func TestDecideAllocates(t *testing.T) {
	f := benchFile(bench.Small)
	press.Qualify(f)
	x := indexOf(pointing(f)...)
	questions := qualifiedQuestions(f, x)
	questions = append(questions,
		resolve.Question{Publisher: "example.com", Agent: press.SharedAgent, Identifier: resolve.Identifier{Type: "domain", Value: "www.example.com"}},
		resolve.Question{Publisher: "example.com", Agent: press.SharedAgent},
		resolve.Question{Publisher: "example.org", Agent: press.SharedAgent})
	for i := range questions {
		n := testing.AllocsPerRun(100, func() { _, _ = x.Decide(&questions[i]) })
		if n != 0 {
			t.Errorf("%+v: %v allocations", questions[i], n)
		}
	}
}
