package spell

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var members = []string{
	"$schema", "authorized_agents", "properties", "property_ids", "property_tags", "collections", "contact",
	"last_updated", "signals", "signal_ids", "signal_tags", "tags", "url", "name", "placements", "formats",
	"authoritative_location", "publisher_domain", "publisher_domains", "signing_keys", "encryption_keys",
}

func TestNearest(t *testing.T) {
	t.Parallel()
	tests := []struct {
		word  string
		max   int
		want  string
		found bool
	}{
		{"authorised_agents", 2, "authorized_agents", true},
		{"authorized_agent", 2, "authorized_agents", true},
		{"Authorized_Agents", 2, "authorized_agents", true},
		{"authorizedagents", 2, "authorized_agents", true},
		{"authorizedAgents", 2, "authorized_agents", true},
		{"authorized-agents", 2, "authorized_agents", true},
		{"auhtorized_agents", 2, "authorized_agents", true},
		{"auhtorised_agents", 2, "authorized_agents", true},
		{"auhtorised_agent", 2, "", false},
		{"auhtorized_agents", 0, "", false},
		{"AUTHORIZED_AGENTS", 0, "authorized_agents", true},
		{"contact", 2, "contact", true},
		{"propertys", 2, "properties", true},
		{"propertis", 1, "properties", true},
		{"publisher_domian", 2, "publisher_domain", true},
		{"publisher_domainz", 2, "publisher_domain", true},
		{"signal_id", 2, "signal_ids", true},
		{"schema", 2, "$schema", true},
		{"urls", 2, "url", true},
		{"uri", 2, "url", true},
		{"ur", 2, "", false},
		{"u", 2, "", false},
		{"tgas", 2, "tags", true},
		{"nmae", 2, "name", true},
		{"nnnn", 2, "", false},
		{"", 2, "", false},
		{"contact", -1, "", false},
		{"contakt", 9, "contact", true},
		{strings.Repeat("a", 65), 2, "", false},
	}
	index := New(members)
	for _, tt := range tests {
		got, found := Nearest(tt.word, members, tt.max)
		if got != tt.want || found != tt.found {
			t.Errorf("Nearest(%q, %d) = %q, %v, want %q, %v", tt.word, tt.max, got, found, tt.want, tt.found)
		}
		got, found = index.Nearest(tt.word, tt.max)
		if got != tt.want || found != tt.found {
			t.Errorf("Index.Nearest(%q, %d) = %q, %v, want %q, %v", tt.word, tt.max, got, found, tt.want, tt.found)
		}
	}
}

func TestTiesDoNotDependOnOrder(t *testing.T) {
	t.Parallel()
	tests := []struct {
		word  string
		known []string
		want  string
	}{
		{"formaz", []string{"format", "formal"}, "formal"},
		{"cords", []string{"words", "cards"}, "cards"},
		{"titles", []string{"title", "Titles"}, "Titles"},
		{"namee", []string{"nam", "name"}, "name"},
	}
	for _, tt := range tests {
		for _, known := range [][]string{tt.known, {tt.known[1], tt.known[0]}} {
			if got, _ := Nearest(tt.word, known, 2); got != tt.want {
				t.Errorf("Nearest(%q, %q) = %q, want %q", tt.word, known, got, tt.want)
			}
			if got, _ := New(known).Nearest(tt.word, 2); got != tt.want {
				t.Errorf("New(%q).Nearest(%q) = %q, want %q", known, tt.word, got, tt.want)
			}
		}
	}
}

// reference is the textbook recursion, without rows, bounds or early exits.
func reference(a, b string) int {
	table := map[[2]int]int{}
	var d func(i, j int) int
	d = func(i, j int) int {
		if i == 0 || j == 0 {
			return i + j
		}
		key := [2]int{i, j}
		if v, ok := table[key]; ok {
			return v
		}
		cost := 1
		if a[i-1] == b[j-1] {
			cost = 0
		}
		v := min(d(i-1, j)+1, d(i, j-1)+1, d(i-1, j-1)+cost)
		if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
			v = min(v, d(i-2, j-2)+1)
		}
		table[key] = v
		return v
	}
	return d(len(a), len(b))
}

func TestDistanceAgainstReference(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[a-c]{0,9}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		limit := rapid.IntRange(0, 4).Draw(t, "limit")
		want := min(reference(a, b), limit+1)
		if got := distance(a, b, limit); got != want {
			t.Fatalf("distance(%q, %q, %d) = %d, want %d", a, b, limit, got, want)
		}
	})
}

// The index must give the answer of the plain search, and the plain search must
// give the answer of the definition.
func TestNearestAgainstDefinition(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[a-d_]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		w, known := word.Draw(t, "word"), rapid.SliceOf(word).Draw(t, "known")
		limit := rapid.IntRange(0, 2).Draw(t, "max")
		lowest := limit + 1
		for _, k := range known {
			if d := reference(w, k); 2*d < len(w) {
				lowest = min(lowest, d)
			}
		}
		got, found := Nearest(w, known, limit)
		if found != (lowest <= limit) || found && reference(w, got) != lowest {
			t.Fatalf("Nearest(%q, %q, %d) = %q, %v, want distance %d", w, known, limit, got, found, lowest)
		}
		viaIndex, ok := New(known).Nearest(w, limit)
		if viaIndex != got || ok != found {
			t.Fatalf("index gives %q, %v, plain search %q, %v", viaIndex, ok, got, found)
		}
	})
}

func TestIndexWorkIsBounded(t *testing.T) {
	t.Parallel()
	known := make([]string, 3*maxCandidates)
	for i := range known {
		known[i] = fmt.Sprintf("%016d", i)
	}
	index := New(known)
	if _, found := index.Nearest(known[0][:15]+"x", 2); !found {
		t.Error("a word near the start of the index was not found")
	}
	if got, found := index.Nearest("zzzzzzzzzzzzzzzz", 2); found {
		t.Errorf("found %q for an unrelated word", got)
	}
}

func TestNearestDoesNotAllocate(t *testing.T) {
	index := New(members)
	got := testing.AllocsPerRun(100, func() {
		_, _ = Nearest("Authorised_agnets", members, 2)
		_, _ = index.Nearest("Authorised_agnets", 2)
	})
	if got != 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}

func FuzzNearest(f *testing.F) {
	f.Add("authorised", "authorized", 2)
	f.Add("\xff\xfe\x00", "\xff\x00\xfe", 1)
	f.Add("", "", 0)
	f.Fuzz(func(t *testing.T, word, known string, max int) {
		got, found := Nearest(word, []string{known}, max)
		if found && (got != known || len(word) > MaxLength || abs(len(word)-len(known)) > MaxDistance) {
			t.Errorf("Nearest(%q, %q, %d) = %q", word, known, max, got)
		}
		viaIndex, ok := New([]string{known}).Nearest(word, max)
		if ok != found || viaIndex != got {
			t.Errorf("index gives %q, %v, plain search %q, %v", viaIndex, ok, got, found)
		}
	})
}

func BenchmarkIndexMiss(b *testing.B) {
	index := New(members)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = index.Nearest("x_unknown_extension", 2)
	}
}
