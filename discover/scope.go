package discover

import (
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A scope says whether a file speaks for a publisher.
type scope uint8

const (
	// scopeMissing: no agent entry names the publisher.
	scopeMissing scope = iota
	// scopeNamed: one does.
	scopeNamed
	// scopeRevoked: the file takes the publisher out, wherever else it appears.
	scopeRevoked
)

// scopeOf looks for a publisher in the file of a manager. The publisher must be named
// so that the manager can only have meant it: in a selector or a collection of an agent
// entry, or on a top-level property that an entry selects. Tags alone, and properties
// without an owner, would let any manager named in an ads.txt speak for a stranger.
//
// What else an entry is limited to does not matter, be it by a limit that leaves nothing of it:
// when and where an entry holds, and whether it does at all, is for the question to find.
func scopeOf(f *adagents.File, publisher string) scope {
	for i := range f.Revocations {
		if slices.ContainsFunc(f.Revocations[i].Domains(), func(d string) bool { return means(d, publisher) }) {
			return scopeRevoked
		}
	}
	own := ownedBy(f, publisher)
	for i := range f.Agents {
		if entryNames(&f.Agents[i], publisher, own) {
			return scopeNamed
		}
	}
	return scopeMissing
}

// owned are the ids and tags of one publisher's usable properties. They are
// gathered once, because a file may have as many entries as properties.
type owned struct {
	ids, tags map[string]bool
}

// ownedBy looks at what a property says itself: one without publisher_domain has no
// owner. Because ids and tags are taken from these properties alone, the property that
// an entry picks by one of them is the publisher's.
func ownedBy(f *adagents.File, publisher string) owned {
	own := owned{make(map[string]bool), make(map[string]bool)}
	for i := range f.Properties {
		p := &f.Properties[i]
		if !names(p.PublisherDomain, publisher) {
			continue
		}
		own.ids[p.ID] = true
		for _, tag := range p.Tags {
			own.tags[tag] = true
		}
	}
	return own
}

// entryNames reports whether an agent entry names the publisher. Only the selector
// that belongs to the entry's type counts; inline properties never do, nor does
// anything on an entry about signals.
func entryNames(a *adagents.Agent, publisher string, own owned) bool {
	switch adagents.VisitScope[naming](a, namesIn{publisher, own}) {
	case isNamed:
		return true
	case mayName:
		return slices.ContainsFunc(a.Collections, func(c adagents.CollectionSelector) bool {
			return names(c.PublisherDomain, publisher)
		})
	}
	return false
}

// A naming says whether the scope of an entry names a publisher.
type naming uint8

const (
	cannotName naming = iota // it is not about properties
	mayName                  // it does not, but the collections of the entry may
	isNamed
)

// namesIn looks for a publisher in the scope of an entry.
type namesIn struct {
	publisher string
	own       owned
}

// PropertyIDs name the publishers of the properties.
func (n namesIn) PropertyIDs(ids []string) naming { return namedIf(containsAny(n.own.ids, ids)) }

// PropertyTags name the publishers of the properties that carry them.
func (n namesIn) PropertyTags(tags []string) naming { return namedIf(containsAny(n.own.tags, tags)) }

// InlineProperties name no publisher.
func (n namesIn) InlineProperties([]adagents.Property) naming { return mayName }

// PublisherProperties name publishers themselves.
func (n namesIn) PublisherProperties(list []adagents.Selector) naming {
	return namedIf(selectorsName(list, n.publisher))
}

// SignalIDs are not about properties.
func (n namesIn) SignalIDs([]string) naming { return cannotName }

// SignalTags are not about properties.
func (n namesIn) SignalTags([]string) naming { return cannotName }

// Unknown is nothing to go by.
func (n namesIn) Unknown(adagents.AuthorizationType) naming { return cannotName }

func namedIf(named bool) naming {
	if named {
		return isNamed
	}
	return mayName
}

func selectorsName(list []adagents.Selector, publisher string) bool {
	named := func(domain string) bool { return names(domain, publisher) }
	for i := range list {
		if named(list[i].PublisherDomain) || slices.ContainsFunc(list[i].PublisherDomains, named) {
			return true
		}
	}
	return false
}

func containsAny(set map[string]bool, list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return s != "" && set[s] })
}

// names compares a domain as written in a file with a canonical one. The www form
// is a different publisher.
// Something else behind the domain may mean a part of the site, or nothing that
// is known, and does not name the publisher.
func names(written, publisher string) bool {
	if written == publisher {
		return true
	}
	name, change, err := hostname.Canonical(written)
	return err == nil && name == publisher && change&(hostname.ChangePath|hostname.ChangePort) == 0
}

// means is names for what takes something away, where doubt counts against the
// publisher.
func means(written, publisher string) bool {
	name, _, err := hostname.Canonical(written)
	return err == nil && name == publisher
}
