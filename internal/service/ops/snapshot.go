package ops

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/klauspost/compress/gzip"

	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/wire"
)

func (o *Set) snapshotOperation() Operation {
	return Define(Operation{
		HTTP: "GET /api/registry/authorizations/snapshot", Name: "authorizations_snapshot", Tag: "directory",
		Class: edge.Validate, Media: mediaLines,
		Output: reflect.TypeFor[*snapshotRow](), Success: []int{http.StatusOK, http.StatusNotModified},
		Summary: "All authorizations at once",
		Description: "The rows of GET /api/registry/authorizations of all agents, a JSON object in each line, always " +
			"compressed with gzip. The header X-Sync-Cursor has the cursor with which " +
			"GET /api/registry/feed?types=authorization.* goes on: take the rows by their id, then apply the events. The " +
			"trailer X-Row-Count has the number of rows. " +
			"An answer that could not be completed ends without the end of its compressed form: what was read of it is not " +
			"everything. " +
			"With proofs, the first line is an object with only the member log and is not a row, and each row has the indices " +
			"of its leaves in the transparency log.",
	}, o.snapshot)
}

type snapshotInput struct {
	Include  string `query:"include" enum:"effective,raw" doc:"effective, which is all that there is here."`
	Evidence string `query:"evidence" maxLength:"200" doc:"Where rows come from, with commas; all of them come from files here, which is adagents_json."`
	Proofs   bool   `query:"proofs" doc:"Add a first line with log and, to each row, log_state: its inclusion status in the transparency log. Such an answer has no entity tag."`
}

// snapshotRow is a line.
type snapshotRow struct {
	projection.Authorization
	feed.Logged
}

// snapshotHead is the first line when proofs are asked for.
type snapshotHead struct {
	Log *feed.LogHead `json:"log"`
}

// snapshotReply writes rows while it is being sent.
type snapshotReply struct {
	set *Set
	// tag tells what is asked for from all else; it is the entity tag unless proofs are asked for.
	cursor, tag string
	none        bool
	head        *notary.Head // nil unless proofs are asked for
}

// snapshot answers GET /api/registry/authorizations/snapshot. The cursor is read before the
// rows: what happens meanwhile is told again.
func (o *Set) snapshot(ctx context.Context, in *snapshotInput) (*snapshotReply, error) {
	evidence, err := evidenceOf(in.Evidence)
	if err != nil {
		return nil, err
	}
	if in.Include == "raw" {
		return nil, errRaw
	}
	if o.feed == nil {
		return nil, errNoFeed
	}
	cursor, err := o.syncCursor(ctx)
	if err != nil {
		return nil, err
	}
	out := &snapshotReply{set: o, cursor: cursor, none: !slices.Contains(evidence, projection.FromFile)}
	what := fmt.Sprint(cursor, "|", out.none, "|effective")
	if in.Proofs {
		out.head = o.translog.Head(ctx)
		what += out.head.State + string(out.head.Signed.Note)
	}
	out.tag = edge.TagOf([]byte(what))
	return out, nil
}

// syncCursor is the position of the last event about an authorization.
func (o *Set) syncCursor(ctx context.Context) (string, error) {
	cursor, err := o.feed.LastCursor(ctx, &feed.Filter{Types: []string{"authorization.*"}})
	return cursor, feedProblem(err)
}

const (
	// rowCount is the trailer with the number of rows.
	rowCount = "X-Row-Count"
	// snapshotPiece is how long a piece may take to be taken.
	snapshotPiece = 30 * time.Second
)

// HTTPStream implements streamed. After a fault the connection is broken off, so that a part
// is not taken for everything.
func (s *snapshotReply) HTTPStream(r *http.Request, w http.ResponseWriter) {
	h := w.Header()
	h.Set("X-Sync-Cursor", s.cursor)
	if s.head == nil && edge.Unchanged(w, r, s.tag) { // how rows stand to the log changes without the cursor
		return
	}
	h.Set("Content-Type", mediaLines)
	h.Set("Content-Encoding", edge.Gzip)
	h.Set("Trailer", rowCount)
	if r.Method == http.MethodHead {
		w.WriteHeader(http.StatusOK)
		return
	}
	rows, err := s.send(r.Context(), w)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	h.Set(rowCount, strconv.Itoa(rows))
}

