package keypin

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jcs"
)

// envelopeType is the typ of a signed answer, in its header and in its payload.
const envelopeType = "adcp-response-payload+jws"

// maxAnswer is how long a signed answer holds at the most, whatever it says. The protocol
// has no limit; one that names a date in the next century is not good for so long.
const maxAnswer = 7 * 24 * time.Hour

// SignedTasks are the tasks whose answers are signed. All others have none.
func SignedTasks() []string { return []string{"verify_brand_claim", "verify_brand_claims"} }

// Anonymous is the caller of a request that was not authenticated. A signed answer to such a
// request is weaker evidence: everybody could have asked.
const Anonymous = ""

// An AnswerQuestion says whose signed answer it should be, and to which request.
type AnswerQuestion struct {
	// Publisher is the domain whose file pins the keys, Agent the URL of the agent that was
	// asked.
	Publisher, Agent string
	// Task is the one that was asked for, one of SignedTasks, and Brand the domain of the
	// brand that the answer should be about.
	Task, Brand string
	// Request has the arguments of the task as they were sent, as JSON. Without it, or
	// without Callers, an answer is not bound to a request and never Accepted.
	Request []byte
	// Callers are the identities under which the request may have been received:
	// signed-agent-url:URL, api-client-id:ID, mtls-san:NAME, or Anonymous. One has to fit.
	Callers []string
	// At, Covers, Unpinned, Revocations and Operator are as in Question.
	At          time.Time
	Covers      func(*adagents.Agent) bool
	Unpinned    []*Key
	Revocations Revoker
	Operator    string
}

// An AnswerResult is the Result of a signed answer.
type AnswerResult struct {
	Result
	// ProtocolCode is the code that the protocol has registered for a refusal, if it has.
	ProtocolCode string
	// RequestBound tells that the answer is to the request of the question, and Caller under
	// which identity it was received.
	RequestBound bool
	Caller       string
	// RequestHash is what the answer says, and Recomputed what it should say, for each of the
	// callers.
	RequestHash string
	Recomputed  []string
	// Response is the answer that was signed, in canonical form. It alone may be acted upon:
	// what stands beside the envelope is not signed. Nil unless the signature is good and
	// nothing speaks against it.
	Response []byte
}

// An answerCheck is the verification of one signed answer.
type answerCheck struct {
	*check
	q   AnswerQuestion
	e   *envelope
	out *AnswerResult
}

// VerifyAnswer checks the signed_response of an answer, which is the JSON of a task's answer
// with the envelope in it. The error is as that of Verify.
func (v *Verifier) VerifyAnswer(ctx context.Context, answer []byte, q AnswerQuestion) (*AnswerResult, error) {
	out := new(AnswerResult)
	p := &Profile{Name: "signed-response", purposes: []string{useResponse}}
	c := &answerCheck{out: out, q: q, check: &check{
		v: v, p: p, started: v.config.Now(), result: &out.Result, m: new(Message),
		q: Question{Publisher: q.Publisher, Agent: q.Agent, Profile: p, Covers: q.Covers, Unpinned: q.Unpinned,
			Revocations: q.Revocations, Operator: q.Operator},
	}}
	err := c.prepare()
	if err != nil {
		return nil, err
	}
	c.now = q.At
	if c.now.IsZero() {
		c.now = c.started
	}
	f, err := c.run(ctx, answer)
	if err != nil {
		return nil, err
	}
	if f != nil {
		out.Code, out.Detail, out.Verdict = f.code, f.detail, verdictOf(f.code)
		out.ProtocolCode = protocolCodes[f.code]
		out.RequestBound, out.Caller = false, ""
	}
	return out, nil
}

// protocolCodes are the codes that the protocol has registered, by ours.
var protocolCodes = map[string]string{
	"envelope.expired":          "SIGNED_RESPONSE_ENVELOPE_EXPIRED",
	"envelope.request_mismatch": "SIGNED_RESPONSE_REQUEST_HASH_MISMATCH",
	"envelope.brand_mismatch":   "SIGNED_RESPONSE_TENANT_MISMATCH",
}

// prepare checks the question.
func (c *answerCheck) prepare() error {
	err := c.canonical()
	if err != nil {
		return err
	}
	if !slices.Contains(SignedTasks(), c.q.Task) {
		return &InputError{"the task " + quote(c.q.Task) + " has no signed answers; " +
			strings.Join(SignedTasks(), " and ") + " have"}
	}
	c.q.Brand, _, err = hostname.Canonical(c.q.Brand)
	if err != nil {
		return &InputError{"the brand is not a domain"}
	}
	for _, id := range c.q.Callers {
		kind, value, ok := strings.Cut(id, ":")
		if id != Anonymous &&
			(!ok || value == "" || !slices.Contains([]string{"signed-agent-url", "api-client-id", "mtls-san"}, kind)) {
			return &InputError{"the caller " + quote(id) +
				" is none of signed-agent-url:URL, api-client-id:ID and mtls-san:NAME"}
		}
	}
	if c.q.Request == nil {
		return nil
	}
	tree, err := strictJSON(c.q.Request)
	if err == nil {
		c.q.Request, err = jcs.Append(nil, tree.Root())
	}
	if err != nil {
		return &InputError{"the request: " + err.Error()}
	}
	return nil
}

