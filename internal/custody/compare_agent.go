package custody

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
)

// agents compares who is authorized, and how.
func (c *comparer) agents() {
	old, next := c.byAgent(c.old), c.byAgent(c.next)
	for _, url := range slices.Sorted(maps.Keys(next)) {
		if _, ok := old[url]; !ok {
			c.reachAll(url, c.next, next[url]...)
			c.add("agent.added", next[url][0].Raw, url, "", "", "the agent "+quote(url)+" is authorized, for "+
				scopeText(next[url]))
		}
	}
	for _, url := range slices.Sorted(maps.Keys(old)) {
		now, ok := next[url]
		if !ok {
			c.reachAll(url, c.old, old[url]...)
			c.add("agent.removed", old[url][0].Raw, url, "", "", "the agent "+quote(url)+" is not authorized any more")
			continue
		}
		before, after := withoutEqual(old[url], now)
		if len(before)+len(after) > 0 {
			together := c.entries(url, before, after)
			n := len(c.changes)
			c.keys(url, old[url], now)
			c.unpinned(url, old[url], now, together)
			c.encryption(url, old[url], now)
			if len(c.changes) > n {
				c.reachAll(url, c.old, old[url]...)
				c.reachAll(url, c.next, now...)
			}
		}
	}
}

// withoutEqual leaves out the entries at the beginning and at the end of two lists that
// are the same in both. Mostly those are all of them, and each may select thousands of
// publishers.
func withoutEqual(old, next []*adagents.Agent) ([]*adagents.Agent, []*adagents.Agent) {
	first, last := equalEnds(old, next, func(a, b *adagents.Agent) bool {
		return a.Inert() == b.Inert() && equal(a.Raw, b.Raw)
	})
	return old[first : len(old)-last], next[first : len(next)-last]
}

// equalEnds returns how many elements at the beginning and, of the others, at the end of two lists
// are the same in both.
func equalEnds[T any](old, next []T, same func(a, b T) bool) (int, int) {
	first, last := 0, 0
	n := min(len(old), len(next))
	for first < n && same(old[first], next[first]) {
		first++
	}
	for first+last < n && same(old[len(old)-1-last], next[len(next)-1-last]) {
		last++
	}
	return first, last
}

// equal reports whether two values are written alike, apart from white space.
func equal(a, b adagents.Value) bool {
	if a.Kind() != b.Kind() || a.Text() != b.Text() || a.EndNode()-a.Node() != b.EndNode()-b.Node() {
		return false
	}
	switch a.Kind() {
	case adagents.Object:
		return equalMembers(a, b)
	case adagents.Array:
		return equalElements(a, b)
	}
	return true
}

func equalMembers(a, b adagents.Value) bool {
	m, more := a.FirstMember()
	n, other := b.FirstMember()
	for more && other {
		if m.Name() != n.Name() || !equal(m.Value(), n.Value()) {
			return false
		}
		m, more = m.Next()
		n, other = n.Next()
	}
	return more == other
}

func equalElements(a, b adagents.Value) bool {
	e, more := a.FirstElem()
	f, other := b.FirstElem()
	for more && other {
		if !equal(e.Value(), f.Value()) {
			return false
		}
		e, more = e.Next()
		f, other = f.Next()
	}
	return more == other
}

// byAgent returns the entries of each agent.
func (c *comparer) byAgent(f *adagents.File) map[string][]*adagents.Agent {
	out := make(map[string][]*adagents.Agent)
	for i := range f.Agents {
		a := &f.Agents[i]
		url := agentURL(a, &c.hosts)
		out[url] = append(out[url], a)
	}
	return out
}

func scopeText(entries []*adagents.Agent) string {
	if len(entries) > 1 {
		return words.Plural(len(entries), "entry", "entries")
	}
	return "the scope " + quote(string(entries[0].Type))
}

