package adagents

import (
	"cmp"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/std/hostname"
)

// The remedies of properties, identifiers, tags and the top level.

// propertyFromText makes a property of a bare domain.
var propertyFromText = remedy{Likely, func(x fixing) []Fix {
	host, ok := plainHost(x.at.Str())
	if !ok || !strings.Contains(host, ".") || strings.HasPrefix(host, "*") {
		return nil
	}
	name := jsonedit.String(host)
	text := x.Object("property_id", jsonedit.String(idFrom(host)), "property_type", `"website"`, "name", name,
		"identifiers", x.List(x.Object("type", `"domain"`, "value", name)))
	return x.one("write "+whole(host)+" as a website", x.Replace(x.at, text))
}}

// identifiersFrom makes identifiers of what a property has in their place: a single one, a
// text, or the domain of its publisher.
var identifiersFrom = remedy{Likely, func(x fixing) []Fix {
	if x.missing == "" {
		switch {
		case x.at.Is(Object):
			return revealing(x.one("write the identifier as a list", x.Wrap(x.at)...))
		case x.at.Is(String):
			text, ok := x.identifier(x.at.Str())
			if ok {
				return x.one("write the identifier as an object in a list", x.Replace(x.at, x.List(text)))
			}
		}
		return nil
	}
	host, ok := plainHost(x.at.Get("publisher_domain").Str())
	if !ok || x.at.Get("property_type").Str() != "website" {
		return nil
	}
	text := x.List(x.Object("type", `"domain"`, "value", jsonedit.String(host)))
	return x.one("identify the website by its publisher_domain", x.AddMember(x.at, "identifiers", text))
}}

// identifier returns the identifier that a text most probably stands for.
func (x fixing) identifier(text string) (string, bool) {
	kind, text, ok := readIdentifier(strings.TrimSpace(text))
	if ok && kind == "domain" {
		text, ok = plainHost(text)
	}
	return x.Object("type", jsonedit.String(kind), "value", jsonedit.String(text)), ok
}

// kindOfIdentifier guesses the type of an identifier from its form. What could be several
// things has none.
func kindOfIdentifier(text string) (string, bool) {
	host, ok := plainHost(text)
	_, registrable := hostname.Registrable(strings.TrimPrefix(host, "*."))
	switch {
	case ok && registrable:
		return "domain", true
	case isAnyBundle(text) && strings.Count(text, ".") > 1:
		return "bundle_id", true
	}
	return "", false
}

var identifierFromText = remedy{Likely, func(x fixing) []Fix {
	text, ok := x.identifier(x.at.Str())
	if !ok {
		return nil
	}
	return x.one("write the identifier as an object", x.Replace(x.at, text))
}}

func identifierType(x fixing) (string, bool) {
	kind, ok := kindOfIdentifier(x.at.Get("value").Str())
	return jsonedit.String(kind), ok
}

// propertyName takes the name of a property from its domain or its id. An app's store id
// is not a name.
var propertyName = remedy{Likely, func(x fixing) []Fix {
	owner := x.owner()
	name := wordsOf(owner.Get("property_id").Str())
	first := owner.Get("identifiers").Index(0)
	if value := first.Get("value").Str(); !blank(value) && (blank(name) || first.Get("type").Str() == "domain") {
		name = value
	}
	if blank(name) {
		return nil
	}
	return x.set("name", jsonedit.String(name))
}}

// owner returns the object that has the member or lacks it.
func (x fixing) owner() Value {
	if x.missing != "" {
		return x.at
	}
	return x.Parent(x.at)
}

// set gives the member that the finding is about a value, whether it is there or not.
func (x fixing) set(member, text string) []Fix {
	title := valued("write "+member, text)
	if x.missing != "" {
		return x.one(title, x.AddMember(x.at, member, text))
	}
	return x.one(title, x.Replace(x.at, text))
}

// typeFromIdentifiers returns the one property_type that identifiers of these types suit.
func typeFromIdentifiers(x fixing) (string, bool) {
	first := x.at.Get("identifiers").Index(0).Get("type").Str()
	for _, kind := range []string{"website", "mobile_app", "ctv_app", "podcast", "dooh"} {
		if slices.Contains(propertyKinds[kind].suits, first) {
			return jsonedit.String(kind), true
		}
	}
	return "", false
}

