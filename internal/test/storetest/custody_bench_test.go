package storetest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
)

// benchCustody measures what custody does most: to read the records of a publisher, to
// note that nothing has changed, and to adopt a large file.
func benchCustody(b *testing.B, s custodian.Store) {
	ctx := context.Background()
	p, f := publisher("a.example"), file(fileURL)
	for i := range 1_000 {
		f.Revocations = append(f.Revocations, custody.Revocation{Domain: fmt.Sprintf("c%04d.example", i), First: day0})
	}
	fail(b, s.Commit(ctx, &custodian.Change{Publisher: p, Files: []*custody.File{f}}))
	p.Revision, f.Revision = 1, 1
	b.Run("Publisher", func(b *testing.B) {
		parallel(b, func(int64) error {
			_, err := s.Publisher(ctx, "a.example")
			return err
		})
	})
	b.Run("File", func(b *testing.B) {
		parallel(b, func(int64) error {
			_, err := s.File(ctx, fileURL)
			return err
		})
	})
	ids := []custodian.Identifier{{Type: "domain", Value: "a.example"}, {Type: "ios_bundle", Value: "com.a.example"}}
	b.Run("Claims", func(b *testing.B) {
		fail(b, index(ctx, s, "b.example", day0, ids...))
		parallel(b, func(int64) error {
			_, err := s.Claims(ctx, ids[0], day0, 10)
			return err
		})
	})
	b.Run("Confirm", func(b *testing.B) {
		for b.Loop() {
			f.ConfirmedAt = f.ConfirmedAt.Add(time.Second)
			fail(b, s.Commit(ctx, &custodian.Change{Publisher: p, Files: []*custody.File{f}}))
			p.Revision++
			f.Revision++
		}
	})
	property := `{"property_type":"website","name":"Site %d","identifiers":[{"type":"domain","value":"site%d.example"}]},`
	var body strings.Builder
	for i := 0; body.Len() < 3_000_000; i++ {
		fmt.Fprintf(&body, property, i, i)
	}
	b.Run("Adopt", func(b *testing.B) {
		b.SetBytes(int64(body.Len()))
		for b.Loop() {
			version := fmt.Sprint(f.Revision, body.String())
			f.Hash = hashOf(version)
			fail(b, s.Commit(ctx, &custodian.Change{
				Publisher: p, Files: []*custody.File{f}, Documents: [][]byte{[]byte(version)},
				Versions: []custody.Version{{URL: fileURL, Hash: f.Hash, AdoptedAt: f.ConfirmedAt}},
				Events:   []custody.Event{event("file.adopted", custody.Info, "", fileURL)},
			}))
			p.Revision++
			f.Revision++
		}
	})
}
