package index_test

import (
	"encoding/json"
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// A tray draws parts of files and questions out of few words.
type tray struct{ *rapid.T }

func (r tray) pick(label string, words ...string) string {
	return rapid.SampledFrom(words).Draw(r.T, label)
}

func (r tray) one(n int, label string) bool { return rapid.IntRange(1, n).Draw(r.T, label) == n }

func (r tray) some(label string, words ...string) []string {
	return rapid.SliceOfN(rapid.SampledFrom(words), 1, len(words)).Draw(r.T, label)
}

func (r tray) many(label string, least, most int, make func() map[string]any) []any {
	out := []any{}
	for range rapid.IntRange(least, most).Draw(r.T, label) {
		out = append(out, make())
	}
	return out
}

var (
	trayPublishers = []string{"a.example", "b.example", "c.example", "co.example"}
	trayOwners     = []string{"a.example", "a.example", "a.example", "A.example", "b.example", "b.example", "c.example", "co.example"}
	trayHosts      = []string{"a.example", "www.a.example", "m.a.example", "x.a.example", "y.x.a.example", "b.example", "A.example."}
	trayAgents     = []string{"https://one.example/mcp", "https://one.example/mcp", "https://two.example/mcp", "https://two.example/mcp/"}
	trayIDs        = []string{"site", "app", "news", "extra"}
	trayTags       = []string{"t1", "t2", "t3"}
)

func (r tray) property() map[string]any {
	p := map[string]any{
		"property_type": r.pick("type", "website", "website", "mobile_app"), "name": "A name",
		"identifiers": r.many("identifiers", 1, 3, r.identifier), "tags": r.some("tags", trayTags...),
	}
	if !r.one(6, "no id") {
		p["property_id"] = r.pick("id", trayIDs...)
	}
	if !r.one(3, "no publisher") {
		p["publisher_domain"] = r.pick("publisher", append([]string{"bad domain"}, trayOwners...)...)
	}
	return p
}

func (r tray) identifier() map[string]any {
	kind := r.pick("identifier type", "domain", "domain", "subdomain", "ios_bundle", "rss_url", "*")
	value := r.pick("bundle", "com.example.App", "com.example.app")
	switch kind {
	case "domain":
		value = r.pick("wild", "", "", "*.") + r.pick("host", append(trayHosts, "example", "192.0.2.1")...)
	case "subdomain", "*":
		value = r.pick("host", trayHosts...)
	case "rss_url":
		value = r.pick("feed", "https://a.example/feed", "https://A.example:443/feed")
	}
	return map[string]any{"type": kind, "value": value}
}

func (r tray) placement() map[string]any {
	p := map[string]any{"placement_id": r.pick("placement", "top", "side", "end"), "name": "A name", "tags": r.some("placement tags", "p1", "p2")}
	if r.one(2, "by id") {
		p["property_ids"] = r.some("runs on", trayIDs...)
	} else {
		p["property_tags"] = r.some("runs on", trayTags...)
	}
	if r.one(3, "program") {
		p["collection_ids"] = r.some("programs", "show", "talk")
	}
	if r.one(5, "fault") { // for which it is left out, or what narrows it cannot be read
		member := r.pick("faulty", "name", "source", "format_ids", "placement_id", "collection_ids")
		p[member] = 5
	}
	return p
}

func (r tray) selector() map[string]any {
	s := map[string]any{"selection_type": r.pick("selection", "all", "by_id", "by_tag")}
	if r.one(2, "compact") {
		s["publisher_domains"] = r.some("publishers", trayOwners...)
	} else {
		s["publisher_domain"] = r.pick("publisher", append([]string{"B.example."}, trayOwners...)...)
	}
	switch s["selection_type"] {
	case "by_id":
		s["property_ids"] = r.some("ids", trayIDs...)
	case "by_tag":
		s["property_tags"] = r.some("tags", trayTags...)
	}
	return s
}

func (r tray) agent() map[string]any {
	a := map[string]any{
		"url": r.pick("agent", append([]string{"https://ONE.example:443/mcp"}, trayAgents...)...), "authorized_for": "Things",
		"exclusive": r.one(3, "exclusive"),
	}
	switch kind := r.pick("kind", "property_ids", "property_tags", "property_tags", "inline_properties", "publisher_properties", "publisher_properties", "signal_ids"); kind {
	case "property_ids":
		a["authorization_type"], a[kind] = kind, r.some("ids", append([]string{"ghost"}, trayIDs...)...)
	case "property_tags":
		a["authorization_type"], a[kind] = kind, r.some("tags", trayTags...)
	case "inline_properties":
		a["authorization_type"], a["properties"] = kind, r.many("inline", 1, 2, r.property)
	case "publisher_properties":
		a["authorization_type"], a[kind] = kind, r.many("selectors", 1, 3, r.selector)
	default:
		a["authorization_type"], a[kind] = kind, []string{"s"}
	}
	if r.one(3, "countries") {
		a["countries"] = r.some("countries", "DE", "FR")
	}
	if r.one(3, "window") {
		a["effective_from"] = r.pick("from", "2025-01-01T00:00:00Z", "2025-06-01T02:00:00.5+02:00")
		a["effective_until"] = r.pick("until", "2025-06-01T00:00:01Z", "2026-01-01T00:00:00.25Z")
	}
	if r.one(3, "placement ids") {
		a["placement_ids"] = r.some("placements", "top", "side", "ghost")
	}
	if r.one(4, "placement tags") {
		a["placement_tags"] = r.some("placement tags", "p1", "p3")
	}
	if r.one(4, "collections") {
		a["collections"] = r.many("collections", 1, 2, r.collection)
	}
	return a
}

func (r tray) collection() map[string]any {
	return map[string]any{"publisher_domain": r.pick("publisher", trayOwners...), "collection_ids": r.some("programs", "show", "talk")}
}

func (r tray) file() *adagents.File {
	f := map[string]any{
		"properties": r.many("properties", 2, 6, r.property), "placements": r.many("placements", 1, 3, r.placement),
		"authorized_agents": r.many("agents", 2, 6, r.agent), "last_updated": "2025-01-01T00:00:00Z",
	}
	if r.one(20, "nobody") {
		f["authorized_agents"] = []any{}
	}
	if r.one(3, "large") {
		f["properties"] = append(f["properties"].([]any), r.rowOfProperties()...)
	}
	if r.one(4, "revocations") {
		f["revoked_publisher_domains"] = []any{map[string]any{"publisher_domain": r.pick("revoked", "a.example", "x.a.example", "c.example"), "revoked_at": "2025-01-01T00:00:00Z"}}
	}
	src, err := json.Marshal(f)
	if err != nil {
		r.Fatal(err)
	}
	return adagents.Check(src, adagents.Options{}).File
}

// rowOfProperties makes one publisher a large one.
func (r tray) rowOfProperties() []any {
	publisher, tag := r.pick("large publisher", trayPublishers...), r.pick("large tag", trayTags...)
	var out []any
	for i := range 40 {
		out = append(out, map[string]any{
			"property_id": fmt.Sprint("row", i), "property_type": "mobile_app", "name": "A name", "publisher_domain": publisher, "tags": []string{tag},
			"identifiers": []any{map[string]any{"type": "ios_bundle", "value": fmt.Sprint("com.example.row", i)}},
		})
	}
	return out
}

func (r tray) documents() []*resolve.Document {
	shared := r.file()
	var docs []*resolve.Document
	for _, publisher := range trayPublishers {
		d := &resolve.Document{Publisher: publisher, State: resolve.Usable, File: shared, Method: r.pick("method", "authoritative_location", "ads_txt_managerdomain")}
		switch r.pick("document", "shared", "shared", "shared", "own", "own", "own", "other") {
		case "own":
			d.File, d.Method = r.file(), r.pick("method", "direct", "")
		case "other":
			d.State = rapid.SampledFrom([]resolve.State{resolve.Unreachable, resolve.Absent, resolve.Unusable, resolve.Usable}).Draw(r.T, "state")
			d.File = nil
		}
		docs = append(docs, d)
	}
	return docs
}

func (r tray) question() resolve.Question {
	q := resolve.Question{
		Publisher: r.pick("asked publisher", "a.example", "a.example", "b.example", "c.example", "co.example"), Agent: r.pick("asked agent", trayAgents...),
		Country: r.pick("country", "", "DE", "FR", "US"),
		At:      rapid.SampledFrom([]time.Time{moment(-1), moment(0), moment(1), moment(2), moment(1e9)}).Draw(r.T, "at"),
	}
	switch r.pick("about", "property", "identifier", "both", "any", "any", "any") {
	case "property":
		q.Property = r.pick("asked property", append([]string{"row7"}, trayIDs...)...)
	case "identifier":
		q.Identifier = r.askedIdentifier()
	case "both":
		q.Property, q.Identifier = r.pick("asked property", trayIDs...), r.askedIdentifier()
	}
	if r.one(4, "asked type") {
		q.PropertyType = r.pick("property type", "website", "mobile_app")
	}
	if r.one(3, "asked placement") {
		q.Placements = []string{r.pick("placement", "top", "side", "ghost")}
	}
	if r.one(4, "asked collection") {
		q.Collections = []resolve.CollectionRef{{PublisherDomain: r.pick("domain", append([]string{"", ""}, trayOwners...)...), ID: r.pick("program", "show", "talk", "ghost")}}
	}
	return q
}

func (r tray) askedIdentifier() resolve.Identifier {
	id := resolve.Identifier{Type: "domain", Value: r.pick("asked host", append([]string{"www.co.example", "z.b.example"}, trayHosts...)...)}
	switch r.pick("asked type", "domain", "domain", "domain", "subdomain", "ios_bundle", "rss_url", "*") {
	case "subdomain":
		id.Type = "subdomain"
	case "*":
		id.Type = "*"
	case "ios_bundle":
		id = resolve.Identifier{Type: "ios_bundle", Value: r.pick("bundle", "com.example.App", "com.example.app", "com.example.row7")}
	case "rss_url":
		id = resolve.Identifier{Type: "rss_url", Value: "https://a.example/feed"}
	}
	return id
}

// moment is so many seconds after a bound of some windows.
func moment(seconds int64) time.Time { return time.Unix(1748736000+seconds, 0).UTC() }
