package avow_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/vectors"
	"github.com/avow-project/avow/keypin"
)

// TestClientVerifies checks a message against a file on the web, with the publisher asked
// once more for a key that is not pinned.
func TestClientVerifies(t *testing.T) {
	t.Parallel()
	key := ed25519.NewKeyFromSeed(make([]byte, 32))
	pin := `, "signing_keys": [{"kid": "k1", "kty": "OKP", "crv": "Ed25519", "x": "` + base64.RawURLEncoding.EncodeToString(key[32:]) + `"}]}]}`
	client, web := webClient(t, served(wellKnown("pub.example"), strings.TrimSuffix(siteOf("pub.example"), "}]}")+pin)+served(wellKnown("open.example"), siteOf("open.example")))
	sign := func(keyid string) *keypin.Message {
		m := &keypin.Message{Method: "GET", Target: "https://buyer.example/"}
		added, err := keypin.Sign(m, keypin.Signing{KeyID: keyid, Key: key, Created: testTime(), Nonce: "KXYnfEfJ0PBRZXQyVXfVQA"})
		if err != nil {
			t.Fatal(err)
		}
		m.Fields = added
		return m
	}
	for _, tc := range []struct {
		publisher, keyid, code string
		requests               int
	}{
		{"pub.example", "k1", "signature.accepted", 1},
		{"pub.example", "k1", "signature.replayed", 2},
		{"pub.example", "k2", "pin.key_unknown", 4},
		{"open.example", "k1", "pin.unpinned", 5},
	} {
		r, err := client.Verifier().Verify(t.Context(), sign(tc.keyid), keypin.Question{Publisher: tc.publisher, Agent: agentURL})
		if err != nil || r.Code != tc.code {
			t.Errorf("%+v %v, want %s", r, err, tc.code)
		}
		if got := len(web.Requests()); got > tc.requests {
			t.Errorf("%s: %d requests", tc.code, got)
		}
	}
}

// TestClientVerifiesAnswers checks a signed response against a file on the web, and a list of
// revoked keys.
func TestClientVerifiesAnswers(t *testing.T) {
	t.Parallel()
	cases, err := vectors.PinCases()
	if err != nil {
		t.Fatal(err)
	}
	var answer, listed *vectors.PinCase
	for _, c := range cases {
		switch c.Name {
		case "answer":
			answer = c
		case "list":
			listed = c
		}
	}
	keys, err := keypin.ParseKeys(listed.JWKS)
	if err != nil {
		t.Fatal(err)
	}
	const list = "https://agent.example/.well-known/governance-revocations.json"
	web, err := fakeweb.Start([]byte(served(wellKnown("pub.example"), string(answer.File)) + served(list, string(listed.Revocations))))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	client := avow.New(avow.Config{Web: discover.Config{Client: fetch.New(fetch.Config{Network: web.Network(), Attempts: 1})}, Now: func() time.Time { return answer.At }})
	q := keypin.AnswerQuestion{
		Publisher: answer.Publisher, Agent: answer.Agent, Task: answer.Task, Brand: answer.Brand, Request: answer.Arguments, Callers: answer.Callers[:1],
		Revocations: client.Revocations(list, listed.Issuer, keys...),
	}
	for range 2 {
		r, err := client.Verifier().VerifyAnswer(t.Context(), answer.Answer, q)
		if err != nil || !r.OK() || r.Revocations == nil || r.Revocations.Issuer != listed.Issuer {
			t.Errorf("%+v %v", r, err)
		}
	}
	asked := 0
	for _, r := range web.Requests() {
		if r.URL == list {
			asked++
		}
	}
	if asked != 1 {
		t.Errorf("the list was asked for %d times", asked)
	}
	q.Revocations = client.Revocations(list+"x", listed.Issuer, keys...)
	r, err := client.Verifier().VerifyAnswer(t.Context(), answer.Answer, q)
	if err != nil || r.Code != "signature.revocation_stale" {
		t.Errorf("%+v %v", r, err)
	}
}

// TestRevocationsOverTime: a list is asked for when it is due, and one that cannot be had does
// not replace the one before.
func TestRevocationsOverTime(t *testing.T) {
	t.Parallel()
	cases, err := vectors.PinCases()
	if err != nil {
		t.Fatal(err)
	}
	lists := map[string]*vectors.PinCase{}
	for _, c := range cases {
		lists[c.Name] = c
	}
	c := lists["list"]
	keys, err := keypin.ParseKeys(c.JWKS)
	if err != nil {
		t.Fatal(err)
	}
	const url = "https://agent.example/list"
	once := func(body []byte) string {
		return "-- " + url + " --\n200 times=1\nContent-Type: application/json\n\n" + string(body) + "\n"
	}
	// Two lists in order, then an older one, then nothing.
	web, err := fakeweb.Start([]byte(once(lists["list_late"].Revocations) + once(c.Revocations) + once(lists["list_late"].Revocations) + "-- " + url + " --\n500\n"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	now := c.At
	client := avow.New(avow.Config{
		Web: discover.Config{Client: fetch.New(fetch.Config{Network: web.Network(), Attempts: 1})}, Now: func() time.Time { return now },
	})
	r := client.Revocations(url, c.Issuer, keys...)
	late, fresh := c.At.Add(-59*time.Minute-59*time.Second), c.At.Add(10*time.Minute)
	for i, step := range []struct {
		after    time.Duration
		next     time.Time
		requests int
	}{
		{0, late, 1}, {59 * time.Second, late, 1}, {time.Minute, fresh, 2}, {9 * time.Minute, fresh, 2},
		{11 * time.Minute, fresh, 3}, {11*time.Minute + 59*time.Second, fresh, 3}, {12 * time.Minute, fresh, 4}, {-time.Minute, fresh, 5},
	} {
		now = c.At.Add(step.after)
		l, err := r.Revocations(t.Context())
		if err != nil || !l.NextUpdate.Equal(step.next) || len(web.Requests()) != step.requests {
			t.Errorf("step %d: %+v %v, %d requests", i, l, err, len(web.Requests()))
		}
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	now = c.At.Add(time.Hour)
	_, err = r.Revocations(gone)
	if err == nil {
		t.Error("asked although the context had ended")
	}
}
