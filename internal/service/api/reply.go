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

	"github.com/avow-project/avow/internal/wire"
)

// A withStatus is an answer with a status other than 200.
type withStatus interface{ httpStatus() int }

// A withHeader is an answer with headers of its own.
type withHeader interface{ httpHeader(h http.Header) }

// A prepared answer has been encoded before. The parts are written one after the other.
type prepared interface{ httpParts() [][]byte }

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
	return `"` + hex.EncodeToString(sum[:16]) + `"`
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
		sendParts(w, status, out.httpParts())
	default:
		if rt.tagged {
			a.sendTagged(w, r, out)
			return
		}
		a.send(w, status, out)
	}
}

// sendTagged writes a value as JSON, or that it has not changed.
func (a *API) sendTagged(w http.ResponseWriter, r *http.Request, v any) {
	b := buffers.Get().(*bytes.Buffer)
	defer release(b)
	err := json.MarshalWrite(b, v, encodeOptions)
	if err != nil {
		a.send(w, http.StatusOK, v) // which says so
		return
	}
	tag := etagOf(b.Bytes())
	w.Header().Set("ETag", tag)
	if matchesETag(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	sendParts(w, http.StatusOK, [][]byte{b.Bytes()})
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
	unchanged, body := d.ETag != "" && matchesETag(r.Header.Get("If-None-Match"), d.ETag), d.Body
	if d.Load != nil && !unchanged {
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
	if d.ETag != "" {
		h.Set("ETag", d.ETag)
	}
	if unchanged {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", cmp.Or(d.Type, rt.media))
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
