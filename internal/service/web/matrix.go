package web

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// A matrix shows who may sell what: entries by properties or, where there are many, agents
// by tags.
type matrix struct {
	// Columns are properties or tags; Counted tells that cells have numbers.
	Columns []column
	Counted bool
	Rows    []matrixRow
	// Properties and Entries are how many there are; MoreColumns and MoreRows are not shown.
	// Left are entries of the list that are left out because of a fault.
	Properties, Entries, MoreColumns, MoreRows, Left int
	Conflicts                                        []string
	// All is where programs read all of it.
	All string
}

type column struct {
	Name, Note string
	// Claimed: another publisher lists the property as its own.
	Claimed bool
}

type matrixRow struct {
	Agent, Entry, When, Where string
	// What is what the entry authorizes and For what it says about that; Path is its relationship to
	// the publisher and Keys are the keys that it pins.
	What, For, Path, Keys string
	// Nothing says why the entry has no effect, with the code of the rule.
	Nothing, Code string
	Exclusive     bool
	Cells         []matrixCell
	// Ask leads to a question about the agent, and URL to the page about it.
	Ask, URL string
}

// matrixCell is empty, covers, or is in conflict with another.
type matrixCell struct{ Class, Text string }

// Sizes of a matrix.
const (
	mostColumns = 10
	mostEntries = 40
	// mostCounted is the number of agents that are counted where there are many properties,
	// and mostWork about how many properties are compared for all of them together.
	mostCounted, fewestCounted = 20, 3
	mostWork                   = 300_000
)

// matrixOf draws a document; nil when there is none in effect.
func matrixOf(doc *resolve.Document, now time.Time, p *pen) *matrix {
	if doc.State != resolve.Usable {
		return nil
	}
	owned := resolve.Owned(doc)
	m := &matrix{Properties: len(owned), Entries: len(doc.File.Agents),
		All: "/api/registry/publisher?" + url.Values{"domain": {doc.Publisher}}.Encode()}
	m.Left = doc.File.Raw.Get("authorized_agents").Len() - m.Entries
	subject := resolve.NewSubject(doc)
	if len(owned) <= mostColumns {
		m.byProperty(doc, &subject, owned, now, p)
	} else {
		m.byTag(doc, &subject, owned, now, p)
	}
	return m
}

// entryRow is what an entry says besides what it covers.
func entryRow(doc *resolve.Document, a *adagents.Agent, now time.Time, p *pen) matrixRow {
	row := matrixRow{
		Agent: p.url(a.URL), When: p.took(cmp.Or(windowOf(a), "always")), Where: p.took(cmp.Or(narrowed(a), "anywhere")),
		Exclusive: a.Exclusive,
		What:      p.took(scopeOf(a)), For: p.words(a.AuthorizedFor), Path: p.took(shortened(a.DelegationType, longestItem)),
		Keys: p.took(keysOf(a)),
	}
	if row.Agent == a.URL && doc.Publisher != "" {
		row.Ask, row.URL = askURL([][2]string{{"publisher", doc.Publisher}, {"agent", a.URL}}), agentURL(a.URL)
	}
	from, begins := a.EffectiveFrom.Time()
	until, ends := a.EffectiveUntil.Time()
	switch {
	case a.Inert():
		row.Nothing, row.Code = "the entry has no effect", a.InertCode()
	case begins && now.Before(from):
		row.Nothing = "it has not begun"
	case ends && now.After(until):
		row.Nothing = "it has ended"
	}
	return row
}

// byProperty has a row for each entry and a column for each property. The evaluator that
// answers questions says which entry covers what.
func (m *matrix) byProperty(doc *resolve.Document, s *resolve.Subject, owned []*adagents.Property, now time.Time,
	p *pen) {
	var covered []map[int32]bool
	for _, x := range owned {
		if x.ID == "" {
			m.MoreColumns++
			continue
		}
		m.Columns = append(m.Columns, column{Name: p.line(x.ID, longestItem), Note: p.line(x.Name, longestItem)})
		entries := map[int32]bool{}
		claims := s.Claims(doc.Publisher, x.ID)
		for i := range claims {
			entries[claims[i].Entry] = true
		}
		covered = append(covered, entries)
		m.conflict(claims, x, p)
	}
	for i := range doc.File.Agents {
		if len(m.Rows) == mostEntries || p.dry() {
			m.MoreRows = len(doc.File.Agents) - i
			break
		}
		a := &doc.File.Agents[i]
		row := entryRow(doc, a, now, p)
		n := entryIndex(a)
		row.Entry = entryNumber(n)
		for _, entries := range covered {
			cell := matrixCell{}
			switch {
			case entries[int32(n)] && row.Nothing != "": //nolint:gosec // a list has no more entries than a file has bytes
				cell = matrixCell{"off", "not now"}
			case entries[int32(n)]: //nolint:gosec // as above
				cell = matrixCell{"on", "yes"}
			}
			row.Cells = append(row.Cells, cell)
		}
		m.Rows = append(m.Rows, row)
	}
}

