package resolve_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// TestOwn compares what an agent may sell of a publisher with the list of all that its
// entries select.
func TestOwn(t *testing.T) {
	t.Parallel()
	const file = `{"properties": [
		{"property_id": "a", "property_type": "website", "name": "A", "publisher_domain": "one.example", "tags": ["t"], "identifiers": [{"type": "domain", "value": "one.example"}]},
		{"property_id": "b", "property_type": "website", "name": "B", "publisher_domain": "one.example", "identifiers": [{"type": "domain", "value": "b.one.example"}]},
		{"property_id": "c", "property_type": "website", "name": "C", "publisher_domain": "two.example", "tags": ["t"], "identifiers": [{"type": "domain", "value": "two.example"}]},
		{"property_id": "d", "property_type": "website", "name": "D", "identifiers": [{"type": "domain", "value": "one.example"}]},
		{"property_type": "website", "name": "E", "publisher_domain": "one.example", "tags": ["t"], "identifiers": [{"type": "domain", "value": "e.one.example"}]}],
	"authorized_agents": [
		{"url": "https://agent.example", "authorized_for": "x", "authorization_type": "property_tags", "property_tags": ["t"]},
		{"url": "https://agent.example", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["d", "a"]},
		{"url": "https://other.example", "authorized_for": "x", "authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "two.example", "selection_type": "all"}]}]}`
	f, err := adagents.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"direct", "authoritative_location", "ads_txt_managerdomain"} {
		for _, publisher := range []string{"one.example", "two.example", "three.example"} {
			for _, agent := range []string{"https://agent.example/", "https://other.example/", "https://nobody.example/"} {
				doc := &resolve.Document{Publisher: publisher, State: resolve.Usable, Method: method, File: f}
				s := resolve.NewSubject(doc)
				var want []string
				for _, one := range s.Selects(publisher, agent) {
					if one.PublisherDomain == publisher && one.PropertyID != "" {
						want = append(want, one.PropertyID)
					}
				}
				slices.Sort(want)
				ids, total := s.Own(publisher, agent)
				if !slices.Equal(ids, slices.Compact(want)) || total != len(resolve.Owned(doc)) {
					t.Errorf("%s %s %s: %v of %d, want %v of %d", method, publisher, agent, ids, total, want, len(resolve.Owned(doc)))
				}
			}
		}
	}
	gone := resolve.NewSubject(&resolve.Document{Publisher: "one.example", State: resolve.Absent})
	ids, total := gone.Own("one.example", "https://agent.example/")
	if fmt.Sprint(ids, total) != "[] 0" {
		t.Errorf("%v %d without a file", ids, total)
	}
}
