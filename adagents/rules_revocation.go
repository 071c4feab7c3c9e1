package adagents

import (
	"slices"
	"time"

	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/rfc3339"
)

// revocationRules look at publishers removed from a network's file. None of
// them has an effect: whatever is wrong with an entry, the domain it names is
// revoked.
var revocationRules = []rule[*Revocation]{
	{Rule: Rule{
		Code: "revocation.entry_type", Severity: Error,
		Title: "a revocation is not an object",
		Why:   "A revocation names the domain and the time. A bare domain still revokes, but some consumers overlook it.",
		Hint:  `write {"publisher_domain": "...", "revoked_at": "..."}`,
		Spec:  "AdCP adagents.json Tech Spec, revoked_publisher_domains",
		In:    InRevocation,
		Bad:   `"example.org"`,
		Good:  `{"publisher_domain": "example.org", "revoked_at": "2026-01-02T00:00:00Z"}`,
		fix:   revocationFromText,
	}, check: func(r reporter, x *Revocation) {
		switch {
		case x.Raw.Is(Object):
		case r.revokes(x) != "" && x.Raw.Is(String):
			r.say(x.Raw, "%s is a bare domain, not an object; it is treated as revoked", quote(x.Raw.Str()))
		case r.revokes(x) != "":
			r.say(x.Raw, "a revocation must be an object, not a list; %s is treated as revoked", quote(r.revokes(x)))
		default:
			r.say(x.Raw, "a revocation must be an object, not %s", x.Raw.Kind())
		}
	}},
	{Rule: Rule{
		Code: "revocation.domain_missing", Severity: Error,
		Title: "a revocation names no domain",
		Why: "Without publisher_domain readers revoke nothing. A domain under another name, such as domain, is revoked " +
			"here all the same: a list of what is forbidden is read generously.",
		Hint: "name the publisher whose authorization ended",
		Spec: "AdCP adagents.json Tech Spec, revoked_publisher_domains",
		In:   InRevocation,
		Bad:  `{"revoked_at": "2026-01-02T00:00:00Z"}`,
		Good: `{"publisher_domain": "example.org", "revoked_at": "2026-01-02T00:00:00Z"}`,
		fix:  revokedDomain,
	}, check: func(r reporter, x *Revocation) {
		v := x.member(atRevocationPublisherDomain)
		if !x.Raw.Is(Object) || !absentOrBlank(v) {
			return
		}
		msg := "the revocation names no publisher_domain, so nothing is revoked"
		if domain := r.revokes(x); domain != "" {
			msg = "the revocation names no publisher_domain; " + quote(domain) +
				" is read from another member and is treated as revoked"
		}
		r.sayOf(x.Raw, v, "publisher_domain", "%s", msg)
	}},
	{Rule: Rule{
		Code: "revocation.domain_invalid", Severity: Error,
		Title: "a revoked domain is malformed",
		Why: "A domain that cannot be read revokes nothing. One that is only written unusually is revoked in its normal " +
			"form.",
		Hint:   "write the bare domain in lower case, for example example.org",
		Spec:   "AdCP adagents.json Tech Spec, revoked_publisher_domains",
		Varies: "a warning in the default profile when only the case, a final dot or white space differs",
		In:     InRevocation,
		Bad:    `{"publisher_domain": "https://Example.org/", "revoked_at": "2026-01-02T00:00:00Z"}`,
		Good:   `{"publisher_domain": "example.org", "revoked_at": "2026-01-02T00:00:00Z"}`,
		fix:    plainDomain(Safe),
	}, check: checkRevokedDomain},
	{Rule: Rule{
		Code: "revocation.revoked_at_missing", Severity: Error,
		Title: "a revocation has no time",
		Why: "The time tells networks and publishers when the relation ended. The domain is treated as revoked all the " +
			"same.",
		Hint: "add revoked_at, for example 2026-01-02T00:00:00Z",
		Spec: "AdCP adagents.json Tech Spec, revoked_publisher_domains",
		In:   InRevocation,
		Bad:  `{"publisher_domain": "example.org"}`,
		Good: `{"publisher_domain": "example.org", "revoked_at": "2026-01-02T00:00:00Z"}`,
		fix:  addPresent(Likely),
	},
		shapes: shapes{{absent, atRevocationRevokedAt,
			"the revocation has no revoked_at; the domain is treated as revoked"}}},
	{Rule: Rule{
		Code: "revocation.revoked_at_invalid", Severity: Error,
		Title: "a revocation's time is not RFC 3339",
		Why:   "An unreadable time does not keep the authorization alive: the domain is treated as revoked.",
		Hint:  "write date, time and offset, for example 2026-01-02T00:00:00Z",
		Spec:  "RFC 3339",
		In:    InRevocation,
		Bad:   `{"publisher_domain": "example.org", "revoked_at": "2026-01-02"}`,
		Good:  `{"publisher_domain": "example.org", "revoked_at": "2026-01-02T00:00:00Z"}`,
		fix:   asTimestamp(Likely),
	}, check: func(r reporter, x *Revocation) {
		v := x.member(atRevocationRevokedAt)
		if !v.Exists() {
			return
		}
		if !v.Is(String) {
			r.say(v, "revoked_at must be a string, not %s; the domain is treated as revoked", v.Kind())
			return
		}
		_, err := rfc3339.Parse(string(x.RevokedAt))
		if err != nil {
			r.say(v, "revoked_at %s is not a timestamp: %v; the domain is treated as revoked", quote(string(x.RevokedAt)), err)
		}
	}},
	{Rule: Rule{
		Code: "revocation.revoked_at_future", Severity: Warning,
		Title: "a revocation lies in the future",
		Why:   "A revocation takes effect when it is read, so the domain is revoked already.",
		Hint:  "add the entry when the relation ends, or let the authorization end by effective_until",
		Spec:  "avow docs/rules.md",
		In:    InRevocation,
		Bad:   `{"publisher_domain": "example.org", "revoked_at": "2030-01-02T00:00:00Z"}`,
		Good:  `{"publisher_domain": "example.org", "revoked_at": "2026-01-02T00:00:00Z"}`,
		given: func(o *Options) { o.Now = time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC) },
	}, check: func(r reporter, x *Revocation) {
		at, ok := x.RevokedAt.Time()
		if ok && !r.opt.Now.IsZero() && at.After(r.opt.Now.Add(clockTolerance)) {
			r.say(x.member(atRevocationRevokedAt), "revoked_at %s lies in the future; the domain is revoked already",
				quote(string(x.RevokedAt)))
		}
	}},
	{Rule: Rule{
		Code: "revocation.reason_unknown", Severity: Info, Strict: Error,
		Title: "a revocation's reason is not a listed one",
		Why:   "The published schema lists four reasons; any text is accepted by default.",
		Hint:  "use relationship_ended, compliance_violation, publisher_request or other",
		Spec:  "AdCP adagents.json schema, revoked_publisher_domains",
		In:    InRevocation,
		Bad:   `{"publisher_domain": "example.org", "revoked_at": "2026-01-02T00:00:00Z", "reason": "moved"}`,
		Good:  `{"publisher_domain": "example.org", "revoked_at": "2026-01-02T00:00:00Z", "reason": "relationship_ended"}`,
	}, check: func(r reporter, x *Revocation) {
		if v := x.member(atRevocationReason); v.Is(String) && !slices.Contains(model.RevocationReasons, x.Reason) {
			r.say(v, "the reason %s is not one of the listed ones", quote(x.Reason))
		}
	}},
}

