package fetch

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// unreliable answers with the statuses one after the other, then with 200.
func unreliable(answers ...string) (*lab, *atomic.Int32) {
	var asked atomic.Int32
	return &lab{serve: answering(func(w io.Writer, _ *http.Request) {
		n := int(asked.Add(1))
		if n <= len(answers) {
			say(w, "HTTP/1.1 "+answers[n-1]+"\r\nContent-Length: 0\r\n\r\n")
			return
		}
		say(w, okHead+"Content-Length: 2\r\n\r\n{}")
	})}, &asked
}

func TestRepetition(t *testing.T) {
	t.Parallel()
	labCertificate()
	rows := []struct {
		name     string
		answers  []string
		request  Request
		want     Outcome
		requests int32
		atLeast  time.Duration
		atMost   time.Duration
	}{
		{"no failure", nil, Request{}, Found, 1, 0, 0},
		{"one failure", []string{"503 No"}, Request{}, Found, 2, 250 * time.Millisecond, 750 * time.Millisecond},
		{"two failures", []string{"500 No", "502 No"}, Request{}, Found, 3, 750 * time.Millisecond, 2250 * time.Millisecond},
		{"three failures", []string{"500 No", "500 No", "503 No"}, Request{}, ServerError, 3, 750 * time.Millisecond, 2250 * time.Millisecond},
		{"once", []string{"503 No"}, Request{Once: true}, ServerError, 1, 0, 0},
		{"post", []string{"503 No"}, Request{Post: []byte("{}")}, ServerError, 1, 0, 0},
		{"rate limit", []string{"429 No\r\nRetry-After: 5"}, Request{}, Found, 2, 5 * time.Second, 5 * time.Second},
		{"rate limit by date", []string{"429 No\r\nRetry-After: Sat, 01 Jan 2000 00:00:07 GMT"}, Request{}, Found, 2, 7 * time.Second, 7 * time.Second},
		{"too long a pause", []string{"429 No\r\nRetry-After: 60"}, Request{}, RateLimited, 1, 0, 0},
		{"far too long a pause", []string{"503 No\r\nRetry-After: 99999999999999999999999"}, Request{}, ServerError, 1, 0, 0},
		{"request timeout", []string{"408 No"}, Request{}, Found, 2, 250 * time.Millisecond, 750 * time.Millisecond},
		{"too early", []string{"425 No"}, Request{}, Found, 2, 250 * time.Millisecond, 750 * time.Millisecond},
		{"absent", []string{"404 No"}, Request{}, Absent, 1, 0, 0},
		{"gone", []string{"410 No\r\nRetry-After: 1"}, Request{}, ClientError, 1, 0, 0},
		{"forbidden", []string{"403 No"}, Request{}, Forbidden, 1, 0, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l, asked := unreliable(row.answers...)
				begun := time.Now()
				row.request.URL = "https://pub.example/f"
				r := l.client(Config{}).Get(t.Context(), row.request)
				took := time.Since(begun)
				is(t, r, row.want)
				if asked.Load() != row.requests || len(r.Exchanges) != int(row.requests) || r.Last().Attempt != int(row.requests) {
					t.Errorf("asked %d times, %d exchanges, want %d", asked.Load(), len(r.Exchanges), row.requests)
				}
				if took < row.atLeast || took > row.atMost {
					t.Errorf("took %s, want %s to %s", took, row.atLeast, row.atMost)
				}
			})
		})
	}
}

func TestAttempts(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		for _, attempts := range []int{1, 2, 5} {
			l, asked := unreliable("500 No", "500 No", "500 No", "500 No", "500 No")
			is(t, l.client(Config{Attempts: attempts}).Get(t.Context(), Request{URL: "https://pub.example/f"}), ServerError)
			if int(asked.Load()) != attempts {
				t.Errorf("asked %d times, want %d", asked.Load(), attempts)
			}
		}
	})
}

// TestAttemptsOverRedirects has every hop fail twice before it redirects. What the
// first hop used up is not there for the second.
func TestAttemptsOverRedirects(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		l := &lab{serve: answering(func(w io.Writer, _ *http.Request) {
			n := asked.Add(1)
			if n%3 != 0 {
				say(w, "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n")
				return
			}
			say(w, fmt.Sprintf("HTTP/1.1 302 Found\r\nLocation: /%d\r\nContent-Length: 0\r\n\r\n", n))
		})}
		r := l.client(Config{}).Get(t.Context(), Request{URL: "https://pub.example/", Redirects: AdsTxt})
		is(t, r, ServerError)
		var attempts []int
		for i := range r.Exchanges {
			attempts = append(attempts, r.Exchanges[i].Attempt)
		}
		if !slices.Equal(attempts, []int{1, 2, 3, 1}) || asked.Load() != 4 {
			t.Errorf("asked %d times, attempts %v", asked.Load(), attempts)
		}
	})
}

var retryAfterRows = []struct {
	value string
	want  time.Duration
}{
	{"", 0}, {"0", 0}, {"1", time.Second}, {"120", 2 * time.Minute}, {"007", 7 * time.Second}, {"-1", 0}, {"1.5", 0}, {"1s", 0}, {"soon", 0},
	{"99999999999", maxRetryAfter}, {"99999999999999999999999999", maxRetryAfter}, {"31536000", maxRetryAfter},
	{"Sat, 01 Jan 2000 00:01:00 GMT", time.Minute}, {"Fri, 31 Dec 1999 23:59:00 GMT", 0}, {"Sat, 01 Jan 2900 00:00:00 GMT", maxRetryAfter},
	{"Saturday, 01-Jan-00 00:01:00 GMT", time.Minute}, {"Sat Jan  1 00:01:00 2000", time.Minute}, {"Sat, 01 Jan 2000 00:01:00 CET", 0},
	{"2000-01-01T00:01:00Z", 0},
}

// year2000 is the time of the rows above.
var year2000 = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func TestParseRetryAfter(t *testing.T) {
	t.Parallel()
	for _, row := range retryAfterRows {
		got := parseRetryAfter(row.value, year2000)
		if got != row.want {
			t.Errorf("%q: %s, want %s", row.value, got, row.want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, row := range retryAfterRows {
		f.Add(row.value, int64(0))
	}
	f.Fuzz(func(t *testing.T, value string, at int64) {
		got := parseRetryAfter(value, time.Unix(at%math.MaxInt32, 0))
		if got < 0 || got > maxRetryAfter {
			t.Errorf("%q: %s", value, got)
		}
		var n uint16
		_, err := fmt.Sscanf(value, "%d", &n)
		if err == nil && value == fmt.Sprint(n) && got != min(time.Duration(n)*time.Second, maxRetryAfter) {
			t.Errorf("%q: %s", value, got)
		}
	})
}
