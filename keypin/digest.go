package keypin

import (
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/base64"
	"strings"

	"github.com/avow-project/avow/internal/std/sfv"
)

// digestOf returns the value of a Content-Digest field for a body.
func digestOf(body []byte) string {
	sum := sha256.Sum256(body)
	return "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
}

// readDigest reads the Content-Digest of a message. Without the field it returns nil.
func readDigest(m *Message, e encoding) ([]sfv.Member, *fault) {
	text, ok := m.value("content-digest")
	if !ok {
		return nil, nil
	}
	members, err := sfv.ParseDictionary(text, sfv.Options{RawBytes: true})
	if err != nil || len(members) == 0 {
		return nil, malformed("Content-Digest is not a list of digests, each algorithm once")
	}
	for i := range members {
		x := &members[i].Value
		if members[i].IsList || x.Kind != sfv.Bytes {
			return nil, malformed("a digest in Content-Digest is not a sequence of bytes")
		}
		x.Bytes, ok = e.decode(x.Text)
		if !ok {
			return nil, malformed("a digest in Content-Digest is not written in the base64 of the profile")
		}
	}
	return members, nil
}

// checkDigest compares every digest of a known algorithm with the body, and asks for one
// at least.
func checkDigest(members []sfv.Member, body []byte) *fault {
	known := false
	for i := range members {
		var sum []byte
		switch members[i].Name {
		case "sha-256":
			s := sha256.Sum256(body)
			sum = s[:]
		case "sha-512":
			s := sha512.Sum512(body)
			sum = s[:]
		default:
			continue
		}
		known = true
		if subtle.ConstantTimeCompare(sum, members[i].Value.Bytes) != 1 {
			return &fault{"signature.digest_mismatch", "the body is not the one that was signed"}
		}
	}
	if !known {
		return &fault{"signature.digest_unsupported", "Content-Digest has neither sha-256 nor sha-512"}
	}
	return nil
}

// singles are fields that a message has at most once. Of two values, two programs may
// take different ones.
var singles = []string{"content-type", "content-length", "host"}

// readHead checks the fields that a signature relies on.
func readHead(m *Message, p *Profile) ([]sfv.Member, *fault) {
	for _, name := range singles {
		values := m.values(name)
		if len(values) > 1 || name == "content-type" && len(values) == 1 && strings.Contains(values[0], ",") {
			return nil, malformed("the field " + name + " has more than one value")
		}
	}
	return readDigest(m, p.digestBytes)
}
