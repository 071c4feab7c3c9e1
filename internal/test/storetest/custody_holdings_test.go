package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
)

// custodyHoldings: what is read of many publishers at once is what is read of each.
func custodyHoldings(t *testing.T, open keeping) {
	s := open(t)
	large := strings.Repeat("large ", 20_000)
	plain := func(url, body string) *custody.File {
		return &custody.File{URL: url, Hash: hashOf(body), TriedAt: day0}
	}
	at := func(domain, url string) *custody.Publisher {
		return &custody.Publisher{Domain: custody.Domain(domain), Location: custody.Location{Method: custody.AuthoritativeLocation, URL: url}, TriedAt: day0}
	}
	revoking := plain("https://revoking.example/", "small")
	revoking.Revocations = []custody.Revocation{{Domain: "r.example", First: day0}}
	commit(t, s, &custodian.Change{Files: []*custody.File{
		plain(fileURL, "small"), plain("https://large.example/", large), revoking, plain("https://lost.example/", "removed"),
	}, Documents: [][]byte{[]byte("small"), []byte(large)}})
	places := []custody.Place{
		{Domain: "gone.example", Location: custody.Location{Method: custody.Direct, URL: fileURL}, AdoptedAt: day0},
		{Domain: "gone.example", Absent: true, AdoptedAt: day0.Add(time.Hour)},
		{Domain: "back.example", Absent: true, AdoptedAt: day0},
		{Domain: "back.example", Location: custody.Location{Method: custody.Direct, URL: fileURL}, AdoptedAt: day0.Add(time.Hour)},
	}
	for _, p := range []*custody.Publisher{
		at("small.example", fileURL), at("also.example", fileURL), at("large.example", "https://large.example/"), at("revoked.example", revoking.URL),
		at("lost.example", "https://lost.example/"), at("none.example", "https://none.example/"), {Domain: "nowhere.example", TriedAt: day0},
		{Domain: "gone.example", Absent: true, TriedAt: day0}, {Domain: "back.example", Absent: true, TriedAt: day0}, {Domain: "unplaced.example", Absent: true, TriedAt: day0},
	} {
		commit(t, s, &custodian.Change{Publisher: p, Places: slices.DeleteFunc(slices.Clone(places), func(one custody.Place) bool { return one.Domain != p.Domain })})
	}
	domains := []custody.Domain{"stranger.example", "a", "small.example", "also.example", "large.example", "revoked.example", "lost.example", "none.example", "nowhere.example", "gone.example", "back.example", "unplaced.example"}
	for len(domains) < 1_100 { // more than one statement names
		domains = append(domains, custody.Domain(fmt.Sprintf("stranger%d.example", len(domains))))
	}
	have := got[[]custodian.Holding](t)(s.Holdings(t.Context(), domains))
	want(t, len(have), 10)
	for _, h := range have {
		sameHolding(t, s, &h)
	}
	want(t, len(got[[]custodian.Holding](t)(s.Holdings(t.Context(), nil))), 0)
}

// sameHolding compares what there is of a publisher with the records.
func sameHolding(t *testing.T, s custodian.Store, h *custodian.Holding) {
	t.Helper()
	p := got[*custody.Publisher](t)(s.Publisher(t.Context(), h.Publisher.Domain))
	for _, later := range []time.Duration{0, time.Hour, 25 * time.Hour, 200 * time.Hour} {
		at := custody.At(day0.Add(later))
		want(t, h.Publisher.Standing(at), p.Standing(at))
		want(t, h.Publisher.Due(), p.Due())
	}
	want(t, h.Publisher.Location, p.Location)
	f, _, err := s.Brief(t.Context(), p.Location.URL)
	if err == nil {
		at := custody.At(day0)
		want(t, h.File.Standing(at), f.Standing(at))
		want(t, h.File.Hash, f.Hash)
	} else {
		want(t, h.File == nil, true)
	}
	places := got[[]custody.Place](t)(s.Places(t.Context(), p.Domain, time.Time{}, 1))
	want(t, h.AbsentSince.IsZero(), len(places) == 0 || !places[0].Absent)
}
