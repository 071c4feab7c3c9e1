package adagents

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/spell"
	"github.com/avow-project/avow/internal/std/words"
)

// agent returns the agent entry that the finding is about or stands in.
func (x fixing) agent() *Agent {
	list := x.file.Agents
	i := sort.Search(len(list), func(i int) bool { return list[i].node() > x.at.Node() })
	return &list[i-1]
}

// put gives an object a member, or the member that it has another value.
func (x fixing) put(owner, value Value, name, text string) Edit {
	if value.Exists() {
		return x.Replace(value, text)
	}
	return x.AddMember(owner, name, text)
}

// sorted returns edits in the order of the text.
func sorted(edits ...Edit) []Edit {
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
	return edits
}

// choice returns a fix for the author to choose.
func choice(title string, edits ...Edit) Fix {
	return Fix{Title: title, Kind: Choice, Edits: sorted(edits...)}
}

// fixBareAgent makes an entry of a bare URL. What it may sell is another finding's.
var fixBareAgent = remedy{Likely, func(x fixing) []Fix {
	url, ok := httpsURL(x.at.Str())
	if !ok {
		return nil
	}
	return revealing(x.one("make an entry of the URL", x.Replace(x.at, x.Object("url", jsonedit.String(url)))))
}}

// fixDescription describes what an entry selects.
var fixDescription = remedy{Likely, func(x fixing) []Fix {
	a := x.agent()
	text := x.describe(a)
	if text == "" || len(text) > maxAuthorizedFor {
		return nil
	}
	return x.one("describe what the entry selects: "+whole(text),
		x.put(a.Raw, a.member(atAgentAuthorizedFor), "authorized_for", jsonedit.String(text)))
}}

// describe says in a few words what an entry selects.
func (x fixing) describe(a *Agent) string {
	if text := a.Raw.Get("description").Str(); !blank(text) {
		return text
	}
	scope := a.Scope()
	names := make([]string, 0, len(scope.Properties))
	for _, id := range scope.PropertyIDs {
		if i := x.propertyByID(id); i >= 0 {
			names = append(names, x.file.Properties[i].Name)
		}
	}
	for i := range scope.Properties {
		names = append(names, scope.Properties[i].Name)
	}
	switch {
	case len(names) > 3:
		return words.Plural(len(names), "property", "properties")
	case len(names) > 0:
		return strings.Join(names, ", ")
	case len(scope.PropertyTags) > 0:
		return "Properties with the tag " + strings.Join(scope.PropertyTags, " or ")
	case len(scope.SignalIDs)+len(scope.SignalTags) > 0:
		return "Signals: " + strings.Join(slices.Concat(scope.SignalIDs, scope.SignalTags), ", ")
	}
	for i := range scope.Selectors {
		for _, domain := range x.publishersOf(&scope.Selectors[i]) {
			return "Properties of " + domain + " and others"
		}
	}
	return ""
}

// fixLength shortens a description at the end of a word.
var fixLength = remedy{Likely, func(x fixing) []Fix {
	text := x.at.Str()
	cut, n := 0, 0
	for i, r := range text {
		if n++; n > maxAuthorizedFor {
			break
		}
		if r == ' ' || n == maxAuthorizedFor {
			cut = i
		}
	}
	short := strings.TrimSpace(text[:cut])
	return x.one(fmt.Sprintf("shorten the text to %d characters", utf8.RuneCountInString(short)),
		x.Replace(x.at, jsonedit.String(short)))
}}

// present returns the selectors that an entry has.
func (a *Agent) present() []*companion {
	var list []*companion
	for i := range companions {
		if v := a.member(companions[i].at); v.Exists() && !v.Is(Null) && !emptyArray(v) {
			list = append(list, &companions[i])
		}
	}
	return list
}

// typeFix writes the authorization_type of a selector.
func (x fixing) typeFix(kind FixKind, a *Agent, s *companion) Fix {
	edit := x.put(a.Raw, a.member(atAgentType), "authorization_type", jsonedit.String(string(s.typ)))
	return Fix{Title: "write the authorization_type " + string(s.typ), Kind: kind, Edits: []Edit{edit}, reveals: true}
}

