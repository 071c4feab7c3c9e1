package storetest

import (
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
)

// filledChange is what FillCustody stores beside the clock.
func filledChange() *custodian.Change {
	p := publisher("a.example")
	p.Listed, p.Reported = hashOf("body"), "utold"
	return &custodian.Change{
		Publisher: p, Index: &custodian.Index{At: day0, Identifiers: filledIdentifiers, Directory: filledDirectory()},
		Turn: day0.AddDate(0, 0, 7), Files: []*custody.File{file(fileURL)},
		Documents: [][]byte{[]byte("body"), []byte("pointer of a.example")},
		Versions: []custody.Version{{URL: fileURL, Hash: hashOf("body"), AdoptedAt: day0, LastUpdated: day0,
			CatalogETag: "etag", Bytes: 4}},
		Places: []custody.Place{{
			Domain: "a.example", Location: publisher("a.example").Location, Absent: true, AdoptedAt: day0,
			Pointer: hashOf("pointer of a.example"),
		}},
		Events: []custody.Event{event("e", custody.Alert, "a.example", fileURL), event("f", custody.Info, "", "")},
	}
}

// filledIdentifiers are those of filledChange.
var filledIdentifiers = []custodian.Identifier{{Type: "domain", Value: "a.example"},
	{Type: "ios_bundle", Value: "com.a.example"}}

// FillCustody stores a record of every kind, for CheckCustody.
func FillCustody(t *testing.T, s custodian.Store) {
	t.Helper()
	commit(t, s, filledChange())
	want(t, got[time.Time](t)(s.Clock(t.Context(), day0)), day0)
}

// CheckCustody looks for what FillCustody stored, without changing anything.
func CheckCustody(t *testing.T, s custodian.Store) {
	t.Helper()
	ctx, c := t.Context(), filledChange()
	want(t, got[*custody.Publisher](t)(s.Publisher(ctx, "a.example")), revised(c.Publisher, 1))
	want(t, got[*custody.File](t)(s.File(ctx, fileURL)), revisedFile(c.Files[0], 1))
	want(t, string(got[[]byte](t)(s.Document(ctx, hashOf("body")))), "body")
	want(t, got[[]custody.Version](t)(s.Versions(ctx, fileURL, day0, 9)), c.Versions)
	want(t, got[[]custody.Place](t)(s.Places(ctx, "a.example", day0, 9)), c.Places)
	var events []custody.Event
	for _, e := range got[[]custody.NumberedEvent](t)(s.Events(ctx, custodian.EventFilter{}, 0, 9)) {
		events = append(events, e.Event)
	}
	want(t, events, c.Events)
	want(t, got[[]custody.Revocation](t)(s.Revocations(ctx, fileURL, "")), c.Files[0].Revocations)
	CheckIdentifiers(t, s)
	want(t, len(got[[]custody.Hold](t)(s.Holds(ctx, 9))), 2)
	want(t, len(got[[]custodian.Task](t)(s.Due(ctx, day0.AddDate(1, 0, 0), 9))), 2)
	want(t, got[time.Time](t)(s.Clock(ctx, day0)), day0)
}

// CheckIdentifiers looks who is found by the identifiers that FillCustody stored.
func CheckIdentifiers(t *testing.T, s custodian.Store) {
	t.Helper()
	for _, id := range filledIdentifiers {
		want(t, listedBy(t, s, id, 9), []string{"a.example"})
	}
}

// CheckNext makes one more event and looks that its number is greater than all others, as
// it has to be in a store that was moved, too.
func CheckNext(t *testing.T, s custodian.Store) {
	t.Helper()
	before := got[[]custody.NumberedEvent](t)(s.Events(t.Context(), custodian.EventFilter{}, 0, 1<<20))
	commit(t, s, &custodian.Change{Events: []custody.Event{event("next", custody.Info, "", "")}})
	after := got[[]custody.NumberedEvent](t)(s.Events(t.Context(), custodian.EventFilter{}, before[len(before)-1].ID, 9))
	want(t, len(after), 1)
	want(t, after[0].Code, "next")
}

// fileURL is where most files of the tests are.
const fileURL = "https://cdn.example/adagents.json"

