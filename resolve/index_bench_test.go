package resolve_test

import (
	"runtime"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/bench"
	"github.com/avow-project/avow/bench/press"
	"github.com/avow-project/avow/internal/hugepage"
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

// BenchmarkIndexBuild includes a document for every publisher in the file.
func BenchmarkIndexBuild(b *testing.B) {
	for _, file := range benchFiles {
		b.Run(file.name, func(b *testing.B) {
			docs := pointing(benchFile(file.make))
			b.ReportAllocs()
			for b.Loop() {
				if resolve.Build(docs).Len() != len(docs) {
					b.Fatal("publishers are missing")
				}
			}
		})
	}
}

// qualifiedQueries are questions that name everything, about properties all over a
// file. Half of them are authorized.
func qualifiedQueries(f *adagents.File, x *resolve.Index) []resolve.Query {
	var out []resolve.Query
	step := max(1, len(f.Properties)/1024)
	for i := 0; i < len(f.Properties); i += step {
		p := &f.Properties[i]
		claims := x.AgentsOf(p.PublisherDomain, p.ID)
		q := resolve.Query{
			Publisher: p.PublisherDomain, Agent: claims[len(out)%len(claims)].Agent, Property: p.ID,
			IdentifierType: p.Identifiers[0].Type, IdentifierValue: p.Identifiers[0].Value,
			Placement: press.Slot, CollectionDomain: press.ProgramDomain, Collection: press.Program,
			Country: press.Country, At: bench.Now().Unix(),
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
			builder := resolve.Builder{Advise: hugepage.Advise}
			builder.Add(pointing(f)...)
			x := builder.Index()
			queries := qualifiedQueries(f, x)
			b.ReportAllocs()
			authorized, n := 0, 0
			for b.Loop() {
				if x.Decide(&queries[n%len(queries)]).Verdict == resolve.Authorized {
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

// BenchmarkDecideByHost asks for a form of a domain that is not in the file.
func BenchmarkDecideByHost(b *testing.B) {
	x := resolve.Build(pointing(benchFile(bench.Small)))
	q := resolve.Query{
		Publisher: "example.com", Agent: "https://sales.example.com/mcp",
		IdentifierType: "domain", IdentifierValue: "www.example.com", At: bench.Now().Unix(),
	}
	b.ReportAllocs()
	for b.Loop() {
		if x.Decide(&q).Verdict != resolve.Authorized {
			b.Fatal("not authorized")
		}
	}
}

// BenchmarkPropertiesOf lists everything of the agent of a network.
func BenchmarkPropertiesOf(b *testing.B) {
	f := benchFile(bench.Network3MB)
	x := resolve.Build([]*resolve.Document{{Publisher: "example-network.com", State: resolve.Usable, File: f}})
	b.ReportAllocs()
	for b.Loop() {
		if got := x.PropertiesOf("example-network.com", f.Agents[0].URL); len(got) != len(f.Properties) {
			b.Fatalf("%d properties, want %d", len(got), len(f.Properties))
		}
	}
}

// BenchmarkMillion asks an index of a million small files, a different one each
// time, and says how large the index is.
func BenchmarkMillion(b *testing.B) {
	const publishers = 1_000_000
	before := heapInUse()
	x := million(publishers)
	size := heapInUse() - before
	queries := make([]resolve.Query, 1<<16)
	for i := range queries {
		n := i * 40503 % publishers
		queries[i] = resolve.Query{
			Publisher: press.PublisherName(n), Agent: press.SharedAgent, Property: "gazette_site",
			IdentifierType: "domain", IdentifierValue: press.PublisherName(n),
			Placement: "home_top", Country: press.Country, At: bench.Now().Unix(),
		}
	}
	b.Run("one by one", func(b *testing.B) {
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			if x.Decide(&queries[n%len(queries)]).Verdict != resolve.Authorized {
				b.Fatal("not authorized")
			}
			n++
		}
		b.ReportMetric(float64(size)/publishers, "B/publisher")
	})
	b.Run("at once", func(b *testing.B) {
		out := make([]resolve.Decision, len(queries))
		for b.Loop() {
			x.DecideAll(queries, out)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(queries)), "ns/decision")
	})
}

func million(publishers int) *resolve.Index {
	builder := resolve.Builder{Advise: hugepage.Advise}
	printer := press.NewPress()
	for i := range publishers {
		builder.Add(&resolve.Document{Publisher: press.PublisherName(i), State: resolve.Usable, Method: "direct", File: printer.File(i)})
	}
	return builder.Index()
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
	x := resolve.Build(pointing(f))
	queries := qualifiedQueries(f, x)
	queries = append(queries,
		resolve.Query{Publisher: "example.com", Agent: press.SharedAgent, IdentifierType: "domain", IdentifierValue: "www.example.com"},
		resolve.Query{Publisher: "example.com", Agent: press.SharedAgent},
		resolve.Query{Publisher: "example.org", Agent: press.SharedAgent})
	for i := range queries {
		n := testing.AllocsPerRun(100, func() { x.Decide(&queries[i]) })
		if n != 0 {
			t.Errorf("%+v: %v allocations", queries[i], n)
		}
	}
}
