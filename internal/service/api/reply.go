package api

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"log/slog"
	"net/http"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
)

// tagOf returns the entity tag of an answer in its encoded form.
func tagOf(out any, parts [][]byte) string {
	tagged, ok := out.(ops.WithTag)
	if ok && tagged.HTTPTag() != "" {
		return tagged.HTTPTag()
	}
	var moments []string
	if p, ok := out.(ops.Passing); ok {
		moments = p.HTTPMoments()
	}
	sum := sha256.New()
	for _, part := range parts {
		for len(moments) > 0 {
			before, after, found := bytes.Cut(part, []byte(moments[0]))
			if !found {
				break
			}
			sum.Write(before)
			part, moments = after, moments[1:]
		}
		sum.Write(part)
	}
	tag := edge.Tag(sum.Sum(nil))
	if _, ok := out.(ops.Passing); ok {
		return "W/" + tag // the bytes may be others
	}
	return tag
}

// buffers of answers are used again, since most are of similar size. Large ones are left
// to the garbage collector.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const largestKeptBuffer = 256 << 10

func release(b *bytes.Buffer) {
	if b.Cap() <= largestKeptBuffer {
		b.Reset()
		buffers.Put(b)
	}
}

// reply answers with what a route returned.
func (a *API) reply(rt *route, w http.ResponseWriter, r *http.Request, out any) {
	h := w.Header()
	cache := rt.cacheControl()
	_, ok := out.(ops.Passing)
	if ok {
		cache = "no-store" // a cache would go on showing the moments of the first answer
	}
	h["Cache-Control"] = []string{cache}
	more, ok := out.(ops.WithHeader)
	if ok {
		more.HTTPHeader(h)
	}
	status := http.StatusOK
	other, ok := out.(ops.WithStatus)
	if ok {
		status = other.HTTPStatus()
	}
	switch out := out.(type) {
	case *ops.Document:
		err := sendDocument(out, rt, w, r)
		if err != nil {
			h.Set("Cache-Control", "no-store")
			a.fail(rt, w, r, err)
		}
	case ops.Streamed:
		out.HTTPStream(r, w)
	case ops.Prepared:
		sendTagged(rt, w, r, status, out, out.HTTPParts())
	default:
		a.sendAnswer(rt, w, r, status, out)
	}
}

// sendAnswer writes a value as JSON, or that it has not changed.
func (a *API) sendAnswer(rt *route, w http.ResponseWriter, r *http.Request, status int, v any) {
	p := pieces{first: buffers.Get().(*bytes.Buffer)}
	defer release(p.first)
	err := json.MarshalWrite(&p, v, ops.EncodeOptions)
	if err != nil {
		a.send(w, status, v) // which says so
		return
	}
	sendTagged(rt, w, r, status, v, append([][]byte{p.first.Bytes()}, p.rest...))
}

// pieces collect an answer. One that is larger than a buffer that is used again is never copied to
// make room for the rest of it.
type pieces struct {
	first *bytes.Buffer
	rest  [][]byte
}

// Write implements io.Writer.
func (p *pieces) Write(b []byte) (int, error) {
	last := len(p.rest) - 1
	switch {
	case last < 0 && p.first.Len()+len(b) <= largestKeptBuffer:
		return p.first.Write(b)
	case last < 0 || len(p.rest[last])+len(b) > cap(p.rest[last]):
		p.rest = append(p.rest, append(make([]byte, 0, max(largestKeptBuffer, len(b))), b...))
	default:
		p.rest[last] = append(p.rest[last], b...)
	}
	return len(b), nil
}

// sendTagged writes an answer in its encoded form, or that it has not changed.
func sendTagged(rt *route, w http.ResponseWriter, r *http.Request, status int, out any, parts [][]byte) {
	if !rt.tagged() || !edge.Unchanged(w, r, tagOf(out, parts)) {
		sendParts(w, status, packed(w, r, parts...))
	}
}

// smallestPacked is the size from which an answer is compressed: what is smaller fits into what a
// new connection sends without waiting.
const smallestPacked = 10 << 10