// run goes through the steps; the first that fails is the answer.
func (c *answerCheck) run(ctx context.Context, answer []byte) (*fault, error) {
	e, f := readEnvelope(answer)
	if f != nil {
		return f, nil
	}
	c.e, c.out.RequestHash = e, e.hash
	e.exp = min(e.exp, e.iat+int64(maxAnswer/time.Second))
	c.sig = &signature{keyid: e.header.kid, alg: e.header.alg, created: e.iat}
	c.result.KeyID, c.result.Created, c.result.Expires = e.header.kid, time.Unix(e.iat, 0).UTC(), time.Unix(e.exp, 0).UTC()
	found, verdict, f, err := c.keys(ctx)
	if f != nil || err != nil {
		return f, err
	}
	hit, f := c.signer(ctx, found)
	if f == nil {
		f = c.payload()
	}
	if f != nil {
		return f, nil
	}
	c.finish(hit, verdict)
	return nil, nil
}

// keys finds the keys that may have signed. An agent that the publisher does not list has no
// pin: it may be a brand's and sell nothing.
func (c *answerCheck) keys(ctx context.Context) ([]candidate, Verdict, *fault, error) {
	found, f, err := c.lookup(ctx)
	if err != nil {
		return nil, Rejected, nil, err
	}
	if f != nil && f.code == "pin.agent_not_listed" {
		f = &fault{codeUnpinned, "the publisher's file has no entry for the agent, and so pins no keys of it"}
	}
	switch {
	case f == nil:
		return found, Accepted, nil, nil
	case f.code == codeUnpinned && len(c.q.Unpinned) > 0:
		return c.unpinned(), VerifiedUnpinned, nil, nil
	}
	return nil, Rejected, f, nil
}

// signer finds the candidate whose key signed the payload.
func (c *answerCheck) signer(ctx context.Context, found []candidate) (*candidate, *fault) {
	f := &fault{codeKeyUnknown, "no key has the id " + quote(c.sig.keyid)}
	for i := range found {
		key := found[i].key
		f = c.admits(ctx, key)
		if f != nil {
			continue
		}
		if key.verify(c.e.input, c.e.signature) {
			return &found[i], nil
		}
		f = &fault{"signature.invalid", "the signature was not made with the key " + quote(c.sig.keyid) +
			" over this payload"}
	}
	return nil, f
}

// payload checks what the envelope says, once its signature is good.
func (c *answerCheck) payload() *fault {
	e := c.e
	switch {
	case e.typ != envelopeType:
		return &fault{"envelope.type_mismatch", "the typ of the payload is " + quote(e.typ) + ", not " + envelopeType}
	case e.task != c.q.Task:
		return &fault{"envelope.task_mismatch", "the answer is to the task " + quote(e.task) + ", not " + c.q.Task}
	case e.exp <= e.iat:
		return &fault{"envelope.window_invalid", "the answer expires before it is made"}
	case !time.Unix(e.exp, 0).After(c.now.Add(-skew)):
		return &fault{"envelope.expired", "the answer held until " + c.result.Expires.Format(time.RFC3339)}
	case time.Unix(e.iat, 0).After(c.now.Add(skew)):
		return &fault{"envelope.window_invalid", "the answer is from the future"}
	}
	f := c.bind()
	if f != nil {
		return f
	}
	if e.brand != c.q.Brand {
		return &fault{"envelope.brand_mismatch", "the answer is about the brand " + quote(e.brand) + ", not " + c.q.Brand}
	}
	agent, _, err := hostname.CanonicalURL(e.agent)
	if err != nil || agent != c.result.Agent {
		return &fault{"envelope.agent_mismatch", "the answer is by the agent " + quote(e.agent) +
			", not the one that was asked"}
	}
	return e.disagreement()
}

// bind compares the hash of the request with the request.
func (c *answerCheck) bind() *fault {
	if c.q.Request == nil || len(c.q.Callers) == 0 {
		return nil
	}
	for _, caller := range c.q.Callers {
		sum := c.e.requestHash(caller, c.q.Request)
		c.out.Recomputed = append(c.out.Recomputed, sum)
		if sum == c.e.hash {
			c.out.RequestBound, c.out.Caller = true, caller
			return nil
		}
	}
	return &fault{"envelope.request_mismatch", "the answer is to a request with the hash " + quote(c.e.hash) +
		", and yours has " + strings.Join(c.out.Recomputed, " or ")}
}

// requestHash is the hash of a request as the agent saw it. Brand and agent are those of the
// payload, which are compared with the question by themselves.
func (e *envelope) requestHash(caller string, request []byte) string {
	b := jcs.AppendString([]byte(`{"agent_url":`), e.agent)
	b = jcs.AppendString(append(b, `,"brand_domain":`...), e.brand)
	b = append(b, `,"caller_identity":`...)
	if caller == Anonymous {
		b = append(b, "null"...)
	} else {
		b = jcs.AppendString(b, caller)
	}
	b = append(append(b, `,"request":`...), request...)
	b = append(jcs.AppendString(append(b, `,"task":`...), e.task), '}')
	sum := sha256.Sum256(b)
	return "sha256:" + base64.RawURLEncoding.EncodeToString(sum[:])
}

// finish writes the result of an answer that nothing speaks against.
func (c *answerCheck) finish(hit *candidate, v Verdict) {
	c.result.BodyBound = true
	c.accept(hit, v)
	r := c.out
	r.Response = c.e.response
	switch {
	case v == VerifiedUnpinned:
		r.Code, r.Detail = "envelope.accepted_unpinned", "the answer was signed with a key that the publisher did not pin"
	case !r.RequestBound:
		r.Verdict, r.Code, r.Detail = SignedUnbound, "envelope.unbound",
			"the answer was signed with a key that the publisher pinned"
	default:
		r.Code, r.Detail = "envelope.accepted", "the answer to your request was signed with a key that the publisher pinned"
	}
	switch {
	case !r.RequestBound:
		r.Detail += "; it is not bound to your request, for which the request and the identity of its caller are needed"
	case r.Caller == Anonymous:
		r.Detail += "; the caller was not authenticated, so anybody could have asked"
	}
}
