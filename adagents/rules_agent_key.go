package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jwk"
)

const pinnedKeyX = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"

// agentKeyRules look at the keys of an entry taken together. Single keys have
// their own rules.
var agentKeyRules = []rule[*Agent]{
	{Rule: Rule{
		Code: "agent.signing_keys_missing", Severity: Warning,
		Title: "an agent entry pins no keys",
		Why: "Without pinned keys, an attacker who takes over the agent's domain can sign in its name. Publishers must " +
			"pin keys for agents that may change something for them, such as create a media buy.",
		Hint: "ask the agent's operator for its public signing keys and list them in signing_keys",
		Spec: "AdCP adagents.json Tech Spec, signing_keys",
		Varies: "an error when the caller says that the agent performs mutating tasks, and then also when keys are listed " +
			"and none of them can verify a signature; not reported when it says that all tasks are read-only; info for signal " +
			"types",
		In: InAgents,
		Bad: `[
  {
    "url": "https://seller.example/mcp",
    "authorized_for": "Display on the site",
    "authorization_type": "property_ids",
    "property_ids": ["site"]
  },
  {
    "url": "https://agent.example/mcp",
    "authorized_for": "Display on the site",
    "authorization_type": "property_ids",
    "property_ids": ["site"],
    "signing_keys": [{"kid": "k1", "kty": "OKP", "crv": "Ed25519", "x": "` + pinnedKeyX + `"}]
  }
]`,
		Good: `[
  {
    "url": "https://seller.example/mcp",
    "authorized_for": "Display on the site",
    "authorization_type": "property_ids",
    "property_ids": ["site"],
    "signing_keys": [{"kid": "k1", "kty": "OKP", "crv": "Ed25519", "x": "` + otherKeyX + `"}]
  },
  {
    "url": "https://agent.example/mcp",
    "authorized_for": "Display on the site",
    "authorization_type": "property_ids",
    "property_ids": ["site"],
    "signing_keys": [{"kid": "k1", "kty": "OKP", "crv": "Ed25519", "x": "` + pinnedKeyX + `"}]
  }
]`,
	}, check: func(r reporter, a *Agent) {
		s := a.companion()
		at := slices.IndexFunc(r.opt.Scopes, mutating)
		must := at >= 0
		v := a.member(atAgentSigningKeys)
		if v.Exists() || s == nil {
			if must && s != nil && v.Is(Array) && v.Len() > 0 && !r.keyVerifies(a.SigningKeys) {
				r.sayAs(Error, v, "none of the pinned keys can verify a signature, so every signature of the agent is rejected")
			}
			return
		}
		if len(r.opt.Scopes) > 0 && !must {
			return // read-only tasks need no pins
		}
		why := ""
		if must && !slices.ContainsFunc(r.opt.Scopes, knownMutating) {
			why = "; the task " + quote(r.opt.Scopes[at]) + " is not known and is taken for one that changes something"
		}
		f := r.missing(a.Raw, "signing_keys", "the entry pins no signing keys%s", why)
		switch {
		case must:
			f.withSeverity(Error)
		case s.signal:
			f.withSeverity(Info)
		}
	}},
	{Rule: Rule{
		Code: "signing_keys.type", Severity: Error,
		Title: "signing_keys is not a list",
		Why: "The entry pins keys, but none can be read. Readers then reject every signature of the agent; they do not " +
			"fall back to the keys the agent hosts itself.",
		Hint: "write a list of keys in square brackets, or leave the member out",
		Spec: "AdCP adagents.json Tech Spec, signing_keys",
		In:   InAgent,
		Bad:  sellerOfSite + ",\n" + `  "signing_keys": {"kid": "k1"}` + "\n}",
		Good: sellerOfSite + "\n}",
		fix:  keyList,
	},
		shapes: shapes{{wrongKind, atAgentSigningKeys,
			"signing_keys must be an array, not %s; every signature of the agent is rejected"}}},
	{Rule: Rule{
		Code: "signing_keys.empty", Severity: Error,
		Title: "signing_keys is empty",
		Why:   "An empty list pins no key at all, so readers reject every signature of the agent.",
		Hint:  "list the agent's public keys, or leave the member out",
		Spec:  "AdCP adagents.json Tech Spec, signing_keys",
		In:    InAgent,
		Bad:   sellerOfSite + ",\n" + `  "signing_keys": []` + "\n}",
		Good:  sellerOfSite + "\n}",
		fix:   removeIt(Choice, "remove the empty list, so that the agent's own keys are used"),
	}, shapes: shapes{{empty, atAgentSigningKeys, "signing_keys is empty, so every signature of the agent is rejected"}}},
	{Rule: Rule{
		Code: "signing_key.kid_duplicate", Severity: Error, Effect: DropRef,
		Title: "two keys of an entry have the same kid",
		Why: "A signature names its key by kid. When two different keys answer to one kid, readers cannot tell which was " +
			"meant and use neither.",
		Hint: "give every key its own kid",
		Spec: "RFC 7517",
		In:   InSigningKey,
		Bad:  `{"kid": "k1", "kty": "OKP", "crv": "Ed25519", "x": "` + otherKeyX + `"}`,
		Good: `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "x": "` + otherKeyX + `"}`,
		fix:  oneOfTwoKeys,
	}, check: func(r reporter, a *Agent) {
		material := remembered(keyMaterial)
		eachDouble(a.SigningKeys, func(k *SigningKey) string { return k.Kid }, func(first, k *SigningKey) {
			r.say(k.member(atSigningKeyKid), "the kid %s is used by an earlier key of the entry", quote(k.Kid))
			r.out.lose(&k.effect, DropRef)
			if material(first) != material(k) {
				r.out.lose(&first.effect, DropRef)
			}
		})
	}},
	{Rule: Rule{
		Code: "signing_key.duplicate_material", Severity: Info,
		Title: "the same key is listed under two kids",
		Why: "Both entries verify the same signatures. During a rotation this usually means that the new key was never " +
			"put in.",
		Hint: "remove one of the two, or put in the key that was meant",
		Spec: "RFC 7517",
		In:   InSigningKey,
		Bad:  `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "x": "` + pinnedKeyX + `"}`,
		Good: `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "x": "` + otherKeyX + `"}`,
	}, check: func(r reporter, a *Agent) {
		eachDouble(a.SigningKeys, keyMaterial, func(first, k *SigningKey) {
			if first.Kid != k.Kid {
				r.say(k.Raw, "the key %s is the same as the key %s", quote(k.Kid), quote(first.Kid))
			}
		})
	}},
	{Rule: Rule{
		Code: "signing_key.revoked", Severity: Info,
		Title: "a pinned key is revoked",
		Why: "Signatures made at or after revoked_at are rejected. A revoked key may stay listed for a short time while " +
			"older messages are in transit.",
		Hint:   "remove the key once no traffic signed with it is under way",
		Spec:   "AdCP adagents.json schema, signing_keys",
		Varies: "a warning when no key of the entry is left",
		In:     InSigningKey,
		Bad: `{
  "kid": "k0",
  "kty": "OKP",
  "crv": "Ed25519",
  "x": "` + otherKeyX + `",
  "revoked_at": "2026-01-01T00:00:00Z"
}`,
		Good: `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "x": "` + otherKeyX + `"}`,
	}, check: func(r reporter, a *Agent) {
		left := r.keyLeft(a.SigningKeys)
		for i := range a.SigningKeys {
			k := &a.SigningKeys[i]
			at, ok := k.RevokedAt.Time()
			if k.RevokedAt == "" || !ok || r.soon(at) {
				continue
			}
			f := r.say(k.member(atSigningKeyRevokedAt), "the key %s is revoked as of %s", quote(k.Kid),
				quote(string(k.RevokedAt)))
			if !left {
				f.withSeverity(Warning)
			}
		}
	}},
	{Rule: Rule{
		Code: "signing_key.ends_soon", Severity: Info,
		Title: "a pinned key is about to be revoked",
		Why: "Signatures made at or after revoked_at are rejected. The agent must sign with another pinned key by then. " +
			"It is looked for only when the time of checking is given.",
		Hint:   "ask the agent's operator for its next key and list it beside this one",
		Spec:   "AdCP adagents.json schema, signing_keys",
		Varies: "a warning in the last three days",
		In:     InSigningKey,
		given:  atMid2026,
		Bad: `{
  "kid": "k0",
  "kty": "OKP",
  "crv": "Ed25519",
  "x": "` + otherKeyX + `",
  "revoked_at": "2026-06-25T00:00:00Z"
}`,
		Good: `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "x": "` + otherKeyX + `"}`,
	}, check: func(r reporter, a *Agent) {
		for i := range a.SigningKeys {
			k := &a.SigningKeys[i]
			at, ok := k.RevokedAt.Time()
			if k.RevokedAt != "" && ok {
				r.endsSoon(k.member(atSigningKeyRevokedAt), at, "the key "+quote(k.Kid)+" is revoked as of "+
					quote(string(k.RevokedAt)))
			}
		}
	}},
	{Rule: Rule{
		Code: "encryption_key.invalid", Severity: Error, Effect: DropRef,
		Title: "an encryption key is not usable",
		Why: "An encryption key has exactly the members kid, kty, crv, use and x, is an X25519 key of 32 bytes, and has " +
			"a kid of its own with at most 8 characters.",
		Hint: "copy the key from the agent's operator and remove other members",
		Spec: "AdCP adagents.json schema, encryption_keys",
		In:   InEncryptionKey,
		Bad:  `{"kid": "e1", "kty": "OKP", "crv": "X25519", "use": "sig", "x": "` + encryptionKeyX + `"}`,
		Good: `{"kid": "e1", "kty": "OKP", "crv": "X25519", "use": "enc", "x": "` + encryptionKeyX + `"}`,
		fix:  encryptionKeyFix,
	}, check: func(r reporter, a *Agent) {
		if v := a.member(atAgentEncryptionKeys); v.Is(Array) && v.Len() == 0 {
			r.sayAs(Error, v, "encryption_keys is empty").withHint("list a key, or leave the member out")
		}
		for i := range a.EncryptionKeys {
			encryptionKey(r, &a.EncryptionKeys[i])
		}
		eachDouble(a.EncryptionKeys, func(k *EncryptionKey) string { return k.Kid }, func(_, k *EncryptionKey) {
			sayLost(r, k, k.member(atEncryptionKeyKid),
				"the kid "+quote(k.Kid)+" is used by an earlier encryption key of the entry")
		})
	}},
}