// propertyID makes an id of the name of a property.
var propertyID = remedy{Likely, func(x fixing) []Fix {
	id, ok := x.freeID(x.owner())
	if !ok {
		return nil
	}
	return x.set("property_id", jsonedit.String(id))
}}

// freeID returns an id for a property that no other has: the only one that agents list and no
// property has, or one made of its name.
func (x fixing) freeID(property Value) (string, bool) {
	if !x.names.listed {
		x.names.listed, x.names.undefined = true, x.onlyUndefined()
	}
	if x.names.undefined != "" {
		return x.names.undefined, true
	}
	for _, text := range []string{property.Get("name").Str(), property.Get("identifiers").Index(0).Get("value").Str()} {
		id := idFrom(text)
		if _, used := x.index.properties.get(id); id != "" && !used {
			return id, true
		}
	}
	return "", false
}

// onlyUndefined returns the one id that agents list and no property has, if there is one
// property that could have it.
func (x fixing) onlyUndefined() string {
	without := 0
	for i := range x.file.Properties {
		first, used := x.index.properties.get(x.file.Properties[i].ID)
		if !used || first != i {
			without++
		}
	}
	only := ""
	for i := range x.file.Agents {
		for _, id := range x.file.Agents[i].PropertyIDs {
			_, used := x.index.properties.get(id)
			switch {
			case used || id == only:
			case only != "" || without != 1 || !isID(id):
				return ""
			default:
				only = id
			}
		}
	}
	return only
}

// newPropertyID gives the second of two properties an id of its own, or removes it when it
// repeats the first.
var newPropertyID = remedy{Likely, func(x fixing) []Fix {
	property := x.Parent(x.at)
	first, ok := x.index.properties.get(x.at.Str())
	if ok && x.same(property, x.file.Properties[first].Raw) {
		return x.as(Safe, "remove the repeated property", x.Remove(property))
	}
	id, ok := x.freeID(property)
	if !ok {
		return nil
	}
	return x.one("give the property the id "+whole(id), x.Replace(x.at, jsonedit.String(id)))
}}

// publisherOfOthers names the one publisher that the other properties have.
var publisherOfOthers = remedy{Choice, func(x fixing) []Fix {
	domain := x.selfDomain()
	if domain == "" || !x.at.Is(String) {
		return nil
	}
	return x.one("write "+whole(domain)+", as in the other properties", x.Replace(x.at, jsonedit.String(domain)))
}}

// publisherFromFile names the publisher that a property belongs to: in a publisher's own file
// that publisher, whatever its other sites are called. Where it is not known whose file that is,
// it may also be the owner of the site. In a file of several it is the registrable domain that
// all identifiers of the property lie below.
var publisherFromFile = remedy{Likely, func(x fixing) []Fix {
	if x.missing == "" {
		return nil
	}
	site, others := x.siteOf(x.at), x.onlyPublisher()
	switch {
	case x.opt.Role != Direct && site == "":
		return nil
	case x.opt.Role != Direct, site != "" && site == others:
		return x.set("publisher_domain", jsonedit.String(site))
	case x.opt.Domain != "":
		return x.set("publisher_domain", jsonedit.String(x.opt.Domain))
	}
	var offers []Fix
	for _, domain := range []string{others, site} {
		if domain != "" {
			offers = append(offers,
				choice("write publisher_domain: "+whole(domain), x.AddMember(x.at, "publisher_domain", jsonedit.String(domain))))
		}
	}
	return offers
}}

// onlyPublisher returns the one publisher that properties of the file name, or "".
func (x fixing) onlyPublisher() string {
	only := ""
	for i := range x.file.Properties {
		domain := canonicalDomain(&x.index.hosts, x.file.Properties[i].PublisherDomain)
		if domain != "" && only != "" && domain != only {
			return ""
		}
		only = cmp.Or(domain, only)
	}
	return only
}

