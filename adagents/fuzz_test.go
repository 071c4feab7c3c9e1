package adagents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/bench"
	"github.com/avow-project/avow/internal/std/textedit"
)

// FuzzCheck holds Check to what its report promises, on any bytes.
func FuzzCheck(f *testing.F) {
	for i, src := range checkSeeds() {
		f.Add(src, uint8(i))
	}
	codes := make(map[string]bool)
	for _, r := range Rules() {
		codes[r.Code] = true
	}
	f.Fuzz(func(t *testing.T, src []byte, mode uint8) {
		if len(src) > 1<<16 {
			return
		}
		opt := fuzzOptions(mode)
		r := Check(src, opt)
		checkReport(t, r)
		for i := range r.Findings {
			if !codes[r.Findings[i].Code] {
				t.Errorf("no rule has the code %q", r.Findings[i].Code)
			}
			checkFinding(t, src, r, &r.Findings[i])
		}
		again := Check(src, opt)
		if !reflect.DeepEqual(r.Findings, again.Findings) || !reflect.DeepEqual(r.Skipped, again.Skipped) {
			t.Error("checking again gives another report")
		}
	})
}

// FuzzRepair applies any of the fixes that are offered, for any bytes.
func FuzzRepair(f *testing.F) {
	for i, src := range checkSeeds() {
		f.Add(src, uint8(i), []byte{byte(i), 1, 2})
	}
	f.Fuzz(func(t *testing.T, src []byte, mode uint8, picks []byte) {
		if len(src) > 1<<14 || len(picks) == 0 {
			return
		}
		opt := RepairOptions{Options: fuzzOptions(mode), Choose: func(_ []byte, f *Finding) int {
			at := crc32.ChecksumIEEE([]byte(f.Code + f.Pointer))
			return int(picks[at%uint32(len(picks))])%(len(f.Fixes)+1) - 1
		}}
		done := Repair(src, opt)
		checkRepaired(t, src, done)
		checkReport(t, done.After)
		checkRepaired(t, done.Text, Repair(done.Text, opt))
	})
}

// TestCheckSeeds runs the same checks on the seeds under every mode, so that
// an ordinary test run covers all combinations.
func TestCheckSeeds(t *testing.T) {
	t.Parallel()
	for i, src := range checkSeeds() {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			for mode := range uint8(16) {
				r := Check(src, fuzzOptions(mode))
				checkReport(t, r)
				for k := range r.Findings {
					checkFinding(t, src, r, &r.Findings[k])
				}
			}
		})
	}
}

// TestCheckMutants puts a value of another type, or none, in place of every
// single value of good files. Bytes drawn by chance seldom stay JSON, so this
// is what finds rules that take a type for granted.
func TestCheckMutants(t *testing.T) {
	t.Parallel()
	seeds := map[Part]string{InFile: string(bench.Small())}
	for _, r := range Rules() {
		if _, ok := templates[r.In]; ok && len(r.Good) > len(seeds[r.In]) && len(r.Good) < 1500 {
			seeds[r.In] = r.Good
		}
	}
	for in, fragment := range seeds {
		t.Run(fmt.Sprint(in), func(t *testing.T) {
			t.Parallel()
			var root any
			err := json.Unmarshal(Example(in, fragment), &root)
			if err != nil {
				t.Fatal(err)
			}
			mode := uint8(0)
			mutate(root, func() {
				src, err := json.Marshal(root)
				if err != nil {
					t.Fatal(err)
				}
				mode++
				r := Check(src, fuzzOptions(mode))
				checkReport(t, r)
				for i := range r.Findings {
					checkFinding(t, src, r, &r.Findings[i])
				}
				if in == InFile || in == InProperty || in == InIdentifier {
					sameWithoutFastPath(t, src, fuzzOptions(mode))
				}
				if t.Failed() {
					t.Fatalf("%s", src)
				}
			})
		})
	}
}

// mutate calls yield once for every change it makes to a value below v, and
// takes each change back.
func mutate(v any, yield func()) {
	others := []any{nil, true, 7.5, "", "x", []any{}, []any{nil}, map[string]any{}, map[string]any{"id": []any{}}}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			old := v[name]
			delete(v, name)
			yield()
			for _, other := range others {
				v[name] = other
				yield()
			}
			v[name] = old
			mutate(old, yield)
		}
	case []any:
		for i, old := range v {
			for _, other := range others {
				v[i] = other
				yield()
			}
			v[i] = old
			mutate(old, yield)
		}
	}
}

func checkSeeds() [][]byte {
	var seeds [][]byte
	for _, r := range Rules() {
		seeds = append(seeds, Example(r.In, r.Bad), Example(r.In, r.Good))
	}
	seeds = append(seeds, bench.Small(),
		bench.DuplicateIDs(3), bench.EscapedStrings(3), bench.ManyAgents(3), bench.ManyDomainsSelectors(2),
		bench.TagMatrix(3), bench.ManyFindings(3), bench.DeepNesting(20), bench.DeepNesting(80), bench.HostileArray(60))
	for _, s := range []string{
		"", " ", "\xef\xbb\xbf{}", "null", "[]", `{"":{"":""}}`, "{\"a\":\"\xff\"}", "\xff\xfe{\x00}\x00",
		`{"authorized_agents":[{}],"authorized_agents":[[]],"properties":[{"identifiers":[{}]}]}`,
		`{"authorized_agents":{},"properties":"x","signals":[1,[],{"id":{}}],"tags":{"a/b~c":1}}`,
		"{\"authorized_agents\":[\n{\"url\":\"é中\U0001f600\",\n\t\"x\":1}]}",
	} {
		seeds = append(seeds, []byte(s))
	}
	return seeds
}

