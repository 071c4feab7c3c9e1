package bench

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// inputs returns every generator under its file name, the families at a size
// small enough for a unit test.
func inputs() map[string]func() []byte {
	all := map[string]func() []byte{}
	for _, f := range Files() {
		all[f.Name] = f.Make
	}
	for _, f := range Families() {
		n := min(f.N, 300)
		all[f.Name] = func() []byte { return f.Make(n) }
	}
	return all
}

// digests pins the bytes: a figure recorded for an input is only comparable with
// an earlier one while its digest stays the same.
var digests = map[string]string{
	"deep_nesting.json":           "c9c90e13dece03ed2a93f40b",
	"distinct_keys.json":          "3f1573e1887806f5a5a0ea07",
	"duplicate_ids.json":          "5da8a95b95c13d99271e3cd0",
	"escaped_strings.json":        "722f3025c5fa9e7cf65a82ff",
	"hostile_array.json":          "9ccd051c0f667074ae03dfa7",
	"international_domains.json":  "6bb6ec64e04a7bd5f0aa990a",
	"large.json":                  "9e725cffa0b5e29bba62a6bf",
	"large19mb.json":              "22e1a5720e1efa98d675db53",
	"long_string.json":            "71d2cd12ef6c03121f93b95b",
	"many_agents.json":            "8a76838775aa36b9ee442da8",
	"many_domains_selectors.json": "91364988245a1f0e8077704f",
	"many_findings.json":          "4f6accd85edee60b71f1bd0b",
	"network3mb.json":             "53e17c69aebdf98a2543d527",
	"object_members.json":         "fc61219b5924b2894f221767",
	"publisher500.json":           "7dd8c7853f000c9fa3471181",
	"short_entries.json":          "472837bbbcfd120e5ded9c05",
	"small.json":                  "1d361e5a8d1d1ff8b4c384be",
	"tag_matrix.json":             "49164228398288ee7de0e44a",
	"unknown_members.json":        "b2afc0788e3f597d3b8e8d61",
	"wrong_items.json":            "8a019d55f9b56d5330f67748",
}

func TestBytesArePinned(t *testing.T) {
	t.Parallel()
	got := map[string]string{}
	for name, build := range inputs() {
		sum := sha256.Sum256(build())
		got[name] = hex.EncodeToString(sum[:12])
	}
	if diff := cmp.Diff(digests, got); diff != "" {
		t.Errorf("the inputs changed (-recorded +now):\n%s", diff)
	}
}

// TestValidJSON reads every input with duplicate member names refused.
func TestValidJSON(t *testing.T) {
	t.Parallel()
	for name, build := range inputs() {
		err := readAll(build())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func readAll(data []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	err := dec.SkipValue()
	if err != nil {
		return err
	}
	_, err = dec.ReadToken()
	if !errors.Is(err, io.EOF) {
		return errors.New("more than one value")
	}
	return nil
}

func TestSizes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		data     []byte
		low, top int
	}{
		{"small", Small(), 1_800, 3_500},
		{"publisher500", Publisher500(), 200_000, 400_000},
		{"network3mb", Network3MB(), 2_800_000, 3_500_000},
		{"large19mb", Large19MB(), 18_500_000, 19_500_000},
		{"hostile array", HostileArray(1_000_003), 1_000_003, 1_000_003},
		{"tiny hostile array", HostileArray(3), 2, 2},
		{"smallest filled hostile array", HostileArray(9), 9, 9},
		{"long string", LongString(100_000), 100_000, 101_000},
	}
	for _, tt := range tests {
		if len(tt.data) < tt.low || len(tt.data) > tt.top {
			t.Errorf("%s has %d bytes, want %d to %d", tt.name, len(tt.data), tt.low, tt.top)
		}
	}
}

// TestFamiliesScale makes sure that doubling the argument doubles (or
// quadruples) the file, since linearity is judged on that.
func TestFamiliesScale(t *testing.T) {
	t.Parallel()
	for _, f := range Families() {
		n := min(f.N, 10000)
		one, two := len(f.Make(n)), len(f.Make(2*n))
		low, top := 1.8, 2.1
		if f.Square {
			low, top = 3.4, 4.2
		}
		ratio := float64(two) / float64(one)
		if ratio < low || ratio > top {
			t.Errorf("%s: %d bytes at %d, %d at %d", f.Name, one, n, two, 2*n)
		}
	}
}

