package api

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/wire"
)

// A withStatus is an answer with a status other than 200.
type withStatus interface{ httpStatus() int }

// A withHeader is an answer with headers of its own.
type withHeader interface{ httpHeader(h http.Header) }

// A prepared answer has been encoded before. The parts are written one after the other.
type prepared interface{ httpParts() [][]byte }

// A withTag is a prepared answer with an entity tag of its own.
type withTag interface{ httpTag() string }

// A passing answer has members that say only when it was given, as they are in its JSON and in
// the order in which they are there. Who has the answer but for them has it.
type passing interface{ httpMoments() []string }

// A document is an answer that is not JSON of a Go type: a file as it is.
type document struct {
	// Type is its content type; empty means that of the route.
	Type string
	Body []byte
	// Load returns the body in the place of Body, if that is not nil. It is not called for
	// somebody who has it.
	Load func() ([]byte, error)
	// ETag makes the answer conditional; empty means none. It includes the quotes.
	ETag   string
	Header http.Header
}

// tagOf returns the entity tag of an answer in its encoded form.
func tagOf(out any, parts [][]byte) string {
	if tag, ok := out.(withTag); ok {
		return tag.httpTag()
	}
	var moments []string
	if p, ok := out.(passing); ok {
		moments = p.httpMoments()
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
	if _, ok := out.(passing); ok {
		return "W/" + tag // the bytes may be others
	}
	return tag
}

// encodeOptions are those of every answer. Text from outside may hold what is not
// UTF-8, and a document shown as it is may have duplicate members: neither is a reason
// not to answer.
var encodeOptions = json.JoinOptions(
	jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true), json.Deterministic(true),
	json.FormatNilSliceAsNull(false), json.FormatNilMapAsNull(false),
)

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
	_, ok := out.(passing)
	if ok {
		cache = "no-store" // a cache would go on showing the moments of the first answer
	}
	h["Cache-Control"] = []string{cache}
	more, ok := out.(withHeader)
	if ok {
		more.httpHeader(h)
	}
	status := http.StatusOK
	other, ok := out.(withStatus)
	if ok {
		status = other.httpStatus()
	}
	switch out := out.(type) {
	case *document:
		err := out.send(rt, w, r)
		if err != nil {
			h.Set("Cache-Control", "no-store")
			a.fail(rt, w, r, err)
		}
	case streamed:
		out.httpStream(r, w)
	case prepared:
		sendTagged(rt, w, r, status, out, out.httpParts())
	default:
		a.sendAnswer(rt, w, r, status, out)
	}
}

// sendAnswer writes a value as JSON, or that it has not changed.
func (a *API) sendAnswer(rt *route, w http.ResponseWriter, r *http.Request, status int, v any) {
	b := buffers.Get().(*bytes.Buffer)
	defer release(b)
	err := json.MarshalWrite(b, v, encodeOptions)
	if err != nil {
		a.send(w, status, v) // which says so
		return
	}
	sendTagged(rt, w, r, status, v, [][]byte{b.Bytes()})
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

// cacheControl is the Cache-Control of an answer. What is read with a key is for whoever has it.
func (r *route) cacheControl() string {
	switch {
	case r.cache != "":
		return r.cache
	case !r.tagged() || r.keyed:
		return "no-store"
	case r.scope != "":
		return "private, " + askAgain
	}
	return askAgain
}

// send writes a value as JSON.
func (a *API) send(w http.ResponseWriter, status int, v any) {
	b := buffers.Get().(*bytes.Buffer)
	defer release(b)
	err := json.MarshalWrite(b, v, encodeOptions)
	if err != nil {
		// Nothing that comes in can lead here; a type that cannot be encoded can.
		a.log.Error("cannot encode an answer", "request_id", w.Header().Get("X-Request-Id"), "error", err)
		status = http.StatusInternalServerError
		b.Reset()
		b.WriteString(`{"error":"Internal server error"}`)
	}
	sendParts(w, status, [][]byte{b.Bytes()})
}

// jsonType is the content type of JSON. All answers share it: nobody adds to a list without room.
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

// send writes a document, or that it has not changed. After an error nothing was written.
func (d *document) send(rt *route, w http.ResponseWriter, r *http.Request) error {
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
	h.Set("Content-Type", cmp.Or(d.Type, rt.media))
	body = packed(w, r, body)[0]
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // the caller may have gone away
	return nil
}

// wireTimeOrNone is the time of the wire, and empty for the zero time.
func wireTimeOrNone(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return wire.API.Time(t)
}
