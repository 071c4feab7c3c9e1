package keypin

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/adagents"
)

func TestAccepted(t *testing.T) {
	t.Parallel()
	for _, p := range []*Profile{Requests(), Webhooks()} {
		w := newWorld(t, entry("https://other.example/"), entry(agentURL, edJWK("k0", "zero"), edJWK("k1", "one")))
		r := w.verify(signed(t, hook(), Signing{Profile: p}), Question{Profile: p, Agent: "HTTPS://agent.example:443/mcp"})
		wantCode(t, r, Accepted, "signature.accepted")
		key, ok := NewKey("k1", "OKP", "Ed25519", strings.Split(edJWK("k1", "one"), `"`)[15], "")
		if !ok {
			t.Fatal("no key")
		}
		want := &Result{
			Verdict: Accepted, Code: "signature.accepted", Detail: r.Detail, Publisher: publisher, Agent: agentURL,
			KeyID: "k1", Alg: "ed25519", Thumbprint: key.Thumbprint(),
			Entries: []Entry{{"/authorized_agents/1", nil}},
			Created: now, Expires: now.Add(300 * time.Second),
			BodyBound: true,
			Covered:   []string{`"@method"`, `"@target-uri"`, `"@authority"`, `"content-type"`, `"content-digest"`},
			URL:       w.source.doc.URL, SHA256: "00", FetchedAt: w.source.doc.FetchedAt, KnownSince: w.source.doc.KnownSince,
		}
		if r.Entries[0].Agent.URL != agentURL || !r.OK() {
			t.Errorf("entry %+v", r.Entries[0])
		}
		r.Entries[0].Agent = nil
		if d := cmp.Diff(want, r); d != "" {
			t.Error(d)
		}
		if w.source.refreshes != 0 {
			t.Error("the publisher was asked again for a known key")
		}
	}
}

// TestKeySince: the result says since when the key is known, where that is known.
func TestKeySince(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
	w.source.doc.KeySince = func(agent, thumbprint string) time.Time {
		if agent != agentURL || thumbprint == "" {
			t.Errorf("asked for %q %q", agent, thumbprint)
		}
		return now.Add(-100 * time.Hour)
	}
	r := w.verify(signed(t, hook(), Signing{}), Question{})
	wantCode(t, r, Accepted, "signature.accepted")
	if !r.KnownSince.Equal(now.Add(-100 * time.Hour)) {
		t.Errorf("known since %v", r.KnownSince)
	}
	r = w.verify(signed(t, hook(), Signing{Key: edKey("two"), Nonce: nonce + "2"}), Question{})
	if r.OK() || !r.KnownSince.Equal(w.source.doc.KnownSince) {
		t.Errorf("without a key that verified it is known since %v", r.KnownSince)
	}
}

func TestP256(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL, ecJWK(t, "k1", `"alg": "ES256"`)))
	m := signed(t, hook(), Signing{Key: ecKey(t, "one")})
	r := w.verify(m, Question{})
	wantCode(t, r, Accepted, "signature.accepted")
	if r.Alg != "ecdsa-p256-sha256" {
		t.Error(r.Alg)
	}
	m = signed(t, hook(), Signing{Key: ecKey(t, "two"), Nonce: nonce + "2"})
	wantCode(t, w.verify(m, Question{}), Rejected, "signature.invalid")
}

// field sets a field of a message.
func field(m *Message, name, value string) *Message {
	out := *m
	out.Fields = append(without(m.Fields, name), Field{name, value})
	return &out
}

// sub replaces text within a field.
func sub(m *Message, name, old, text string) *Message {
	value, _ := m.value(name)
	return field(m, name, strings.Replace(value, old, text, 1))
}

