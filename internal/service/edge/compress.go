package web

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// smallest is the size from which an answer is compressed: less fits in one packet anyhow.
const smallest = 1400

// compressors are used again, since each has tables of its own.
var compressors = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.DefaultCompression)
	if err != nil {
		panic("there is no compression: " + err.Error())
	}
	return w
}}

// compressed returns the text in fewer bytes.
func compressed(text []byte) []byte {
	var b bytes.Buffer
	w := compressors.Get().(*gzip.Writer)
	defer compressors.Put(w)
	w.Reset(&b)
	_, _ = w.Write(text) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// compressedWell is the same for what is compressed once and sent often: it may take longer.
func compressedWell(text []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic("there is no compression: " + err.Error())
	}
	_, _ = w.Write(text) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// takesGzip reports whether whoever asks can read what is compressed.
func takesGzip(r *http.Request) bool {
	for field := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(field, ";")
		if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
			continue
		}
		_, number, given := strings.Cut(weight, "=")
		q, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		return !given || err == nil && q > 0
	}
	return false
}

// pack compresses the answer where that is worth it, and says so in its headers.
func pack(h http.Header, r *http.Request, text []byte) []byte {
	if len(text) < smallest {
		return text
	}
	h.Add("Vary", "Accept-Encoding")
	if !takesGzip(r) {
		return text
	}
	h.Set("Content-Encoding", "gzip")
	return compressed(text)
}
