package fetch

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// drip sends s one octet at a time.
func drip(w io.Writer, s string, pause time.Duration) {
	for i := range len(s) {
		if !say(w, s[i:i+1]) {
			return
		}
		time.Sleep(pause)
	}
}

// forever sends s again and again.
func forever(w io.Writer, s string, pause time.Duration) {
	for say(w, s) {
		time.Sleep(pause)
	}
}

// stalled answers with s and then says nothing more.
func stalled(s string) func(net.Conn) {
	return answering(func(w io.Writer, _ *http.Request) {
		say(w, s)
		silence(w.(net.Conn))
	})
}

// slow are networks that make a client wait, with the time it may take.
var slow = []struct {
	name  string
	lab   *lab
	hop   time.Duration
	limit time.Duration
	cause string
}{
	{"name server", &lab{lookup: func(ctx context.Context, _ string) ([]netip.Addr, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}, 0, 5 * time.Second, ""},
	{"connection", &lab{dial: func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}, 0, 5 * time.Second, ""},
	{"handshake", &lab{serve: silence}, time.Minute, 10 * time.Second, "handshake"},
	{"handshake within an exchange", &lab{serve: silence}, 0, 10 * time.Second, ""},
	{"header", &lab{serve: stalled("")}, time.Minute, 10 * time.Second, "header"},
	{"half a header", &lab{serve: stalled(okHead)}, time.Minute, 10 * time.Second, "header"},
	{"slow header", &lab{serve: answering(func(w io.Writer, _ *http.Request) {
		drip(w, okHead, time.Second)
	})}, time.Minute, 10 * time.Second, "header"},
	{"slow interim answers", &lab{serve: answering(func(w io.Writer, _ *http.Request) {
		forever(w, "HTTP/1.1 103 Early Hints\r\n\r\n", time.Second)
	})}, time.Minute, 10 * time.Second, "header"},
	{"no body", &lab{serve: stalled(okHead + "Content-Length: 5\r\n\r\n")}, 0, 5 * time.Second, "slowly"},
	{"slow body", &lab{serve: answering(func(w io.Writer, _ *http.Request) {
		say(w, okHead+"Content-Length: 1000000\r\n\r\n")
		forever(w, strings.Repeat("x", 90), 100*time.Millisecond)
	})}, time.Minute, 5 * time.Second, "slowly"},
	{"fast and then slow body", &lab{serve: answering(func(w io.Writer, _ *http.Request) {
		say(w, okHead+"Content-Length: 1000000\r\n\r\n"+strings.Repeat("x", 20_000))
		silence(w.(net.Conn))
	})}, time.Minute, 20 * time.Second, "slowly"},
	{"long body", &lab{serve: answering(func(w io.Writer, _ *http.Request) {
		say(w, okHead+"Content-Length: 1000000\r\n\r\n")
		forever(w, strings.Repeat("x", 200), 100*time.Millisecond)
	})}, 0, 10 * time.Second, "one exchange"},
	{"long chunked body", &lab{serve: answering(func(w io.Writer, _ *http.Request) {
		say(w, okHead+"Transfer-Encoding: chunked\r\n\r\n")
		forever(w, "40\r\n"+strings.Repeat("x", 64)+"\r\n", 20*time.Millisecond)
	})}, 0, 10 * time.Second, "one exchange"},
	{"everything a little", &lab{
		lookup: func(context.Context, string) ([]netip.Addr, error) {
			time.Sleep(4 * time.Second)
			return []netip.Addr{labAddr}, nil
		},
		serve: func(conn net.Conn) {
			time.Sleep(4 * time.Second)
			stalled("")(conn)
		},
	}, 0, 10 * time.Second, "one exchange"},
}

func TestSlow(t *testing.T) {
	t.Parallel()
	for _, row := range slow {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			labCertificate()
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				client := row.lab.client(Config{HopTimeout: row.hop, Budget: time.Hour})
				r := client.Get(t.Context(), Request{URL: "https://pub.example/f", Once: true})
				is(t, r, Timeout)
				took := time.Since(begun)
				if took < row.limit || took > row.limit*12/10 {
					t.Errorf("took %s, want %s", took, row.limit)
				}
				if !strings.Contains(r.Last().Detail, row.cause) {
					t.Errorf("cause %q, want %q", r.Last().Detail, row.cause)
				}
				if r.Last().Timings.Total != took {
					t.Errorf("%s on record, took %s", r.Last().Timings.Total, took)
				}
				time.Sleep(time.Minute) // for the servers to notice
			})
		})
	}
}

