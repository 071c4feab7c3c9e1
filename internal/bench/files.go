package bench

import "fmt"

// Publisher500 is one large publisher: 500 sections and apps under a single
// domain, placements, formats and four agents, indented.
func Publisher500() []byte {
	const domain = "example-media.com"
	s := newSource(500)
	d := &doc{indent: true}
	d.element(func() {
		d.head("Example Media Group", domain, "500-sections")
		d.array("properties", func() {
			for i := range 500 {
				d.property(s.sectionProperty(i, domain))
			}
		})
		d.array("placements", d.publisherPlacements)
		d.array("formats", d.publisherFormats)
		d.object("tags", func() {
			for k := range sectionTags {
				d.tag(sectionTag(k), fmt.Sprintf("Section group %d", k), "Sections run by one editorial desk")
			}
		})
		d.object("placement_tags", func() { d.tag("standard", "Standard", "Available on every section") })
		d.array("authorized_agents", d.publisherAgents)
		d.field("last_updated", updated)
	})
	return d.buf
}

// sectionTags is the number of tags the sections of Publisher500 are spread over.
const sectionTags = 10

func sectionTag(k int) string {
	return fmt.Sprintf("desk_%02d", k%sectionTags)
}

// sectionProperty makes a property of a publisher that owns a single domain.
func (s source) sectionProperty(i int, domain string) property {
	w := s.words()
	p := property{id: identity(w, i), name: s.title(w, i), domain: domain,
		tags: []string{sectionTag(i), sectionTag(i + 3)}}
	if i%10 == 9 {
		p.asMobileApp(w, i)
		return p
	}
	p.kind = "website"
	p.channels = []string{"display", "olv"}
	host := fmt.Sprintf("section%03d.%s", i, domain)
	p.identifiers = [][2]string{{"subdomain", host}, {"subdomain", "m." + host}}
	return p
}

func (d *doc) publisherPlacements() {
	for i := range 20 {
		d.element(func() {
			d.field("placement_id", fmt.Sprintf("slot_%02d", i))
			d.field("name", fmt.Sprintf("Slot %d", i))
			d.field("description", "A position in the article template")
			d.strings("property_tags", sectionTag(i))
			d.strings("tags", "standard")
			d.strings("channels", "display")
			d.array("format_options", func() {
				d.element(func() { d.field("format_option_id", fmt.Sprintf("size_%d", i%5)) })
			})
		})
	}
}

func (d *doc) publisherFormats() {
	sizes := [][2]int{{300, 250}, {728, 90}, {160, 600}, {320, 50}, {970, 250}}
	for i, size := range sizes {
		d.element(func() {
			d.field("format_kind", "image")
			d.field("format_option_id", fmt.Sprintf("size_%d", i))
			d.field("display_name", fmt.Sprintf("Image %dx%d", size[0], size[1]))
			d.object("params", func() {
				d.number("width", size[0])
				d.number("height", size[1])
				d.number("max_file_size_kb", 200)
			})
		})
	}
}

func (d *doc) publisherAgents() {
	for i := range 4 {
		d.element(func() {
			d.agentHead(i, fmt.Sprintf("Sections of sales team %d", i), "property_tags")
			tags := []string{sectionTag(3 * i), sectionTag(3*i + 1), sectionTag(3*i + 2)}
			d.strings("property_tags", tags...)
			d.field("delegation_type", "direct")
			d.signingKey(i)
		})
	}
}

const (
	// networkDomains and networkProperties follow the largest network file known
	// to be in production, where a few publishers have a second property.
	networkDomains    = 6800
	networkProperties = 6843
)

// Network3MB is the file of a managed network, compact: one agent with one
// selector that names every publisher domain, and an inline property for each.
func Network3MB() []byte {
	s := newSource(3)
	properties := networkMembers(s)
	d := &doc{}
	d.element(func() {
		d.head("Example Network", "example-network.com", "network-3mb")
		d.array("properties", func() {
			for _, p := range properties {
				d.property(p)
			}
		})
		d.object("tags", func() {
			d.tag("network_managed", "Managed", "Every property the network sells for its publishers")
		})
		d.array("authorized_agents", func() { d.networkAgent(properties[:networkDomains]) })
		d.array("revoked_publisher_domains", d.networkRevocations)
		d.field("last_updated", updated)
	})
	return d.buf
}

// networkMembers makes one website for each publisher, and then an app for the
// first few of them.
func networkMembers(s source) []property {
	members := make([]property, 0, networkProperties)
	for i := range networkProperties {
		w := s.words()
		p := property{id: identity(w, i), name: s.title(w, i), domain: s.domain(w, i), tags: []string{"network_managed"}}
		p.asWebsite(s)
		p.identifiers = append(p.identifiers, [2]string{"subdomain", "recipes." + p.domain},
			[2]string{"subdomain", "shop." + p.domain})
		if i >= networkDomains {
			p.domain = members[i-networkDomains].domain
			p.asMobileApp(w, i)
		}
		members = append(members, p)
	}
	return members
}

func (d *doc) networkAgent(publishers []property) {
	d.element(func() {
		d.agentHead(0, "Display and video across the managed network", "publisher_properties")
		d.array("publisher_properties", func() {
			d.element(func() {
				d.field("selection_type", "by_tag")
				d.strings("property_tags", "network_managed")
				d.array("publisher_domains", func() {
					for _, p := range publishers {
						d.str(p.domain)
					}
				})
			})
		})
		d.field("delegation_type", "ad_network")
		d.signingKey(0)
	})
}

// networkRevocations lists publishers that left; none of them is named elsewhere.
func (d *doc) networkRevocations() {
	for i := range 12 {
		d.element(func() {
			d.field("publisher_domain", fmt.Sprintf("former-member-%02d.com", i))
			d.field("revoked_at", fmt.Sprintf("2025-09-%02dT00:00:00Z", i+1))
			d.field("reason", "relationship_ended")
		})
	}
}
