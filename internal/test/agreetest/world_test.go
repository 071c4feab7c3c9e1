package agreetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/test/dice"
	"github.com/avow-project/avow/resolve"
)

// began is when the test begins, by the clock of everything in it. No entry begins or ends in the
// days around it.
var began = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

// A world is a publisher with everything that its file leads to. The names of world 7 end in
// 7.example.
type world struct {
	number int
	r      dice.Dice
	// bodies are what is served, by URL.
	bodies map[string][]byte
	// archive has the hosts, and expired those whose certificate is.
	archive strings.Builder
	expired []string
	// twin is a publisher like this one whose manager's file has no limits; empty where there
	// is no manager.
	twin string
}

// publishers are those of a world: one, and two others that its entries select.
var publishers = []string{"pub", "x", "far"}

const wellKnown = "/.well-known/adagents.json"

// newWorld makes a world: how the publisher's file is found, the file, and those of two others
// that its entries select.
func newWorld(number int) *world {
	w := &world{number: number, r: dice.New(36, uint64(number)), bodies: map[string][]byte{}}
	w.publisher(w.r.File())
	for _, name := range publishers[1:] {
		if w.r.One(3) {
			w.serve("https://"+name+".example/robots.txt", "text/plain", nil)
			continue
		}
		// The names change places, so that the files speak about each other.
		swap := strings.NewReplacer("pub.example", name+".example", "Pub.example", name+".example", "PUB.example", name+".example", name+".example", "pub.example")
		w.direct(name, []byte(swap.Replace(string(w.r.File()))))
	}
	return w
}

// publisher serves the file of the publisher in one of the ways there are.
func (w *world) publisher(body []byte) {
	const home, elsewhere = "https://pub.example" + wellKnown, "https://net.example/adagents.json"
	switch w.r.IntN(12) {
	case 0, 1:
		w.serve(home, "application/json", []byte(`{"authoritative_location": "`+elsewhere+`", "last_updated": "2026-01-01T00:00:00Z"}`))
		w.serve(elsewhere, "application/json", body)
	case 2, 3:
		if !w.r.One(3) {
			body = w.faultless()
		}
		w.managed("pub", body)
		w.twin = "twin"
		w.managed(w.twin, []byte(strings.NewReplacer("pub.example", "twin.example", "Pub.example", "twin.example", "PUB.example", "twin.example").Replace(unlimited(body))))
	case 4:
		first := append([]byte(`{"superseded_by": "`+elsewhere+`", `), w.r.File()[1:]...)
		w.serve(home, "application/json", first)
		if w.r.One(3) {
			w.serve("https://net.example/other", "text/plain", nil)
		} else {
			w.serve(elsewhere, "application/json", body)
		}
	case 5:
		w.broken()
	default:
		w.direct("pub", w.twisted(body))
	}
}

// broken is a publisher without a file that can be used.
func (w *world) broken() {
	switch w.r.IntN(3) {
	case 0:
		w.serve("https://pub.example/robots.txt", "text/plain", nil)
	case 1:
		w.expired = append(w.expired, "pub")
	default:
		w.direct("pub", []byte(`{"authorized_agents": 7}`))
	}
}

// managed serves the file of the manager of a publisher.
func (w *world) managed(name string, body []byte) {
	w.serve("https://"+name+".example/ads.txt", "text/plain", []byte("MANAGERDOMAIN=mgr-"+name+".example\n"))
	w.serve("https://mgr-"+name+".example"+wellKnown, "application/json", body)
}

// twisted makes some things more frequent than chance does: agents that sell signals alone,
// publishers that their file revokes, and placements that run on one of two properties.
func (w *world) twisted(body []byte) []byte {
	signals, revoked, placed := w.r.One(5), w.r.One(5), w.r.One(5)
	return edited(body, func(file map[string]any, entries []map[string]any) {
		if placed {
			file["placements"] = []any{map[string]any{"placement_id": "p", "name": "P", "property_ids": []string{w.r.Pick("a", "b")}}}
			file["properties"] = []any{website("a"), website("b")}
			list, _ := file["authorized_agents"].([]any)
			file["authorized_agents"] = append(list, map[string]any{
				"url": "https://agent.example/mcp", "authorized_for": "Everything", "authorization_type": "property_ids", "property_ids": []string{"a", "b"}, "placement_ids": []string{"p"},
			})
		}
		for _, entry := range entries {
			if signals {
				entry["authorization_type"], entry["signal_ids"] = "signal_ids", []string{"s1", "s2"}
			}
		}
		if revoked {
			file["revoked_publisher_domains"] = []any{map[string]any{"publisher_domain": "pub.example", "revoked_at": "2026-01-01T00:00:00Z"}}
		}
	})
}

// website is a property of the publisher.
func website(id string) map[string]any {
	return map[string]any{
		"property_id": id, "property_type": "website", "name": "N", "identifiers": []any{map[string]any{"type": "domain", "value": id + ".pub.example"}},
	}
}

