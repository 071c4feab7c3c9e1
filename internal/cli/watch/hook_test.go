package watch

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/webhook"
)

// hookKey is the key of RFC 8032, test 1.
var hookKey = ed25519.NewKeyFromSeed(mustBase64("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))

const hookJWK = `{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`

func mustBase64(text string) []byte {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return b
}

// hookServer answers with the given statuses, the last one for good, and keeps what it got.
type hookServer struct {
	*httptest.Server
	mu       sync.Mutex
	statuses []int
	got      []*http.Request
	bodies   [][]byte
}

func newHookServer(t *testing.T, statuses ...int) *hookServer {
	t.Helper()
	s := &hookServer{statuses: statuses}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *hookServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got, s.bodies = append(s.got, r), append(s.bodies, body)
	status := s.statuses[0]
	if len(s.statuses) > 1 {
		s.statuses = s.statuses[1:]
	}
	if status/100 == 3 {
		w.Header().Set("Location", "/elsewhere")
	}
	w.WriteHeader(status)
}

// testHook is a hook that does not pause long, with what it says.
func testHook(t *testing.T, text string) (*hook, *strings.Builder) {
	t.Helper()
	var said strings.Builder
	a := console.New(console.Env{Stdout: io.Discard, Stderr: &said})
	key, err := webhook.ParseKey([]byte(hookJWK))
	if err != nil {
		t.Fatal(err)
	}
	target, err := sources.WebhookTarget(text)
	if err != nil {
		t.Fatal(err)
	}
	h := newHook(a, target, key)
	h.pause = time.Millisecond
	t.Cleanup(h.stop)
	return h, &said
}

func testEvent(code string) *custody.NumberedEvent {
	return &custody.NumberedEvent{Event: custody.Event{Code: code, Severity: custody.Alert, At: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Publisher: "pub.example", Message: "something happened"}}
}

// verify checks a signature with nothing of the code that made it.
func verify(t *testing.T, s *hookServer, r *http.Request, body []byte) {
	t.Helper()
	sum := sha256.Sum256(body)
	if got, want := r.Header.Get("Content-Digest"), "sha-256=:"+base64.StdEncoding.EncodeToString(sum[:])+":"; got != want {
		t.Errorf("the digest is %s, want %s", got, want)
	}
	params, ok := strings.CutPrefix(r.Header.Get("Signature-Input"), "sig1=")
	form := regexp.MustCompile(`^\("@method" "@target-uri" "@authority" "content-type" "content-digest"\);created=(\d+);expires=(\d+);nonce="[A-Z2-7]{26}";keyid="kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";alg="ed25519";tag="adcp/webhook-signing/v1"$`)
	if !ok || !form.MatchString(params) {
		t.Fatalf("the input is %q", r.Header.Get("Signature-Input"))
	}
	host := strings.TrimPrefix(s.URL, "http://")
	base := fmt.Sprintf("\"@method\": POST\n\"@target-uri\": %s/hook?x=1\n\"@authority\": %s\n\"content-type\": application/json\n\"content-digest\": %s\n\"@signature-params\": %s",
		s.URL, host, r.Header.Get("Content-Digest"), params)
	text := strings.TrimSuffix(strings.TrimPrefix(r.Header.Get("Signature"), "sig1=:"), ":")
	if !ed25519.Verify(hookKey.Public().(ed25519.PublicKey), []byte(base), mustBase64(text)) {
		t.Errorf("the signature does not verify over\n%s", base)
	}
}

func TestHookSigns(t *testing.T) {
	t.Parallel()
	s := newHookServer(t, 200)
	h, said := testHook(t, s.URL+"/hook?x=1")
	h.send(testEvent("move.held"))
	h.send(testEvent("file.rollback"))
	h.stop()
	if len(s.got) != 2 || said.Len() > 0 {
		t.Fatalf("%d requests, said %q", len(s.got), said)
	}
	for i, code := range []string{"move.held", "file.rollback"} {
		verify(t, s, s.got[i], s.bodies[i])
		var doc map[string]any
		err := json.Unmarshal(s.bodies[i], &doc)
		if err != nil || doc["code"] != code || doc["severity"] != "alert" || doc["publisher"] != "pub.example" || doc["at"] != "2026-01-02T00:00:00Z" {
			t.Errorf("%v: %s", err, s.bodies[i])
		}
	}
	if a, b := s.got[0].Header.Get("Signature-Input"), s.got[1].Header.Get("Signature-Input"); a == b {
		t.Error("a nonce was used twice")
	}
}

func TestHookTriesAgain(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		statuses []int
		requests int
		said     string
	}{
		"passing":      {[]int{503, 429, 204}, 3, ""},
		"for good":     {[]int{500}, hookAttempts, "it answers 500"},
		"refused":      {[]int{403}, 1, "it answers 403"},
		"elsewhere":    {[]int{307}, 1, "redirects are not followed"},
		"not any more": {[]int{410, 200}, 1, "it answers 410"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newHookServer(t, tc.statuses...)
			h, said := testHook(t, s.URL+"/hook?x=1")
			h.send(testEvent("move.held"))
			h.stop()
			if len(s.got) != tc.requests || (tc.said == "") != (said.Len() == 0) || !strings.Contains(said.String(), tc.said) {
				t.Errorf("%d requests, said %q", len(s.got), said)
			}
			for i := range s.got {
				verify(t, s, s.got[i], s.bodies[i])
				if !bytes.Equal(s.bodies[i], s.bodies[0]) {
					t.Error("the document differs from one attempt to the next")
				}
			}
		})
	}
}

