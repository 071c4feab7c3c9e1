package keypin

import (
	"bytes"
	"context"
	"crypto"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/std/jcs"
)

const (
	brandName   = "brand.example"
	claimTask   = "verify_brand_claim"
	caller      = "signed-agent-url:https://buyer.example/agent"
	claim       = `{"claim": {"claim_type": "property", "value": "pub.example"}, "context": {"id": 7}}`
	claimResult = `{"verification_status": "owned", "details": {"since": 2020, "share": 0.50}}`
)

// An answerMaker makes a signed answer; zero members mean the usual.
type answerMaker struct {
	header, hash  string
	payload       string // in place of the usual one
	more          string // further members of the payload, each with a comma before it
	outer         string // members beside the envelope, in place of those that were signed
	task, brand   string
	agent, caller string
	iat, exp      time.Time
	key           crypto.Signer
	typ           string
}

func or(s, usual string) string {
	if s == "" {
		return usual
	}
	return s
}

// envelopeOf signs a payload.
func envelopeOf(t testing.TB, header, payload string, key crypto.Signer) string {
	t.Helper()
	tree, err := strictJSON([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	canonical, err := jcs.Append(nil, tree.Root())
	if err != nil {
		t.Fatal(err)
	}
	protected := b64([]byte(header))
	sig, err := (&Signing{Key: key}).sign(signingInput(protected, canonical))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"protected": %q, "payload": %s, "signature": %q}`, protected, payload, b64(sig))
}

// answer writes the answer of a task with its envelope.
func (a answerMaker) answer(t testing.TB) string {
	t.Helper()
	if a.key == nil {
		a.key = edKey("one")
	}
	if a.iat.IsZero() {
		a.iat = now
	}
	if a.exp.IsZero() {
		a.exp = a.iat.Add(time.Hour)
	}
	e := envelope{task: or(a.task, claimTask), brand: or(a.brand, brandName), agent: or(a.agent, agentURL)}
	tree, err := strictJSON([]byte(claim))
	if err != nil {
		t.Fatal(err)
	}
	request := []byte(canonicalText(tree.Root()))
	id := or(a.caller, caller)
	if id == "none" {
		id = Anonymous
	}
	payload := fmt.Sprintf(`{"typ": %q, "task": %q, "brand_domain": %q, "agent_url": %q, "request_hash": %q, "iat": %d, "exp": %d, "response": %s%s}`,
		or(a.typ, envelopeType), e.task, e.brand, e.agent, or(a.hash, e.requestHash(id, request)), a.iat.Unix(), a.exp.Unix(), claimResult, a.more)
	outer := or(a.outer, claimResult[1:len(claimResult)-1])
	return fmt.Sprintf(`{%s, "signed_response": %s}`, outer, envelopeOf(t, or(a.header, `{"alg":"EdDSA","kid":"k1","typ":"adcp-response-payload+jws"}`), or(a.payload, payload), a.key))
}

// claimQuestion is the question that fits the usual answer.
func claimQuestion() AnswerQuestion {
	return AnswerQuestion{Publisher: publisher, Agent: agentURL, Task: claimTask, Brand: brandName, Request: []byte(claim), Callers: []string{"api-client-id:9", caller}}
}

func (w *world) answer(text string, q AnswerQuestion) *AnswerResult {
	w.t.Helper()
	r, err := w.v.VerifyAnswer(context.Background(), []byte(text), q)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func TestAnswerAccepted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL, edJWK("k1", "one", `"adcp_use": "response-signing"`)))
	r := w.answer(answerMaker{more: `, "note": "signed as well"`}.answer(t), claimQuestion())
	wantCode(t, &r.Result, Accepted, "envelope.accepted")
	if !r.RequestBound || r.Caller != caller || !r.BodyBound || len(r.Entries) != 1 || r.KeyID != "k1" || r.Revocations != nil {
		t.Errorf("%+v", r)
	}
	if got, want := string(r.Response), `{"details":{"share":0.5,"since":2020},"verification_status":"owned"}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// An answer may be looked at again: it has no nonce.
	wantCode(t, &w.answer(answerMaker{}.answer(t), claimQuestion()).Result, Accepted, "envelope.accepted")
	es := newWorld(t, entry(agentURL, ecJWK(t, "k1")))
	r = es.answer(answerMaker{key: ecKey(t, "one"), header: `{"typ":"adcp-response-payload+jws","kid":"k1","alg":"ES256"}`}.answer(t), claimQuestion())
	wantCode(t, &r.Result, Accepted, "envelope.accepted")
	q := claimQuestion()
	q.Callers = []string{caller, Anonymous}
	r = w.answer(answerMaker{caller: "none"}.answer(t), q)
	wantCode(t, &r.Result, Accepted, "envelope.accepted")
	if r.Caller != Anonymous || !strings.Contains(r.Detail, "not authenticated") {
		t.Errorf("%+v", r)
	}
}

// TestRequestHash holds the hash to a value that was computed elsewhere.
func TestRequestHash(t *testing.T) {
	t.Parallel()
	e := envelope{task: claimTask, brand: brandName, agent: agentURL}
	for id, want := range map[string]string{
		caller:    "sha256:ZYRDYxSw36ZtFxWQTSCDaaR3vA9GPmdaLgxKO9SHzWA",
		Anonymous: "sha256:MgLRzapGRY2UPP_JqrV_x1YPAknrMOKBo0vbjYRWXrI",
	} {
		got := e.requestHash(id, []byte(`{"a":1}`))
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestAnswerUnbound(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
	for _, change := range []func(*AnswerQuestion){
		func(q *AnswerQuestion) { q.Request = nil }, func(q *AnswerQuestion) { q.Callers = nil },
	} {
		q := claimQuestion()
		change(&q)
		r := w.answer(answerMaker{}.answer(t), q)
		wantCode(t, &r.Result, SignedUnbound, "envelope.unbound")
		if r.OK() || r.RequestBound || !strings.Contains(r.Detail, "not bound to your request") {
			t.Errorf("%+v", r)
		}
	}
}

func TestAnswerRejected(t *testing.T) {
	t.Parallel()
	good := answerMaker{}.answer(t)
	edit := func(old, text string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%s is not in %s", old, good)
		}
		return strings.Replace(good, old, text, 1)
	}
	head := func(h string) string { return answerMaker{header: h}.answer(t) }
	tests := []struct{ name, answer, code string }{
		{"not JSON", `{`, "envelope.malformed"},
		{"no envelope", claimResult, "envelope.missing"},
		{"the envelope alone", good[strings.Index(good, `{"protected"`) : len(good)-1], "envelope.malformed"},
		{"compact", `{"signed_response": "a.b.c"}`, "envelope.malformed"},
		{"a further member", edit(`{"protected"`, `{"header": {}, "protected"`), "envelope.malformed"},
		{"a payload in base64url", `{"signed_response": {"protected": "e30", "payload": "e30", "signature": "AA"}}`, "envelope.malformed"},
		{"a member twice", edit(`"task"`, `"task": "x", "task"`), "envelope.malformed"},
		{"a member twice beside", edit(`{"verification_status"`, `{"verification_status": "owned", "verification_status"`), "envelope.malformed"},
		{"no response", edit(`"response": {`, `"answer": {`), "envelope.malformed"},
		{"iat is a text", edit(`"iat": `, `"iat": "1", "x": `), "envelope.malformed"},
		{"iat is a fraction", edit(`, "exp"`, `.5, "exp"`), "envelope.malformed"},
		{"signature in base64", edit(`"signature": "`, `"signature": "+/`), "envelope.malformed"},
		{"a number that readers differ on", edit(`"since": 2020,`, `"since": 90071992547409931,`), "envelope.body_mismatch"},
		{"other type in the header", head(`{"alg":"EdDSA","kid":"k1","typ":"JWT"}`), "envelope.header_invalid"},
		{"no type in the header", head(`{"alg":"EdDSA","kid":"k1"}`), "envelope.header_invalid"},
		{"no key id", head(`{"alg":"EdDSA","typ":"adcp-response-payload+jws"}`), "envelope.header_invalid"},
		{"crit", head(`{"alg":"EdDSA","kid":"k1","typ":"adcp-response-payload+jws","crit":[]}`), "envelope.header_invalid"},
		{"b64", head(`{"alg":"EdDSA","kid":"k1","typ":"adcp-response-payload+jws","b64":true}`), "envelope.header_invalid"},
		{"its own key", head(`{"alg":"EdDSA","kid":"k1","typ":"adcp-response-payload+jws","jwk":{}}`), "envelope.header_invalid"},
		{"a member of the header twice", head(`{"alg":"EdDSA","alg":"EdDSA","kid":"k1","typ":"adcp-response-payload+jws"}`), "envelope.header_invalid"},
		{"none", head(`{"alg":"none","kid":"k1","typ":"adcp-response-payload+jws"}`), "signature.alg_not_allowed"},
		{"HMAC", head(`{"alg":"HS256","kid":"k1","typ":"adcp-response-payload+jws"}`), "signature.alg_not_allowed"},
		{"another algorithm than the key", head(`{"alg":"ES256","kid":"k1","typ":"adcp-response-payload+jws"}`), "pin.alg_mismatch"},
		{"another key", answerMaker{key: edKey("two")}.answer(t), "signature.invalid"},
		{"a key that is not pinned", head(`{"alg":"EdDSA","kid":"k7","typ":"adcp-response-payload+jws"}`), "pin.key_unknown"},
		{"changed", strings.ReplaceAll(good, `"owned"`, `"disputed"`), "signature.invalid"},
		{"other type", answerMaker{typ: "JWT"}.answer(t), "envelope.type_mismatch"},
		{"other task", answerMaker{task: "verify_brand_claims"}.answer(t), "envelope.task_mismatch"},
		{"expired", answerMaker{iat: now.Add(-2 * time.Hour), exp: now.Add(-time.Minute)}.answer(t), "envelope.expired"},
		{"from the future", answerMaker{iat: now.Add(61 * time.Second)}.answer(t), "envelope.window_invalid"},
		{"for centuries", answerMaker{iat: now.Add(-7*24*time.Hour - time.Minute), exp: now.AddDate(100, 0, 0)}.answer(t), "envelope.expired"},
		{"no time at all", answerMaker{iat: now, exp: now}.answer(t), "envelope.window_invalid"},
		{"another request", answerMaker{hash: "sha256:" + strings.Repeat("A", 43)}.answer(t), "envelope.request_mismatch"},
		{"another caller", answerMaker{caller: "api-client-id:8"}.answer(t), "envelope.request_mismatch"},
		{"another brand", answerMaker{brand: "other.example"}.answer(t), "envelope.brand_mismatch"},
		{"a brand in capitals", answerMaker{brand: "Brand.example"}.answer(t), "envelope.brand_mismatch"},
		{"another agent", answerMaker{agent: "https://other.example/mcp"}.answer(t), "envelope.agent_mismatch"},
		{"another body", answerMaker{outer: `"verification_status": "not_ours"`}.answer(t), "envelope.body_mismatch"},
		{"an unsigned member", answerMaker{outer: `"verification_status": "owned", "extra": 1`}.answer(t), "envelope.body_mismatch"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := newWorld(t, entry(agentURL, edJWK("k1", "one"))).answer(tc.answer, claimQuestion())
			wantCode(t, &r.Result, Rejected, tc.code)
			if r.Response != nil || r.ProtocolCode != protocolCodes[tc.code] {
				t.Errorf("%s %q", r.Response, r.ProtocolCode)
			}
		})
	}
}

// TestAnswerSame changes what makes no difference.
func TestAnswerSame(t *testing.T) {
	t.Parallel()
	good := answerMaker{}.answer(t)
	tests := map[string]string{
		"transport":        answerMaker{outer: `"verification_status": "owned", "status": "completed", "context_id": "c", "replayed": false, "adcp_version": "3.2", "context": {"id": 7}`}.answer(t),
		"less outside":     answerMaker{outer: `"message": "x"`}.answer(t),
		"other order":      answerMaker{outer: `"details": {"share": 5e-1, "since": 2020.0}, "verification_status": "\u006fwned"`}.answer(t),
		"escapes inside":   strings.Replace(good, `"owned", "details": {"since": 2020, "share": 0.50}}, `, `"\u006fwned", "details": {"share": 0.5, "since": 2.02e3}}, `, 1),
		"the agent's port": answerMaker{agent: "https://AGENT.example:443/mcp"}.answer(t),
		"for centuries":    answerMaker{iat: now.Add(-7*24*time.Hour - 59*time.Second), exp: now.AddDate(100, 0, 0)}.answer(t),
		"about to expire":  answerMaker{iat: now.Add(-2 * time.Hour), exp: now.Add(-59 * time.Second)}.answer(t),
		"a minute ahead":   answerMaker{iat: now.Add(time.Minute)}.answer(t),
	}
	for name, text := range tests {
		r := newWorld(t, entry(agentURL, edJWK("k1", "one"))).answer(text, claimQuestion())
		if r.Code != "envelope.accepted" {
			t.Errorf("%s: %s (%s)", name, r.Code, r.Detail)
		}
	}
}

func TestAnswerKeys(t *testing.T) {
	t.Parallel()
	own, _ := NewKey("k1", "OKP", "Ed25519", b64(edKey("one")[32:]), "")
	other, _ := NewKey("k2", "OKP", "Ed25519", b64(edKey("two")[32:]), "")
	listed := newWorld(t, entry(agentURL))
	elsewhere := newWorld(t, entry("https://other.example/mcp", edJWK("k1", "one")))
	for _, w := range []*world{listed, elsewhere} {
		q := claimQuestion()
		wantCode(t, &w.answer(answerMaker{}.answer(t), q).Result, Unpinned, "pin.unpinned")
		q.Unpinned = []*Key{other}
		wantCode(t, &w.answer(answerMaker{}.answer(t), q).Result, Rejected, "pin.key_unknown")
		q.Unpinned = []*Key{own}
		r := w.answer(answerMaker{}.answer(t), q)
		wantCode(t, &r.Result, VerifiedUnpinned, "envelope.accepted_unpinned")
		q.Request = nil
		r = w.answer(answerMaker{}.answer(t), q)
		wantCode(t, &r.Result, VerifiedUnpinned, "envelope.accepted_unpinned")
		if r.RequestBound || !strings.Contains(r.Detail, "not bound") {
			t.Error(r.Detail)
		}
	}
	for use, code := range map[string]string{
		`"adcp_use": "request-signing"`: "pin.key_purpose_invalid", `"adcp_use": "webhook-signing"`: "pin.key_purpose_invalid",
		`"use": "enc"`:                          "pin.key_malformed",
		`"revoked_at": "2026-06-01T12:00:00Z"`:  "pin.key_revoked",
		`"revoked_at": "2026-06-01T12:00:01Z"`:  "envelope.accepted",
		`"adcp_use": "response-signing"`:        "envelope.accepted",
		`"key_ops": ["verify"], "alg": "EdDSA"`: "envelope.accepted",
		`"key_ops": ["sign"]`:                   "pin.key_purpose_invalid",
		`"adcp_use": ["response-signing"]`:      "pin.key_malformed",
	} {
		q := claimQuestion()
		q.Unpinned = []*Key{own}
		r := newWorld(t, entry(agentURL, edJWK("k1", "one", use))).answer(answerMaker{}.answer(t), q)
		if r.Code != code {
			t.Errorf("%s: %s (%s), want %s", use, r.Code, r.Detail, code)
		}
	}
}

// TestAnswerMutations changes every byte of a signed answer; nothing that means something else
// is accepted.
func TestAnswerMutations(t *testing.T) {
	t.Parallel()
	good := answerMaker{}.answer(t)
	w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
	want := w.answer(good, claimQuestion())
	wantCode(t, &want.Result, Accepted, "envelope.accepted")
	accepted := 0
	for i := range len(good) {
		for _, flip := range []byte{1, 4, 32} {
			changed := []byte(good)
			changed[i] ^= flip
			r := w.answer(string(changed), claimQuestion())
			if !r.OK() {
				continue
			}
			accepted++
			if !bytes.Equal(r.Response, want.Response) {
				t.Fatalf("%s: accepted %s", changed, r.Response)
			}
		}
	}
	// A blank may become another one, and a zero of 0.50 a digit that does not count.
	if accepted > 120 {
		t.Errorf("%d changes are accepted", accepted)
	}
}

// TestAnswerConfusion: what was signed for one purpose is never accepted for another.
func TestAnswerConfusion(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
	answer := answerMaker{}.answer(t)
	var parts struct {
		Signed struct {
			Protected, Signature string
			Payload              json.RawMessage
		} `json:"signed_response"`
	}
	err := json.Unmarshal([]byte(answer), &parts)
	if err != nil {
		t.Fatal(err)
	}
	// The signature of an envelope is none of a message, nor of a list, and the other way round.
	for _, p := range []*Profile{Requests(), Requests31(DigestEither), Webhooks(), Responses(), UnsafeUnboundResponses()} {
		m := signed(t, messageFor(p), Signing{Profile: p})
		sig, _ := m.value("signature")
		value, _ := looseBytes.decode(strings.Trim(strings.TrimPrefix(sig, "sig1="), ":"))
		r := w.answer(strings.Replace(answer, parts.Signed.Signature, b64(value), 1), claimQuestion())
		wantCode(t, &r.Result, Rejected, "signature.invalid")
		raw, _ := urlBytes.decode(parts.Signed.Signature)
		encoding := base64.RawURLEncoding
		if p.signatureBytes == standardBytes {
			encoding = base64.StdEncoding
		}
		got := w.verify(field(m, "Signature", "sig1=:"+encoding.EncodeToString(raw)+":"), Question{Profile: p})
		wantCode(t, got, Rejected, "signature.invalid")
		m.Body = []byte(answer)
		if w.verify(m, Question{Profile: p}).BodyBound {
			t.Errorf("%s: an answer passes for the body of a message", p.Name)
		}
	}
	own, _ := NewKey("k1", "OKP", "Ed25519", b64(edKey("one")[32:]), "")
	tree, err := strictJSON(parts.Signed.Payload)
	if err != nil {
		t.Fatal(err)
	}
	compact := parts.Signed.Protected + "." + b64([]byte(canonicalText(tree.Root()))) + "." + parts.Signed.Signature
	_, err = ParseRevocations([]byte(compact), "https://agent.example", []*Key{own})
	if err == nil {
		t.Error("an answer passes for a list of revoked keys")
	}
	list := revocations{}.flattened(t)
	r := w.answer(`{"signed_response": `+list+`}`, claimQuestion())
	wantCode(t, &r.Result, Rejected, "envelope.malformed")
	r = w.answer(answerMaker{header: `{"alg":"EdDSA","kid":"k1","typ":"adcp-gov-revocation+jws"}`}.answer(t), claimQuestion())
	wantCode(t, &r.Result, Rejected, "envelope.header_invalid")
}

func TestAnswerQuestions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
	for name, change := range map[string]func(*AnswerQuestion){
		"publisher":     func(q *AnswerQuestion) { q.Publisher = "" },
		"agent":         func(q *AnswerQuestion) { q.Agent = "agent" },
		"task":          func(q *AnswerQuestion) { q.Task = "get_products" },
		"brand":         func(q *AnswerQuestion) { q.Brand = "" },
		"caller":        func(q *AnswerQuestion) { q.Callers = []string{"https://buyer.example/agent"} },
		"empty caller":  func(q *AnswerQuestion) { q.Callers = []string{"api-client-id:"} },
		"request":       func(q *AnswerQuestion) { q.Request = []byte(`{`) },
		"request twice": func(q *AnswerQuestion) { q.Request = []byte(`{"a":1,"a":1}`) },
	} {
		q := claimQuestion()
		change(&q)
		_, err := w.v.VerifyAnswer(t.Context(), []byte(answerMaker{}.answer(t)), q)
		var input *InputError
		if !errors.As(err, &input) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzAnswer reads arbitrary answers: only what was signed is accepted.
func FuzzAnswer(f *testing.F) {
	good := answerMaker{}.answer(f)
	f.Add([]byte(good))
	f.Add([]byte(`{"signed_response": {"protected": "e30", "payload": {}, "signature": "AA"}}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		r := newWorld(t, entry(agentURL, edJWK("k1", "one"))).answer(string(answer), claimQuestion())
		if r.OK() && string(r.Response) != `{"details":{"share":0.5,"since":2020},"verification_status":"owned"}` {
			t.Errorf("accepted %s", answer)
		}
	})
}
