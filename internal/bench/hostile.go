package bench

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

// oneSite writes the least that makes a file usable around a hostile part: a
// single property tagged "site".
func (d *doc) oneSite() {
	d.array("properties", func() { d.property(site("site", "example.com", "site")) })
}

// site makes a plain website property.
func site(id, domain string, tags ...string) property {
	return property{
		id: id, kind: "website", name: title{text: "Site"}, domain: domain,
		identifiers: [][2]string{{"domain", domain}}, tags: tags, channels: []string{"display"},
	}
}

// oneAgent writes an agents array with one entry that selects by the given tags.
func (d *doc) oneAgent(tags ...string) {
	d.array("authorized_agents", func() {
		d.element(func() {
			d.agentHead(0, "Everything", "property_tags")
			d.strings("property_tags", tags...)
			d.signingKey(0)
		})
	})
}

// tags writes a tag map that defines each name.
func (d *doc) tags(names ...string) {
	d.object("tags", func() {
		for _, name := range names {
			d.tag(name, "Tag "+name, "A tag used in this file")
		}
	})
}

// wrap makes a compact file: head, the given part, last_updated.
func wrap(part func(d *doc)) []byte {
	d := &doc{}
	d.element(func() {
		d.head("Example Publisher", "example.com", "hostile")
		part(d)
		d.field("last_updated", updated)
	})
	return d.buf
}

// ObjectMembers is a file with a placement whose ext object has n members, which
// hurts a search for duplicate names that compares each with each. The members
// are legal and give no finding.
func ObjectMembers(n int) []byte {
	return wrap(func(d *doc) {
		d.oneSite()
		d.array("placements", func() {
			d.element(func() {
				d.field("placement_id", "home_top")
				d.field("name", "Home page, top")
				d.field("description", "Banner above the first headline")
				d.strings("property_ids", "site")
				d.array("format_options", func() {
					d.element(func() { d.field("format_option_id", "leaderboard") })
				})
				d.object("ext", func() { d.members(n) })
			})
		})
		d.array("formats", d.smallFormat)
		d.tags("site")
		d.oneAgent("site")
	})
}

// UnknownMembers is a file with n members at its top level that no rule knows.
// Each has to be compared with the known names to tell a typing error from an
// extension.
func UnknownMembers(n int) []byte {
	return wrap(func(d *doc) {
		d.oneSite()
		d.tags("site")
		d.oneAgent("site")
		d.members(n)
	})
}

func (d *doc) members(n int) {
	for i := range n {
		d.number(fmt.Sprintf("x%07d", i), i)
	}
}

// ManyFindings is a file with n properties that each lack a name, one error
// apiece, and one good property so that the agent still has something to sell.
func ManyFindings(n int) []byte {
	return wrap(func(d *doc) {
		d.array("properties", func() {
			d.property(site("site", "example.com", "site"))
			for i := range n {
				d.element(func() { d.nameless(i) })
			}
		})
		d.tags("site")
		d.oneAgent("site")
	})
}

// BrokenLarge is Large with something wrong in each property that avow fix puts right: a
// domain in upper case, one with its scheme, a channel twice, a tag twice.
func BrokenLarge(n int) []byte {
	const start = `{"property_id":`
	wrongs := [...][2]string{
		{`"publisher_domain":"`, `"publisher_domain":"NEWS.`},
		{`"publisher_domain":"`, `"publisher_domain":"https://`},
		{`"supported_channels":[`, `"supported_channels":["social","social",`},
		{`"tags":[`, `"tags":["s000","s000",`},
	}
	parts := bytes.Split(Large(n), []byte(start))
	for i, part := range parts[1:] {
		wrong := wrongs[i%len(wrongs)]
		parts[i+1] = bytes.Replace(part, []byte(wrong[0]), []byte(wrong[1]), 1)
	}
	return bytes.Join(parts, []byte(start))
}

func (d *doc) nameless(i int) {
	domain := fmt.Sprintf("site%06d.example.com", i)
	d.field("property_id", fmt.Sprintf("site_%06d", i))
	d.field("property_type", "website")
	d.array("identifiers", func() {
		d.element(func() {
			d.field("type", "domain")
			d.field("value", domain)
		})
	})
	d.strings("tags", "site")
	d.field("publisher_domain", "example.com")
}

