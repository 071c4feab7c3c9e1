package ops

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/registry"
)

const (
	// streamPages is after how many pages in a row a stream lets others go on for streamRest.
	streamPages = 10
	streamRest  = 100 * time.Millisecond
	// frameTime is how long a frame may take to be taken.
	frameTime = 10 * time.Second
)

// errStreams is for one stream more than there may be.
var errStreams = &registry.Error{
	Kind: registry.Limited, Code: "streams", Message: "Too many active registry feed streams",
	Hint: "close one, or ask for pages of the feed", RetryAfter: 30 * time.Second,
}

// changeFollower is a stream that is about to begin.
type changeFollower struct {
	set      *Set
	page     *feedPage // the first
	filter   *feed.Filter
	limit    int
	proofs   bool
	interval time.Duration
	moved    <-chan struct{}
	done     func()
	out      *http.ResponseController
	w        http.ResponseWriter
}

// changeStream answers GET /api/registry/feed/stream.
func (o *Set) changeStream(ctx context.Context, in *streamInput) (*changeFollower, error) {
	filter, limit, err := in.read()
	if err != nil {
		return nil, err
	}
	seconds, err := digits("poll_interval_seconds", in.Poll, 5, 60, 15)
	if err != nil {
		return nil, err
	}
	if o.feed == nil {
		return nil, errNoFeed
	}
	moved, _ := o.feed.Wait() // what happens after the first page is not passed over
	page, err := o.feedPage(ctx, in.Cursor, filter, limit, in.Proofs)
	if err != nil {
		return nil, err
	}
	done := o.streams.Open(registry.CallerOf(ctx))
	if done == nil {
		return nil, errStreams
	}
	return &changeFollower{set: o, page: page, filter: filter, limit: limit, proofs: in.Proofs,
		interval: time.Duration(seconds) * time.Second, moved: moved, done: done}, nil
}

// HTTPStream implements streamed. It ends when the client goes away, or the service does.
func (s *changeFollower) HTTPStream(r *http.Request, w http.ResponseWriter) {
	defer s.done()
	h := w.Header()
	h.Set("Content-Type", mediaEvents)
	h.Set("X-Accel-Buffering", "no")
	s.w, s.out = w, http.NewResponseController(w)
	// A request that goes on for hours has been read.
	_ = s.out.SetReadDeadline(time.Time{})
	s.hurry()
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	err := s.follow(r.Context())
	if err != nil && r.Context().Err() == nil {
		s.tell(err)
	}
}

// hurry sets the time until the next frame has to be taken. An error means that the connection
// cannot have one, and is cut off at the end of its time.
func (s *changeFollower) hurry() { _ = s.out.SetWriteDeadline(time.Now().Add(frameTime)) }

// follow writes frames until something is wrong.
func (s *changeFollower) follow(ctx context.Context) error {
	beat := time.NewTicker(s.interval)
	defer beat.Stop()
	said := false // a heartbeat comes at once when there is nothing to read
	for {
		err := s.drain(ctx, &said)
		if err != nil {
			return err
		}
		due := false
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.moved:
		case <-beat.C:
			due = true
		}
		var ended bool
		s.moved, ended = s.set.feed.Wait()
		if ended {
			return context.Canceled
		}
		s.page, err = s.set.feedPage(ctx, s.page.Cursor, s.filter, s.limit, s.proofs)
		if err != nil {
			return err
		}
		said = !due
	}
}

// drain writes the page and those after it, or a heartbeat.
func (s *changeFollower) drain(ctx context.Context, said *bool) error {
	for n := 1; ; n++ {
		var err error
		switch {
		case len(s.page.Events) > 0:
			err = s.frame("feed", s.page.HTTPParts())
		case !s.page.More && !*said:
			err = s.frame("heartbeat", [][]byte{s.page.heartbeat()})
		}
		if err != nil {
			return err
		}
		*said = true
		if !s.page.More {
			return nil
		}
		if n%streamPages == 0 {
			time.Sleep(streamRest)
		}
		s.page, err = s.set.feedPage(ctx, s.page.Cursor, s.filter, s.limit, s.proofs)
		if err != nil {
			return err
		}
	}
}

// errGone is for a client that does not read.
var errGone = errors.New("the client has gone away")

// frame writes one event of the stream.
func (s *changeFollower) frame(name string, data [][]byte) error {
	s.hurry()
	parts := append(append([][]byte{[]byte("event: " + name + "\ndata: ")}, data...), []byte("\n\n"))
	for _, part := range parts {
		_, err := s.w.Write(part)
		if err != nil {
			return errGone
		}
	}
	if s.out.Flush() != nil {
		return errGone
	}
	return nil
}

// streamError is the data of the last event of a stream.
type streamError struct {
	Error   string `json:"error"`
	Message string `json:"message"`
}

// tell says why a stream ends.
func (s *changeFollower) tell(err error) {
	if errors.Is(err, errGone) || errors.Is(err, context.Canceled) {
		return
	}
	last := streamError{"feed_stream_error", "The stream could not go on. Please connect again."}
	var known *registry.Error
	if errors.As(err, &known) && known.Kind == registry.Expired {
		last = streamError{cursorExpired, known.Explanation}
	}
	text, _ := json.Marshal(last, EncodeOptions) // strings can be written
	_ = s.frame("error", [][]byte{text})         // nothing follows
}
