// Package projection says what the directory and the change feed show of a publisher: who may sell
// what, by the file that is in effect, and which events lead there from what was told before. It
// is called with every change of a publisher, before the change is committed.
package projection

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// An Input is what is known of a publisher at a moment.
type Input struct {
	Domain hostname.Domain
	At     time.Time
	// Document is what answers rest on; nil when nothing is in effect. Location is where it is
	// and Adopted since when.
	Document *resolve.Document
	Location custody.Location
	Adopted  time.Time
	// Identifiers are those of its own properties in canonical form, and Disputed says that
	// publishers of other sites list one of them, too.
	Identifiers []resolve.Identifier
	Disputed    bool
	// Agents are those that its files have named. They are shown as unsettled while nothing is in
	// effect, and as revoked while the file does not speak for the publisher any more.
	Agents []string
}

// The states of a Pair.
const (
	// Sells: the publisher lets the agent sell something.
	Sells = iota
	// WasRevoked: the file does not speak for the publisher any more.
	WasRevoked
	// Unsettled: the agent was in a file of the publisher, of which none is in effect.
	Unsettled
	// Dormant: an entry has the agent, and is not in force now, or sells signals alone.
	Dormant
)

// A Pair is an agent and a publisher.
type Pair struct {
	Agent string // canonical URL
	State int
	// The rest is for Sells: how many properties it may sell and how many under conditions, of how
	// many, what those are limited in, and the types of the entries.
	Authorized, Conditional, Total int
	Limited                        resolve.Limits
	Types                          Types
	Pinned                         bool
	// It is so from Made on until Next; a zero Next means no end.
	Made, Next time.Time
}

// Shown is what lists show of a publisher beside how it stands.
type Shown struct {
	Properties int                  `json:"p,omitzero"`
	Agents     int                  `json:"a,omitzero"`
	Types      []TypeCount          `json:"t,omitzero"`
	First      []resolve.Identifier `json:"i,omitzero"`
	// Next is when something begins or ends, in microseconds since 1970; zero for never.
	Next int64 `json:"-"`
}

// A PackedShown is a Shown as it is kept: when something begins or ends, and JSON. It is empty for
// nothing.
type PackedShown []byte

// Pack packs what lists show; nil is nothing.
func (s *Shown) Pack() (PackedShown, error) {
	if s == nil {
		return PackedShown{}, nil
	}
	text, err := json.Marshal(s)
	return append(binary.BigEndian.AppendUint64(nil, uint64(s.Next)), text...), err
}

// Next is when something begins or ends, in microseconds since 1970; zero for never.
func (p PackedShown) Next() int64 {
	if len(p) < 8 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(p))
}

// Unpack is the opposite of Pack.
func (p PackedShown) Unpack() (Shown, error) {
	out := Shown{Next: p.Next()}
	if len(p) <= 8 {
		return out, nil
	}
	err := json.Unmarshal(p[8:], &out)
	return out, err
}

// A TypeCount is how many properties there are of a type.
type TypeCount struct {
	Type  string `json:"t"`
	Count int    `json:"n"`
}

// mostShown is how many identifiers lists show, and mostProperties of how many properties of a
// publisher events tell.
const (
	mostShown      = 20
	mostProperties = 1000
)

// longestAgent is how long the URL of an agent may be that is listed: no index of a database has
// room for any length.
const longestAgent = 2000

// A Change is what the directory and the feed have to be told about a publisher.
type Change struct {
	Domain hostname.Domain
	At     time.Time
	Shown  *Shown // nil for nothing
	Pairs  []Pair
	// Retire are the numbers of events that do not hold any more.
	Retire []int64
	Events []Event
	// Next is when something begins or ends; zero for never.
	Next time.Time
}

// Empty reports whether nothing is to be told in the feed.
func (c *Change) Empty() bool { return len(c.Events)+len(c.Retire) == 0 }

// revokedCode is the code of decisions about a publisher that the file does not speak for any more.
const revokedCode = "publisher.revoked"

// Revoked reports whether the file does not speak for the publisher any more.
func (in *Input) Revoked() bool {
	if in.Document == nil {
		return false
	}
	subject := resolve.NewSubject(in.Document)
	decision, _ := subject.Decide(&resolve.Question{Publisher: in.Document.Publisher, At: in.At})
	return decision.Code == revokedCode
}

