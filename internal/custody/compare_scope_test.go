package custody_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/custody"
)

// TestScopeOfSelectors changes one selector of several. A publisher that another selector has as well
// is neither added nor removed, and the numbers are those of all selectors.
func TestScopeOfSelectors(t *testing.T) {
	t.Parallel()
	file := func(lists ...string) string {
		var list []string
		for _, domains := range lists {
			list = append(list, fmt.Sprintf(`{"publisher_domains":["%s"],"selection_type":"all"}`, strings.ReplaceAll(domains, " ", `","`)))
		}
		return `{"authorized_agents":[{"url":"https://a.example/mcp","authorized_for":"x","authorization_type":"publisher_properties",` +
			`"publisher_properties":[` + strings.Join(list, ",") + `]}]}`
	}
	old := file("a.example b.example", "c.example A.example", "d.example")
	for _, test := range []struct{ next, want string }{
		{file("a.example b.example", "c.example", "d.example"), ""},
		{file("d.example", "c.example A.example", "a.example b.example"), ""},
		{file("b.example", "c.example", "d.example"), "agent.scope_narrowed 4 3"},
		{file("a.example b.example", "c.example A.example e.example", "d.example"), "agent.scope_widened 4 5"},
		{file("a.example b.example", "f.example", "c.example A.example", "d.example"), "agent.scope_widened 4 5"},
		{file("a.example b.example", "d.example"), "agent.scope_narrowed 4 3"},
		{file("a.example", "e.example", "d.example"), "agent.scope_widened 4 3; agent.scope_narrowed 4 3"},
	} {
		var got []string
		for _, c := range custody.Compare(parse(t, old), parse(t, test.next)) {
			got = append(got, c.Code+" "+c.Before+" "+c.After)
		}
		if text := strings.Join(got, "; "); text != test.want {
			t.Errorf("%s: %q, want %q", test.next, text, test.want)
		}
	}
}
