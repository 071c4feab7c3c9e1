package storetest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/store/records"
)

// testRetention tests what a store keeps and removes.
func testRetention(t *testing.T, open func(t *testing.T) *records.Store) {
	for name, test := range retentionTests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			test(t, s)
			problems, err := s.Check(t.Context())
			if err != nil || len(problems) > 0 {
				t.Errorf("the store is not in order: %v, %v", problems, err)
			}
		})
	}
}

var retentionTests = map[string]func(*testing.T, *records.Store){
	"guests go after a while":              guestsGo,
	"the feed forgets guests":              feedForgets,
	"guests are charged":                   guestsAreCharged,
	"what protects somebody stays":         protectionStays,
	"a guest that is asked for stays":      guestStays,
	"a guest that becomes known stays":     guestBecomesKnown,
	"a site has its share":                 siteShare,
	"all guests have their share":          guestsShare,
	"guests without a file are forgotten":  namesGo,
	"guests nobody asks for are forgotten": sleepersGo,
	"what waits for a decision has bytes":  refusedStay,
	"what is stored again stays":           storedAgain,
	"guests have a short history":          guestHistory,
	"guests are not due":                   guestsNotDue,
	"history goes after a while":           historyGoes,
	"documents of others stay":             othersStay,
	"a dry run changes nothing":            dryRun,
	"what was removed can come back":       comesBack,
}

// own is the URL of a publisher's own file.
func own(domain string) string { return "https://" + domain + "/.well-known/adagents.json" }

// seen commits the sight of a publisher with a file of its own. Revision is that of both
// records before.
func seen(t *testing.T, s *records.Store, who custodian.Asker, domain, body string, at time.Time, revision int64) {
	t.Helper()
	p := &custody.Publisher{
		Domain: custody.Domain(domain), Location: custody.Location{Method: custody.Direct, URL: own(domain)}, FirstSeen: at, AdoptedAt: at, ConfirmedAt: at, WholeAt: at,
		FreshUntil: at.Add(time.Hour), TriedAt: at, HighWater: at, Hash: hashOf(body), Listed: hashOf(body), Revision: revision,
	}
	f := &custody.File{
		URL: own(domain), Hash: hashOf(body), Bytes: int64(len(body)), FirstSeen: at, AdoptedAt: at, ConfirmedAt: at, WholeAt: at,
		FreshUntil: at.Add(time.Hour), TriedAt: at, HighWater: at, Revision: revision,
	}
	commit(t, s.Custody(), &custodian.Change{
		Publisher: p, Files: []*custody.File{f}, Documents: [][]byte{[]byte(body)}, Asker: who,
		Index:    &custodian.Index{At: at, Identifiers: []custodian.Identifier{{Type: "domain", Value: domain}}},
		Versions: []custody.Version{{URL: f.URL, Hash: f.Hash, AdoptedAt: at, Bytes: f.Bytes}},
		Events:   []custody.Event{{Code: "file.changed", At: at, URL: f.URL}, {Code: "publisher.located", At: at, Publisher: domain}},
	})
}

// listedCost is what the identifier of a guest that was seen counts for.
const listedCost = 200

// limits are small enough for a test.
var limits = retain.Limits{History: 30 * 24 * time.Hour, Guests: 72 * time.Hour, Budget: 1 << 30}

// prune removes what may go at a time.
func prune(t *testing.T, s *records.Store, l retain.Limits, now time.Time) *retain.Pruned {
	t.Helper()
	p := got[*retain.Pruned](t)(s.Prune(t.Context(), retain.Options{Limits: l, Now: now, Sweep: true}))
	if _, known := p.Tables["property_types"]; !known || p.Tables["custody_store"] != 1 {
		t.Errorf("rows: %v", p.Tables)
	}
	return p
}

// has reports whether the bytes of a body are kept.
func has(t *testing.T, s *records.Store, body string) bool {
	t.Helper()
	have, err := s.Document(t.Context(), registry.Hash(hashOf(body)))
	if err != nil {
		wantErr(t, err, registry.ErrNotFound)
		return false
	}
	want(t, string(have), body)
	return true
}

