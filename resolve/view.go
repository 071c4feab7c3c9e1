package resolve

import (
	"slices"
	"weak"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A view is a usable document with what is derived from it once: whose its
// properties are, and who is revoked. It is used by one goroutine.
type view struct {
	doc     *Document
	file    *adagents.File
	revoked map[string]struct{}
	hosts   hostname.Memo
	whose   whose
	// What is needed only now and then: placements by id and those that are left out,
	// the places of usable properties, and the ids of those at the top level.
	placements     map[string]*adagents.Placement
	leftPlacements *leftOut
	top            *topLevel
	// listed are those of revoked that are in the file's own list.
	listed map[string]struct{}
}

func newView(doc *Document) *view {
	v := &view{doc: doc, file: doc.File}
	v.revoked, v.whose = revokedIn(doc, &v.hosts), whoseIn(doc, &v.hosts)
	return v
}

// revokedIn returns the domains a document takes out: those in its file's list, and those
// held over from earlier ones.
func revokedIn(d *Document, hosts *hostname.Memo) map[string]struct{} {
	out := revocations(d.File, hosts)
	if out == nil && len(d.Revoked) > 0 {
		out = make(map[string]struct{}, len(d.Revoked))
	}
	for _, domain := range d.Revoked {
		out[domain] = struct{}{}
	}
	return out
}

// A heldKey tells lists of held revocations apart, as values.
type heldKey struct {
	first weak.Pointer[string]
	n     int
}

func heldOf(d *Document) heldKey {
	if len(d.Revoked) == 0 {
		return heldKey{}
	}
	return heldKey{weak.Make(&d.Revoked[0]), len(d.Revoked)}
}

// revocations returns the domains a file takes out. A list of what is forbidden is
// read generously: an entry counts as long as its domain can be told, whatever else is
// wrong with it.
func revocations(f *adagents.File, hosts *hostname.Memo) map[string]struct{} {
	if len(f.Revocations) == 0 {
		return nil
	}
	out := make(map[string]struct{}, len(f.Revocations))
	for i := range f.Revocations {
		for _, text := range f.Revocations[i].Domains() {
			domain, _, err := hosts.Canonical(text)
			if err == nil {
				out[domain] = struct{}{}
			}
		}
	}
	return out
}

// owner returns the canonical domain of the publisher a property belongs to, or "" if
// it has no owner.
func (v *view) owner(p *adagents.Property) string { return v.whose.owner(p, &v.hosts) }

// hasTop reports whether a property at the top level of the file has an id, be it one
// that is ignored.
func (v *view) hasTop(id string) bool {
	if v.top == nil {
		v.top = newTopLevel(v.file)
	}
	return v.top.has(id)
}

// placementLeftOut returns the placement of the file that has an id, or may have it, and
// is ignored.
func (v *view) placementLeftOut(id string) (adagents.Value, bool) {
	if v.leftPlacements == nil {
		v.leftPlacements = placementsLeftOut(v.file)
	}
	return v.leftPlacements.find(id)
}

// isRevoked reports whether the file takes a domain out.
func (v *view) isRevoked(domain string) bool {
	_, ok := v.revoked[domain]
	return ok
}

// revoking says in words that the document takes out whom a domain stands for.
func (v *view) revoking(who, domain string) string {
	if v.holdsOver(domain) {
		return "the file revoked " + who + " earlier, and that is held although it no longer lists it"
	}
	return "the file revokes " + who
}

// holdsOver reports whether a revoked domain is not in the file's own list. That list is
// read again: it is asked for in the few reasons of an answer.
func (v *view) holdsOver(domain string) bool {
	if len(v.doc.Revoked) == 0 {
		return false
	}
	if v.listed == nil {
		v.listed = revocations(v.file, &v.hosts)
	}
	_, listed := v.listed[domain]
	return !listed
}

// holdsBack reports whether a property counts in the file, and is taken out all the same:
// by a revocation that the file does not list, or by an identifier with a fault.
func (v *view) holdsBack(p *adagents.Property) bool {
	return len(v.revoked) > 0 && v.revokes(p, v.owner(p))
}

// revokes reports whether the file takes a property of an owner out: by its owner,
// or by a host it is known as.
func (v *view) revokes(p *adagents.Property, owner string) bool {
	return revokesProperty(v.revoked, p, owner, &v.hosts)
}

func revokesProperty(revoked map[string]struct{}, p *adagents.Property, owner string, hosts *hostname.Memo) bool {
	if len(revoked) == 0 {
		return false
	}
	if _, ok := revoked[owner]; ok {
		return true
	}
	isRevoked := func(value string) bool {
		host, _, err := hosts.Canonical(value)
		if err != nil {
			return false
		}
		_, ok := revoked[host]
		return ok
	}
	return slices.ContainsFunc(p.Identifiers, func(id adagents.Identifier) bool {
		return (id.Type == "domain" || id.Type == "subdomain") && isRevoked(id.Value)
	}) || revokedInDoubt(p, isRevoked)
}

// revokedInDoubt looks at the identifiers of a property that are left out because of a
// fault. One whose type cannot be read may be a host.
func revokedInDoubt(p *adagents.Property, isRevoked func(string) bool) bool {
	written := p.Raw.Get("identifiers")
	if written.Len() == len(p.Identifiers) {
		return false
	}
	for _, id := range written.Elems() {
		if id.Get("type").Str() == "" && (isRevoked(id.Get("value").Str()) || isRevoked(id.Str())) {
			return true
		}
	}
	return false
}

// A bookKey tells files apart: by address and content, or as values when these are
// not known.
type bookKey struct {
	url, sum string
	file     *adagents.File
	held     heldKey
}

func keyOf(d *Document) bookKey {
	if d.URL == "" || d.SHA256 == "" {
		return bookKey{file: d.File, held: heldOf(d)}
	}
	return bookKey{url: d.URL, sum: d.SHA256, held: heldOf(d)}
}

// skippedIn returns what was left out of documents, each file once.
func skippedIn(docs ...*Document) []Skipped {
	var out []Skipped
	var seen map[bookKey]bool
	for _, d := range docs {
		if d == nil || d.State != Usable || len(d.Skipped) == 0 {
			continue
		}
		key := keyOf(d)
		key.held = heldKey{}
		if seen[key] {
			continue
		}
		if seen == nil {
			seen = make(map[bookKey]bool)
		}
		seen[key] = true
		out = append(out, Skipped{Publisher: d.Publisher, URL: d.URL, SHA256: d.SHA256, Entries: d.Skipped})
	}
	return out
}