// revocationFromText makes a revocation of a bare domain.
var revocationFromText = remedy{Likely, func(x fixing) []Fix {
	texts := textsIn(x.at)
	if len(texts) != 1 {
		return nil
	}
	host, ok := plainHost(texts[0])
	at, known := x.present()
	if !ok || !known {
		return nil
	}
	text := x.Object("publisher_domain", jsonedit.String(host), "revoked_at", jsonedit.String(at))
	return x.one("write the revocation as an object", x.Replace(x.at, text))
}}

// revokedDomain gives the member that names the domain its right name, or removes a
// revocation without a domain. What several members say cannot stand in one: it stays,
// and stays in effect.
var revokedDomain = remedy{Safe, func(x fixing) []Fix {
	owner := x.owner()
	named := domainMembers(owner)
	known := true
	for m := range owner.Members() {
		known = known && model.Revocation.Field(m.Name()) != nil
	}
	remove := x.Remove(owner)
	switch {
	case known:
		return x.one("remove the revocation, which names no publisher", remove)
	case len(named) == 0:
		return []Fix{choice("remove the revocation, which names no publisher", remove)}
	case len(named) > 1 || !named[0].Is(String):
		return nil
	case x.missing != "":
		return x.one("rename "+quote(x.Name(named[0]))+" to publisher_domain", x.Rename(named[0], "publisher_domain"))
	}
	return x.one("write what "+quote(x.Name(named[0]))+" says as publisher_domain",
		sorted(x.Replace(x.at, named[0].Text()), x.Remove(named[0]))...)
}}