func guestsGo(t *testing.T, s *records.Store) {
	seen(t, s, custodian.Known, "known.example", "known", day0, 0)
	seen(t, s, custodian.Stranger, "guest.example", "guest", day0, 0)
	want(t, got[retain.Usage](t)(s.Usage(t.Context())).Guests, retain.Share{Names: 1, Bytes: 5 + listedCost})
	r := prune(t, s, limits, day0.Add(72*time.Hour))
	want(t, r.Guests, retain.Removal{})
	r = prune(t, s, limits, day0.Add(72*time.Hour+time.Second))
	want(t, r.Guests, retain.Removal{Rows: 1, Bytes: 5 + listedCost})
	want(t, has(t, s, "known"), true)
	want(t, has(t, s, "guest"), false)
	want(t, len(listedBy(t, s.Custody(), custodian.Identifier{Type: "domain", Value: "guest.example"}, 9)), 0)
	want(t, listedBy(t, s.Custody(), custodian.Identifier{Type: "domain", Value: "known.example"}, 9), []string{"known.example"})
	f := got[*custody.File](t)(s.Custody().File(t.Context(), own("guest.example")))
	want(t, f.HighWater, day0)
	want(t, f.Standing(custody.Moment{Early: day0, Late: day0}), custody.Expired)
	p := got[*custody.Publisher](t)(s.Custody().Publisher(t.Context(), "guest.example"))
	want(t, p.HighWater, day0)
	want(t, p.Listed, "") // so that it is found again when it is back
	want(t, got[retain.Usage](t)(s.Usage(t.Context())).Guests, retain.Share{Names: 1})
	want(t, prune(t, s, limits, day0.Add(100*24*time.Hour)).Guests, retain.Removal{})
}

// told commits that a publisher lets an agent sell something, with an entity for each.
func told(t *testing.T, s *records.Store, who custodian.Asker, domain string, at time.Time, revision int64, change *projection.Change) {
	t.Helper()
	change.Domain, change.At = custody.Domain(domain), at
	for i := range change.Events {
		e := &change.Events[i]
		e.Publisher, e.Agent, e.Payload = domain, projection.AgentName(filledAgent), []byte(`{"id":"`+e.Entity+`"}`)
	}
	body := fmt.Sprint("body ", revision, " of ", domain)
	p := &custody.Publisher{Domain: custody.Domain(domain), Location: custody.Location{Method: custody.Direct, URL: own(domain)}, TriedAt: at, Hash: hashOf(body), Revision: revision}
	f := &custody.File{URL: own(domain), Hash: hashOf(body), Bytes: int64(len(body)), AdoptedAt: at, WholeAt: at, TriedAt: at, HighWater: at, Revision: revision}
	commit(t, s.Custody(), &custodian.Change{
		Publisher: p, Files: []*custody.File{f}, Documents: [][]byte{[]byte(body)}, Asker: who, Index: &custodian.Index{At: at, Directory: change},
		Versions: []custody.Version{{URL: f.URL, Hash: f.Hash, AdoptedAt: at, Bytes: f.Bytes}},
	})
}

// granted is an event about something that holds, and ended one about its end.
func granted(entity string) projection.Event {
	return projection.Event{Type: projection.Granted, Entity: entity, Live: true, Digest: []byte("0123456789abcdef")}
}

func ended(entity string) projection.Event {
	return projection.Event{Type: projection.Revoked, Entity: entity}
}

