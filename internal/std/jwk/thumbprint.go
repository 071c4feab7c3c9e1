package jwk

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Thumbprint gives the RFC 7638 SHA-256 thumbprint of the key in base64url. Two
// keys have the same one exactly when they hold the same material, whatever
// their kid. It reports false when a required member is missing or malformed.
//
// Leading zero bytes of an RSA number are left out, because RFC 7518 forbids
// them and some software writes them.
func Thumbprint(k Key) (string, bool) {
	var members []string // name and value in turn, in the order of RFC 7638
	switch k.Kty {
	case "OKP":
		members = []string{"crv", k.Crv, "kty", k.Kty, "x", canonical(k.X)}
	case "EC":
		members = []string{"crv", k.Crv, "kty", k.Kty, "x", canonical(k.X), "y", canonical(k.Y)}
	case "RSA":
		members = []string{"e", canonicalNumber(k.E), "kty", k.Kty, "n", canonicalNumber(k.N)}
	default:
		return "", false
	}
	var b strings.Builder
	for i := 0; i < len(members); i += 2 {
		if members[i+1] == "" || !isPlain(members[i+1]) {
			return "", false
		}
		b.WriteString(`,"` + members[i] + `":"` + members[i+1] + `"`)
	}
	sum := sha256.Sum256([]byte("{" + b.String()[1:] + "}"))
	return base64.RawURLEncoding.EncodeToString(sum[:]), true
}

// isPlain reports whether s needs no escaping in JSON, as is true of every curve
// name and base64url text.
func isPlain(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < '!' || r > '~' || r == '"' || r == '\\' }) < 0
}

// canonical returns a base64url value, or "" when it is malformed.
func canonical(value string) string {
	var c checker
	_, ok := c.decode("", value)
	if !ok {
		return ""
	}
	return value
}

func canonicalNumber(value string) string {
	var c checker
	b, ok := c.decode("", value)
	if !ok {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(bytes.TrimLeft(b, "\x00"))
}