func TestRejectedHeads(t *testing.T) {
	t.Parallel()
	good := request(t)
	tests := []struct {
		name string
		m    *Message
		code string
	}{
		{"unsigned", hook(), "signature.missing"},
		{"no signature", &Message{Method: "POST", Target: hookURL, Fields: without(good.Fields, "signature"), Body: good.Body}, "signature.header_malformed"},
		{"no input", &Message{Method: "POST", Target: hookURL, Fields: without(good.Fields, "signature-input"), Body: good.Body}, "signature.header_malformed"},
		{"a response", &Message{Status: 200, Fields: good.Fields, Body: good.Body}, "signature.kind_mismatch"},
		{"input is no dictionary", field(good, "Signature-Input", "sig1=("), "signature.header_malformed"},
		{"input is no list", field(good, "Signature-Input", "sig1=1"), "signature.header_malformed"},
		{"input is very long", field(good, "Signature-Input", "sig1=("+strings.Repeat(" ", maxHead)+")"), "signature.header_malformed"},
		{"signature is no dictionary", field(good, "Signature", "sig1=:"), "signature.header_malformed"},
		{"signature is no bytes", field(good, "Signature", "sig1=1"), "signature.header_malformed"},
		{"signature is a list", field(good, "Signature", "sig1=(:AA==:)"), "signature.header_malformed"},
		{"signature under another label", sub(good, "Signature", "sig1", "sig2"), "signature.header_malformed"},
		{"two under other labels", sub(sub(good, "Signature", "sig1", "sig2"), "Signature-Input", "sig1", "sig3=(), sig2"), "signature.header_malformed"},
		{"the label twice", sub(good, "Signature-Input", "sig1", "sig1=(), sig1"), "signature.header_malformed"},
		{"a parameter twice", sub(good, "Signature-Input", ";keyid", `;keyid="k0";keyid`), "signature.header_malformed"},
		{"base64url in a request", sub(good, "Signature", "==:", ":"), "signature.header_malformed"},
		{"a component twice", sub(good, "Signature-Input", `"@method"`, `"@method" "@method"`), "signature.components_unexpected"},
		{"params as a component", sub(good, "Signature-Input", `"@method"`, `"@signature-params"`), "signature.header_malformed"},
		{"a component in upper case", sub(good, "Signature-Input", `"content-type"`, `"Content-Type"`), "signature.header_malformed"},
		{"a component that is no name", sub(good, "Signature-Input", `"content-type"`, `"content type"`), "signature.header_malformed"},
		{"a component without a name", sub(good, "Signature-Input", `"@method"`, `"@"`), "signature.header_malformed"},
		{"a component that is no string", sub(good, "Signature-Input", `"content-type"`, `content-type`), "signature.header_malformed"},
		{"two forms", sub(good, "Signature-Input", `"content-type"`, `"content-type";bs;sf`), "signature.header_malformed"},
		{"a form of a derived component", sub(good, "Signature-Input", `"@method"`, `"@method";bs`), "signature.header_malformed"},
		{"a query parameter without name", sub(good, "Signature-Input", `"@method"`, `"@query-param"`), "signature.header_malformed"},
		{"trailers", sub(good, "Signature-Input", `"content-type"`, `"content-type";tr`), "signature.component_unsupported"},
		{"a flag that is off", sub(good, "Signature-Input", `"content-type"`, `"content-type";bs=?0`), "signature.component_unsupported"},
		{"keyid is a token", sub(good, "Signature-Input", `keyid="k1"`, `keyid=k1`), "signature.header_malformed"},
		{"keyid is very long", sub(good, "Signature-Input", `keyid="k1"`, `keyid="`+strings.Repeat("k", maxText+1)+`"`), "signature.header_malformed"},
		{"created is a string", sub(good, "Signature-Input", `created=`, `created="1";x=`), "signature.header_malformed"},
		{"created is negative", sub(good, "Signature-Input", `created=`, `created=-`), "signature.header_malformed"},
		{"created is a date", sub(good, "Signature-Input", `created=`, `created=@`), "signature.header_malformed"},
		{"no keyid", sub(good, "Signature-Input", `;keyid="k1"`, ``), "signature.params_incomplete"},
		{"empty keyid", sub(good, "Signature-Input", `keyid="k1"`, `keyid=""`), "signature.params_incomplete"},
		{"no nonce", sub(good, "Signature-Input", `;nonce="`+nonce+`"`, ``), "signature.params_incomplete"},
		{"no alg", sub(good, "Signature-Input", `;alg="ed25519"`, ``), "signature.params_incomplete"},
		{"another tag", sub(good, "Signature-Input", `request-signing`, `webhook-signing`), "signature.tag_invalid"},
		{"RSA", sub(good, "Signature-Input", `"ed25519"`, `"rsa-pss-sha512"`), "signature.alg_not_allowed"},
		{"HMAC", sub(good, "Signature-Input", `"ed25519"`, `"hmac-sha256"`), "signature.alg_not_allowed"},
		{"method not covered", sub(good, "Signature-Input", `"@method" `, ``), "signature.components_incomplete"},
		{"method of the request covered", sub(good, "Signature-Input", `"@method"`, `"@method";req`), "signature.components_incomplete"},
		{"digest not covered", sub(good, "Signature-Input", ` "content-digest"`, ``), "signature.components_incomplete"},
		{"type twice", &Message{Method: "POST", Target: hookURL, Fields: append(slices.Clone(good.Fields), Field{"content-type", "text/plain"}), Body: good.Body}, "signature.header_malformed"},
		{"two types in one", field(good, "Content-Type", "application/json, text/plain"), "signature.header_malformed"},
		{"digest is nothing", field(good, "Content-Digest", ""), "signature.header_malformed"},
		{"digest is a number", field(good, "Content-Digest", "sha-256=1"), "signature.header_malformed"},
		{"digest twice", sub(good, "Content-Digest", "sha-256", "sha-256=:AA==:, sha-256"), "signature.header_malformed"},
		{"covered field is missing", &Message{Method: "POST", Target: hookURL, Fields: without(good.Fields, "content-type"), Body: good.Body}, "signature.component_missing"},
		{"unknown derived component", sub(good, "Signature-Input", `"content-type"`, `"content-type" "@nothing"`), "signature.components_unexpected"},
		{"status of a request", sub(good, "Signature-Input", `"content-type"`, `"content-type" "@status"`), "signature.components_unexpected"},
		{"request of a request", sub(good, "Signature-Input", `"content-type"`, `"content-type" "@path";req`), "signature.components_unexpected"},
		{"another derived component", sub(good, "Signature-Input", `"content-type"`, `"content-type" "@path"`), "signature.components_unexpected"},
		{"a field in another form", sub(good, "Signature-Input", `"content-type"`, `"content-type" "content-length";bs`), "signature.components_unexpected"},
		{"digest in base64url", field(good, "Content-Digest", strings.TrimRight(digestOf(good.Body), "=:")+":"), "signature.header_malformed"},
		{"nonce with padding", sub(good, "Signature-Input", nonce, nonce+"=="), "signature.nonce_invalid"},
		{"nonce in base64", sub(good, "Signature-Input", nonce, nonce[:20]+"+/"), "signature.nonce_invalid"},
		{"nonce of 15 bytes", sub(good, "Signature-Input", nonce, nonce[:20]), "signature.nonce_invalid"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := newWorld(t, entry(agentURL, edJWK("k1", "one"))).verify(tc.m, Question{})
			wantCode(t, r, Rejected, tc.code)
		})
	}
}