// An entry is an entry of an agent with what tells it from others.
type entry struct {
	*adagents.Agent
	// scope stands for what is selected, whole also for the conditions. Both are empty for an
	// entry that can belong to one other only.
	scope, whole string
}

// entries brings the entries of one agent together: those that are the same, those with
// the same scope, and one that is left over with the other. It returns the pairs.
func (c *comparer) entries(url string, old, next []*adagents.Agent) [][2]entry {
	if len(old) == 1 && len(next) == 1 {
		pairs := [][2]entry{{{Agent: old[0]}, {Agent: next[0]}}}
		c.pairs(url, pairs)
		return pairs
	}
	before, after := c.entriesOf(old), c.entriesOf(next)
	before, after, same := pair(before, after, func(e entry) string { return e.whole })
	before, after, pairs := pair(before, after, func(e entry) string { return e.scope })
	if len(before) == 1 && len(after) == 1 {
		pairs = append(pairs, [2]entry{before[0], after[0]})
		before, after = nil, nil
	}
	c.pairs(url, pairs)
	for _, e := range before {
		c.reachAll(url, c.old, e.Agent)
		c.add("agent.entry_removed", e.Raw, url, string(e.Type), "", "the agent "+quote(url)+" has an entry less")
	}
	for _, e := range after {
		c.reachAll(url, c.next, e.Agent)
		c.add("agent.entry_added", e.Raw, url, "", string(e.Type), "the agent "+quote(url)+" has another entry")
	}
	return slices.Concat(same, pairs)
}

// pairs compares entries that belong together, two by two.
func (c *comparer) pairs(url string, list [][2]entry) {
	for _, p := range list {
		n := len(c.changes)
		scope := c.scopes(p[0].Agent, p[1].Agent)
		c.entry(url, p[0], p[1], scope)
		c.reachEntry(url, p[0], p[1], scope, c.changes[n:])
	}
}

// pair brings entries with the same key together and returns what is left over.
func pair(old, next []entry, key func(entry) string) ([]entry, []entry, [][2]entry) {
	waiting := make(map[string][]entry)
	for _, e := range next {
		waiting[key(e)] = append(waiting[key(e)], e)
	}
	var pairs [][2]entry
	var left, right []entry
	for _, e := range old {
		found := waiting[key(e)]
		if len(found) == 0 {
			left = append(left, e)
			continue
		}
		pairs = append(pairs, [2]entry{e, found[0]})
		waiting[key(e)] = found[1:]
	}
	for _, e := range next {
		found := waiting[key(e)]
		if len(found) > 0 && found[0].Agent == e.Agent {
			right = append(right, e)
			waiting[key(e)] = found[1:]
		}
	}
	return left, right, pairs
}

func (c *comparer) entriesOf(list []*adagents.Agent) []entry {
	out := make([]entry, len(list))
	for i, a := range list {
		scope := strings.Join(append(c.selected(a), "type "+string(a.Type)), "\x00")
		conditions := []string{
			scope, a.DelegationType, strconv.FormatBool(a.Exclusive), strconv.FormatBool(a.Inert()),
			strconv.FormatBool(a.Pinned()), a.AuthorizedFor,
			string(a.EffectiveFrom), string(a.EffectiveUntil),
		}
		for _, list := range [][]string{a.Countries, c.collections(a), a.PlacementIDs, a.PlacementTags} {
			conditions = append(conditions, strings.Join(setOf(list), "\x00"))
		}
		whole := strings.Join(conditions, "\x01")
		out[i] = entry{a, whole[:len(scope)], whole}
	}
	return out
}

