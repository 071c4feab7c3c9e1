package adagents

import (
	"errors"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/std/hostname"
)

// owner is the publisher a property belongs to, read once for all the rules
// about the property and its identifiers.
type owner struct {
	host   string // canonical; empty when absent or unusable
	change hostname.Change
	err    error
	level  level // of host; filled when first asked for
}

// readOwner reads the publisher a property names. The memory for domains may be
// absent.
func readOwner(p *Property, known *hostname.Memo) owner {
	var o owner
	if p.PublisherDomain != "" || p.member(atPropertyPublisherDomain).Is(String) {
		o.host, o.change, o.err = known.Canonical(p.PublisherDomain)
	}
	return o
}

// level is the place of a name in the tree of domains.
type level uint8

const (
	unknownLevel     level = iota
	publicSuffix           // nobody's own, such as co.uk
	registrableLevel       // a publisher's base domain
	belowLevel             // a name below one
)

func levelOf(host string) level {
	suffix := hostname.PublicSuffix(host)
	switch rest := len(host) - len(suffix) - 1; {
	case rest < 0:
		return publicSuffix
	case strings.LastIndexByte(host[:rest], '.') < 0:
		return registrableLevel
	}
	return belowLevel
}

// identity is what one identifier says, read once for all the rules about it.
type identity struct {
	kind *identifierKind // nil when the type is not known
	fine bool            // no rule about identifiers has anything to say

	// The rest is about identifiers that name a host.
	host      string // canonical, without "*."; empty when there is none
	change    hostname.Change
	err       error
	level     level
	wildcard  bool // "*." stands in front
	misplaced bool // an asterisk stands anywhere else
	broad     bool // the wildcard reaches names of unrelated owners
}

// propertyCheck is a property that is being checked, with what its rules share.
type propertyCheck struct {
	*Property
	number int        // index in its list
	inline bool       // it stands in an agent entry
	owner  owner      // its publisher
	idents []identity // what its identifiers say, in their order
}

// identifierCheck is an identifier that is being checked.
type identifierCheck struct {
	*Identifier
	id *identity
}

// identify reads the publisher and the identifiers of the property.
func (p *propertyCheck) identify(known *hostname.Memo) {
	p.owner = readOwner(p.Property, known)
	p.idents = slices.Grow(p.idents[:0], len(p.Identifiers))[:len(p.Identifiers)]
	for i := range p.Identifiers {
		p.idents[i] = readIdentity(&p.Identifiers[i], &p.owner, known)
	}
}

func readIdentity(x *Identifier, o *owner, known *hostname.Memo) identity {
	id := identity{kind: identifierKinds[x.Type]}
	switch {
	case id.kind == nil || blank(x.Value):
	case id.kind.hosts:
		id.readHost(x.Value, o, known)
		id.fine = id.fineHost(x.Type)
	default:
		id.fine = id.kind.form == nil || id.kind.form(x.Value) && !id.kind.closer
	}
	return id
}

// fineHost sums up the rules about domains. It is not needed for their result:
// nearly all identifiers are in order, and asking one question about each of
// those instead of ten is a fifth of the time of checking a large file.
func (id *identity) fineHost(typ string) bool {
	if id.err != nil || id.change != 0 || id.misplaced || id.broad || id.level == publicSuffix {
		return false
	}
	return typ == "domain" || id.level == belowLevel
}

// readHost reads the value of a domain. Most are the property's publisher or a
// name below it, and what is known of that one is not worked out again.
func (id *identity) readHost(value string, o *owner, known *hostname.Memo) {
	if value == o.host {
		if o.level == unknownLevel {
			o.level = levelOf(value)
		}
		id.host, id.level = value, o.level
		return
	}
	if strings.IndexByte(value, '*') >= 0 {
		id.readWildcard(value, known)
		return
	}
	id.host, id.change, id.err = known.Canonical(value)
	if id.err == nil {
		id.level = levelOf(id.host)
	}
}

func (id *identity) readWildcard(value string, known *hostname.Memo) {
	base, ok := strings.CutPrefix(value, "*.")
	if !ok || base == "" || strings.IndexByte(base, '*') >= 0 {
		id.misplaced = true
		return
	}
	id.wildcard = true
	id.host, id.change, id.err = known.Canonical(base)
	if faultOf(id.err) == hostname.SingleLabel {
		// A top-level domain is no host name, but the author's mistake is
		// the reach of the wildcard, not the spelling.
		id.host, id.change, id.err = "", 0, nil
		id.broad = true
		return
	}
	id.broad = id.err == nil && hostname.WildcardTooBroad(id.host)
}

// faultOf returns what is wrong with a host name, zero for nothing.
func faultOf(err error) hostname.Kind {
	e, ok := errors.AsType[*hostname.Error](err)
	if !ok {
		return 0
	}
	return e.Kind
}

// canonical returns the value in the form in which it may be compared with
// others of its type.
func (id *identity) canonical(value string) string {
	switch {
	case id.host == "" || id.change == 0:
		return value
	case id.wildcard:
		return "*." + id.host
	}
	return id.host
}

// usable reports whether consumers may use the identifier.
func (x *Identifier) usable() bool { return x.effect.worst < DropRef }

// homeOf returns the registrable domain the file is served for, or "" when it
// is not known or the file speaks for several publishers.
func homeOf(opt *Options) string {
	if opt.Domain == "" || opt.Role != Direct {
		return ""
	}
	domain, _, err := hostname.Canonical(opt.Domain)
	if err != nil {
		return ""
	}
	home, _ := hostname.Registrable(domain)
	return home
}
