package storetest

import (
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
)

// filledChange is what FillCustody stores beside the clock.
func filledChange() *custodian.Change {
	p := publisher("a.example")
	p.Listed, p.Told = hashOf("body"), "utold"
	return &custodian.Change{
		Publisher: p, Index: &custodian.Index{At: day0, Identifiers: filledIdentifiers, Directory: filledDirectory()}, Turn: day0.AddDate(0, 0, 7), Files: []*custody.File{file(fileURL)}, Documents: [][]byte{[]byte("body"), []byte("pointer of a.example")},
		Versions: []custody.Version{{URL: fileURL, Hash: hashOf("body"), AdoptedAt: day0, LastUpdated: day0, CatalogETag: "etag", Bytes: 4}},
		Places: []custody.Place{{
			Domain: "a.example", Location: publisher("a.example").Location, Absent: true, AdoptedAt: day0, Pointer: hashOf("pointer of a.example"),
		}},
		Events: []custody.Event{event("e", custody.Alert, "a.example", fileURL), event("f", custody.Info, "", "")},
	}
}

// filledIdentifiers are those of filledChange.
var filledIdentifiers = []custodian.Identifier{{Type: "domain", Value: "a.example"}, {Type: "ios_bundle", Value: "com.a.example"}}

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