// faultless is a file without any error, which a manager's file has to be to speak for others.
// Its entries are limited in any way, or to placements that the file does not have.
func (w *world) faultless() []byte {
	r := w.r
	property := `{"property_id": "%s", "property_type": "website", "name": "N", "tags": ["%s"], "publisher_domain": "%s.example", "identifiers": [{"type": "domain", "value": "%s.example"}]}`
	var entries []string
	for range 1 + r.IntN(2) {
		entries = append(entries, `{"url": "https://agent.example/mcp", "authorized_for": "Everything", `+r.Pick(
			`"authorization_type": "property_ids", "property_ids": ["a"]`, `"authorization_type": "property_ids", "property_ids": ["b"]`,
			`"authorization_type": "property_tags", "property_tags": ["t"]`,
			`"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domains": ["pub.example", "x.example"], "selection_type": "all"}]`,
		)+r.Pick(
			``, `, "placement_ids": ["ghost"]`, `, "placement_ids": ["p"]`, `, "placement_tags": ["ghost"]`, `, "countries": ["DE"]`,
			`, "effective_until": "2026-01-01T00:00:00Z"`, `, "effective_from": "2026-01-01T00:00:00Z"`, `, "collections": [{"publisher_domain": "pub.example", "collection_ids": ["c1"]}]`,
		)+"}")
	}
	return []byte(`{"authorized_agents": [` + strings.Join(entries, ", ") + `], "properties": [` +
		fmt.Sprintf(property, "a", "t", "pub", "pub") + ", " + fmt.Sprintf(property, "b", "u", "x", "x") +
		`], "placements": [{"placement_id": "p", "name": "P", "property_ids": ["a", "b"], "tags": ["m"]}]}`)
}

// unlimited is a file whose entries hold everywhere at all times.
func unlimited(body []byte) string {
	return string(edited(body, func(_ map[string]any, entries []map[string]any) {
		for _, entry := range entries {
			for _, limit := range []string{"countries", "placement_ids", "placement_tags", "effective_from", "effective_until"} {
				delete(entry, limit)
			}
		}
	}))
}

// edited changes a file and its entries.
func edited(body []byte, change func(file map[string]any, entries []map[string]any)) []byte {
	var file map[string]any
	err := json.Unmarshal(body, &file)
	if err != nil {
		panic(err)
	}
	var entries []map[string]any
	list, _ := file["authorized_agents"].([]any)
	for i := range list {
		entry, _ := list[i].(map[string]any)
		entries = append(entries, entry)
	}
	change(file, entries)
	out, err := json.Marshal(file)
	if err != nil {
		panic(err)
	}
	return out
}

func (w *world) direct(name string, body []byte) {
	w.serve("https://"+name+".example"+wellKnown, "application/json", body)
}

func (w *world) serve(url, mediaType string, body []byte) {
	w.bodies[w.own(url)] = []byte(w.own(string(body)) + "\n")
	fmt.Fprintf(&w.archive, "-- %s --\n200\nContent-Type: %s\n\n%s\n", url, mediaType, body)
}

// own gives the names in a text the number of the world.
func (w *world) own(text string) string {
	n := strconv.Itoa(w.number)
	return strings.NewReplacer(".example", n+".example", ".EXAMPLE", n+".EXAMPLE", "com.A", "com.A"+n, "com.a", "com.a"+n).Replace(text)
}

func (w *world) domain(name string) string { return w.own(name + ".example") }

func (w *world) agent() string { return w.own("https://agent.example/mcp") }

// internet joins worlds to one.
func internet(worlds []*world) []byte {
	var all, tls bytes.Buffer
	for _, w := range worlds {
		all.WriteString(w.own(w.archive.String()))
		for _, name := range w.expired {
			tls.WriteString(w.domain(name) + " expired\n")
		}
	}
	return append(all.Bytes(), "-- tls --\n"+tls.String()...)
}

// question makes a question about the publisher of the world.
func (w *world) question() resolve.Question {
	q := w.r.Question()
	q.Publisher, q.Agent, q.Inline = w.own(q.Publisher), w.own(q.Agent), false
	q.Identifier.Value = w.own(q.Identifier.Value)
	for i := range q.Collections {
		q.Collections[i].PublisherDomain = w.own(q.Collections[i].PublisherDomain)
	}
	return q
}

// request is a call of the function behind the npm package, with the files that were found.
func (l *lab) request(t *testing.T, w *world, op string, members map[string]any) ([]byte, []byte) {
	t.Helper()
	var documents []map[string]any
	var data []byte
	for _, name := range publishers {
		doc, err := l.docs.Document(t.Context(), w.domain(name))
		if err != nil {
			t.Fatal(err)
		}
		one := map[string]any{"publisher": doc.Publisher, "method": doc.Method, "url": doc.URL, "replaced": doc.Replaced}
		switch doc.State {
		case resolve.Usable, resolve.Unusable:
			one["size"] = len(w.bodies[doc.URL])
			data = append(data, w.bodies[doc.URL]...)
		default:
			one["state"] = doc.State.String()
		}
		documents = append(documents, one)
	}
	request := map[string]any{"op": op, "documents": documents}
	maps.Copy(request, members)
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	return text, data
}

// A memory is a source that asks for each document once.
type memory struct {
	resolve.Source
	known map[string]*resolve.Document
}

// Document returns the document of a publisher.
func (m *memory) Document(ctx context.Context, publisher string) (*resolve.Document, error) {
	doc := m.known[publisher]
	if doc == nil {
		var err error
		doc, err = m.Source.Document(ctx, publisher)
		if err != nil {
			return nil, err
		}
		m.known[publisher] = doc
	}
	return doc, nil
}