// Make compares what is known with the events that were told and still hold.
func Make(in *Input, live []Event) (*Change, error) {
	out := &Change{Domain: in.Domain, At: in.At}
	var want []item
	switch {
	case in.Document == nil:
		out.others(in, Unsettled)
	case in.Revoked():
		out.Shown = &Shown{}
		out.others(in, WasRevoked)
	default:
		warning := out.pairs(in)
		owned := resolve.Owned(in.Document)
		out.Shown = shownOf(owned)
		out.Shown.First = in.Identifiers[:min(mostShown, len(in.Identifiers))]
		if !out.Next.IsZero() {
			out.Shown.Next = out.Next.UnixMicro()
		}
		out.Next = soonerAfter(in.At, out.Next, warning)
		out.Shown.Agents = len(slices.DeleteFunc(slices.Clone(out.Pairs), func(p Pair) bool { return p.State != Sells }))
		var err error
		want, err = in.items(owned, live)
		if err != nil {
			return nil, err
		}
	}
	compare(out, live, want, ending)
	return out, nil
}

// others adds the agents of which nothing is in force.
func (c *Change) others(in *Input, state int) {
	for _, url := range in.Agents {
		if len(url) > longestAgent {
			continue
		}
		c.Pairs = append(c.Pairs, Pair{Agent: url, State: state, Made: in.At})
	}
}

// pairs adds what agents may sell, and when that changes. It returns when events tell next that
// something ends soon, or that a key has ended.
func (c *Change) pairs(in *Input) time.Time {
	var warning time.Time
	subject := resolve.NewSubject(in.Document)
	byAgent := map[string]*Pair{}
	for _, claim := range subject.Claims(in.Document.Publisher, "") {
		if len(claim.Agent) > longestAgent {
			continue
		}
		p := byAgent[claim.Agent]
		if p == nil {
			p = &Pair{Agent: strings.Clone(claim.Agent), State: Dormant, Made: in.At}
			byAgent[claim.Agent] = p
		}
		p.Types |= TypeOf(claim.Type)
		p.Pinned = p.Pinned || claim.Pinned
		if claim.Holds(in.At) {
			p.State = Sells
		}
		for _, edge := range []time.Time{claim.From, claim.Until} {
			p.Next = soonerAfter(in.At, p.Next, edge)
		}
		c.Next = soonerAfter(in.At, c.Next, p.Next)
		for _, end := range endsOf(&claim, &in.Document.File.Agents[claim.Index]) {
			warning = soonerAfter(in.At, soonerAfter(in.At, warning, end), end.Add(-custody.UsualLead))
		}
	}
	for _, url := range signalAgents(in.Document.File) {
		if byAgent[url] == nil && len(url) <= longestAgent {
			byAgent[url] = &Pair{Agent: url, State: Dormant, Made: in.At}
		}
	}
	total := len(resolve.Owned(in.Document))
	rows := subject.Rows(in.Document.Publisher, in.At)
	for i := range rows {
		if p := byAgent[rows[i].Agent]; p != nil {
			p.Authorized, p.Conditional, p.Limited = rows[i].AuthorizedCount, rows[i].ConditionalCount, rows[i].Limited
		}
	}
	for _, p := range byAgent {
		p.Total = total
		c.Pairs = append(c.Pairs, *p)
	}
	slices.SortFunc(c.Pairs, func(a, b Pair) int { return cmp.Compare(a.Agent, b.Agent) })
	return warning
}

// signalAgents returns the agents that sell signals.
func signalAgents(f *adagents.File) []string {
	var out []string
	var hosts hostname.Memo
	for i := range f.Agents {
		scope := f.Agents[i].Scope()
		if len(scope.SignalIDs)+len(scope.SignalTags) == 0 || f.Agents[i].Inert() {
			continue
		}
		url, _, err := hosts.CanonicalURL(f.Agents[i].URL)
		if err == nil {
			out = append(out, strings.Clone(url))
		}
	}
	return out
}

// soonerAfter returns the earlier of two times after one; zero means no time.
func soonerAfter(now, a, b time.Time) time.Time {
	if b.After(now) && (a.IsZero() || b.Before(a)) {
		return b
	}
	return a
}

// shownOf counts properties by type.
func shownOf(owned []*adagents.Property) *Shown {
	out := &Shown{Properties: len(owned)}
	counts := map[string]int{}
	for _, p := range owned {
		counts[strings.ReplaceAll(strings.ToValidUTF8(p.Type, ""), "\x00", "")]++
	}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		out.Types = append(out.Types, TypeCount{kind, counts[kind]})
	}
	return out
}

// Payloads returns what events say about the authorizations that are in force.
func (in *Input) Payloads() ([][]byte, error) {
	if in.Document == nil || in.Revoked() {
		return nil, nil
	}
	var out [][]byte
	rows := in.Rows("")
	for i := range rows {
		one, err := grantItem(&rows[i])
		if err != nil {
			return nil, err
		}
		out = append(out, one.payload)
	}
	return out, nil
}

