package sources

import (
	"context"

	"github.com/avow-project/avow/keypin"
)

// Pins returns the pinned keys of what is kept.
func (s *Kept) Pins() keypin.Source { return keptPins{s} }

// keptPins takes pins from what is kept over time.
type keptPins struct{ kept *Kept }

// Pins returns the file in effect.
func (s keptPins) Pins(ctx context.Context, publisher string) (*keypin.Document, error) {
	if s.kept.refresh && s.kept.first(publisher) {
		return s.Refresh(ctx, publisher)
	}
	doc, err := s.kept.keeper.Pins(ctx, publisher)
	return doc, StoreError(err)
}

// Refresh asks the publisher once more.
func (s keptPins) Refresh(ctx context.Context, publisher string) (*keypin.Document, error) {
	doc, err := s.kept.keeper.KeySource().Refresh(ctx, publisher)
	return doc, StoreError(err)
}