// send writes a copy. Where there can be none, the rows are made for this answer alone.
func (s *snapshotReply) send(ctx context.Context, w http.ResponseWriter) (int, error) {
	out := paced{w, http.NewResponseController(w)}
	kind := &s.set.snapshots
	if s.head != nil {
		kind = &s.set.provenSnapshots
	}
	if s.none {
		return s.write(ctx, out)
	}
	c, err := kind.take(ctx, s, s.write)
	if err != nil {
		return s.write(ctx, out)
	}
	defer kind.leave(ctx, c)
	w.Header().Set("X-Sync-Cursor", c.reply.cursor)
	if s.head == nil {
		w.Header().Set("ETag", c.reply.tag)
	}
	return c.send(ctx, out, out.rest)
}

// A paced answer takes as long as it takes, if each piece of it is taken in time.
type paced struct {
	http.ResponseWriter
	out *http.ResponseController
}

// Write writes a piece.
func (p paced) Write(b []byte) (int, error) {
	_ = p.out.SetWriteDeadline(time.Now().Add(snapshotPiece)) // otherwise the limit of the whole answer holds
	return p.ResponseWriter.Write(b)
}

// rest waits for the next piece for as long as that takes.
func (p paced) rest() {
	_ = p.out.Flush() // one that cannot be flushed is sent at its end
	_ = p.out.SetWriteDeadline(time.Time{})
}

// write makes the answer.
func (s *snapshotReply) write(ctx context.Context, w io.Writer) (int, error) {
	packed := gzip.NewWriter(w)
	rows := 0
	after, ended := "", s.none
	if s.head != nil {
		err := json.MarshalWrite(packed, snapshotHead{feed.LogHeadOf(s.head)}, EncodeOptions)
		if err == nil {
			_, err = packed.Write([]byte("\n"))
		}
		if err != nil {
			return 0, err
		}
	}
	for !ended {
		v, err := s.set.service.Directory(ctx)
		if err != nil {
			return rows, err
		}
		list, next, err := v.Grants(after)
		if err != nil {
			return rows, err
		}
		after, ended = next, next == ""
		for i := range list {
			n, err := s.writeRows(ctx, packed, &list[i])
			if err != nil {
				return rows, err
			}
			rows += n
		}
		err = packed.Flush()
		if err != nil {
			return rows, err
		}
	}
	return rows, packed.Close()
}

// writeRows writes the rows of a publisher: what the feed has told of them, with how the publisher
// stands.
func (s *snapshotReply) writeRows(ctx context.Context, packed *gzip.Writer, g *directory.Granted) (int, error) {
	logged, err := s.logged(ctx, &g.Entry)
	if err != nil {
		return 0, err
	}
	rest, err := json.Marshal(snapshotEnd{standingOf(&g.Standing), logged}, EncodeOptions)
	if err != nil {
		return 0, err
	}
	for _, payload := range g.Payloads {
		_, err = packed.Write(projection.AuthorizationLine(payload, rest))
		if err != nil {
			return 0, err
		}
	}
	return len(g.Payloads), nil
}

// snapshotEnd is what a line has beside what the feed has told.
type snapshotEnd struct {
	Standing wire.Standing `json:"standing"`
	feed.Logged
}

// logged says how the publisher of rows stands to the log, if that is asked for. It comes after its file was
// read, and the head before that: rows of something newer are pending.
func (s *snapshotReply) logged(ctx context.Context, e *directory.Entry) (feed.Logged, error) {
	if s.head == nil {
		return feed.Logged{}, nil
	}
	of := notary.Speaking{Publisher: string(e.Domain), File: e.Standing.Location.URL}
	found, err := s.set.translog.Find(ctx, s.head, []notary.Speaking{of})
	if err != nil {
		return feed.Logged{}, err
	}
	return feed.LoggedOf(&found[0]), nil
}
