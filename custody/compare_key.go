package custody

import (
	"maps"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/jcs"
	"github.com/avow-project/avow/internal/std/jwk"
)

// A pin is a key that a publisher vouches for.
type pin struct {
	kid, print string
	revoked    adagents.Timestamp
	// purposes are what the key may be used for, as the entries write it.
	purposes []string
	raw      adagents.Value
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
			c.repurposedKey(url, was, p)
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
}

// unpinned reports that an agent has no pinned keys any more, or an entry of it has none:
// what it is about is then not protected by those of the others.
func (c *comparer) unpinned(url string, old, next []*adagents.Agent, together [][2]entry) {
	if !slices.ContainsFunc(next, (*adagents.Agent).Pinned) {
		if slices.ContainsFunc(old, (*adagents.Agent).Pinned) {
			c.add("agent.unpinned", next[0].Raw, url, "", "", "no key of the agent "+quote(url)+" is pinned any more")
		}
		return
	}
	for _, p := range together {
		if p[0].Pinned() && !p[1].Pinned() {
			c.add("agent.unpinned", p[1].Raw, url, "", "", "an entry of the agent "+quote(url)+" pins no key any more")
		}
	}
}

func (c *comparer) repurposedKey(url string, old, next pin) {
	if !slices.Equal(old.purposes, next.purposes) {
		c.add("signing_key.repurposed", next.raw, url, strings.Join(old.purposes, "; "), strings.Join(next.purposes, "; "), "the key "+quote(next.kid)+" of the agent "+quote(url)+" is for other messages now")
	}
}

// encryption compares the keys for which messages to one agent are encrypted.
func (c *comparer) encryption(url string, old, next []*adagents.Agent) {
	before, after := encryptionOf(old), encryptionOf(next)
	if !slices.Equal(before, after) {
		c.add("encryption_key.changed", next[0].Raw, url, "", "", "messages to the agent "+quote(url)+" are encrypted for other keys")
	}
}

// encryptionOf returns the encryption keys of an agent in their one form, each once.
func encryptionOf(entries []*adagents.Agent) []string {
	var out []string
	for _, a := range entries {
		for _, key := range a.Raw.Get("encryption_keys").Elems() {
			text, err := jcs.Append(nil, key)
			if err != nil {
				text = adagents.FormatValue(key)
			}
			out = append(out, string(text))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// purposeOf returns the members of a key that say what it is for.
func purposeOf(k *adagents.SigningKey) string {
	var parts []string
	for _, name := range []string{"alg", "use", "key_ops", "adcp_use"} {
		if v := k.Raw.Get(name); v.Exists() && !v.Is(adagents.Array) {
			parts = append(parts, name+" "+string(adagents.FormatValue(v)))
		}
		for _, v := range k.Raw.Get(name).Elems() {
			parts = append(parts, name+" "+string(adagents.FormatValue(v)))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
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

// pinsOf returns the keys of an agent by name and material. Of several times at which
// entries revoke a key the earliest counts. A key without material that could be read is known
// by what is written.
func pinsOf(entries []*adagents.Agent) map[string]pin {
	out := make(map[string]pin)
	for _, a := range entries {
		for i := range a.SigningKeys {
			k := &a.SigningKeys[i]
			print, ok := jwk.Thumbprint(jwk.Key{Kid: k.Kid, Kty: k.Kty, Crv: k.Crv, X: k.X, Y: k.Y, N: k.N, E: k.E})
			if !ok {
				print = k.Kty + " " + k.Crv + " " + k.X + k.Y + k.N + k.E
			}
			id := k.Kid + "\x00" + print
			was, ok := out[id]
			purposes := slices.Sorted(slices.Values(slices.Concat(was.purposes, []string{purposeOf(k)})))
			if !ok || was.revoked == "" || k.RevokedAt != "" && dateOf(k.RevokedAt).Before(dateOf(was.revoked)) {
				was = pin{kid: k.Kid, print: print, revoked: k.RevokedAt, raw: k.Raw}
			}
			was.purposes = slices.Compact(purposes)
			out[id] = was
		}
	}
	return out
}