// mutating reports whether a task may write state for the publisher. An unknown task may:
// the protocol keeps adding tasks.
func mutating(task string) bool { return !slices.Contains(model.ReadOnlyTasks, task) }

func knownMutating(task string) bool { return slices.Contains(model.MutatingTasks, task) }

// keyRevoked reports whether a key verifies nothing any more: it is revoked,
// and not only as of a later time.
func (c *content) keyRevoked(k *SigningKey) bool {
	if k.RevokedAt == "" {
		return false
	}
	at, ok := k.RevokedAt.Time()
	return ok && (c.opt.Now.IsZero() || !at.After(c.opt.Now))
}

// keyLeft reports whether one of the keys still verifies something.
func (c *content) keyLeft(keys []SigningKey) bool {
	for i := range keys {
		if keys[i].effect.worst == NoEffect && !c.keyRevoked(&keys[i]) {
			return true
		}
	}
	return false
}

// keyVerifies reports whether one of the keys can verify signatures: it is sound, of a
// type that is used, meant for it, and not revoked.
func (c *content) keyVerifies(keys []SigningKey) bool {
	for i := range keys {
		k := &keys[i]
		useless := func(p jwk.Problem) bool {
			return p.Kind != jwk.KeyOpsInvalid || !slices.Contains(k.KeyOps, "verify")
		}
		if k.effect.worst == NoEffect && !c.keyRevoked(k) && !slices.ContainsFunc(c.keyProblems(k), useless) {
			return true
		}
	}
	return false
}

// keyMaterial names the key itself, whatever its kid; "" when it has none.
func keyMaterial(k *SigningKey) string {
	print, ok := jwk.Thumbprint(jwk.Key{Kty: k.Kty, Crv: k.Crv, X: k.X, Y: k.Y, N: k.N, E: k.E})
	if !ok {
		return ""
	}
	return print
}

// remembered returns f with a memory for its answers.
func remembered[T any](f func(*T) string) func(*T) string {
	known := make(map[*T]string)
	return func(x *T) string {
		answer, ok := known[x]
		if !ok {
			answer = f(x)
			known[x] = answer
		}
		return answer
	}
}

// eachDouble calls report for every element whose name an earlier one has.
func eachDouble[T any](list []T, name func(*T) string, report func(first, second *T)) {
	if len(list) < 2 {
		return
	}
	seen := make(map[string]*T, len(list))
	for i := range list {
		n := name(&list[i])
		if n == "" {
			continue
		}
		if first, ok := seen[n]; ok {
			report(first, &list[i])
			continue
		}
		seen[n] = &list[i]
	}
}
