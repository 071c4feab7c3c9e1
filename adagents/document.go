package adagents

// document applies every rule to the parsed tree, section by section. A
// section may rely on those before it: properties know the revocations,
// placements know the properties and formats, agents know everything.
func (c *run) document() {
	c.checkTree()
	root := c.tree.Root()
	if !root.Is(Object) {
		return
	}
	if root.Has("authoritative_location") {
		c.pointerFile(root)
	} else {
		c.inlineFile(root)
	}
	c.leftovers()
}

// tooComplex refuses a file that takes too much memory or time. What is known of
// it is incomplete, so nothing else is said about it.
func (c *run) tooComplex(root Value, msg string) {
	c.file = nil
	c.dec.wrong, c.dec.strangers = nil, nil
	c.under("file.too_complex").say(root, "%s", msg)
}

func (c *run) pointerFile(root Value) {
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
	c.report.byDomain = true
	apply(c, pointerRules, p, nil)
}

// prepare tells the decoder what it needs to know besides the file.
func (c *run) prepare() {
	c.home = homeOf(&c.opt)
	// A file that was reached through another one may be that of many publishers,
	// so that the rules leave Domain alone there; one that does not says so.
	c.report.byDomain = c.opt.Role != Authoritative && c.opt.Role != Manager
	c.dec.circumstances = circumstances{home: c.home, implied: c.publisher(&owner{}), allowed: newAllowance(c.opt.MaxValues)}
}

func (c *run) inlineFile(root Value) {
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
	apply(c, fileRules, f, nil)
	if f.Contact != nil {
		apply(c, contactRules, f.Contact, nil)
	}
	c.checkRevocations()
	c.index.properties = newIDTable(f.Properties, &c.dec)
	c.checkTopProperties()
	c.index.addPropertyTags(f.Properties, &c.dec.glances)
	c.checkCollections()
	c.checkFormats()
	c.checkPlacements()
	c.checkSignals()
	c.checkTagMap("tags", f.Tags)
	c.checkTagMap("placement_tags", f.PlacementTags)
	c.checkTagMap("signal_tags", f.SignalTags)
	c.checkFeatures()
	c.checkAgents()
	apply(c, closingRules, f, nil)
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
func (c *run) tooManyNames(root Value) {
	c.found, c.tally = nil, tally{}
	c.tooComplex(root, "the file has too many domains with letters outside ASCII")
}

func (c *run) checkRevocations() {
	for i := range c.file.Revocations {
		c.number = i
		r := &c.file.Revocations[i]
		apply(c, revocationRules, r, &r.fate)
	}
	c.index.addRevocations(c.file.Revocations)
}

// checkTopProperties checks the file's properties. One that looked plain while
// it was decoded only has to differ from those before it, and to have nothing to
// do with a revoked publisher.
func (c *run) checkTopProperties() {
	list := c.file.Properties
	c.inline = false
	c.index.identifiers.init(len(list))
	for i := range list {
		seen := &c.dec.glances.each[i]
		if seen.plain && !c.thorough && !c.namesRevoked(&list[i]) && c.index.identifiers.enter(seen.first, c.dec.glances.of(i)) {
			continue
		}
		c.checkProperty(i, &list[i])
		c.dec.glances.recount(i, &list[i])
	}
	c.property = nil
}

// checkInlineProperties checks the properties of an agent entry.
func (c *run) checkInlineProperties(list []Property) {
	c.inline = true
	for i := range list {
		c.checkProperty(i, &list[i])
	}
	c.property = nil
}

// checkProperty applies every rule to one property. Identifiers come first,
// because a property is only as usable as its identifiers are.
func (c *run) checkProperty(i int, p *Property) {
	c.property = p
	c.identify(p)
	for k := range p.Identifiers {
		if c.idents[k].fine {
			continue // none of the rules has anything to say
		}
		id := &p.Identifiers[k]
		c.number = k
		apply(c, identifierRules, id, &id.fate)
	}
	c.number = i
	apply(c, propertyRules, p, &p.fate)
}

func (c *run) checkCollections() {
	c.index.addCollections(c.file.Collections)
	for i := range c.file.Collections {
		c.number = i
		x := &c.file.Collections[i]
		apply(c, collectionRules, x, &x.fate)
	}
}

func (c *run) checkFormats() {
	c.index.addFormats(c.file.Formats)
	for i := range c.file.Formats {
		c.number = i
		x := &c.file.Formats[i]
		c.format = x
		apply(c, formatRules, x, &x.fate)
	}
	c.format = nil
}

func (c *run) checkPlacements() {
	c.index.addPlacements(c.file.Placements)
	for i := range c.file.Placements {
		p := &c.file.Placements[i]
		c.place = p
		for k := range p.FormatOptions {
			c.number = k
			o := &p.FormatOptions[k]
			c.option = o
			apply(c, formatOptionRules, o, &o.fate)
		}
		c.option = nil
		c.number = i
		apply(c, placementRules, p, &p.fate)
	}
	c.place = nil
	c.index.addPlacementTags(c.file.Placements)
}

func (c *run) checkSignals() {
	for i := range c.file.Signals {
		c.number = i
		x := &c.file.Signals[i]
		apply(c, signalRules, x, &x.fate)
	}
	c.index.addSignals(c.file.Signals)
}

func (c *run) checkTagMap(name string, tags []Tag) {
	c.tagMap = name
	for i := range tags {
		c.number = i
		apply(c, tagRules, &tags[i], &tags[i].fate)
	}
}

func (c *run) checkFeatures() {
	for i := range c.file.Features {
		c.number = i
		x := &c.file.Features[i]
		apply(c, featureRules, x, &x.fate)
	}
}

// checkAgents checks each entry after what stands inside it.
func (c *run) checkAgents() {
	c.agents.canonical = make([]string, len(c.file.Agents))
	for i := range c.file.Agents {
		a := &c.file.Agents[i]
		c.agent = a
		c.checkInlineProperties(a.Properties)
		for k := range a.Selectors {
			c.number = k
			apply(c, selectorRules, &a.Selectors[k], &a.Selectors[k].fate)
			c.loseVoidSelector(&a.Selectors[k])
		}
		for k := range a.Collections {
			c.number = k
			apply(c, collectionSelectorRules, &a.Collections[k], &a.Collections[k].fate)
			c.lose(&a.fate, emptyOnly(a.Collections[k].fate.effect))
		}
		for k := range a.SigningKeys {
			c.number = k
			apply(c, signingKeyRules, &a.SigningKeys[k], &a.SigningKeys[k].fate)
		}
		for k := range a.EncryptionKeys {
			c.number = k
			apply(c, encryptionKeyRules, &a.EncryptionKeys[k], &a.EncryptionKeys[k].fate)
		}
		c.number = i
		apply(c, agentRules, a, &a.fate)
		c.loseVoidEntry(a)
		c.agents.canonical[i] = c.agentURL(a).canonical
	}
	c.agent = nil
}

// emptyOnly passes on the one effect of a collection selector that concerns
// its agent: an unusable narrowing must not widen the entry.
func emptyOnly(e Effect) Effect {
	if e == EmptyEntry {
		return e
	}
	return NoEffect
}
