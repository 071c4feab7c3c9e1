package adagents

import (
	"sort"
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
)

// checkMembers reports what the rules of the sections leave: unknown members, members of the
// wrong type, secrets. It comes last, because a finding
// that already sits at a value explains it better.
func (c *checker) checkMembers() {
	c.checkTimestamps()
	var reported nodeSet
	if len(c.dec.wrong) > 0 || len(c.dec.unknown) > 0 {
		reported = c.reported()
	}
	c.exposedSecrets(reported)
	r := c.under("file.field_type")
	for i := range c.dec.wrong {
		if w := &c.dec.wrong[i]; !reported.has(w.value.Node()) {
			sayWrongType(r, w)
		}
	}
	c.reportUnknown(reported)
	c.explainMissing()
	c.privateExtensions()
}

// reported returns the nodes that have a finding of their own.
func (c *checker) reported() nodeSet {
	s := make(nodeSet, c.tree.Len()/64+1)
	copy(s, c.findings.limits.unlisted)
	for i := range c.findings.list {
		if c.findings.list[i].missing == "" {
			s.add(c.findings.list[i].node)
		}
	}
	return s
}

func sayWrongType(r reporter, w *wrongType) {
	field := &w.in.Fields[w.field]
	effect := NoEffect
	switch {
	case w.in == model.File && field.Type.Kind == model.Array:
		effect = SkipEntry
	case w.in == model.SigningKey:
		effect = DropRef
	}
	r.sayWith(Error, effect, w.value, "%s must be %s, not %s", field.Name, conform.KindText(&field.Type), conform.WhatItIs(w.value, field.Type.Kind))
}

// reportUnknown reports members that their objects do not know: those that look like a slip
// one by one, the others once for each entry.
func (c *checker) reportUnknown(reported nodeSet) {
	var others unknowns
	for i := range c.dec.unknown {
		s := &c.dec.unknown[i]
		if s.in == model.Pointer || reported.has(s.member.Value().Node()) || reported.has(s.member.Node()) {
			continue // a pointer file has its own rule for them
		}
		if !c.reportPrivate(s) && !c.reportSlip(s) && !unremarkable(s) {
			c.gather(&others, s)
		}
	}
	c.sayUnknown(&others)
}

// unremarkable reports whether nothing needs to be said about an unknown member: it announces
// an extension, is one of the many that a key may have (RFC 7517), or has a rule of its own.
func unremarkable(s *unknownMember) bool {
	name := s.member.Name()
	switch s.in {
	case model.SigningKey, model.FormatOption:
		return true
	case model.Placement:
		return name == "publisher_domain" || announcesExtension(name)
	}
	return announcesExtension(name)
}

// reportSlip reports a member its object does not know, if it says more than that.
func (c *checker) reportSlip(s *unknownMember) bool {
	name := s.member.Name()
	at := c.tree.At(s.member.Node()) // the name is what has to be corrected
	if s.in == model.Agent {
		if advice, ok := ignoredRestriction(name, s.member.Value()); ok {
			c.under("agent.restriction_ignored").say(at, "%s is not a member of the format, so it does not narrow the entry", quote(name)).
				withHint("%s", advice)
			for _, member := range narrowing {
				if advice == renameTo(member) {
					c.claim(s, member)
				}
			}
			return true
		}
	}
	if c.reportOther(s, at) {
		return true
	}
	near, ok := nearName(s.in, name)
	if ok {
		c.claim(s, near)
	}
	switch {
	case ok && strings.EqualFold(near, name):
		c.under("file.key_case").say(at, "the member %s is not %s: names are case-sensitive", quote(name), quote(near)).
			withHint("rename it to %q", near)
	case ok:
		c.under("file.misspelled_field").say(at, "the member %s is not known; readers ignore it", quote(name)).
			withHint("did you mean %q?", near)
	case s.in == model.File && !announcesExtension(name):
		c.under("file.unknown_field").say(at, "the top-level member %s is not known; readers ignore it", quote(name))
	default:
		return false
	}
	return true
}

// unknowns are the unknown members of one entry.
type unknowns struct {
	first Value  // the name of the first one
	end   uint32 // of the nodes of the entry they stand in
	names []string
	more  int
}

// mostUnknown is the number of names that a message lists.
const mostUnknown = 5

// gather adds a member to those of its entry. Unknown members come in the order of the file.
func (c *checker) gather(u *unknowns, s *unknownMember) {
	node := s.member.Node()
	if u.first.Exists() && node >= u.end {
		c.sayUnknown(u)
	}
	if !u.first.Exists() {
		end := c.tree.At(c.entryStart(node)).EndNode()
		*u = unknowns{first: c.tree.At(node), end: max(end, node+1), names: u.names[:0]}
	}
	if len(u.names) == mostUnknown {
		u.more++
		return
	}
	u.names = append(u.names, s.member.Name())
}

// sayUnknown reports what was gathered about one entry.
func (c *checker) sayUnknown(u *unknowns) {
	if !u.first.Exists() {
		return
	}
	names := make([]string, len(u.names))
	for i, name := range u.names {
		names[i] = quote(name)
	}
	list := strings.Join(names, ", ")
	switch {
	case u.more > 0:
		list += " and " + counted(u.more, "other member")
		fallthrough
	case len(names) > 1:
		c.under("file.unknown_in_entry").say(u.first, "%s are not known here; readers ignore them", list)
	default:
		c.under("file.unknown_in_entry").say(u.first, "the member %s is not known here; readers ignore it", list)
	}
	u.first, u.more = Value{}, 0
}

// entryStart returns the node at which the entry of a list begins that has a node inside,
// or the section that is no list.
func (c *checker) entryStart(node uint32) uint32 {
	f := c.file
	if f == nil {
		return 0
	}
	for _, section := range []struct {
		at    int
		start func() uint32
	}{
		{atFileProperties, func() uint32 { return startAround(f.Properties, node) }},
		{atFileAgents, func() uint32 { return startAround(f.Agents, node) }},
		{atFilePlacements, func() uint32 { return startAround(f.Placements, node) }},
		{atFileFormats, func() uint32 { return startAround(f.Formats, node) }},
		{atFileSignals, func() uint32 { return startAround(f.Signals, node) }},
		{atFileCollections, func() uint32 { return startAround(f.Collections, node) }},
		{atFileRevocations, func() uint32 { return startAround(f.Revocations, node) }},
		{atFileFeatures, func() uint32 { return startAround(f.Features, node) }},
		{atFileTags, func() uint32 { return startAround(f.Tags, node) }},
		{atFilePlacementTags, func() uint32 { return startAround(f.PlacementTags, node) }},
		{atFileSignalTags, func() uint32 { return startAround(f.SignalTags, node) }},
	} {
		if v := f.member(section.at); v.IsContainer() && inside(v, node) {
			return section.start()
		}
	}
	return f.member(atFileContact).Node()
}

// startAround returns where the last entry starts that starts at or before a node.
func startAround[T any, P entryPointer[T]](list []T, node uint32) uint32 {
	i := sort.Search(len(list), func(i int) bool { return P(&list[i]).node() > node })
	if i == 0 {
		return node
	}
	return P(&list[i-1]).node()
}