// entryIndex is the index of an entry in authorized_agents.
func entryIndex(a *adagents.Agent) int {
	pointer := a.Pointer()
	n, err := strconv.Atoi(pointer[strings.LastIndexByte(pointer, '/')+1:])
	if err != nil {
		return -1
	}
	return n
}

// entryNumber is the number of an entry as people count, from its place in the list.
func entryNumber(n int) string { return "entry " + strconv.Itoa(n+1) }

// conflict takes note of an agent that is called the only one beside another.
func (m *matrix) conflict(claims []resolve.Claim, x *adagents.Property, p *pen) {
	for i := range claims {
		c := &claims[i]
		if !c.Exclusive {
			continue
		}
		others := 0
		for j := range claims {
			if claims[j].Agent != c.Agent && overlap(c, &claims[j]) {
				others++
			}
		}
		if others > 0 && len(m.Conflicts) < mostItems {
			m.Conflicts = append(m.Conflicts, p.line(c.Agent, longestText)+" is called the only one for "+
				p.line(x.ID, longestItem)+", and "+
				words.Plural(others, "other entry covers", "other entries cover")+" it at the same time"+where(c)+".")
		}
	}
}

// where says that a contradiction may be none.
func where(c *resolve.Claim) string {
	if c.Limits == 0 {
		return ""
	}
	return ", unless what they are limited to differs"
}

// overlap reports whether two entries hold at the same time.
func overlap(a, b *resolve.Claim) bool {
	return (a.Until.IsZero() || !b.From.After(a.Until)) && (b.Until.IsZero() || !a.From.After(b.Until))
}

// byTag has a row for each agent and a column for each of the most frequent tags, with how
// many properties the agent's entries select.
func (m *matrix) byTag(doc *resolve.Document, s *resolve.Subject, owned []*adagents.Property, now time.Time, p *pen) {
	m.Counted = true
	tags, totals := frequentTags(owned)
	m.MoreColumns = max(0, len(totals)-len(tags))
	m.Columns = append(m.Columns, column{Name: "all", Note: words.Thousands(len(owned))})
	for _, tag := range tags {
		m.Columns = append(m.Columns, column{Name: p.line(tag, longestItem), Note: words.Thousands(totals[tag])})
	}
	has := make(map[string]uint16, len(owned))
	for _, x := range owned {
		bits := uint16(1)
		for j, tag := range tags {
			if slices.Contains(x.Tags, tag) {
				bits |= 2 << j
			}
		}
		has[x.ID] = bits
	}
	most := max(fewestCounted, min(mostCounted, mostWork/len(owned)))
	seen := map[string]bool{}
	var hosts hostname.Memo
	for i := range doc.File.Agents {
		a := &doc.File.Agents[i]
		agent, _, err := hosts.CanonicalURL(a.URL)
		if err != nil || seen[agent] {
			continue
		}
		if len(m.Rows) == most || p.dry() {
			m.MoreRows = len(doc.File.Agents) - i
			break
		}
		seen[agent] = true
		row := entryRow(doc, a, now, p)
		sold := s.Row(doc.Publisher, agent, now)
		row.Cells = countedCells(slices.Concat(sold.Authorized, sold.Conditional), has, len(m.Columns))
		m.Rows = append(m.Rows, row)
	}
}

// frequentTags are the tags that most properties have, and how many have each of all tags.
func frequentTags(owned []*adagents.Property) ([]string, map[string]int) {
	totals := map[string]int{}
	for _, x := range owned {
		for _, tag := range x.Tags {
			totals[tag]++
		}
	}
	tags := slices.Collect(maps.Keys(totals))
	slices.SortFunc(tags, func(a, b string) int { return cmp.Or(cmp.Compare(totals[b], totals[a]), cmp.Compare(a, b)) })
	return tags[:min(len(tags), mostColumns-1)], totals
}

// countedCells count what an agent's entries select, in each of the columns. has tells the
// columns that a property belongs to, as bits.
func countedCells(ids []string, has map[string]uint16, columns int) []matrixCell {
	counts := make([]int, columns)
	for _, id := range ids {
		bits := has[id]
		for j := range counts {
			counts[j] += int(bits >> j & 1)
		}
	}
	cells := make([]matrixCell, columns)
	for i, n := range counts {
		if n > 0 {
			cells[i] = matrixCell{"on", words.Thousands(n)}
		}
	}
	return cells
}