// items returns what is to be told about a publisher.
func (in *Input) items(owned []*adagents.Property, live []Event) ([]item, error) {
	rows := in.Rows("")
	grants := make([]item, 0, len(rows))
	for i := range rows {
		one, err := grantItem(&rows[i])
		if err != nil {
			return nil, err
		}
		grants = append(grants, one)
	}
	properties, seen := make([]item, 0, len(owned)), map[string]bool{}
	for _, p := range owned[:min(len(owned), mostProperties)] {
		one, ok, err := propertyItem(p, in.Domain)
		if err != nil {
			return nil, err
		}
		if ok && !seen[one.entity] {
			seen[one.entity] = true
			properties = append(properties, one)
		}
	}
	file, err := in.fileItem(grants, properties, live)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]item{file}, properties, grants), nil
}

// shortSum is the digest of what is written as JSON.
func shortSum(v any) [8]byte {
	text, _ := json.Marshal(v, jsonOptions) // what cannot be written was refused before
	sum := sha256.Sum256(text)
	return [8]byte(sum[:8])
}

// grantPayload is what an event says about an authorization: nothing is null that a client
// takes for damaged then.
type grantPayload struct {
	AuthorizationBase
	SigningKeys     jsontext.Value `json:"signing_keys,omitzero"`
	DiscoveryMethod string         `json:"discovery_method"`
	ManagerDomain   string         `json:"manager_domain,omitempty"`
}

func grantItem(r *Row) (item, error) {
	p := grantPayload{AuthorizationBase: baseOf(r)}
	method, manager := MethodOf(r.Location)
	p.DiscoveryMethod = method
	if manager != nil {
		p.ManagerDomain = *manager
	}
	var err error
	p.SigningKeys, err = publicKeysOf(r.Keys)
	if err != nil {
		return item{}, err
	}
	out := item{begin: Granted, change: Modified, end: Revoked, agent: AgentName(r.Agent), entity: r.ID}
	out.core = shortSum([]any{p.AuthorizationScope, p.AgentURL})
	out.payload, err = json.Marshal(p, jsonOptions)
	p.CreatedAt, p.UpdatedAt = "", "" // a new version that says the same is not news
	out.whole = shortSum(p)
	return out, err
}

// propertyPayload is what an event says about a property.
type propertyPayload struct {
	PropertyRID     string               `json:"property_rid"`
	PropertyID      string               `json:"property_id,omitempty"`
	PropertyType    string               `json:"property_type"`
	Name            string               `json:"name,omitempty"`
	Domain          string               `json:"domain"`
	PublisherDomain string               `json:"publisher_domain"`
	Classification  string               `json:"classification"`
	Source          string               `json:"source"`
	Identifiers     []propertyIdentifier `json:"identifiers"`
	Tags            []string             `json:"tags,omitempty"`
	Placements      []string             `json:"placements"`
}

type propertyIdentifier struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// What registries that know more than files call a property, and where it comes from.
const (
	ClassProperty = "property"
	Authoritative = "authoritative"
)

// PropertyRID is the id of a property of a publisher, the same at any time and in the feed; empty when
// the file does not say what it is known by.
func PropertyRID(p *adagents.Property, domain hostname.Domain) string {
	name := p.ID
	switch {
	case name != "":
	case len(p.Identifiers) == 0:
		return ""
	default:
		name = p.Identifiers[0].Type + " " + p.Identifiers[0].Value
	}
	return RowID("property", string(domain), name)
}

func propertyItem(p *adagents.Property, domain hostname.Domain) (item, bool, error) {
	rid := PropertyRID(p, domain)
	if rid == "" {
		return item{}, false, nil
	}
	doc := propertyPayload{
		PropertyRID: rid, PropertyID: p.ID, PropertyType: p.Type, Name: redact.Credentials(p.Name),
		Domain: string(domain), PublisherDomain: string(domain), Classification: ClassProperty, Source: Authoritative,
		Tags: p.Tags,
	}
	for i := range p.Identifiers {
		doc.Identifiers = append(doc.Identifiers,
			propertyIdentifier{p.Identifiers[i].Type, redact.Credentials(p.Identifiers[i].Value)})
	}
	out := item{begin: Created, change: Updated, end: Stale, entity: doc.PropertyRID, whole: shortSum(doc)}
	out.core = out.whole
	var err error
	out.payload, err = json.Marshal(doc, jsonOptions)
	return out, true, err
}

// filePayload is what an event says about a file.
type filePayload struct {
	PublisherDomain string   `json:"publisher_domain"`
	AgentCount      int      `json:"agent_count"`
	PropertyCount   int      `json:"property_count"`
	CollectionCount int      `json:"collection_count"`
	FormatCount     int      `json:"format_count"`
	PlacementCount  int      `json:"placement_count"`
	ChangedFields   []string `json:"changed_fields,omitempty"`
	DiscoveryMethod string   `json:"discovery_method,omitempty"`
	ManagerDomain   string   `json:"manager_domain,omitempty"`
	State           string   `json:"state,omitempty"`
}