func TestBudgetCoversRepetitions(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l := &lab{serve: stalled("")}
		begun := time.Now()
		r := l.client(Config{Budget: 25 * time.Second}).Get(t.Context(), Request{URL: "https://pub.example/f"})
		is(t, r, Timeout)
		took := time.Since(begun)
		if took < 25*time.Second || took > 26*time.Second {
			t.Errorf("took %s", took)
		}
		if len(r.Exchanges) != 3 || r.Last().Attempt != 3 || !strings.Contains(r.Last().Detail, "including retries") {
			t.Errorf("%d exchanges, the last: %s", len(r.Exchanges), r.Last().Explain())
		}
	})
}

func TestCallerGivesUp(t *testing.T) {
	t.Parallel()
	labCertificate()
	rows := []struct {
		name string
		lab  *lab
	}{
		{"lookup", slow[0].lab}, {"connection", slow[1].lab}, {"handshake", &lab{serve: silence}},
		{"header", &lab{serve: stalled("")}}, {"body", &lab{serve: stalled(okHead + "Content-Length: 5\r\n\r\n")}},
		{"pause", &lab{serve: saying("HTTP/1.1 503 No\r\nContent-Length: 0\r\nRetry-After: 20\r\n\r\n")}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				for _, post := range [][]byte{nil, []byte("{}")} {
					giveUp(t, row.lab, post)
				}
			})
		})
	}
}

// giveUp cancels one request after two seconds and lets the time of another run
// out.
func giveUp(t *testing.T, l *lab, post []byte) {
	t.Helper()
	client := l.client(Config{})
	begun := time.Now()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(2*time.Second, cancel)
	r := client.Get(ctx, Request{URL: "https://pub.example/f", Post: post})
	if r.Last().Status == 0 {
		is(t, r, Cancelled)
	}
	if time.Since(begun) > 2*time.Second {
		t.Errorf("took %s to notice", time.Since(begun))
	}
	ctx, cancel = context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	r = client.Get(ctx, Request{URL: "https://pub.example/f", Post: post})
	if r.Last().Status == 0 {
		is(t, r, Timeout)
	}
	if time.Since(begun) > 4*time.Second {
		t.Errorf("took %s to notice", time.Since(begun))
	}
	<-ctx.Done()
	is(t, client.Get(ctx, Request{URL: "https://pub.example/f", Post: post}), Timeout)
}

func TestSlowHTTP2(t *testing.T) {
	t.Parallel()
	web := start(t, `
-- https://stall.example/f --
200 h2 stall

-- https://body.example/f --
200 h2 stall=1
Content-Type: application/json

{}
-- https://drip.example/f --
200 h2 drip=50ms
Content-Type: application/json

{"a": "0123456789012345678901234567890123456789"}
`)
	client := clientOf(web, once, func(_ *Config, l *limits) { l.header, l.paceAfter = time.Second, 500*time.Millisecond })
	for host, limit := range map[string]time.Duration{"stall": time.Second, "body": 500 * time.Millisecond, "drip": 500 * time.Millisecond} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			begun := time.Now()
			is(t, client.Get(t.Context(), Request{URL: "https://" + host + ".example/f"}), Timeout)
			took := time.Since(begun)
			// These run on the real clock of a machine that may be busy.
			if took < limit {
				t.Errorf("took %s, want %s", took, limit)
			}
		})
	}
}

func TestOldTLS(t *testing.T) {
	t.Parallel()
	l := &lab{serve: func(conn net.Conn) {
		secure := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{labCertificate()}, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11})
		_ = secure.HandshakeContext(context.Background())
	}}
	is(t, l.client(Config{Attempts: 1}).Get(t.Context(), Request{URL: "https://pub.example/f"}), TLSFailure)
}