// revokes returns the domain an entry revokes, in canonical form, or "".
func (c *content) revokes(r *Revocation) string {
	for _, text := range r.Domains() {
		domain, _, err := c.index.hosts.Canonical(text)
		if err == nil {
			return domain
		}
	}
	return ""
}

func checkRevokedDomain(r reporter, x *Revocation) {
	v := x.member(atRevocationPublisherDomain)
	if !v.Exists() || absentOrBlank(v) {
		return
	}
	if !v.Is(String) {
		notOneDomain(r, x, v)
		return
	}
	domain, change, err := r.index.hosts.Canonical(x.PublisherDomain)
	switch {
	case err != nil:
		r.say(v, "the revoked domain %s %v, so nothing is revoked", quote(x.PublisherDomain), err)
	case change&^spelling != 0:
		r.say(v, "the revoked domain %s is read as %s", quote(x.PublisherDomain), quote(domain)).
			withHint("write %q", domain)
	case change != 0:
		r.sayAs(r.lenient(), v, "the revoked domain %s is read as %s", quote(x.PublisherDomain), quote(domain)).
			withHint("write %q", domain)
	}
}

// spelling are the corrections of a domain that leave it one.
const spelling = hostname.ChangeCase | hostname.ChangeTrailingDot | hostname.ChangeSpace | hostname.ChangeIDN

// notOneDomain reports a publisher_domain that is not text. A list of domains revokes each.
func notOneDomain(r reporter, x *Revocation, v Value) {
	if domain := r.revokes(x); domain != "" {
		r.say(v, "publisher_domain must be a string, not %s; %s is treated as revoked", v.Kind(), quote(domain))
		return
	}
	r.say(v, "publisher_domain must be a string, not %s; nothing is revoked", v.Kind())
}

// staleAfter is how long a revocation must stay listed: consumers hold it for
// seven days from first seeing it.
const staleAfter = 7 * 24 * time.Hour