// fuzzOptions spreads the bits of mode over the options.
func fuzzOptions(mode uint8) Options {
	opt := Options{Profile: Profile(mode & 1), Role: Role(mode >> 1 & 3)}
	if mode&8 != 0 {
		opt.Now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		opt.Domain = "example.com"
		opt.URL = "https://example.com/.well-known/adagents.json"
		opt.Scopes = []string{"create_media_buy"}
		opt.Relationships = map[string]string{"https://agent.example/mcp": "owned"}
	}
	return opt
}

func checkReport(t *testing.T, r *Report) {
	t.Helper()
	outcomes := 0
	for _, set := range []bool{r.File != nil, r.Pointer != nil, r.Unusable != nil} {
		if set {
			outcomes++
		}
	}
	if outcomes != 1 {
		t.Errorf("%d of File, Pointer and Unusable are set", outcomes)
	}
	if r.Valid() != (r.Count(Error) == 0) || r.Valid() != (r.Err() == nil) {
		t.Errorf("valid %v with %d errors and %v", r.Valid(), r.Count(Error), r.Err())
	}
	if r.Unusable != nil && (r.Valid() || len(r.Unusable.Findings) == 0) {
		t.Error("an unusable file without a reason")
	}
	if r.Tree() == nil && r.Unusable == nil {
		t.Error("no tree, but usable")
	}
	later := r.Findings
	if r.AuthorizesNobody() {
		later = later[1:] // the first one stands there wherever it is about
	}
	for i := 1; i < len(later); i++ {
		if later[i-1].Offset > later[i].Offset {
			t.Errorf("findings %d and %d are out of order", i-1, i)
		}
	}
	for _, s := range r.Skipped {
		if !resolves(r, s.Pointer) {
			t.Errorf("skipped %q is not in the file", s.Pointer)
		}
		if s.Code == "" || s.Reason == "" {
			t.Errorf("skipped %q without a reason", s.Pointer)
		}
	}
}

func checkFinding(t *testing.T, src []byte, r *Report, f *Finding) {
	t.Helper()
	if f.Offset < 0 || f.Length < 0 || f.Offset+f.Length > len(src) {
		t.Errorf("%s: bytes %d+%d of %d", f.Code, f.Offset, f.Length, len(src))
		return
	}
	if line, column := place(src, f.Offset); line != f.Line || column != f.Column {
		t.Errorf("%s: %d:%d, but byte %d is at %d:%d", f.Code, f.Line, f.Column, f.Offset, line, column)
	}
	if f.Message == "" || strings.HasSuffix(f.Message, ".") || f.Spec == "" || f.Severity < Info || f.Severity > Error {
		t.Errorf("%s: incomplete finding %+v", f.Code, f)
	}
	if !resolves(r, f.Pointer) && !resolvesButLast(r, f.Pointer) {
		t.Errorf("%s: pointer %q leads nowhere", f.Code, f.Pointer)
	}
}

// place counts line and column anew, from the start of the source.
func place(src []byte, offset int) (int, int) {
	before := bytes.TrimPrefix(src[:offset], []byte("\xef\xbb\xbf"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return 1 + bytes.Count(before, []byte("\n")), column
}

// resolves reports whether the pointer names a value. Of duplicate members
// only the last can be named, so such files are not held to it.
func resolves(r *Report, pointer string) bool {
	if r.Tree() == nil {
		return pointer == ""
	}
	_, ok := r.Tree().Lookup(pointer)
	return ok || len(r.Tree().Duplicates()) > 0
}

// resolvesButLast reports whether the pointer names an absent member of an
// object that is there.
func resolvesButLast(r *Report, pointer string) bool {
	i := strings.LastIndexByte(pointer, '/')
	if r.Tree() == nil || i < 0 {
		return false
	}
	owner, ok := r.Tree().Lookup(pointer[:i])
	return ok && owner.Is(Object)
}

// checkRepaired holds a repair to what it promises about the text.
func checkRepaired(t *testing.T, src []byte, done *Repaired) {
	t.Helper()
	plain := make([]Edit, len(done.Changes))
	for i := range done.Changes {
		plain[i] = done.Changes[i].Edit
		if len(done.Changes[i].Fixes) == 0 {
			t.Errorf("a change at byte %d comes from no fix", plain[i].Start)
		}
	}
	text, err := textedit.Apply(src, plain)
	if err != nil || !bytes.Equal(text, done.Text) {
		t.Errorf("the changes do not make the text: %v\n%q\n%q", err, text, done.Text)
	}
	if (done.Before.Tree() != nil || len(done.Applied) > 0) && done.After.Tree() == nil {
		t.Errorf("the result is not JSON: %q", done.Text)
	}
	if len(done.Applied) == 0 && !bytes.Equal(src, done.Text) {
		t.Error("no fix was applied, and the text is another")
	}
}