func TestDeepNestingDepth(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{1, 2, 3, 64, 65, 1000} {
		dec := jsontext.NewDecoder(bytes.NewReader(DeepNesting(depth)))
		deepest := 0
		for {
			_, err := dec.ReadToken()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			deepest = max(deepest, dec.StackDepth())
		}
		if deepest != depth {
			t.Errorf("DeepNesting(%d) is %d deep", depth, deepest)
		}
	}
}

// file is as much of a declaration file as the tests below look at.
type file struct {
	Properties []fileProperty      `json:"properties"`
	Tags       map[string]struct{} `json:"tags"`
	Agents     []fileAgent         `json:"authorized_agents"`
	Revoked    []struct {
		Domain string `json:"publisher_domain"`
	} `json:"revoked_publisher_domains"`
}

type fileProperty struct {
	ID          string                         `json:"property_id"`
	Name        string                         `json:"name"`
	Domain      string                         `json:"publisher_domain"`
	Identifiers []struct{ Type, Value string } `json:"identifiers"`
	Tags        []string                       `json:"tags"`
}

type fileAgent struct {
	URL       string   `json:"url"`
	IDs       []string `json:"property_ids"`
	Tags      []string `json:"property_tags"`
	Selectors []struct {
		Tags    []string `json:"property_tags"`
		Domains []string `json:"publisher_domains"`
	} `json:"publisher_properties"`
	Keys []struct{ Kid, Kty, X, Y string } `json:"signing_keys"`
}

