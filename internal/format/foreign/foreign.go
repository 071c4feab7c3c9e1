// Package foreign recognises files of other formats that are served in the place of an
// adagents.json: cards of agents and servers, policies for crawlers, ads.txt, web pages. It
// says what a file looks like and why, and what of it could be taken over.
//
// It is strict: a format is recognised by several members together, by the schema that a file
// names, or by the form of nearly all its lines. Whether a file may be an adagents.json after
// all is for its caller to say.
package foreign

import (
	"slices"
	"strconv"
	"strings"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// A Match is the other format that a file is in.
type Match struct {
	Name     string // with its article: "an A2A agent card"
	Why      string // "it has skills, capabilities and version"
	Home     string // the path where such a file belongs, or ""
	BySchema bool   // the file names its schema itself
	Trust    bool   // it is a trust record or a part of one
	Runs     bool   // its agents are those that an organization runs, which says nothing about whom it authorizes

	// What can be taken over. Nothing in it authorizes an agent.
	Owner  Owner
	Agents []string // URLs of agents
	Todo   []string // what is left for the author to decide
}

// An Owner is who a file belongs to. Each part may be empty.
type Owner struct {
	Name, Email, Domain string
}

const (
	// mostMembers is how many members a card or a policy has at the most. A larger file is
	// not looked at.
	mostMembers = 200
	// mostShown is how many members are named.
	mostShown = 4
	// mostElements is how many elements of a list are looked at.
	mostElements = 50
)

// JSON recognises a document.
func JSON(root jsontree.Value) (Match, bool) {
	list := root.Is(jsontree.Array)
	objects := []jsontree.Value{root}
	if list {
		objects = elements(root)
	}
	if len(objects) == 0 {
		return Match{}, false
	}
	for i := range formats {
		f := &formats[i]
		if f.list != list {
			continue
		}
		match, ok := f.fits(objects)
		if !ok {
			continue
		}
		match.take(objects[0], f)
		return match, true
	}
	return Match{}, false
}

// Unknown is the match of an object that is not recognised, with what can be taken over.
func Unknown(root jsontree.Value) Match {
	var names []string
	for m := range root.Members() {
		if len(names) == mostShown {
			break
		}
		names = append(names, clip(m.Name()))
	}
	match := Match{Why: "it has " + strings.Join(names, ", ")}
	match.take(root, &format{})
	return match
}

func elements(list jsontree.Value) []jsontree.Value {
	var all []jsontree.Value
	for i, v := range list.Elems() {
		if i == mostElements {
			break
		}
		all = append(all, v)
	}
	return all
}

// fits reports whether objects have a format, with the reason.
func (f *format) fits(objects []jsontree.Value) (Match, bool) {
	var seen []string
	for _, v := range objects {
		if !v.Is(jsontree.Object) || v.Len() > mostMembers {
			return Match{}, false
		}
		schema := v.Get("$schema").Str() + v.Get("@context").Str()
		if slices.ContainsFunc(f.schema, func(part string) bool { return strings.Contains(schema, part) }) {
			return Match{Name: f.name, Why: "it names the schema " + strconv.Quote(clip(schema)), Home: f.home, BySchema: true,
				Runs: f.runs, Trust: f.trust}, true
		}
		all, some := matching(v, f.all), matching(v, f.some)
		if len(all) < len(f.all) || len(some) < f.least || len(f.all) == 0 && f.least == 0 {
			return Match{}, false
		}
		if f.only && v.Len() > len(all)+len(some) {
			return Match{}, false
		}
		seen = slices.Concat(all, some)
	}
	verb := "it has "
	if f.list {
		verb = "it is a list of objects with "
	}
	return Match{Name: f.name, Why: verb + strings.Join(seen[:min(len(seen), mostShown)], ", "), Home: f.home,
		Runs: f.runs, Trust: f.trust}, true
}

// matching returns the names of the members that an object has of those described.
func matching(v jsontree.Value, members []string) []string {
	var names []string
	for _, m := range members {
		if name, ok := has(v, m); ok {
			names = append(names, name)
		}
	}
	return names
}

// has reports whether an object has a member as described: name for a text, name[] for a
// list, name{} for an object, name? for anything, name=a|b for one of some texts, name[a=b|c] for a list with
// an object like that, name[a:] for one with a list a of names in a name space.
func has(v jsontree.Value, member string) (string, bool) {
	if list, inner, ok := strings.Cut(member, "["); ok && inner != "]" {
		return list + " with " + strings.TrimRight(strings.Split(inner, "=")[0], ":]"),
			slices.ContainsFunc(elements(v.Get(list)), func(x jsontree.Value) bool {
				return hasInner(x, strings.TrimSuffix(inner, "]"))
			})
	}
	name, values, one := strings.Cut(member, "=")
	switch {
	case one:
		return name, slices.Contains(strings.Split(values, "|"), strings.ToLower(v.Get(name).Str()))
	case strings.HasSuffix(member, "[]"):
		name = strings.TrimSuffix(member, "[]")
		return name, v.Get(name).Is(jsontree.Array)
	case strings.HasSuffix(member, "{}"):
		name = strings.TrimSuffix(member, "{}")
		return name, v.Get(name).Is(jsontree.Object)
	case strings.HasSuffix(member, "?"):
		name = strings.TrimSuffix(member, "?")
		return name, v.Has(name)
	}
	return name, strings.TrimSpace(v.Get(name).Str()) != ""
}

// hasInner is has for the objects of a list.
func hasInner(v jsontree.Value, member string) bool {
	name, spaced := strings.CutSuffix(member, ":")
	if !spaced {
		_, ok := has(v, member)
		return ok
	}
	return slices.ContainsFunc(elements(v.Get(name)), func(role jsontree.Value) bool {
		space, _, ok := strings.Cut(role.Str(), ":")
		return ok && space != ""
	})
}

// Where formats say who a file belongs to.
var (
	namePaths = []string{"provider.organization", "provider.name", "house.name", "house.names[].*", "organization.name",
		"organization", "publisher.name", "author.name", "contact.name", "info.contact.name", "company", "legalName"}
	emailPaths  = []string{"contact.email", "contact_email", "contactEmail", "info.contact.email", "email", "contact"}
	domainPaths = []string{"house.domain", "house", "domain", "provider.url", "organization.url", "publisher.url",
		"websiteUrl", "website", "info.contact.url", "homepage"}
)

// take fills in what can be taken over.
func (l *Match) take(v jsontree.Value, f *format) {
	for _, name := range texts(v, namePaths) {
		if l.Owner.Name == "" && len(name) <= 255 {
			l.Owner.Name = name
		}
	}
	for _, address := range texts(v, emailPaths) {
		if l.Owner.Email == "" {
			l.Owner.Email = email(address)
		}
	}
	for _, name := range texts(v, append(slices.Clip(domainPaths), f.site...)) {
		if l.Owner.Domain == "" {
			l.Owner.Domain = domain(name)
		}
	}
	for _, url := range texts(v, f.agents) {
		canonical, info, err := hostname.CanonicalURL(url)
		if err == nil && info.Scheme == "https" && !info.HasUserinfo && !slices.Contains(l.Agents, canonical) {
			l.Agents = append(l.Agents, canonical)
		}
	}
	for _, url := range l.Agents {
		l.Todo = append(l.Todo,
			"the file named the agent "+url+
				"; if it may sell your inventory, add it to authorized_agents and say what it may sell")
	}
}

// texts returns the texts that stand under some paths.
func texts(v jsontree.Value, paths []string) []string {
	var all []string
	for _, path := range paths {
		all = appendTexts(all, v, path)
	}
	return all
}

func appendTexts(all []string, v jsontree.Value, path string) []string {
	name, rest, more := strings.Cut(path, ".")
	switch {
	case path == "":
		if text := strings.TrimSpace(v.Str()); text != "" && len(all) < mostElements {
			all = append(all, text)
		}
		return all
	case name == "*":
		m, _ := v.FirstMember()
		return appendTexts(all, m.Value(), rest)
	}
	list := strings.HasSuffix(name, "[]")
	v = v.Get(strings.TrimSuffix(name, "[]"))
	if !more {
		rest = ""
	}
	if !list {
		return appendTexts(all, v, rest)
	}
	for _, x := range elements(v) {
		all = appendTexts(all, x, rest)
	}
	return all
}

// email returns a plain address, or "".
func email(text string) string {
	text = strings.TrimSpace(strings.TrimPrefix(text, "mailto:"))
	user, host, ok := strings.Cut(text, "@")
	if !ok || user == "" || len(text) > 255 || strings.ContainsAny(user, " \t<>()[],;:\"\\") || domain(host) == "" {
		return ""
	}
	return text
}

// domain returns the domain that a name or a URL stands for, or "".
func domain(text string) string {
	if strings.Contains(text, "://") {
		_, info, err := hostname.CanonicalURL(text)
		if err != nil || info.IPLiteral.IsValid() {
			return ""
		}
		text = info.Host
	}
	name, change, err := hostname.Canonical(text)
	if err != nil || change&(hostname.ChangePath|hostname.ChangePort) != 0 || hostname.IsPublicSuffix(name) ||
		hostname.IsSpecialUse(name) {
		return ""
	}
	return strings.TrimPrefix(name, "www.")
}

// clip shortens a text for a message.
func clip(text string) string {
	const limit = 80
	return strings.ToValidUTF8(text[:min(len(text), limit)], "")
}
