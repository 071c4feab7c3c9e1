package registry

import (
	"context"
	"errors"
	"sync"

	"github.com/avow-project/avow/adagents"
)

// MaxContent is the size of the largest document that a call may carry, in bytes.
const MaxContent = 5_000_000

// A Created is a file that was made from a request.
type Created struct {
	*adagents.Built
	builder *adagents.Builder
}

var builders = sync.Pool{New: func() any { return new(adagents.Builder) }}

// mostKept is the memory, in bytes, up to which that of a file is used again. One with five
// hundred properties takes one or two; larger ones are rare, and would only be in the way.
const mostKept = 3 << 20

// rooms are for quoted files. Sending one takes longer than making the next, which uses the
// rest of the memory again meanwhile: it is still in the caches of the CPU, and a caller who
// reads slowly does not hold it.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

// mostRoom is mostKept for a quoted file.
const mostRoom = 1 << 20

// Release lets the memory of what was built be used again. Nothing of it may be looked at
// afterwards but Quoted, which ReleaseQuoted is for.
func (c *Created) Release() {
	if c.builder != nil && c.builder.Held() <= mostKept {
		builders.Put(c.builder)
	}
	*c = Created{}
}

// ReleaseQuoted lets the memory of a quoted file be used again.
func ReleaseQuoted(text []byte) {
	if cap(text) <= mostRoom {
		rooms.Put(&text)
	}
}

// Create makes a file from a request, quoted as well; see adagents.Build. The caller may
// release it. When the request cannot be read, the error is an *Error with the findings as
// details; when the file would have errors, it is an *adagents.InvalidError. In both cases
// the report comes with it.
func (s *Service) Create(ctx context.Context, request []byte) (*Created, error) {
	r, err := s.roomFor(ctx, request)
	if err != nil {
		return nil, err
	}
	defer r.leave()
	c := &Created{builder: builders.Get().(*adagents.Builder)}
	c.Built, err = c.builder.Build(request, adagents.BuildOptions{
		Now: s.config.Now(), Quoted: true, Room: *rooms.Get().(*[]byte), Check: adagents.Options{MaxFindings: maxFindings},
	})
	if err == nil {
		return c, nil
	}
	var invalid *adagents.InvalidError
	if errors.As(err, &invalid) && c.Report.Kind == adagents.UnknownKind {
		return c, unreadable(invalid)
	}
	return c, err
}

// unreadable is the error for a request that is no JSON object, or steers the making
// of a file in a way that makes no sense.
func unreadable(invalid *adagents.InvalidError) *Error {
	e := &Error{Kind: Invalid, Code: invalid.Findings[0].Code, Message: invalid.Findings[0].Message, Hint: invalid.Findings[0].Hint}
	for i := range invalid.Findings {
		e.Details = append(e.Details, invalid.Findings[i].Error())
	}
	return e
}

// roomFor waits for the memory that a document in a call takes.
func (s *Service) roomFor(ctx context.Context, content []byte) (*room, error) {
	if len(content) > MaxContent {
		return nil, &Error{Kind: TooLarge, Code: "content_too_large", Message: "The document is too large", Hint: "send 5 MB at most"}
	}
	r := &room{from: s.large}
	err := r.enterFor(ctx, len(content))
	if err != nil {
		return nil, err
	}
	return r, nil
}