// DuplicateIDs is a file whose n properties all have the same property_id and
// publisher but different content, so each has to be compared with the first.
func DuplicateIDs(n int) []byte {
	return wrap(func(d *doc) {
		d.array("properties", func() {
			for i := range n {
				p := site("site", "example.com", "site")
				p.identifiers[0][1] = fmt.Sprintf("site%06d.example.com", i)
				d.property(p)
			}
		})
		d.tags("site")
		d.oneAgent("site")
	})
}

// ManyAgents is a file with n agents that all sell the same few tags, which
// hurts a search for overlapping entries that compares each with each. They
// carry one key between them, as agents run on one platform do.
func ManyAgents(n int) []byte {
	names := []string{"tag_0", "tag_1", "tag_2", "tag_3", "tag_4", "tag_5", "tag_6", "tag_7"}
	return wrap(func(d *doc) {
		d.array("properties", func() {
			for i, name := range names {
				d.property(site("site_"+name, fmt.Sprintf("site%d.example.com", i), name))
			}
		})
		d.tags(names...)
		d.array("authorized_agents", func() {
			for i := range n {
				d.element(func() {
					d.agentHead(i, "Shared tags", "property_tags")
					d.strings("property_tags", names[i%8], names[(i+1)%8], names[(i+3)%8])
					d.signingKey(0)
				})
			}
		})
	})
}

// HostileArray is size bytes of the smallest objects there are, which makes a
// tree many times larger than its text. It is not a declaration file. Sizes
// under ten bytes give an empty array.
func HostileArray(size int) []byte {
	const one = `{"a":0},`
	count := (size - 1) / len(one)
	if count < 1 {
		return []byte("[]")
	}
	body := bytes.Repeat([]byte(one), count)
	body = body[:len(body)-1]
	out := make([]byte, 0, size)
	out = append(out, '[')
	out = append(out, body...)
	// Blanks before the bracket make up the exact size.
	for len(out) < size-1 {
		out = append(out, ' ')
	}
	return append(out, ']')
}

// DeepNesting is an object that contains arrays and objects in turn until they
// are depth levels deep; the outermost object is level one.
func DeepNesting(depth int) []byte {
	var open, closing strings.Builder
	for level := 2; level <= depth; level++ {
		if level%2 == 0 {
			open.WriteString("[")
		} else {
			open.WriteString(`{"a":`)
		}
	}
	for level := depth; level >= 2; level-- {
		closing.WriteByte("]}"[level%2])
	}
	return []byte(`{"ext":` + open.String() + "0" + closing.String() + "}")
}

// selectorDomains is the number of publishers each selector of
// ManyDomainsSelectors names.
const selectorDomains = 100

// ManyDomainsSelectors is a network file with n selectors that all name the same
// hundred publishers with the same predicate. Looking every domain up in every
// property, or in every other selector, takes far more than linear time.
func ManyDomainsSelectors(n int) []byte {
	domains := make([]string, selectorDomains)
	for i := range domains {
		domains[i] = fmt.Sprintf("publisher%03d.com", i)
	}
	return wrap(func(d *doc) {
		d.array("properties", func() {
			for i, domain := range domains {
				d.property(site(fmt.Sprintf("site_%03d", i), domain, "site"))
			}
		})
		d.tags("site")
		d.array("authorized_agents", func() {
			d.element(func() {
				d.agentHead(0, "The network", "publisher_properties")
				d.array("publisher_properties", func() { d.selectors(n, domains) })
				d.signingKey(0)
			})
		})
	})
}

func (d *doc) selectors(n int, domains []string) {
	for range n {
		d.element(func() {
			d.field("selection_type", "by_tag")
			d.strings("property_tags", "site")
			d.strings("publisher_domains", domains...)
		})
	}
}

// TagMatrix is a file with n tags, n properties that carry all of them and n
// agents that list all of them. Its size grows with the square of n; matching
// each listed tag against each carried one takes the fourth power.
func TagMatrix(n int) []byte {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("tag_%05d", i)
	}
	return wrap(func(d *doc) {
		d.array("properties", func() {
			for i := range n {
				d.property(site(fmt.Sprintf("site_%05d", i), fmt.Sprintf("site%05d.example.com", i), names...))
			}
		})
		d.tags(names...)
		d.array("authorized_agents", func() {
			for i := range n {
				d.element(func() {
					d.agentHead(i, "Every tag", "property_tags")
					d.strings("property_tags", names...)
					d.signingKey(i)
				})
			}
		})
	})
}