// TestAltered changes a signed message behind the signer's back.
func TestAltered(t *testing.T) {
	t.Parallel()
	base := request(t)
	change := func(f func(*Message)) *Message {
		m := *base
		m.Fields = slices.Clone(base.Fields)
		f(&m)
		return &m
	}
	tests := []struct {
		name string
		m    *Message
		code string
	}{
		{"method", change(func(m *Message) { m.Method = "PUT" }), "signature.invalid"},
		{"path", change(func(m *Message) { m.Target = "https://buyer.example/hooks/43?x=1" }), "signature.invalid"},
		{"query", change(func(m *Message) { m.Target = "https://buyer.example/hooks/42?x=2" }), "signature.invalid"},
		{"host and authority", change(func(m *Message) { m.Target, m.Authority = "https://evil.example/hooks/42?x=1", "evil.example" }), "signature.invalid"},
		{"authority", change(func(m *Message) { m.Authority = "evil.example" }), "signature.target_invalid"},
		{"authority with a path", change(func(m *Message) { m.Authority = "buyer.example/x" }), "signature.target_invalid"},
		{"host field", field(base, "Host", "evil.example"), "signature.target_invalid"},
		{"scheme", change(func(m *Message) { m.Target = "http://buyer.example/hooks/42?x=1" }), "signature.invalid"},
		{"user", change(func(m *Message) { m.Target = "https://a@buyer.example/hooks/42?x=1" }), "signature.target_invalid"},
		{"fragment", change(func(m *Message) { m.Target += "#a" }), "signature.target_invalid"},
		{"a host in its own letters", change(func(m *Message) { m.Target, m.Authority = "https://büyer.example/", "" }), "signature.target_invalid"},
		{"no address", change(func(m *Message) { m.Target = "/hooks" }), "signature.target_invalid"},
		{"type", field(base, "Content-Type", "text/plain"), "signature.invalid"},
		{"digest", field(base, "Content-Digest", digestOf([]byte("x"))), "signature.invalid"},
		{"body", change(func(m *Message) { m.Body = []byte(`{}`) }), "signature.digest_mismatch"},
		{"nonce", sub(base, "Signature-Input", nonce, nonce+"A"), "signature.invalid"},
		{"signature of another length", field(base, "Signature", "sig1=:"+base64.StdEncoding.EncodeToString(make([]byte, 63))+":"), "signature.invalid"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
			wantCode(t, w.verify(tc.m, Question{}), Rejected, tc.code)
			wantCode(t, w.verify(base, Question{}), Accepted, "signature.accepted")
		})
	}
}

