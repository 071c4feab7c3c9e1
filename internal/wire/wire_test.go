package wire_test

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// secretURL has credentials that no object may repeat, and secretText is a message with it.
const (
	secretURL  = "https://user:hush@example.com/adagents.json"
	secretText = "could not read " + secretURL
)

var moment = time.Date(2026, 1, 2, 4, 4, 5, 6, time.FixedZone("", 3600))

func objects() map[string]any {
	location := custody.Location{Method: custody.Direct, URL: secretURL}
	exchange := fetch.Exchange{URL: secretURL, Location: secretURL, Detail: secretText, At: moment}
	way := &discover.Discovery{URL: secretURL, ResolvedURL: secretURL, SupersededBy: secretURL, Trail: []discover.Hop{{URL: secretURL, Meaning: secretText, Next: secretText}}}
	comparison := &operator.Comparison{
		Statement: &operator.Statement{URL: secretURL, Detail: secretText, Notes: []string{secretText}},
		Paths:     []operator.Path{{Relationship: secretText, Message: secretText}},
	}
	change := custody.Change{Subject: secretURL, Before: secretURL, After: secretURL, Message: secretText}
	return map[string]any{
		"reasons":   answer.ReasonsOf([]resolve.Reason{{URL: secretURL, Message: secretText}}),
		"evidence":  answer.EvidenceOf([]resolve.Evidence{{URL: secretURL}}),
		"grant":     answer.GrantsOf([]resolve.Grant{{URL: secretURL, AuthorizedFor: secretText, Properties: []resolve.Covered{{URL: secretURL}}}}, 0),
		"skipped":   answer.SkippedOf([]resolve.Skipped{{URL: secretURL, Entries: []adagents.Skip{{Reason: secretText}}}}),
		"discovery": wire.DiscoveryOf(way, moment),
		"exchange":  wire.ExchangeOf(&exchange),
		"agent":     wire.AgentOf(&discover.AgentCheck{URL: secretURL, Message: secretText, Hint: secretText, Exchanges: []fetch.Exchange{exchange}}, comparison),
		"changes":   wire.ChangesOf([]custody.Change{change}),
		"event": wire.API.Event(&custody.NumberedEvent{Event: custody.Event{
			URL: secretURL, Before: secretURL, After: secretURL, Message: secretText, Changes: []custody.Change{change},
		}}),
		"version":  wire.API.Version(&custody.Version{URL: secretURL, AdoptedAt: moment}),
		"location": wire.API.Location(location),
		"move":     wire.CLI.Move(&custody.Publisher{Move: &custody.Move{To: location, Since: moment}}),
	}
}

// TestSecretsAreLeftOut gives every object values with a password in them.
func TestSecretsAreLeftOut(t *testing.T) {
	t.Parallel()
	for name, v := range objects() {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), "hush") || !strings.Contains(string(b), "example.com/adagents.json") {
			t.Errorf("%s: %s", name, b)
		}
	}
}

// TestEmptyLists holds empty lists to [], which programs can go through, and what does not
// exist to null.
func TestEmptyLists(t *testing.T) {
	t.Parallel()
	for want, list := range map[string][]any{
		`[]`:   {answer.ReasonsOf(nil), answer.EvidenceOf(nil), wire.Texts(nil), answer.SkipsOf(nil), answer.SkippedOf(nil), wire.ChangesOf(nil), wire.NotNil(nil)},
		`null`: {wire.OptionalTime(time.Time{}), answer.OperatorOf(nil), wire.DiscoveryOf(nil, moment), wire.CLI.Location(custody.Location{}), wire.CLI.Move(&custody.Publisher{}), wire.CLI.Refusal(&custody.File{}), wire.API.Version(nil)},
	} {
		for i, x := range list {
			b, err := json.Marshal(x)
			if err != nil || string(b) != want {
				t.Errorf("%d: %s, want %s, %v", i, b, want, err)
			}
		}
	}
}

// TestTime writes moments in UTC and to the second.
func TestTime(t *testing.T) {
	t.Parallel()
	if got := wire.Time(moment); got != "2026-01-02T03:04:05Z" || *wire.OptionalTime(moment) != got {
		t.Errorf("got %s", got)
	}
}

// TestForms: commands write empty members, the API leaves them out and is as precise as
// milliseconds.
func TestForms(t *testing.T) {
	t.Parallel()
	evidence := []resolve.Evidence{{FetchedAt: moment.Add(7 * time.Millisecond)}, {}}
	for want, v := range map[string]any{
		`[{"publisher":"","role":"","state":"unreachable","method":"","url":"","sha256":"","fetched_at":"2026-01-02T03:04:05.007Z"},{"publisher":"","role":"","state":"unreachable","method":"","url":"","sha256":"","fetched_at":""}]`: answer.EvidenceOf(evidence),
		`{"method":"direct","url":"https://a.example/","manager":"m"}`:                      wire.CLI.Location(custody.Location{Method: custody.Direct, URL: "https://a.example/", Manager: "m"}),
		`{"method":"direct","url":"https://a.example/","manager":"m","manager_domain":"m"}`: wire.API.Location(custody.Location{Method: custody.Direct, URL: "https://a.example/", Manager: "m"}),
	} {
		b, err := json.Marshal(v)
		if err != nil || string(b) != want {
			t.Errorf("got %s, want %s, %v", b, want, err)
		}
	}
}
