package registry

import (
	"context"
	"errors"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/service/budget"
)

// MaxContent is the size of the largest document that a call may carry, in bytes.
const MaxContent = 5_000_000

// Create makes a file from a request; see adagents.Build. When the request cannot be read,
// the error is an *Error with the findings as details; when the file would have errors, it
// is an *adagents.InvalidError. In both cases the report comes with it.
func (s *Service) Create(ctx context.Context, request []byte) (*adagents.Built, error) {
	leave, err := s.reserveContent(ctx, request)
	if err != nil {
		return nil, err
	}
	defer leave()
	built, err := adagents.Build(request, adagents.BuildOptions{
		Now: s.config.Now(), Check: adagents.Options{MaxFindings: maxFindings},
	})
	if err == nil {
		return built, nil
	}
	var invalid *adagents.InvalidError
	if errors.As(err, &invalid) && built.Report.Kind == adagents.UnknownKind {
		return built, unreadable(invalid)
	}
	return built, err
}

// unreadable is the error for a request that is not a JSON object, or steers the making
// of a file in a way that makes no sense.
func unreadable(invalid *adagents.InvalidError) *Error {
	e := &Error{Kind: Invalid, Code: invalid.Findings[0].Code, Message: invalid.Findings[0].Message,
		Hint: invalid.Findings[0].Hint}
	for i := range invalid.Findings {
		e.Details = append(e.Details, invalid.Findings[i].Error())
	}
	return e
}

// reserveContent waits for the memory that a document in a call takes.
func (s *Service) reserveContent(ctx context.Context, content []byte) (func(), error) {
	if len(content) > MaxContent {
		return nil, &Error{Kind: TooLarge, Code: "content_too_large", Message: "The document is too large",
			Hint: "send 5 MB at most"}
	}
	if len(content) <= weighedFrom {
		return func() {}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.limits.call)
	defer cancel()
	leave, err := s.reserveCheck(ctx, budget.ClientOf(ctx), len(content))
	if errors.Is(err, context.DeadlineExceeded) {
		err = errNoMemory
	}
	return leave, err
}