// TestSameMessage changes what makes no difference.
func TestSameMessage(t *testing.T) {
	t.Parallel()
	base := request(t)
	renamed := sub(sub(base, "Signature", "sig1", "mine"), "Signature-Input", "sig1", "mine")
	tests := map[string]*Message{
		"another label besides": sub(sub(base, "Signature", "sig1", "proxy=:AA==:, sig1"), "Signature-Input", "sig1", `proxy=("x");keyid="p", sig1`),
		"default port":          {Method: "POST", Target: "https://buyer.example:443/hooks/42?x=1", Authority: "BUYER.example:443", Fields: base.Fields, Body: base.Body},
		"dots in the path":      {Method: "POST", Target: "https://buyer.example/./hooks/4%32?x=1", Fields: base.Fields, Body: base.Body},
		"another label alone":   renamed,
		"a host field":          field(base, "host", "Buyer.Example"),
		"fields in lower case":  field(base, "content-type", " application/json\t"),
		"spaces in the input":   sub(base, "Signature-Input", `("@method" `, `(  "@method"   `),
	}
	for name, m := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantCode(t, newWorld(t, entry(agentURL, edJWK("k1", "one"))).verify(m, Question{}), Accepted, "signature.accepted")
		})
	}
}

func TestWindow(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name           string
		created, after time.Duration
		ok             bool
	}{
		{"now", 0, 300 * time.Second, true},
		{"a second too long", 0, 301 * time.Second, false},
		{"no time at all", 0, -time.Second, false},
		{"as early as may be", 60 * time.Second, 60 * time.Second, true},
		{"from the future", 61 * time.Second, 60 * time.Second, false},
		{"as late as may be", -360 * time.Second, 300 * time.Second, true},
		{"expired", -361 * time.Second, 300 * time.Second, false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := signed(t, hook(), Signing{Created: now.Add(tc.created), Lifetime: tc.after})
			r := newWorld(t, entry(agentURL, edJWK("k1", "one"))).verify(m, Question{})
			if r.OK() != tc.ok || !tc.ok && r.Code != "signature.window_invalid" {
				t.Errorf("%v %s", r.Verdict, r.Code)
			}
			r = newWorld(t, entry(agentURL, edJWK("k1", "one"))).verify(m, Question{At: now.Add(24 * time.Hour)})
			wantCode(t, r, Rejected, "signature.window_invalid")
		})
	}
}

