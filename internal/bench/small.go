package bench

// The public halves of two key pairs made for this file; the private halves were
// never kept.
const (
	smallECX = "2_Dk1XglyFfcn-s7lQoj5nl1MqmfmBvPE-jtHnyFDMY"
	smallECY = "v6RMxCo4SJzaY-1NgNQTT7KUb5XeMc4QkmaPLbkXT0U"
	smallEdX = "1U5b9vrvAQL7SraOnF6LV6uWUjgUlQXrydQPpFkUL64"
)

// Small is the file of an ordinary publisher: a site, an app, one placement, one
// format and two agents with pinned keys, about 3 kB when indented. Nothing in it
// gives rise to a finding of any severity.
func Small() []byte {
	d := &doc{indent: true}
	d.element(func() {
		d.head("Example Gazette", "example.com", "2025-10-06.1")
		d.array("properties", d.smallProperties)
		d.array("placements", d.smallPlacement)
		d.array("formats", d.smallFormat)
		d.object("tags", func() { d.tag("news", "News", "Everything the newsroom publishes") })
		d.object("placement_tags", func() { d.tag("premium", "Premium", "Sold by the house team first") })
		d.array("authorized_agents", d.smallAgents)
		d.field("last_updated", updated)
	})
	return d.buf
}

func (d *doc) smallProperties() {
	d.property(property{
		id: "gazette_site", kind: "website", name: title{text: "Example Gazette"}, domain: "example.com",
		identifiers: [][2]string{{"domain", "example.com"}}, tags: []string{"news"}, channels: []string{"display"},
	})
	d.property(property{
		id: "gazette_app", kind: "mobile_app", name: title{text: "Gazette Reader"}, domain: "example.com",
		identifiers: [][2]string{{"ios_bundle", "com.example.reader"}, {"android_package", "com.example.reader"}},
		tags:        []string{"news"}, channels: []string{"display"},
	})
}

func (d *doc) smallPlacement() {
	d.element(func() {
		d.field("placement_id", "home_top")
		d.field("name", "Home page, top")
		d.field("description", "Banner above the first headline")
		d.strings("property_tags", "news")
		d.strings("tags", "premium")
		d.strings("channels", "display")
		d.array("format_options", func() {
			d.element(func() { d.field("format_option_id", "leaderboard") })
		})
	})
}

func (d *doc) smallFormat() {
	d.element(func() {
		d.field("format_kind", "image")
		d.field("format_option_id", "leaderboard")
		d.field("display_name", "Leaderboard 728x90")
		d.object("params", func() {
			d.number("width", 728)
			d.number("height", 90)
			d.strings("image_formats", "jpg", "png")
		})
	})
}

func (d *doc) smallAgents() {
	d.element(func() {
		d.field("url", "https://sales.example.com/mcp")
		d.field("authorized_for", "All inventory, sold by the house team")
		d.field("authorization_type", "property_ids")
		d.strings("property_ids", "gazette_site", "gazette_app")
		d.field("delegation_type", "direct")
		d.array("signing_keys", func() {
			d.smallKey("house-1", "EC", "P-256", "ES256", "x", smallECX, "y", smallECY)
		})
	})
	d.element(func() {
		d.field("url", "https://agent.example.net/mcp")
		d.field("authorized_for", "Premium placements in two countries")
		d.field("authorization_type", "property_tags")
		d.strings("property_tags", "news")
		d.field("delegation_type", "delegated")
		d.strings("placement_tags", "premium")
		d.strings("countries", "DE", "FR")
		d.array("signing_keys", func() {
			d.smallKey("net-1", "OKP", "Ed25519", "EdDSA", "x", smallEdX)
		})
	})
}

// smallKey writes one key; coordinates are pairs of member name and value.
func (d *doc) smallKey(kid, kty, curve, alg string, coordinates ...string) {
	d.element(func() {
		d.field("kid", kid)
		d.field("kty", kty)
		d.field("crv", curve)
		d.field("alg", alg)
		d.field("use", "sig")
		for i := 0; i < len(coordinates); i += 2 {
			d.field(coordinates[i], coordinates[i+1])
		}
	})
}
