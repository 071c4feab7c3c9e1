// Package webhook sends signed documents to URLs that third parties have chosen.
package webhook

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/netguard"
)

// Timeout limits one attempt.
const Timeout = 10 * time.Second

// mostRead is how much of an answer is read.
const mostRead = 64 << 10

// NewClient returns a client for attempts. It uses no proxy and follows no redirect. With a guard
// it connects to public addresses alone.
func NewClient(guard *netguard.Guard) *http.Client {
	t := &http.Transport{MaxIdleConnsPerHost: 1, MaxIdleConns: 64, IdleConnTimeout: time.Minute,
		MaxResponseHeaderBytes: mostRead}
	if guard != nil {
		t.TLSClientConfig = &tls.Config{RootCAs: guard.Roots(), MinVersion: tls.VersionTLS12}
		t.DialContext = func(ctx context.Context, _, address string) (net.Conn, error) {
			host, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			number, err := strconv.ParseUint(port, 10, 16)
			if err != nil {
				return nil, err
			}
			addrs, err := guard.Resolve(ctx, host)
			if err != nil {
				return nil, err
			}
			conn, _, err := guard.DialHost(ctx, host, addrs, uint16(number))
			return conn, err
		}
	}
	return &http.Client{Timeout: Timeout, Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// A StatusError is an answer that is not a success.
type StatusError struct{ Status int }

// Error says what was answered.
func (e *StatusError) Error() string {
	if e.Status/100 == 3 {
		return fmt.Sprintf("it answers %d, and redirects are not followed", e.Status)
	}
	return fmt.Sprintf("it answers %d", e.Status)
}

// Passing reports whether another attempt with the same document makes sense after an error.
func Passing(err error) bool {
	var e *StatusError
	if !errors.As(err, &e) {
		return true
	}
	return e.Status >= 500 || e.Status == http.StatusTooManyRequests || e.Status == http.StatusRequestTimeout
}

// Post sends a JSON document once. The error is a *StatusError when there was an answer.
func Post(ctx context.Context, client *http.Client, target string, key *Key, body []byte, now time.Time) error {
	_, err := post(ctx, client, target, key, body, now)
	return err
}

// ErrChallenge is the error of a receiver that answers a challenge with something else.
var ErrChallenge = errors.New("it does not repeat the challenge")

// Challenge asks a receiver to confirm that it wants documents: it gets a random text, which its
// answer has to repeat. The error is ErrChallenge or one of Post.
func Challenge(ctx context.Context, client *http.Client, target string, key *Key, now time.Time) error {
	text := rand.Text()
	got, err := post(ctx, client, target, key, []byte(`{"type":"webhook.challenge","challenge":"`+text+`"}`), now)
	if err != nil {
		return err
	}
	var answer struct {
		Challenge string `json:"challenge"`
	}
	err = json.Unmarshal(got, &answer)
	if err != nil || answer.Challenge != text {
		return ErrChallenge
	}
	return nil
}

// post sends a document, and returns the beginning of the answer if it is a success.
func post(ctx context.Context, client *http.Client, target string, key *Key, body []byte,
	now time.Time) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "avow/"+buildinfo.Get().Version)
	err = key.Sign(r, body, now)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(r)
	if err != nil {
		var outer *url.Error
		if errors.As(err, &outer) {
			err = outer.Err // its text has the URL, which may not be for everybody
		}
		return nil, err
	}
	answer, _ := io.ReadAll(io.LimitReader(resp.Body, mostRead)) // a document arrived, whatever happens now
	_ = resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return nil, &StatusError{resp.StatusCode}
	}
	return answer, nil
}
