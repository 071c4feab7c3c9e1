package keypin

import (
	"encoding/base64"
	"strings"

	"github.com/avow-project/avow/internal/std/jcs"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// maxEnvelope is the largest answer or list with a signature that is read. The largest that
// the protocol has holds a hundred claims.
const maxEnvelope = 5 << 20

// A jwsHeader is the protected header of a JSON Web Signature.
type jwsHeader struct {
	// alg is the name of RFC 9421 for the algorithm.
	alg, kid string
}

// jwsAlgs are the algorithms that are accepted, by their names in a header.
var jwsAlgs = map[string]string{"EdDSA": algEd25519, "ES256": algP256}

// jwsRefused are members of a header that change what is signed, or bring a key along.
var jwsRefused = []string{"b64", "crit", "jwk", "jku", "x5c", "x5u"}

// readJWSHeader reads a protected header of a type. It returns what is wrong with it.
func readJWSHeader(protected, typ string) (jwsHeader, *fault) {
	bad := func(why string) (jwsHeader, *fault) { return jwsHeader{}, &fault{"envelope.header_invalid", why} }
	src, ok := urlBytes.decode(protected)
	if !ok || len(src) > maxHead {
		return bad("the protected header is not short base64url without padding")
	}
	tree, err := strictJSON(src)
	if err != nil {
		return bad("the protected header: " + err.Error())
	}
	h := tree.Root()
	for _, name := range jwsRefused {
		if h.Has(name) {
			return bad("the protected header has " + quote(name) + ", which is not accepted")
		}
	}
	kid, hasKid := h.Get("kid").AsString()
	alg, known := jwsAlgs[h.Get("alg").Str()]
	switch {
	case !h.Is(jsontree.Object):
		return bad("the protected header is not an object")
	case h.Get("typ").Str() != typ:
		return bad("the typ of the header is not " + typ)
	case !known:
		return jwsHeader{}, &fault{"signature.alg_not_allowed",
			"the algorithm " + quote(h.Get("alg").Str()) + " is not EdDSA or ES256"}
	case !hasKid || kid == "" || len(kid) > maxText:
		return bad("the header has no kid, or a very long one")
	}
	return jwsHeader{alg, kid}, nil
}

// An ambiguity is why JSON is not read: it cannot be, or not in one way only.
type ambiguity string

// Error returns why.
func (e ambiguity) Error() string { return string(e) }

// strictJSON reads JSON without a member that is there twice.
func strictJSON(src []byte) (*jsontree.Tree, error) {
	tree, err := jsontree.Parse(src, jsontree.Options{MaxBytes: maxEnvelope})
	switch {
	case err != nil:
		return nil, ambiguity("not JSON: " + err.Error())
	case len(tree.Duplicates()) > 0:
		return nil, ambiguity("the member " + quote(tree.Duplicates()[0].Name()) + " is there twice")
	}
	return tree, nil
}

// signingInput is what a JSON Web Signature is made over.
func signingInput(protected string, payload []byte) []byte {
	return []byte(protected + "." + base64.RawURLEncoding.EncodeToString(payload))
}

// canonicalText is the canonical form of a value, or an empty text when it has none.
func canonicalText(v jsontree.Value) string {
	b, err := jcs.Append(nil, v)
	if err != nil {
		return ""
	}
	return string(b)
}

// unixSeconds reads a whole number of seconds.
func unixSeconds(v jsontree.Value) (int64, bool) {
	f, ok := v.Float()
	if !ok || strings.ContainsAny(v.Text(), ".eE-") || f > 1<<40 {
		return 0, false
	}
	return int64(f), true
}