func feedForgets(t *testing.T, s *records.Store) {
	about := func(domain string) []string {
		var out []string
		for _, e := range got[[]projection.Event](t)(s.Feed().Changes(t.Context(), 0, time.Time{}, 99)) {
			if e.Publisher == domain {
				out = append(out, e.Type+" "+e.Entity)
			}
		}
		return out
	}
	flaps := func(who custodian.Asker, domain string) {
		told(t, s, who, domain, day0, 0, &projection.Change{Events: []projection.Event{granted("one"), granted("two")}})
		for i := range 3 {
			live := got[map[custody.Domain][]projection.Event](t)(s.Custody().Reported(t.Context(), []custody.Domain{custody.Domain(domain)}))[custody.Domain(domain)]
			at := day0.Add(time.Duration(i) * time.Minute)
			told(t, s, who, domain, at, int64(2*i+1), &projection.Change{Events: []projection.Event{ended("two")}, Retire: []int64{live[1].Number}})
			told(t, s, who, domain, at, int64(2*i+2), &projection.Change{Events: []projection.Event{granted("two")}})
		}
	}
	flaps(custodian.Stranger, "guest.example")
	flaps(custodian.Known, "known.example")
	want(t, about("guest.example"), []string{projection.Granted + " one", projection.Granted + " two"})
	if n := got[retain.Usage](t)(s.Usage(t.Context())).Guests.Bytes; n < 2*400 { // its file is tiny
		t.Errorf("events of a guest are not charged to it: %d bytes", n)
	}
	known := about("known.example")
	want(t, len(known), 8)
	// What it let agents sell goes with its file, and that this has ended some days later.
	gone := day0.Add(73 * time.Hour)
	prune(t, s, limits, gone)
	want(t, about("guest.example"), []string{projection.Revoked + " one", projection.Revoked + " two"})
	u := got[retain.Usage](t)(s.Usage(t.Context()))
	if u.Guests.Bytes != u.Protected || u.Protected == 0 {
		t.Errorf("%+v", u)
	}
	prune(t, s, limits, gone.Add(7*24*time.Hour-time.Hour))
	want(t, len(about("guest.example")), 2)
	prune(t, s, limits, gone.Add(7*24*time.Hour+time.Hour))
	want(t, len(about("guest.example")), 0)
	want(t, got[retain.Usage](t)(s.Usage(t.Context())).Guests.Bytes, int64(0))
	want(t, about("known.example"), known)
}

func guestsAreCharged(t *testing.T, s *records.Store) {
	var asked []retain.Charge
	room, made := true, 0
	change := func(who custodian.Asker, domain string, revision int64) error {
		body := fmt.Sprint(domain, " ", revision)
		p := &custody.Publisher{Domain: custody.Domain(domain), Location: custody.Location{Method: custody.Direct, URL: own(domain)}, TriedAt: day0, Revision: revision}
		f := &custody.File{URL: own(domain), Hash: hashOf(body), Bytes: int64(len(body)), AdoptedAt: day0, WholeAt: day0, TriedAt: day0, Revision: revision}
		asked = nil
		return s.Custody().Commit(t.Context(), &custodian.Change{
			Publisher: p, Files: []*custody.File{f}, Documents: [][]byte{[]byte(body)}, Asker: who,
			Versions: []custody.Version{{URL: f.URL, Hash: f.Hash, AdoptedAt: day0, Bytes: f.Bytes}},
			Charge: func(_ context.Context, charges []retain.Charge) (func(), bool) {
				asked = charges
				return func() { made++ }, room
			},
		})
	}
	charge := func(names, bytes int64) []retain.Charge {
		return []retain.Charge{{Site: "site.example", Share: retain.Share{Bytes: bytes}}, {Site: "site.example", Share: retain.Share{Names: names}}}
	}
	ok(t, change(custodian.Stranger, "a.site.example", 0))
	want(t, asked, charge(1, 16))
	ok(t, change(custodian.Stranger, "a.site.example", 1))
	want(t, asked, charge(0, 16)) // every version counts
	ok(t, change(custodian.Scheduled, "a.site.example", 2))
	want(t, asked, charge(0, 16))
	want(t, made, 3)
	room = false
	wantErr(t, change(custodian.Stranger, "a.site.example", 3), custodian.ErrNotAdmitted)
	want(t, has(t, s, "a.site.example 3"), false)
	wantErr(t, change(custodian.Stranger, "b.site.example", 0), custodian.ErrNotAdmitted)
	ok(t, change(custodian.Known, "a.site.example", 3))
	want(t, len(asked), 0)
	ok(t, change(custodian.Stranger, "a.site.example", 4)) // it is known now
	want(t, len(asked), 0)
}