func TestNonces(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL, edJWK("k1", "one"), edJWK("k2", "two"), edJWK("k3", "one")))
	wantCode(t, w.verify(request(t), Question{}), Accepted, "signature.accepted")
	wantCode(t, w.verify(request(t), Question{}), Rejected, "signature.replayed")
	wantCode(t, w.verify(signed(t, hook(), Signing{KeyID: "k3"}), Question{}), Rejected, "signature.replayed")
	wantCode(t, w.verify(signed(t, hook(), Signing{KeyID: "k2", Key: edKey("two")}), Question{}), Accepted, "signature.accepted")
	hooks := Webhooks()
	wantCode(t, w.verify(signed(t, hook(), Signing{Profile: hooks}), Question{Profile: hooks}), Accepted, "signature.accepted")
	wantCode(t, w.verify(signed(t, hook(), Signing{Nonce: nonce[1:]}), Question{}), Rejected, "signature.nonce_invalid")
	few := Requests()
	few.nonces = 1
	wantCode(t, w.verify(signed(t, hook(), Signing{Nonce: nonce + "9"}), Question{Profile: few}), Rejected, "signature.rate_exceeded")
	few.nonces = 0
	wantCode(t, w.verify(request(t), Question{Profile: few}), Accepted, "signature.accepted")
}

// TestUnspent: a message that is refused does not spend its nonce.
func TestUnspent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
	forged := request(t)
	forged.Body = []byte(`{"forged":true}`)
	for range 3 {
		wantCode(t, w.verify(forged, Question{}), Rejected, "signature.digest_mismatch")
	}
	wantCode(t, w.verify(request(t), Question{}), Accepted, "signature.accepted")
}

// TestOtherSignatures: what stands under another label, in whatever alphabet, is nobody's
// business. The one that is looked at is written as the profile demands.
func TestOtherSignatures(t *testing.T) {
	t.Parallel()
	for i, p := range []*Profile{Requests(), Webhooks()} {
		other := []*Profile{Webhooks(), Requests()}[i]
		for name, tc := range map[string]struct {
			before, after string
			code          string
		}{
			"alone":                {code: "signature.accepted"},
			"base64":               {after: ", proxy=:+/+/AA==:", code: "signature.accepted"},
			"base64, first":        {before: "proxy=:+/+/AA==:, ", code: "signature.accepted"},
			"base64url":            {after: ", proxy=:-_-_AA:;x=:__8:", code: "signature.accepted"},
			"no bytes":             {after: ", proxy=1", code: "signature.accepted"},
			"something else":       {after: ", proxy=:a b:", code: "signature.header_malformed"},
			"without an end":       {after: ", proxy=:AA", code: "signature.header_malformed"},
			"the same label twice": {after: ", sig1=:AA==:", code: "signature.header_malformed"},
		} {
			t.Run(p.Name+" "+name, func(t *testing.T) {
				t.Parallel()
				m := signed(t, hook(), Signing{Profile: p})
				last := &m.Fields[len(m.Fields)-1]
				if last.Name != "Signature" {
					t.Fatal(last.Name)
				}
				last.Value = tc.before + last.Value + tc.after
				r := newWorld(t, entry(agentURL, edJWK("k1", "one"))).verify(m, Question{Profile: p})
				if r.Code != tc.code {
					t.Errorf("%s (%s), want %s", r.Code, r.Detail, tc.code)
				}
			})
		}
		// The alphabet is not determined by trying.
		wrong := *p
		wrong.signatureBytes = other.signatureBytes
		m := signed(t, hook(), Signing{Profile: &wrong})
		wantCode(t, newWorld(t, entry(agentURL, edJWK("k1", "one"))).verify(m, Question{Profile: p}), Rejected, "signature.header_malformed")
	}
}

