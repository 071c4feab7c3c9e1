package edge

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/avow-project/avow/internal/service/budget"
)

// The codings of answers, the better one first.
const (
	Zstd = "zstd"
	Gzip = "gzip"
)

// compressors are used again, since each has tables of its own.
var compressors = sync.Pool{New: func() any { return newGzip(gzip.DefaultCompression) }}

func newGzip(level int) *gzip.Writer {
	w, err := gzip.NewWriterLevel(nil, level)
	if err != nil {
		panic("there is no compression: " + err.Error())
	}
	return w
}

// zstdWindow is how far back the compressor looks: answers repeat themselves soon, and a larger
// window costs memory.
const zstdWindow = 1 << 19

// zstdEncoder is made on first use: many commands need none.
var zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithWindowSize(zstdWindow), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic("there is no compression: " + err.Error())
	}
	return e
})

func gzipped(w *gzip.Writer, parts [][]byte) []byte {
	var b bytes.Buffer
	w.Reset(&b)
	for _, part := range parts {
		_, _ = w.Write(part) // a buffer takes everything
	}
	_ = w.Close()
	return b.Bytes()
}

// GzippedWell compresses what is sent often: it may take longer.
func GzippedWell(text []byte) []byte { return gzipped(newGzip(gzip.BestCompression), [][]byte{text}) }

// compressed returns the parts of an answer in fewer bytes.
func compressed(coding string, parts [][]byte) []byte {
	if coding == Zstd {
		text := parts[0]
		if len(parts) > 1 {
			text = bytes.Join(parts, nil)
		}
		return zstdEncoder().EncodeAll(text, make([]byte, 0, len(text)/8))
	}
	w := compressors.Get().(*gzip.Writer)
	defer compressors.Put(w)
	return gzipped(w, parts)
}

// Takes reports the client's preference for a coding, 0 for not acceptable.
func Takes(r *http.Request, coding string) float64 {
	for _, line := range r.Header.Values("Accept-Encoding") {
		for field := range strings.SplitSeq(line, ",") {
			name, weight, _ := strings.Cut(field, ";")
			if !strings.EqualFold(strings.TrimSpace(name), coding) {
				continue
			}
			_, number, given := strings.Cut(weight, "=")
			if !given {
				return 1
			}
			q, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			if err != nil || !(q > 0) { // also anything but a number
				return 0
			}
			return min(q, 1)
		}
	}
	return 0
}

// countedFrom is the size from which an answer is compressed only if there is memory for that.
const countedFrom = 64 << 10

// Pack compresses an answer of at least so many bytes if the client accepts that and there is memory
// for it, and says so in its headers. An entity tag that has been set becomes a weak one then: the bytes are
// others.
func Pack(h http.Header, r *http.Request, smallest int, parts ...[]byte) [][]byte {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	coding := ""
	if size >= smallest && (size < countedFrom || budget.Spare(r.Context(), int64(size+size/2))) {
		coding = choose(h, r)
	}
	if coding == "" {
		return parts
	}
	budget.Unshared(r.Context())
	return [][]byte{compressed(coding, parts)}
}

// choose returns the coding of an answer, empty for none, and says in its headers what that
// means.
func choose(h http.Header, r *http.Request) string {
	h.Add("Vary", "Accept-Encoding")
	coding, weight := Zstd, Takes(r, Zstd)
	if other := Takes(r, Gzip); other > weight {
		coding, weight = Gzip, other
	}
	if weight == 0 {
		return ""
	}
	h.Set("Content-Encoding", coding)
	if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		h.Set("ETag", "W/"+tag)
	}
	return coding
}
