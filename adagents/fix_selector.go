package adagents

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/spell"
)

// selector returns the publisher selector that the finding is about or stands in.
func (x fixing) selector() *Selector {
	list := x.agent().Selectors
	i := sort.Search(len(list), func(i int) bool { return list[i].node() > x.at.Node() })
	return &list[i-1]
}

// fixBareSelector reads a bare domain as all properties of the publisher.
var fixBareSelector = remedy{Likely, func(x fixing) []Fix {
	domain, ok := x.domainIn(x.at)
	if !ok {
		return nil
	}
	return x.one("let the entry cover all properties of "+domain,
		x.Replace(x.at, x.Object("publisher_domain", jsonedit.String(domain), "selection_type", `"all"`)))
}}

// domainIn returns the publisher that a text names.
func (x fixing) domainIn(v Value) (string, bool) {
	domain := canonicalDomain(&x.index.hosts, v.Str())
	return domain, domain != "" && !hostname.IsPublicSuffix(domain)
}

// selectionAliases are what people write for a selection_type.
var selectionAliases = map[string]string{
	"any": "all", "*": "all", "everything": "all", "id": "by_id", "ids": "by_id", "property_ids": "by_id",
	"property_id": "by_id",
	"tag":         "by_tag", "tags": "by_tag", "property_tags": "by_tag", "property_tag": "by_tag",
}

// fixSelectionType writes the selection_type that suits the lists of a selector.
var fixSelectionType = remedy{Likely, func(x fixing) []Fix {
	s := x.selector()
	ids, tags := s.member(atSelectorPropertyIDs).Exists(), s.member(atSelectorPropertyTags).Exists()
	folded := snakeCase(strings.TrimSpace(s.SelectionType))
	to := selectionAliases[folded]
	if near, ok := spell.Nearest(folded, model.SelectionTypes, 1); ok {
		to = near
	}
	switch {
	case ids && tags:
		return nil
	case ids:
		to = "by_id"
	case tags:
		to = "by_tag"
	case blank(s.SelectionType):
		to = "all"
	case to == "":
		return nil
	}
	return x.one("write the selection_type "+to,
		x.put(s.Raw, s.member(atSelectorSelectionType), "selection_type", jsonedit.String(to)))
}}

// fixNoPublisher offers to remove a selector that names no publisher.
var fixNoPublisher = remedy{Choice, func(x fixing) []Fix {
	for _, name := range []string{"publisher_domain", "publisher_domains"} {
		if _, ok := x.claims.names[claim{x.at.Node(), name}]; ok {
			return nil // it has to be renamed
		}
	}
	return []Fix{choice("remove the selector", x.Remove(x.at))}
}}

// fixTwoForms puts all publishers of a selector into one list.
var fixTwoForms = remedy{Likely, func(x fixing) []Fix {
	s := x.selector()
	one, list := s.member(atSelectorPublisherDomain), s.member(atSelectorPublisherDomains)
	if s.SelectionType == "by_id" || !one.Is(String) || !list.Is(Array) {
		return nil
	}
	domains := textsIn(list)
	if len(domains) < list.Len() {
		return nil // anything but text would be lost
	}
	if !slices.Contains(domains, one.Str()) {
		domains = append([]string{one.Str()}, domains...)
	}
	return x.one("put all publishers into publisher_domains",
		sorted(x.Remove(one), x.Replace(list, x.List(jsonedit.Strings(domains)...)))...)
}}

// fixByIDCompact writes a selector by id for each publisher. One that says more than the
// three members of such a selector stays.
var fixByIDCompact = remedy{Likely, func(x fixing) []Fix {
	s := x.selector()
	ids, domains := s.member(atSelectorPropertyIDs), textsIn(x.at)
	if !ids.Exists() || len(domains) == 0 || len(domains) > few || len(domains) < x.at.Len() {
		return nil
	}
	if len(domains) == 1 {
		return x.one("write publisher_domain", x.Rename(x.at, "publisher_domain"),
			x.Replace(x.at, jsonedit.String(domains[0])))
	}
	for m := range s.Raw.Members() {
		if !slices.Contains([]string{"publisher_domains", "selection_type", "property_ids"}, m.Name()) {
			return nil
		}
	}
	selectors := make([]string, len(domains))
	for i, domain := range domains {
		selectors[i] = x.Object("publisher_domain", jsonedit.String(domain), "selection_type", `"by_id"`, "property_ids",
			x.Source(ids))
	}
	text := strings.TrimSuffix(strings.TrimPrefix(x.List(selectors...), "["), "]")
	return x.one("write a selector for each publisher", x.Replace(s.Raw, text))
}}

// fixList makes a list of a value.
var fixList = remedy{Likely, func(x fixing) []Fix {
	edits := x.asList(x.at)
	if edits == nil || !x.at.Is(String) {
		return nil
	}
	return x.one("make a list of "+x.Name(x.at), edits...)
}}

