package projection_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/resolve"
)

// TestCollections checks what events say about entries that are limited to collections: all of a
// publisher are named without ids, as in the file.
func TestCollections(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ entries, want string }{
		"some":          {`{"publisher_domain":"a.example","collection_ids":["1","2"]}`, `"collections":[{"publisher_domain":"a.example","collection_ids":["1","2"]}]`},
		"all":           {`{"publisher_domain":"a.example"}`, `"collections":[{"publisher_domain":"a.example"}]`},
		"all and some":  {`{"publisher_domain":"a.example"},{"publisher_domain":"b.example","collection_ids":["1"]}`, `"collections":[{"publisher_domain":"a.example"},{"publisher_domain":"b.example","collection_ids":["1"]}]`},
		"all after one": {`{"publisher_domain":"a.example","collection_ids":["1"]},{"publisher_domain":"a.example"}`, `"collections":[{"publisher_domain":"a.example","collection_ids":["1"]},{"publisher_domain":"a.example"}]`},
		"no limit":      {``, ``},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit := ""
			if c.entries != "" {
				limit = `,"collections":[` + c.entries + `]`
			}
			file, err := adagents.Parse(fmt.Appendf(nil, `{
				"properties":[{"property_id":"site","property_type":"website","name":"Site","identifiers":[{"type":"domain","value":"pub.example"}]}],
				"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"all","authorization_type":"property_ids","property_ids":["site"]%s}]}`, limit))
			if err != nil {
				t.Fatal(err)
			}
			in := projection.Input{
				Domain: "pub.example", At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Location: custody.Location{Method: custody.Direct},
				Document: &resolve.Document{Publisher: "pub.example", State: resolve.Usable, File: file},
			}
			payloads, err := in.Payloads()
			if err != nil {
				t.Fatal(err)
			}
			if len(payloads) != 1 {
				t.Fatalf("%d payloads, want one", len(payloads))
			}
			got := string(payloads[0])
			if c.want == "" && strings.Contains(got, "collections") || !strings.Contains(got, c.want) {
				t.Errorf("the event is %s, which should have %s", got, c.want)
			}
		})
	}
}

// TestEndsSoon: two weeks before an entry or a key ends, the feed says so.
func TestEndsSoon(t *testing.T) {
	t.Parallel()
	const end = "2026-03-31T12:00:00Z"
	begin, until := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct{ member, last string }{
		"an entry": {`"effective_until":"` + end + `"`, projection.Revoked},
		"a key":    {`"signing_keys":[{"kid":"k0","kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","revoked_at":"` + end + `"}]`, projection.Modified},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, err := adagents.Parse(fmt.Appendf(nil, `{
				"properties":[{"property_id":"site","property_type":"website","name":"Site","identifiers":[{"type":"domain","value":"pub.example"}]}],
				"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"all","authorization_type":"property_ids","property_ids":["site"],%s}]}`, c.member))
			if err != nil {
				t.Fatal(err)
			}
			in := projection.Input{
				Domain: "pub.example", At: begin, Location: custody.Location{Method: custody.Direct},
				Document: &resolve.Document{Publisher: "pub.example", State: resolve.Usable, File: file},
			}
			var live []projection.Event
			numbers := int64(0)
			for _, step := range []struct {
				kind string
				soon bool
				next time.Time
			}{{projection.Granted, false, until.Add(-custody.UsualLead)}, {projection.Modified, true, until}, {c.last, false, time.Time{}}} {
				change, err := projection.Make(&in, live)
				if err != nil {
					t.Fatal(err)
				}
				live = slices.DeleteFunc(live, func(e projection.Event) bool { return slices.Contains(change.Retire, e.Number) })
				var told []string
				for _, e := range change.Events {
					numbers++
					e.Number = numbers
					if e.Live {
						live = append(live, e)
					}
					if e.Kind() == "authorization" {
						told = append(told, fmt.Sprint(e.Type, strings.Contains(string(e.Payload), `"ends_soon":"2026-03-31T12:00:00`)))
					}
				}
				if want := []string{fmt.Sprint(step.kind, step.soon)}; !slices.Equal(told, want) || !change.Next.Equal(step.next) {
					t.Errorf("at %s: %q, want %q; next %s, want %s", in.At, told, want, change.Next, step.next)
				}
				in.At = change.Next.Add(time.Microsecond) // both ends of a window are included
			}
		})
	}
}
