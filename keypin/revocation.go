package keypin

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/rfc3339"
)

// revocationType is the typ of a list of revoked keys.
const revocationType = "adcp-gov-revocation+jws"

// Times of lists of revoked keys: how often they are asked for, and after how many of its own
// intervals a list that was not renewed is too old.
const (
	minPoll       = time.Minute
	maxPoll       = 30 * time.Minute
	graceInterval = 4
	// maxInterval is the longest interval that a list is believed: one that names a date in
	// the next century is not good for so long.
	maxInterval = 7 * 24 * time.Hour
)

// A Revoker supplies the newest list of revoked keys that can be had. Without one, or with an
// error, nothing is known: a message is then refused, and never taken for not revoked.
type Revoker interface {
	Revocations(ctx context.Context) (*RevocationList, error)
}

// A RevocationList is the signed list of an operator's revoked keys. It voids everything that
// such a key ever signed. It is a Revoker that supplies itself.
type RevocationList struct {
	// Issuer is the origin that the list speaks for.
	Issuer string
	// Updated is when the list was made, NextUpdate when the next is due.
	Updated, NextUpdate time.Time
	kids                map[string]bool
	signer              string // the kid of the key that signed the list
}

// Revocations returns the list itself.
func (l *RevocationList) Revocations(context.Context) (*RevocationList, error) { return l, nil }

// Revoked reports whether the list has a key.
func (l *RevocationList) Revoked(kid string) bool { return l.kids[kid] }

// staleAt is when the list must not be used any more.
func (l *RevocationList) staleAt() time.Time {
	interval := min(l.NextUpdate.Sub(l.Updated), maxInterval)
	return l.Updated.Add((1 + graceInterval) * interval)
}

// Due is when to ask for the next list, after one was asked for at a time.
func (l *RevocationList) Due(asked time.Time) time.Time {
	due := l.NextUpdate
	if due.Before(asked.Add(minPoll)) {
		due = asked.Add(minPoll)
	}
	if due.After(asked.Add(maxPoll)) {
		due = asked.Add(maxPoll)
	}
	return due
}

// Replaces reports whether the list may take the place of one that was seen before, which may
// be nil: it is for the same issuer, not older, not from the future, and not signed with a key
// that the other one revokes.
func (l *RevocationList) Replaces(known *RevocationList, now time.Time) bool {
	if l.Updated.After(now.Add(skew)) {
		return false
	}
	return known == nil || known.Issuer == l.Issuer && !l.Updated.Before(known.Updated) && !known.Revoked(l.signer)
}

// ParseRevocations reads the signed list of an issuer, an origin such as https://agent.example,
// and checks it against the keys to trust, of which those with a revoked_at, and those that the
// list itself revokes, are none. It is a JSON Web Signature with one signature, in
// its compact, flattened or general form.
func ParseRevocations(src []byte, issuer string, keys []*Key) (*RevocationList, error) {
	origin, ok := originOf(issuer)
	if !ok {
		return nil, errors.New("the issuer " + quote(issuer) + " is not an origin such as https://agent.example")
	}
	protected, payload, sig, err := splitJWS(src)
	if err != nil {
		return nil, err
	}
	h, f := readJWSHeader(protected, revocationType)
	if f != nil {
		return nil, errors.New(f.detail)
	}
	body, okBody := urlBytes.decode(payload)
	value, okValue := urlBytes.decode(sig)
	if !okBody || !okValue {
		return nil, errors.New("payload and signature are not base64url without padding")
	}
	if !anySigned(keys, h, []byte(protected+"."+payload), value) {
		return nil, errors.New("the list is not signed with a key " + quote(h.kid) + " that is trusted")
	}
	l, err := readRevocations(body)
	if err != nil {
		return nil, err
	}
	said, ok := originOf(l.Issuer)
	if !ok || said != origin {
		return nil, errors.New("the list is of the issuer " + quote(l.Issuer) + ", not " + origin)
	}
	if l.Revoked(h.kid) {
		return nil, errors.New("the list revokes the key " + quote(h.kid) + " that it is signed with, which voids it")
	}
	l.Issuer, l.signer = origin, h.kid
	return l, nil
}

// anySigned reports whether one of the keys with the name made a signature.
func anySigned(keys []*Key, h jwsHeader, input, sig []byte) bool {
	for _, k := range keys {
		if k != nil && !k.revoked && k.id == h.kid && k.alg == h.alg && k.verify(input, sig) {
			return true
		}
	}
	return false
}

