package api

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
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

// A withTag is a prepared answer with an entity tag.
type withTag interface{ httpTag() string }

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

// etagOf returns an entity tag for some bytes.
func etagOf(b []byte) string {
	sum := sha256.Sum256(b)
	return etag(sum[:])
}

// etag writes a digest as an entity tag.
func etag(sum []byte) string { return `"` + hex.EncodeToString(sum[:16]) + `"` }

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
	h.Set("Cache-Control", rt.cacheControl())
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
		tag, ok := out.(withTag)
		if !ok || !unchanged(w, r, tag.httpTag()) {
			sendParts(w, status, packed(w, r, out.httpParts()...))
		}
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
	if !rt.tagged || !unchanged(w, r, etagOf(b.Bytes())) {
		sendParts(w, status, packed(w, r, b.Bytes()))
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

// unchanged sets the entity tag of an answer, and says that it has not changed to whoever has it.
func unchanged(w http.ResponseWriter, r *http.Request, etag string) bool {
	h := w.Header()
	h.Set("ETag", etag)
	same := matchesETag(r.Header.Get("If-None-Match"), etag)
	if same {
		h.Add("Vary", "Accept-Encoding") // as the answer itself may have it
		w.WriteHeader(http.StatusNotModified)
	}
	return same
}

func (r *route) cacheControl() string {
	if r.cache == "" {
		return "no-store"
	}
	return r.cache
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

// sendParts writes an encoded answer. Its length is known, so that it need not be sent
// in chunks, and a caller notices when it is cut off.
func sendParts(w http.ResponseWriter, status int, parts [][]byte) {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(n))
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
	same, body := d.ETag != "" && matchesETag(r.Header.Get("If-None-Match"), d.ETag), d.Body
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
	if d.ETag != "" && unchanged(w, r, d.ETag) {
		return nil
	}
	h.Set("Content-Type", cmp.Or(d.Type, rt.media))
	body = packed(w, r, body)[0]
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // the caller may have gone away
	return nil
}

// matchesETag reports whether a list of entity tags has one, compared weakly as
// RFC 9110 wants it for If-None-Match.
func matchesETag(list, etag string) bool {
	for tag := range strings.SplitSeq(list, ",") {
		tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
		if tag == "*" || tag == strings.TrimPrefix(etag, "W/") {
			return true
		}
	}
	return false
}

// wireTimeOrNone is the time of the wire, and empty for the zero time.
func wireTimeOrNone(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return wire.API.Time(t)
}
