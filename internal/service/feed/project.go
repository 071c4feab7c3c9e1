package feed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// mostProperties is of how many properties of a publisher events tell.
const mostProperties = 1000

// tell adds the events that are missing about a publisher.
func (f *Feed) tell(ctx context.Context, domain hostname.Domain) error {
	for try := 0; ; try++ {
		err := f.tellOnce(ctx, domain)
		if !errors.Is(err, ErrConflict) || try == 3 {
			return err
		}
	}
}

// errUnreadable is for a publisher that the directory could not read. Nothing is told about it until
// it has.
var errUnreadable = errors.New("the directory could not read a publisher yet")

func (f *Feed) tellOnce(ctx context.Context, domain hostname.Domain) error {
	v, err := f.service.Directory(ctx)
	if err != nil {
		return err
	}
	e, _ := v.Publisher(domain)
	if e.Publisher != nil && e.Unreadable() {
		return errUnreadable // the store may be back before the directory has noticed
	}
	add := &Addition{Publisher: string(domain), Input: e.Fingerprint(), At: f.now()}
	var live []Event
	add.Base, live, err = f.store.Told(ctx, add.Publisher)
	if err != nil || bytes.Equal(add.Base, add.Input) {
		return err
	}
	var want []item
	if add.Input != nil {
		want, err = f.holds(ctx, v, e, live)
		if err != nil {
			return err
		}
	}
	compare(add, live, want, ending)
	add.Agents = agentChanges(v, add)
	return f.store.Add(ctx, add)
}

// holds returns what is to be told about a publisher.
func (f *Feed) holds(ctx context.Context, v *directory.View, e directory.Entry, live []Event) ([]item, error) {
	doc, err := f.service.Stored(ctx, e.Domain)
	if err != nil || doc.State != resolve.Usable || e.Publisher == nil {
		return nil, err
	}
	rows := registry.RowsOf(v, e, doc)
	grants := make([]item, 0, len(rows))
	for i := range rows {
		one, err := grantItem(&rows[i])
		if err != nil {
			return nil, err
		}
		grants = append(grants, one)
	}
	owned := resolve.Owned(doc)
	properties := make([]item, 0, len(owned))
	for _, p := range owned[:min(len(owned), mostProperties)] {
		one, ok, err := propertyItem(p, e.Domain)
		if err != nil {
			return nil, err
		}
		if ok && !slices.ContainsFunc(properties, func(other item) bool { return other.entity == one.entity }) {
			properties = append(properties, one)
		}
	}
	file, err := fileItem(e, doc, grants, properties, live)
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

func grantItem(r *registry.AuthorizationRow) (item, error) {
	p := grantPayload{AuthorizationBase: baseOf(r)}
	method, manager := MethodOf(r.Standing.Location)
	p.DiscoveryMethod = method
	if manager != nil {
		p.ManagerDomain = *manager
	}
	var err error
	p.SigningKeys, err = publicKeysOf(r.Keys)
	if err != nil {
		return item{}, err
	}
	out := item{begin: Granted, change: Modified, end: Revoked, agent: AgentKey(r.Grant.Agent), entity: r.ID}
	out.core = shortSum([]any{p.AuthorizationScope, p.AgentURL})
	out.payload, err = json.Marshal(p, jsonOptions)
	p.CreatedAt, p.UpdatedAt = "", "" // a new version that says the same is no news
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

func propertyItem(p *adagents.Property, domain hostname.Domain) (item, bool, error) {
	if p.ID == "" && len(p.Identifiers) == 0 {
		return item{}, false, nil
	}
	name := p.ID
	if name == "" {
		name = p.Identifiers[0].Type + " " + p.Identifiers[0].Value
	}
	doc := propertyPayload{
		PropertyRID: registry.RowID("property", string(domain), name), PropertyID: p.ID, PropertyType: p.Type, Name: redact.Credentials(p.Name),
		Domain: string(domain), PublisherDomain: string(domain), Classification: "property", Source: "authoritative", Tags: p.Tags,
	}
	for i := range p.Identifiers {
		doc.Identifiers = append(doc.Identifiers, propertyIdentifier{p.Identifiers[i].Type, redact.Credentials(p.Identifiers[i].Value)})
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
func fileItem(e directory.Entry, doc *resolve.Document, grants, properties []item, live []Event) (item, error) {
	p := filePayload{PublisherDomain: string(e.Domain), PropertyCount: len(properties)}
	agents := map[string]bool{}
	for i := range grants {
		agents[grants[i].agent] = true
	}
	p.AgentCount = len(agents)
	method, manager := MethodOf(e.Standing.Location)
	p.DiscoveryMethod = method
	if manager != nil {
		p.ManagerDomain = *manager
	}
	parts := map[string][8]byte{"authorized_agents": sumOf(grants), "properties": sumOf(properties)}
	if e.Standing.Location.Method == custody.Direct {
		// A file of several publishers changes for most of them without saying anything else.
		p.CollectionCount, p.FormatCount, p.PlacementCount = len(doc.File.Collections), len(doc.File.Formats), len(doc.File.Placements)
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
		if live[i].kind() == "publisher" && (last == nil || live[i].Number > last.Number) {
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
	switch e.kind() {
	case "authorization":
		to = revokedPayload{text("id"), text("agent_url"), text("agent_url_canonical"), text("publisher_domain"), text("authorization_type")}
	case "property":
		to = stalePayload{text("property_rid"), text("property_id"), text("publisher_domain"), text("publisher_domain"), "the file in effect does not list it any more"}
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

// agentChanges prepares the events about agents whose authorizations change.
func agentChanges(v *directory.View, add *Addition) []AgentChange {
	var out []AgentChange
	seen := map[string]bool{}
	for i := range add.Events {
		e := &add.Events[i]
		if e.Agent == "" || seen[e.Agent] {
			continue
		}
		seen[e.Agent] = true
		var about struct {
			URL string `json:"agent_url_canonical"`
		}
		_ = json.Unmarshal(e.Payload, &about) // it was written here
		out = append(out, agentChange(v, e.Agent, about.URL, add.Publisher))
	}
	return out
}

func agentChange(v *directory.View, key, url, publisher string) AgentChange {
	payload := func(kind string, p any) Event {
		text, _ := json.Marshal(p, jsonOptions) // strings and numbers can be written
		digest := shortSum(p)
		return Event{Type: kind, Agent: key, Entity: url, Digest: slices.Concat(digest[:], digest[:]), Payload: text}
	}
	profile := profileOf(v, url)
	seen, moved := payload(AgentSeen, profile), payload(AgentMoved, profile)
	seen.Live, moved.Live = true, true
	return AgentChange{Key: key, Seen: seen, Moved: moved, Gone: payload(AgentGone, agentGone{url, []string{publisher}})}
}

type agentGone struct {
	AgentURL string   `json:"agent_url"`
	From     []string `json:"removed_from_publishers"`
}