// typeFixes offers the type of the selectors that are there.
func (x fixing) typeFixes(a *Agent) []Fix {
	list := a.present()
	if len(list) == 1 {
		return []Fix{x.typeFix(Likely, a, list[0])}
	}
	var fixes []Fix
	for _, s := range list {
		fixes = append(fixes, x.typeFix(Choice, a, s))
	}
	return fixes
}

// fixEmptyEntry removes an entry that says nothing, as forms leave behind.
var fixEmptyEntry = remedy{NoFix, func(x fixing) []Fix {
	if a := x.agent(); a.saysNothing() {
		return x.as(Safe, "remove the empty entry", x.Remove(a.Raw))
	}
	return nil
}}

// saysNothing reports whether all members of an entry are empty.
func (a *Agent) saysNothing() bool {
	for m := range a.Raw.Members() {
		if v := m.Value(); !v.Is(Null) && (!v.Is(String) || !blank(v.Str())) && (!v.IsContainer() || v.Len() > 0) {
			return false
		}
	}
	return true
}

var fixTypeMissing = remedy{Likely, func(x fixing) []Fix {
	a := x.agent()
	if a.saysNothing() {
		return nil
	}
	if fixes := x.typeFixes(a); fixes != nil {
		return fixes
	}
	return x.scopeOffers(a)
}}

// typeAliases are what people write for an authorization_type.
var typeAliases = map[string]AuthorizationType{
	"property": ByPropertyIDs, "ids": ByPropertyIDs, "by_id": ByPropertyIDs, "tags": ByPropertyTags,
	"by_tag": ByPropertyTags,
	"inline": ByInlineProperties, "properties": ByInlineProperties, "publisher": ByPublisherProperties,
	"publishers": ByPublisherProperties,
	"signals":    BySignalIDs,
}

var fixTypeUnknown = remedy{Likely, func(x fixing) []Fix {
	a := x.agent()
	folded := snakeCase(strings.TrimSpace(string(a.Type)))
	near, _ := spell.Nearest(folded, model.AuthorizationTypes, spell.MaxDistance)
	present := a.present()
	for i := range companions {
		s := &companions[i]
		if (string(s.typ) == near || s.typ == typeAliases[folded]) && (len(present) == 0 || slices.Contains(present, s)) {
			return []Fix{x.typeFix(Likely, a, s)}
		}
	}
	return x.typeFixes(a)
}}

// A file has more properties than people list by id when a tag of all of them serves better.
const manyIDs = 20

// scopeOffers offers what an entry without any scope may have been meant to sell.
func (x fixing) scopeOffers(a *Agent) []Fix {
	scoped := func(kind FixKind, title string, typ AuthorizationType, name, text string) Fix {
		edit := x.AddMember(a.Raw, "authorization_type", jsonedit.String(string(typ)))
		second := x.AddMember(a.Raw, name, text)
		edit.New += second.New // both stand at the end
		return Fix{Title: title, Kind: kind, Edits: []Edit{edit}}
	}
	if a.Raw.Len() == 0 {
		return nil
	}
	var fixes []Fix
	ids, tag := x.catalogIDs()
	if tag != "" && len(ids) > manyIDs {
		fixes = append(fixes, scoped(Choice, "let the agent sell every property with the tag "+tag, ByPropertyTags,
			"property_tags", x.List(jsonedit.String(tag))))
	}
	if len(ids) > 0 {
		kind := Choice
		if len(ids) == 1 && len(x.file.Properties) == 1 {
			kind = Likely
		}
		fixes = append(fixes, scoped(kind, allOf(ids), ByPropertyIDs, "property_ids", x.List(jsonedit.Strings(ids)...)))
	}
	if domains := x.domainsNear(a); len(domains) > 0 {
		selector := x.Object("publisher_domains", x.List(jsonedit.Strings(domains)...), "selection_type", `"all"`)
		fixes = append(fixes, scoped(Choice, "let the agent sell all properties of "+listed(domains[:min(len(domains), few)]),
			ByPublisherProperties, "publisher_properties", x.List(selector)))
	}
	if domain := x.ownDomain(); domain != "" && len(x.file.Properties) == 0 {
		site := x.Object("property_type", `"website"`, "name", jsonedit.String(domain),
			"identifiers", x.List(x.Object("type", `"domain"`, "value", jsonedit.String(domain))), "publisher_domain",
			jsonedit.String(domain))
		fixes = append(fixes, scoped(Choice, "let the agent sell the website "+domain, ByInlineProperties, "properties",
			x.List(site)))
	}
	return fixes
}

