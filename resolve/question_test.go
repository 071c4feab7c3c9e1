package resolve

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestQuestionErrors(t *testing.T) {
	t.Parallel()
	many := make([]string, maxItems+1)
	for _, c := range []struct {
		name   string
		change func(q *Question)
		want   string // "" for no error
		hint   string
	}{
		{"good", func(*Question) {}, "", ""},
		{"publisher missing", func(q *Question) { q.Publisher = "" }, "publisher: the domain is missing", "example.com"},
		{"publisher an address", func(q *Question) { q.Publisher = "127.0.0.1" }, `publisher: "127.0.0.1" `, "example.com"},
		{"publisher a suffix", func(q *Question) { q.Publisher = "co.uk" }, `publisher: "co.uk" is a public suffix`, "one publisher"},
		{"agent missing", func(q *Question) { q.Agent = "" }, "agent: the URL of the agent is missing", "https://agent.example/mcp"},
		{"agent without scheme", func(q *Question) { q.Agent = "agent.example/mcp" }, `agent: "agent.example/mcp" `, "did you mean https://agent.example/mcp"},
		{"agent malformed", func(q *Question) { q.Agent = "https:///mcp" }, `agent: "https:///mcp" `, "give the URL"},
		{"agent nonsense", func(q *Question) { q.Agent = "a b" }, `agent: "a b" `, "give the URL"},
		{"agent of another scheme", func(q *Question) { q.Agent = "ftp://agent.example/" }, "agent: ", "give the URL"},
		{"country too long", func(q *Question) { q.Country = "USA" }, `country: "USA" is not a country code`, "US"},
		{"country not letters", func(q *Question) { q.Country = "U1" }, `country: "U1" is not a country code`, "US"},
		{"country not assigned", func(q *Question) { q.Country = "xz" }, `country: "XZ" is not the code of any country`, "US"},
		{"country as people call it", func(q *Question) { q.Country = "uk" }, `country: "UK" is not the code of any country`, "GB"},
		{"identifier without value", func(q *Question) { q.Identifier.Type = "domain" }, "identifier: the type or the value is missing", "domain=example.com"},
		{"identifier without type", func(q *Question) { q.Identifier.Value = "x" }, "identifier: the type or the value is missing", "domain=example.com"},
		{"identifier with wildcard", func(q *Question) { q.Identifier = Identifier{"domain", "*.example.com"} }, `identifier: "*.example.com" stands for many hosts`, "one host"},
		{"identifier no domain", func(q *Question) { q.Identifier = Identifier{"domain", "a b"} }, "identifier: the domain ", "domain=example.com"},
		{"identifier no URL", func(q *Question) { q.Identifier = Identifier{"rss_url", "feed"} }, "identifier: the rss_url ", "domain=example.com"},
		{"placement empty", func(q *Question) { q.Placements = []string{"a", ""} }, "placements: an id is empty", "placement_id"},
		{"too many placements", func(q *Question) { q.Placements = many }, "placements: there are too many", "several questions"},
		{"collection empty", func(q *Question) { q.Collections = []CollectionRef{{"example.com", ""}} }, "collections: an id is empty", "example.com/morning_show"},
		{"collection of nobody", func(q *Question) { q.Collections = []CollectionRef{{"com", "x"}} }, `collections: "com" `, "example.com"},
		{"too many collections", func(q *Question) { q.Collections = make([]CollectionRef, maxItems+1) }, "collections: there are too many", "several questions"},
		{"no instant", func(q *Question) { q.At = time.Time{} }, "at: the instant asked about is missing", "time"},
		{"signal and property", func(q *Question) { q.Signal, q.Property = "s", "p" }, "signal: a question is about a signal or about properties", "ask twice"},
		{"signal and placement", func(q *Question) { q.Signal, q.Placements = "s", []string{"p"} }, "signal: ", "ask twice"},
		{"signal", func(q *Question) { q.Signal = "s" }, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := Question{Publisher: "example.com", Agent: testAgent, At: testTime}
			c.change(&q)
			_, err := New(oneSource{}).Answer(t.Context(), q)
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var bad *QuestionError
			if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), c.want) || !strings.Contains(bad.Hint, c.hint) {
				t.Errorf("got %v %+v", err, bad)
			}
			_, direct := Judge(nil, q)
			if direct == nil || direct.Error() != err.Error() {
				t.Errorf("Judge says %v", direct)
			}
		})
	}
}

// TestQuestionSecrets makes sure that a password in a URL is not repeated.
func TestQuestionSecrets(t *testing.T) {
	t.Parallel()
	_, err := Question{Publisher: "example.com", Agent: "https://me:hunter2@agent.example:x/", At: testTime}.Canonical()
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
}

// TestListErrors: a listing checks its question in the same way.
func TestListErrors(t *testing.T) {
	t.Parallel()
	var bad *QuestionError
	_, err := New(oneSource{}).Properties(t.Context(), "example.com", "agent", ListOptions{At: testTime})
	if !errors.As(err, &bad) || bad.Field != "agent" {
		t.Error(err)
	}
}

// FuzzQuestion: any text is refused or brought to a form that stays as it is.
func FuzzQuestion(f *testing.F) {
	f.Add("example.com", testAgent, "us", "domain", "www.example.com", "top", "example.org", "show", "")
	f.Add("HTTPS://Bücher.example./x", "https://u:p@a.example:443/%7e/../b#c", " de ", "rss_url", "https://a.example/", "", "", "", "")
	f.Add("co.uk", "agent.example", "UK", "ios_bundle", "com.A", "a", "", "b", "signal")
	f.Fuzz(func(t *testing.T, publisher, agent, country, kind, value, placement, owner, collection, signal string) {
		q := Question{Publisher: publisher, Agent: agent, Country: country, Identifier: Identifier{kind, value}, Signal: signal, At: testTime}
		if placement != "" {
			q.Placements = []string{placement, placement}
		}
		if collection != "" {
			q.Collections = []CollectionRef{{owner, collection}, {owner, collection}}
		}
		once, err := q.Canonical()
		if err != nil {
			var bad *QuestionError
			if !errors.As(err, &bad) || bad.Field == "" || bad.Problem == "" || bad.Hint == "" || strings.ContainsAny(err.Error(), "\n\r\x1b") {
				t.Fatalf("%q is no use to anybody: %+v", err, bad)
			}
			return
		}
		twice, err := once.Canonical()
		if err != nil {
			t.Fatalf("%+v is refused: %v", once, err)
		}
		if once.Publisher != twice.Publisher || once.Agent != twice.Agent || once.Country != twice.Country || once.Identifier != twice.Identifier ||
			!slices.Equal(once.Placements, twice.Placements) || !slices.Equal(once.Collections, twice.Collections) {
			t.Fatalf("%+v becomes %+v", once, twice)
		}
		if len(once.Placements) > 1 || len(once.Collections) > 1 {
			t.Fatalf("%+v repeats itself", once)
		}
	})
}
