package adagents

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/avow-project/avow/internal/std/hostname"
)

// Inert reports whether the entry authorizes nothing: a member that would
// narrow it cannot be read, or nothing that it selects is usable. It stays in
// the list so that its agent is known to have been named.
func (a *Agent) Inert() bool { return a.effect.worst == EmptyEntry }

// UsableAgents returns the number of agents that can sell something: entries that are not
// [Agent.Inert].
func (f *File) UsableAgents() int {
	n := 0
	for i := range f.Agents {
		if !f.Agents[i].Inert() {
			n++
		}
	}
	return n
}

// Pinned reports whether the entry has signing_keys at all. When it has and
// none of the keys is usable, no signature is acceptable; that differs from an
// entry without pinned keys.
func (a *Agent) Pinned() bool { return a.member(atAgentSigningKeys).Exists() }

// InertCode returns the code of the finding that made an inert entry authorize nothing, or
// "".
func (a *Agent) InertCode() string {
	if !a.Inert() || a.effect.rule == 0 {
		return ""
	}
	return ruleCodes()[a.effect.rule-1]
}

// ruleCodes are the codes of all rules in ascending order.
var ruleCodes = sync.OnceValue(func() []string {
	var codes []string
	for _, r := range Rules() {
		codes = append(codes, r.Code)
	}
	slices.Sort(codes)
	return codes
})

