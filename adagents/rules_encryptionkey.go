package adagents

import "github.com/avow-project/avow/internal/std/jwk"

// encryptionKeyRules are empty: the one rule about encryption keys compares
// the keys of an entry with each other and stands with the agent's.
var encryptionKeyRules = []rule[*EncryptionKey]{}

// encryptionKeyX is a public key for the examples.
const encryptionKeyX = "hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo"

// encryptionKey reports everything that is wrong with one encryption key.
func encryptionKey(r reporter, k *EncryptionKey) {
	if !k.Raw.Is(Object) {
		sayLost(r, k, k.Raw, "the encryption key is "+k.Raw.Kind().String()+", not an object")
		return
	}
	key := jwk.Key{Kid: k.Kid, Kty: k.Kty, Crv: k.Crv, Use: k.Use, X: k.X}
	for m := range k.Raw.Members() {
		key.Members = append(key.Members, m.Name())
	}
	unknown := false
	for _, p := range jwk.CheckEncryption(key) {
		// One member too many is enough to say: a hostile key has thousands.
		if p.Kind == jwk.MemberUnknown && unknown {
			continue
		}
		unknown = unknown || p.Kind == jwk.MemberUnknown
		sayMember(r, Error, DropRef, k.Raw, p.Member, "encryption key: "+p.Text)
		r.out.lose(&k.effect, DropRef)
	}
}

// sayLost reports a key that is left out for what is found at a value.
func sayLost(r reporter, k *EncryptionKey, at Value, msg string) {
	r.sayWith(Error, DropRef, at, "%s", msg)
	r.out.lose(&k.effect, DropRef)
}
