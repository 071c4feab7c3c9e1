package adagents

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/model"
)

// The remedies of keys. A key that verifies nothing may be removed, unless it is the only
// one: an entry without any would not be pinned any more.

// keyTypes gives the kty and the alg of each curve for signatures.
var keyTypes = map[string][2]string{
	"Ed25519": {"OKP", "EdDSA"}, "Ed448": {"OKP", "EdDSA"},
	"P-256": {"EC", "ES256"}, "P-384": {"EC", "ES384"}, "P-521": {"EC", "ES512"},
}

// curveNames are what people write for a curve.
var curveNames = map[string]string{
	"ed25519": "Ed25519", "ed448": "Ed448", "p256": "P-256", "p384": "P-384", "p521": "P-521",
	"secp256r1": "P-256", "prime256v1": "P-256", "secp384r1": "P-384", "secp521r1": "P-521",
	"nistp256": "P-256", "nistp384": "P-384", "nistp521": "P-521", "x25519": "X25519",
}

// dropKey offers to remove a key that cannot be used.
var dropKey = remedy{Choice, func(x fixing) []Fix {
	key := x.at
	if !key.Is(Object) || x.Parent(key).Is(Object) {
		key = x.owner()
	}
	if list := x.Parent(key); !list.Is(Array) || list.Len() < 2 {
		return nil
	}
	return x.one("remove the key, which verifies nothing", x.Remove(key))
}}

// oneOfTwoKeys keeps one of two keys with the same kid.
var oneOfTwoKeys = remedy{Choice, func(x fixing) []Fix {
	second := x.owner()
	first := x.names.firstOf(x.Parent(second), "kid")[x.at.Str()]
	if !first.Exists() || first == second {
		return nil
	}
	if x.alike(first, second) {
		kind := Likely
		if bytes.Equal(FormatValue(first), FormatValue(second)) {
			kind = Safe // verifiers take two keys for one only if they are written alike
		}
		return x.as(kind, "remove the repeated key", x.Remove(second))
	}
	return []Fix{
		{Title: "keep the first key " + quote(x.at.Str()), Kind: Choice, Edits: []Edit{x.Remove(second)}},
		{Title: "keep the last key " + quote(x.at.Str()), Kind: Choice, Edits: []Edit{x.Remove(first)}},
	}
}}

// keyType writes the kty that belongs to the curve, and the curve where it is clear.
var keyType = remedy{Likely, func(x fixing) []Fix {
	name := curve(x.owner())
	kind, ok := keyTypes[name]
	if !ok {
		return nil
	}
	if x.missing == "" || x.at.Has("crv") {
		return x.set("kty", jsonedit.String(kind[0]))
	}
	edit := x.AddMember(x.at, "kty", jsonedit.String(kind[0]))
	edit.New += x.AddMember(x.at, "crv", jsonedit.String(name)).New // both stand at the end
	return x.one("write the kty and the crv of a key of "+name, edit)
}}

// keyAlg writes the alg that belongs to the curve.
var keyAlg = remedy{Likely, func(x fixing) []Fix {
	kind, ok := keyTypes[curve(x.owner())]
	if !ok || x.at.Str() == kind[1] {
		return nil
	}
	return x.set("alg", jsonedit.String(kind[1]))
}}

// curve returns the curve of a key in its own spelling.
func curve(key Value) string {
	crv := key.Get("crv").Str()
	if name, ok := curveNames[strings.ToLower(strings.ReplaceAll(crv, "-", ""))]; ok {
		return name
	}
	if crv == "" {
		return curveOfSize(key)
	}
	return crv
}

// curveOfSize guesses the curve of a key that does not name it. A key of 32 bytes without y
// can only be one of Ed25519, where keys are for signatures.
func curveOfSize(key Value) string {
	const size = 32
	text, ok := base64URL(key.Get("x").Str())
	b, _ := base64.RawURLEncoding.DecodeString(text)
	kty, alg := key.Get("kty").Str(), key.Get("alg").Str()
	if ok && len(b) == size && !key.Get("y").Exists() && (kty == "" || kty == "OKP") &&
		(alg == "" || alg == "EdDSA" || alg == "Ed25519") {
		return "Ed25519"
	}
	return ""
}

// keyCurve writes the name of the curve in its own spelling.
var keyCurve = rewriteText(Likely, func(x fixing, _ string) (string, bool) {
	name := curve(x.owner())
	_, ok := keyTypes[name]
	return name, ok
})

// keyBytes writes a part of a key in base64url.
var keyBytes = rewriteText(Likely, func(_ fixing, text string) (string, bool) {
	const hexLength = 64 // of 32 bytes
	b, err := hex.DecodeString(text)
	if err == nil && len(text) == hexLength {
		return base64.RawURLEncoding.EncodeToString(b), true
	}
	return base64URL(text)
})

// forPurpose says what a key is for.
func forPurpose(use string) remedy {
	return remedy{Likely, func(x fixing) []Fix { return x.set("use", jsonedit.String(use)) }}
}

// encryptionKeyFix writes what every encryption key has, and removes what none has.
var encryptionKeyFix = remedy{Likely, func(x fixing) []Fix {
	name := x.missing
	if name == "" {
		name = x.Name(x.at)
	}
	switch {
	case name == "encryption_keys":
		return x.one("remove the empty list", x.Remove(x.at))
	case name == "use":
		return forPurpose("enc").make(x)
	case name == "kty" && x.owner().Get("crv").Str() == "X25519":
		return x.set("kty", `"OKP"`)
	case name == "crv" && curve(x.owner()) == "X25519":
		return x.set("crv", `"X25519"`)
	case name == "x" && x.missing == "":
		return keyBytes.make(x)
	case name != "" && x.missing == "" && model.EncryptionKey.Field(name) == nil:
		return x.one("remove "+quote(name)+", which an encryption key does not have", x.Remove(x.at))
	}
	return nil
}}

// keyList makes a list of a single key, or of a key set.
var keyList = remedy{Likely, func(x fixing) []Fix {
	if keys := x.at.Get("keys"); keys.Is(Array) {
		return revealing(x.one("write the keys of the set as a list", x.Replace(x.at, x.Source(keys))))
	}
	if !x.at.Is(Object) {
		return nil
	}
	return revealing(x.one("write the key as a list", x.Wrap(x.at)...))
}}

// same reports whether two values are written the same.
func (x fixing) same(a, b Value) bool {
	start, end := x.Span(a)
	start2, end2 := x.Span(b)
	return end-start == end2-start2 && x.Source(a) == x.Source(b)
}

// alike reports whether two values say the same. The text of the first one, which may be
// compared with many, is kept.
func (x fixing) alike(first, second Value) bool {
	if first.EndNode()-first.Node() != second.EndNode()-second.Node() {
		return false
	}
	text, ok := x.names.texts[first.Node()]
	if !ok {
		text = conform.CanonicalText(first)
		if x.names.texts == nil {
			x.names.texts = make(map[uint32]string)
		}
		x.names.texts[first.Node()] = text
	}
	return text == conform.CanonicalText(second)
}