func protectionStays(t *testing.T, s *records.Store) {
	c := filledChange()
	c.Asker = custodian.Stranger
	commit(t, s.Custody(), c)
	r := prune(t, s, retain.Limits{Budget: 1}, day0.Add(400*24*time.Hour))
	want(t, r.Guests.Rows, int64(1))
	want(t, has(t, s, "body"), false)
	f := got[*custody.File](t)(s.Custody().File(t.Context(), fileURL))
	want(t, f.Revocations, c.Files[0].Revocations)
	want(t, f.HighWater, c.Files[0].HighWater)
	want(t, f.Overflow, true)
	want(t, f.Refused.Hash, hashOf("old"))
	want(t, got[[]custody.Revocation](t)(s.Custody().Revocations(t.Context(), fileURL, "")), c.Files[0].Revocations)
	p := got[*custody.Publisher](t)(s.Custody().Publisher(t.Context(), "a.example"))
	c.Publisher.Listed = ""
	want(t, revised(p, 0), c.Publisher)
	want(t, len(got[[]custody.Hold](t)(s.Custody().Holds(t.Context(), 9))), 2)
}

func guestStays(t *testing.T, s *records.Store) {
	seen(t, s, custodian.Stranger, "guest.example", "one", day0, 0)
	seen(t, s, custodian.Stranger, "guest.example", "two", day0.Add(48*time.Hour), 1)
	prune(t, s, limits, day0.Add(96*time.Hour))
	want(t, has(t, s, "two"), true)
	seen(t, s, custodian.Scheduled, "guest.example", "three", day0.Add(100*time.Hour), 2)
	prune(t, s, limits, day0.Add(121*time.Hour))
	want(t, has(t, s, "three"), false)
}

func guestBecomesKnown(t *testing.T, s *records.Store) {
	seen(t, s, custodian.Stranger, "guest.example", "one", day0, 0)
	seen(t, s, custodian.Known, "guest.example", "two", day0, 1)
	seen(t, s, custodian.Stranger, "guest.example", "three", day0, 2)
	seen(t, s, custodian.Scheduled, "guest.example", "four", day0, 3)
	// A file of a guest that a known publisher leads to is no guest either.
	seen(t, s, custodian.Stranger, "cdn.example", "shared", day0, 0)
	commit(t, s.Custody(), &custodian.Change{Publisher: &custody.Publisher{
		Domain: "known.example", Location: custody.Location{Method: custody.AuthoritativeLocation, URL: own("cdn.example")}, TriedAt: day0,
	}})
	prune(t, s, limits, day0.Add(20*24*time.Hour))
	for _, body := range []string{"one", "two", "three", "four", "shared"} {
		want(t, has(t, s, body), true)
	}
	want(t, got[retain.Usage](t)(s.Usage(t.Context())).Guests.Bytes, int64(0))
}

// large is a body of some bytes that does not get smaller by packing much.
func large(seed, size int) string {
	var b strings.Builder
	for x := uint64(seed)*2654435761 + 1; b.Len() < size; x = x*6364136223846793005 + 1442695040888963407 {
		fmt.Fprintf(&b, "%08x", uint32(x>>32))
	}
	return b.String()[:size]
}

func siteShare(t *testing.T, s *records.Store) {
	const size = 10_000
	l := limits
	l.Budget = 640 * 5 * (size + listedCost) // five bodies of a site
	seen(t, s, custodian.Stranger, "other.example", large(1000, size), day0, 0)
	for i := range 20 {
		seen(t, s, custodian.Stranger, fmt.Sprintf("h%d.site.example.com", i), large(i, size), day0.Add(time.Duration(i)*time.Minute), 0)
	}
	want(t, got[retain.Share](t)(s.GuestsOf(t.Context(), "example.com")), retain.Share{Names: 20, Bytes: 20 * (size + listedCost)})
	r := prune(t, s, l, day0.Add(time.Hour))
	want(t, r.Guests, retain.Removal{Rows: 15, Bytes: 15 * (size + listedCost)})
	for i := range 20 {
		want(t, has(t, s, large(i, size)), i >= 15)
	}
	want(t, has(t, s, large(1000, size)), true)
	want(t, got[retain.Share](t)(s.GuestsOf(t.Context(), "example.com")), retain.Share{Names: 20, Bytes: 5 * (size + listedCost)})
}