func allOf(ids []string) string {
	if len(ids) == 1 {
		return "let the agent sell the property " + conform.Whole(ids[0])
	}
	return fmt.Sprintf("let the agent sell all %d properties of the file", len(ids))
}

// catalogIDs returns the ids of the usable properties of the file, and a tag that all of
// them carry.
func (x fixing) catalogIDs() ([]string, string) {
	tags := x.index.names(propertyTags)
	if !x.spend(len(x.file.Properties) + len(tags)) {
		return nil, ""
	}
	var ids []string
	written := 0
	for i := range x.file.Properties {
		if p := &x.file.Properties[i]; !p.effect.gone() && isID(p.ID) && x.propertyByID(p.ID) == i {
			ids = append(ids, p.ID)
			written += len(p.ID)
		}
	}
	if !x.spend(written) {
		return nil, ""
	}
	tag := ""
	for _, t := range tags {
		if x.index.propertyTag[t] == x.scope().usable && tag == "" {
			tag = t
		}
	}
	return ids, tag
}

// domainsNear returns the publishers that an entry names in a member that readers ignore.
func (x fixing) domainsNear(a *Agent) []string {
	var domains []string
	for m := range a.Raw.Members() {
		if model.Agent.Field(m.Name()) != nil || !namesPublisher(m.Name()) {
			continue
		}
		for _, text := range textsIn(m.Value()) {
			if domain := canonicalDomain(&x.index.hosts, text); domain != "" && !hostname.IsPublicSuffix(domain) {
				domains = append(domains, domain)
			}
		}
	}
	slices.Sort(domains)
	return slices.Compact(domains)
}

var fixSelectorMissing = remedy{Likely, func(x fixing) []Fix {
	a := x.agent()
	s := a.companion()
	if x.missing == "" {
		if s.form != nil && !x.at.Is(String) {
			return nil
		}
		return revealing(x.one("make a list of "+s.name, x.asList(x.at)...))
	}
	if fixes := x.typeFixes(a); fixes != nil {
		return fixes
	}
	ids, _ := x.catalogIDs()
	if s.at != atAgentPropertyIDs || len(ids) == 0 {
		return nil
	}
	fix := x.as(Choice, allOf(ids), x.AddMember(a.Raw, s.name, x.List(jsonedit.Strings(ids)...)))
	if len(x.file.Properties) == 1 {
		fix[0].Kind = Likely
	}
	return fix
}}

var fixSelectorEmpty = remedy{Choice, func(x fixing) []Fix {
	a := x.agent()
	fixes := x.typeFixes(a)
	if ids, _ := x.catalogIDs(); len(fixes) == 0 && len(ids) > 0 && a.companion().at == atAgentPropertyIDs {
		fixes = append(fixes, choice(allOf(ids), x.Replace(x.at, x.List(jsonedit.Strings(ids)...))))
	}
	return append(fixes, choice("remove the entry", x.Remove(a.Raw)))
}}

// fixItemForm writes an item as the catalog has it. Items like "tag:news" are tags.
var fixItemForm = remedy{Likely, func(x fixing) []Fix {
	a := x.agent()
	s, text := a.companion(), x.at.Str()
	list := a.member(s.at)
	if strings.HasPrefix(text, "tag:") && s.at == atAgentPropertyIDs && !a.member(atAgentPropertyTags).Exists() &&
		x.spend(list.Len()) {
		if tags := prefixedTags(list); tags != nil {
			edits := sorted(x.Replace(a.member(atAgentType), `"property_tags"`), x.Rename(list, "property_tags"),
				x.Replace(list, x.List(jsonedit.Strings(tags)...)))
			return x.one("select by the tags "+listed(tags[:min(len(tags), few)]), edits...)
		}
	}
	near := idFrom(text)
	if near == "" || !x.resolves(s, near) {
		return nil
	}
	if x.names.hasItem(list, near) {
		return x.as(Safe, "remove "+quote(text)+", which is listed as "+whole(near), x.Remove(x.at))
	}
	return x.one(fmt.Sprintf("write %s instead of %s", whole(near), quote(text)), x.Replace(x.at, jsonedit.String(near)))
}}