// fixNoDomains removes a selector that covers nothing.
var fixNoDomains = remedy{Safe, func(x fixing) []Fix {
	return x.one("remove the selector, which covers nothing", x.Remove(x.selector().Raw))
}}

// fixPredicate puts the list and the selection_type of a selector in agreement.
var fixPredicate = remedy{Choice, func(x fixing) []Fix {
	s := x.selector()
	list, name := s.predicate()
	typ := s.member(atSelectorSelectionType)
	if list.Is(String) {
		return x.as(Likely, "make a list of "+name, x.asList(list)...)
	}
	for to, at := range map[string]int{"by_id": atSelectorPropertyIDs, "by_tag": atSelectorPropertyTags} {
		if v := s.member(at); to != s.SelectionType && v.Is(Array) && v.Len() > 0 {
			return x.as(Likely, "write the selection_type "+to, x.Replace(typ, jsonedit.String(to)))
		}
	}
	if list.Exists() {
		return nil
	}
	return []Fix{choice("select all properties of the publisher", x.Replace(typ, `"all"`)),
		choice("remove the selector", x.Remove(s.Raw))}
}}

// fixIgnoredList offers to select by a list that is ignored, or to remove it.
var fixIgnoredList = remedy{Choice, func(x fixing) []Fix {
	s, name := x.selector(), x.Name(x.at)
	to := map[string]string{"property_ids": "by_id", "property_tags": "by_tag"}[name]
	fixes := []Fix{choice("remove "+name, x.Remove(x.at))}
	if s.SelectionType == "all" {
		by := choice("select by "+name, x.Replace(s.member(atSelectorSelectionType), jsonedit.String(to)))
		fixes = append([]Fix{by}, fixes...)
	}
	return fixes
}}

// fixDomain writes a publisher as it is read. If it cannot be read, the fix offers to
// remove it, since no buyer will look for it.
var fixDomain = remedy{Choice, func(x fixing) []Fix {
	text := strings.TrimPrefix(strings.TrimSpace(x.at.Str()), "*.")
	if domain := canonicalDomain(&x.index.hosts, text); domain != "" && !hostname.IsPublicSuffix(domain) {
		kind := Safe
		if canonicalDomain(&x.index.hosts, x.at.Str()) == "" {
			kind = Likely
		}
		return x.as(kind, fmt.Sprintf("write %s instead of %s", whole(domain), quote(x.at.Str())),
			x.Replace(x.at, jsonedit.String(domain)))
	}
	if x.Name(x.at) == "publisher_domain" {
		return []Fix{choice("remove the selector", x.Remove(x.selector().Raw))}
	}
	return []Fix{choice("remove the publisher", x.Remove(x.at))}
}}

// The remedies of collection selectors.

// ownCollections reports whether texts are ids of the file's collections, and returns the
// publisher of the file.
func (x fixing) ownCollections(ids []string) (string, bool) {
	self := x.scope().self
	unknown := slices.ContainsFunc(ids, func(id string) bool { _, ok := x.index.collections[id]; return !ok })
	return self, self != "" && len(ids) > 0 && !unknown
}

var fixBareCollection = remedy{Likely, func(x fixing) []Fix {
	self, ok := x.ownCollections(textsIn(x.at))
	if !ok || !x.at.Is(String) {
		return nil
	}
	return x.one("write the collection with its publisher, "+self,
		x.Replace(x.at, x.Object("publisher_domain", jsonedit.String(self), "collection_ids", x.List(x.Source(x.at)))))
}}

// fixCollectionDomain names the publisher of the file, whose collections these are.
var fixCollectionDomain = remedy{Likely, func(x fixing) []Fix {
	item := x.at
	if x.missing == "" {
		item = x.Parent(x.at)
		if domain, ok := x.domainIn(x.at); ok {
			return x.as(Safe, fmt.Sprintf("write %s instead of %s", whole(domain), quote(x.at.Str())),
				x.Replace(x.at, jsonedit.String(domain)))
		}
	}
	self, ok := x.ownCollections(textsIn(item.Get("collection_ids")))
	if !ok {
		return nil
	}
	return x.one("name the publisher "+self,
		x.put(item, item.Get("publisher_domain"), "publisher_domain", jsonedit.String(self)))
}}

// fixNoCollections makes a list of the ids, or offers to remove an item that has none.
var fixNoCollections = remedy{Choice, func(x fixing) []Fix {
	switch {
	case x.missing != "":
		return []Fix{choice("remove the item", x.Remove(x.at))}
	case x.Name(x.at) == "" && !x.at.IsContainer():
		return x.as(Likely, "remove the blank item", x.Remove(x.at))
	case x.at.Is(String) && !blank(x.at.Str()):
		return x.as(Likely, "make a list of collection_ids", x.asList(x.at)...)
	case x.Name(x.at) != "":
		return []Fix{choice("remove the item", x.Remove(x.Parent(x.at)))}
	}
	return nil
}}

// The remedies of references.

