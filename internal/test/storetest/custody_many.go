package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
)

// FillMany stores so many records of custody that a store has more than one page of each
// kind.
func FillMany(t *testing.T, s custodian.Store) {
	t.Helper()
	const n = 1_100
	f := file("https://many.example/adagents.json")
	f.Revocations = nil
	for i := range 20 * n {
		f.Revocations = append(f.Revocations,
			custody.Revocation{Domain: fmt.Sprintf("r%06d.example", i), First: day0.Add(time.Duration(i) * time.Second)})
	}
	c := &custodian.Change{Files: []*custody.File{f}, Documents: [][]byte{[]byte("body")}}
	for i := range n {
		body := fmt.Sprint("version ", i%50)
		if i < 50 {
			c.Documents = append(c.Documents, []byte(body))
		}
		c.Versions = append(c.Versions,
			custody.Version{URL: f.URL, Hash: hashOf(body), AdoptedAt: day0.Add(time.Duration(i) * time.Hour)})
		c.Places = append(c.Places, custody.Place{Domain: "many.example", AdoptedAt: day0.Add(time.Duration(i) * time.Hour)})
		c.Events = append(c.Events, event(fmt.Sprint(i), custody.Severity(i%3), "many.example", f.URL))
		if i > 0 {
			c.Files = append(c.Files, file(fmt.Sprintf("https://f%d.example/", i)))
		}
	}
	commit(t, s, c)
	for i := range n / 2 {
		commit(t, s, &custodian.Change{Publisher: publisher(fmt.Sprintf("p%04d.example", i))})
	}
}
