package brand

import (
	"time"

	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/rfc3339"
)

// A Relationship is what a brand says it is to a property.
type Relationship string

// The relationships. A property without one is owned.
const (
	Owned     Relationship = "owned"
	Direct    Relationship = "direct"
	Delegated Relationship = "delegated"
	AdNetwork Relationship = "ad_network"
)

// A Property is something a brand says it runs or sells.
type Property struct {
	Type, Identifier string
	// Relationship is as it is written, Owned when it is not; a word that is none of
	// the four is kept, since it may contradict what a publisher says.
	Relationship Relationship
}

// A File is what a brand.json says about the brand of a domain.
type File struct {
	// URL is where it was found in the end.
	URL      string
	Manifest registry.Manifest
	// Properties are all that the brand names, in their order.
	Properties []Property
	// AgentURL is the agent that speaks for the brand; empty for none.
	AgentURL string
	// SalesAgents are the agents of type sales that the brand names, by their canonical
	// URLs, and Updated is when the file says it was changed; zero for not said.
	SalesAgents []string
	Updated     time.Time
}

// A document is a brand.json that can be read, in one of the five forms.
type document struct {
	root jsontree.Value
}

// parse reads a document. The error is for the one who wrote it.
func parse(body []byte) (*document, error) {
	tree, err := jsontree.Parse(body,
		jsontree.Options{MaxBytes: operator.MaxFile, MaxDepth: operator.MaxDepth, MaxValues: operator.MaxValues})
	if err != nil {
		return nil, unusable("is not a JSON document")
	}
	if !tree.Root().Is(jsontree.Object) {
		return nil, unusable("is not a JSON object")
	}
	return &document{root: tree.Root()}, nil
}

// next returns the URL of the document that this one names in its place, and whether
// that is the well-known file of a house; empty when it names none.
func (d *document) next() (string, bool, error) {
	location := d.root.Get("authoritative_location")
	if location.Exists() {
		url, ok := registry.SafeURL(location.Str())
		if !ok {
			return "", false, unusable("has an authoritative_location that is not an https URL")
		}
		return url, false, nil
	}
	house := d.root.Get("house")
	if !house.Is(jsontree.String) {
		return "", false, nil
	}
	domain, err := hostname.ParseDomain(house.Str())
	if err != nil || hostname.IsSpecialUse(string(domain)) {
		return "", false, unusable("names a house that is not a domain name")
	}
	return wellKnown(domain), true, nil
}

// file returns what the document says about the brand of a domain. A portfolio has many
// brands, of which only the one that names the domain counts: a domain does not become
// a brand by pointing at its house.
func (d *document) file(domain hostname.Domain) (*File, error) {
	brand, house := d.root, d.root.Get("house")
	if house.Is(jsontree.Object) || !d.root.Has("names") && !d.root.Has("name") {
		brand = d.brandOf(domain)
	}
	if !brand.Exists() && house.Is(jsontree.Object) && sameDomain(house.Get("domain").Str(), domain) {
		brand = house
	}
	f := &File{AgentURL: agentURL(brand.Get("brand_agent"), d.root.Get("brand_agent"))}
	if !brand.Exists() {
		if f.AgentURL != "" {
			return nil, unusable("leaves the brand to an agent and holds no data itself")
		}
		return nil, unusable("says nothing about this domain")
	}
	f.Manifest = manifestOf(brand, house, domain)
	if f.Manifest.Name == "" {
		return nil, unusable("gives the brand no name")
	}
	f.Properties = propertiesOf(brand)
	f.SalesAgents = salesAgentsOf(brand, d.root)
	f.Updated, _ = rfc3339.Parse(d.root.Get("last_updated").Str())
	return f, nil
}

// salesAgentsOf returns the agents that may sell for a brand, from the first list there
// is.
func salesAgentsOf(holders ...jsontree.Value) []string {
	for _, v := range holders {
		var list []string
		for _, a := range v.Get("agents").Elems() {
			url, _, err := hostname.CanonicalURL(a.Get("url").Str())
			if err == nil && a.Get("type").Str() == "sales" {
				list = append(list, url)
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// brandOf returns the brand of a portfolio that names a domain. The domain of the house
// itself stands for its master brand, or for the only one there is.
func (d *document) brandOf(domain hostname.Domain) jsontree.Value {
	brands := d.root.Get("brands")
	var master jsontree.Value
	for _, b := range brands.Elems() {
		if names(b, domain) {
			return b
		}
		if !master.Exists() && (b.Get("keller_type").Str() == "master" || brands.Len() == 1) {
			master = b
		}
	}
	if sameDomain(d.root.Get("house").Get("domain").Str(), domain) {
		return master
	}
	return jsontree.Value{}
}

// names reports whether a brand of a portfolio says that a domain is its own.
func names(brand jsontree.Value, domain hostname.Domain) bool {
	for _, p := range propertiesOf(brand) {
		if p.Type == "website" && p.Relationship == Owned && sameDomain(p.Identifier, domain) {
			return true
		}
	}
	_, info, err := hostname.CanonicalURL(brand.Get("url").Str())
	return err == nil && sameDomain(info.Host, domain)
}

// sameDomain reports whether a domain is meant, in whatever way it is written; www and m in
// front make no difference.
func sameDomain(written string, domain hostname.Domain) bool {
	name, err := hostname.ParseDomain(written)
	return err == nil && registry.BrandDomain(name) == registry.BrandDomain(domain)
}

func propertiesOf(brand jsontree.Value) []Property {
	var list []Property
	for _, v := range brand.Get("properties").Elems() {
		p := Property{
			Type: text(v.Get("type"), maxWord), Identifier: text(v.Get("identifier"), maxDescription),
			Relationship: Relationship(text(v.Get("relationship"), maxWord)),
		}
		if p.Relationship == "" {
			p.Relationship = Owned
		}
		if p.Identifier != "" {
			list = append(list, p)
		}
	}
	return list
}

// agentURL returns the address of the first agent that has one.
func agentURL(agents ...jsontree.Value) string {
	for _, v := range agents {
		url, ok := registry.SafeURL(v.Get("url").Str())
		if ok {
			return url
		}
	}
	return ""
}

// knownPath is where a domain publishes its brand.json.
const knownPath = "/.well-known/brand.json"

func wellKnown(domain hostname.Domain) string { return "https://" + string(domain) + knownPath }

// unusable is the error for a file that is there and of no use.
func unusable(what string) error {
	return &registry.Error{
		Kind: registry.NotFound, Code: "brand_json_unusable", Message: "the brand.json " + what,
		Hint: "a brand.json gives names, logos, colors and fonts of the domain's brand, or says where they are",
	}
}