func guestsShare(t *testing.T, s *records.Store) {
	const size = 10_000
	l := limits
	l.Budget = 4 * 10 * size // ten bodies of all guests, or fewer of one site
	for i := range 20 {
		seen(t, s, custodian.Stranger, fmt.Sprintf("h%d.example", i), large(i, size/20), day0.Add(time.Duration(i)*time.Minute), 0)
	}
	seen(t, s, custodian.Known, "known.example", large(99, 30*size), day0, 0)
	l.Budget = 4 * size / 2 // a half of what there is
	r := prune(t, s, l, day0.Add(time.Hour))
	if r.Guests.Rows < 10 {
		t.Errorf("removed %+v", r.Guests)
	}
	want(t, has(t, s, large(0, size/20)), false)
	want(t, has(t, s, large(99, 30*size)), true)
}

func namesGo(t *testing.T, s *records.Store) {
	tried := func(domain string, who custodian.Asker, change func(*custody.Publisher)) {
		p := &custody.Publisher{Domain: custody.Domain(domain), TriedAt: day0}
		change(p)
		commit(t, s.Custody(), &custodian.Change{Publisher: p, Asker: who, Events: []custody.Event{{Code: "publisher.failing", At: day0, Publisher: domain}}})
	}
	nothing := func(*custody.Publisher) {}
	tried("guest.example", custodian.Stranger, nothing)
	tried("known.example", custodian.Known, nothing)
	tried("dated.example", custodian.Stranger, func(p *custody.Publisher) { p.HighWater = day0 })
	tried("moving.example", custodian.Stranger, func(p *custody.Publisher) { p.Move = &custody.Move{} })
	tried("rejected.example", custodian.Stranger, func(p *custody.Publisher) { p.Rejected = []string{"https://x.example/"} })
	want(t, prune(t, s, limits, day0.Add(80*time.Hour)).Names.Rows, int64(1))
	for domain, stays := range map[string]bool{
		"guest.example": false, "known.example": true, "dated.example": true, "moving.example": true, "rejected.example": true,
	} {
		want(t, got[bool](t)(s.Custody().Known(t.Context(), custody.Domain(domain), "")), stays)
	}
}

func guestHistory(t *testing.T, s *records.Store) {
	for i := range 50 {
		at := day0.Add(time.Duration(i) * time.Minute)
		seen(t, s, custodian.Stranger, "guest.example", fmt.Sprint("guest ", i), at, int64(i))
		seen(t, s, custodian.Known, "known.example", fmt.Sprint("known ", i), at, int64(i))
	}
	want(t, len(got[[]custody.Version](t)(s.Custody().Versions(t.Context(), own("guest.example"), time.Time{}, 99))), 2)
	want(t, len(got[[]custody.Version](t)(s.Custody().Versions(t.Context(), own("known.example"), time.Time{}, 99))), 50)
	for _, f := range []custodian.EventFilter{{Publisher: "guest.example"}, {URL: own("guest.example")}} {
		want(t, len(got[[]custody.NumberedEvent](t)(s.Custody().Events(t.Context(), f, 0, 99))), 21)
	}
	want(t, has(t, s, "guest 47"), false)
	want(t, has(t, s, "guest 48"), true)
	want(t, has(t, s, "known 0"), true)
}

func guestsNotDue(t *testing.T, s *records.Store) {
	seen(t, s, custodian.Stranger, "guest.example", "one", day0, 0)
	seen(t, s, custodian.Stranger, "guest.example", "two", day0, 1)
	far := day0.AddDate(1, 0, 0)
	want(t, len(got[[]custodian.Task](t)(s.Custody().Due(t.Context(), far, 9))), 0)
	seen(t, s, custodian.Known, "guest.example", "three", day0, 2)
	want(t, len(got[[]custodian.Task](t)(s.Custody().Due(t.Context(), far, 9))), 1)
}

