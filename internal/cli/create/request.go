package create

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/draft"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/spell"
)

// declaration is what flags and answers can say about a file. It becomes the
// same request that a request file holds, so there is one way to make a file.
type declaration struct {
	Contact      *declaredContact   `json:"contact,omitzero"`
	Properties   []declaredProperty `json:"properties,omitempty"`
	Tags         declaredTags       `json:"tags,omitempty"`
	Agents       *[]declaredAgent   `json:"authorized_agents,omitzero"`
	SupersededBy string             `json:"superseded_by,omitempty"`
	Location     string             `json:"authoritative_location,omitempty"`
}

type declaredContact struct {
	Name   string `json:"name,omitempty"`
	Email  string `json:"email,omitempty"`
	Domain string `json:"domain,omitempty"`
}

type declaredProperty struct {
	ID          string               `json:"property_id,omitempty"`
	Type        string               `json:"property_type,omitempty"`
	Name        string               `json:"name,omitempty"`
	Identifiers []declaredIdentifier `json:"identifiers,omitempty"`
	Tags        []string             `json:"tags,omitempty"`
	Channels    []string             `json:"supported_channels,omitempty"`
	Publisher   string               `json:"publisher_domain,omitempty"`
}

type declaredIdentifier struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

type declaredAgent struct {
	URL           string                     `json:"url,omitempty"`
	AuthorizedFor string                     `json:"authorized_for,omitempty"`
	Type          adagents.AuthorizationType `json:"authorization_type,omitempty"`
	PropertyIDs   []string                   `json:"property_ids,omitempty"`
	PropertyTags  []string                   `json:"property_tags,omitempty"`
	Selectors     []declaredSelector         `json:"publisher_properties,omitempty"`
	Delegation    string                     `json:"delegation_type,omitempty"`
	Countries     []string                   `json:"countries,omitempty"`
	From          string                     `json:"effective_from,omitempty"`
	Until         string                     `json:"effective_until,omitempty"`
	Exclusive     bool                       `json:"exclusive,omitzero"`
	SigningKeys   []jsontext.Value           `json:"signing_keys,omitempty"`
}

type declaredSelector struct {
	Domains       []string `json:"publisher_domains"`
	SelectionType string   `json:"selection_type"`
}

// addAgent appends an entry; the member exists from then on, even when there
// are no entries.
func (d *declaration) addAgent(agents ...declaredAgent) {
	var list []declaredAgent
	if d.Agents != nil {
		list = *d.Agents
	}
	list = append(slices.Clip(list), agents...)
	for i := range list {
		list[i].Type = list[i].selectorType()
	}
	d.Agents = &list
}

// selectorType is the authorization_type that goes with the entry's selector.
func (a *declaredAgent) selectorType() adagents.AuthorizationType {
	switch {
	case len(a.Selectors) > 0:
		return adagents.ByPublisherProperties
	case len(a.PropertyTags) > 0:
		return adagents.ByPropertyTags
	case len(a.PropertyIDs) > 0:
		return adagents.ByPropertyIDs
	}
	return ""
}

// propertyIDs returns the ids of the declared properties.
func (d *declaration) propertyIDs() []string {
	ids := make([]string, len(d.Properties))
	for i := range d.Properties {
		ids[i] = d.Properties[i].ID
	}
	return ids
}

// website is the property of a publisher's site.
func website(domain, name string) declaredProperty {
	if name == "" {
		name = domain
	}
	return declaredProperty{
		ID: draft.PropertyID(domain), Type: "website", Name: name, Publisher: domain,
		Identifiers: []declaredIdentifier{{Type: "domain", Value: domain}},
	}
}

// propertyKeys are the keys of --property besides the identifier types.
var propertyKeys = []string{"id", "type", "name", "tag", "channel", "publisher_domain"}

// parseProperty reads the value of --property: key=value pairs with commas
// between them. A part without a key continues the value before it, so a name
// may hold commas.
func parseProperty(s string) (declaredProperty, error) {
	var p declaredProperty
	var pairs [][2]string
	for part := range strings.SplitSeq(s, ",") {
		key, value, ok := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		switch {
		case ok:
			pairs = append(pairs, [2]string{key, value})
		case len(pairs) > 0:
			pairs[len(pairs)-1][1] += "," + part
		default:
			return p, console.UsageError(`for example --property "id=site,type=website,name=Example News,domain=example.com"`,
				"--property %q is not a list of key=value", s)
		}
	}
	for _, pair := range pairs {
		err := p.set(pair[0], strings.TrimSpace(pair[1]))
		if err != nil {
			return p, err
		}
	}
	p.complete()
	return p, nil
}

func (p *declaredProperty) set(key, value string) error {
	switch key {
	case "id":
		p.ID = value
	case "type":
		p.Type = value
	case "name":
		p.Name = value
	case "tag":
		p.Tags = append(p.Tags, value)
	case "channel":
		p.Channels = append(p.Channels, value)
	case "publisher_domain":
		p.Publisher = value
	default:
		if !slices.Contains(model.IdentifierTypes, key) {
			return unknownPropertyKey(key)
		}
		p.Identifiers = append(p.Identifiers, declaredIdentifier{key, value})
	}
	return nil
}

func unknownPropertyKey(key string) error {
	hint := "the keys are " + strings.Join(propertyKeys, ", ") + " and the identifier types, such as domain or ios_bundle"
	near, ok := spell.Nearest(key, slices.Concat(propertyKeys, model.IdentifierTypes), 2)
	if ok {
		hint = "did you mean " + near + "?"
	}
	return console.UsageError(hint, "--property has no key %q", key)
}

// complete fills in what follows from the rest: the type and publisher of a
// site from its domain, the name from the first identifier, the id from the
// name of the site.
func (p *declaredProperty) complete() {
	if len(p.Identifiers) == 0 {
		return
	}
	first := p.Identifiers[0]
	if first.Type == "domain" && p.Type == "" {
		p.Type = "website"
	}
	if first.Type == "domain" && p.Publisher == "" {
		p.Publisher = first.Value
	}
	if p.Name == "" {
		p.Name = first.Value
	}
	if p.ID == "" {
		p.ID = draft.PropertyID(first.Value)
	}
}

// readKeys reads the keys to pin. Operators hand them out as one JWK, as a
// list, or as the key set their agent serves; all three are taken, and so is
// what avow pin prints. What is in a key is for the check to judge.
func readKeys(name string, read func(string) ([]byte, error)) ([]jsontext.Value, error) {
	src, err := read(name)
	if err != nil {
		return nil, err
	}
	tree, err := jsontree.Parse(src, jsontree.Options{})
	if err != nil {
		return nil, &console.Error{Code: console.ExitNo, Message: name + " is not JSON: " + err.Error()}
	}
	root := tree.Root()
	for _, member := range []string{"signing_keys", "keys"} {
		if root.Get(member).Is(adagents.Array) {
			root = root.Get(member)
		}
	}
	var keys []jsontext.Value
	switch {
	case root.Is(adagents.Object):
		keys = append(keys, adagents.FormatValue(root))
	case root.Is(adagents.Array):
		for _, key := range root.Elems() {
			keys = append(keys, adagents.FormatValue(key))
		}
	}
	if len(keys) == 0 {
		return nil, &console.Error{Code: console.ExitNo, Message: name + " holds no keys",
			Hint: `it should be a JWK such as {"kid": "k1", "kty": "OKP", ...}, a list of them, or {"keys": [...]}`}
	}
	return keys, nil
}