// packed compresses an answer where that is worth it.
func packed(w http.ResponseWriter, r *http.Request, parts ...[]byte) [][]byte {
	return edge.Pack(w.Header(), r, smallestPacked, parts...)
}

// askAgain lets caches keep an answer if they ask each time whether it has changed.
const askAgain = "no-cache"

// cacheControl is the Cache-Control of an answer. An answer read with a key is private.
func (r *route) cacheControl() string {
	switch {
	case r.Cache != "":
		return r.Cache
	case !r.tagged() || r.Keyed:
		return "no-store"
	case r.Scope != "":
		return "private, " + askAgain
	}
	return askAgain
}

// send writes a value as JSON.
func (a *API) send(w http.ResponseWriter, status int, v any) {
	b := buffers.Get().(*bytes.Buffer)
	defer release(b)
	err := json.MarshalWrite(b, v, ops.EncodeOptions)
	if err != nil {
		// Nothing that comes in can lead here; a type that cannot be encoded can.
		a.log.Error("cannot encode an answer", "request_id", w.Header().Get("X-Request-Id"), "error", err)
		status = http.StatusInternalServerError
		b.Reset()
		b.WriteString(`{"error":"Internal server error"}`)
	}
	sendParts(w, status, [][]byte{b.Bytes()})
}

// jsonType is the content type of JSON. All answers share it: appending to a full slice copies it.
var jsonType = []string{"application/json"}

// sendParts writes an encoded answer. Its length is known, so that it need not be sent
// in chunks, and a caller notices when it is cut off.
func sendParts(w http.ResponseWriter, status int, parts [][]byte) {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	h := w.Header()
	// In the canonical form of package http, so that it need not be found each time.
	h["Content-Type"] = jsonType
	h["Content-Length"] = []string{strconv.Itoa(n)}
	w.WriteHeader(status)
	for _, p := range parts {
		_, err := w.Write(p)
		if err != nil {
			return // the caller has gone away
		}
	}
}

// sendDocument writes a document, or that it has not changed. After an error nothing was written.
func sendDocument(d *ops.Document, rt *route, w http.ResponseWriter, r *http.Request) error {
	same, body := d.ETag != "" && edge.MatchesTag(r.Header.Get("If-None-Match"), d.ETag), d.Body
	if d.Load != nil && !same {
		var err error
		body, err = d.Load()
		if err != nil {
			return err
		}
	}
	h := w.Header()
	for name, values := range d.Header {
		h[name] = values
	}
	if d.ETag != "" && edge.Unchanged(w, r, d.ETag) {
		return nil
	}
	h.Set("Content-Type", cmp.Or(d.Type, rt.Media))
	body = packed(w, r, body)[0]
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // the caller may have gone away
	return nil
}

// fail answers with an error. What is none of the caller's business is for the operator
// alone; a client that has gone away is not an error.
func (a *API) fail(rt *route, w http.ResponseWriter, r *http.Request, err error) {
	shown, id := edge.Problem(err), w.Header().Get("X-Request-Id")
	switch {
	case shown == edge.Internal:
		level := slog.LevelError
		if r.Context().Err() != nil {
			level = slog.LevelDebug
		}
		a.log.Log(r.Context(), level, "internal error", "route", rt.method+" "+rt.path, "request_id", id, "error", err)
	case shown.Kind == registry.Unavailable:
		// The caller is told to come back; the operator is told why.
		a.log.WarnContext(r.Context(), "unavailable", "code", shown.Code, "request_id", id, "error", err)
	}
	a.tell(rt, w, shown, ops.ExtrasOf(err))
}

// tell writes what is wrong. rt is nil where there is no route.
func (a *API) tell(rt *route, w http.ResponseWriter, e *registry.Error, extras ops.ErrorExtras) {
	status, body := edge.Answer(w.Header(), e)
	if rt != nil && rt.Enveloped {
		body.Envelop(a.now())
	}
	a.send(w, status, &errorBody{body, extras})
}
