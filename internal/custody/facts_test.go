package custody_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/custody"
)

// TestFactsKeepable: a date that no store keeps is none, wherever it stands.
func TestFactsKeepable(t *testing.T) {
	t.Parallel()
	for date, readable := range map[string]bool{
		"0000-01-01T00:00:00+23:59": false, "0001-01-01T00:00:00+00:01": false, "0000-12-31T23:59:59-23:59": true, "0001-01-01T00:00:01Z": true,
		"9999-12-31T23:59:59-23:59": false, "9999-12-31T23:59:59-00:01": false, "9999-12-31T23:59:59Z": true, "9999-12-31T23:59:59+23:59": true,
	} {
		facts := custody.FactsOf(parse(t, fmt.Sprintf(`{"last_updated":%q,"authorized_agents":[],
			"revoked_publisher_domains":[{"publisher_domain":"p.example","revoked_at":%[1]q}]}`, date)))
		if facts.LastUpdated.IsZero() == readable || len(facts.Revoked) != 1 || facts.Revoked[0].At.IsZero() == readable {
			t.Errorf("%s: %+v", date, facts)
		}
		f, events := (&custody.File{URL: url}).Take(custody.Observation{Outcome: custody.Whole, Hash: "a", Facts: facts}, at(0))
		for _, v := range []any{f, f.Revocations, events} {
			_, err := json.Marshal(v)
			if err != nil {
				t.Errorf("%s: %v", date, err)
			}
		}
	}
}

// TestFactsSmall: what is remembered of a file is small, and what differs is remembered
// as different.
func TestFactsSmall(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 100_000)
	file := func(end string) custody.Facts {
		return custody.FactsOf(parse(t, fmt.Sprintf(`{"catalog_etag":%q,"authorized_agents":[{"url":"https://b.example/mcp"},{"url":%q}]}`,
			long+end, "https://a.example/"+long+end)))
	}
	one, two := file("1"), file("2")
	if one.CatalogETag == two.CatalogETag || len(one.CatalogETag) > 500 {
		t.Errorf("%d bytes of a tag", len(one.CatalogETag))
	}
	if len(one.Agents) != 2 || one.Agents[0] != "https://b.example/mcp" || one.Agents[1] == two.Agents[1] || len(one.Agents[1]) > 500 {
		t.Errorf("%.200q", one.Agents)
	}
}

// TestChangesSmall: texts in a change are cut between two characters.
func TestChangesSmall(t *testing.T) {
	t.Parallel()
	for shift := range 4 {
		name := strings.Repeat("a", shift) + strings.Repeat("\U0001F600", 100_000)
		next := fmt.Sprintf(`{"authorized_agents":[{"url":%q,"authorized_for":%q}],"contact":{"name":%q},"superseded_by":%q}`, "https://a.example/"+name, name, name, name)
		changes := custody.Compare(parse(t, `{"authorized_agents":[],"contact":{"name":"b"}}`), parse(t, next))
		if len(changes) == 0 {
			t.Error("no changes")
		}
		for _, c := range changes {
			for _, s := range []string{c.Subject, c.Before, c.After, c.Pointer, c.Message} {
				if len(s) > 2_000 || !utf8.ValidString(s) || strings.Contains(s, `\x`) || strings.Contains(s, "\uFFFD") {
					t.Errorf("%s: %d bytes, %.100q", c.Code, len(s), s)
				}
			}
		}
	}
}