// prefixedTags returns the tags of a list whose items all begin with "tag:".
func prefixedTags(list Value) []string {
	var tags []string
	for _, v := range list.Elems() {
		tag, ok := strings.CutPrefix(v.Str(), "tag:")
		if !ok || blank(tag) {
			return nil
		}
		tags = append(tags, strings.TrimSpace(tag))
	}
	return tags
}

// fixIgnoredSelector offers to remove a selector that is not used, or to give it an entry.
var fixIgnoredSelector = remedy{Choice, func(x fixing) []Fix {
	a, name := x.agent(), x.Name(x.at)
	if name == "" || !a.member(a.companion().at).Exists() {
		return nil
	}
	fixes := []Fix{choice("remove "+name, x.Remove(x.at))}
	for i := range companions {
		if companions[i].name != name || !a.member(atAgentURL).Is(String) || !a.member(atAgentAuthorizedFor).Is(String) {
			continue
		}
		members := []string{
			"url", x.Source(a.member(atAgentURL)), "authorized_for", x.Source(a.member(atAgentAuthorizedFor)),
			"authorization_type", jsonedit.String(string(companions[i].typ)), name, x.Source(x.at),
		}
		if keys := a.member(atAgentSigningKeys); keys.Exists() {
			members = append(members, "signing_keys", x.Source(keys))
		}
		fixes = append(fixes,
			choice("give "+name+" an entry of its own", x.Remove(x.at),
				x.Append(x.file.member(atFileAgents), x.Object(members...))))
	}
	return fixes
}}

var fixInlineName = remedy{Likely, func(x fixing) []Fix {
	return revealing(x.one("rename inline_properties to properties",
		append([]Edit{x.Rename(x.at, "properties")}, x.asList(x.at)...)...))
}}

var fixInlineIgnored = remedy{Safe, func(x fixing) []Fix {
	if x.at.Len() > 0 || x.at.Is(String) {
		return []Fix{choice("remove inline_properties", x.Remove(x.at))}
	}
	return x.one("remove inline_properties, which is empty", x.Remove(x.at))
}}

// fixQualifier writes a narrowing member in its own type.
var fixQualifier = remedy{Likely, func(x fixing) []Fix {
	name := x.Name(x.at)
	switch {
	case name == "" && x.at.Is(NumberKind):
		return x.one("write the item as a text", x.Replace(x.at, jsonedit.String(x.at.Text())))
	case name == "effective_from" || name == "effective_until":
		at, ok := epoch(x.at)
		if !ok {
			return nil
		}
		return x.one("write the time as "+at, x.Replace(x.at, jsonedit.String(at)))
	case x.at.Is(String), x.at.Is(Object) && name == "collections":
		return revealing(x.one("make a list of "+name, x.asList(x.at)...))
	}
	return nil
}}

var fixQualifierEmpty = remedy{Choice, func(x fixing) []Fix {
	return []Fix{
		choice("remove "+x.Name(x.at)+", so that the entry is not restricted by it", x.Remove(x.at)),
		choice("remove the entry", x.Remove(x.agent().Raw)),
	}
}}

var fixDelegation = remedy{Choice, func(x fixing) []Fix {
	text := x.at.Str()
	near, ok := spell.Nearest(snakeCase(strings.TrimSpace(text)), model.DelegationTypes, spell.MaxDistance)
	if ok {
		return x.as(Likely, fmt.Sprintf("write %s instead of %s", whole(near), quote(text)),
			x.Replace(x.at, jsonedit.String(near)))
	}
	fixes := make([]Fix, len(model.DelegationTypes))
	for i, t := range model.DelegationTypes {
		fixes[i] = choice("write "+whole(t), x.Replace(x.at, jsonedit.String(t)))
	}
	return fixes
}}

var fixExclusive = remedy{Safe, func(x fixing) []Fix {
	text := x.at.Text()
	if x.at.Is(String) {
		text = strings.ToLower(strings.TrimSpace(x.at.Str()))
	}
	switch text {
	case "no", "false", "0", "n", "off", "null", "":
		return x.one("write false, which it is taken for", x.Replace(x.at, "false"))
	case "yes", "true", "1", "y", "on":
		return x.as(Likely, "write true", x.Replace(x.at, "true"))
	}
	return nil
}}