// originOf returns the canonical form of an origin over https.
func originOf(text string) (string, bool) {
	_, info, err := hostname.CanonicalURL(text)
	plain := err == nil && info.Scheme == "https" && !info.HasUserinfo && !info.HasFragment && !info.EmptyQuery &&
		info.Query == "" && (info.Path == "/" || info.Path == "")
	if !plain {
		return "", false
	}
	return "https://" + authorityOf(&info), true
}

// splitJWS returns the three parts of a JSON Web Signature.
func splitJWS(src []byte) (string, string, string, error) {
	if len(src) > maxEnvelope {
		return "", "", "", errors.New("the list is too large")
	}
	text := strings.TrimSpace(string(src))
	if !strings.HasPrefix(text, "{") {
		parts := strings.Split(text, ".")
		if len(parts) != 3 {
			return "", "", "", errors.New("the list is not a JSON Web Signature")
		}
		return parts[0], parts[1], parts[2], nil
	}
	tree, err := strictJSON([]byte(text))
	if err != nil {
		return "", "", "", errors.New("the list: " + err.Error())
	}
	root := tree.Root()
	one := root
	if list := root.Get("signatures"); list.Exists() {
		if !list.Is(jsontree.Array) || list.Len() != 1 || root.Has("signature") || root.Has("protected") {
			return "", "", "", errors.New("the list does not have exactly one signature")
		}
		one = list.Index(0)
	}
	protected, hasHeader := one.Get("protected").AsString()
	payload, hasPayload := root.Get("payload").AsString()
	sig, hasSignature := one.Get("signature").AsString()
	if !hasHeader || !hasPayload || !hasSignature || one.Has("header") || root.Has("header") {
		return "", "", "",
			errors.New("the list does not have the texts protected, payload and signature, or has an unprotected header")
	}
	return protected, payload, sig, nil
}

// readRevocations reads the payload of a list.
func readRevocations(body []byte) (*RevocationList, error) {
	tree, err := strictJSON(body)
	if err != nil {
		return nil, errors.New("the payload: " + err.Error())
	}
	v := tree.Root()
	if v.Get("version").Text() != "1" {
		return nil, errors.New("the list is not of version 1")
	}
	l := &RevocationList{Issuer: v.Get("issuer").Str(), kids: map[string]bool{}}
	l.Updated, err = rfc3339.Parse(v.Get("updated").Str())
	if err == nil {
		l.NextUpdate, err = rfc3339.Parse(v.Get("next_update").Str())
	}
	list := v.Get("revoked_kids")
	switch {
	case err != nil || !l.NextUpdate.After(l.Updated):
		return nil, errors.New("updated and next_update are not two times, one after the other")
	case !list.Is(jsontree.Array):
		return nil, errors.New("the list has no revoked_kids")
	}
	for _, kid := range list.Elems() {
		text, ok := kid.AsString()
		if !ok {
			return nil, errors.New("revoked_kids has something else than texts")
		}
		l.kids[text] = true
	}
	return l, nil
}

// revocation asks the list of revoked keys, if the question has one.
func (c *check) revocation(ctx context.Context, k *Key) *fault {
	if c.q.Revocations == nil {
		return nil
	}
	l, err := c.q.Revocations.Revocations(ctx)
	switch {
	case err != nil:
		return &fault{"signature.revocation_stale", "the list of revoked keys could not be had: " + err.Error()}
	case l == nil:
		return &fault{"signature.revocation_stale", "the list of revoked keys could not be had"}
	case !c.speaksFor(l.Issuer):
		return &fault{"signature.revocation_stale", "the list of revoked keys is that of " + quote(l.Issuer) +
			", which is not on the site of the agent; name it as the operator if it speaks for the agent"}
	case l.Revoked(k.id):
		return &fault{"signature.key_revoked", "the list of " + l.Issuer + " has revoked the key " + quote(k.id)}
	case !c.now.Before(l.staleAt()):
		return &fault{"signature.revocation_stale",
			"the list of revoked keys holds until " + l.staleAt().UTC().Format(time.RFC3339) + " and is too old"}
	case l.Updated.After(c.started.Add(skew)):
		return &fault{"signature.revocation_stale", "the list of revoked keys is from the future"}
	}
	c.result.Revocations = l
	return nil
}

// speaksFor reports whether the list of an issuer is about the keys of the agent: it is on the
// same site, or the question names it as the operator.
func (c *check) speaksFor(issuer string) bool {
	operator, named := originOf(c.q.Operator)
	if named && operator == issuer {
		return true
	}
	_, of, err := hostname.CanonicalURL(issuer)
	_, agent, err2 := hostname.CanonicalURL(c.result.Agent)
	if err != nil || err2 != nil {
		return false
	}
	site, ok := hostname.Registrable(agent.Host)
	other, _ := hostname.Registrable(of.Host)
	return of.Host == agent.Host || ok && site == other
}
