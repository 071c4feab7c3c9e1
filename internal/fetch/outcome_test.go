package fetch

import (
	"fmt"
	"strings"
	"testing"
)

// plainHeader begins most answers of the tests.
const plainHeader = "Content-Type: application/json\n"

// outcomeRows have an answer each, and what becomes of it.
var outcomeRows = []struct {
	name   string
	answer string
	want   Outcome
	check  func(*testing.T, *Result)
}{
	{"found", "200 nonl\n" + plainHeader + "\n{}", Found, hasBody("{}")},
	{"found empty", "200 nonl\n" + plainHeader + "\n", Found, hasBody("")},
	{"found chunked", "200 chunked nonl\n" + plainHeader + "\n{\"a\":1}", Found, hasBody(`{"a":1}`)},
	{"found gzip", "200 gzip nonl\n" + plainHeader + "\n{\"a\":1}", Found, hasBody(`{"a":1}`)},
	{"found two members", "200 gzip=members nonl\n" + plainHeader + "\n{\"a\":1}", Found, hasBody(`{"a":1}`)},
	{"found http2", "200 h2 nonl\n" + plainHeader + "\n{\"a\":1}", Found, hasBody(`{"a":1}`)},
	{"found http2 gzip", "200 h2 gzip nonl\n" + plainHeader + "\n{\"a\":1}", Found, hasBody(`{"a":1}`)},
	{"found after interim answers", "200 1xx=3 nonl\n" + plainHeader + "\n{}", Found, hasBody("{}")},
	{"found after interim answers http2", "200 h2 1xx=3 nonl\n" + plainHeader + "\n{}", Found, hasBody("{}")},
	{"identity", "200 nonl\n" + plainHeader + "Content-Encoding: identity\n\n{}", Found, hasBody("{}")},
	{"charset", "200 nonl\nContent-Type: application/json; charset=ISO-8859-1\n\n{}", Found, hasCharset("iso-8859-1")},
	{"dripping but done", "200 drip=1ms nonl\n" + plainHeader + "\n{}", Found, hasBody("{}")},
	{"exactly the limit", "200 size=5000000\n" + plainHeader + "\n{}", Found, hasSize(5_000_000)},
	{"exactly the limit http2", "200 h2 size=5000000\n" + plainHeader + "\n{}", Found, hasSize(5_000_000)},
	{"exactly the limit chunked", "200 chunked size=5000000\n" + plainHeader + "\n{}", Found, hasSize(5_000_000)},
	{"one more", "200 size=5000001\n" + plainHeader + "\n{}", TooLarge, nothingRead},
	{"one more chunked", "200 chunked size=5000001\n" + plainHeader + "\n{}", TooLarge, hasExcerpt("{}")},
	{"one more http2", "200 h2 size=5000001\n" + plainHeader + "\n{}", TooLarge, nil},
	{"bomb", "200 bomb=100MB\n" + plainHeader + "\n", TooLarge, readFewer(2_000_000)},
	{"bomb http2", "200 h2 bomb=100MB\n" + plainHeader + "\n", TooLarge, readFewer(2_000_000)},
	{"small bomb", "200 bomb=900KB\n" + plainHeader + "\n", Found, hasSize(900_000)},
	{"corrupt gzip", "200 gzip=corrupt\n" + plainHeader + "\n{}", BadEncoding, nil},
	{"cut gzip", "200 gzip=cut\n" + plainHeader + "\n{}", BadEncoding, nil},
	{"garbage after gzip", "200 gzip=garbage\n" + plainHeader + "\n{}", BadEncoding, hasExcerpt("{}")},
	{"gzip twice", "200 gzip=twice\n" + plainHeader + "\n{}", BadEncoding, nil},
	{"not gzip", "200\n" + plainHeader + "Content-Encoding: gzip\n\n{}", BadEncoding, nil},
	{"empty gzip", "200 nonl\n" + plainHeader + "Content-Encoding: gzip\n\n", BadEncoding, nil},
	{"brotli", "200\n" + plainHeader + "Content-Encoding: br\n\n{}", BadEncoding, nil},
	{"deflate", "200\n" + plainHeader + "Content-Encoding: deflate\n\n{}", BadEncoding, nil},
	{"two encoding headers", "200\n" + plainHeader + "Content-Encoding: identity\nContent-Encoding: gzip\n\n{}", BadEncoding, nil},
	{"html", "200\nContent-Type: text/html\n\n<html>", BadContentType, hasExcerpt("<html>\n")},
	{"html gzip", "200 gzip\nContent-Type: text/html\n\n<html>", BadContentType, hasExcerpt("<html>\n")},
	{"html http2", "200 h2\nContent-Type: text/html\n\n<html>", BadContentType, hasExcerpt("<html>\n")},
	{"no type", "200\n\n{}", BadContentType, hasExcerpt("{}\n")},
	{"two types", "200\n" + plainHeader + plainHeader + "\n{}", BadContentType, hasExcerpt("{}\n")},
	{"close-delimited", "200 close\n" + plainHeader + "\n{}", Incomplete, nil},
	{"short", "200 short\n" + plainHeader + "\n{}", Incomplete, hasExcerpt("{}\n")},
	{"cut", "200 cut=1\n" + plainHeader + "\n{}", Incomplete, hasExcerpt("{")},
	{"cut chunked", "200 chunked cut=1\n" + plainHeader + "\n{}", Incomplete, nil},
	{"cut gzip message", "200 gzip cut=9\n" + plainHeader + "\n{}", Incomplete, nil},
	{"cut http2", "200 h2 cut=1\n" + plainHeader + "\n{}", Incomplete, hasExcerpt("{")},
	{"reset in the body", "200 reset=1\n" + plainHeader + "\n{}", Incomplete, nil},
	{"reset in the body http2", "200 h2 reset=1\n" + plainHeader + "\n{}", Incomplete, nil},
	{"reset", "200 reset\n\n", Unreachable, nil},
	{"hang up", "200 hangup\n\n", Unreachable, nil},
	{"hang up http2", "200 h2 hangup\n\n", Unreachable, nil},
	{"reset http2", "200 h2 reset\n\n", Unreachable, nil},
	{"length and chunks", "200 cl+te\n" + plainHeader + "\n{}", BadMessage, nil},
	{"two lengths", "200 2cl\n" + plainHeader + "\n{}", BadMessage, nil},
	{"same length twice", "200 2cl=same\n" + plainHeader + "\n{}", BadMessage, nil},
	{"folded", "200 fold\n" + plainHeader + "\n{}", BadMessage, nil},
	{"NUL", "200 nulheader\n" + plainHeader + "\n{}", BadMessage, nil},
	{"large header", "200 headers=100KB\n" + plainHeader + "\n{}", BadMessage, nil},
	{"large header http2", "200 h2 headers=100KB\n" + plainHeader + "\n{}", BadMessage, nil},
	{"large but fine header", "200 headers=50KB\n" + plainHeader + "\n{}", Found, nil},
	{"endless interim answers", "200 1xx=100000\n" + plainHeader + "\n{}", BadMessage, nil},
	{"endless interim answers http2", "200 h2 1xx=100000\n" + plainHeader + "\n{}", BadMessage, nil},
	{"long trailers", "200 chunked trailers=100KB\n" + plainHeader + "\n{}", BadMessage, nil},
	{"chunk extensions", "200 chunked chunkext=100KB\n" + plainHeader + "\n{}", BadMessage, nil},
	{"bad chunk", "200 raw\nContent-Type: application/json\nTransfer-Encoding: chunked\n\nzz\n{}", BadMessage, nil},
	{"other transfer encoding", "200 raw\nContent-Type: application/json\nTransfer-Encoding: gzip, chunked\n\n2\n{}", BadMessage, nil},
	{"negative length", "200 raw\nContent-Type: application/json\nContent-Length: -1\n\n{}", BadMessage, nil},
	{"absurd length", "200 raw\nContent-Type: application/json\nContent-Length: 99999999999999999999\n\n{}", BadMessage, nil},
	{"created", "201\n" + plainHeader + "\n{}", UnexpectedStatus, hasExcerpt("{}\n")},
	{"no content", "204\n\n", UnexpectedStatus, nil},
	{"partial content", "206\n" + plainHeader + "\n{}", UnexpectedStatus, nil},
	{"choices", "300\nLocation: https://www.x.example/\n\n", UnexpectedStatus, nil},
	{"not modified unasked", "304\n\n", UnexpectedStatus, nil},
	{"use proxy", "305\nLocation: https://www.x.example/\n\n", UnexpectedStatus, nil},
	{"strange status", "999\n\n", UnexpectedStatus, nil},
	{"bad request", "400\n\nno", ClientError, hasExcerpt("no\n")},
	{"unauthorized", "401\nWWW-Authenticate: Basic realm=\"x\"\nWWW-Authenticate: Bearer\n\n", Forbidden, hasChallenge(`Basic realm="x", Bearer`)},
	{"forbidden", "403\nContent-Type: text/html\n\n<html><code>AccessDenied</code></html>", Forbidden, nil},
	{"forbidden and stalled", "403 stall=3\nContent-Type: text/html\n\n<html>", Forbidden, hasExcerpt("<ht")},
	{"object store", "403\nContent-Type: application/xml\n\n<Error><Code>AccessDenied</Code></Error>", AccessDeniedObjectStore, nil},
	{"object store http2", "403 h2 gzip\nContent-Type: application/xml\n\n<Error><Code>AccessDenied</Code></Error>", AccessDeniedObjectStore, nil},
	{"object store cut", "403 cut=32\nContent-Type: application/xml\n\n<Error><Code>AccessDenied</Code></Error>", AccessDeniedObjectStore, nil},
	{"absent", "404\nContent-Type: text/html\n\nno", Absent, hasExcerpt("no\n")},
	{"absent until the end of the connection", "404 close\n\nno", Absent, hasExcerpt("no\n")},
	{"absent with an unknown encoding", "404\nContent-Encoding: br\n\nno", Absent, hasExcerpt("no\n")},
	{"absent and stalled", "404 stall=1\n\nno", Absent, hasExcerpt("n")},
	{"absent and endless", "404 chunked size=50MB\n\nno", Absent, readFewer(100_000)},
	{"proxy authentication", "407\n\n", Forbidden, nil},
	{"gone", "410\n\n", ClientError, nil},
	{"too many", "429\nRetry-After: 1000\n\n", RateLimited, hasRetryAfter(1000)},
	{"server error", "500\n\n", ServerError, nil},
	{"unavailable", "503\nRetry-After: 7\n\n", ServerError, hasRetryAfter(7)},
	{"in the clear", "200 http\n" + plainHeader + "\n{}", TLSFailure, nil},
}

