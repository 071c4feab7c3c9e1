package keypin

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"errors"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/std/sfv"
)

// A Signing says how a message is signed.
type Signing struct {
	// Profile is the message's; nil means Requests.
	Profile *Profile
	// KeyID names the key for those who verify.
	KeyID string
	// Key is an Ed25519 key or an ECDSA key on P-256.
	Key crypto.Signer
	// Rand is for ECDSA; nil makes signatures that depend on key and message alone.
	Rand io.Reader
	// Created is when the message is signed, and Lifetime how long the signature holds;
	// zero means as long as the profile allows.
	Created  time.Time
	Lifetime time.Duration
	// Nonce is never used twice with one key: 16 random bytes or more in base64url. It may
	// be left out where the profile does not demand it.
	Nonce string
	// Also are further components to cover, as RFC 9421 names them and without the quotes around a
	// plain name: content-type, or "@method";req.
	Also []string
}

// Sign returns the fields that have to be added to a message to sign it: a Content-Digest,
// if it is to be covered and the message has none, Signature-Input and Signature.
func Sign(m *Message, s Signing) ([]Field, error) {
	p := s.Profile
	if p == nil {
		p = Requests()
	}
	alg, err := algOf(s.Key)
	if err != nil {
		return nil, err
	}
	ids := slices.Concat(p.components, s.Also)
	if len(m.Body) > 0 {
		ids = slices.Concat(p.components, p.withBody, s.Also)
	}
	signed := *m
	signed.Fields = slices.Clone(m.Fields)
	var added []Field
	_, has := m.value("content-digest")
	if !has && slices.Contains(ids, "content-digest") {
		added = append(added, Field{"Content-Digest", digestOf(m.Body)})
		signed.Fields = append(signed.Fields, added...)
	}
	in := s.input(p, alg, ids)
	sig, f := parsedInput(in)
	if f == nil {
		var base []byte
		base, f = sig.base(&signed, p.canonicalTarget)
		if f == nil {
			return s.finish(p, added, in, base)
		}
	}
	return nil, errors.New(f.detail)
}

// finish makes the signature and the fields.
func (s *Signing) finish(p *Profile, added []Field, in string, base []byte) ([]Field, error) {
	value, err := s.sign(base)
	if err != nil {
		return nil, err
	}
	label := labelOf(p)
	encoding := base64.RawURLEncoding
	if p.signatureBytes == standardBytes {
		encoding = base64.StdEncoding
	}
	return append(added, Field{"Signature-Input", label + "=" + in},
		Field{"Signature", label + "=:" + encoding.EncodeToString(value) + ":"}), nil
}

func labelOf(p *Profile) string {
	if p.label == "" {
		return "sig1"
	}
	return p.label
}

// input writes the list of components with the parameters.
func (s *Signing) input(p *Profile, alg string, ids []string) string {
	life := s.Lifetime
	if life == 0 {
		life = p.window
	}
	in := sfv.Member{IsList: true}
	text := func(name, value string) {
		if value != "" {
			in.Params = append(in.Params, sfv.Param{Name: name, Value: sfv.Bare{Kind: sfv.String, Text: value}})
		}
	}
	number := func(name string, t time.Time) {
		in.Params = append(in.Params, sfv.Param{Name: name, Value: sfv.Bare{Kind: sfv.Integer, Int: t.Unix()}})
	}
	number("created", s.Created)
	number("expires", s.Created.Add(life))
	text("nonce", s.Nonce)
	text("keyid", s.KeyID)
	text("alg", alg)
	text("tag", p.tag)
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = id
		if !strings.HasPrefix(id, `"`) {
			list[i] = `"` + id + `"`
		}
	}
	return "(" + strings.Join(list, " ") + ")" + string(in.Params.Append(nil))
}

// parsedInput reads what input wrote, which also finds what cannot be sent.
func parsedInput(in string) (*signature, *fault) {
	members, err := sfv.ParseDictionary("x="+in, sfv.Options{})
	if err != nil {
		return nil, malformed("the signature cannot be written: " + err.Error())
	}
	s := &signature{params: members[0].AppendValue(nil)}
	f := s.read(&members[0])
	return s, f
}

func algOf(key crypto.Signer) (string, error) {
	switch k := key.(type) {
	case ed25519.PrivateKey:
		if len(k) == ed25519.PrivateKeySize {
			return algEd25519, nil
		}
	case *ecdsa.PrivateKey:
		if k != nil && k.Curve == elliptic.P256() {
			return algP256, nil
		}
	}
	return "", errors.New("messages are signed with Ed25519 keys or ECDSA keys on P-256")
}

// sign makes the signature over the base.
func (s *Signing) sign(base []byte) ([]byte, error) {
	if key, ok := s.Key.(ed25519.PrivateKey); ok {
		return ed25519.Sign(key, base), nil
	}
	sum := sha256.Sum256(base)
	der, err := s.Key.Sign(s.Rand, sum[:], crypto.SHA256)
	if err != nil {
		return nil, err
	}
	var pair struct{ R, S *big.Int }
	_, err = asn1.Unmarshal(der, &pair)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 64)
	// Either of two numbers is as good; the lower is what some receivers ask for.
	order := elliptic.P256().Params().N
	if highS(pair.S) {
		pair.S.Sub(order, pair.S)
	}
	pair.R.FillBytes(out[:32])
	pair.S.FillBytes(out[32:])
	return out, nil
}
