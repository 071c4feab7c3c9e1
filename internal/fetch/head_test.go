package fetch

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
)

var heads = []struct {
	head string
	want error
}{
	{"HTTP/1.1 200 OK\r\n\r\n", nil},
	{"HTTP/1.1 200 OK\n\n", nil},
	{"HTTP/1.1 200\r\n\r\n", nil},
	{"HTTP/1.1 200 \r\n\r\n", nil},
	{"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n", nil},
	{"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n", nil},
	{"HTTP/1.1 200 OK\r\nX:\r\nY: a\tb\r\nZ: \xe9\r\n\r\n", nil},
	{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\n", nil},
	{"", io.EOF},
	{"HTTP/1.1 200 OK\r\n", io.ErrUnexpectedEOF},
	{"HTTP/1.1 200 OK\r\nX: y", io.ErrUnexpectedEOF},
	{"HTTP/1.1 103 Early Hints\r\n\r\n", io.EOF},
	{"\r\nHTTP/1.1 200 OK\r\n\r\n", errStatusLine},
	{"HTTP/2 200 OK\r\n\r\n", errStatusLine},
	{"HTTP/1.2 200 OK\r\n\r\n", errStatusLine},
	{"HTTP/1.1  200 OK\r\n\r\n", errStatusLine},
	{"HTTP/1.1 20 OK\r\n\r\n", errStatusLine},
	{"HTTP/1.1 2000 OK\r\n\r\n", errStatusLine},
	{"HTTP/1.1 099 OK\r\n\r\n", errStatusLine},
	{"HTTP/1.1 +20 OK\r\n\r\n", errStatusLine},
	{"http/1.1 200 OK\r\n\r\n", errStatusLine},
	{"ICY 200 OK\r\n\r\n", errStatusLine},
	{"SSH-2.0-OpenSSH\r\n\r\n", errStatusLine},
	{"HTTP/1.1 200 O\x00K\r\n\r\n", errHeaderOctet},
	{"HTTP/1.1 200 OK\r\r\n\r\n", errHeaderOctet},
	{"HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n", errHeaderOctet},
	{"HTTP/1.1 200 OK\r\nX: a\x00b\r\n\r\n", errHeaderOctet},
	{"HTTP/1.1 200 OK\r\nX: a\x7f\r\n\r\n", errHeaderOctet},
	{"HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n", errFolded},
	{"HTTP/1.1 200 OK\r\n X: a\r\n\r\n", errFolded},
	{"HTTP/1.1 200 OK\r\nX: a\r\n\tb\r\n\r\n", errFolded},
	{"HTTP/1.1 200 OK\r\nX\r\n\r\n", errFieldName},
	{"HTTP/1.1 200 OK\r\n: x\r\n\r\n", errFieldName},
	{"HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\n", errFieldName},
	{"HTTP/1.1 200 OK\r\nX\x00: y\r\n\r\n", errFieldName},
	{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n", errLengthTwice},
	{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\ncontent-length: 6\r\n\r\n", errLengthTwice},
	{"HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\n", errLengthValue},
	{"HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\n", errLengthValue},
	{"HTTP/1.1 200 OK\r\nContent-Length: 0x5\r\n\r\n", errLengthValue},
	{"HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", errLengthValue},
	{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", errLengthAndTE},
	{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", errEncodingTE},
	{"HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n", errEncodingTE},
	{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, identity\r\n\r\n", errEncodingTE},
	{"HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n\r\n", errEncodingTE},
	{"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", errEncodingTE},
	{"HTTP/1.1 101 Switching Protocols\r\n\r\n", errSwitched},
	{"HTTP/1.1 103 Early Hints\r\nX: a\r\n b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", errFolded},
	{"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("a", maxHead) + "\r\n\r\n", errHeadTooLarge},
	{"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("a", 60_000) + "\r\n\r\n", nil},
	{strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 3000) + "HTTP/1.1 200 OK\r\n\r\n", errHeadTooLarge},
}

func TestReadHead(t *testing.T) {
	t.Parallel()
	for _, row := range heads {
		for _, r := range []io.Reader{strings.NewReader(row.head), iotest.OneByteReader(strings.NewReader(row.head))} {
			head, err := readHead(bufio.NewReader(r), maxHead)
			if !errors.Is(err, row.want) || (err == nil) != (row.want == nil) {
				t.Errorf("%.60q: %v, want %v", row.head, err, row.want)
			}
			if err == nil && !strings.HasSuffix(row.head, string(head)) {
				t.Errorf("%.60q: got %q", row.head, head)
			}
		}
	}
}

func FuzzResponseHead(f *testing.F) {
	for _, row := range heads {
		if len(row.head) < 1000 {
			f.Add([]byte(row.head))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		head, err := readHead(bufio.NewReader(bytes.NewReader(raw)), maxHead)
		if err != nil {
			return
		}
		if len(head) > maxHead || bytes.IndexByte(head, 0) >= 0 {
			t.Errorf("%q passes", head)
		}
		resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(head)), nil)
		if err != nil {
			return // is refused later
		}
		defer func() { _ = resp.Body.Close() }()
		status, err := checkHead(head)
		if err != nil || status != resp.StatusCode {
			t.Errorf("%q: status %d here, %d elsewhere, %v", head, status, resp.StatusCode, err)
		}
		folded := bytes.Contains(head, []byte("\n ")) || bytes.Contains(head, []byte("\n\t"))
		lower := bytes.ToLower(head)
		both := bytes.Contains(lower, []byte("\ncontent-length:")) && bytes.Contains(lower, []byte("\ntransfer-encoding:"))
		if folded || both || bytes.Count(lower, []byte("\ncontent-length:")) > 1 {
			t.Errorf("%q passes", head)
		}
	})
}

func TestReadAllGrows(t *testing.T) {
	t.Parallel()
	asked := 0
	noRoom := func() error {
		asked++
		return nil
	}
	for _, size := range []int{0, 1, 511, 512, 8191, 8192, 8193, 70_000, 999_999, 1_000_000, 1_000_001, 1_000_512, 1 << 20, 3_000_000} {
		content := bytes.Repeat([]byte("x"), size)
		for _, expected := range []int64{-1, 0, 1, int64(size), 1 << 40} {
			asked = 0
			got, err := readAll(bytes.NewReader(content), 3_000_000, expected, noRoom)
			if err != nil || !bytes.Equal(got, content) || cap(got) > max(2*size, size+70_000) || (asked == 1) != (max(int64(size), expected) > largeFrom) {
				t.Errorf("%d octets, %d expected: %d read, capacity %d, %v", size, expected, len(got), cap(got), err)
			}
			if size == 0 {
				continue
			}
			got, err = readAll(bytes.NewReader(content), int64(size)-1, expected, noRoom)
			if !errors.Is(err, errTooLarge) || len(got) != size-1 {
				t.Errorf("%d octets, one less allowed: %d, %v", size, len(got), err)
			}
		}
	}
	_, err := readAll(iotest.ErrReader(io.ErrUnexpectedEOF), 10, 10, noRoom)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}
