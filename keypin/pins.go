package keypin

import (
	"bytes"
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jwk"
	"github.com/avow-project/avow/internal/std/rfc3339"
)

// revokingLifetime is how long a file is used whose publisher is busy revoking keys.
const revokingLifetime = 5 * time.Minute

// maxCandidates is how many different keys of one name are tried: several entries of an
// agent may each have their own, and each costs a verification.
const maxCandidates = 8

// An entryPin is an entry of authorized_agents, as far as pins go.
type entryPin struct {
	raw adagents.Value
	// agent is nil for an entry that is left out because of a fault.
	agent *adagents.Agent
}

// pinned reports whether the entry has signing_keys at all, whatever they are.
func (e *entryPin) pinned() bool { return e.raw.Get("signing_keys").Exists() }

// A pinIndex has the entries of a file by agent.
type pinIndex struct {
	agents  map[string][]entryPin
	revoked map[string]bool
	// keys has when the keys with a revoked_at end. A key that one entry of an agent revokes
	// is revoked in all of them, and of several times the earliest counts.
	keys     map[pinnedKey]time.Time
	revoking bool
}

// A pinnedKey is a key of an agent, by its thumbprint.
type pinnedKey struct{ agent, thumbprint string }

// pins returns the index of a document, made once.
func (d *Document) pins() *pinIndex {
	d.once.Do(func() { d.index = indexOf(d.File) })
	return d.index
}

func indexOf(f *adagents.File) *pinIndex {
	x := &pinIndex{agents: map[string][]entryPin{}, revoked: map[string]bool{}, keys: map[pinnedKey]time.Time{}}
	var hosts hostname.Memo
	sound := make(map[uint32]*adagents.Agent, len(f.Agents))
	for i := range f.Agents {
		sound[f.Agents[i].Raw.Node()] = &f.Agents[i]
	}
	for _, raw := range f.Raw.Get("authorized_agents").Elems() {
		url, _, err := hosts.CanonicalURL(raw.Get("url").Str())
		if err != nil {
			continue
		}
		x.agents[url] = append(x.agents[url], entryPin{raw, sound[raw.Node()]})
		for _, key := range raw.Get("signing_keys").Elems() {
			if key.Has("revoked_at") {
				x.revokeKey(url, key)
			}
		}
	}
	for i := range f.Revocations {
		x.revoke(&f.Revocations[i], &hosts)
	}
	return x
}

// revoke takes note of a revocation. Whatever else is wrong with it, it counts as long as
// its domain can be told.
func (x *pinIndex) revoke(r *adagents.Revocation, hosts *hostname.Memo) {
	for _, text := range r.Domains() {
		name, _, err := hosts.Canonical(text)
		if err == nil {
			x.revoked[name] = true
		}
	}
}

// revokeKey takes note of a key with a revoked_at, whatever else is wrong with it. A time
// that cannot be read is the zero time, before any signature.
func (x *pinIndex) revokeKey(agent string, v adagents.Value) {
	x.revoking = true
	text := func(name string) string { return v.Get(name).Str() }
	print, ok := jwk.Thumbprint(jwk.Key{Kty: text("kty"), Crv: text("crv"), X: text("x"), Y: text("y")})
	if !ok {
		return
	}
	at, _ := rfc3339.Parse(text("revoked_at"))
	key := pinnedKey{agent, print}
	if earlier, known := x.keys[key]; !known || at.Before(earlier) {
		x.keys[key] = at
	}
}

// A candidate is a pinned key that a signature names, with the entries that have it.
type candidate struct {
	key     *Key
	entries []*adagents.Agent
}

// candidates returns the keys of an agent with an id, or why there is none. Entries that
// the question is not about are ignored.
func (d *Document) candidates(agent, keyid string, q *Question) ([]candidate, *fault) {
	entries := slices.Clone(d.pins().agents[agent])
	if len(entries) == 0 {
		return nil, &fault{"pin.agent_not_listed", "the publisher's file has no entry for " + quote(agent)}
	}
	entries = slices.DeleteFunc(entries, func(e entryPin) bool {
		return q.Covers != nil && (e.agent == nil || !q.Covers(e.agent))
	})
	if len(entries) == 0 {
		return nil, &fault{"pin.entry_not_covered", "no entry of the agent is about what was asked"}
	}
	entries = slices.DeleteFunc(entries, func(e entryPin) bool { return !e.pinned() })
	if len(entries) == 0 {
		return nil, &fault{codeUnpinned, "the publisher pins no keys of the agent"}
	}
	var found []candidate
	var f *fault
	if q.profile().published {
		found, f = pickPublished(entries, keyid, q)
	} else {
		found, f = pick(entries, keyid, q.profile())
	}
	for i := range found {
		key := found[i].key
		at, revoked := d.pins().keys[pinnedKey{agent, key.thumbprint}]
		if revoked && (!key.revoked || at.Before(key.revokedAt)) {
			key.revokedAt, key.revoked = at, true
		}
	}
	return found, f
}

// published returns copies of the keys with an id that the agent publishes.
func (q *Question) published(keyid string) []*Key {
	var out []*Key
	for _, k := range q.Published {
		if k != nil && k.id == keyid && len(out) < maxCandidates {
			copied := *k
			out = append(out, &copied)
		}
	}
	return out
}

// unpublished is the fault of a key that the agent does not publish.
func unpublished(keyid string) *fault {
	return &fault{"pin.key_unpublished", "the agent does not publish a key " + quote(keyid)}
}