func hasBody(want string) func(*testing.T, *Result) {
	return func(t *testing.T, r *Result) {
		if string(r.Body) != want {
			t.Errorf("body %q, want %q", r.Body, want)
		}
	}
}

func hasSize(want int) func(*testing.T, *Result) {
	return func(t *testing.T, r *Result) {
		if len(r.Body) != want || r.Last().Bytes != int64(want) {
			t.Errorf("%d bytes in the body and %d on record, want %d", len(r.Body), r.Last().Bytes, want)
		}
	}
}

func hasCharset(want string) func(*testing.T, *Result) {
	return func(t *testing.T, r *Result) {
		if r.Last().Charset != want {
			t.Errorf("charset %q, want %q", r.Last().Charset, want)
		}
	}
}

func hasExcerpt(want string) func(*testing.T, *Result) {
	return func(t *testing.T, r *Result) {
		if !strings.HasPrefix(string(r.Last().Excerpt), want) || want == "" {
			t.Errorf("excerpt %q, want %q", r.Last().Excerpt, want)
		}
	}
}

func hasChallenge(want string) func(*testing.T, *Result) {
	return func(t *testing.T, r *Result) {
		if r.Last().Challenge != want {
			t.Errorf("challenge %q, want %q", r.Last().Challenge, want)
		}
	}
}