// fileItem is about the file of a publisher. How its parts differ from what was told before is
// read from the digest of that event.
func (in *Input) fileItem(grants, properties []item, live []Event) (item, error) {
	doc := in.Document
	p := filePayload{PublisherDomain: string(in.Domain), PropertyCount: len(properties)}
	agents := map[string]bool{}
	for i := range grants {
		agents[grants[i].agent] = true
	}
	p.AgentCount = len(agents)
	method, manager := MethodOf(in.Location)
	p.DiscoveryMethod = method
	if manager != nil {
		p.ManagerDomain = *manager
	}
	parts := map[string][8]byte{"authorized_agents": sumOf(grants), "properties": sumOf(properties)}
	if in.Location.Method == custody.Direct {
		// A file of several publishers changes for most of them without saying anything else.
		p.CollectionCount, p.FormatCount, p.PlacementCount = len(doc.File.Collections), len(doc.File.Formats),
			len(doc.File.Placements)
		for m := range doc.File.Raw.Members() {
			name := m.Name()
			if name != "$schema" && name != "last_updated" && parts[name] == [8]byte{} && len(name) < 64 && len(parts) < 50 {
				parts[name] = shortSum(jsontext.Value(adagents.FormatValue(m.Value())))
			}
		}
	}
	parts["discovery_method"] = shortSum([]string{p.DiscoveryMethod, p.ManagerDomain})
	out := item{begin: Discovered, change: Changed, end: Changed, entity: p.PublisherDomain}
	out.parts, _ = json.Marshal(parts, jsonOptions)
	p.ChangedFields = changedParts(live, parts)
	var err error
	out.payload, err = json.Marshal(p, jsonOptions)
	return out, err
}

func sumOf(list []item) [8]byte {
	var all [][]byte
	for i := range list {
		all = append(all, list[i].digest())
	}
	slices.SortFunc(all, bytes.Compare)
	return shortSum(all)
}

// changedParts returns the parts of a file that are not as they were told.
func changedParts(live []Event, parts map[string][8]byte) []string {
	var last *Event
	for i := range live {
		if live[i].Kind() == "publisher" && (last == nil || live[i].Number > last.Number) {
			last = &live[i]
		}
	}
	if last == nil {
		return nil
	}
	before := map[string][8]byte{}
	if json.Unmarshal(last.Digest[min(16, len(last.Digest)):], &before) != nil {
		return nil
	}
	var out []string
	for name, sum := range parts {
		if before[name] != sum {
			out = append(out, name)
		}
	}
	for name := range before {
		if _, there := parts[name]; !there {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// ending is the payload of an event about the end of what another one has told.
func ending(e *Event) []byte {
	var from map[string]jsontext.Value
	_ = json.Unmarshal(e.Payload, &from) // it was written here
	var to any
	text := func(name string) string {
		var s string
		_ = json.Unmarshal(from[name], &s) // what is missing is empty
		return s
	}
	switch e.Kind() {
	case "authorization":
		to = revokedPayload{text("id"), text("agent_url"), text("agent_url_canonical"), text("publisher_domain"),
			text("authorization_type")}
	case "property":
		to = stalePayload{text("property_rid"), text("property_id"), text("publisher_domain"), text("publisher_domain"),
			"the file in effect does not list it any more"}
	default:
		to = filePayload{PublisherDomain: e.Publisher, State: string(wire.Gone)}
	}
	out, _ := json.Marshal(to, jsonOptions) // strings can be written
	return out
}

type revokedPayload struct {
	ID                string `json:"id"`
	AgentURL          string `json:"agent_url"`
	AgentURLCanonical string `json:"agent_url_canonical"`
	PublisherDomain   string `json:"publisher_domain"`
	AuthorizationType string `json:"authorization_type"`
}

type stalePayload struct {
	PropertyRID     string `json:"property_rid"`
	PropertyID      string `json:"property_id,omitempty"`
	Domain          string `json:"domain"`
	PublisherDomain string `json:"publisher_domain"`
	Reason          string `json:"reason"`
}

// Types is a set of authorization types.
type Types uint8

// kinds are the types that sell properties, in the order of the bits.
var kinds = []adagents.AuthorizationType{
	adagents.ByPropertyIDs, adagents.ByPropertyTags, adagents.ByInlineProperties, adagents.ByPublisherProperties,
}

// TypeOf is the set of one type; empty for one that sells no properties.
func TypeOf(t adagents.AuthorizationType) Types {
	i := slices.Index(kinds, t)
	if i < 0 {
		return 0
	}
	return 1 << i
}

// List returns the types in the order of the format.
func (t Types) List() []adagents.AuthorizationType {
	var out []adagents.AuthorizationType
	for i, kind := range kinds {
		if t&(1<<i) != 0 {
			out = append(out, kind)
		}
	}
	return out
}