func TestResponses(t *testing.T) {
	t.Parallel()
	asked := &Message{Method: "POST", Target: "https://agent.example/mcp", Fields: []Field{{"Content-Digest", digestOf([]byte("q"))}}}
	answer := &Message{Status: 200, Fields: hook().Fields, Body: []byte(`{"products":[]}`), Request: asked}
	w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
	p := Responses()
	m := signed(t, answer, Signing{Profile: p, Also: []string{`"content-digest";req`, `"@request-target";req`}})
	wantCode(t, w.verify(m, Question{Profile: p}), Accepted, "signature.accepted")
	other := *m
	other.Request = &Message{Method: "POST", Target: "https://agent.example/other", Fields: asked.Fields}
	wantCode(t, w.verify(&other, Question{Profile: p}), Rejected, "signature.invalid")
	other.Request = nil
	wantCode(t, w.verify(&other, Question{Profile: p}), Rejected, "signature.component_missing")
	other = *m
	other.Status = 500
	wantCode(t, w.verify(&other, Question{Profile: p}), Rejected, "signature.invalid")
	loose := UnsafeUnboundResponses()
	unbound := signed(t, answer, Signing{Profile: loose, Nonce: nonce + "5"})
	wantCode(t, w.verify(unbound, Question{Profile: p}), Rejected, "signature.components_incomplete")
	wantCode(t, w.verify(unbound, Question{Profile: loose}), Accepted, "signature.accepted")
	wantCode(t, w.verify(request(t), Question{Profile: p}), Rejected, "signature.kind_mismatch")
}

func TestCovers(t *testing.T) {
	t.Parallel()
	site := entry(agentURL, edJWK("k1", "one"))
	app := strings.Replace(entry(agentURL, edJWK("k1", "two")), "Display", "Apps", 1)
	open := strings.Replace(entry(agentURL), "Display", "Signals", 1)
	about := func(what string) func(*adagents.Agent) bool {
		return func(a *adagents.Agent) bool { return a.AuthorizedFor == what }
	}
	m := request(t)
	tests := []struct {
		what    string
		verdict Verdict
		code    string
		entries int
	}{
		{"Display", Accepted, "signature.accepted", 1},
		{"Apps", Rejected, "signature.invalid", 0},
		{"Signals", Unpinned, "pin.unpinned", 0},
		{"Nothing", Rejected, "pin.entry_not_covered", 0},
	}
	for _, tc := range tests {
		r := newWorld(t, app, site, open).verify(m, Question{Covers: about(tc.what)})
		wantCode(t, r, tc.verdict, tc.code)
		if len(r.Entries) != tc.entries {
			t.Errorf("%s: %d entries", tc.what, len(r.Entries))
		}
	}
	r := newWorld(t, app, site, open).verify(m, Question{})
	wantCode(t, r, Accepted, "signature.accepted")
	if len(r.Entries) != 1 || r.Entries[0].Pointer != "/authorized_agents/1" {
		t.Errorf("entries %+v", r.Entries)
	}
}

func TestUnpinned(t *testing.T) {
	t.Parallel()
	own, ok := NewKey("k1", "OKP", "Ed25519", b64(edKey("one")[32:]), "")
	if !ok || own.ID() != "k1" || own.Alg() != "ed25519" {
		t.Fatalf("key %+v", own)
	}
	other, _ := NewKey("k2", "OKP", "Ed25519", b64(edKey("two")[32:]), "")
	wrong, _ := NewKey("k1", "OKP", "Ed25519", b64(edKey("two")[32:]), "")
	w := newWorld(t, entry(agentURL))
	wantCode(t, w.verify(request(t), Question{}), Unpinned, "pin.unpinned")
	wantCode(t, w.verify(request(t), Question{Unpinned: []*Key{other, nil}}), Rejected, "pin.key_unknown")
	wantCode(t, w.verify(request(t), Question{Unpinned: []*Key{wrong}}), Rejected, "signature.invalid")
	wantCode(t, w.verify(request(t), Question{Unpinned: []*Key{new(Key)}}), Rejected, "pin.key_unknown")
	r := w.verify(request(t), Question{Unpinned: []*Key{wrong, own}})
	wantCode(t, r, VerifiedUnpinned, "signature.accepted_unpinned")
	if r.OK() || r.Entries != nil {
		t.Errorf("an unpinned key counts like a pinned one: %+v", r)
	}
	// Where there is a pin, keys of the caller are ignored.
	w = newWorld(t, entry(agentURL, edJWK("k9", "nine")))
	wantCode(t, w.verify(request(t), Question{Unpinned: []*Key{own}}), Rejected, "pin.key_unknown")
	w = newWorld(t, entry(agentURL, []string{}...))
	w.source.doc = docOf(fileOf(t, strings.Replace(entry(agentURL), "}", `, "signing_keys": []}`, 1)))
	wantCode(t, w.verify(request(t), Question{Unpinned: []*Key{own}}), Rejected, "pin.malformed")
}