// fixItem puts an item of a list of ids or tags into quotes, takes the id out of an object,
// and removes what says nothing. An item with other content is for the author to remove.
var fixItem = remedy{Likely, func(x fixing) []Fix {
	text := ""
	for _, name := range []string{"property_id", "id", "tag", "name"} {
		if text == "" && x.at.Is(Object) {
			text = x.at.Get(name).Str()
		}
	}
	if x.at.Is(NumberKind) {
		text = x.at.Text()
	}
	switch {
	case !blank(text):
	case x.at.Is(Null) || x.at.Is(String) && blank(x.at.Str()) || x.at.IsContainer() && x.at.Len() == 0:
		return x.as(Safe, "remove the item", x.Remove(x.at))
	default:
		return []Fix{choice("remove the item", x.Remove(x.at))}
	}
	return x.one("write "+whole(text), x.Replace(x.at, jsonedit.String(text)))
}}

// nearOrRemove writes the nearest name that the file has, or offers to remove a reference
// that leads nowhere.
func nearOrRemove(in nameSpace) remedy {
	return remedy{Choice, func(x fixing) []Fix {
		text, list := x.at.Str(), x.Parent(x.at)
		if near, ok := x.nearest(in, text); ok && !x.names.hasItem(list, near) {
			return x.as(Likely, fmt.Sprintf("write %s instead of %s", whole(near), quote(text)),
				x.Replace(x.at, jsonedit.String(near)))
		}
		if list.Len() == 1 {
			return nil
		}
		return []Fix{choice("remove the reference "+whole(text), x.Remove(x.at))}
	}}
}

// fixDouble removes an entry that says the same as an earlier one to the letter.
var fixDouble = remedy{Safe, func(x fixing) []Fix {
	doubles := x.doubles()
	entry := func(i int) Value { return x.file.Agents[i].Raw }
	i := sort.Search(len(doubles), func(i int) bool { return entry(doubles[i].entry).Node() >= x.at.Node() })
	if i == len(doubles) || entry(doubles[i].entry) != x.at || !x.alike(entry(doubles[i].first), x.at) {
		return nil
	}
	return x.one("remove the repeated entry", x.Remove(x.at))
}}

// The remedies of the file's top level.

// fixAgentsList makes a list of a single entry, or of the entries of an object.
var fixAgentsList = remedy{Likely, func(x fixing) []Fix {
	if !x.at.Is(Object) && !x.at.Is(String) {
		return nil
	}
	var entries []string
	for m := range x.at.Members() {
		if model.Agent.Field(m.Name()) != nil || otherNames[model.Agent][snakeCase(m.Name())] != "" || !m.Value().Is(Object) {
			return revealing(x.one("make a list of the entry", x.Wrap(x.at)...))
		}
		entries = append(entries, x.entryNamed(m.Name(), m.Value()))
	}
	if len(entries) == 0 {
		return revealing(x.one("make a list of the entry", x.asList(x.at)...))
	}
	return revealing(x.one("make a list of the entries", x.Replace(x.at, x.List(entries...))))
}}

// entryNamed returns the text of an agent's entry that stands under a name, which may be its
// url.
func (x fixing) entryNamed(name string, entry Value) string {
	text := x.Source(entry)
	if _, ok := hostOf(name); !ok || entry.Has("url") || entry.Len() == 0 {
		return text
	}
	comma, colon := ", ", ": "
	if x.Compact() {
		comma, colon = ",", ":"
	}
	return `{"url"` + colon + jsonedit.String(name) + comma + strings.TrimLeft(text[1:], " \t\r\n")
}

// fixType writes a value in the type of its member.
var fixType = remedy{Likely, func(x fixing) []Fix {
	wrong := x.dec.wrong
	i := sort.Search(len(wrong), func(i int) bool { return wrong[i].value.Node() >= x.at.Node() })
	if i == len(wrong) || wrong[i].value.Node() != x.at.Node() {
		return nil
	}
	field := &wrong[i].in.Fields[wrong[i].field]
	switch elem := field.Type.Elem; {
	case field.Type.Kind == model.Array &&
		(x.at.Is(Object) && elem.Kind == model.Object || x.at.Is(String) && elem.Kind == model.String):
		return revealing(x.one("make a list of "+field.Name, x.asList(x.at)...))
	case field.Type.Kind == model.String && x.at.Is(NumberKind):
		return x.one("write "+field.Name+" as a text", x.Replace(x.at, jsonedit.String(x.at.Text())))
	case field.Type.Kind == model.Bool && (x.at.Str() == "true" || x.at.Str() == "false"):
		return x.one("write "+x.at.Str()+" without quotes", x.Replace(x.at, x.at.Str()))
	}
	return nil
}}

// ownDomain returns the domain that the file speaks for.
func (x fixing) ownDomain() string {
	if self := x.scope().self; self != "" {
		return self
	}
	if x.file.Contact == nil {
		return ""
	}
	return canonicalDomain(&x.index.hosts, x.file.Contact.Domain)
}
