package supplypath

import (
	"bytes"
	"slices"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// evaluation is an Input that was read.
type evaluation struct {
	owner, host party
	agent       string
	isAgent     bool
	required    []string
	// properties are the host's own that are good. oddProperties means that the list has an item that
	// is not an object.
	properties    []jsontree.Value
	oddProperties bool
	// partners are the partners in each file that could be read.
	partners map[string][]string
	skip     bool
}

func read(in *Input) *evaluation {
	owner := parse(in.Owner.File)
	host := owner // two publishers may have one file, of any size
	if !bytes.Equal(in.Owner.File, in.Host.File) {
		host = parse(in.Host.File)
	}
	e := &evaluation{owner: readParty(&in.Owner, owner), host: readParty(&in.Host, host), required: in.Required,
		partners: map[string][]string{}, skip: in.SkipAdsTxt}
	e.agent, e.isAgent = agentID(in.Agent)
	for name, text := range in.AdsTxt {
		e.partners[name] = partnersIn(text)
	}
	for _, p := range e.host.owned("properties") {
		if isProperty(p) {
			e.properties = append(e.properties, p)
		}
	}
	for _, item := range e.host.file.Get("properties").Elems() {
		e.oddProperties = e.oddProperties || !item.Is(jsontree.Object)
	}
	return e
}

// Evaluate answers an Input.
func Evaluate(in *Input) *Result {
	e := read(in)
	if e.beyond(in) {
		limit := failed(LimitExceeded)
		legs := Legs{Collection: limit, Carriage: carriage(limit, nil, nil), Agent: limit, Host: Grant{Leg: limit},
			Partner: limit}
		return &Result{SemanticsVersion: SemanticsVersion, State: Unverified, Legs: legs}
	}
	ids := []string{in.Collection}
	if in.Collection == "" {
		ids = e.collectionIDs()
	}
	var best *Result
	for _, id := range ids {
		r := e.path(id)
		if best == nil || slices.Index(States(), r.State) > slices.Index(States(), best.State) {
			best = r
		}
	}
	return best
}

// collectionIDs returns the ids in the owner's file, or an empty one if there are none.
func (e *evaluation) collectionIDs() []string {
	var ids []string
	for _, c := range records(e.owner.file.Get("collections")) {
		if id := c.Get("collection_id").Str(); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if ids == nil {
		return []string{""}
	}
	return ids
}

// a path is one collection on its way.
type path struct {
	*evaluation
	id         string
	collection jsontree.Value
	// entries are those of the distribution that name the host, and claimed the properties in them.
	entries []jsontree.Value
	claimed []string
	legs    Legs
}

func (e *evaluation) path(id string) *Result {
	p := &path{evaluation: e, id: id}
	p.legs.Collection = p.judgeCollection()
	p.legs.Carriage = p.judgeCarriage()
	p.legs.Agent = p.judgeAgent()
	p.legs.Host = p.judgeHost()
	p.legs.Partner = p.judgePartner()
	r := &Result{SemanticsVersion: SemanticsVersion, State: p.state(), Legs: p.legs}
	if p.legs.Collection.OK {
		r.Collection = id
	}
	return r
}

func (p *path) state() State {
	l := &p.legs
	revoked := p.host.revokes(p.owner.domain) || p.host.revokes(p.host.domain) || p.owner.revokes(p.host.domain)
	switch {
	case l.Host.OK && l.Collection.OK && l.Carriage.OK:
		return VerifiedOwnerSold
	case l.Partner.OK && l.Agent.OK && l.Collection.OK && !revoked:
		return HostDelegated
	case l.Collection.OK && len(p.entries) > 0:
		return OwnerAttested
	}
	return Unverified
}

func (p *path) judgeCollection() Leg {
	declared := p.owner.owned("collections")
	var found []jsontree.Value
	for _, c := range declared {
		if c.Get("collection_id").Str() == p.id && isText(p.id) {
			found = append(found, c)
		}
	}
	switch {
	case !p.owner.file.Exists():
		return failed(ManifestNotFound)
	case p.owner.revokes(p.owner.domain):
		return failed(PublisherRevoked)
	case p.id == "" && len(declared) == 0:
		return failed(NoCollectionsDeclared)
	case len(found) != 1:
		return failed(CollectionNotDeclared)
	}
	p.collection = found[0]
	kind := p.collection.Get("kind").Str()
	switch {
	case kind == "":
		kind = "series"
	case !slices.Contains(model.CollectionKinds, kind):
		kind = "unknown"
	}
	return ok("kind: " + kind)
}

func (p *path) judgeCarriage() Carriage {
	if !p.legs.Collection.OK {
		return carriage(failed(CollectionLegFailed), nil, nil)
	}
	for _, d := range records(p.collection.Get("distribution")) {
		if isDomain(d.Get("publisher_domain"), p.host.domain) {
			p.entries = append(p.entries, d)
		}
	}
	if len(p.entries) == 0 {
		return carriage(failed(NoDistributionForHost), nil, nil)
	}
	for _, d := range p.entries {
		ids, ok := distribution(d)
		if !ok {
			p.claimed = nil
			return carriage(failed(PropertyIDsUnresolved), nil, nil)
		}
		for _, id := range ids {
			if !slices.Contains(p.claimed, id) {
				p.claimed = append(p.claimed, id)
			}
		}
	}
	return p.resolve()
}

// distribution returns the ids in one entry, and false for an entry that is malformed or says nothing.
func distribution(d jsontree.Value) ([]string, bool) {
	named, identifiers := d.Get("property_ids"), d.Get("identifiers")
	ids, isList := texts(named, isText)
	switch {
	case !hasOnly(d, []string{"publisher_domain", "property_ids", "identifiers"}),
		named.Exists() && !isList,
		identifiers.Exists() && !areIdentifiers(identifiers, isText),
		!named.Exists() && !identifiers.Exists():
		return nil, false
	}
	return ids, true
}

// resolve looks for the claimed properties at the host.
func (p *path) resolve() Carriage {
	switch {
	case len(p.claimed) == 0:
		return carriage(ok("by identifiers only"), nil, nil)
	case !p.host.file.Exists():
		return carriage(failed(HostManifestNotFound), nil, p.claimed)
	}
	var matched, unmatched []string
	for _, id := range p.claimed {
		if len(p.withID(id)) == 1 {
			matched = append(matched, id)
		} else {
			unmatched = append(unmatched, id)
		}
	}
	if len(unmatched) > 0 {
		return carriage(failed(PropertyIDsUnresolved), matched, unmatched)
	}
	return carriage(ok(""), matched, nil)
}

// withID returns the host's properties of an id.
func (e *evaluation) withID(id string) []jsontree.Value {
	var list []jsontree.Value
	for _, p := range e.properties {
		if p.Get("property_id").Str() == id {
			list = append(list, p)
		}
	}
	return list
}

func carriage(leg Leg, matched, unmatched []string) Carriage {
	return Carriage{Leg: leg, Matched: append([]string{}, matched...), Unmatched: append([]string{}, unmatched...)}
}

// entriesOf returns the entries for the agent in a file.
func (p *path) entriesOf(file jsontree.Value) []jsontree.Value {
	var list []jsontree.Value
	for _, entry := range records(file.Get("authorized_agents")) {
		id, isAgent := agentID(entry.Get("url").Str())
		if isAgent && p.isAgent && id == p.agent {
			list = append(list, entry)
		}
	}
	return list
}

func (p *path) judgeAgent() Leg {
	if !p.owner.file.Exists() {
		return failed(ManifestNotFound)
	}
	for _, entry := range p.entriesOf(p.owner.file) {
		if p.owner.shared && !entry.Has("collections") {
			continue
		}
		if isGrant(entry) && covers(entry, p.owner.domain, p.id) && isSupported(entry) {
			return ok("")
		}
	}
	return failed(AgentNotDeclared)
}

func (p *path) judgeHost() Grant {
	if !p.host.file.Exists() {
		return Grant{Leg: failed(ManifestNotFound)}
	}
	entries := p.entriesOf(p.host.file)
	if len(entries) == 0 {
		return Grant{Leg: failed(NoAgentEntry)}
	}
	revoked := p.host.revokes(p.owner.domain) || p.owner.revokes(p.host.domain)
	covered := slices.DeleteFunc(entries, func(entry jsontree.Value) bool {
		return revoked || !entry.Has("collections") || !covers(entry, p.owner.domain, p.id)
	})
	if len(covered) == 0 {
		return Grant{Leg: failed(CollectionScopeMismatch)}
	}
	supported := false
	for _, entry := range covered {
		if !isSupported(entry) {
			continue
		}
		supported = true
		if p.grants(entry) {
			return Grant{Leg: ok(""), Entry: entryOf(entry)}
		}
	}
	if !supported {
		return Grant{Leg: failed(UnsupportedConstraints)}
	}
	return Grant{Leg: failed(PropertyScopeMismatch)}
}

// grants reports whether one entry reaches every property that it has to. Entries are alternatives
// and never joined.
func (p *path) grants(entry jsontree.Value) bool {
	if !p.legs.Collection.OK || !p.legs.Carriage.OK || p.host.revokes(p.host.domain) || !isGrant(entry) ||
		len(p.claimed) == 0 {
		return false
	}
	required := p.claimed
	if p.required != nil {
		required = p.required
	}
	reached := p.scope(entry)
	for _, id := range required {
		if !reached[id] || !slices.Contains(p.claimed, id) {
			return false
		}
	}
	return len(required) > 0
}
