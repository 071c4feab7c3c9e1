package adagents

// A Scope is what an agent entry selects: the list that belongs to its authorization type.
// The other lists are empty, whatever the entry has under their names, and all of them are
// where the type is not known.
type Scope struct {
	PropertyIDs  []string
	PropertyTags []string
	Properties   []Property
	Selectors    []Selector
	SignalIDs    []string
	SignalTags   []string
}

// Scope returns what the entry selects.
func (a *Agent) Scope() Scope { return VisitScope[Scope](a, scopeLists{}) }

// A ScopeVisitor has an answer for every authorization type, given the list that belongs to
// it. Code that must not overlook a type is written as one: it does not compile before it
// has an answer for a type that is new.
type ScopeVisitor[T any] interface {
	PropertyIDs(ids []string) T
	PropertyTags(tags []string) T
	InlineProperties(list []Property) T
	PublisherProperties(list []Selector) T
	SignalIDs(ids []string) T
	SignalTags(tags []string) T
	// Unknown is for any other type, and for none.
	Unknown(t AuthorizationType) T
}

// VisitScope returns the visitor's answer for the authorization type of an entry.
func VisitScope[T any](a *Agent, v ScopeVisitor[T]) T {
	switch a.Type {
	case ByPropertyIDs:
		return v.PropertyIDs(a.PropertyIDs)
	case ByPropertyTags:
		return v.PropertyTags(a.PropertyTags)
	case ByInlineProperties:
		return v.InlineProperties(a.Properties)
	case ByPublisherProperties:
		return v.PublisherProperties(a.Selectors)
	case BySignalIDs:
		return v.SignalIDs(a.SignalIDs)
	case BySignalTags:
		return v.SignalTags(a.SignalTags)
	}
	return v.Unknown(a.Type)
}

type scopeLists struct{}

// PropertyIDs is the list of that type.
func (scopeLists) PropertyIDs(ids []string) Scope { return Scope{PropertyIDs: ids} }

// PropertyTags is the list of that type.
func (scopeLists) PropertyTags(tags []string) Scope { return Scope{PropertyTags: tags} }

// InlineProperties is the list of that type.
func (scopeLists) InlineProperties(list []Property) Scope { return Scope{Properties: list} }

// PublisherProperties is the list of that type.
func (scopeLists) PublisherProperties(list []Selector) Scope { return Scope{Selectors: list} }

// SignalIDs is the list of that type.
func (scopeLists) SignalIDs(ids []string) Scope { return Scope{SignalIDs: ids} }

// SignalTags is the list of that type.
func (scopeLists) SignalTags(tags []string) Scope { return Scope{SignalTags: tags} }

// Unknown has no list.
func (scopeLists) Unknown(AuthorizationType) Scope { return Scope{} }

// A companion is the selector member that belongs to an authorization type.
type companion struct {
	typ    AuthorizationType
	name   string // the member
	at     int
	signal bool
	// form tests the items of a list of strings; nil for lists of objects.
	form func(string) bool
	want string // the form in words
}

var companions = [...]companion{
	{ByPropertyIDs, "property_ids", atAgentPropertyIDs, false, isID, "lower-case letters, digits and underscores"},
	{ByPropertyTags, "property_tags", atAgentPropertyTags, false, isID, "lower-case letters, digits and underscores"},
	{ByInlineProperties, "properties", atAgentProperties, false, nil, ""},
	{ByPublisherProperties, "publisher_properties", atAgentSelectors, false, nil, ""},
	{BySignalIDs, "signal_ids", atAgentSignalIDs, true, isSignalID, "letters, digits, underscores and hyphens"},
	{BySignalTags, "signal_tags", atAgentSignalTags, true, isSignalTag,
		"lower-case letters, digits, underscores and hyphens"},
}

// companion returns the selector that the entry's type names, or nil when the type is
// missing or unknown.
func (a *Agent) companion() *companion {
	for i := range companions {
		if companions[i].typ == a.Type {
			return &companions[i]
		}
	}
	return nil
}

// selected returns a list of the entry as written, if it is the one that the entry's type
// names.
func (a *Agent) selected(at int) Value {
	if s := a.companion(); s == nil || s.at != at {
		return Value{}
	}
	return a.member(at)
}

// sells reports whether the entry is about properties rather than signals.
func (a *Agent) sells() bool {
	s := a.companion()
	return s != nil && !s.signal
}

// scope returns the catalog, prepared on first use.
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
	c.quiet += steps
	return c.quiet <= quietSteps
}

// usablePlacement returns the placement an item of placement_ids names.
func (c *content) usablePlacement(v Value) *Placement {
	if !v.Is(String) {
		return nil
	}
	i, ok := c.index.placements[v.Str()]
	if !ok || c.file.Placements[i].effect.gone() {
		return nil
	}
	return &c.file.Placements[i]
}

// revoked reports whether a publisher is revoked. Files name many and revoke few, most of
// which differ in their lengths already.
func (c *content) revoked(host string) bool {
	if c.index.revokedLens&(1<<(len(host)%64)) == 0 {
		return false
	}
	_, ok := c.index.revoked[host]
	return ok && host != ""
}
