package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

// whose says to whom properties without publisher_domain belong, in a document. In the
// publisher's own file they are the publisher's. Behind a pointer that is so when
// nothing in the file names another publisher, or when the domain of the publisher
// identifies the property: the file may be shared by many. In a manager's file they
// have no owner.
type whose struct {
	publisher string
	// all of them are the publisher's, or those that are at home there.
	all, home bool
}

// whoseIn looks at a document.
func whoseIn(d *Document, hosts *hostname.Memo) whose { return new(naming).whose(d, hosts) }

// A naming is which publishers a file names: none, one, or several. The file is read
// once, however many publishers lead to it, and only if some property without a name may
// depend on it.
type naming struct {
	read bool
	// relevant: some property names no publisher.
	relevant bool
	one      string
	several  bool
}

// whose looks at a document with the file of the naming.
func (n *naming) whose(d *Document, hosts *hostname.Memo) whose {
	w := whose{publisher: d.Publisher, all: impliesPublisher(d), home: d.Method == methodPointer}
	if !w.home || d.File == nil {
		return w
	}
	if !n.read {
		n.read, n.relevant = true, hasUnnamed(d.File)
		if n.relevant {
			n.readNames(d.File, hosts)
		}
	}
	if n.relevant {
		w.all = !n.several && (n.one == "" || n.one == d.Publisher)
	}
	return w
}

const methodPointer = "authoritative_location"

// impliesPublisher reports whether a document is the publisher's own file, in which every
// property that names no publisher is the publisher's.
func impliesPublisher(d *Document) bool { return d.Method == "" || d.Method == "direct" }

// owner returns the canonical domain of the publisher a property belongs to, or "" if
// it has no owner.
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
// meant to name a publisher.
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

// readNames reads which publishers a file names: on a property, in a selector or in a
// collection, be it in an entry that is left out. A name that cannot be read may be that of
// anybody.
func (n *naming) readNames(f *adagents.File, hosts *hostname.Memo) {
	n.readList(f.Raw.Get("properties"), hosts)
	n.readList(f.Raw.Get("collections"), hosts)
	for _, a := range f.Raw.Get("authorized_agents").Elems() {
		for _, member := range []string{"properties", "publisher_properties", "collections"} {
			n.readList(a.Get(member), hosts)
		}
		if n.several {
			return
		}
	}
}

// readList reads the names in a list.
func (n *naming) readList(list adagents.Value, hosts *hostname.Memo) {
	for _, v := range list.Elems() {
		n.note(v.Get("publisher_domain"), hosts)
		for _, domain := range v.Get("publisher_domains").Elems() {
			n.note(domain, hosts)
		}
		if n.several {
			return
		}
	}
}

// note takes note of a name.
func (n *naming) note(v adagents.Value, hosts *hostname.Memo) {
	if n.several || !v.Exists() || n.one != "" && v.Str() == n.one {
		return
	}
	name, _, err := hosts.Canonical(v.Str())
	n.several = err != nil || n.one != "" && name != n.one
	n.one = name
}

// whose says to whom properties without a publisher belong in a document with this file.
func (f *facts) whose(d *Document) whose {
	w := whose{publisher: d.Publisher, all: impliesPublisher(d), home: d.Method == methodPointer}
	if w.home {
		w.all = !f.has(namesSeveral) && (f.only.n == 0 || f.str(f.only) == d.Publisher)
	}
	return w
}

// identifies reports whether one of a property's identifiers is, or covers, the one
// asked about, which is in canonical form.
func identifies(p *adagents.Property, asked Identifier) bool {
	return slices.ContainsFunc(p.Identifiers, func(id adagents.Identifier) bool {
		return id.Type == asked.Type && sameIdentifier(p.Type, asked, id.Value)
	})
}

// sameIdentifier compares values of one type. Only the domain of a website stands
// for more hosts than it names. Most values are compared byte by byte: bundle ids
// and the like tell upper from lower case.
func sameIdentifier(propertyType string, asked Identifier, value string) bool {
	switch asked.Type {
	case "domain":
		if propertyType == "website" {
			return hostname.MatchesDomain(value, asked.Value)
		}
		return sameDomain(value, asked.Value)
	case "subdomain":
		return sameDomain(value, asked.Value)
	case "rss_url":
		url, _, err := hostname.CanonicalURL(value)
		return err == nil && url == asked.Value
	}
	return value == asked.Value
}

func sameDomain(written, canonical string) bool {
	name, _, err := hostname.Canonical(written)
	return err == nil && name == canonical
}