// siteOf returns the registrable domain that all identifiers of a property lie below, or "".
func (x fixing) siteOf(property Value) string {
	domain := ""
	for _, id := range property.Get("identifiers").Elems() {
		host, ok := plainHost(id.Get("value").Str())
		if kind := id.Get("type").Str(); !ok || kind != "domain" && kind != "subdomain" {
			return ""
		}
		own, ok := hostname.Registrable(strings.TrimPrefix(host, "*."))
		if !ok || domain != "" && own != domain {
			return ""
		}
		domain = own
	}
	return domain
}

// otherType gives an identifier whose value is wrong another type.
func otherType(kind FixKind, better func(kind, value string) string) remedy {
	return remedy{kind, func(x fixing) []Fix {
		typ := x.Parent(x.at).Get("type")
		word := better(typ.Str(), x.at.Str())
		if word == "" || word == typ.Str() {
			return nil
		}
		return x.one("write the type "+whole(word), x.Replace(typ, jsonedit.String(word)))
	}}
}

// storeType returns the type of which a value has the form.
func storeType(kind, value string) string {
	switch {
	case strings.Contains(kind, "bundle") && isDigits(value):
		return "apple_app_store_id"
	case kind == "apple_app_store_id" && isAnyBundle(value):
		return "ios_bundle"
	}
	return ""
}

// storeValue takes away what does not belong to a value.
func storeValue(x fixing, value string) (string, bool) {
	kind := identifierKinds[x.Parent(x.at).Get("type").Str()]
	if kind == nil || kind.form == nil {
		return "", false
	}
	trimmed := strings.TrimSpace(value)
	number, _ := strings.CutPrefix(strings.ToLower(trimmed), "id")
	for _, better := range []string{trimmed, number} {
		if kind.form(better) {
			return better, true
		}
	}
	return "", false
}

// tagFromText makes the explanation of a tag from a text.
var tagFromText = remedy{Safe, func(x fixing) []Fix {
	text, ok := x.at.AsString()
	if !ok || blank(text) {
		return nil
	}
	name := jsonedit.String(wordsOf(x.Name(x.at)))
	return x.one("write the text as the description of the tag",
		x.Replace(x.at, x.Object("name", name, "description", x.at.Text())))
}}

// tagName names a tag as it is written.
var tagName = remedy{Safe, func(x fixing) []Fix {
	tag := x.Name(x.owner())
	if blank(tag) {
		return nil
	}
	return x.set("name", jsonedit.String(wordsOf(tag)))
}}

// wordsOf writes a tag as words: "local_news" becomes "Local news".
func wordsOf(tag string) string {
	text := strings.ReplaceAll(tag, "_", " ")
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return text
}

// tagsFromList makes a tag map of a list of tags.
var tagsFromList = remedy{Likely, func(x fixing) []Fix {
	if !x.at.Is(Array) {
		return nil
	}
	var members []string
	seen := make(map[string]bool)
	for _, v := range x.at.Elems() {
		if blank(v.Str()) || seen[v.Str()] {
			return nil
		}
		seen[v.Str()] = true
		name := jsonedit.String(wordsOf(v.Str()))
		members = append(members, v.Str(), x.Object("name", name, "description", name))
	}
	return x.one("write the tags as an object", x.Replace(x.at, x.Object(members...)))
}}

// contactFromText makes a contact of an address, a domain or a name.
var contactFromText = remedy{Safe, func(x fixing) []Fix {
	text := strings.TrimSpace(x.at.Str())
	if text == "" {
		return nil
	}
	quoted := jsonedit.String(text)
	members := []string{"name", quoted}
	if host, ok := plainHost(text); ok && strings.Contains(host, ".") {
		members = append(members, "domain", jsonedit.String(host))
	} else if email, ok := emailOf(text); ok {
		members = append(members, "email", jsonedit.String(email))
	}
	return x.one("write the contact as an object", x.Replace(x.at, x.Object(members...)))
}}

// contactName takes the name of a contact from what else it says.
var contactName = remedy{Safe, func(x fixing) []Fix {
	owner := x.owner()
	name := owner.Get("domain").Str()
	if _, host, ok := strings.Cut(owner.Get("email").Str(), "@"); ok && blank(name) {
		name = host
	}
	if blank(name) {
		return nil
	}
	return x.set("name", jsonedit.String(name))
}}

