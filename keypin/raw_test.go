package keypin

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseMessage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, raw string
		opt       ParseOptions
		want      *Message
		err       string
	}{
		{
			name: "a request", raw: "POST /a?b HTTP/1.1\r\nHost: x.example\r\nContent-Type:\tapplication/json \r\n\r\n{}\r\n",
			want: &Message{Method: "POST", Target: "https://x.example/a?b", Fields: []Field{{"Host", "x.example"}, {"Content-Type", "application/json"}}, Body: []byte("{}\r\n")},
		},
		{name: "LF alone", raw: "GET / HTTP/1.0\nhost: x.example\n\n", want: &Message{Method: "GET", Target: "https://x.example/", Fields: []Field{{"host", "x.example"}}, Body: []byte{}}},
		{name: "an absolute target", raw: "GET http://x.example/ HTTP/1.1\n\n", want: &Message{Method: "GET", Target: "http://x.example/", Body: []byte{}}},
		{
			name: "scheme and authority", raw: "GET / HTTP/2\nHost: inner\n\n", opt: ParseOptions{"http", "x.example:8080"},
			want: &Message{Method: "GET", Target: "http://x.example:8080/", Authority: "x.example:8080", Body: []byte{}},
		},
		{name: "a response", raw: "HTTP/1.1 200 OK\nA: b\n\nbody", want: &Message{Status: 200, Fields: []Field{{"A", "b"}}, Body: []byte("body")}},
		{name: "a response without words", raw: "HTTP/3 204\n\n", want: &Message{Status: 204, Body: []byte{}}},
		{name: "a length", raw: "HTTP/1.1 200 OK\nContent-Length: 4\n\nbody\n", want: &Message{Status: 200, Fields: []Field{{"Content-Length", "4"}}, Body: []byte("body")}},
		{name: "nothing", raw: "", err: "line 1: the message does not begin"},
		{name: "an empty line", raw: "\nGET / HTTP/1.1\n\n", err: "line 1: the message does not begin"},
		{name: "no end", raw: "GET / HTTP/1.1\nA: b", err: "line 2: an empty line"},
		{name: "no version", raw: "GET /\n\n", err: "line 1: a message begins"},
		{name: "another version", raw: "GET / HTTP/0.9\n\n", err: "line 1: a message begins"},
		{name: "no method", raw: "G(T / HTTP/1.1\n\n", err: "line 1: a message begins"},
		{name: "no host", raw: "GET / HTTP/1.1\n\n", err: "line 1: the host"},
		{name: "two hosts", raw: "GET / HTTP/1.1\nHost: a\nHost: b\n\n", err: "line 1: the host"},
		{name: "an asterisk", raw: "OPTIONS * HTTP/1.1\nHost: a\n\n", err: "line 1: the target"},
		{name: "a bad status", raw: "HTTP/1.1 99 No\n\n", err: "line 1: the status"},
		{name: "a status in words", raw: "HTTP/1.1 OK\n\n", err: "line 1: the status"},
		{name: "a status above", raw: "HTTP/1.1 600\n\n", err: "line 1: the status"},
		{name: "a folded line", raw: "HTTP/1.1 200\nA: b\n c\n\n", err: "line 3: a field"},
		{name: "a space before the colon", raw: "HTTP/1.1 200\nA : b\n\n", err: "line 2: a field"},
		{name: "no colon", raw: "HTTP/1.1 200\nA\n\n", err: "line 2: a field"},
		{name: "a control character", raw: "HTTP/1.1 200\nA: b\rc\n\n", err: "line 2: the field A has a control"},
		{name: "a short body", raw: "HTTP/1.1 200\nContent-Length: 5\n\nbody", err: "the body has 4 bytes, Content-Length says 5"},
		{name: "a long body", raw: "HTTP/1.1 200\nContent-Length: 2\n\nbody", err: "the body has 4 bytes, Content-Length says 2"},
		{name: "two lengths", raw: "HTTP/1.1 200\nContent-Length: 4\nContent-Length: 4\n\nbody", err: "Content-Length is not one number"},
		{name: "no length", raw: "HTTP/1.1 200\nContent-Length: -1\n\nbody", err: "Content-Length is not one number"},
		{name: "chunks", raw: "HTTP/1.1 200\nTransfer-Encoding: chunked\n\n0\n", err: "the body has a Transfer-Encoding"},
		{name: "a long head", raw: "HTTP/1.1 200\nA: " + strings.Repeat("b", maxHeadBytes) + "\n\n", err: "the head of the message is too long"},
		{name: "many fields", raw: "HTTP/1.1 200\n" + strings.Repeat("A: b\n", maxFields+1) + "\n", err: "the head of the message is too long"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m, err := ParseMessage([]byte(tc.raw), tc.opt)
			var syntax *SyntaxError
			if tc.err != "" {
				if !errors.As(err, &syntax) || !strings.HasPrefix(syntax.Error(), tc.err) {
					t.Errorf("%v, want %s", err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, m); d != "" {
				t.Error(d)
			}
		})
	}
}