// pickPublished looks for keys that the agent publishes under an id and that entries pin, under
// whatever id.
func pickPublished(entries []entryPin, keyid string, q *Question) ([]candidate, *fault) {
	keys := q.published(keyid)
	if len(keys) == 0 {
		return nil, unpublished(keyid)
	}
	var found []candidate
	for _, key := range keys {
		c := candidate{key: key}
		for i := range entries {
			if entries[i].pins(key, q.profile()) {
				c.entries = append(c.entries, entries[i].agent)
			}
		}
		if c.entries != nil {
			found = append(found, c)
		}
	}
	if found == nil {
		return nil, &fault{codeKeyUnknown, "the pinned keys do not include the key that the agent publishes as " +
			quote(keyid)}
	}
	return found, nil
}

// pins reports whether the entry pins a key, by its thumbprint.
func (e *entryPin) pins(key *Key, p *Profile) bool {
	if e.agent == nil || e.agent.Inert() {
		return false
	}
	for i := range e.agent.SigningKeys {
		pinned, f := usableKey(&e.agent.SigningKeys[i], p)
		if f == nil && pinned.thumbprint == key.thumbprint {
			return true
		}
	}
	return false
}

// pick looks for a key in each entry by itself. What is most telling is said when there
// is none.
func pick(entries []entryPin, keyid string, p *Profile) ([]candidate, *fault) {
	var found []candidate
	var why *fault
	for i := range entries {
		key, f := entries[i].key(keyid, p)
		if f != nil {
			if why == nil || why.code == codeKeyUnknown {
				why = f
			}
			continue
		}
		k := slices.IndexFunc(found, func(c candidate) bool { return c.key.thumbprint == key.thumbprint })
		if k < 0 {
			if len(found) == maxCandidates {
				return nil, &fault{"pin.key_ambiguous", "too many different keys of the agent have the id " + quote(keyid)}
			}
			k = len(found)
			found = append(found, candidate{key: key})
		}
		found[k].entries = append(found[k].entries, entries[i].agent)
	}
	if len(found) == 0 {
		return nil, why
	}
	return found, nil
}

// key returns the key of an entry with an id, or why it cannot be used.
func (e *entryPin) key(keyid string, p *Profile) (*Key, *fault) {
	list := e.raw.Get("signing_keys")
	if !list.Is(adagents.Array) || list.Len() == 0 {
		return nil, &fault{codeMalformed, "signing_keys is empty or no list, so that nothing is accepted"}
	}
	var named []adagents.Value
	for _, v := range list.Elems() {
		if v.Get("kid").Is(adagents.String) && v.Get("kid").Str() == keyid {
			named = append(named, v)
		}
	}
	switch {
	case len(named) == 0:
		return nil, &fault{codeKeyUnknown, "the pinned keys do not include " + quote(keyid)}
	case e.agent == nil || e.agent.Inert():
		return nil, &fault{"pin.entry_inert", "the entry that pins the key is faulty and has no effect"}
	case !alike(named):
		return nil, &fault{"pin.key_ambiguous", "two pinned keys have the id " + quote(keyid)}
	}
	for i := range e.agent.SigningKeys {
		k := &e.agent.SigningKeys[i]
		if k.Kid == keyid {
			return usableKey(k, p)
		}
	}
	return nil, whyDropped(named[0], keyid)
}

// alike reports whether keys are written alike to the last member: then it does not
// matter which of them is meant.
func alike(keys []adagents.Value) bool {
	for _, v := range keys[1:] {
		if !bytes.Equal(adagents.FormatValue(v), adagents.FormatValue(keys[0])) {
			return false
		}
	}
	return true
}

// usableKey checks a sound key for what it is for.
func usableKey(k *adagents.SigningKey, p *Profile) (*Key, *fault) {
	j := jwk.Key{Kid: k.Kid, Kty: k.Kty, Crv: k.Crv, X: k.X, Y: k.Y}
	key, ok := soundKey(&j)
	fits := k.Alg == "" && !k.Raw.Has("alg") || k.Crv == "Ed25519" && k.Alg == "EdDSA" || k.Crv == "P-256" &&
		k.Alg == "ES256"
	if !ok || !fits {
		return nil, &fault{"pin.key_unsupported",
			"the pinned key " + quote(k.Kid) + " is neither Ed25519 with EdDSA nor P-256 with ES256; RSA never verifies"}
	}
	wrong := k.Raw.Has("use") && k.Use != "sig" ||
		k.Raw.Has("key_ops") && !slices.Contains(k.KeyOps, "verify") ||
		k.Raw.Has("adcp_use") && !slices.Contains(p.purposes, k.AdcpUse)
	if wrong {
		return nil, &fault{"pin.key_purpose_invalid", "the pinned key " + quote(k.Kid) + " is not for messages of this kind"}
	}
	return key, nil
}

// whyDropped says why a key of the file is not used.
func whyDropped(named adagents.Value, keyid string) *fault {
	text := func(name string) string { return named.Get(name).Str() }
	j := jwk.Key{Kid: keyid, Kty: text("kty"), Crv: text("crv"), X: text("x"), Y: text("y"), N: text("n"), E: text("e"),
		Alg: text("alg")}
	for m := range named.Members() {
		j.Members = append(j.Members, m.Name())
	}
	problems := jwk.Check(j)
	has := func(kind jwk.Kind) bool {
		return slices.ContainsFunc(problems, func(p jwk.Problem) bool { return p.Kind == kind })
	}
	switch {
	case has(jwk.PrivateMaterial):
		return &fault{"pin.key_compromised", "the pinned key " + quote(keyid) + " was published with its private half"}
	case has(jwk.MemberMissing) || has(jwk.KtyMissing):
		return &fault{"pin.key_incomplete", "the pinned key " + quote(keyid) + " is a name without the key itself"}
	}
	return &fault{"pin.key_malformed", "the pinned key " + quote(keyid) + " is faulty"}
}
