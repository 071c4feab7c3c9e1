package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

// whose says to whom properties without publisher_domain belong, in a document. In the
// publisher's own file they are the publisher's. Behind a pointer that is so when
// nothing in the file names another publisher, or when the domain of the publisher
// identifies the property: the file may be shared by many. In a manager's file they are
// nobody's.
type whose struct {
	publisher string
	// all of them are the publisher's, or those that are at home there.
	all, home bool
}

// whoseIn looks at a document. The names in its file are read only if some property
// without one may depend on them.
func whoseIn(d *Document, hosts *hostname.Memo) whose {
	w := whose{publisher: d.Publisher, all: impliesPublisher(d), home: d.Method == methodPointer}
	if w.home && d.File != nil && hasUnnamed(d.File) {
		w.all = !namesAnother(d.File, d.Publisher, hosts)
	}
	return w
}

const methodPointer = "authoritative_location"

// impliesPublisher reports whether a document is the publisher's own file, in which every
// property that names no publisher is the publisher's.
func impliesPublisher(d *Document) bool { return d.Method == "" || d.Method == "direct" }

// owner returns the canonical domain of the publisher a property belongs to, or "" when
// it is nobody's.
func (w *whose) owner(p *adagents.Property, hosts *hostname.Memo) string {
	if p.PublisherDomain == "" {
		if unnamed(p) && (w.all || w.home && isHome(p, w.publisher)) {
			return w.publisher
		}
		return ""
	}
	name, _, err := hosts.Canonical(p.PublisherDomain)
	if err != nil {
		return ""
	}
	return name
}

// unnamed reports whether a property names no publisher. A member of another type was
// meant to name somebody.
func unnamed(p *adagents.Property) bool {
	return p.PublisherDomain == "" && !p.Raw.Has("publisher_domain")
}

// isHome reports whether the domain of a publisher identifies a property.
func isHome(p *adagents.Property, publisher string) bool {
	return identifies(p, Identifier{"domain", publisher}) || identifies(p, Identifier{"subdomain", publisher})
}

// hasUnnamed reports whether some property of a file names no publisher.
func hasUnnamed(f *adagents.File) bool {
	is := func(p adagents.Property) bool { return unnamed(&p) }
	return slices.ContainsFunc(f.Properties, is) ||
		slices.ContainsFunc(f.Agents, func(a adagents.Agent) bool { return slices.ContainsFunc(a.Properties, is) })
}

// ownsUnnamed reports whether some property of a file that names no publisher is that of
// the document.
func ownsUnnamed(d *Document, hosts *hostname.Memo) bool {
	w := whoseIn(d, hosts)
	is := func(p adagents.Property) bool { return unnamed(&p) && w.owner(&p, hosts) != "" }
	return w.all && hasUnnamed(d.File) || slices.ContainsFunc(d.File.Properties, is) ||
		slices.ContainsFunc(d.File.Agents, func(a adagents.Agent) bool { return slices.ContainsFunc(a.Properties, is) })
}

// namesAnother reports whether a file names a publisher besides the given one: on a
// property, in a selector or in a collection, be it in an entry that is left out. A name
// that cannot be read may be that of anybody.
func namesAnother(f *adagents.File, publisher string, hosts *hostname.Memo) bool {
	another := func(v adagents.Value) bool {
		if !v.Exists() || v.Str() == publisher {
			return false
		}
		name, _, err := hosts.Canonical(v.Str())
		return err != nil || name != publisher
	}
	anyIn := func(list adagents.Value) bool {
		for _, v := range list.Elems() {
			if another(v.Get("publisher_domain")) {
				return true
			}
			for _, domain := range v.Get("publisher_domains").Elems() {
				if another(domain) {
					return true
				}
			}
		}
		return false
	}
	if anyIn(f.Raw.Get("properties")) || anyIn(f.Raw.Get("collections")) {
		return true
	}
	for _, a := range f.Raw.Get("authorized_agents").Elems() {
		if anyIn(a.Get("properties")) || anyIn(a.Get("publisher_properties")) || anyIn(a.Get("collections")) {
			return true
		}
	}
	return false
}