// hashOf is the hash of a document as records have it.
func hashOf(body string) string { return string(registry.HashOf([]byte(body))) }

// publisher is a record with something in every member.
func publisher(domain string) *custody.Publisher {
	at := func(h int) time.Time { return day0.Add(time.Duration(h) * time.Hour) }
	return &custody.Publisher{
		Domain:    custody.Domain(domain),
		Location:  custody.Location{Method: custody.ManagerDomain, URL: fileURL, Manager: "manager.example"},
		Absent:    true,
		FirstSeen: at(1), AdoptedAt: at(2), ConfirmedAt: at(3), WholeAt: at(4), FreshUntil: at(5),
		Headers: custody.Headers{CacheControl: []string{"max-age=60", "private"}, Age: "1", Date: "d", Expires: "e",
			ETag: `"x"`, LastModified: "l"},
		Hash: hashOf("pointer of " + domain), TriedAt: at(6), FailingSince: at(7), Trouble: "it does not answer",
		Cause: custody.CauseSilence, Closed: custody.Denied,
		HighWater: at(8), Agents: []string{"https://a.example", "https://b.example"},
		Move: &custody.Move{
			To: custody.Location{Method: custody.Direct, URL: "https://" + domain + "/x"}, Since: at(9), LastSeen: at(10),
			Signs: []custody.Sign{custody.SignBrand, custody.SignNewAgent}, Rejected: true,
		},
		Reply: custody.Reply{
			Status: 200, Bytes: 123_456_789_012,
			Place: custody.Location{Method: "pointer", URL: fileURL, Manager: "manager.example"},
		},
	}
}

// file is a record with something in every member.
func file(url string) *custody.File {
	at := func(h int) time.Time { return day0.Add(time.Duration(h) * time.Hour) }
	return &custody.File{
		URL: url, Hash: hashOf("body"), Bytes: 4, LastUpdated: at(-5), CatalogETag: "etag", AdoptedAt: at(1),
		FirstSeen: at(2),
		HighWater: at(3), ConfirmedAt: at(4), WholeAt: at(5), FreshUntil: at(6), KeysUntil: at(7),
		Headers: custody.Headers{ETag: `W/"1"`}, TriedAt: at(8), FailingSince: at(9), Trouble: "timeout",
		Cause: custody.CauseSilence, Closed: custody.Gone,
		Refused: &custody.Refusal{Hash: hashOf("old"), LastUpdated: at(-9), Code: "file.rollback", Since: at(10),
			Confirmed: true},
		Overflow: true,
		Revocations: []custody.Revocation{
			{Domain: "a.example", First: at(1)},
			{Domain: "b.example", First: at(1), Stated: at(-1), Delisted: at(2)},
		},
	}
}

// event is one with something in every member.
func event(code string, severity custody.Severity, publisher, url string) custody.Event {
	return custody.Event{
		Code: code, Severity: severity, At: day0, Publisher: publisher, URL: url, Domain: "revoked.example", Before: "x",
		After: "y",
		Changes: []custody.Change{{Code: "agent.added", Severity: custody.Alert, Subject: "https://agent.example",
			Before: "1", After: "2", Pointer: "/a/0", Message: "m"}},
		More: 7, Message: "something happened",
	}
}

// commit makes a change that has to succeed.
func commit(t *testing.T, s custodian.Store, c *custodian.Change) {
	t.Helper()
	ok(t, s.Commit(t.Context(), c))
}

// revised is a record as it comes back.
func revised(p *custody.Publisher, revision int64) *custody.Publisher {
	c := *p
	c.Revision = revision
	return &c
}

// revisedFile is a record as it comes back.
func revisedFile(f *custody.File, revision int64) *custody.File {
	c := *f
	c.Revision = revision
	return &c
}

// listedBy are the publishers that list an identifier now.
func listedBy(t *testing.T, s custodian.Store, id custodian.Identifier, limit int) []string {
	t.Helper()
	var all []string
	for _, v := range got[[]custodian.Listing](t)(s.Claims(t.Context(), id, day0.AddDate(100, 0, 0), limit)) {
		all = append(all, string(v.Publisher))
	}
	return all
}
