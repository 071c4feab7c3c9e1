package keypin

import (
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/std/sfv"
)

// A fault is why a message is not accepted.
type fault struct{ code, detail string }

func malformed(detail string) *fault { return &fault{"signature.header_malformed", detail} }

// A signature is the one of a message that is looked at.
type signature struct {
	components       []component
	params           []byte // the canonical list with its parameters
	value            []byte
	keyid, alg       string
	tag, nonce       string
	hasNonce         bool
	created, expires int64
	hasExpires       bool
}

// readSignature reads the two fields of a signature.
func readSignature(m *Message, p *Profile) (*signature, *fault) {
	input, hasInput := m.value("signature-input")
	value, hasValue := m.value("signature")
	switch {
	case !hasInput && !hasValue:
		return nil, &fault{"signature.missing", "the message is not signed"}
	case !hasInput || !hasValue:
		return nil, malformed("there is one of Signature and Signature-Input without the other")
	case len(input) > maxHead || len(value) > maxHead:
		return nil, malformed("a field of the signature is too long")
	}
	inputs, err := sfv.ParseDictionary(input, sfv.Options{})
	if err != nil {
		return nil, malformed("Signature-Input: " + err.Error())
	}
	// Other signatures may have been added by others and be written in another way.
	values, err := sfv.ParseDictionary(value, sfv.Options{RawBytes: true})
	if err != nil {
		return nil, malformed("Signature: " + err.Error())
	}
	in, f := chosen(inputs, p.label)
	if f != nil {
		return nil, f
	}
	made := sfv.Find(values, in.Name)
	if made == nil || made.IsList || made.Value.Kind != sfv.Bytes {
		return nil, malformed("Signature has no bytes under the label " + quote(in.Name))
	}
	bytes, ok := p.signatureBytes.decode(made.Value.Text)
	if !ok {
		return nil, malformed("the signature " + quote(in.Name) + " is not written in the base64 of the profile" +
			otherEncoding(made.Value.Text, p))
	}
	s := &signature{params: in.AppendValue(nil), value: bytes}
	f = s.read(in)
	if f == nil {
		f = s.complete(p)
	}
	return s, f
}

// otherEncoding names the profile of requests that a signature seems to be written for. It
// is told to the reader and never tried.
func otherEncoding(text string, p *Profile) string {
	_, ok := urlBytes.decode(text)
	if !ok || p.signatureBytes != standardBytes || p.tag != Requests().tag {
		return ""
	}
	return "; requests of the versions 3.0 and 3.1 are written like this, in the profile " + Requests31(DigestEither).Name
}

// chosen returns the signature that is looked at. It is one alone: a message is not tried
// with one signature after the other.
func chosen(inputs []sfv.Member, label string) (*sfv.Member, *fault) {
	in := sfv.Find(inputs, label)
	if in == nil && len(inputs) == 1 {
		in = &inputs[0]
	}
	switch {
	case in == nil && label == "":
		return nil, malformed("there is not exactly one signature")
	case in == nil:
		return nil, malformed("there is no signature with the label " + quote(label))
	}
	if !in.IsList {
		return nil, malformed("Signature-Input is not a list of components")
	}
	return in, nil
}

// read takes the components and parameters of a signature.
func (s *signature) read(in *sfv.Member) *fault {
	for i := range in.List {
		c, f := readComponent(&in.List[i])
		if f != nil {
			return f
		}
		switch {
		case c.name == "@signature-params":
			return malformed("the component " + c.id + " cannot be covered")
		case s.covers(c.id):
			return unexpected("the signature covers " + c.id + " twice")
		}
		s.components = append(s.components, c)
	}
	for i := range in.Params {
		f := s.param(&in.Params[i])
		if f != nil {
			return f
		}
	}
	return nil
}

// param takes one parameter. Those that are not known are part of the signature and say
// nothing.
func (s *signature) param(p *sfv.Param) *fault {
	texts := map[string]*string{"keyid": &s.keyid, "alg": &s.alg, "tag": &s.tag, "nonce": &s.nonce}
	if text, ok := texts[p.Name]; ok {
		if p.Value.Kind != sfv.String || len(p.Value.Text) > maxText {
			return malformed("the parameter " + p.Name + " is not a short string")
		}
		*text = p.Value.Text
		s.hasNonce = s.hasNonce || p.Name == "nonce"
		return nil
	}
	if p.Name != "created" && p.Name != "expires" {
		return nil
	}
	if p.Value.Kind != sfv.Integer || p.Value.Int <= 0 {
		return malformed("the parameter " + p.Name + " is not a whole number of seconds")
	}
	if p.Name == "created" {
		s.created = p.Value.Int
	} else {
		s.expires, s.hasExpires = p.Value.Int, true
	}
	return nil
}

