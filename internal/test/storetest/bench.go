package storetest

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// Bench measures what a service does most: to remember a publisher and to look one up.
func Bench(b *testing.B, s registry.Store) {
	ctx := context.Background()
	domain := func(i int64) string { return fmt.Sprintf("site%d.example", i%1000) }
	b.Run("PutSighting", func(b *testing.B) {
		var i int64
		for b.Loop() {
			i++
			fail(b, s.PutSighting(ctx, sighting(domain(i), day0.Add(time.Duration(i)*time.Microsecond))))
		}
	})
	for i := range int64(1000) {
		fail(b, s.PutSighting(ctx, sighting(domain(i), day0.AddDate(1, 0, 0))))
	}
	b.Run("Sighting", func(b *testing.B) {
		parallel(b, func(i int64) error {
			_, err := s.Sighting(ctx, domain(i))
			return err
		})
	})
	b.Run("Claims", func(b *testing.B) {
		parallel(b, func(i int64) error {
			_, err := s.Claims(ctx, registry.Identifier{Type: "domain", Value: domain(i)}, day0, 10)
			return err
		})
	})
	for _, size := range []int{2_000, 200_000} {
		benchDocuments(b, s, size)
	}
}

// benchDocuments measures documents of about a size.
func benchDocuments(b *testing.B, s registry.Store, size int) {
	ctx := context.Background()
	property := `{"property_type":"website","name":"Site","identifiers":[{"type":"domain","value":"site.example"}]},`
	rest := strings.Repeat(property, size/len(property)+1)[:size]
	b.Run(fmt.Sprintf("PutDocument/%d", size), func(b *testing.B) {
		b.SetBytes(int64(size))
		i := time.Now().UnixNano()
		for b.Loop() {
			i++
			_, err := s.PutDocument(ctx, fmt.Appendf(nil, "%d%s", i, rest))
			fail(b, err)
		}
	})
	h, err := s.PutDocument(ctx, []byte(rest))
	fail(b, err)
	b.Run(fmt.Sprintf("Document/%d", size), func(b *testing.B) {
		b.SetBytes(int64(size))
		parallel(b, func(int64) error {
			_, err := s.Document(ctx, h)
			return err
		})
	})
}

// parallel calls f from all processors.
func parallel(b *testing.B, f func(i int64) error) {
	var next atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			err := f(next.Add(1))
			if err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// fail ends the benchmark if a call failed.
func fail(b *testing.B, err error) {
	if err != nil {
		b.Fatal(err)
	}
}
