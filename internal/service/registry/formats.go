package registry

import (
	"context"
	"time"

	"github.com/avow-project/avow/formats"
	"github.com/avow-project/avow/resolve"
)

// A FormatsView is what can be bought on a publisher's placements.
type FormatsView struct {
	*formats.Report
	CheckedAt, FreshUntil time.Time
}

// Formats answers a question about the formats of a publisher. A publisher without a file
// that can be used, nor a mirror in its place, is an error: what cannot be compared is not
// accepted.
func (s *Service) Formats(ctx context.Context, domain string, q formats.Question) (*FormatsView, error) {
	name, err := publisherName(domain)
	if err != nil {
		return nil, err
	}
	now := s.config.Now()
	k, err := s.known(ctx, name)
	if err != nil {
		return nil, err
	}
	if k.doc.Catalog().State != resolve.Usable {
		return nil, &Error{Kind: NotFound, Code: "no_catalog", Message: "The publisher has no file that can be used",
			Hint: "nothing is known about its formats, so nothing is accepted"}
	}
	report, err := formats.Ask(k.doc, q)
	if err != nil {
		return nil, questionError(err, "Invalid question")
	}
	return &FormatsView{Report: report, CheckedAt: micro(now), FreshUntil: k.freshUntil(micro(now.Add(reuseTime)))}, nil
}

// Catalog returns the formats of each of the placements, in their order.
func (v *PublisherView) Catalog() ([]formats.PlacementReport, error) {
	if len(v.Placements) == 0 {
		return nil, nil
	}
	report, err := formats.Ask(v.Document, formats.Question{})
	if err != nil {
		return nil, questionError(err, "Invalid question")
	}
	return report.Placements[:len(v.Placements)], nil // those of a mirror come after them
}
