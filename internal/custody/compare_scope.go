package custody

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// A selection is one thing that an entry selects.
type selection struct {
	// how says by what; id is that.
	how, id string
	// federated is set for what is selected of a publisher, domain.
	federated bool
	domain    string
}

// publisherPrefix begins the texts of selections that are about a publisher.
const publisherPrefix = "publisher "

func (s selection) text() string {
	if s.federated {
		return publisherPrefix + s.domain + " " + s.how + s.id
	}
	return s.how + s.id
}

// selected returns the texts of what an entry selects, as a sorted set.
func (c *comparer) selected(a *adagents.Agent) []string {
	var out []string
	add := func(s selection) { out = append(out, s.text()) }
	c.inFile(a, add)
	c.ofPublishers(a.Selectors, add)
	return setOf(out)
}

// inFile calls add for what an entry selects other than by publisher.
func (c *comparer) inFile(a *adagents.Agent, add func(selection)) {
	each("property ", a.PropertyIDs, add)
	each("property tag ", a.PropertyTags, add)
	each("signal ", a.SignalIDs, add)
	each("signal tag ", a.SignalTags, add)
	for i := range a.Properties {
		p := &a.Properties[i]
		add(selection{how: "inline ", id: c.keyOf(p).owner + " " + p.ID + " " + identifiersOf(p)})
	}
}

func each(how string, ids []string, add func(selection)) {
	for _, id := range ids {
		add(selection{how: how, id: id})
	}
}

// ofPublishers calls add for what selectors select, each publisher by itself included.
func (c *comparer) ofPublishers(list []adagents.Selector, add func(selection)) {
	for i := range list {
		s := &list[i]
		byID, byTag, all := s.SelectionType+" id ", s.SelectionType+" tag ", s.SelectionType+" "
		for _, text := range publishersOf(s) {
			domain := c.domain(text)
			for _, id := range s.PropertyIDs {
				add(selection{byID, id, true, domain})
			}
			for _, tag := range s.PropertyTags {
				add(selection{byTag, tag, true, domain})
			}
			add(selection{all, "", true, domain})
		}
	}
}

// A scopeChange is how what two entries select differs.
type scopeChange struct {
	// before and after are how much each of them selects.
	before, after int
	// added and removed are the texts of what only one of them selects, sorted.
	added, removed []string
}

// scopes compares what two entries select. Selectors that both have are looked at once.
func (c *comparer) scopes(old, next *adagents.Agent) scopeChange {
	const before, after, both = 1, 2, 3
	in := map[selection]uint8{}
	mark := func(where uint8) func(selection) { return func(s selection) { in[s] |= where } }
	was, is := old.Selectors, next.Selectors
	first, last := equalEnds(was, is, sameSelector)
	c.ofPublishers(was[:first], mark(both))
	c.ofPublishers(was[len(was)-last:], mark(both))
	c.ofPublishers(was[first:len(was)-last], mark(before))
	c.ofPublishers(is[first:len(is)-last], mark(after))
	c.inFile(old, mark(before))
	c.inFile(next, mark(after))
	var out scopeChange
	for s, where := range in {
		switch where {
		case before:
			out.removed = append(out.removed, s.text())
		case after:
			out.added = append(out.added, s.text())
		}
	}
	out.before, out.after = len(in)-len(out.added), len(in)-len(out.removed)
	slices.Sort(out.added)
	slices.Sort(out.removed)
	return out
}

// sameSelector reports whether two selectors are written alike.
func sameSelector(a, b adagents.Selector) bool {
	return a.SelectionType == b.SelectionType && slices.Equal(publishersOf(&a), publishersOf(&b)) &&
		slices.Equal(a.PropertyIDs, b.PropertyIDs) && slices.Equal(a.PropertyTags, b.PropertyTags)
}
