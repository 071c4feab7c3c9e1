package adagents

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/bench"
)

// sameEarly checks a file with properties decoded while it is read, in steps of
// several sizes, and without, and compares all there is in the reports.
func sameEarly(t *testing.T, src []byte, opt Options) {
	t.Helper()
	late := (&run{opt: opt, batch: -1}).check(src)
	for _, batch := range []int{1, 3, 50} {
		soon := (&run{opt: opt, batch: batch}).check(src)
		if !slices.Equal(late.Findings, soon.Findings) {
			t.Errorf("findings differ (-late +early, in steps of %d):\n%s\n%.2000s", batch, cmp.Diff(late.Findings, soon.Findings), src)
		}
		if !slices.Equal(late.Skipped, soon.Skipped) {
			t.Errorf("skips differ (-late +early, in steps of %d):\n%s\n%.2000s", batch, cmp.Diff(late.Skipped, soon.Skipped), src)
		}
		if late.Kind != soon.Kind || !reflect.DeepEqual(late.Unusable, soon.Unusable) {
			t.Errorf("kind %q and %v, in steps of %d %q and %v", late.Kind, late.Unusable, batch, soon.Kind, soon.Unusable)
		}
		if !reflect.DeepEqual(late.File, soon.File) || !reflect.DeepEqual(late.Pointer, soon.Pointer) {
			t.Errorf("content differs in steps of %d:\n%.2000s", batch, src)
		}
	}
}

// TestEarly holds early decoding to the usual one.
func TestEarly(t *testing.T) {
	t.Parallel()
	for _, r := range Rules() {
		sameEarly(t, Example(r.In, r.Bad), r.ExampleOptions())
		sameEarly(t, Example(r.In, r.Good), r.ExampleOptions())
	}
	files := [][]byte{
		bench.Small(), bench.Publisher500(), bench.DuplicateIDs(300), bench.ManyFindings(300),
		bench.Large(300), bench.EscapedStrings(100), bench.HostileArray(1000),
	}
	for _, src := range files {
		sameEarly(t, src, Options{})
		sameEarly(t, src, Options{Domain: "example.com", Profile: Strict})
		sameEarly(t, src, Options{Role: Authoritative})
	}
}

// TestEarlyShards leaves enough of a list for it to be decoded in parts as well.
func TestEarlyShards(t *testing.T) {
	t.Parallel()
	for _, src := range [][]byte{bench.Large(3 * shardSize), bench.ManyFindings(3 * shardSize)} {
		sameEarly(t, src, Options{})
	}
}

// earlyProperty is a property whose name has n letters, with a member that is
// not known and one of the wrong type.
func earlyProperty(i, n int) string {
	return fmt.Sprintf(`{"property_id":"p%d","property_type":"website","name":"%s","stranger":1,`+
		`"identifiers":[{"type":"domain","value":"site%d.example"}],"tags":["a",1]},`, i, strings.Repeat("n", n), i)
}

func earlyProperties(from, to, n int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		b.WriteString(earlyProperty(i, n))
	}
	return b.String()
}

// TestEarlyShapes are files in which something about the list is unusual.
func TestEarlyShapes(t *testing.T) {
	t.Parallel()
	long, short := earlyProperties(0, 100, 500), earlyProperties(100, 600, 5)
	numbers := strings.Repeat("1,", 3000)
	tests := []struct{ name, src string }{
		{"more than expected", `{"properties":[` + long + short + `1]}`},
		{"fewer than expected", `{"properties":[` + short + `1],"x":"` + strings.Repeat("x", 1<<20) + `"}`},
		{"nodes move", `{"properties":[` + long + numbers + short + `1]}`},
		{"nodes move before", `{"x":["` + strings.Repeat("x", 9000) + `",` + numbers + `1],"properties":[` + long + short + `1]}`},
		{"twice", `{"properties":[` + long + `1],"properties":[` + short + `1]}`},
		{"twice, later not a list", `{"properties":[` + long + `1],"properties":{}}`},
		{"twice, first not a list", `{"properties":1,"properties":[` + long + `1]}`},
		{"twice, first empty", `{"properties":[],"properties":[` + long + `1]}`},
		{"pointer", `{"properties":[` + long + `1],"authoritative_location":"https://example.com/adagents.json"}`},
		{"short ones", `{"properties":[` + strings.Repeat(`{},`, 500) + `[]]}`},
		{"no objects", `{"properties":[` + numbers + `[],` + numbers + `[]]}`},
		{"nested", `{"contact":{"properties":[` + long + `1]},"properties":[{"properties":[` + long + `1]}]}`},
		{"other top level", `[[` + long + `1],{"properties":[` + short + `1]}]`},
		{"trailing text", `{"properties":[` + long + `1]}}`},
		{"trailing comma", `{"properties":[` + long + `]}`},
		{"byte order mark", "\xef\xbb\xbf" + `{"properties":[` + short + `1]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			sameEarly(t, []byte(tt.src), Options{})
			sameEarly(t, []byte(tt.src), Options{MaxValues: 2000})
		})
	}
}

// TestEarlyCut ends a file everywhere. The bubble makes the test fail if
// anything is left waiting.
func TestEarlyCut(t *testing.T) {
	t.Parallel()
	src := bytes.TrimSpace(bench.Small())
	synctest.Test(t, func(t *testing.T) {
		for n := 0; n < len(src); n += 5 {
			sameEarly(t, src[:n], Options{})
		}
	})
}

// TestEarlyStops makes sure that nobody works on once the report is there,
// whatever became of the file.
func TestEarlyStops(t *testing.T) {
	t.Parallel()
	list := earlyProperties(0, 2000, 5)
	for _, end := range []string{`1]}`, `1],"authoritative_location":"https://example.com/adagents.json"}`, `1]}}`, `1`, `1],"properties":[1]}`} {
		c := &run{batch: 1}
		c.check([]byte(`{"properties":[` + list + end))
		e := c.dec.early
		if !e.halt.Load() || !e.first.Exists() {
			t.Errorf("%q: halted %v, begun %v", end, e.halt.Load(), e.first.Exists())
		}
	}
}

// TestEarlyAllowance checks files that just about fit into the memory that is
// allowed. They must fit or not in whatever parts they are decoded.
func TestEarlyAllowance(t *testing.T) {
	t.Parallel()
	const n = 10_000
	one := `{"name":"` + strings.Repeat("n", 80) + `","identifiers":[1,1,1,1],"tags":["a"]},`
	src := []byte(`{"authorized_agents":[],"properties":[` + strings.Repeat(one, n-1) + strings.TrimSuffix(one, ",") + `]}`)
	var text string
	need := n * int(unsafe.Sizeof(Property{})+4*unsafe.Sizeof(Identifier{})+unsafe.Sizeof(text))
	for extra := -1; extra <= 1; extra++ {
		values := need/bytesPerValue + extra
		for _, batch := range []int{-1, 0, 1} {
			r := (&run{opt: Options{MaxValues: values}, batch: batch}).check(src)
			refused := len(r.Findings) == 1 && r.Findings[0].Code == "file.too_complex"
			if want := values*bytesPerValue < need; refused != want {
				t.Errorf("%d values, steps of %d: refused %v, want %v", values, batch, refused, want)
			}
		}
	}
}