// revocationClosingRules compare the revocations with each other and with the
// rest of the file.
var revocationClosingRules = []rule[*File]{
	{Rule: Rule{
		Code: "revocation.duplicate", Severity: Warning,
		Title: "a domain is revoked twice",
		Why:   "One entry revokes the domain; of several the earliest time is used.",
		Hint:  "keep the entry with the earliest revoked_at",
		Spec:  "avow docs/rules.md",
		In:    InRevocation,
		Bad: `{"publisher_domain": "example.org", "revoked_at": "2026-01-02T00:00:00Z"},
{"publisher_domain": "example.org", "revoked_at": "2026-01-03T00:00:00Z"}`,
		Good: `{"publisher_domain": "example.org", "revoked_at": "2026-01-02T00:00:00Z"}`,
	}, check: func(r reporter, x *File) {
		for i := range x.Revocations {
			domain := r.revokes(&x.Revocations[i])
			if k, ok := r.index.revoked[domain]; ok && k != i {
				r.say(x.Revocations[i].Raw, "%s is already revoked by entry %d", quote(domain), k)
			}
		}
	}},
	{Rule: Rule{
		Code: "revocation.still_listed", Severity: Info,
		Title: "a revoked domain is still listed",
		Why: "That is allowed, and the revocation wins. Properties and selectors of the domain are reported where they " +
			"stand; this is about the other places.",
		Hint: "remove the domain there when convenient",
		Spec: "AdCP adagents.json Tech Spec, revoked_publisher_domains",
		In:   InTopLevel,
		Bad: `{
  "revoked_publisher_domains": [{"publisher_domain": "example.org", "revoked_at": "2026-01-02T00:00:00Z"}],
  "collections": [
    {"collection_id": "weekly", "name": "The Weekly", "distribution": [
      {"publisher_domain": "example.org", "identifiers": [{"type": "domain", "value": "example.org"}]}
    ]}
  ]
}`,
		Good: `{"revoked_publisher_domains": [{"publisher_domain": "example.org", "revoked_at": "2026-01-02T00:00:00Z"}]}`,
	}, check: func(r reporter, x *File) {
		for i, where := range r.revokedReferences() {
			if where != elsewhere {
				r.say(x.Revocations[i].Raw, "%s is revoked and still stands in %s; the revocation wins",
					quote(r.revokes(&x.Revocations[i])), where)
			}
		}
	}},
	{Rule: Rule{
		Code: "revocation.stale", Severity: Info,
		Title: "an old revocation of a domain that no entry names",
		Why: "Consumers hold a revocation for seven days from first seeing it. After that an entry for a domain the file " +
			"no longer names does nothing. This needs the present time.",
		Hint:  "remove the entry once every consumer has seen it",
		Spec:  "avow docs/rules.md",
		In:    InRevocation,
		Bad:   `{"publisher_domain": "example.org", "revoked_at": "2026-01-02T00:00:00Z"}`,
		Good:  `{"publisher_domain": "example.org", "revoked_at": "2026-01-30T00:00:00Z"}`,
		given: func(o *Options) { o.Now = time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC) },
	}, check: func(r reporter, x *File) {
		if r.opt.Now.IsZero() {
			return
		}
		listed := r.revokedReferences()
		for i := range x.Revocations {
			entry := &x.Revocations[i]
			at, ok := entry.RevokedAt.Time()
			k, revoked := r.index.revoked[r.revokes(entry)]
			if !ok || !revoked || k != i || r.opt.Now.Sub(at) <= staleAfter || listed[i] != "" {
				continue
			}
			r.say(entry.Raw, "%s was revoked at %s and the file no longer names it", quote(r.revokes(entry)),
				quote(string(entry.RevokedAt)))
		}
	}},
}

// elsewhere stands for the members whose own rules report a revoked domain.
const elsewhere = "properties or selectors"

// revokedReferences says for each revocation, by its number, where else the
// file names its domain. A member without a rule of its own comes first. It is
// determined once for all rules.
func (c *content) revokedReferences() map[int]string {
	if len(c.index.revoked) == 0 || c.index.stillNamed != nil {
		return c.index.stillNamed
	}
	listed := make(map[int]string)
	c.index.stillNamed = listed
	read := func(name, where string) {
		domain, _, err := c.index.hosts.Canonical(name)
		if err != nil || !c.revoked(domain) {
			return
		}
		if i := c.index.revoked[domain]; listed[i] == "" || listed[i] == elsewhere {
			listed[i] = where
		}
	}
	for i := range c.file.Properties {
		if !c.dec.fastpaths.each[i].plain { // plain ones name no revoked publisher
			eachPropertyDomain(c.file.Properties[i:i+1], read)
		}
	}
	c.file.eachOtherDomain(read)
	return listed
}

// eachOtherDomain passes on every publisher domain the file names, except in
// its properties and revocations.
func (f *File) eachOtherDomain(yield func(domain, where string)) {
	for i := range f.Collections {
		for k := range f.Collections[i].Distribution {
			yield(f.Collections[i].Distribution[k].PublisherDomain, "collections")
		}
	}
	for i := range f.Formats {
		yield(f.Formats[i].PublisherDomain, "formats")
	}
	for i := range f.Agents {
		a := &f.Agents[i]
		eachPropertyDomain(a.Properties, yield)
		for k := range a.Selectors {
			yield(a.Selectors[k].PublisherDomain, elsewhere)
			for _, d := range a.Selectors[k].PublisherDomains {
				yield(d, elsewhere)
			}
		}
		for k := range a.Collections {
			yield(a.Collections[k].PublisherDomain, "an agent's collections")
		}
	}
}

func eachPropertyDomain(list []Property, yield func(domain, where string)) {
	for i := range list {
		yield(list[i].PublisherDomain, elsewhere)
		for k := range list[i].Identifiers {
			if id := &list[i].Identifiers[k]; id.Type == "domain" || id.Type == "subdomain" {
				yield(id.Value, elsewhere)
			}
		}
	}
}