func hasRetryAfter(want float64) func(*testing.T, *Result) {
	return func(t *testing.T, r *Result) {
		if r.Last().RetryAfter.Seconds() != want {
			t.Errorf("retry after %s, want %g s", r.Last().RetryAfter, want)
		}
	}
}

func readFewer(limit int64) func(*testing.T, *Result) {
	return func(t *testing.T, r *Result) {
		if r.Last().Bytes > limit {
			t.Errorf("read %d bytes, want at most %d", r.Last().Bytes, limit)
		}
	}
}

func nothingRead(t *testing.T, r *Result) {
	if r.Last().WireBytes != 0 {
		t.Errorf("read %d bytes in spite of the content length", r.Last().WireBytes)
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	for i, row := range outcomeRows {
		fmt.Fprintf(&archive, "-- https://h%d.example/f --\n%s\n", i, row.answer)
	}
	client := clientOf(start(t, archive.String()), once, func(_ *Config, l *limits) { l.excerpt = 300e6; l.hop = 20e9; l.paceAfter = 2e9 })
	for i, row := range outcomeRows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := client.Get(t.Context(), Request{URL: fmt.Sprintf("https://h%d.example/f", i), Redirects: SameSite})
			if r.Outcome != row.want {
				t.Fatalf("got %s, want %s: %s", r.Outcome, row.want, r.Last().Explain())
			}
			if (r.Body != nil) != (r.Outcome == Found) || (r.Last().SHA256 != "") != (r.Outcome == Found) {
				t.Errorf("outcome %s with body %v and sum %q", r.Outcome, r.Body != nil, r.Last().SHA256)
			}
			if row.check != nil {
				row.check(t, r)
			}
		})
	}
}