// hourly has known.example change every hour for some days.
func hourly(t *testing.T, s *records.Store, days int) {
	t.Helper()
	for i := range 24 * days {
		seen(t, s, custodian.Known, "known.example", fmt.Sprint("known.example", i), day0.Add(time.Duration(i)*time.Hour), int64(i))
	}
}

func historyGoes(t *testing.T, s *records.Store) {
	l := limits
	l.History = 2 * 24 * time.Hour
	hourly(t, s, 5)
	seen(t, s, custodian.Known, "rare.example", "rare", day0, 0)
	now := day0.Add(5 * 24 * time.Hour)
	want(t, got[time.Time](t)(s.Custody().Since(t.Context())), time.Time{})
	r := prune(t, s, l, now)
	want(t, r.Versions.Rows, int64(3*24))
	want(t, r.Events.Rows, int64(0))
	want(t, got[time.Time](t)(s.Custody().Since(t.Context())), now.Add(-l.History))
	versions := got[[]custody.Version](t)(s.Custody().Versions(t.Context(), own("known.example"), time.Time{}, 999))
	want(t, len(versions), 2*24)
	// The one that was in force when the history begins is still there.
	want(t, versions[len(versions)-1].AdoptedAt, day0.Add(3*24*time.Hour))
	want(t, has(t, s, "known.example71"), false)
	want(t, has(t, s, "known.example72"), true)
	want(t, has(t, s, "rare"), true)
	// Events are kept for as long as they are needed to know what counted.
	r = prune(t, s, l, day0.Add((2+8)*24*time.Hour+90*time.Minute))
	want(t, r.Events.Rows, int64(2*2))
	want(t, r.Versions.Rows, int64(47))
	prune(t, s, l, day0.Add(1000*24*time.Hour))
	want(t, has(t, s, "known.example119"), true)
	want(t, len(got[[]custody.NumberedEvent](t)(s.Custody().Events(t.Context(), custodian.EventFilter{}, 0, 999))), 0)
	CheckNextAfter(t, s.Custody(), 999)
}

// CheckNextAfter makes one more event and looks that its number was never given before.
func CheckNextAfter(t *testing.T, s custodian.Store, most int) {
	t.Helper()
	commit(t, s, &custodian.Change{Events: []custody.Event{event("next", custody.Info, "", "")}})
	after := got[[]custody.NumberedEvent](t)(s.Events(t.Context(), custodian.EventFilter{}, 0, most))
	if len(after) == 0 || after[len(after)-1].ID < 300 {
		t.Errorf("numbers begin anew: %v", after)
	}
}

func othersStay(t *testing.T, s *records.Store) {
	hourly(t, s, 2)
	h := document(t, s, "known.example1")
	ok(t, s.PutMirror(t.Context(), &registry.Mirror{Platform: "p", Document: h, CreatedAt: day0, UpdatedAt: day0}, ""))
	f := got[*custody.File](t)(s.Custody().File(t.Context(), own("known.example")))
	f.Refused = &custody.Refusal{Hash: hashOf("known.example2"), Code: "file.rollback", Since: day0}
	commit(t, s.Custody(), &custodian.Change{Files: []*custody.File{f}})
	approved := decided(proposal("1", h, document(t, s, "before")), registry.Approved)
	rejected := decided(proposal("2", h, document(t, s, "rejected")), registry.Rejected)
	ok(t, s.PutProposal(t.Context(), approved))
	ok(t, s.PutProposal(t.Context(), rejected))
	document(t, s, "nobody's")
	r := prune(t, s, retain.Limits{History: time.Hour, Guests: time.Hour, Budget: 1 << 30}, time.Now().Add(2*time.Hour))
	want(t, r.Versions.Rows, int64(47))
	want(t, r.Documents.Rows, int64(2))
	for body, stays := range map[string]bool{
		"known.example0": false, "known.example1": true, "known.example2": true, "known.example3": false, "known.example47": true, "before": true, "rejected": false, "nobody's": false,
	} {
		want(t, has(t, s, body), stays)
	}
}

