package fakeweb

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// answers builds an archive with one section, and a second host that speaks
// HTTP/2 with the same answer unless the words are for HTTP/1.1 alone.
func answers(status, header, body string, both bool) string {
	text := fmt.Sprintf("-- https://one.example/ --\n%s\n%s\n%s", status, header, body)
	if both {
		text += fmt.Sprintf("-- https://two.example/ --\n%s h2\n%s\n%s", status, header, body)
	}
	return text
}

func unzip(text string) (string, error) {
	zr, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		return "", err
	}
	plain, err := io.ReadAll(zr)
	return string(plain), err
}

// isTimeout accepts the errors of a client that gave up.
func isTimeout(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}

func isReset(err error) bool { return errors.Is(err, syscall.ECONNRESET) }

func says(text string) func(error) bool {
	return func(err error) bool { return err != nil && strings.Contains(err.Error(), text) }
}

func ok(err error) bool { return err == nil }

func broken(err error) bool { return err != nil && !isTimeout(err) }

func TestFaults(t *testing.T) {
	t.Parallel()
	const body = "{\"a\": 1}\n"
	truncated := func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }
	for _, tt := range []struct {
		words string
		both  bool // also in HTTP/2
		err   func(error) bool
		err2  func(error) bool // in HTTP/2, if it differs
		check func(seen) bool
	}{
		{words: "", both: true, err: ok, check: func(s seen) bool { return s.body == body && s.length == int64(len(body)) }},
		{words: "delay=30ms", both: true, err: ok, check: func(s seen) bool { return s.body == body }},
		{words: "drip=1ms", both: true, err: ok, check: func(s seen) bool { return s.body == body }},
		{words: "drip-head=1ms", err: ok, check: func(s seen) bool { return s.body == body }},
		{words: "drip=1ms chunked", err: ok, check: func(s seen) bool { return s.body == body && s.length == -1 }},
		{words: "stall", both: true, err: isTimeout},
		{words: "stall=3", both: true, err: isTimeout, check: func(s seen) bool { return s.status == 200 && s.body == body[:3] }},
		{words: "reset", both: true, err: isReset, err2: broken},
		{words: "reset=3", both: true, err: isReset, err2: broken, check: func(s seen) bool { return s.status == 200 }},
		{words: "hangup", both: true, err: says("EOF"), err2: says("INTERNAL_ERROR")},
		{words: "cut=3", both: true, err: truncated, err2: says("INTERNAL_ERROR"), check: func(s seen) bool { return s.body == body[:3] && s.length == int64(len(body)) }},
		{words: "cut=0 chunked", err: truncated, check: func(s seen) bool { return s.body == "" && s.status == 200 }},
		{words: "cut=3 close", err: ok, check: func(s seen) bool { return s.body == body[:3] && s.length == -1 }},
		{words: "close", err: ok, check: func(s seen) bool { return s.body == body && s.length == -1 }},
		{words: "chunked", err: ok, check: func(s seen) bool { return s.body == body && s.length == -1 }},
		{words: "chunked trailers=3KB chunkext=2KB", err: ok, check: func(s seen) bool { return s.body == body }},
		{words: "chunked chunkext=20KB", err: broken},
		{words: "short", err: truncated, check: func(s seen) bool { return s.body == body && s.length == int64(len(body))+10 }},
		{words: "length=4", err: ok, check: func(s seen) bool { return s.body == body[:4] }},
		{words: "cl+te", err: ok, check: func(s seen) bool { return s.body == body && s.length == -1 }},
		{words: "2cl", err: says("Content-Length")},
		{words: "2cl=same", err: ok, check: func(s seen) bool { return s.body == body }},
		{words: "gzip", both: true, err: ok, check: func(s seen) bool {
			plain, err := unzip(s.body)
			return err == nil && plain == body && s.header.Get("Content-Encoding") == "gzip"
		}},
		{words: "gzip pad=1MB", both: true, err: ok, check: func(s seen) bool {
			plain, err := unzip(s.body)
			return err == nil && len(plain) == 1_000_000+len(body) && len(s.body) < 10_000
		}},
		{words: "gzip=corrupt", both: true, err: ok, check: func(s seen) bool {
			_, err := unzip(s.body)
			return errors.Is(err, gzip.ErrChecksum)
		}},
		{words: "gzip=cut", both: true, err: ok, check: func(s seen) bool {
			_, err := unzip(s.body)
			return truncated(err)
		}},
		{words: "gzip=garbage", both: true, err: ok, check: func(s seen) bool {
			_, err := unzip(s.body)
			return err != nil && strings.HasSuffix(s.body, "garbage")
		}},
		{words: "gzip=members", both: true, err: ok, check: func(s seen) bool {
			plain, err := unzip(s.body)
			return err == nil && plain == body && strings.Count(s.body, "\x1f\x8b\x08") == 2
		}},
		{words: "gzip=twice", both: true, err: ok, check: func(s seen) bool {
			once, err := unzip(s.body)
			twice, err2 := unzip(once)
			return err == nil && err2 == nil && twice == body && s.header.Get("Content-Encoding") == "gzip, gzip"
		}},
		{words: "bomb=5MB", both: true, err: ok, check: func(s seen) bool {
			plain, err := unzip(s.body)
			return err == nil && plain == strings.Repeat("\x00", 5_000_000) && len(s.body) < 20_000
		}},
		{words: "bomb=0", both: true, err: ok, check: func(s seen) bool {
			plain, err := unzip(s.body)
			return err == nil && plain == ""
		}},
		{words: "pad=3", both: true, err: ok, check: func(s seen) bool { return s.body == "{\"a\": 1}   \n" }},
		{words: "pad=200KB chunked", err: ok, check: func(s seen) bool { return len(s.body) == 200_000+len(body) }},
		{words: "size=1MiB", both: true, err: ok, check: func(s seen) bool {
			return len(s.body) == 1<<20 && strings.HasPrefix(s.body, "{\"a\": 1} ") && strings.HasSuffix(s.body, " \n")
		}},
		{words: "headers=20KB", both: true, err: ok, check: func(s seen) bool {
			var b bytes.Buffer
			s.header.Del("Content-Length")
			s.header.Del("X-Section")
			_ = s.header.Write(&b)
			return b.Len() == 20_000
		}},
		{words: "1xx=3", both: true, err: ok, check: func(s seen) bool { return s.body == body }},
		{words: "fold", err: ok, check: func(s seen) bool { return s.header.Get("X-Folded") == "first second" }},
		{words: "nulheader", err: broken},
		{words: "nonl", both: true, err: ok, check: func(s seen) bool { return s.body == strings.TrimSuffix(body, "\n") }},
		{words: "http", err: says("server gave HTTP response to HTTPS client")},
	} {
		t.Run(tt.words, func(t *testing.T) {
			t.Parallel()
			w := start(t, answers("200 "+tt.words, "X-Section: yes\n", body, tt.both))
			c := client(t, w)
			stalls := strings.HasPrefix(tt.words, "stall")
			if stalls {
				c.Timeout = time.Second
			}
			got := get(t, c, "https://one.example/")
			if !tt.err(got.err) || tt.check != nil && !tt.check(got) {
				t.Errorf("HTTP/1.1: %+v", got)
			}
			if !tt.both {
				return
			}
			got = get(t, c, "https://two.example/")
			wanted := tt.err
			if tt.err2 != nil {
				wanted = tt.err2
			}
			if !wanted(got.err) || tt.check != nil && !tt.check(got) || got.status != 0 && got.proto != "HTTP/2.0" {
				t.Errorf("HTTP/2: %+v", got)
			}
		})
	}
}

