package adagents

import (
	"github.com/avow-project/avow/internal/std/jsontree"
)

// Check reads a file and applies every rule. It never fails: a file that is
// not even JSON gives a report that says so. The report keeps src, which must
// not be changed afterwards.
func Check(src []byte, opt Options) *Report {
	return (&checker{content: content{opt: opt}}).check(src)
}

// Parse reads a file for use: the usable content, with non-conforming entries
// left out. The error is an *Unusable when the file must not be used, which
// includes a pointer file: use Check to follow those.
func Parse(src []byte) (*File, error) {
	r := Check(src, Options{})
	if r.Unusable != nil {
		return nil, r.Unusable
	}
	if r.File == nil {
		return nil, &PointerError{Location: r.Pointer.AuthoritativeLocation}
	}
	return r.File, nil
}

// PointerError is what Parse returns for a pointer file.
type PointerError struct {
	Location string
}

// Error names the authoritative location.
func (e *PointerError) Error() string {
	return "the file only points to " + e.Location
}

func (c *checker) check(src []byte) *Report {
	c.report = new(Report)
	c.prepare()
	tree, err := jsontree.Parse(src,
		jsontree.Options{MaxBytes: c.opt.MaxBytes, MaxValues: c.opt.MaxValues, Names: names()})
	if err != nil {
		c.unreadable(src, err)
		return c.report
	}
	c.tree = tree
	c.report.tree = tree
	c.document()
	skips := c.skips()
	c.sortFindings()
	c.findCauses(skips)
	c.authorizesNobody(skips)
	c.assemble()
	c.report.byDomain = c.byDomain
	c.usable(skips)
	return c.report
}

// document applies every rule to the parsed tree, section by section. A
// section may rely on those before it: properties know the revocations,
// placements know the properties and formats, agents know everything.
func (c *checker) document() {
	root := c.tree.Root()
	if c.isOtherFormat(root) {
		return
	}
	c.checkTree()
	if !root.Is(Object) {
		return
	}
	if root.Has("authoritative_location") {
		c.pointerFile(root)
	} else {
		c.inlineFile(root)
	}
	c.checkMembers()
	c.unknownAltogether(root)
}

// tooComplex refuses a file that takes too much memory or time. What is known of
// it is incomplete, so nothing else is said about it.
func (c *checker) tooComplex(root Value, msg string) {
	c.file = nil
	c.dec.wrong, c.dec.unknown = nil, nil
	c.under("file.too_complex").say(root, "%s", msg)
}

func (c *checker) pointerFile(root Value) {
	c.report.Kind = PointerKind
	p := new(Pointer)
	c.dec.allowed = newAllowance(c.opt.MaxValues)
	c.dec.decodePointer(root, p)
	c.report.Pointer = p
	if c.opt.Role == Authoritative {
		c.under("authoritative.nested").say(p.member(atPointerAuthoritativeLocation),
			"the authoritative file has authoritative_location itself; only one hop is followed")
		return
	}
	c.byDomain = true
	apply(c, p, nil, pointerRules)
}

// prepare tells the decoder what it needs to know besides the file.
func (c *checker) prepare() {
	// A file that was reached through another one may be that of many publishers,
	// so that the rules leave Domain alone there; one that does not says so.
	c.byDomain = c.opt.Role != Authoritative && c.opt.Role != Manager
	c.dec.circumstances = circumstances{home: homeOf(&c.opt), implied: c.publisher(&owner{}),
		allowed: newAllowance(c.opt.MaxValues)}
}

func (c *checker) inlineFile(root Value) {
	c.report.Kind = Inline
	f := new(File)
	c.dec.decodeFile(root, f)
	c.dec.pay()
	if c.dec.allowed.exceeded() {
		c.tooComplex(root, "the file has too many entries")
		return
	}
	if keysOf(f) > mostKeys {
		c.tooComplex(root, "the file has more than 10,000 keys")
		return
	}
	c.index.hosts = c.dec.hosts
	if c.index.hosts.Full() {
		c.tooManyNames(root)
		return
	}
	c.file = f
	apply(c, f, nil, fileRules...)
	if f.Contact != nil {
		apply(c, f.Contact, nil, contactRules)
	}
	c.checkRevocations()
	c.index.properties = newIDTable(f.Properties, &c.dec)
	c.checkTopProperties()
	c.index.addPropertyTags(f.Properties, &c.dec.fastpaths)
	c.checkCollections()
	c.checkFormats()
	c.checkPlacements()
	c.checkSignals()
	c.checkTagMap("tags", f.Tags)
	c.checkTagMap("placement_tags", f.PlacementTags)
	c.checkTagMap("signal_tags", f.SignalTags)
	c.checkFeatures()
	c.checkAgents()
	apply(c, f, nil, closingRules...)
	if c.index.hosts.Full() {
		c.tooManyNames(root)
	}
}

// mostKeys is how many pinned keys a file may have. To see whether one is a point of its
// curve takes as long as reading a thousand bytes; a network with an entry for each of a
// thousand agents has two thousand.
const mostKeys = 10_000

// keysOf counts the keys of a file.
func keysOf(f *File) int {
	n := 0
	for i := range f.Agents {
		n += len(f.Agents[i].SigningKeys) + len(f.Agents[i].EncryptionKeys)
	}
	return n
}

