package fetch

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// framed returns a server that speaks HTTP/2 just well enough to send a header
// with these fields and then a body.
func framed(body string, fields ...string) func(net.Conn) {
	return func(conn net.Conn) {
		secure := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{labCertificate()}, NextProtos: []string{"h2"}, MinVersion: tls.VersionTLS12})
		_, err := io.ReadFull(secure, make([]byte, len(http2.ClientPreface)))
		if err != nil {
			return
		}
		framer := http2.NewFramer(secure, secure)
		streams := make(chan uint32, 1)
		go func() {
			// Pipes have no buffer: somebody must read while we write.
			defer close(streams)
			for {
				frame, err := framer.ReadFrame()
				if err != nil {
					return
				}
				if frame.Header().Type == http2.FrameHeaders {
					streams <- frame.Header().StreamID
				}
			}
		}()
		err = framer.WriteSettings()
		if err != nil {
			return
		}
		for stream := range streams {
			sendFrames(framer, stream, body, fields)
		}
	}
}

// sendFrames sends an answer. The client may go away meanwhile.
func sendFrames(framer *http2.Framer, stream uint32, body string, fields []string) {
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	for i := 0; i+1 < len(fields); i += 2 {
		_ = encoder.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block.Bytes(), EndHeaders: true})
	_ = framer.WriteData(stream, true, []byte(body))
}

func TestHTTP2Messages(t *testing.T) {
	t.Parallel()
	const kind = "content-type"
	rows := []struct {
		name   string
		fields []string
		want   Outcome
	}{
		{"plain", []string{":status", "200", kind, jsonType}, Found},
		{"length", []string{":status", "200", kind, jsonType, "content-length", "2"}, Found},
		{"two lengths", []string{":status", "200", kind, jsonType, "content-length", "2", "content-length", "3"}, BadMessage},
		{"transfer encoding", []string{":status", "200", kind, jsonType, "transfer-encoding", "chunked"}, BadMessage},
		{"too long", []string{":status", "200", kind, jsonType, "content-length", "3"}, Incomplete},
		{"too short", []string{":status", "200", kind, jsonType, "content-length", "1"}, BadMessage},
		{"no status", []string{kind, jsonType}, BadMessage},
		{"signed length", []string{":status", "200", kind, jsonType, "content-length", "+2"}, BadMessage},
		{"length in words", []string{":status", "200", kind, jsonType, "content-length", "abc"}, BadMessage},
		{"length with a space", []string{":status", "200", kind, jsonType, "content-length", " 2"}, BadMessage},
		{"empty length", []string{":status", "200", kind, jsonType, "content-length", ""}, BadMessage},
		{"endless length", []string{":status", "200", kind, jsonType, "content-length", "99999999999999999999"}, BadMessage},
		{"status of four digits", []string{":status", "0200", kind, jsonType}, BadMessage},
		{"status beyond the classes", []string{":status", "1000", kind, jsonType}, BadMessage},
		{"status of two digits", []string{":status", "20", kind, jsonType}, BadMessage},
		{"status below the classes", []string{":status", "099", kind, jsonType}, BadMessage},
		{"signed status", []string{":status", "+200", kind, jsonType}, BadMessage},
		{"three digits", []string{":status", "600", kind, jsonType}, UnexpectedStatus},
		{"bad status", []string{":status", "abc", kind, jsonType}, BadMessage},
		{"NUL", []string{":status", "200", kind, jsonType, "x", "a\x00b"}, BadMessage},
		{"upper case", []string{":status", "200", kind, jsonType, "X", "a"}, BadMessage},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			l := &lab{serve: framed("{}", row.fields...)}
			r := l.client(Config{}).Get(t.Context(), Request{URL: "https://pub.example/f", Once: true})
			is(t, r, row.want)
			if r.Last().Protocol != "HTTP/2.0" {
				t.Errorf("spoke %s", r.Last().Protocol)
			}
		})
	}
}

func TestHTTP2BreaksAtOnce(t *testing.T) {
	t.Parallel()
	l := &lab{serve: func(conn net.Conn) {
		secure := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{labCertificate()}, NextProtos: []string{"h2"}, MinVersion: tls.VersionTLS12})
		_ = secure.HandshakeContext(t.Context())
	}}
	is(t, l.client(Config{}).Get(t.Context(), Request{URL: "https://pub.example/f", Once: true}), Unreachable)
}

func TestHTTP1BreaksAtOnce(t *testing.T) {
	t.Parallel()
	l := &lab{serve: func(conn net.Conn) {
		secure := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{labCertificate()}, MinVersion: tls.VersionTLS12})
		_ = secure.HandshakeContext(t.Context())
	}}
	is(t, l.client(Config{}).Get(t.Context(), Request{URL: "https://pub.example/f", Once: true}), Unreachable)
}
