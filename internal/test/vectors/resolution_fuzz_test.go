package vectors_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/conformance"
	"github.com/avow-project/avow/internal/test/vectors"
)

// FuzzParseCase writes what was read, which must be read as the same again: nothing of
// a case is lost or taken for something else.
func FuzzParseCase(f *testing.F) {
	f.Add([]byte(sampleCase))
	entries, err := conformance.Files.ReadDir("resolution")
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		archive, err := conformance.Files.ReadFile("resolution/" + e.Name())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(archive)
	}
	f.Fuzz(func(t *testing.T, archive []byte) {
		c, err := vectors.ParseCase("n", archive)
		if err != nil {
			return
		}
		text := writeCase(c)
		again, err := vectors.ParseCase("n", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(c, again); diff != "" {
			t.Errorf("%s\n%s", diff, text)
		}
	})
}

// lines collects the text of an archive.
type lines struct{ strings.Builder }

func (l *lines) add(format string, args ...any) { fmt.Fprintf(l, format+"\n", args...) }

// key writes a line for each value that is not empty.
func (l *lines) key(name string, values ...string) {
	for _, v := range values {
		if v != "" {
			l.add("%s: %s", name, v)
		}
	}
}

// pairs writes a line for each pair. A first part that is empty is told by the
// separator behind it.
func (l *lines) pairs(name, separator string, list [][2]string) {
	for _, p := range list {
		value := p[0] + separator + p[1]
		if p[0] != "" && p[1] == "" {
			value = p[0]
		}
		l.key(name, value)
	}
}

func writeCase(c *vectors.Case) string {
	l := new(lines)
	l.add("%s", c.Summary)
	written := map[string]bool{}
	var sources lines
	for _, publisher := range slices.Sorted(maps.Keys(c.Sources)) {
		s := c.Sources[publisher]
		mirror := ""
		if s.MirrorURL != "" {
			mirror = " mirror " + strings.TrimSuffix(strings.TrimPrefix(s.MirrorURL, "https://"), "/adagents.json")
		}
		if s.State != "file" {
			sources.key(publisher, s.State+mirror)
			continue
		}
		owner := strings.TrimSuffix(strings.TrimPrefix(s.URL, "https://"), "/.well-known/adagents.json")
		text := s.Method + " " + owner
		if len(s.Held) > 0 {
			text += " held " + strings.Join(s.Held, " ")
		}
		if s.Replaced {
			text += " replaced"
		}
		sources.key(publisher, text+mirror)
		if !written[owner] {
			written[owner] = true
			l.add("-- %s.json --", owner)
			l.Write(s.JSON) // it ends with a line break if there is anything
		}
	}
	if c.Brand != nil {
		l.add("-- brand --")
		l.Write(c.Brand)
	}
	l.add("-- sources --\n%s-- question --", sources.String())
	writeAsk(l, &c.Ask)
	l.add("-- want --")
	writeOutcome(l, &c.Want)
	return l.String()
}

func writeAsk(l *lines, q *vectors.Ask) {
	l.add("%s %s", q.Verb, strings.Join(q.Args, " "))
	l.key("property", q.Property)
	if q.IdentifierType != "" {
		l.key("identifier", q.IdentifierType+"="+q.IdentifierValue)
	}
	l.key("property_type", q.PropertyType)
	l.key("placement", q.Placements...)
	l.pairs("collection", "/", q.Collections)
	l.key("signal", q.Signal)
	l.key("country", q.Country)
	l.key("at", q.At.Format(time.RFC3339Nano))
	l.key("inline", fmt.Sprint(q.Inline))
}

func writeOutcome(l *lines, o *vectors.Outcome) {
	l.key("error", o.Error)
	l.key("verdict", o.Verdict)
	l.key("needs", strings.Join(o.Needs, " "))
	l.key("reasons", strings.Join(o.Reasons, " "))
	l.key("entry", o.Entries...)
	for _, id := range slices.Sorted(maps.Keys(o.Placements)) {
		l.key("placement", id+"="+o.Placements[id])
	}
	l.key("exclusive", o.Exclusive...)
	l.key("property", o.Properties...)
	l.key("signal", o.Signals...)
	l.key("publisher", o.Publishers...)
	l.key("diverging", o.Diverging...)
	l.key("match", o.Match)
	l.key("canonical", o.Canonical)
	l.key("same", o.Same)
	l.key("near", o.Near)
	l.key("format", o.Formats...)
	l.key("agreement", o.Agreement)
	l.key("brand", o.Brand)
	l.key("relationship", o.Relationships...)
}