// TestHookNeverWaits: a server that is silent does not hold up the watch, and the rest is
// dropped.
func TestHookNeverWaits(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(s.Close)
	h, said := testHook(t, s.URL)
	for range hookQueue + 250 {
		h.send(testEvent("move.held"))
	}
	h.mu.Lock()
	dropped := h.dropped
	h.mu.Unlock()
	if dropped < 200 || dropped > 250 {
		t.Errorf("%d were dropped", dropped)
	}
	h.end()
	close(release)
	h.stop()
	if !strings.Contains(said.String(), "too many events wait") || !strings.Contains(said.String(), "events were not delivered") {
		t.Errorf("said %q", said)
	}
}

func TestNoHook(t *testing.T) {
	t.Parallel()
	h, err := startHook(console.New(console.Env{}), &hookFlags{})
	if h != nil || err != nil {
		t.Fatal(h, err)
	}
	h.send(testEvent("move.held"))
	h.stop()
}

func TestHookTargets(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"https://ops.example/x": true, "http://127.0.0.1:8000/x": true, "http://[::1]/x": true, "http://localhost:1/": true,
		"http://ops.example/x": false, "http://10.0.0.1/": false, "https://me@ops.example/": false, "ftp://127.0.0.1/": false,
		"https://": false, "ops.example": false, "https://ops.example/#x": false, "http://127.0.0.1.example/": false, "::": false, "https:x": false,
	} {
		_, err := sources.WebhookTarget(text)
		if (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestHookSecrets: the path and the query of a webhook often are what keeps strangers out,
// so that nothing but its host is ever said.
func TestHookSecrets(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"http://ops.example/T0/s3cret?k=s3cret":     "http://ops.example",
		"https://me:s3cret@ops.example/s3cret":      "https://ops.example",
		"https://ops.example/s3cret#s3cret":         "https://ops.example",
		"ftp://ops.example:21/s3cret":               "ftp://ops.example:21",
		"https:///s3cret":                           "--webhook is not an address with a host",
		"ops.example/s3cret":                        "--webhook is not an address with a host",
		"https:s3cret":                              "--webhook is not an address with a host",
		"https://ops.example/%zz/s3cret":            "--webhook is not an address with a host",
		"https://ops.example:s3cret/":               "--webhook is not an address with a host",
		"https://ops.example/\x00s3cret":            "--webhook is not an address with a host",
		"https://me:%zzs3cret@ops.example/s3cret":   "--webhook is not an address with a host",
		"https://me:s3cret\\@ops.example/?k=s3cret": "",
	} {
		_, err := sources.WebhookTarget(text)
		if err == nil {
			t.Errorf("%s will do", text)
			continue
		}
		if said := fmt.Sprintf("%v %+v", err, err); !strings.Contains(said, want) || strings.Contains(said, "s3cret") {
			t.Errorf("%s: %s", text, said)
		}
	}
	s := newHookServer(t, 403)
	h, said := testHook(t, s.URL+"/s3cret?k=s3cret")
	h.send(testEvent("move.held"))
	h.stop()
	if !strings.Contains(said.String(), "was not delivered to "+s.URL+": ") || strings.Contains(said.String(), "s3cret") {
		t.Errorf("said %q", said)
	}
	s.Close()
	h, said = testHook(t, s.URL+"/s3cret?k=s3cret")
	h.send(testEvent("move.held"))
	h.stop()
	if !strings.Contains(said.String(), "was not delivered to "+s.URL+": ") || strings.Contains(said.String(), "s3cret") {
		t.Errorf("said %q", said)
	}
}

func pemOf(t *testing.T, kind string, key any) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func TestSigningKeys(t *testing.T) {
	t.Parallel()
	named := strings.Replace(hookJWK, "{", `{"kid":"ops-1",`, 1)
	for name, tc := range map[string]struct{ src, id, err string }{
		"JWK":        {hookJWK, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", ""},
		"JWK, named": {" " + named + "\n", "ops-1", ""},
		"PEM":        {pemOf(t, "PRIVATE KEY", hookKey), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", ""},
		"other PEM":  {pemOf(t, "ENCRYPTED PRIVATE KEY", hookKey), "", "is not an unencrypted"},
		"broken PEM": {"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "", "cannot be read"},
		"public":     {`{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`, "", "public key"},
		"curve":      {strings.Replace(hookJWK, "Ed25519", "X25519", 1), "", "not an Ed25519 key"},
		"mixed":      {strings.Replace(hookJWK, "11qY", "12qY", 1), "", "do not belong together"},
		"short":      {strings.Replace(hookJWK, "nWGxne_9", "", 1), "", "not an Ed25519 key"},
		"kid":        {strings.Replace(hookJWK, "{", `{"kid":"a\"b",`, 1), "", "cannot be sent"},
		"text":       {"secret", "", "neither PEM nor a JWK"},
		"empty":      {"", "", "neither PEM nor a JWK"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key, err := webhook.ParseKey([]byte(tc.src))
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("the error is %v", err)
				}
				return
			}
			if err != nil || key.ID() != tc.id || key.Public().X != "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" {
				t.Errorf("%v, %v", key, err)
			}
		})
	}
}

func FuzzSigningKey(f *testing.F) {
	f.Add([]byte(hookJWK))
	f.Add([]byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		key, err := webhook.ParseKey(src)
		if err == nil && (key.ID() == "" || key.Public().X == "") {
			t.Errorf("%q gives a key that cannot sign", src)
		}
	})
}