// EscapedStrings is a file with n properties whose names consist of \u
// sequences only, surrogate pairs among them, and whose member name "name" is
// itself spelled with one. Nothing can be compared without decoding first.
func EscapedStrings(n int) []byte {
	text := string(appendUnit(nil, 'n')) + "ame"
	return wrap(func(d *doc) {
		d.array("properties", func() {
			for i := range n {
				d.element(func() { d.escaped(text, i) })
			}
		})
		d.tags("site")
		d.oneAgent("site")
	})
}

func (d *doc) escaped(nameMember string, i int) {
	d.nameless(i)
	d.raw(`"` + nameMember + `"`)
	d.buf = append(d.buf, ':', '"')
	for _, r := range fmt.Sprintf("é😀 %d", i) {
		d.buf = appendEscape(d.buf, r)
	}
	d.buf = append(d.buf, '"')
}

// LongString is a file with one tag description of n bytes, which hurts a
// reader that copies a string more than once or a report that quotes it whole.
func LongString(n int) []byte {
	return wrap(func(d *doc) {
		d.oneSite()
		d.object("tags", func() { d.tag("site", "Site", strings.Repeat("a", n)) })
		d.oneAgent("site")
	})
}

// DistinctKeys is a file with one agent that pins n different Ed25519 keys. Half
// of them are points of the curve and half are not, which takes arithmetic on
// large numbers to find out.
func DistinctKeys(n int) []byte {
	return wrap(func(d *doc) {
		d.oneSite()
		d.tags("site")
		d.array("authorized_agents", func() {
			d.element(func() {
				d.agentHead(0, "Everything", "property_tags")
				d.strings("property_tags", "site")
				d.array("signing_keys", func() {
					for i := range n {
						d.element(func() { d.arbitraryKey(i) })
					}
				})
			})
		})
	})
}

func (d *doc) arbitraryKey(i int) {
	x := sha256.Sum256(fmt.Appendf(nil, "bench key %d", i))
	d.field("kid", fmt.Sprint(i))
	d.field("kty", "OKP")
	d.field("crv", "Ed25519")
	d.field("x", base64.RawURLEncoding.EncodeToString(x[:]))
}

// InternationalDomains is a file that revokes n domains whose names are not
// ASCII. They have to be mapped before they can be compared, which costs far
// more than reading them.
func InternationalDomains(n int) []byte {
	return wrap(func(d *doc) {
		d.oneSite()
		d.tags("site")
		d.oneAgent("site")
		d.array("revoked_publisher_domains", func() {
			for i := range n {
				d.element(func() {
					d.field("publisher_domain", fmt.Sprintf("büro-für-größere-übungen-%06d.example", i))
					d.field("revoked_at", "2025-09-01T00:00:00Z")
				})
			}
		})
	})
}

// WrongItems is a file with ten formats whose slots are n numbers each. Every one
// is an error, and the shortest there is: two bytes for a finding of hundreds.
func WrongItems(n int) []byte {
	return wrap(func(d *doc) {
		d.oneSite()
		d.array("formats", func() {
			for i := range 10 {
				d.element(func() { d.wrongFormat(i, n) })
			}
		})
		d.tags("site")
		d.oneAgent("site")
	})
}

func (d *doc) wrongFormat(i, n int) {
	d.field("format_kind", "image")
	d.field("format_option_id", fmt.Sprintf("size_%d", i))
	d.object("params", func() {
		d.number("width", 728)
		d.number("height", 90)
		d.array("slots", func() { d.ones(n) })
	})
}

// ShortEntries is a file with n agents that are numbers. A decoded agent takes
// half a kilobyte however short it is written.
func ShortEntries(n int) []byte {
	return wrap(func(d *doc) {
		d.oneSite()
		d.tags("site")
		d.array("authorized_agents", func() { d.ones(n) })
	})
}

func (d *doc) ones(n int) {
	for range n {
		d.raw("1")
	}
}
