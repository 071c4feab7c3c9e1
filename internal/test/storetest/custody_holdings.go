package storetest

import (
	"errors"
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
	domains := []custody.Domain{"stranger.example", "a"}
	ok(t, s.Revisions(t.Context(), func(domain custody.Domain, revision int64) error {
		domains = append(domains, domain)
		want(t, revision, int64(1))
		return nil
	}))
	want(t, len(domains), 12)
	want(t, slices.IsSorted(domains[2:]), true)
	for len(domains) < 1_100 { // more than one statement names
		domains = append(domains, custody.Domain(fmt.Sprintf("stranger%d.example", len(domains))))
	}
	have := got[[]custodian.Holding](t)(s.Holdings(t.Context(), domains))
	want(t, len(have), 10)
	for _, h := range have {
		want(t, h, oneHolding(t, s, h.Publisher.Domain))
	}
	want(t, len(got[[]custodian.Holding](t)(s.Holdings(t.Context(), nil))), 0)
	stop := errors.New("stop")
	wantErr(t, s.Revisions(t.Context(), func(custody.Domain, int64) error { return stop }), stop)
}

// oneHolding reads what there is of a publisher one by one.
func oneHolding(t *testing.T, s custodian.Store, domain custody.Domain) custodian.Holding {
	t.Helper()
	h := custodian.Holding{Publisher: got[*custody.Publisher](t)(s.Publisher(t.Context(), domain))}
	url := h.Publisher.Location.URL
	f, revision, err := s.Brief(t.Context(), url)
	if err == nil {
		h.File, h.Revision = f, revision
		h.Revoked = len(got[[]custody.Revocation](t)(s.Revocations(t.Context(), url, ""))) > 0
		body, err := s.Document(t.Context(), f.Hash)
		if err == nil && len(body) < 100_000 {
			h.Body = body
		}
	}
	places := got[[]custody.Place](t)(s.Places(t.Context(), domain, time.Time{}, 1))
	if len(places) > 0 && places[0].Absent {
		h.AbsentSince = places[0].AdoptedAt
	}
	return h
}