// tooManyNames refuses a file with more international names than are mapped.
func (c *checker) tooManyNames(root Value) {
	c.findings.list, c.findings.limits = nil, limits{}
	c.tooComplex(root, "the file has too many domains with letters outside ASCII")
}

func (c *checker) checkRevocations() {
	for i := range c.file.Revocations {
		r := &c.file.Revocations[i]
		apply(c, r, &r.effect, revocationRules)
	}
	c.index.addRevocations(c.file.Revocations)
}

// checkTopProperties checks the file's properties. One that looked plain while
// it was decoded only has to differ from those before it, and to have nothing to
// do with a revoked publisher.
func (c *checker) checkTopProperties() {
	list := c.file.Properties
	c.index.identifiers = newHashTable(len(c.dec.fastpaths.hashes))
	var p *propertyCheck
	for i := range list {
		seen := &c.dec.fastpaths.each[i]
		if seen.plain && !c.thorough && !c.namesRevoked(&list[i]) &&
			c.index.identifiers.enter(seen.first, c.dec.fastpaths.of(i)) {
			continue
		}
		if p == nil {
			p = new(propertyCheck)
		}
		p.Property, p.number = &list[i], i
		c.checkProperty(p)
		c.dec.fastpaths.recount(i, &list[i])
	}
}

// checkProperty applies every rule to one property. Identifiers come first,
// because a property is only as usable as its identifiers are.
func (c *checker) checkProperty(p *propertyCheck) {
	p.identify(&c.index.hosts)
	for k := range p.Identifiers {
		if p.idents[k].fine {
			continue // none of the rules has anything to say
		}
		id := &p.Identifiers[k]
		apply(c, identifierCheck{id, &p.idents[k]}, &id.effect, identifierRules...)
	}
	apply(c, p, &p.effect, propertyRules...)
}

func (c *checker) checkCollections() {
	c.index.addCollections(c.file.Collections)
	for i := range c.file.Collections {
		x := &c.file.Collections[i]
		apply(c, x, &x.effect, collectionRules...)
	}
}

func (c *checker) checkFormats() {
	c.index.addFormats(c.file.Formats)
	for i := range c.file.Formats {
		x := &c.file.Formats[i]
		c.checkFormat(x)
	}
}

// checkFormat looks at an entry of formats: at what only an entry there has, and at what every
// declaration has.
func (c *checker) checkFormat(x *FormatDeclaration) {
	apply(c, x, &x.effect, formatEntryRules, formatScopeRules)
	if x.Raw.Is(Object) {
		apply(c, c.formatView(x.Raw), &x.effect, declarationRules...)
	}
	apply(c, x, &x.effect, rendererRules)
}

func (c *checker) checkPlacements() {
	c.index.addPlacements(c.file.Placements)
	for i := range c.file.Placements {
		p := &c.file.Placements[i]
		for k := range p.FormatOptions {
			o := optionCheck{&p.FormatOptions[k], p}
			apply(c, o, &o.effect, formatOptionRules...)
		}
		apply(c, p, &p.effect, placementRules...)
	}
	c.index.addPlacementTags(c.file.Placements)
}

func (c *checker) checkSignals() {
	for i := range c.file.Signals {
		x := &c.file.Signals[i]
		apply(c, x, &x.effect, signalRules...)
	}
	c.index.addSignals(c.file.Signals)
}

func (c *checker) checkTagMap(name string, tags []Tag) {
	for i := range tags {
		apply(c, tagCheck{&tags[i], name}, &tags[i].effect, tagRules)
	}
}

func (c *checker) checkFeatures() {
	for i := range c.file.Features {
		x := &c.file.Features[i]
		apply(c, x, &x.effect, featureRules)
	}
}

// checkAgents checks each entry after what stands inside it.
func (c *checker) checkAgents() {
	c.agents.canonical = make([]string, len(c.file.Agents))
	var p *propertyCheck
	for i := range c.file.Agents {
		a := &c.file.Agents[i]
		for k := range a.Properties {
			if p == nil {
				p = &propertyCheck{inline: true}
			}
			p.Property, p.number = &a.Properties[k], k
			c.checkProperty(p)
		}
		for k := range a.Selectors {
			applyToObject(c, &a.Selectors[k], &a.Selectors[k].effect, selectorObjectRules, selectorRules)
			c.loseEmptySelector(&a.Selectors[k])
		}
		for k := range a.Collections {
			applyToObject(c, &a.Collections[k], &a.Collections[k].effect, collectionObjectRules, collectionSelectorRules)
			c.findings.lose(&a.effect, emptyOnly(a.Collections[k].effect.worst))
		}
		for k := range a.SigningKeys {
			applyToObject(c, &a.SigningKeys[k], &a.SigningKeys[k].effect, keyObjectRules, signingKeyRules)
		}
		for k := range a.EncryptionKeys {
			apply(c, &a.EncryptionKeys[k], &a.EncryptionKeys[k].effect, encryptionKeyRules)
		}
		applyToObject(c, a, &a.effect, agentObjectRules, agentRules)
		c.loseEmptyEntry(a)
		c.agents.canonical[i] = c.agentURL(a).canonical
	}
}

// emptyOnly passes on the one effect of a collection selector that concerns
// its agent: an unusable narrowing must not widen the entry.
func emptyOnly(e Effect) Effect {
	if e == EmptyEntry {
		return e
	}
	return NoEffect
}
