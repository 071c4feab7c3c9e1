package bench

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
)

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
