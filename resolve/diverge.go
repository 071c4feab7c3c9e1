package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// compare looks for properties that the file at hand describes otherwise than the
// publisher's own file, or that the latter does not have. The own file counts in
// both cases.
func (l *lister) compare(domain string, here []*adagents.Property, doc *Document) {
	if l.leadsBack(doc) {
		return
	}
	byID := l.byID(doc)
	for _, p := range here {
		key := [2]string{domain, p.ID}
		if _, done := l.diverging[key]; done || p.ID == "" || !l.spend(costListed) {
			continue
		}
		d := divergence{domain: domain, parent: p, own: byID[p.ID], parentURL: l.doc.URL, ownURL: doc.URL}
		if d.own != nil {
			d.fields = differences(p, d.own)
			if len(d.fields) == 0 {
				continue
			}
		}
		l.note(key, d)
	}
}

func (l *lister) note(key [2]string, d divergence) {
	if l.diverging == nil {
		l.diverging = make(map[[2]string]struct{})
	}
	l.diverging[key] = struct{}{}
	l.divergences = append(l.divergences, d)
	text := "the file describes the property " + quote(d.parent.ID) + " of " + quote(d.domain) +
		" differently from the publisher's own file, which takes precedence"
	if d.own == nil {
		text = "the property " + quote(d.parent.ID) + " is not in the own file of " + quote(d.domain) +
			", which takes precedence"
	}
	l.say("selector.diverges", d.parent.Raw, text)
}

// differences names the members in which two declarations of a property differ.
// Lists are compared as sets.
func differences(a, b *adagents.Property) []string {
	var out []string
	for _, member := range []struct {
		name string
		same bool
	}{
		{"property_type", a.Type == b.Type},
		{"name", a.Name == b.Name},
		{"identifiers", sameSet(identifierSet(a), identifierSet(b))},
		{"tags", sameSet(a.Tags, b.Tags)},
		{"supported_channels", sameSet(a.Channels, b.Channels)},
	} {
		if !member.same {
			out = append(out, member.name)
		}
	}
	return out
}

// identifierSet returns the identifiers as texts, host names in the form in which
// they are compared.
func identifierSet(p *adagents.Property) []string {
	out := make([]string, len(p.Identifiers))
	for i := range p.Identifiers {
		id := &p.Identifiers[i]
		value := id.Value
		if id.Type == "domain" || id.Type == "subdomain" {
			name, _, err := hostname.Canonical(value)
			if err == nil {
				value = name
			}
		}
		out[i] = id.Type + "\x00" + value
	}
	return out
}

func sameSet(a, b []string) bool {
	return slices.Equal(sorted(a), sorted(b))
}

func sorted(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}

func divergencesOf(list []divergence) []Divergence {
	at := make([]adagents.Value, 0, 2*len(list))
	for i := range list {
		own := adagents.Value{}
		if list[i].own != nil {
			own = list[i].own.Raw
		}
		at = append(at, list[i].parent.Raw, own)
	}
	found := jsontree.Locate(at)
	var out []Divergence
	for i := range list {
		d := &list[i]
		out = append(out, Divergence{
			PublisherDomain: d.domain, PropertyID: d.parent.ID, Fields: d.fields, Missing: d.own == nil,
			ParentURL: d.parentURL, ParentPointer: found[2*i], OwnURL: d.ownURL, OwnPointer: found[2*i+1],
		})
	}
	return out
}
