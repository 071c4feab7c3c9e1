package adagents

import (
	"testing"

	"github.com/avow-project/avow/internal/bench"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// largeChecker returns a checker that has read a large clean file and checked nothing.
func largeChecker(tb testing.TB, properties int) *checker {
	tb.Helper()
	tree, err := jsontree.Parse(bench.Large(properties), jsontree.Options{Names: names()})
	if err != nil {
		tb.Fatal(err)
	}
	c := &checker{report: new(Report), content: content{tree: tree, file: new(File)}}
	c.dec.decodeFile(tree.Root(), c.file)
	return c
}

// checkSection applies every property and identifier rule once.
func (c *checker) checkSection() {
	c.index.properties = newIDTable(c.file.Properties, &c.dec)
	c.checkTopProperties()
	c.index.addPropertyTags(c.file.Properties, &c.dec.fastpaths)
	apply(c, c.file, nil, propertyClosingRules)
}

// BenchmarkProperties measures the property section of a large clean file: all
// rules about properties and identifiers, and the index they need.
func BenchmarkProperties(b *testing.B) {
	const properties = 10000
	c := largeChecker(b, properties)
	b.ReportAllocs()
	for b.Loop() {
		c.checkSection()
	}
	if len(c.findings.list) > 0 {
		b.Fatalf("%d findings, first: %s", len(c.findings.list), c.findings.list[0].msg)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/properties, "ns/property")
}
