package discover

import (
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A scope says whether a file speaks for a publisher.
type scope uint8

const (
	// scopeMissing: no usable agent entry names the publisher.
	scopeMissing scope = iota
	// scopeNamed: one does.
	scopeNamed
	// scopeRevoked: the file takes the publisher out, wherever else it appears.
	scopeRevoked
)

// scopeOf looks for a publisher in the file of a manager. The publisher must be
// named so that the manager can only have meant it: in a selector or a collection
// of an agent entry, or on a top-level property that an entry selects. Tags alone,
// and properties that belong to nobody in particular, would make the first manager
// that somebody writes into an ads.txt speak for a stranger.
//
// Windows and countries do not matter: when an entry holds is a matter of the question.
// A check that was given the time leaves entries that are over without effect, so the
// file should come from one without.
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

// ownedBy looks at what a property says itself: one without publisher_domain
// belongs to nobody in particular. Because ids and tags are taken from these
// properties alone, the property that an entry picks by one of them is the
// publisher's.
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
	if a.Inert() {
		return false
	}
	switch a.Type {
	case "publisher_properties":
		if selectorsName(a.Selectors, publisher) {
			return true
		}
	case "property_ids":
		if containsAny(own.ids, a.PropertyIDs) {
			return true
		}
	case "property_tags":
		if containsAny(own.tags, a.PropertyTags) {
			return true
		}
	case "inline_properties":
	default:
		return false
	}
	return slices.ContainsFunc(a.Collections, func(c adagents.CollectionSelector) bool { return names(c.PublisherDomain, publisher) })
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
