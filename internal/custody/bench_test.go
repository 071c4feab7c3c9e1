package custody_test

import (
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

// BenchmarkCompare compares two files of 60,000 properties that have half of them in
// common.
func BenchmarkCompare(b *testing.B) {
	old, next := parse(b, properties(upTo(0, 60_000)...)), parse(b, properties(upTo(30_000, 90_000)...))
	for b.Loop() {
		custody.Compare(old, next)
	}
}

// BenchmarkTakeNotModified confirms a file.
func BenchmarkTakeNotModified(b *testing.B) {
	f := adopted("p.example")
	s := custody.Observation{Outcome: custody.NotModified, Headers: custody.Headers{ETag: `"a"`}}
	for b.Loop() {
		f.Take(s, at(time.Hour))
	}
}
