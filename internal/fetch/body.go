package fetch

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"slices"
)

const (
	// largeFrom is the size from which a body is large: memory is asked for before
	// more is kept, and no more is allocated on the word of a Content-Length, which
	// costs a hostile server nothing.
	largeFrom = 1_000_000
	// wireSlack is how much longer than its content a compressed body may be.
	wireSlack = 64 << 10
)

var (
	errTooLarge = errors.New("the body is larger than allowed")
	errNoEnd    = errors.New("the answer does not say where its body ends")
)

// readBody reads a complete body, decompresses it and sums it up. After a failure
// it returns what came until then.
func (a *attempt) readBody(resp *http.Response) ([]byte, error) {
	encoded, err := isGzip(resp.Header["Content-Encoding"])
	if err != nil {
		return nil, fail(BadEncoding, err)
	}
	if !saysItsEnd(resp) {
		return nil, fail(Incomplete, errNoEnd)
	}
	w := &wire{body: resp.Body, max: a.want.MaxBytes + 1}
	if encoded {
		w.max = a.want.MaxBytes + wireSlack
	}
	if resp.ContentLength >= w.max {
		return nil, fail(TooLarge, errTooLarge)
	}
	stop := a.watchPace(w)
	body, err := a.decode(w, encoded, resp.ContentLength)
	stop()
	a.WireBytes, a.Bytes = w.got.Load(), int64(len(body))
	if err != nil {
		return body, a.readFailure(w, err)
	}
	sum := sha256.Sum256(body)
	a.SHA256 = hex.EncodeToString(sum[:])
	return body, nil
}

// saysItsEnd reports whether the end of a body can be told from a connection that
// broke. An HTTP/1 body that lasts until the connection closes cannot.
func saysItsEnd(resp *http.Response) bool {
	return resp.ProtoMajor >= 2 || resp.ContentLength >= 0 || len(resp.TransferEncoding) > 0
}

// decode reads the body through a decompressor if it needs one.
func (a *attempt) decode(w *wire, encoded bool, length int64) ([]byte, error) {
	if !encoded {
		return readAll(w, a.want.MaxBytes, length, a.awaitMemory)
	}
	z := newGunzip(w)
	defer z.release()
	return readAll(z, a.want.MaxBytes, 4*length, a.awaitMemory)
}

// readFailure names the outcome of a body that could not be read.
func (a *attempt) readFailure(w *wire, err error) *failure {
	var known *failure
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, errTooLarge), errors.Is(err, errRatio):
		return fail(TooLarge, err)
	case w.err != nil:
		return bodyFailure(w.err, a.Protocol == "HTTP/2.0")
	}
	return fail(BadEncoding, err)
}

// readAll reads at most limit octets; one more is an error. expected is a hint of
// how many will come, not above zero when nothing is known. reserve is called once
// when they are said to be many, or turn out to be.
func readAll(r io.Reader, limit, expected int64, reserve func() error) ([]byte, error) {
	if expected <= 0 {
		expected = 8 << 10
	}
	reserved := expected > largeFrom
	if reserved {
		// A request that has to wait holds nothing in memory.
		err := reserve()
		if err != nil {
			return nil, err
		}
	}
	// The slack lets the end be seen without another allocation.
	buf := make([]byte, 0, min(expected, largeFrom, limit)+bytes.MinRead)
	for {
		if len(buf) == cap(buf) {
			buf = grow(buf, limit, expected)
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return buf[:limit], errTooLarge
		}
		if errors.Is(err, io.EOF) {
			err = nil
			limit = -1
		}
		if err == nil && len(buf) > largeFrom && !reserved {
			reserved, err = true, reserve()
		}
		if err != nil {
			return buf, err
		}
		if limit < 0 {
			return fit(buf), nil
		}
	}
}

// grow doubles a buffer, but stops at the sizes where something is decided. Once there is
// memory for a large body, it is given all that is expected at once.
func grow(buf []byte, limit, expected int64) []byte {
	size := 2 * int64(cap(buf))
	if cap(buf) < largeFrom {
		size = min(size, largeFrom+bytes.MinRead)
	} else {
		size = max(size, expected+bytes.MinRead)
	}
	size = min(size, limit+bytes.MinRead)
	larger := make([]byte, len(buf), size)
	copy(larger, buf)
	return larger
}

// fit gives back memory that growing left over, when it is worth a copy.
func fit(buf []byte) []byte {
	if cap(buf)-len(buf) < max(len(buf)/4, 64<<10) {
		return buf
	}
	return slices.Clone(buf)
}

// peek reads the beginning of a body that is not adopted. It is only good for
// hints, so that no error matters.
func (a *attempt) peek(resp *http.Response, n int64) []byte {
	w := &wire{body: resp.Body, max: n + wireSlack}
	encoded, err := isGzip(resp.Header["Content-Encoding"])
	var r io.Reader = w
	if err == nil && encoded {
		z := newGunzip(w)
		defer z.release()
		r = z
	}
	stop := a.watchPace(w)
	defer stop()
	body, _ := readAll(io.LimitReader(r, n), n, n, nil)
	a.WireBytes, a.Bytes = w.got.Load(), int64(len(body))
	return body
}