// complete reports a parameter that the profile demands and the signature lacks.
func (s *signature) complete(p *Profile) *fault {
	has := map[string]bool{
		"created": s.created > 0, "expires": s.hasExpires, "keyid": s.keyid != "",
		"alg": s.alg != "", "tag": s.tag != "", "nonce": s.hasNonce,
	}
	for _, name := range slices.Concat([]string{"created", "keyid"}, p.params) {
		if !has[name] {
			return &fault{"signature.params_incomplete", "the signature has no parameter " + name}
		}
	}
	return nil
}

// coversDigest reports whether the signature covers the digest of the body.
func (s *signature) coversDigest() bool { return s.covers(`"content-digest"`) }

func (s *signature) covers(id string) bool {
	return slices.ContainsFunc(s.components, func(c component) bool { return c.id == id })
}

// check applies what a profile says about the parameters and components.
func (s *signature) check(m *Message, p *Profile, now time.Time) *fault {
	switch {
	case s.tag != p.tag:
		return &fault{"signature.tag_invalid", "the signature was made for " + quote(s.tag)}
	case s.alg != "" && s.alg != algEd25519 && s.alg != algP256:
		return &fault{"signature.alg_not_allowed", "the algorithm " + quote(s.alg) + " is not ed25519 or ecdsa-p256-sha256"}
	}
	f := s.checkWindow(p, now)
	if f != nil {
		return f
	}
	f = s.checkComponents(m, p)
	if f != nil {
		return f
	}
	return s.checkNonce(p)
}

// checkNonce refuses a nonce that is too short or not written as it should be. Whether it is
// new is asked later.
func (s *signature) checkNonce(p *Profile) *fault {
	if p.nonces == 0 || !s.hasNonce {
		return nil
	}
	// Stray bits at the end do no harm: the text is what is remembered.
	b, err := base64.RawURLEncoding.DecodeString(s.nonce)
	switch {
	case err != nil || strings.ContainsAny(s.nonce, "\r\n"):
		return &fault{"signature.nonce_invalid", "the nonce is not written in base64url without padding"}
	case len(b) < minNonce:
		return &fault{"signature.nonce_invalid", "the nonce has less than 16 bytes"}
	}
	return nil
}

func unexpected(detail string) *fault { return &fault{"signature.components_unexpected", detail} }

// checkComponents looks at what a signature covers.
func (s *signature) checkComponents(m *Message, p *Profile) *fault {
	need := p.components
	if len(m.Body) > 0 {
		need = slices.Concat(need, p.withBody)
	}
	for _, id := range need {
		if !strings.HasPrefix(id, `"`) {
			id = `"` + id + `"`
		}
		if !s.covers(id) {
			return &fault{"signature.components_incomplete", "the signature does not cover " + id + otherPolicy(id, p)}
		}
	}
	if p.digest == DigestForbidden && s.coversDigest() {
		return unexpected("the signature covers the digest of the body, which the receiver has announced to forbid")
	}
	for i := range s.components {
		c := &s.components[i]
		if p.closed && !slices.Contains(p.components, c.name) && strings.HasPrefix(c.name, "@") || p.closed &&
			c.id != `"`+c.name+`"` {
			return unexpected("the signature covers " + c.id + ", which is not part of the profile")
		}
	}
	return nil
}

// otherPolicy names the profile of requests in which the digest of a body may be missing.
func otherPolicy(id string, p *Profile) string {
	if id != `"content-digest"` || p.tag != Requests().tag || p.digest != DigestRequired {
		return ""
	}
	return "; in the profile " + Requests31(DigestEither).Name +
		" a receiver may have announced that it need not, and the body is not bound then"
}

// checkWindow looks at the times of a signature.
func (s *signature) checkWindow(p *Profile, now time.Time) *fault {
	created, expires := time.Unix(s.created, 0), s.until(p)
	bad := func(why string) *fault { return &fault{"signature.window_invalid", why} }
	switch {
	case !expires.After(created):
		return bad("the signature expires before it is made")
	case expires.Sub(created) > p.window:
		return bad("the signature holds for longer than " + p.window.String())
	case created.After(now.Add(skew)):
		return bad("the signature is from the future")
	case expires.Before(now.Add(-skew)):
		return bad("the signature has expired")
	}
	return nil
}

// until returns when a signature ends: as it says, or after the window.
func (s *signature) until(p *Profile) time.Time {
	if s.hasExpires {
		return time.Unix(s.expires, 0)
	}
	return time.Unix(s.created, 0).Add(p.window)
}

// base returns the bytes that are signed, as RFC 9421 section 2.5 puts them together.
func (s *signature) base(m *Message, canonicalTarget bool) ([]byte, *fault) {
	r := reader{m: m, canonical: canonicalTarget}
	b := make([]byte, 0, 1024)
	for i := range s.components {
		c := &s.components[i]
		value, f := r.value(c)
		if f != nil {
			return nil, f
		}
		b = append(b, c.id...)
		b = append(b, ": "...)
		b = append(b, value...)
		b = append(b, '\n')
	}
	b = append(b, `"@signature-params": `...)
	return append(b, s.params...), nil
}