func dryRun(t *testing.T, s *records.Store) {
	hourly(t, s, 3)
	for i := range 5 {
		seen(t, s, custodian.Stranger, fmt.Sprintf("guest%d.example", i), fmt.Sprint("guest ", i), day0, 0)
	}
	commit(t, s.Custody(), &custodian.Change{Publisher: &custody.Publisher{Domain: "none.example", TriedAt: day0}, Asker: custodian.Stranger})
	var before, after bytes.Buffer
	ok(t, s.Export(t.Context(), &before))
	o := retain.Options{Limits: retain.Limits{History: 24 * time.Hour, Guests: time.Hour, Budget: 1 << 30}, Now: day0.Add(20 * 24 * time.Hour), Sweep: true, DryRun: true}
	plan := got[*retain.Pruned](t)(s.Prune(t.Context(), o))
	ok(t, s.Export(t.Context(), &after))
	want(t, after.String(), before.String())
	o.DryRun = false
	done := got[*retain.Pruned](t)(s.Prune(t.Context(), o))
	want(t, plan.Versions, done.Versions)
	want(t, plan.Guests, done.Guests)
	want(t, plan.Names, done.Names)
	want(t, plan.Places, done.Places)
	want(t, done.Versions.Rows, int64(71))
	want(t, done.Guests.Rows, int64(5))
}

func comesBack(t *testing.T, s *records.Store) {
	seen(t, s, custodian.Stranger, "guest.example", "guest", day0, 0)
	prune(t, s, limits, day0.Add(100*time.Hour))
	want(t, has(t, s, "guest"), false)
	f := got[*custody.File](t)(s.Custody().File(t.Context(), own("guest.example")))
	p := got[*custody.Publisher](t)(s.Custody().Publisher(t.Context(), "guest.example"))
	want(t, f.Revision, int64(2))
	at := day0.Add(101 * time.Hour)
	f.ConfirmedAt, f.WholeAt, f.TriedAt, p.TriedAt = at, at, at, at
	commit(t, s.Custody(), &custodian.Change{
		Publisher: p, Files: []*custody.File{f}, Documents: [][]byte{[]byte("guest")}, Asker: custodian.Stranger,
		Versions: []custody.Version{{URL: f.URL, Hash: f.Hash, AdoptedAt: at, Bytes: f.Bytes}},
	})
	want(t, has(t, s, "guest"), true)
	want(t, got[retain.Usage](t)(s.Usage(t.Context())).Guests, retain.Share{Names: 1, Bytes: 5})
}