// emailOf reads an address as people write it to hide it from robots.
func emailOf(text string) (string, bool) {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "mailto:"))
	for _, at := range []string{" at ", " (at) ", "(at)", "[at]", " [at] ", " @ "} {
		if user, host, ok := strings.Cut(text, at); ok {
			text = strings.TrimSpace(user) + "@" + strings.TrimSpace(host)
		}
	}
	user, host, ok := strings.Cut(text, "@")
	_, _, err := hostname.Canonical(host)
	return text, ok && err == nil && user != "" && !strings.ContainsAny(text, " <>,;")
}

// withoutUser takes credentials out of a URL.
func withoutUser(_ fixing, text string) (string, bool) {
	scheme, rest, ok := strings.Cut(text, "://")
	authority, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority, path = rest[:i], rest[i:]
	}
	better := scheme + "://" + authority[strings.LastIndexByte(authority, '@')+1:] + path
	_, info, err := hostname.CanonicalURL(better)
	return better, ok && err == nil && !info.HasUserinfo
}

// hostOf returns the host of a URL.
func hostOf(url string) (string, bool) {
	_, info, err := hostname.CanonicalURL(url)
	return info.Host, err == nil
}

// eitherPointerOrContent lets the author decide what a file is.
var eitherPointerOrContent = remedy{Choice, func(x fixing) []Fix {
	root := x.tree.Root()
	if !x.spend(root.Len()) {
		return nil
	}
	var content []Value
	for m := range root.Members() {
		if inlineMember(m.Name()) {
			content = append(content, m.Value())
		}
	}
	return []Fix{
		{Title: "keep the content and remove authoritative_location", Kind: Choice,
			Edits: []Edit{x.Remove(root.Get("authoritative_location"))}, reveals: true},
		{Title: "keep authoritative_location and remove the content", Kind: Choice, Edits: x.RemoveAll(content...)},
	}
}}

// agentsFromList makes a file of a bare list of agents.
var agentsFromList = remedy{Likely, func(x fixing) []Fix {
	if !x.at.Is(Array) || !x.at.Index(0).Get("url").Is(String) {
		return nil
	}
	_, end := x.Span(x.at)
	start := x.at.Offset()
	return revealing(x.one("write the list as authorized_agents",
		Edit{Start: start, End: start, New: `{"authorized_agents": `}, Edit{Start: end, End: end, New: "}"}))
}}

// oneOfTheTwo keeps one of two members with the same name.
var oneOfTheTwo = remedy{Choice, func(x fixing) []Fix {
	second := x.tree.MemberAt(x.spot.Node())
	if !x.spend(x.at.Len()) {
		return nil
	}
	var first Value
	for m := range x.at.Members() {
		if m.Name() == second.Name() {
			first = m.Value()
			break
		}
	}
	if !first.Exists() || first.Node() == second.Value().Node() {
		return nil
	}
	if x.same(first, second.Value()) {
		return x.as(Likely, "remove the repeated member", x.Remove(second.Value()))
	}
	return []Fix{
		{Title: "keep the last " + quote(second.Name()), Kind: Choice, Edits: []Edit{x.Remove(first)}},
		{Title: "keep the first " + quote(second.Name()), Kind: Choice, Edits: []Edit{x.Remove(second.Value())}},
	}
}}

// featureID takes the id out of an object.
var featureID = remedy{Likely, func(x fixing) []Fix {
	for _, name := range []string{"id", "feature_id", "name"} {
		if v := x.at.Get(name); v.Is(String) && !blank(v.Str()) {
			return x.one("write the id of the feature", x.Replace(x.at, v.Text()))
		}
	}
	return numberAsText(Likely).make(x)
}}

// wildcardBelow puts an asterisk in front of the domain that it stands in.
func wildcardBelow(_ fixing, text string) (string, bool) {
	i := strings.LastIndexByte(text, '*')
	_, rest, _ := strings.Cut(text[i+1:], ".")
	if i >= 0 && i+1 < len(text) && text[i+1] != '.' && !strings.Contains(text[:i], ".") {
		rest = text[i+1:]
	}
	host, ok := plainHost(rest)
	_, below := hostname.Registrable(host)
	return "*." + host, ok && below
}
