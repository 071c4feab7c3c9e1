package keypin

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/sfv"
)

// Config configures a Verifier.
type Config struct {
	// Source supplies the publishers' files.
	Source Source
	// Replay remembers nonces; nil means a Memory of the Verifier's own.
	Replay Replay
	// Now is the clock.
	Now func() time.Time
}

// A Verifier checks messages. It is safe for concurrent use and must not be copied.
type Verifier struct {
	config  Config
	refresh refresher
}

// New returns a Verifier. It panics when the Source or the clock is missing: a verifier
// without them could only say no.
func New(c Config) *Verifier {
	if c.Source == nil || c.Now == nil {
		panic("keypin: a Verifier needs a Source and a clock")
	}
	if c.Replay == nil {
		c.Replay = new(Memory)
	}
	return &Verifier{config: c, refresh: refresher{source: c.Source, recent: map[string]*forced{}}}
}

// A Question says whose message it should be.
type Question struct {
	// Publisher is the domain whose file pins the keys, Agent the URL of the agent.
	Publisher, Agent string
	// Profile says what the signature must look like; nil means Requests.
	Profile *Profile
	// At is the moment to judge at; zero means now. It is for looking into the past:
	// the publisher's file is the present one.
	At time.Time
	// Covers tells which entries of the agent count, when what the message is about is
	// known: only the pin of an entry that covers it may vouch for it. Nil means that any
	// entry may, and the Result says which did.
	Covers func(*adagents.Agent) bool
	// Authority are the hosts of the receiver, with the port if it is not the usual one. A
	// request that was sent to another one is refused: its signature may be good, and was
	// meant for another receiver. Empty means that the caller has seen to it. A response
	// has none.
	Authority []string
	// Unpinned are keys to try when the publisher lists the agent and pins none, such as
	// those that the agent hosts. They never count where there is a pin.
	Unpinned []*Key
	// Published are the keys that the agent publishes, for the profiles of AdCP 3.3. Others do not
	// look at them.
	Published []*Key
	// Revocations supplies the list of keys that the agent's operator has revoked; nil means
	// that only revoked_at of the pin is looked at.
	Revocations Revoker
	// Operator is the origin whose list of revoked keys speaks for the agent, if that is on
	// another site than the agent, for example https://operator.example.
	Operator string
}

func (q *Question) profile() *Profile {
	if q.Profile == nil {
		return Requests()
	}
	return q.Profile
}

// An InputError is the error for a question that names no publisher or no agent.
type InputError struct{ Message string }

// Error returns the message.
func (e *InputError) Error() string { return e.Message }

// A check is the verification of one message.
type check struct {
	v       *Verifier
	m       *Message
	q       Question
	p       *Profile
	started time.Time
	now     time.Time
	sig     *signature
	digest  []sfv.Member
	result  *Result
	// keySince is the document's.
	keySince func(agent, thumbprint string) time.Time
}

// Verify checks a message. The error is an *InputError, or an error of the context, the
// Source or the Replay; everything that is wrong with the message is part of the Result. A
// message is verified once: its nonce is spent then.
func (v *Verifier) Verify(ctx context.Context, m *Message, q Question) (*Result, error) {
	c := &check{v: v, m: m, q: q, p: q.profile(), started: v.config.Now(), result: new(Result)}
	err := c.canonical()
	if err != nil {
		return nil, err
	}
	c.now = q.At
	if c.now.IsZero() {
		c.now = c.started
	}
	f := c.read()
	if f == nil {
		f, err = c.verify(ctx)
	}
	if err != nil {
		return nil, err
	}
	if f != nil {
		c.result.Code, c.result.Detail = f.code, f.detail
		c.result.Verdict = verdictOf(f.code)
	}
	return c.result, nil
}

// canonical puts the names of the question into the form in which they are compared.
func (c *check) canonical() error {
	name, _, err := hostname.Canonical(c.q.Publisher)
	if err != nil {
		return &InputError{"the publisher " + quote(c.q.Publisher) + " is not a domain"}
	}
	url, _, err := hostname.CanonicalURL(c.q.Agent)
	if err != nil {
		return &InputError{"the agent " + quote(c.q.Agent) + " is not a URL"}
	}
	c.result.Publisher, c.result.Agent = name, url
	return nil
}

// read does everything that needs no key.
func (c *check) read() *fault {
	if (c.m.Status != 0) != c.p.response {
		return &fault{"signature.kind_mismatch", "the profile " + c.p.Name + " is for another kind of message"}
	}
	var f *fault
	c.digest, f = readHead(c.m, c.p)
	if f != nil {
		return f
	}
	c.sig, f = readSignature(c.m, c.p)
	if f != nil {
		return f
	}
	c.describe()
	f = c.sig.check(c.m, c.p, c.now)
	if f != nil {
		return f
	}
	f = encodedBody(c.m)
	if f != nil {
		return f
	}
	return c.receiver()
}

