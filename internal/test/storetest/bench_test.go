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

// benchRegistry measures documents of two sizes.
func benchRegistry(b *testing.B, s registry.Store) {
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
