package bench

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

const (
	schemaURL = "https://adcontextprotocol.org/schemas/v3/adagents.json"
	// updated lies well in the past, so no input is ever "from the future".
	updated = "2025-10-06T07:30:00Z"
)

// property is what the generators vary between entries of a properties array.
type property struct {
	id          string
	kind        string
	name        title
	domain      string
	identifiers [][2]string
	tags        []string
	channels    []string
}

func (d *doc) property(p property) {
	d.element(func() {
		d.field("property_id", p.id)
		d.field("property_type", p.kind)
		d.key("name")
		d.next()
		d.buf = appendQuoted(d.buf, p.name.text, p.name.escape)
		d.array("identifiers", func() {
			for _, pair := range p.identifiers {
				d.element(func() {
					d.field("type", pair[0])
					d.field("value", pair[1])
				})
			}
		})
		d.strings("tags", p.tags...)
		d.strings("supported_channels", p.channels...)
		d.field("publisher_domain", p.domain)
	})
}

// anyProperty makes a property of a random kind that belongs to its own publisher.
func (s source) anyProperty(i int, tags []string) property {
	w := s.words()
	p := property{id: identity(w, i), name: s.title(w, i), domain: s.domain(w, i), tags: tags}
	switch roll := s.below(100); {
	case roll < 70:
		p.asWebsite(s)
	case roll < 85:
		p.asMobileApp(w, i)
	case roll < 93:
		p.asTVApp(i)
	default:
		p.asPodcast(i)
	}
	return p
}

// asWebsite gives the property its base domain and either one named host or all hosts.
func (p *property) asWebsite(s source) {
	p.kind = "website"
	p.channels = []string{"display", "olv"}
	second := [2]string{"domain", "*." + p.domain}
	if s.below(4) > 0 {
		second = [2]string{"subdomain", "news." + p.domain}
	}
	p.identifiers = [][2]string{{"domain", p.domain}, second}
}

func (p *property) asMobileApp(w [2]string, i int) {
	p.kind = "mobile_app"
	p.channels = []string{"display", "gaming"}
	bundle := fmt.Sprintf("com.%s%s.app%06d", strings.ToLower(w[0]), strings.ToLower(w[1]), i)
	p.identifiers = [][2]string{{"ios_bundle", bundle}, {"android_package", bundle}}
}

func (p *property) asTVApp(i int) {
	p.kind = "ctv_app"
	p.channels = []string{"ctv"}
	p.identifiers = [][2]string{{"roku_store_id", fmt.Sprintf("%d", 500000+i)}, {"fire_tv_asin", fmt.Sprintf("B0%08d", i)}}
}

func (p *property) asPodcast(i int) {
	p.kind = "podcast"
	p.channels = []string{"podcast", "streaming_audio"}
	p.identifiers = [][2]string{
		{"rss_url", "https://" + p.domain + "/feed.xml"},
		{"apple_podcast_id", fmt.Sprintf("%d", 1500000000+i)},
	}
}

// tag writes one entry of a tag map.
func (d *doc) tag(key, name, description string) {
	d.object(key, func() {
		d.field("name", name)
		d.field("description", description)
	})
}

// signingKey writes a signing_keys member with one Ed25519 key. The key pair is derived
// from the number, so it is a real point and the same one every time; the private half
// is not needed.
func (d *doc) signingKey(number int) {
	seed := sha256.Sum256(fmt.Appendf(nil, "bench agent %d", number))
	public := ed25519.NewKeyFromSeed(seed[:])[ed25519.SeedSize:]
	d.array("signing_keys", func() {
		d.element(func() {
			d.field("kid", fmt.Sprintf("agent-%d", number))
			d.field("kty", "OKP")
			d.field("crv", "Ed25519")
			d.field("alg", "EdDSA")
			d.field("use", "sig")
			d.strings("key_ops", "verify")
			d.field("x", base64.RawURLEncoding.EncodeToString(public))
		})
	})
}

// head writes the members every file begins with.
func (d *doc) head(name, domain, etag string) {
	d.field("$schema", schemaURL)
	d.object("contact", func() {
		d.field("name", name)
		d.field("email", "adops@"+domain)
		d.field("domain", domain)
	})
	d.field("catalog_etag", etag)
}

// agentHead writes the members every agent entry begins with.
func (d *doc) agentHead(number int, authorizedFor, kind string) {
	d.field("url", fmt.Sprintf("https://agent%04d.example.net/mcp", number))
	d.field("authorized_for", authorizedFor)
	d.field("authorization_type", kind)
}
