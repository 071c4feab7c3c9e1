package custody

import (
	"slices"
	"strings"
	"sync"

	"github.com/avow-project/avow/adagents"
)

// A Reach is how many agents, publishers and properties changes are about.
type Reach struct {
	// Agents are those whose entries or keys changed.
	Agents int
	// Publishers are those that are revoked or reinstated, own a property that changed, or are
	// named by an entry that changed. The publisher of the file itself is not among them.
	Publishers int
	// Properties are those of either file that changed, or that an entry that changed selects
	// or selected.
	Properties int
}

// CompareReach is Compare that also says how far the changes reach.
func CompareReach(old, next *adagents.File) ([]Change, Reach) {
	r := &reach{agents: map[string]bool{}, publishers: map[string]bool{}, properties: map[propertyKey]bool{}}
	changes := compare(old, next, r)
	return changes, Reach{Agents: len(r.agents), Publishers: len(r.publishers), Properties: len(r.properties)}
}

// reach collects what changes are about. The nil reach collects nothing.
type reach struct {
	agents, publishers map[string]bool
	properties         map[propertyKey]bool
	inventories        map[*adagents.File]*inventory
}

// property takes note of a property that changed.
func (r *reach) property(key propertyKey) {
	if r == nil {
		return
	}
	r.properties[key] = true
	r.publisher(key.owner)
}

// publisher takes note of a publisher.
func (r *reach) publisher(domain string) {
	if r != nil && domain != "" {
		r.publishers[domain] = true
	}
}

// reachAll takes note of all that entries of an agent select.
func (c *comparer) reachAll(url string, in *adagents.File, entries ...*adagents.Agent) {
	if c.reach == nil {
		return
	}
	c.reach.agents[url] = true
	for _, a := range entries {
		for key := range c.propertiesOf(in, a) {
			c.reach.property(key)
		}
		for i := range a.Selectors {
			for _, domain := range publishersOf(&a.Selectors[i]) {
				c.reach.publisher(c.domain(domain))
			}
		}
	}
}

// reachEntry takes note of what the changes between two entries of an agent are about: of what
// was added and removed if these are all, of everything otherwise.
func (c *comparer) reachEntry(url string, old, next entry, scope scopeChange, changes []Change) {
	if c.reach == nil || len(changes) == 0 {
		return
	}
	c.reach.agents[url] = true
	other := func(change Change) bool {
		return change.Code != "agent.described" && change.Code != "agent.scope_widened" && change.Code != "agent.scope_narrowed"
	}
	if slices.ContainsFunc(changes, other) {
		c.reachAll(url, c.old, old.Agent)
		c.reachAll(url, c.next, next.Agent)
		return
	}
	before, after := c.propertiesOf(c.old, old.Agent), c.propertiesOf(c.next, next.Agent)
	for _, sets := range [][2]map[propertyKey]bool{{before, after}, {after, before}} {
		for key := range sets[0] {
			if !sets[1][key] {
				c.reach.property(key)
			}
		}
	}
	for _, text := range slices.Concat(scope.added, scope.removed) {
		if rest, ok := strings.CutPrefix(text, publisherPrefix); ok {
			domain, _, _ := strings.Cut(rest, " ")
			c.reach.publisher(domain)
		}
	}
}

// An inventory has the properties of a file by what selects them. Each way is worked out when it
// is first asked for: most files select in one.
type inventory struct {
	byID, byTag, byOwner func() map[string][]*adagents.Property
}

func (c *comparer) inventory(f *adagents.File) *inventory {
	if found := c.reach.inventories[f]; found != nil {
		return found
	}
	v := &inventory{
		byID: indexed(f, func(p *adagents.Property, put func(string)) { put(p.ID) }),
		byTag: indexed(f, func(p *adagents.Property, put func(string)) {
			for _, tag := range p.Tags {
				put(tag)
			}
		}),
		byOwner: indexed(f, func(p *adagents.Property, put func(string)) { put(c.keyOf(p).owner) }),
	}
	if c.reach.inventories == nil {
		c.reach.inventories = map[*adagents.File]*inventory{}
	}
	c.reach.inventories[f] = v
	return v
}

// indexed finds the properties of a file by texts, those that keys puts for each. Without one a property
// is not found.
func indexed(f *adagents.File, keys func(p *adagents.Property, put func(string))) func() map[string][]*adagents.Property {
	return sync.OnceValue(func() map[string][]*adagents.Property {
		out := make(map[string][]*adagents.Property, len(f.Properties))
		for i := range f.Properties {
			p := &f.Properties[i]
			keys(p, func(text string) {
				if text != "" {
					out[text] = append(out[text], p)
				}
			})
		}
		return out
	})
}

// propertiesOf returns the properties of a file that an entry selects, and those in the entry.
func (c *comparer) propertiesOf(f *adagents.File, a *adagents.Agent) map[propertyKey]bool {
	v, out := c.inventory(f), map[propertyKey]bool{}
	add := func(list []*adagents.Property) {
		for _, p := range list {
			out[c.keyOf(p)] = true
		}
	}
	for _, id := range a.PropertyIDs {
		add(v.byID()[id])
	}
	for _, tag := range a.PropertyTags {
		add(v.byTag()[tag])
	}
	for i := range a.Properties {
		add([]*adagents.Property{&a.Properties[i]})
	}
	for i := range a.Selectors {
		s := &a.Selectors[i]
		for _, domain := range publishersOf(s) {
			for _, p := range v.byOwner()[c.domain(domain)] {
				if selects(s, p) {
					out[c.keyOf(p)] = true
				}
			}
		}
	}
	return out
}

// selects reports whether a selector picks a property of one of its publishers.
func selects(s *adagents.Selector, p *adagents.Property) bool {
	switch s.SelectionType {
	case "by_id":
		return slices.Contains(s.PropertyIDs, p.ID)
	case "by_tag":
		return slices.ContainsFunc(p.Tags, func(tag string) bool { return slices.Contains(s.PropertyTags, tag) })
	}
	return true
}