// nobodyRule is reported when everything has been looked at.
var nobodyRule = Rule{
	Code: "file.authorizes_nobody", Severity: Warning, Strict: Error,
	Title: "agents are listed, and none of them can sell anything",
	Why: "Every entry is left out or authorizes nothing because of what is wrong with it, so buyers turn all of these " +
		"agents away. " +
		"The finding is the first of a report, wherever the others stand.",
	Hint:  "correct what the message names; avow fix shows how",
	Spec:  "avow docs/rules.md",
	In:    InFile,
	Along: []string{"agent.type_missing"},
	Bad: goodFile + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "All display inventory",` + exampleKeys,
	Good: exampleNetworkFile,
}

// authorizesNobody reports a file that lists agents of which none can sell anything, and
// notes for each entry what made it so.
func (c *checker) authorizesNobody(skips []skip) {
	if len(skips) == 0 || c.opt.Role == Mirror {
		return
	}
	causes := make(map[string]int)
	lost, i := 0, 0
	for k := range c.file.Agents {
		a := &c.file.Agents[k]
		for i < len(skips) && skips[i].node < a.node() {
			i++
		}
		if a.effect.worst < EmptyEntry || i == len(skips) {
			continue
		}
		lost++
		causes[skips[i].code]++
		if at, ok := slices.BinarySearch(ruleCodes(), skips[i].code); ok {
			a.effect.rule = uint16(at + 1)
		}
	}
	if lost == 0 || lost < len(c.file.Agents) {
		return
	}
	c.under(nobodyRule.Code).say(c.file.member(atFileAgents), "%s", nobodyMessage(lost, causes))
}

// nobodyMessage says what keeps agents from selling, the most frequent cause first.
func nobodyMessage(lost int, causes map[string]int) string {
	codes := slices.SortedFunc(maps.Keys(causes), func(a, b string) int {
		return cmp.Or(causes[b]-causes[a], strings.Compare(a, b))
	})
	if lost == 1 {
		return "the only agent listed can sell nothing: " + titleOf(codes[0])
	}
	if len(codes) == 1 {
		return fmt.Sprintf("none of the %d entries lets an agent sell anything: %s", lost, titleOf(codes[0]))
	}
	named := make([]string, 0, few)
	for _, code := range codes[:min(len(codes), few)] {
		named = append(named, fmt.Sprintf("%s (%d)", titleOf(code), causes[code]))
	}
	return fmt.Sprintf("none of the %d entries lets an agent sell anything: %s", lost, strings.Join(named, ", "))
}

// titleOf says in words what a rule is about.
func titleOf(code string) string {
	r, _ := LookupRule(code)
	return r.Title
}

// outcome lets generic code reach the effect of any entry.
func (e *entry) outcome() *effect { return &e.effect }

// entryPointer is a pointer to one of the model's types.
type entryPointer[T any] interface {
	*T
	node() uint32
	outcome() *effect
}

// skip is an entry that consumers leave out, before its location is turned into
// text.
type skip struct {
	node, end uint32
	code      string // empty when no finding of its own decided it
	reason    string
}

// skips returns the entries that are left out. It runs before findings are
// sorted, while effects still name theirs by number.
func (c *checker) skips() []skip {
	if c.findings.aborted || c.file == nil || !c.findings.losses {
		return nil
	}
	f := c.file
	list := c.skippedSections()
	list = appendSkips(c, list, f.Properties)
	list = appendSkips(c, list, f.Collections)
	list = appendSkips(c, list, f.Placements)
	list = appendSkips(c, list, f.Formats)
	list = appendSkips(c, list, f.Signals)
	list = appendSkips(c, list, f.Features)
	list = appendSkips(c, list, f.Agents)
	for i := range f.Agents {
		list = appendSkips(c, list, f.Agents[i].Properties)
		list = appendSkips(c, list, f.Agents[i].Selectors)
	}
	slices.SortFunc(list, func(a, b skip) int { return int(a.node) - int(b.node) })
	return list
}

// skippedSections returns whole sections of the wrong type.
func (c *checker) skippedSections() []skip {
	var skips []skip
	for i := range c.findings.list {
		if f := &c.findings.list[i]; f.effect == SkipEntry && f.rule.Code == "file.field_type" {
			skips = append(skips, skip{f.node, f.node + 1, f.rule.Code, f.msg})
		}
	}
	return skips
}

func appendSkips[T any, P entryPointer[T]](c *checker, skips []skip, list []T) []skip {
	for i := range list {
		e := P(&list[i])
		x := e.outcome()
		if x.worst < EmptyEntry {
			continue
		}
		s := skip{node: e.node(), end: c.tree.At(e.node()).EndNode()}
		if x.cause > 0 {
			cause := &c.findings.list[x.cause-1]
			s.code, s.reason = cause.rule.Code, cause.reason()
		}
		skips = append(skips, s)
	}
	return skips
}

// usable decides what consumers get: the usable content or the reason why
// there is none.
func (c *checker) usable(skips []skip) {
	if c.findings.aborted {
		c.report.Pointer = nil
		c.report.Unusable = new(Unusable)
		for i := range c.report.Findings {
			if c.report.Findings[i].Effect == AbortFile {
				c.report.Unusable.Findings = append(c.report.Unusable.Findings, c.report.Findings[i])
			}
		}
		return
	}
	if c.file == nil {
		return
	}
	if c.findings.losses {
		c.listSkips(skips)
		c.file.prune()
	}
	c.report.File = c.file
}

// listSkips turns the noted skips into the report's. An entry that fell
// without a finding of its own fell for what stands inside it.
func (c *checker) listSkips(skips []skip) {
	if len(skips) == 0 {
		return
	}
	nodes := make([]uint32, len(skips))
	for i := range skips {
		nodes[i] = skips[i].node
	}
	pointers := c.tree.Pointers(nodes)
	c.report.Skipped = make([]Skip, len(skips))
	for i := range skips {
		s := &skips[i]
		if s.code == "" {
			c.findCause(s)
		}
		c.report.Skipped[i] = Skip{Pointer: pointers[i], Code: s.code, Reason: s.reason}
	}
}

// findCauses looks for the causes of entries that fell without a finding of their own.
func (c *checker) findCauses(skips []skip) {
	for i := range skips {
		if skips[i].code == "" {
			c.findCause(&skips[i])
		}
	}
}

// findCause looks for the finding inside an entry that explains its fall: the
// first with an effect, or simply the first.
func (c *checker) findCause(s *skip) {
	from := sort.Search(len(c.findings.list), func(i int) bool { return c.findings.list[i].node >= s.node })
	for i := from; i < len(c.findings.list) && c.findings.list[i].node < s.end; i++ {
		if f := &c.findings.list[i]; s.code == "" || f.effect > NoEffect {
			s.code, s.reason = f.rule.Code, f.msg
			if f.effect > NoEffect {
				return
			}
		}
	}
}

// prune removes what consumers leave out. Lists that narrow an authorization
// are not touched: a shorter one could come to mean more.
func (f *File) prune() {
	f.Properties = keep(f.Properties, SkipEntry)
	f.Collections = keep(f.Collections, SkipEntry)
	f.Placements = keep(f.Placements, SkipEntry)
	f.Formats = keep(f.Formats, SkipEntry)
	f.Signals = keep(f.Signals, SkipEntry)
	f.Features = keep(f.Features, SkipEntry)
	f.Agents = keep(f.Agents, SkipEntry)
	pruneIdentifiers(f.Properties)
	for i := range f.Placements {
		f.Placements[i].FormatOptions = keep(f.Placements[i].FormatOptions, DropRef)
	}
	for i := range f.Agents {
		a := &f.Agents[i]
		a.Properties = keep(a.Properties, SkipEntry)
		pruneIdentifiers(a.Properties)
		a.Selectors = keep(a.Selectors, EmptyEntry)
		a.SigningKeys = keep(a.SigningKeys, DropRef)
		a.EncryptionKeys = keep(a.EncryptionKeys, DropRef)
	}
}

func pruneIdentifiers(list []Property) {
	for i := range list {
		list[i].Identifiers = keep(list[i].Identifiers, DropRef)
	}
}

// keep returns the entries that suffered less than the effect; the list itself
// when those are all.
func keep[T any, P entryPointer[T]](list []T, lost Effect) []T {
	for i := range list {
		if P(&list[i]).outcome().worst >= lost {
			return slices.DeleteFunc(list, func(x T) bool { return P(&x).outcome().worst >= lost })
		}
	}
	return list
}

// entryAround returns the effect of the list entry a node stands in, or nil.
func (c *checker) entryAround(node uint32) *effect {
	f := c.file
	if f == nil {
		return nil
	}
	for _, section := range []struct {
		at     int
		effect func() *effect
	}{
		{atFileProperties, func() *effect { return around(f.Properties, node) }},
		{atFileCollections, func() *effect { return around(f.Collections, node) }},
		{atFilePlacements, func() *effect { return around(f.Placements, node) }},
		{atFileFormats, func() *effect { return around(f.Formats, node) }},
		{atFileSignals, func() *effect { return around(f.Signals, node) }},
		{atFileAgents, func() *effect { return around(f.Agents, node) }},
		{atFileFeatures, func() *effect { return around(f.Features, node) }},
	} {
		if v := f.member(section.at); v.Is(Array) && inside(v, node) {
			return section.effect()
		}
	}
	return nil
}

// around returns the effect of the last entry that starts at or before a node.
func around[T any, P entryPointer[T]](list []T, node uint32) *effect {
	i := sort.Search(len(list), func(i int) bool { return P(&list[i]).node() > node })
	return P(&list[i-1]).outcome()
}

// Whatever cannot be read falls out of the list it stands in. This file looks
// at what is left of the lists that define and narrow the scope of an entry:
// when that is nothing, the entry authorizes nothing, and must not be taken
// for one that was never narrowed. The findings are those of the items.

// loseEmptySelector gives up a selector that has no publisher left to look at,
// or nothing left to pick.
func (c *checker) loseEmptySelector(s *Selector) {
	if !s.effect.gone() && (c.namesNobody(s) || s.picksNothing()) {
		c.findings.lose(&s.effect, SkipEntry)
	}
}

// namesNobody reports whether every publisher of a selector is unreadable, a
// public suffix or revoked.
func (c *content) namesNobody(s *Selector) bool {
	for _, domain := range c.publishersOf(s) {
		if !c.revoked(domain) && !hostname.IsPublicSuffix(domain) {
			return false
		}
	}
	return true
}

// picksNothing reports whether a selector lists no id or tag that can be read.
func (s *Selector) picksNothing() bool {
	list, name := s.predicate()
	return name != "" && !hasText(list)
}

func hasText(list Value) bool {
	for _, v := range list.Elems() {
		if !blank(v.Str()) {
			return true
		}
	}
	return false
}

// loseEmptyEntry makes an entry authorize nothing when its selector covers
// nothing, or what narrows it leaves nothing.
func (c *checker) loseEmptyEntry(a *Agent) {
	if a.effect.worst < EmptyEntry && (c.coversNothing(a) || c.narrowedToNothing(a)) {
		c.findings.lose(&a.effect, EmptyEntry)
	}
}

func (c *content) coversNothing(a *Agent) bool {
	s := a.companion()
	switch {
	case s == nil:
		return true
	case s.at == atAgentProperties:
		return allGone(a.Properties)
	case s.at == atAgentSelectors:
		return allGone(a.Selectors)
	case s.signal && c.scope().catalogs > 0:
		return !hasText(a.member(s.at)) // an outside catalog may have them
	}
	for _, v := range a.member(s.at).Elems() {
		if v.Is(String) && c.resolves(s, v.Str()) {
			return false
		}
	}
	return true
}

func allGone[T any, P entryPointer[T]](list []T) bool {
	for i := range list {
		if !P(&list[i]).outcome().gone() {
			return false
		}
	}
	return true
}

// narrowedToNothing reports whether some narrowing list has no usable item
// left. Placements mean nothing to entries about signals.
func (c *content) narrowedToNothing(a *Agent) bool {
	if v := a.member(atAgentCountries); v.Exists() && countriesLeft(v) == EmptyEntry {
		return true
	}
	if !a.sells() {
		return false
	}
	return noneOf(a.member(atAgentPlacementIDs), func(v Value) bool { return c.usablePlacement(v) != nil }) ||
		noneOf(a.member(atAgentPlacementTags), func(v Value) bool {
			return v.Is(String) && c.index.placementTag[v.Str()] > 0
		})
}

// noneOf reports whether a list is present and no item of it is usable.
func noneOf(list Value, usable func(Value) bool) bool {
	for _, v := range list.Elems() {
		if usable(v) {
			return false
		}
	}
	return list.Exists()
}
