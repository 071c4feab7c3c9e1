package adagents

import (
	"slices"
	"sort"
)

// Inert reports whether the entry authorizes nothing: a member that would
// narrow it cannot be read, or nothing that it selects is usable. It stays in
// the list so that its agent is known to have been named.
func (a *Agent) Inert() bool { return a.fate.effect == EmptyEntry }

// Pinned reports whether the entry has signing_keys at all. When it has and
// none of the keys is usable, no signature is acceptable; that differs from an
// entry without pinned keys.
func (a *Agent) Pinned() bool { return a.member(atAgentSigningKeys).Exists() }

// destiny lets generic code reach the fate of any entry.
func (e *entry) destiny() *fate { return &e.fate }

// entryPointer is a pointer to one of the model's types.
type entryPointer[T any] interface {
	*T
	node() uint32
	destiny() *fate
}

// skip is an entry that consumers leave out, before its place is turned into
// text.
type skip struct {
	node, end uint32
	code      string // empty when no finding of its own decided it
	reason    string
}

// collectSkips notes the entries that are left out. It runs before findings
// are sorted, while fates still name theirs by number.
func (c *run) collectSkips() {
	if c.aborted || c.file == nil || !c.losses {
		return
	}
	f := c.file
	c.skipSections()
	skipsOf(c, f.Properties)
	skipsOf(c, f.Collections)
	skipsOf(c, f.Placements)
	skipsOf(c, f.Formats)
	skipsOf(c, f.Signals)
	skipsOf(c, f.Features)
	skipsOf(c, f.Agents)
	for i := range f.Agents {
		skipsOf(c, f.Agents[i].Properties)
		skipsOf(c, f.Agents[i].Selectors)
	}
	slices.SortFunc(c.skips, func(a, b skip) int { return int(a.node) - int(b.node) })
}

// skipSections notes whole sections of the wrong type.
func (c *run) skipSections() {
	for i := range c.found {
		if f := &c.found[i]; f.effect == SkipEntry && f.rule.Code == "file.field_type" {
			c.skips = append(c.skips, skip{f.node, f.node + 1, f.rule.Code, f.msg})
		}
	}
}

func skipsOf[T any, P entryPointer[T]](c *run, list []T) {
	for i := range list {
		e := P(&list[i])
		fate := e.destiny()
		if fate.effect < EmptyEntry {
			continue
		}
		s := skip{node: e.node(), end: c.tree.At(e.node()).EndNode()}
		if fate.cause > 0 {
			cause := &c.found[fate.cause-1]
			s.code, s.reason = cause.rule.Code, cause.reason()
		}
		c.skips = append(c.skips, s)
	}
}

// settle decides what consumers get: the usable content or the reason why
// there is none.
func (c *run) settle() {
	if c.aborted {
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
	if c.losses {
		c.listSkips()
		c.file.prune()
	}
	c.report.File = c.file
}

// listSkips turns the noted skips into the report's. An entry that fell
// without a finding of its own fell for what stands inside it.
func (c *run) listSkips() {
	if len(c.skips) == 0 {
		return
	}
	nodes := make([]uint32, len(c.skips))
	for i := range c.skips {
		nodes[i] = c.skips[i].node
	}
	pointers := c.tree.Pointers(nodes)
	c.report.Skipped = make([]Skip, len(c.skips))
	for i := range c.skips {
		s := &c.skips[i]
		if s.code == "" {
			c.findCause(s)
		}
		c.report.Skipped[i] = Skip{Pointer: pointers[i], Code: s.code, Reason: s.reason}
	}
}

// findCause looks for the finding inside an entry that explains its fall: the
// first with an effect, or simply the first.
func (c *run) findCause(s *skip) {
	from := sort.Search(len(c.found), func(i int) bool { return c.found[i].node >= s.node })
	for i := from; i < len(c.found) && c.found[i].node < s.end; i++ {
		if f := &c.found[i]; s.code == "" || f.effect > NoEffect {
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
		if P(&list[i]).destiny().effect >= lost {
			return slices.DeleteFunc(list, func(x T) bool { return P(&x).destiny().effect >= lost })
		}
	}
	return list
}

// entryAround returns the fate of the list entry a node stands in, or nil.
func (c *run) entryAround(node uint32) *fate {
	f := c.file
	if f == nil {
		return nil
	}
	for _, section := range []struct {
		at   int
		fate func() *fate
	}{
		{atFileProperties, func() *fate { return around(f.Properties, node) }},
		{atFileCollections, func() *fate { return around(f.Collections, node) }},
		{atFilePlacements, func() *fate { return around(f.Placements, node) }},
		{atFileFormats, func() *fate { return around(f.Formats, node) }},
		{atFileSignals, func() *fate { return around(f.Signals, node) }},
		{atFileAgents, func() *fate { return around(f.Agents, node) }},
		{atFileFeatures, func() *fate { return around(f.Features, node) }},
	} {
		if v := f.member(section.at); v.Is(Array) && inside(v, node) {
			return section.fate()
		}
	}
	return nil
}

// around returns the fate of the last entry that starts at or before a node.
func around[T any, P entryPointer[T]](list []T, node uint32) *fate {
	i := sort.Search(len(list), func(i int) bool { return P(&list[i]).node() > node })
	return P(&list[i-1]).destiny()
}
