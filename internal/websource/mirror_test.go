package websource

import (
	"context"
	"testing"

	"github.com/avow-project/avow/resolve"
)

// A rememberingSource knows one document without asking.
type rememberingSource struct{ resolve.Source }

func (rememberingSource) Last(_ context.Context, publisher string) (*resolve.Document, error) {
	return &resolve.Document{Publisher: publisher, State: resolve.Absent}, nil
}

// TestMirrorsRemember: a source with mirrors still says what the one below it remembers.
func TestMirrorsRemember(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		source resolve.Source
		want   resolve.State
	}{{rememberingSource{}, resolve.Absent}, {struct{ resolve.Source }{}, resolve.Unreachable}} {
		s, err := WithMirrors(tc.source, nil, MirrorConfig{})
		if err != nil {
			t.Fatal(err)
		}
		kept, ok := s.(resolve.Rememberer)
		if !ok {
			t.Fatal("it does not remember")
		}
		doc, err := kept.Last(t.Context(), "pub.example")
		if err != nil || doc.State != tc.want || doc.Publisher != "pub.example" {
			t.Errorf("%+v, %v", doc, err)
		}
	}
}
