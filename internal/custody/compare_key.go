package custody

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/jcs"
	"github.com/avow-project/avow/internal/std/jwk"
)

// A pin is a key that a publisher vouches for.
type pin struct {
	kid, print string
	// sound: the key can be used, or could before it was revoked.
	sound bool
	// revoked is what the file has for revoked_at, whatever that is: a key that has it is revoked.
	// From is when; the zero time, before any signature, when that cannot be read.
	revoked string
	from    time.Time
	// purposes are what the key may be used for, as the entries write it.
	purposes []string
	raw      adagents.Value
}

// keys compares the pinned keys of one agent.
func (c *comparer) keys(url string, old, next []*adagents.Agent) {
	before, after := pinsOf(old), pinsOf(next)
	kids := make(map[string]string, len(before)) // the key that has the name
	for _, id := range slices.Sorted(maps.Keys(before)) {
		if before[id].sound {
			kids[before[id].kid] = before[id].print
		}
	}
	replaced := make(map[string]bool)
	for _, id := range slices.Sorted(maps.Keys(after)) {
		p := after[id]
		was, ok := before[id]
		switch {
		case ok && (was.sound || !p.sound || p.revoked == "" || was.from.Before(p.from)): // otherwise it could not be used before
			c.revokedKey(url, was, p)
			c.repurposedKey(url, was, p)
		case !p.sound: // it must not be used to sign
		case kids[p.kid] != "":
			replaced[p.kid] = true
			c.add("signing_key.replaced", p.raw, url, kids[p.kid], p.print, "the key "+quote(p.kid)+" of the agent "+quote(url)+" is another key now")
		default:
			c.add("signing_key.added", p.raw, url, "", p.print, "the agent "+quote(url)+" may sign with another key, "+quote(p.kid))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(before)) {
		p := before[id]
		if _, ok := after[id]; !ok && p.sound && !replaced[p.kid] {
			c.add("signing_key.removed", p.raw, url, p.print, "", "the agent "+quote(url)+" may not sign with the key "+quote(p.kid)+" any more")
		}
	}
}

// unpinned reports that an agent has no pinned keys any more, or an entry of it has none:
// what it is about is then not protected by those of the others. An entry that had no list of keys
// and has one without a key that can be used is something else: it accepts none.
func (c *comparer) unpinned(url string, old, next []*adagents.Agent, together [][2]entry) {
	if !slices.ContainsFunc(next, (*adagents.Agent).Pinned) {
		if slices.ContainsFunc(old, (*adagents.Agent).Pinned) {
			c.add("agent.unpinned", next[0].Raw, url, "", "", "no key of the agent "+quote(url)+" is pinned any more")
		}
		return
	}
	for _, p := range together {
		switch {
		case p[0].Pinned() && !p[1].Pinned():
			c.add("agent.unpinned", p[1].Raw, url, "", "", "an entry of the agent "+quote(url)+" pins no key any more")
		case !p[0].Pinned() && p[1].Pinned() && len(p[1].SigningKeys) == 0:
			c.add("agent.silenced", p[1].Raw, url, "", "", "an entry of the agent "+quote(url)+" has a list of keys now and no key in it that can be used: no signature is accepted")
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
func purposeOf(key adagents.Value) string {
	var parts []string
	for _, name := range []string{"alg", "use", "key_ops", "adcp_use"} {
		if v := key.Get(name); v.Exists() && !v.Is(adagents.Array) {
			parts = append(parts, name+" "+string(adagents.FormatValue(v)))
		}
		for _, v := range key.Get(name).Elems() {
			parts = append(parts, name+" "+string(adagents.FormatValue(v)))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

func (c *comparer) revokedKey(url string, old, next pin) {
	switch {
	case (old.revoked == "") == (next.revoked == "") && old.from.Equal(next.from):
	case next.revoked == "" || old.revoked != "" && old.from.Before(next.from):
		c.add("signing_key.restored", next.raw, url, old.revoked, next.revoked, "the revocation of the key "+quote(next.kid)+" of the agent "+quote(url)+" is taken back in part or whole")
	default:
		c.add("signing_key.withdrawn", next.raw, url, old.revoked, next.revoked, "the key "+quote(next.kid)+" of the agent "+quote(url)+" is revoked")
	}
}

// pinsOf returns the keys of an agent by name and material. Of several times at which
// entries revoke a key the earliest counts. A key without material that could be read is known
// by what is written. As for signatures, a key with a revoked_at is revoked whatever else is wrong with
// it.
func pinsOf(entries []*adagents.Agent) map[string]pin {
	out := make(map[string]pin)
	for _, a := range entries {
		sound := make(map[uint32]bool, len(a.SigningKeys))
		for i := range a.SigningKeys {
			sound[a.SigningKeys[i].Raw.Node()] = true
		}
		for _, key := range a.Raw.Get("signing_keys").Elems() {
			if sound[key.Node()] || key.Has("revoked_at") {
				addPin(out, key, sound[key.Node()])
			}
		}
	}
	return out
}

func addPin(out map[string]pin, key adagents.Value, sound bool) {
	text := func(name string) string { return key.Get(name).Str() }
	k := jwk.Key{Kid: text("kid"), Kty: text("kty"), Crv: text("crv"), X: text("x"), Y: text("y"), N: text("n"), E: text("e")}
	print, ok := jwk.Thumbprint(k)
	if !ok {
		print = k.Kty + " " + k.Crv + " " + k.X + k.Y + k.N + k.E
	}
	id := k.Kid + "\x00" + print
	was, ok := out[id]
	sound = sound || was.sound
	purposes := slices.Sorted(slices.Values(slices.Concat(was.purposes, []string{purposeOf(key)})))
	revoked := key.Get("revoked_at")
	from := dateOf(adagents.Timestamp(revoked.Str()))
	if !ok || was.revoked == "" || revoked.Exists() && from.Before(was.from) {
		was = pin{kid: k.Kid, print: print, from: from, raw: key}
		if revoked.Exists() {
			was.revoked = cmp.Or(revoked.Str(), string(adagents.FormatValue(revoked)))
		}
	}
	was.purposes, was.sound = slices.Compact(purposes), sound
	out[id] = was
}