func sleepersGo(t *testing.T, s *records.Store) {
	revoking := func(domain string, change func(*custody.Publisher, *custody.File)) {
		at := day0
		p := &custody.Publisher{
			Domain: custody.Domain(domain), Location: custody.Location{Method: custody.Direct, URL: own(domain)}, TriedAt: at, HighWater: at, Hash: hashOf(domain),
		}
		f := &custody.File{URL: own(domain), Hash: hashOf(domain), Bytes: 1, ConfirmedAt: at, WholeAt: at, TriedAt: at, HighWater: at}
		change(p, f)
		commit(t, s.Custody(), &custodian.Change{
			Publisher: p, Files: []*custody.File{f}, Documents: [][]byte{[]byte(domain)}, Asker: custodian.Stranger,
			Versions: []custody.Version{{URL: f.URL, Hash: f.Hash, AdoptedAt: at, Bytes: f.Bytes}},
			Places:   []custody.Place{{Domain: custody.Domain(domain), Location: p.Location, AdoptedAt: at}},
			Events:   []custody.Event{{Code: "file.adopted", At: at, URL: f.URL}, {Code: "publisher.located", At: at, Publisher: domain, URL: f.URL}},
		})
	}
	revoking("plain.example", func(*custody.Publisher, *custody.File) {})
	revoking("revokes.example", func(_ *custody.Publisher, f *custody.File) {
		f.Revocations = []custody.Revocation{{Domain: "x.example"}}
	})
	revoking("refused.example", func(_ *custody.Publisher, f *custody.File) { f.Refused = &custody.Refusal{Hash: hashOf("x")} })
	revoking("full.example", func(_ *custody.Publisher, f *custody.File) { f.Overflow = true })
	revoking("moves.example", func(p *custody.Publisher, _ *custody.File) { p.Move = &custody.Move{} })
	revoking("rejected.example", func(p *custody.Publisher, _ *custody.File) { p.Rejected = []string{"https://x.example/"} })
	seen(t, s, custodian.Known, "known.example", "known", day0, 0)
	seen(t, s, custodian.Stranger, "again.example", "again", day0, 0)
	asleep := day0.Add(100 * time.Hour)
	want(t, prune(t, s, limits, asleep).Guests.Rows, int64(7))
	again := day0.Add(10 * 24 * time.Hour)
	f := got[*custody.File](t)(s.Custody().File(t.Context(), own("again.example")))
	p := got[*custody.Publisher](t)(s.Custody().Publisher(t.Context(), "again.example"))
	f.TriedAt, p.TriedAt = again, again
	commit(t, s.Custody(), &custodian.Change{Publisher: p, Files: []*custody.File{f}, Asker: custodian.Stranger})
	want(t, prune(t, s, limits, day0.Add(limits.History)).Names.Rows, int64(0))
	want(t, prune(t, s, limits, day0.Add(limits.History+time.Hour)).Names.Rows, int64(1))
	for domain, stays := range map[string]bool{
		"plain.example": false, "revokes.example": true, "refused.example": true, "full.example": true,
		"moves.example": true, "rejected.example": true, "known.example": true, "again.example": true,
	} {
		want(t, got[bool](t)(s.Custody().Known(t.Context(), custody.Domain(domain), "https://nobody.example/")), stays)
		want(t, got[bool](t)(s.Custody().Known(t.Context(), "nobody.example", own(domain))), stays)
	}
	want(t, got[retain.Usage](t)(s.Usage(t.Context())).Guests.Names, int64(6))
	want(t, len(got[[]custody.NumberedEvent](t)(s.Custody().Events(t.Context(), custodian.EventFilter{URL: own("plain.example")}, 0, 9))), 0)
	// Whoever was forgotten may come again.
	seen(t, s, custodian.Stranger, "plain.example", "plain", day0.Add(40*24*time.Hour), 0)
}

func refusedStay(t *testing.T, s *records.Store) {
	// One guest has refused what is the old version of another.
	for i, body := range []string{"one", "two"} {
		seen(t, s, custodian.Stranger, "guest.example", body, day0, int64(i))
	}
	seen(t, s, custodian.Stranger, "holds.example", "three", day0, 0)
	f := got[*custody.File](t)(s.Custody().File(t.Context(), own("holds.example")))
	f.Refused = &custody.Refusal{Hash: hashOf("one"), Code: "file.rollback", Since: day0}
	commit(t, s.Custody(), &custodian.Change{Files: []*custody.File{f}, Documents: [][]byte{[]byte("one")}, Asker: custodian.Stranger})
	for i, body := range []string{"four", "five", "six"} {
		seen(t, s, custodian.Stranger, "guest.example", body, day0, int64(i+2))
	}
	want(t, has(t, s, "two"), false)
	want(t, has(t, s, "one"), true)
	prune(t, s, limits, day0.Add(100*time.Hour))
	want(t, has(t, s, "six"), false)
	want(t, has(t, s, "one"), true)
	f = got[*custody.File](t)(s.Custody().File(t.Context(), own("holds.example")))
	f.Refused = nil
	commit(t, s.Custody(), &custodian.Change{Files: []*custody.File{f}, Asker: custodian.Stranger})
	prune(t, s, limits, day0.Add(101*time.Hour))
	want(t, has(t, s, "one"), false)
}

func storedAgain(t *testing.T, s *records.Store) {
	hourly(t, s, 1)
	// Somebody stores an old version, and is about to refer to it.
	document(t, s, "known.example1")
	l, now := retain.Limits{History: time.Hour, Guests: time.Hour, Budget: 1 << 30}, time.Now()
	want(t, prune(t, s, l, now).Versions.Rows, int64(23))
	want(t, has(t, s, "known.example0"), false)
	want(t, has(t, s, "known.example1"), true)
	prune(t, s, l, now.Add(2*time.Hour))
	want(t, has(t, s, "known.example1"), false)
}
