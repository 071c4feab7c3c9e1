package bench

import "fmt"

const (
	// largeProperties brings the file just under the 20 MB a consumer accepts
	// from an authoritative location.
	largeProperties = 60000
	largeTags       = 120
	largeTagAgents  = 30
	largeIDAgents   = 20
)

// Large19MB is the largest file a consumer has to accept: 60,000 properties, 120
// tags and 50 agents in about 19 MB, compact.
func Large19MB() []byte {
	return Large(largeProperties)
}

// Large is Large19MB with another number of properties. Tags and agents stay
// the same and the lists of property ids grow with n, so twice n is twice the
// work. With fewer properties than tags (120) some tags match nothing.
func Large(n int) []byte {
	s := newSource(19)
	ids := make([]string, 0, n)
	d := &doc{buf: make([]byte, 0, n*330+64<<10)}
	d.element(func() {
		d.head("Example Exchange", "example-exchange.com", "large")
		d.array("properties", func() {
			for i := range n {
				p := s.anyProperty(i, s.largeTags(i))
				ids = append(ids, p.id)
				d.property(p)
			}
		})
		d.object("tags", d.largeTagMap)
		d.array("authorized_agents", func() { d.largeAgents(ids) })
		d.field("last_updated", updated)
	})
	return d.buf
}

func largeTag(k int) string {
	return fmt.Sprintf("s%03d", k%largeTags)
}

// largeTags gives a property two to four different tags. The first one goes
// round robin so that every tag is used; the steps are too short to come back to
// a tag already given.
func (s source) largeTags(i int) []string {
	tags := []string{largeTag(i)}
	at := i
	for range 1 + s.below(3) {
		at += 1 + s.below(29)
		tags = append(tags, largeTag(at))
	}
	return tags
}

func (d *doc) largeTagMap() {
	for k := range largeTags {
		d.tag(largeTag(k), fmt.Sprintf("Segment %d", k), "Properties grouped for one sales desk")
	}
}

// largeAgents writes the agents. Those selecting by tag share all tags between
// them, so every property is reached by at least one.
func (d *doc) largeAgents(ids []string) {
	for i := range largeTagAgents {
		d.element(func() {
			d.agentHead(i, fmt.Sprintf("Segments of desk %d", i), "property_tags")
			d.strings("property_tags", largeTag(4*i), largeTag(4*i+1), largeTag(4*i+2), largeTag(4*i+3))
			d.largeQualifiers(i)
		})
	}
	share := max(1, len(ids)/300)
	for i := range largeIDAgents {
		first := i * len(ids) / largeIDAgents
		listed := ids[first:min(first+share, len(ids))]
		if len(listed) == 0 {
			continue
		}
		d.element(func() {
			number := largeTagAgents + i
			d.agentHead(number, fmt.Sprintf("Properties of partner %d", number), "property_ids")
			d.strings("property_ids", listed...)
			d.largeQualifiers(number)
		})
	}
}

// largeQualifiers narrows two agents in three by country and every second one by
// time. The windows are open for decades so that the file does not go stale.
func (d *doc) largeQualifiers(i int) {
	regions := [][]string{{"DE", "AT", "CH"}, {"US", "CA", "MX", "BR"}, {"FR", "BE", "ES", "IT", "PT"},
		{"JP", "KR", "AU", "NZ", "IN"}}
	d.field("delegation_type", []string{"direct", "delegated", "ad_network"}[i%3])
	if i%3 != 0 {
		d.strings("countries", regions[i%len(regions)]...)
	}
	if i%2 == 0 {
		d.field("effective_from", "2025-01-01T00:00:00Z")
		d.field("effective_until", "2049-12-31T23:59:59+01:00")
	}
	d.signingKey(i)
}
