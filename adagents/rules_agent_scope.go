package adagents

// scopeMap is the file's catalog as the selectors of its agents see it. Each
// part is made when a rule first asks for it: most files need few of them.
type scopeMap struct {
	usable     int                  // usable top-level properties
	byID       map[string]int       // first usable property of an id
	tagged     map[string][]int32   // usable properties by tag
	owned      map[string]int32     // last usable property of a publisher
	ownedAlso  []int32              // by property: the one before it of the same publisher, or -1
	revoked    map[*Property]string // left-out properties with their revoked domain, or ""
	revokedTag map[string]string    // tags of revoked properties, with the domain
	catalogs   int                  // usable signals that refer to a catalog
	self       string               // the domain the file speaks for, if it is clear
	quiet      int                  // steps spent on rules that fall silent when there are too many
}

// scope returns the catalog, counted through on first use.
func (c *content) scope() *scopeMap {
	if c.agents.scope != nil {
		return c.agents.scope
	}
	s := new(scopeMap)
	c.agents.scope = s
	for i := range c.file.Properties {
		if !c.file.Properties[i].effect.gone() {
			s.usable++
		}
	}
	for i := range c.file.Signals {
		if x := &c.file.Signals[i]; !x.effect.gone() && x.ID == "" && x.CatalogURL != "" {
			s.catalogs++
		}
	}
	s.self = c.selfDomain()
	return s
}

// selfDomain returns the domain the file speaks for: the one it was served
// for, or the only publisher its properties name.
func (c *content) selfDomain() string {
	if c.opt.Domain != "" && c.opt.Role == Direct {
		return c.opt.Domain
	}
	only := ""
	for i := range c.file.Properties {
		p := &c.file.Properties[i]
		if p.effect.gone() {
			continue
		}
		domain, _, err := c.index.hosts.Canonical(p.PublisherDomain)
		if err != nil || only != "" && only != domain {
			return ""
		}
		only = domain
	}
	return only
}

// publisherOf returns the publisher a property belongs to: the one it names,
// or the one the file was served for. A file shared by several publishers
// implies none.
func (c *content) publisherOf(p *Property) string {
	if !p.member(atPropertyPublisherDomain).Exists() {
		if c.opt.Role == Direct {
			return c.opt.Domain
		}
		return ""
	}
	domain, _, err := c.index.hosts.Canonical(p.PublisherDomain)
	if err != nil {
		return ""
	}
	return domain
}

// propertyByID returns the first usable property with an id, or -1.
func (c *content) propertyByID(id string) int {
	i, ok := c.index.properties.get(id)
	if !ok {
		return -1
	}
	if !c.file.Properties[i].effect.gone() {
		return i
	}
	// The first one is left out, but another publisher's may have the id too.
	s := c.scope()
	if s.byID == nil {
		s.byID = make(map[string]int, s.usable)
		for k := range c.file.Properties {
			if p := &c.file.Properties[k]; !p.effect.gone() {
				first(s.byID, p.ID, k)
			}
		}
	}
	i, ok = s.byID[id]
	if !ok {
		return -1
	}
	return i
}

// taggedProperties returns the usable properties by tag.
func (c *content) taggedProperties() map[string][]int32 {
	s := c.scope()
	if s.tagged == nil {
		s.tagged = make(map[string][]int32, len(c.index.propertyTag))
		for i := range c.file.Properties {
			if p := &c.file.Properties[i]; !p.effect.gone() {
				for _, tag := range p.Tags {
					s.tagged[tag] = append(s.tagged[tag], int32(i))
				}
			}
		}
	}
	return s.tagged
}

// firstOwned returns the number of the last usable property of a publisher, or
// -1; nextOwned leads from it to the others. A network's file has thousands of
// publishers with one property each, so they are chained and not kept in lists,
// and asked for so often that an iterator's closures would show.
func (c *content) firstOwned(domain string) int32 {
	s := c.scope()
	if s.owned == nil {
		c.chainOwned(s)
	}
	if i, ok := s.owned[domain]; ok {
		return i
	}
	return -1
}

// nextOwned returns the property before the i-th of the same publisher, or -1.
func (c *content) nextOwned(i int32) int32 { return c.scope().ownedAlso[i] }

func (c *content) chainOwned(s *scopeMap) {
	s.owned = make(map[string]int32, len(c.file.Properties))
	s.ownedAlso = make([]int32, len(c.file.Properties))
	for i := range c.file.Properties {
		p := &c.file.Properties[i]
		domain := c.publisherOf(p)
		if p.effect.gone() || domain == "" {
			continue
		}
		before, ok := s.owned[domain]
		if !ok {
			before = -1
		}
		s.ownedAlso[i] = before
		s.owned[domain] = int32(i)
	}
}

// revokedOwner returns the revoked domain a property belongs to, or "". The
// answer is kept, because any number of entries may refer to the property.
func (c *content) revokedOwner(p *Property) string {
	if len(c.index.revoked) == 0 {
		return ""
	}
	s := c.scope()
	domain, known := s.revoked[p]
	if !known {
		if s.revoked == nil {
			s.revoked = make(map[*Property]string)
		}
		domain = c.findRevoked(p)
		s.revoked[p] = domain
	}
	return domain
}

func (c *content) findRevoked(p *Property) string {
	if domain := c.publisherOf(p); c.revoked(domain) {
		return domain
	}
	for i := range p.Identifiers {
		id := &p.Identifiers[i]
		if id.Type != "domain" && id.Type != "subdomain" {
			continue
		}
		if domain := canonicalDomain(&c.index.hosts, id.Value); c.revoked(domain) {
			return domain
		}
	}
	return ""
}

// revokedTags returns the tags of properties that are left out because their
// publisher is revoked, each with one such publisher.
func (c *content) revokedTags() map[string]string {
	s := c.scope()
	if s.revokedTag != nil || len(c.index.revoked) == 0 {
		return s.revokedTag
	}
	s.revokedTag = make(map[string]string)
	for i := range c.file.Properties {
		p := &c.file.Properties[i]
		if !p.effect.gone() {
			continue
		}
		if domain := c.revokedOwner(p); domain != "" {
			for _, tag := range p.Tags {
				s.revokedTag[tag] = domain
			}
		}
	}
	return s.revokedTag
}

// resolves reports whether a usable part of the catalog has the id or tag.
func (c *content) resolves(s *companion, text string) bool {
	switch s.at {
	case atAgentPropertyIDs:
		return c.propertyByID(text) >= 0
	case atAgentPropertyTags:
		return c.index.propertyTag[text] > 0
	case atAgentSignalIDs:
		i, ok := c.index.signals[text]
		return ok && !c.file.Signals[i].effect.gone()
	case atAgentSignalTags:
		return c.index.signalTag[text] > 0
	}
	return false
}

// quietSteps bounds the work of rules whose silence does no harm.
const quietSteps = 4_000_000

// spend counts steps and reports whether there are some left.
func (c *content) spend(steps int) bool {
	s := c.scope()
	s.quiet += steps
	return s.quiet <= quietSteps
}