// receiver refuses a request that was sent to another receiver.
func (c *check) receiver() *fault {
	if c.m.Status != 0 || len(c.q.Authority) == 0 {
		return nil
	}
	t, ok := targetOf(c.m, c.p.canonicalTarget)
	if !ok {
		return targetInvalid()
	}
	for _, host := range c.q.Authority {
		if sameAuthority(&t, host) {
			return nil
		}
	}
	return &fault{"signature.receiver_mismatch", "the request was sent to " + quote(t.authority) +
		", which is not a host of the receiver"}
}

// describe puts what the signature says into the result.
func (c *check) describe() {
	r := c.result
	r.KeyID, r.Created, r.Expires = c.sig.keyid, time.Unix(c.sig.created, 0).UTC(), c.sig.until(c.p).UTC()
	for i := range c.sig.components {
		r.Covered = append(r.Covered, c.sig.components[i].id)
	}
}

// verify looks for the key and does what needs it.
func (c *check) verify(ctx context.Context) (*fault, error) {
	found, f, err := c.lookup(ctx)
	if err != nil {
		return nil, err
	}
	verdict := Accepted
	switch {
	case f == nil:
	case f.code != codeUnpinned:
		return f, nil
	case c.p.published:
		found = c.publishedOnly()
		if found == nil {
			return unpublished(c.sig.keyid), nil
		}
	case len(c.q.Unpinned) == 0:
		return f, nil
	default:
		verdict, found = VerifiedUnpinned, c.unpinned()
	}
	hit, f, err := c.try(ctx, found)
	if f != nil || err != nil {
		return f, err
	}
	f, err = c.settle(ctx, hit.key)
	if f != nil || err != nil {
		return f, err
	}
	c.accept(hit, verdict)
	return nil, nil
}

// unpinned returns the keys of the caller that have the name.
func (c *check) unpinned() []candidate {
	var out []candidate
	for _, k := range c.q.Unpinned {
		if k != nil && k.id == c.sig.keyid && len(out) < maxCandidates {
			out = append(out, candidate{key: k})
		}
	}
	return out
}

// publishedOnly returns the keys of the name that the agent publishes, where the publisher pins none.
func (c *check) publishedOnly() []candidate {
	var out []candidate
	for _, k := range c.q.published(c.sig.keyid) {
		out = append(out, candidate{key: k})
	}
	return out
}

// try finds the candidate whose key made the signature.
func (c *check) try(ctx context.Context, found []candidate) (*candidate, *fault, error) {
	f := &fault{codeKeyUnknown, "no key has the id " + quote(c.sig.keyid)}
	var base []byte
	for i := range found {
		key := found[i].key
		f = c.admits(ctx, key)
		if f != nil {
			continue
		}
		var err error
		f, err = c.full(ctx, key)
		if f != nil || err != nil {
			return nil, f, err
		}
		if base == nil {
			base, f = c.sig.base(c.m, c.p.canonicalTarget)
			if f != nil {
				return nil, f, nil
			}
		}
		switch {
		case c.p.lowS && key.isHighS(c.sig.value):
			f = &fault{"signature.high_s", "the signature is in the form with the larger of two numbers"}
			continue
		case key.verify(base, c.sig.value):
			return &found[i], nil, nil
		}
		f = &fault{"signature.invalid", "the signature was not made with the key " + quote(c.sig.keyid) +
			" over this message"}
	}
	return nil, f, nil
}

// admits checks a key against what the signature says.
func (c *check) admits(ctx context.Context, k *Key) *fault {
	switch {
	case c.sig.alg != "" && c.sig.alg != k.alg:
		return &fault{"pin.alg_mismatch", "the signature says " + quote(c.sig.alg) + ", and the key is for " + k.alg}
	case k.restricted && !slices.Contains(c.p.purposes, k.purpose):
		return &fault{"pin.key_purpose_invalid", "the key " + quote(k.id) + " is not for messages of this kind"}
	case k.revoked && !time.Unix(c.sig.created, 0).Before(k.revokedAt):
		return &fault{"pin.key_revoked", "the key " + quote(k.id) + " was revoked before the signature was made"}
	}
	return c.revocation(ctx, k)
}

// scope names the nonces of a key.
func (c *check) scope(k *Key) string { return c.p.tag + " " + k.thumbprint }