func setOf(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

func publishersOf(s *adagents.Selector) []string {
	if s.PublisherDomain != "" {
		return []string{s.PublisherDomain}
	}
	return s.PublisherDomains
}

// domain returns a domain in canonical form, and any other text as it is.
func (c *comparer) domain(text string) string {
	name, _, err := c.hosts.Canonical(text)
	if err != nil {
		return text
	}
	return name
}

func (c *comparer) collections(a *adagents.Agent) []string {
	var out []string
	for i := range a.Collections {
		s := &a.Collections[i]
		if s.All() {
			out = append(out, c.domain(s.PublisherDomain)+"/*")
		}
		for _, id := range s.CollectionIDs {
			out = append(out, c.domain(s.PublisherDomain)+"/"+id)
		}
	}
	return out
}

// entry compares two entries of one agent that belong together.
func (c *comparer) entry(url string, old, next entry, scope scopeChange) {
	c.scope(url, old, next, scope)
	c.delegation(url, old, next)
	c.exclusivity(url, old, next)
	c.effect(url, old, next)
	c.window(url, old, next)
	c.limit("agent.countries", "countries", url, next, old.Countries, next.Countries)
	c.limit("agent.limits", "collections", url, next, c.collections(old.Agent), c.collections(next.Agent))
	c.limit("agent.limits", "placement_ids", url, next, old.PlacementIDs, next.PlacementIDs)
	c.limit("agent.limits", "placement_tags", url, next, old.PlacementTags, next.PlacementTags)
	if old.AuthorizedFor != next.AuthorizedFor {
		c.add("agent.described", next.Raw.Get("authorized_for"), url, old.AuthorizedFor, next.AuthorizedFor,
			"the agent "+quote(url)+" is authorized in other words")
	}
}

func (c *comparer) scope(url string, old, next entry, scope scopeChange) {
	if old.Type != next.Type {
		c.add("agent.scope_changed", next.Raw.Get("authorization_type"), url, string(old.Type), string(next.Type),
			"the scope of the agent "+quote(url)+" is given in another way")
		return
	}
	text := "the agent " + quote(url) + " is authorized for "
	what := examples("added", scope.added)
	if len(scope.removed) > 0 {
		what += ", " + examples("removed", scope.removed)
	}
	what = strings.TrimPrefix(what, ", ")
	if len(scope.added) > 0 {
		c.add("agent.scope_widened", next.Raw, url, number(scope.before), number(scope.after), text+"more: "+what)
	}
	if len(scope.removed) > 0 {
		c.add("agent.scope_narrowed", next.Raw, url, number(scope.before), number(scope.after), text+"less: "+what)
	}
}

// examples names the first of what was selected: "9 added (a.example, b.example and 7 more)".
func examples(verb string, list []string) string {
	const most = 3
	if len(list) == 0 {
		return ""
	}
	names := make([]string, min(len(list), most))
	for i := range names {
		text := strings.TrimSuffix(strings.TrimPrefix(list[i], publisherPrefix), " all ")
		names[i] = textsafe.Line(strings.TrimSpace(text), shown)
	}
	text := strings.Join(names, ", ")
	if more := len(list) - most; more > 0 {
		text += " and " + words.Thousands(more) + " more"
	}
	return words.Thousands(len(list)) + " " + verb + " (" + text + ")"
}

// difference counts what the second of two sorted sets has and the first lacks.
func difference(first, second []string) int { return len(missing(first, second)) }

// missing returns what the second of two sorted sets has and the first lacks.
func missing(first, second []string) []string {
	var list []string
	for _, s := range second {
		for len(first) > 0 && first[0] < s {
			first = first[1:]
		}
		if len(first) == 0 || first[0] != s {
			list = append(list, s)
		}
	}
	return list
}

// directness puts the delegation types in order.
var directness = map[string]int{"ad_network": 1, "delegated": 2, "direct": 3}

func (c *comparer) delegation(url string, old, next entry) {
	before, after := old.DelegationType, next.DelegationType
	if before == after {
		return
	}
	code, text := "agent.delegation_changed", " is delegated in another way"
	switch from, to := directness[before], directness[after]; {
	case from == 0 || to == 0:
	case to < from:
		code, text = "agent.delegation_downgraded", " is delegated less directly"
	default:
		code, text = "agent.delegation_upgraded", " is delegated more directly"
	}
	c.add(code, next.Raw.Get("delegation_type"), url, before, after, "the agent "+quote(url)+text)
}

func (c *comparer) exclusivity(url string, old, next entry) {
	if old.Exclusive == next.Exclusive {
		return
	}
	code, text := "agent.exclusive_gained", " is now the only one for its scope"
	if old.Exclusive {
		code, text = "agent.exclusive_lost", " is not the only one for its scope any more"
	}
	c.add(code, next.Raw.Get("exclusive"), url, strconv.FormatBool(old.Exclusive), strconv.FormatBool(next.Exclusive),
		"the agent "+quote(url)+text)
}

func (c *comparer) effect(url string, old, next entry) {
	switch {
	case old.Inert() == next.Inert():
	case next.Inert():
		c.add("agent.entry_inert", next.Raw, url, "", "", "an entry of the agent "+quote(url)+" has no effect any more")
	default:
		c.add("agent.entry_effective", next.Raw, url, "", "",
			"an entry of the agent "+quote(url)+" that had no effect has one now")
	}
}

// window compares when two entries hold.
func (c *comparer) window(url string, old, next entry) {
	if old.EffectiveFrom == next.EffectiveFrom && old.EffectiveUntil == next.EffectiveUntil {
		return
	}
	from := startOf(next).Compare(startOf(old))
	until := endOf(next).Compare(endOf(old))
	before, after := windowText(old), windowText(next)
	if from < 0 || until > 0 {
		c.add("agent.window_widened", next.Raw, url, before, after,
			"the agent "+quote(url)+" is authorized for a longer time")
	}
	if from > 0 || until < 0 {
		c.add("agent.window_narrowed", next.Raw, url, before, after,
			"the agent "+quote(url)+" is authorized for a shorter time")
	}
}

func startOf(e entry) time.Time { return dateOf(e.EffectiveFrom) }

func endOf(e entry) time.Time {
	end, ok := e.EffectiveUntil.Time()
	if !ok {
		return time.Unix(1<<40, 0)
	}
	return end
}

func windowText(e entry) string {
	return string(e.EffectiveFrom) + "/" + string(e.EffectiveUntil)
}

// otherCollections returns what the second of two sorted sets of collections has and the first lacks, which
// may have all of a publisher.
func otherCollections(first, second []string) []string {
	return slices.DeleteFunc(missing(first, second), func(name string) bool {
		domain, _, _ := strings.Cut(name, "/")
		_, all := slices.BinarySearch(first, domain+"/*")
		return all
	})
}

// limit compares a list that narrows an entry. An empty one does not narrow it.
func (c *comparer) limit(code, member, url string, e entry, old, next []string) {
	before, after := setOf(old), setOf(next)
	added, removed := difference(before, after), difference(after, before)
	if member == "collections" {
		added, removed = len(otherCollections(before, after)), len(otherCollections(after, before))
	}
	switch {
	case len(before) == 0:
		added = 0
		removed = len(after)
	case len(after) == 0:
		added, removed = len(before), 0
	}
	from, to := strings.Join(before, " "), strings.Join(after, " ")
	wider, narrower := member+" of the agent "+quote(url)+" leaves more room",
		member+" of the agent "+quote(url)+" leaves less room"
	if member == "countries" {
		wider, narrower = "the agent "+quote(url)+" is authorized in more countries",
			"the agent "+quote(url)+" is authorized in fewer countries"
	}
	if added > 0 {
		c.add(code+"_widened", e.Raw.Get(member), url, from, to, wider)
	}
	if removed > 0 {
		c.add(code+"_narrowed", e.Raw.Get(member), url, from, to, narrower)
	}
}

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
		return change.Code != "agent.described" && change.Code != "agent.scope_widened" &&
			change.Code != "agent.scope_narrowed"
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
func indexed(f *adagents.File,
	keys func(p *adagents.Property, put func(string))) func() map[string][]*adagents.Property {
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
