package keypin

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/tls"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/remitly-oss/httpsig-go"
	"github.com/remitly-oss/httpsig-go/keyman"
	"pgregory.net/rapid"
)

// otherRequest is a message as the other implementation takes it. It tells the scheme by
// the connection.
func otherRequest(m *Message) (*http.Request, error) {
	req, err := http.NewRequest(m.Method, m.Target, bytes.NewReader(m.Body))
	if err == nil && strings.HasPrefix(m.Target, "https:") {
		req.TLS = new(tls.ConnectionState)
	}
	return req, err
}

// otherVerify asks another implementation of RFC 9421.
func otherVerify(m *Message, covered []string, algo httpsig.Algorithm, pub crypto.PublicKey) bool {
	req, err := otherRequest(m)
	if err != nil {
		return false
	}
	for _, f := range m.Fields {
		req.Header.Add(f.Name, f.Value)
	}
	keys := keyman.NewKeyFetchInMemory(map[string]httpsig.KeySpec{"k1": {KeyID: "k1", Algo: algo, PubKey: pub}})
	r, err := httpsig.Verify(req, keys, httpsig.VerifyProfile{
		SignatureLabel: "sig1", RequiredFields: httpsig.Fields(covered...), AllowedAlgorithms: []httpsig.Algorithm{algo}, DisableTimeEnforcement: true,
	})
	return err == nil && r.Verified
}

// drawMessage makes a request with a few fields. Paths have no percent signs, which the
// other implementation decodes.
func drawMessage(t *rapid.T) *Message {
	path := rapid.StringMatching(`(/[a-z0-9._~-]{0,5}){1,3}`).Draw(t, "path")
	query := rapid.SampledFrom([]string{"", "?a=1", "?a=1&b=%20x&c", "?q=a+b"}).Draw(t, "query")
	m := &Message{
		Method: rapid.SampledFrom([]string{"GET", "POST", "DELETE"}).Draw(t, "method"),
		Target: rapid.SampledFrom([]string{"https://x.example", "http://x.example", "https://y.example:8443"}).Draw(t, "host") + path + query,
		Body:   rapid.SliceOfN(rapid.Byte(), 1, 50).Draw(t, "body"),
	}
	m.Fields = []Field{{"Content-Type", "text/plain"}, {"Content-Digest", digestOf(m.Body)}}
	for _, name := range []string{"X-One", "X-Two"} {
		m.Fields = append(m.Fields, Field{name, rapid.StringMatching(`[!-~]([ -~]{0,10}[!-~])?`).Draw(t, name)})
	}
	return m
}

// TestDifferential signs with one implementation and verifies with the other, both ways,
// and holds both to the same opinion on altered messages.
func TestDifferential(t *testing.T) {
	t.Parallel()
	choices := []string{"@method", "@target-uri", "@authority", "@path", "@query", "content-type", "x-one", "x-two"}
	ec := ecKey(t, "one")
	pins := map[bool]*world{false: newWorld(t, entry(agentURL, edJWK("k1", "one"))), true: newWorld(t, entry(agentURL, ecJWK(t, "k1")))}
	count, accepted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		m := drawMessage(t)
		p256 := rapid.Bool().Draw(t, "p256")
		covered := append([]string{"content-digest"}, rapid.SliceOfNDistinct(rapid.SampledFrom(choices), 0, len(choices), rapid.ID).Draw(t, "covered")...)
		var key crypto.Signer = edKey("one")
		var pub crypto.PublicKey = edKey("one").Public().(ed25519.PublicKey)
		algo := httpsig.Algo_ED25519
		if p256 {
			key, pub, algo = ec, ec.Public(), httpsig.Algo_ECDSA_P256_SHA256
		}
		profile := &Profile{Name: "any", components: covered, window: maxWindow}
		added, err := Sign(m, Signing{Profile: profile, KeyID: "k1", Key: key, Created: now})
		if err != nil {
			t.Fatal(err)
		}
		m.Fields = append(m.Fields, added...)
		altered := alter(t, m)
		w := pins[p256]
		q := Question{Publisher: publisher, Agent: agentURL, Profile: profile}
		for _, x := range []*Message{m, altered} {
			r, err := w.v.Verify(t.Context(), x, q)
			if err != nil {
				t.Fatal(err)
			}
			theirs := otherVerify(x, covered, algo, pub)
			count++
			if r.OK() {
				accepted++
			}
			if r.OK() != theirs {
				t.Fatalf("we say %v %s (%s), the other %v\n%+v", r.Verdict, r.Code, r.Detail, theirs, x)
			}
		}
		signedElsewhere(t, m, covered, algo, key, w)
	})
	if accepted == 0 || accepted == count {
		t.Errorf("%d of %d were accepted", accepted, count)
	}
}

// alter changes something of a message. Whether the signature covers it is drawn, too.
func alter(t *rapid.T, m *Message) *Message {
	out := *m
	switch rapid.IntRange(0, 4).Draw(t, "altered") {
	case 0:
		out.Method = "PATCH"
	case 1:
		out.Target += "x"
	case 2:
		return field(m, "X-One", "changed")
	case 3:
		return sub(m, "Signature-Input", "created=", "created=1")
	case 4:
		return field(m, "Content-Type", "text/html")
	}
	return &out
}

// signedElsewhere has the other implementation sign.
func signedElsewhere(t *rapid.T, m *Message, covered []string, algo httpsig.Algorithm, key crypto.Signer, w *world) {
	req, err := otherRequest(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Fields {
		if !strings.HasPrefix(f.Name, "Signature") {
			req.Header.Add(f.Name, f.Value)
		}
	}
	err = httpsig.Sign(req, httpsig.SigningProfile{
		Algorithm: algo, Fields: httpsig.Fields(covered...), Metadata: []httpsig.Metadata{httpsig.MetaCreated, httpsig.MetaKeyID, httpsig.MetaAlgorithm},
	}, httpsig.SigningKey{Key: key, MetaKeyID: "k1"})
	if err != nil {
		t.Fatal(err)
	}
	theirs := &Message{Method: m.Method, Target: m.Target, Body: m.Body}
	for name, values := range req.Header {
		theirs.Fields = append(theirs.Fields, Field{name, values[0]})
	}
	q := Question{Publisher: publisher, Agent: agentURL, Profile: &Profile{Name: "any", window: maxWindow}, At: time.Now()}
	r, err := w.v.Verify(t.Context(), theirs, q)
	if err != nil || !r.OK() {
		t.Fatal(fmt.Sprintf("%+v", r), err)
	}
}
