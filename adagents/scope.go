package adagents

// An AuthorizationType says which list of an agent entry is the agent's scope. A file may
// have others than these; an entry of such a type authorizes nothing.
type AuthorizationType string

// The authorization types.
const (
	ByPropertyIDs         AuthorizationType = "property_ids"
	ByPropertyTags        AuthorizationType = "property_tags"
	ByInlineProperties    AuthorizationType = "inline_properties"
	ByPublisherProperties AuthorizationType = "publisher_properties"
	BySignalIDs           AuthorizationType = "signal_ids"
	BySignalTags          AuthorizationType = "signal_tags"
)

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
	{BySignalTags, "signal_tags", atAgentSignalTags, true, isSignalTag, "lower-case letters, digits, underscores and hyphens"},
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