// raw sends a request over TLS to one.example and returns every byte of the answer.
func raw(t *testing.T, w *Web, request string) string {
	t.Helper()
	const host = "one.example"
	conn, err := dialHost(t.Context(), w, host)
	if err != nil {
		t.Fatal(err)
	}
	client := tls.Client(conn, &tls.Config{RootCAs: w.Roots(), ServerName: host, MinVersion: tls.VersionTLS12})
	defer func() { _ = client.Close() }()
	_, err = io.WriteString(client, request)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(client)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestBytesOnTheWire(t *testing.T) {
	t.Parallel()
	const request = "GET / HTTP/1.1\r\nHost: one.example\r\nConnection: close\r\n\r\n"
	for _, tt := range []struct{ section, want string }{
		{"200\nX-B: 2\nx-a:1\nX-B: 3\n\nhi", "HTTP/1.1 200 OK\r\nX-B: 2\r\nx-a: 1\r\nX-B: 3\r\nContent-Length: 3\r\n\r\nhi\n"},
		{"204", "HTTP/1.1 204 No Content\r\n\r\n"},
		{"304\nETag: x", "HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n"},
		{"999\nContent-Length: 2\n\nhi", "HTTP/1.1 999 \r\nContent-Length: 2\r\n\r\nhi\n"},
		{"200 cl+te\n\nhi", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhi\n\r\n0\r\n\r\n"},
		{"200 2cl\n\nhi", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nhi\n"},
		{"200 fold", "HTTP/1.1 200 OK\r\nX-Folded: first\r\n second\r\nContent-Length: 0\r\n\r\n"},
		{"200 nulheader", "HTTP/1.1 200 OK\r\nX-Nul: before\x00after\r\nContent-Length: 0\r\n\r\n"},
		{"200 close\n\nhi", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhi\n"},
		{"200 1xx=2", "HTTP/1.1 103 Early Hints\r\nX-Early: yes\r\n\r\nHTTP/1.1 103 Early Hints\r\nX-Early: yes\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
		{"200 raw\nHTTP/1.0 200 fine\nA: b\n\nbody\n\nmore", "HTTP/1.0 200 fine\r\nA: b\r\n\r\nbody\n\nmore\n"},
		{"200 raw\nno head", "no head\n"},
		{"200 raw base64 drip=1ms\naGVs\nbG8=", "hello"},
		{"200 escaped nonl\nX: \\x1b[31m\\\\\n\n\\xef\\xbb\\xbf{\\u00e9}\\xff\\n", "HTTP/1.1 200 OK\r\nX: \x1b[31m\\\r\nContent-Length: 9\r\n\r\n\ufeff{é}\xff\n"},
		{"200 base64\n\naGVs\nbG8=", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"},
		{"200 chunked chunkext=3 trailers=20\n\nhi", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;ext=xxx\r\nhi\n\r\n0\r\nX-Trailer-0: xxxxx\r\n\r\n"},
		{"200 gzip\nContent-Encoding: br\nTransfer-Encoding: identity", "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nTransfer-Encoding: identity\r\n\r\n" + string(compress(nil))},
	} {
		w := start(t, "-- https://one.example/ --\n"+tt.section)
		if got := raw(t, w, request); got != tt.want {
			t.Errorf("%q:\n got %q\nwant %q", tt.section, got, tt.want)
		}
	}
}

// TestWindowsArchive has the line ends of another system in its frame.
func TestWindowsArchive(t *testing.T) {
	t.Parallel()
	w := start(t, "-- dns --\r\none.example 93.184.216.34\r\n-- https://one.example/ --\r\n200 nonl\r\nA: b\r\n\r\nhi\r\n")
	got := raw(t, w, "GET / HTTP/1.1\r\nHost: one.example\r\nConnection: close\r\n\r\n")
	if want := "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\nhi"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAnswersInTurn(t *testing.T) {
	t.Parallel()
	w := start(t, `
-- https://one.example/ --
503
-- https://one.example/ --
500 times=2
-- https://one.example/ --
200 times=1
-- https://two.example/ --
404
`)
	c := client(t, w)
	for i, want := range []int{503, 500, 500, 200, 200, 200} {
		if got := get(t, c, "https://one.example/"); got.status != want {
			t.Errorf("request %d: %+v, want %d", i, got, want)
		}
	}
	if got := get(t, c, "https://two.example/"); got.status != 404 {
		t.Errorf("the other host: %+v", got)
	}
}

func TestConditional(t *testing.T) {
	t.Parallel()
	const date = "Mon, 02 Jan 2006 15:04:05 GMT"
	for _, h2 := range []string{"", " h2"} {
		w := start(t, "-- https://one.example/ --\n200 conditional"+h2+"\nETag: \"a\"\nLast-Modified: "+date+"\nContent-Type: text/plain\n\nhi\n")
		c := client(t, w)
		for _, tt := range []struct {
			name, value string
			status      int
		}{
			{"If-None-Match", `"a"`, 304},
			{"If-None-Match", `"b"`, 200},
			{"If-Modified-Since", date, 304},
			{"If-Modified-Since", "Tue, 03 Jan 2006 15:04:05 GMT", 200},
			{"X-Other", "1", 200},
		} {
			got := do(t, c, http.MethodGet, "https://one.example/", http.Header{tt.name: {tt.value}}, nil)
			if got.err != nil || got.status != tt.status || got.header.Get("ETag") != `"a"` {
				t.Errorf("%s %s: %+v", tt.name, h2, got)
			}
		}
	}
}

// TestH2AddsNothing: net/http would like to.
func TestH2AddsNothing(t *testing.T) {
	t.Parallel()
	w := start(t, "-- https://one.example/ --\n200 h2\n\n<html>\n")
	got := get(t, client(t, w), "https://one.example/")
	if got.err != nil || len(got.header) != 1 || got.header.Get("Content-Length") != "7" {
		t.Errorf("%+v", got)
	}
	head := do(t, client(t, w), http.MethodHead, "https://one.example/", nil, strings.NewReader("body"))
	if head.err != nil || head.body != "" || head.proto != "HTTP/2.0" {
		t.Errorf("HEAD: %+v", head)
	}
}

// TestMisdirected: the Host header is not the host of the handshake.
func TestMisdirected(t *testing.T) {
	t.Parallel()
	w := start(t, "-- https://one.example/ --\n200\n-- https://two.example/ --\n200\n")
	got := raw(t, w, "GET / HTTP/1.1\r\nHost: two.example:99999\r\nConnection: close\r\n\r\n")
	if !strings.HasPrefix(got, "HTTP/1.1 421 ") {
		t.Errorf("got %q", got)
	}
	if r := w.Requests(); len(r) != 1 || r[0].ServerName != "one.example" {
		t.Errorf("requests: %+v", r)
	}
}

// TestKeepAlive: two requests over one connection, then rubbish.
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	w := start(t, "-- https://one.example/ --\n200\n\nhi\n")
	request := "GET / HTTP/1.1\r\nHost: one.example\r\n\r\n"
	got := raw(t, w, request+request+"rubbish\r\n\r\n")
	if strings.Count(got, "HTTP/1.1 200 OK") != 2 {
		t.Errorf("got %q", got)
	}
	got = raw(t, w, "POST / HTTP/1.1\r\nHost: one.example\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n")
	if got != "" {
		t.Errorf("got %q", got)
	}
}

// TestCloseCutsOff: nothing that is under way keeps Close from ending.
func TestCloseCutsOff(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"stall", "stall=1", "delay=1h", "drip=1h", "drip-head=1h", "drip=1h chunked", "stall h2", "stall=1 h2", "delay=1h h2", "drip=1h h2"} {
		w, err := Start([]byte("-- https://one.example/ --\n200 " + words + "\n\nhello\n"))
		if err != nil {
			t.Fatal(err)
		}
		c := client(t, w)
		done := make(chan seen)
		go func() { done <- get(t, c, "https://one.example/") }()
		for len(w.Requests()) == 0 {
			time.Sleep(time.Millisecond)
		}
		w.Close()
		if got := <-done; got.err == nil {
			t.Errorf("%s: %+v", words, got)
		}
		w.Close()
	}
}

func TestUseAfterClose(t *testing.T) {
	t.Parallel()
	w, err := Start([]byte("-- dns --\nmute.example silent\n-- tls --\nwall.example filtered\n-- https://one.example/ --\n200\n"))
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	ctx := context.Background()
	_, err = dialHost(ctx, w, "one.example")
	if err == nil {
		t.Error("dialled")
	}
	_, err = dialHost(ctx, w, "wall.example")
	if err == nil {
		t.Error("dialled through the wall")
	}
	_, err = w.LookupNetIP(ctx, "ip", "mute.example")
	if err == nil {
		t.Error("looked up")
	}
}

// TestLargeBodies: many blocks, and a rest that is not a whole one.
func TestLargeBodies(t *testing.T) {
	t.Parallel()
	w := start(t, "-- https://one.example/pad --\n200 pad=20MB\n\n{}\n-- https://one.example/bomb --\n200 bomb=20MB\n")
	c := client(t, w)
	for path, want := range map[string]int64{"pad": 20_000_003, "bomb": 20_000_000} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://one.example/"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := c.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body := io.Reader(bufio.NewReader(resp.Body))
		if path == "bomb" {
			body, err = gzip.NewReader(body)
			if err != nil {
				t.Fatal(err)
			}
		}
		n, err := io.Copy(io.Discard, body)
		if n != want || err != nil {
			t.Errorf("%s: %d bytes, %v", path, n, err)
		}
		_ = resp.Body.Close()
	}
}
