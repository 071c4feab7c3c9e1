package webhook

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/std/jwk"
	"github.com/avow-project/avow/keypin"
)

// A Key signs requests with Ed25519 by RFC 9421, in the form that webhooks of the protocol
// have.
type Key struct {
	id  string
	key ed25519.PrivateKey
}

// ParseKey reads a private key in PEM or as a JWK. The error repeats nothing of it.
func ParseKey(src []byte) (*Key, error) {
	block, _ := pem.Decode(src)
	if block == nil {
		return parseJWK(bytes.TrimSpace(src))
	}
	if block.Type != "PRIVATE KEY" {
		return nil, errors.New("the PEM block is not an unencrypted PKCS #8 private key")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("the PEM block cannot be read")
	}
	key, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("it is not an Ed25519 key")
	}
	return namedKey("", key), nil
}

// parseJWK reads a private key as RFC 8037 writes it.
func parseJWK(src []byte) (*Key, error) {
	var j struct {
		Kty string `json:"kty"`
		Crv string `json:"crv"`
		Kid string `json:"kid"`
		X   string `json:"x"`
		D   string `json:"d"`
	}
	err := json.Unmarshal(src, &j)
	switch {
	case err != nil:
		return nil, errors.New("it is neither PEM nor a JWK")
	case j.Kty != "OKP" || j.Crv != "Ed25519":
		return nil, errors.New("it is not an Ed25519 key")
	case j.D == "":
		return nil, errors.New("it is a public key")
	}
	seed, err := base64.RawURLEncoding.DecodeString(j.D)
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, errors.New("the member d is not an Ed25519 key")
	}
	key := ed25519.NewKeyFromSeed(seed)
	if j.X != publicText(key) {
		return nil, errors.New("its members x and d do not belong together")
	}
	if strings.ContainsFunc(j.Kid, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
		return nil, errors.New("its member kid cannot be sent")
	}
	return namedKey(j.Kid, key), nil
}

// namedKey names a key by its thumbprint, unless it has a name.
func namedKey(id string, key ed25519.PrivateKey) *Key {
	if id == "" {
		id, _ = jwk.Thumbprint(jwk.Key{Kty: "OKP", Crv: "Ed25519", X: publicText(key)})
	}
	return &Key{id, key}
}

// Public is the public key, as a JWK that receivers check signatures with.
func (k *Key) Public() jwk.Key { return jwk.Key{Kty: "OKP", Crv: "Ed25519", X: publicText(k.key)} }

// ID is the keyid of signatures.
func (k *Key) ID() string { return k.id }

func publicText(key ed25519.PrivateKey) string {
	public := key[ed25519.SeedSize:]
	return base64.RawURLEncoding.EncodeToString(public)
}

// Sign adds Content-Digest, Signature-Input and Signature to a request.
func (k *Key) Sign(r *http.Request, body []byte, now time.Time) error {
	m := &keypin.Message{
		Method: r.Method, Target: r.URL.String(), Body: body,
		Fields: []keypin.Field{{Name: "Content-Type", Value: r.Header.Get("Content-Type")}},
	}
	fields, err := keypin.Sign(m, keypin.Signing{
		Profile: keypin.Webhooks(), KeyID: k.id, Key: k.key, Created: now, Nonce: rand.Text(),
	})
	if err != nil {
		return err
	}
	for _, f := range fields {
		r.Header.Set(f.Name, f.Value)
	}
	return nil
}
