package fetch

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
)

// wire is the body as it comes over the connection. It counts the octets, and
// keeps its own error: that of a decompressor on top of it says less.
type wire struct {
	body io.Reader
	got  atomic.Int64
	max  int64
	err  error
}

// Read implements io.Reader.
func (w *wire) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	if w.got.Add(int64(n)) > w.max {
		err = errTooLarge
	}
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}

const (
	// maxRatio is the highest ratio of compression that is believed, once more
	// than ratioAfter octets came out. JSON comes to 20, text made of one letter
	// to 1,000.
	maxRatio   = 100
	ratioAfter = 1_000_000
)

var (
	errRatio    = errors.New("the body is compressed beyond reason")
	errEncoding = errors.New("the content encoding was not offered")
)

// isGzip reads the Content-Encoding headers: gzip or nothing, and once.
func isGzip(values []string) (bool, error) {
	switch coding := strings.ToLower(trim(strings.Join(values, ","))); coding {
	case "", "identity":
		return false, nil
	case "gzip":
		return true, nil
	}
	return false, errEncoding
}

// gunzipPool keeps decompressors, whose tables are large.
var gunzipPool = sync.Pool{New: func() any { return &gunzip{buffer: bufio.NewReaderSize(nil, 16<<10)} }}

// gunzip decompresses a body. Several members in a row are treated as one body, as RFC
// 1952 has it; anything else behind a member is an error. It reads to the end of
// the wire, so that an end of gunzip is an end of the message.
type gunzip struct {
	wire   *wire
	buffer *bufio.Reader
	reader gzip.Reader
	begun  bool
	out    int64
}

func newGunzip(w *wire) *gunzip {
	z := gunzipPool.Get().(*gunzip)
	z.wire, z.begun, z.out = w, false, 0
	z.buffer.Reset(w)
	return z
}

// release hands the decompressor back. It must not be used any more.
func (z *gunzip) release() {
	z.wire = nil
	z.buffer.Reset(nil)
	gunzipPool.Put(z)
}

// Read implements io.Reader.
func (z *gunzip) Read(p []byte) (int, error) {
	if !z.begun {
		z.begun = true
		err := z.reader.Reset(z.buffer)
		if errors.Is(err, io.EOF) {
			// Not even a header: that is not the compressed form of nothing.
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return 0, err
		}
	}
	n, err := z.reader.Read(p)
	z.out += int64(n)
	if z.out > ratioAfter && z.out > maxRatio*z.wire.got.Load() {
		return n, errRatio
	}
	return n, err
}