func decode(t *testing.T, data []byte) file {
	t.Helper()
	var f file
	err := json.Unmarshal(data, &f)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var (
	idPattern     = regexp.MustCompile(`^[a-z0-9_]+$`)
	domainPattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$`)
)

// TestFilesAreClean checks what the checker would complain about first: ids and
// identifiers that occur twice, references that lead nowhere, and properties
// nobody sells.
func TestFilesAreClean(t *testing.T) {
	t.Parallel()
	for _, in := range Files() {
		t.Run(in.Name, func(t *testing.T) {
			t.Parallel()
			f := decode(t, in.Make())
			checkProperties(t, f)
			checkReach(t, f)
			checkKeys(t, f)
		})
	}
}

func checkProperties(t *testing.T, f file) {
	t.Helper()
	ids, identifiers, used := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, p := range f.Properties {
		if ids[p.ID] || !idPattern.MatchString(p.ID) {
			t.Errorf("property id %q is malformed or used twice", p.ID)
		}
		ids[p.ID] = true
		if !domainPattern.MatchString(p.Domain) {
			t.Errorf("publisher domain %q", p.Domain)
		}
		for _, v := range p.Identifiers {
			key := v.Type + "=" + v.Value
			if identifiers[key] {
				t.Errorf("identifier %s used twice", key)
			}
			identifiers[key] = true
			host := strings.TrimPrefix(v.Value, "*.")
			if strings.HasSuffix(v.Type, "domain") && !domainPattern.MatchString(host) {
				t.Errorf("identifier %s", key)
			}
		}
		for i, tag := range p.Tags {
			_, defined := f.Tags[tag]
			if !defined || slices.Contains(p.Tags[:i], tag) || !idPattern.MatchString(tag) {
				t.Errorf("%s: tag %q undefined, repeated or malformed", p.ID, tag)
			}
			used[tag] = true
		}
	}
	if len(used) != len(f.Tags) {
		t.Errorf("%d tags defined, %d used", len(f.Tags), len(used))
	}
}

// checkReach follows every reference of every agent and expects each to lead to
// a property, and each property to be led to.
func checkReach(t *testing.T, f file) {
	t.Helper()
	byID, byTag := map[string][]int{}, map[string][]int{}
	for i, p := range f.Properties {
		byID[p.ID] = append(byID[p.ID], i)
		byID["domain "+p.Domain] = append(byID["domain "+p.Domain], i)
		for _, tag := range p.Tags {
			byTag[tag] = append(byTag[tag], i)
		}
	}
	reached := make([]bool, len(f.Properties))
	follow := func(index map[string][]int, key string) {
		if len(index[key]) == 0 {
			t.Errorf("reference %q leads nowhere", key)
		}
		for _, i := range index[key] {
			reached[i] = true
		}
	}
	urls := map[string]bool{}
	for _, a := range f.Agents {
		if urls[a.URL] {
			t.Errorf("agent %s listed twice", a.URL)
		}
		urls[a.URL] = true
		for _, id := range a.IDs {
			follow(byID, id)
		}
		for _, tag := range a.Tags {
			follow(byTag, tag)
		}
		for _, s := range a.Selectors {
			for _, domain := range s.Domains {
				follow(byID, "domain "+domain)
			}
		}
	}
	for _, r := range f.Revoked {
		if len(byID["domain "+r.Domain]) > 0 {
			t.Errorf("revoked domain %s is still listed", r.Domain)
		}
	}
	if i := slices.Index(reached, false); i >= 0 {
		t.Errorf("property %d is not sold by anyone", i)
	}
}

// checkKeys makes sure that every pinned key is a usable public key.
func checkKeys(t *testing.T, f file) {
	t.Helper()
	for _, a := range f.Agents {
		if len(a.Keys) == 0 {
			t.Errorf("agent %s has no key", a.URL)
		}
		for _, k := range a.Keys {
			x, errX := base64.RawURLEncoding.DecodeString(k.X)
			y, errY := base64.RawURLEncoding.DecodeString(k.Y)
			if errX != nil || errY != nil {
				t.Fatalf("key %s: %v %v", k.Kid, errX, errY)
			}
			if k.Kty == "OKP" && len(x) == ed25519.PublicKeySize {
				continue
			}
			_, err := ecdh.P256().NewPublicKey(slices.Concat([]byte{4}, x, y))
			if err != nil {
				t.Errorf("key %s: %v", k.Kid, err)
			}
		}
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name                     string
		data                     []byte
		properties, tags, agents int
	}{
		{"small", Small(), 2, 1, 2},
		{"publisher500", Publisher500(), 500, 10, 4},
		{"network3mb", Network3MB(), 6843, 1, 1},
		{"large", Large(600), 600, 120, 50},
		{"many findings", ManyFindings(7), 8, 1, 1},
		{"duplicate ids", DuplicateIDs(7), 7, 1, 1},
		{"many agents", ManyAgents(7), 8, 8, 7},
		{"tag matrix", TagMatrix(7), 7, 7, 7},
		{"escaped strings", EscapedStrings(7), 7, 1, 1},
	}
	for _, tt := range tests {
		f := decode(t, tt.data)
		got := []int{len(f.Properties), len(f.Tags), len(f.Agents)}
		if diff := cmp.Diff([]int{tt.properties, tt.tags, tt.agents}, got); diff != "" {
			t.Errorf("%s: properties, tags, agents (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestDuplicatesAreIntended looks at the one input that repeats an id on purpose.
func TestDuplicatesAreIntended(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range decode(t, DuplicateIDs(50)).Properties {
		if p.ID != "site" || seen[p.Identifiers[0].Value] {
			t.Errorf("property %+v: want the shared id with content of its own", p)
		}
		seen[p.Identifiers[0].Value] = true
	}
}

// TestSpelling counts the names outside ASCII and the escapes in the large file,
// because the share of each decides what the string path costs.
func TestSpelling(t *testing.T) {
	t.Parallel()
	const n = 10000
	data := Large(n)
	foreign := 0
	for _, p := range decode(t, data).Properties {
		if strings.ContainsFunc(p.Name, func(r rune) bool { return r > 0x7f }) {
			foreign++
		}
	}
	escaped := bytes.Count(data, []byte(`\u0026`))
	if foreign < n*3/100 || foreign > n*5/100 {
		t.Errorf("%d of %d names are not ASCII", foreign, n)
	}
	if escaped < n*7/1000 || escaped > n*13/1000 {
		t.Errorf("%d of %d names have escapes", escaped, n)
	}
}

func TestEscapedStringsDecode(t *testing.T) {
	t.Parallel()
	data := EscapedStrings(3)
	if bytes.Contains(data, []byte("😀")) || !bytes.Contains(data, []byte(`"\u006eame":"`)) {
		t.Error("a string is spelled without escapes")
	}
	for i, want := range []string{"é😀 0", "é😀 1", "é😀 2"} {
		if got := decode(t, data).Properties[i].Name; got != want {
			t.Errorf("name %d is %q, want %q", i, got, want)
		}
	}
}