func TestZeroKey(t *testing.T) {
	t.Parallel()
	if new(Key).verify([]byte("x"), make([]byte, 64)) {
		t.Error("the zero key verifies")
	}
	for _, k := range [][5]string{
		{"k", "RSA", "", "", ""}, {"k", "OKP", "Ed25519", "AAAA", ""}, {"k", "EC", "P-256", b64(make([]byte, 32)), b64(make([]byte, 32))}, {"", "OKP", "Ed25519", b64(edKey("x")[32:]), ""},
	} {
		_, ok := NewKey(k[0], k[1], k[2], k[3], k[4])
		if ok {
			t.Errorf("%v is a key", k)
		}
	}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL))
	for _, q := range []Question{{Publisher: "", Agent: agentURL}, {Publisher: publisher, Agent: "agent"}} {
		_, err := w.v.Verify(context.Background(), request(t), q)
		var input *InputError
		if !errors.As(err, &input) || input.Error() == "" {
			t.Errorf("%+v: %v", q, err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a verifier without a source")
		}
	}()
	New(Config{})
}

func TestNames(t *testing.T) {
	t.Parallel()
	if got := Accepted.String() + Rejected.String() + Verdict(99).String(); got != "acceptedrejectedunknown" {
		t.Error(got)
	}
	if got := Usable.String() + Unreachable.String() + State(99).String(); got != "usableunreachableunknown" {
		t.Error(got)
	}
	if q := quote(strings.Repeat("é", 300)); len(q) > 1000 {
		t.Error(len(q))
	}
}

// TestSuppliedKeys: what a supplied key says about itself holds.
func TestSuppliedKeys(t *testing.T) {
	t.Parallel()
	own := strings.TrimSuffix(edJWK("k1", "one"), "}")
	for more, code := range map[string]string{
		"": "", `, "adcp_use": "request-signing", "key_ops": ["verify"], "use": "sig", "alg": "EdDSA"`: "", `, "revoked_at": "2026-06-01T12:00:01Z"`: "",
		`, "adcp_use": "response-signing"`: "pin.key_purpose_invalid", `, "adcp_use": ["request-signing"]`: "pin.key_purpose_invalid",
		`, "revoked_at": "2026-06-01T00:00:00Z"`: "pin.key_revoked", `, "revoked_at": null`: "pin.key_revoked",
		`, "key_ops": ["sign"]`: "none", `, "use": "enc"`: "none", `, "key_ops": "verify"`: "none",
	} {
		keys, err := ParseKeys([]byte(`{"keys": [` + own + more + `}]}`))
		if err != nil {
			if code != "none" {
				t.Errorf("%s: %v", more, err)
			}
			continue
		}
		r := newWorld(t, entry(agentURL)).verify(request(t), Question{Unpinned: keys})
		if r.Code != or(code, "signature.accepted_unpinned") {
			t.Errorf("%s: %s, %s", more, r.Code, r.Detail)
		}
	}
}

// TestEntryOutsideWindow: a key is pinned by an entry that does not hold, and there is a note
// about it unless another one holds.
func TestEntryOutsideWindow(t *testing.T) {
	t.Parallel()
	limited := func(window string) string {
		return strings.Replace(entry(agentURL, edJWK("k1", "one")), `"url"`, window+`, "url"`, 1)
	}
	const ended, later = `"effective_until": "2020-01-01T00:00:00Z"`, `"effective_from": "2099-01-01T00:00:00Z"`
	for _, c := range []struct {
		name    string
		entries []string
		note    string
	}{
		{"no window", []string{entry(agentURL, edJWK("k1", "one"))}, ""},
		{"ended", []string{limited(ended)}, CodeEntryOutsideWindow},
		{"not begun", []string{limited(later)}, CodeEntryOutsideWindow},
		{"one of two", []string{limited(ended), entry(agentURL, edJWK("k1", "one"))}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newWorld(t, c.entries...).verify(request(t), Question{})
			if !r.OK() || r.Note != c.note {
				t.Errorf("%v %s, note %q, want %q", r.Verdict, r.Code, r.Note, c.note)
			}
		})
	}
}
