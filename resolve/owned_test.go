package resolve_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

const ownedFile = `{
 "properties": [
  {"property_id": "own", "property_type": "website", "name": "Own", "identifiers": [{"type": "domain", "value": "pub.example"}], "publisher_domain": "pub.example"},
  {"property_id": "implied", "property_type": "website", "name": "Implied", "identifiers": [{"type": "domain", "value": "news.example"}]},
  {"property_id": "other", "property_type": "website", "name": "Other", "identifiers": [{"type": "domain", "value": "other.example"}], "publisher_domain": "other.example"},
  {"property_id": "gone", "property_type": "website", "name": "Gone", "identifiers": [{"type": "domain", "value": "gone.example"}], "publisher_domain": "pub.example"}
 ],
 "revoked_publisher_domains": [{"publisher_domain": "gone.example", "revoked_at": "2026-01-01T00:00:00Z"}],
 "authorized_agents": [
  {"url": "https://a.example", "authorized_for": "x", "authorization_type": "inline_properties", "properties": [
    {"property_id": "inline", "property_type": "website", "name": "Inline", "identifiers": [{"type": "domain", "value": "in.example"}], "publisher_domain": "pub.example"},
    {"property_id": "own", "property_type": "website", "name": "Own again", "identifiers": [{"type": "domain", "value": "pub.example"}], "publisher_domain": "pub.example"}
  ]}
 ]
}`

func TestOwned(t *testing.T) {
	t.Parallel()
	file := adagents.Check([]byte(ownedFile), adagents.Options{}).File
	for _, c := range []struct {
		doc  *resolve.Document
		want string
	}{
		{&resolve.Document{Publisher: "pub.example", State: resolve.Usable, File: file, Method: "direct"}, "own implied inline"},
		{&resolve.Document{Publisher: "pub.example", State: resolve.Usable, File: file, Method: "authoritative_location"}, "own inline"},
		{&resolve.Document{Publisher: "other.example", State: resolve.Usable, File: file, Method: "authoritative_location"}, "other"},
		{&resolve.Document{Publisher: "gone.example", State: resolve.Usable, File: file, Method: "direct"}, ""},
		{&resolve.Document{Publisher: "pub.example", State: resolve.Absent}, ""},
		{nil, ""},
	} {
		var ids []string
		for _, p := range resolve.Owned(c.doc) {
			ids = append(ids, p.ID)
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.doc, got, c.want)
		}
	}
}

// TestOwnedPrepared compares the two ways to find what belongs to a publisher, and decisions
// about files with many properties with the naive implementation.
func TestOwnedPrepared(t *testing.T) {
	t.Parallel()
	lengths := map[int]bool{}
	for i := range 240 / slowdown {
		r := newDice(100, uint64(i))
		r.Many = i%2 == 0
		w := r.world()
		for range 3 {
			q := r.Question()
			want := naively(w.doc.State, w.doc.Method, w.naive, q)
			w.compare(t, q, want)
			w.decide(t, q, want)
		}
		prepared := resolve.Prepare(w.doc.File)
		for _, publisher := range []string{"pub.example", "www.pub.example", "news.pub.example", "x.example", "nobody.example"} {
			doc := *w.doc
			doc.Publisher = publisher
			want := resolve.Owned(&doc)
			doc.Prepared = prepared
			got := resolve.Owned(&doc)
			lengths[len(got)] = true
			if !slices.Equal(got, want) {
				t.Errorf("%s has %d properties of the prepared form, and %d of the file", publisher, len(got), len(want))
			}
		}
		if t.Failed() {
			t.Fatalf("file %d, %s, held %v\n%s", i, w.doc.Method, w.doc.Revoked, w.src)
		}
	}
	if len(lengths) < 5 {
		t.Errorf("publishers have these numbers of properties only: %v", lengths)
	}
}

// TestIdentifierInSeveralWays asks about an identifier that many properties of the publisher have
// twice, and one that names no publisher. The property of somebody else is none of them.
func TestIdentifierInSeveralWays(t *testing.T) {
	t.Parallel()
	const property = `{"property_type": "website", "name": "N", %s "identifiers": [{"type": "domain", "value": %q}, {"type": "domain", "value": "*.%[2]s"}]}`
	list := []string{
		fmt.Sprintf(property, `"tags": ["sold"],`, "other.example"),
		fmt.Sprintf(property, "", "pub.example"),
	}
	for range 20 {
		list = append(list, fmt.Sprintf(property, `"publisher_domain": "pub.example",`, "pub.example"))
	}
	file, err := adagents.Parse(fmt.Appendf(nil, `{"properties": [%s], "collections": [{"collection_id": "c", "name": "C", "publisher_domain": "other.example"}], "authorized_agents": [
		{"url": "https://agent.example", "authorized_for": "x", "authorization_type": "property_tags", "property_tags": ["sold"]}]}`,
		strings.ReplaceAll(strings.Join(list, ","), `"*.pub.example"}`, `"*.pub.example"}, {"type": "domain", "value": "www.pub.example"}`)))
	if err != nil {
		t.Fatal(err)
	}
	doc := &resolve.Document{Publisher: "pub.example", State: resolve.Usable, Method: "authoritative_location", File: file}
	subject := resolve.NewSubject(doc)
	got, err := subject.Decide(&resolve.Question{
		Publisher: "pub.example", Agent: "https://agent.example/", Identifier: resolve.Identifier{Type: "domain", Value: "www.pub.example"}, At: time.Unix(1_800_000_000, 0),
	})
	if err != nil || got.Verdict != resolve.NotAuthorized {
		t.Errorf("%+v, %v", got, err)
	}
}
