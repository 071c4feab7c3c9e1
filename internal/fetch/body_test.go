package fetch

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// gz compresses a text.
func gz(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, text)
	if err != nil {
		t.Fatal(err)
	}
	err = w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestCutAnywhere breaks a good answer off at every octet. The text stays valid
// JSON when its end is cut, so that only the framing can tell.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	text := "12345678"
	packed := gz(t, text)
	for name, full := range map[string]string{
		"length":  okHead + "Content-Length: 8\r\n\r\n" + text,
		"chunked": okHead + "Transfer-Encoding: chunked\r\n\r\n4\r\n1234\r\n4\r\n5678\r\n0\r\n\r\n",
		"gzip":    okHead + "Content-Encoding: gzip\r\nContent-Length: " + strconv.Itoa(len(packed)) + "\r\n\r\n" + packed,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for end := range len(full) + 1 {
				l := &lab{serve: saying(full[:end])}
				r := l.client(Config{}).Get(t.Context(), Request{URL: "https://pub.example/f", Once: true})
				if end == len(full) {
					is(t, r, Found)
					continue
				}
				if r.Outcome != Incomplete && r.Outcome != Unreachable || r.Body != nil {
					t.Errorf("cut after %d octets: %s", end, r.Last().Explain())
				}
			}
		})
	}
}

func TestEndlessBodies(t *testing.T) {
	t.Parallel()
	empty := gz(t, "")
	zeros := gz(t, strings.Repeat("x", 1<<20))
	rows := map[string]struct{ head, again string }{
		"plain":             {"Content-Length: 99999999999\r\n\r\n", "x"},
		"chunks":            {"Transfer-Encoding: chunked\r\n\r\n", "400\r\n" + strings.Repeat("x", 1024) + "\r\n"},
		"empty members":     {"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n", strconv.FormatInt(int64(100*len(empty)), 16) + "\r\n" + strings.Repeat(empty, 100) + "\r\n"},
		"members of zeros":  {"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n", strconv.FormatInt(int64(len(zeros)), 16) + "\r\n" + zeros + "\r\n"},
		"lying about gzip":  {"Content-Encoding: gzip\r\nContent-Length: 99999999999\r\n\r\n", "x"},
		"small chunks only": {"Transfer-Encoding: chunked\r\n\r\n", strings.Repeat("1\r\nx\r\n", 1000)},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &lab{serve: answering(func(w io.Writer, _ *http.Request) {
				say(w, okHead+row.head)
				forever(w, row.again, 0)
			})}
			r := l.client(Config{}).Get(t.Context(), Request{URL: "https://pub.example/f", Once: true, MaxBytes: 200_000})
			if r.Outcome != TooLarge && r.Outcome != BadMessage {
				t.Fatal(r.Last().Explain())
			}
			if r.Last().WireBytes > 500_000 || r.Last().Bytes > 200_000 {
				t.Errorf("read %d octets, kept %d", r.Last().WireBytes, r.Last().Bytes)
			}
		})
	}
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"": "plain", "identity": "plain", "Identity": "plain", "gzip": "gzip", "GZIP": "gzip", " gzip ": "gzip",
		"x-gzip": "error", "gzip, gzip": "error", "gzip,identity": "error", "br": "error", "gzip;q=1": "error", "gzip,": "error",
	} {
		encoded, err := isGzip([]string{value})
		got := map[bool]string{false: "plain", true: "gzip"}[encoded]
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}

// TestNoProxy sets the variables that programs take a proxy from.
func TestNoProxy(t *testing.T) { //nolint:paralleltest // the environment is that of the process
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "HTTP_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:9")
	}
	for _, serve := range []*lab{
		{serve: saying(okHead + "Content-Length: 2\r\n\r\n{}")},
		{serve: framed("{}", ":status", "200", "content-type", jsonType)},
	} {
		is(t, serve.client(Config{}).Get(t.Context(), Request{URL: "https://pub.example/f", Once: true}), Found)
	}
}
