package custody

import (
	"maps"
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/jwk"
)

// A pin is a key that a publisher vouches for.
type pin struct {
	kid, print string
	revoked    adagents.Timestamp
	raw        adagents.Value
}

// keys compares the pinned keys of one agent.
func (c *comparer) keys(url string, old, next []*adagents.Agent) {
	before, after := pinsOf(old), pinsOf(next)
	kids := make(map[string]string, len(before)) // the key that has the name
	for _, id := range slices.Sorted(maps.Keys(before)) {
		kids[before[id].kid] = before[id].print
	}
	replaced := make(map[string]bool)
	for _, id := range slices.Sorted(maps.Keys(after)) {
		p := after[id]
		was, ok := before[id]
		switch {
		case ok:
			c.revokedKey(url, was, p)
		case kids[p.kid] != "":
			replaced[p.kid] = true
			c.add("signing_key.replaced", p.raw, url, kids[p.kid], p.print, "the key "+quote(p.kid)+" of the agent "+quote(url)+" is another key now")
		default:
			c.add("signing_key.added", p.raw, url, "", p.print, "the agent "+quote(url)+" may sign with another key, "+quote(p.kid))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(before)) {
		p := before[id]
		if _, ok := after[id]; !ok && !replaced[p.kid] {
			c.add("signing_key.removed", p.raw, url, p.print, "", "the agent "+quote(url)+" may not sign with the key "+quote(p.kid)+" any more")
		}
	}
	if slices.ContainsFunc(old, (*adagents.Agent).Pinned) && !slices.ContainsFunc(next, (*adagents.Agent).Pinned) {
		c.add("agent.unpinned", next[0].Raw, url, "", "", "no key of the agent "+quote(url)+" is pinned any more")
	}
}

func (c *comparer) revokedKey(url string, old, next pin) {
	switch {
	case old.revoked == next.revoked:
	case next.revoked == "" || old.revoked != "" && dateOf(old.revoked).Before(dateOf(next.revoked)):
		c.add("signing_key.restored", next.raw, url, string(old.revoked), string(next.revoked), "the revocation of the key "+quote(next.kid)+" of the agent "+quote(url)+" is taken back in part or whole")
	default:
		c.add("signing_key.withdrawn", next.raw, url, string(old.revoked), string(next.revoked), "the key "+quote(next.kid)+" of the agent "+quote(url)+" is revoked")
	}
}

// pinsOf returns the keys of an agent by name and material. A key without material that
// could be read is known by what is written.
func pinsOf(entries []*adagents.Agent) map[string]pin {
	out := make(map[string]pin)
	for _, a := range entries {
		for i := range a.SigningKeys {
			k := &a.SigningKeys[i]
			print, ok := jwk.Thumbprint(jwk.Key{Kid: k.Kid, Kty: k.Kty, Crv: k.Crv, X: k.X, Y: k.Y, N: k.N, E: k.E})
			if !ok {
				print = k.Kty + " " + k.Crv + " " + k.X + k.Y + k.N + k.E
			}
			out[k.Kid+"\x00"+print] = pin{k.Kid, print, k.RevokedAt, k.Raw}
		}
	}
	return out
}