func (c *check) full(ctx context.Context, k *Key) (*fault, error) {
	if c.p.nonces == 0 || !c.sig.hasNonce {
		return nil, nil
	}
	full, err := c.v.config.Replay.Full(ctx, c.scope(k), c.p.nonces, c.now)
	if err != nil {
		return nil, fmt.Errorf("nonces: %w", err)
	}
	if full {
		return &fault{"signature.rate_exceeded", "the key has signed too many messages within the window"}, nil
	}
	return nil, nil
}

// settle checks the body and the nonce of a message whose signature is good.
func (c *check) settle(ctx context.Context, k *Key) (*fault, error) {
	f := c.body()
	if f != nil {
		return f, nil
	}
	f, err := c.nonce(ctx, k)
	if f != nil || err != nil {
		return f, err
	}
	return ambiguousBody(c.m), nil
}

// body checks the digest, and notes whether it binds the body.
func (c *check) body() *fault {
	covered := c.sig.coversDigest()
	if c.p.digest != DigestRequired && !covered {
		return nil
	}
	if c.digest == nil && len(c.m.Body) > 0 {
		return &fault{"signature.components_incomplete", "the message has a body without a digest"}
	}
	c.result.BodyBound = true
	if c.digest == nil {
		return nil
	}
	f := checkDigest(c.digest, c.m.Body)
	c.result.BodyBound = f == nil
	return f
}

// nonce spends the nonce of a message.
func (c *check) nonce(ctx context.Context, k *Key) (*fault, error) {
	if c.p.nonces == 0 || !c.sig.hasNonce {
		return nil, nil
	}
	fresh, err := c.v.config.Replay.Add(ctx, c.scope(k), c.sig.nonce, c.sig.until(c.p).Add(skew), c.now)
	if err != nil {
		return nil, fmt.Errorf("nonces: %w", err)
	}
	if !fresh {
		return &fault{"signature.replayed", "a message with this nonce was accepted before"}, nil
	}
	return nil, nil
}

// encodedBody refuses a body that was compressed. The digest covers the bytes as they were
// sent, and no profile covers the field that says how to decode them: what the receiver
// will read is unknown here.
func encodedBody(m *Message) *fault {
	if len(m.Body) == 0 {
		return nil
	}
	all, _ := m.value("content-encoding")
	for name := range strings.SplitSeq(all, ",") {
		name = strings.TrimSpace(name)
		if name != "" && !strings.EqualFold(name, "identity") {
			return &fault{"signature.body_encoded", "the body is sent with the Content-Encoding " + quote(name) +
				"; it has to be signed and sent as it is"}
		}
	}
	return nil
}

// ambiguousBody refuses JSON with a member that is there twice: who reads the message may
// take another of the two than who signed it.
func ambiguousBody(m *Message) *fault {
	kind, _ := m.value("content-type")
	kind, _, _ = strings.Cut(strings.ToLower(kind), ";")
	kind = strings.TrimSpace(kind)
	if len(m.Body) == 0 || !strings.HasSuffix(kind, "/json") && !strings.HasSuffix(kind, "+json") {
		return nil
	}
	tree, err := jsontree.Parse(m.Body, jsontree.Options{MaxBytes: len(m.Body)})
	switch {
	case err != nil:
		return &fault{"signature.body_ambiguous", "the body is not JSON: " + err.Error()}
	case len(tree.Duplicates()) > 0:
		return &fault{"signature.body_ambiguous", "a member of the body is there twice"}
	}
	return nil
}

// accept writes the result.
func (c *check) accept(hit *candidate, v Verdict) {
	r := c.result
	r.Verdict, r.Alg, r.Thumbprint = v, hit.key.alg, hit.key.thumbprint
	if c.keySince != nil && len(hit.entries) > 0 {
		r.KnownSince = c.keySince(r.Agent, r.Thumbprint)
	}
	r.Code, r.Detail = "signature.accepted", "the message was signed with a key that the publisher pinned"
	switch {
	case len(hit.entries) == 0:
		r.Code, r.Detail = "signature.accepted_unpinned", "the message was signed with a key that the publisher did not pin"
	case !r.BodyBound:
		r.Code = codeBodyUnbound
	}
	if !r.BodyBound {
		r.Detail += "; its body is not bound by the signature and may be anybody's"
	}
	if len(hit.entries) > 0 {
		r.Note = CodeEntryOutsideWindow
	}
	for _, a := range hit.entries {
		r.Entries = append(r.Entries, Entry{a.Pointer(), a})
		if holdsAt(a, c.now) {
			r.Note = ""
		}
	}
}

// holdsAt reports whether the window of an entry is open.
func holdsAt(a *adagents.Agent, at time.Time) bool {
	from, begins := a.EffectiveFrom.Time()
	until, ends := a.EffectiveUntil.Time()
	return (!begins || !at.Before(from)) && (!ends || !at.After(until))
}
