package adagents

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/format/lenient"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/iso3166"
	"github.com/avow-project/avow/internal/std/rfc3339"
	"github.com/avow-project/avow/internal/std/spell"
)

// The remedies that the rules of several sections share.

// nearestWord writes the known word that an unknown one most probably stands for.
func nearestWord(aliases map[string]string, known []string) remedy {
	return rewriteText(Likely, func(_ fixing, text string) (string, bool) {
		plain := snakeCase(strings.TrimSpace(text))
		for _, plain := range []string{plain, idFrom(text)} { // "iOS App" is i_os_app and ios_app
			if word, ok := aliases[plain]; ok {
				return word, true
			}
			if slices.Contains(known, plain) {
				return plain, true
			}
		}
		return spell.Nearest(plain, known, spell.MaxDistance)
	})
}

// plainDomain writes a domain as a bare name in lower case. The address of a page on www
// most likely stands for the whole site.
func plainDomain(kind FixKind) remedy {
	return rewriteText(kind, func(_ fixing, text string) (string, bool) {
		host, ok := plainHost(text)
		if site, www := strings.CutPrefix(host, "www."); www && kind == Likely && strings.Contains(text, "://") {
			if own, _ := hostname.Registrable(site); own == site {
				host = site
			}
		}
		return host, ok
	})
}

// plainHost returns the canonical form of a domain, behind "*." if it has that.
func plainHost(text string) (string, bool) {
	star := ""
	rest := strings.TrimSpace(text)
	if after, ok := strings.CutPrefix(rest, "*."); ok {
		star, rest = "*.", after
	}
	host, _, err := hostname.Canonical(rest)
	return star + host, err == nil
}

// secureURL writes a URL with https: in place of http, or in front of a bare host. An
// address that is not public stays as it is: https would not help.
func secureURL(kind FixKind) remedy {
	return rewriteText(kind, func(_ fixing, text string) (string, bool) { return withHTTPS(text) })
}

func withHTTPS(text string) (string, bool) {
	url := strings.TrimSpace(text)
	scheme, rest, ok := strings.Cut(url, "://")
	switch {
	case !ok && strings.Contains(url, ":"):
		return "", false
	case !ok:
		rest = strings.TrimPrefix(url, "//")
	case !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https"):
		return "", false
	}
	url = "https://" + rest
	_, info, err := hostname.CanonicalURL(url)
	if err != nil || info.HasUserinfo || unroutable(&info) {
		return "", false
	}
	return url, true
}

// asTimestamp writes a time as RFC 3339 has it.
func asTimestamp(kind FixKind) remedy {
	return rewriteText(kind, func(_ fixing, text string) (string, bool) { return timestampOf(text) })
}

// timeLayouts are ways in which people write a time. One without a zone is taken for UTC.
// Days and months in figures are only read where it is clear which is which.
var timeLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04",
	"2006-01-02",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 UTC",
	"2006-01-02 15:04:05 MST", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006/01/02 15:04:05", "2006/01/02",
	"20060102T150405Z", "20060102",
	time.RFC1123, time.RFC1123Z, "2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006", "2. January 2006",
	"2006-01-02T15:04:05.999999999",
}

func timestampOf(text string) (string, bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if text == "" {
		return "", false
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err == nil && len(text) == len("1700000000") {
		return time.Unix(seconds, 0).UTC().Format(time.RFC3339), true
	}
	for _, layout := range timeLayouts {
		at, err := time.Parse(strings.ToUpper(layout), text)
		if err != nil {
			at, err = time.Parse(layout, text)
		}
		if err == nil && rfc3339.Valid(at.UTC().Format(time.RFC3339)) {
			return at.UTC().Format(time.RFC3339Nano), true
		}
	}
	return "", false
}

// present returns the time that a fix may write: the time of the check, else of the
// file's last change.
func (x fixing) present() (string, bool) {
	if !x.opt.Now.IsZero() {
		return x.opt.Now.UTC().Truncate(time.Second).Format(time.RFC3339), true
	}
	return timestampOf(x.tree.Root().Get("last_updated").Str())
}

// addPresent adds a missing time.
func addPresent(kind FixKind) remedy {
	return addMember(kind, func(x fixing) (string, bool) {
		at, ok := x.present()
		return jsonedit.String(at), ok && (x.at.Node() != 0 || x.isDeclaration())
	})
}

// isDeclaration reports whether a file has what makes it one: a file of another format is
// not improved by members of this one.
func (x fixing) isDeclaration() bool {
	root := x.tree.Root()
	return root.Has("authorized_agents") || root.Has("authoritative_location")
}

// asList makes a value that should be a list the only element of one.
func asList(kind FixKind) remedy {
	return remedy{kind, func(x fixing) []Fix {
		if x.missing != "" || x.at.Is(Array) || x.at.Is(Null) {
			return nil
		}
		return revealing(x.one("write it as a list", x.Wrap(x.at)...))
	}}
}

// oneOf tries several remedies, and returns the fixes of the first that has some.
func oneOf(kind FixKind, all ...remedy) remedy {
	return remedy{kind, func(x fixing) []Fix {
		for _, r := range all {
			y := x
			y.kind = r.kind
			if fixes := r.make(y); len(fixes) > 0 {
				return fixes
			}
		}
		return nil
	}}
}

// renamed gives an id or a tag, and everything in the file that refers to it, a name of
// lower-case letters, digits and underscores. Lists of these names refer to it, and to a tag
// the member that explains it. Of findings about the same name the first one has the fix.
func renamed(lists ...string) remedy {
	return remedy{Likely, func(x fixing) []Fix {
		old, ok := x.at.AsString()
		name := idFrom(old)
		if !ok || name == "" || name == old || x.names.taken[old] {
			return nil
		}
		edits := []Edit{x.Replace(x.at, jsonedit.String(name))}
		for _, v := range x.names.references(x.Editor, x.tree, old) {
			if v != x.at && slices.Contains(lists, x.Name(x.Parent(v))) {
				edits = append(edits, x.Replace(v, jsonedit.String(name)))
			}
		}
		if key := x.tree.Root().Get("tags").Get(old); key.Exists() && slices.Contains(lists, "tags") {
			edits = append(edits, x.Rename(key, name))
		}
		x.names.taken[old] = true
		slices.SortFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
		return x.one("rename "+quote(old)+" to "+whole(name)+" wherever it occurs", edits...)
	}}
}

// nameUses are the names in a file, for fixes that give one another spelling.
type nameUses struct {
	elements map[string][]Value // elements of lists by their text
	taken    map[string]bool    // names that a fix is offered for
	ids      map[idList]map[string]Value
	items    map[uint32]map[string]bool // the texts in a list, by its node
	texts    map[uint32]string          // the canonical texts of values, by their nodes
	numbers  map[string]int             // the last number that anotherID gave, by id
	// undefined is the id that onlyUndefined returns, once it was asked.
	undefined string
	listed    bool
}

// idList is a list of objects, by its node, and the member that has their ids.
type idList struct {
	node   uint32
	member string
}

// firstOf returns the first entry of a list for each id.
func (u *nameUses) firstOf(list Value, member string) map[string]Value {
	key := idList{list.Node(), member}
	first, ok := u.ids[key]
	if ok {
		return first
	}
	first = make(map[string]Value, list.Len())
	for _, v := range list.Elems() {
		if id := v.Get(member).Str(); !first[id].Exists() {
			first[id] = v
		}
	}
	if u.ids == nil {
		u.ids = make(map[idList]map[string]Value)
	}
	u.ids[key] = first
	return first
}

// hasItem reports whether a list has a text as an element.
func (u *nameUses) hasItem(list Value, text string) bool {
	items, ok := u.items[list.Node()]
	if !ok {
		items = make(map[string]bool)
		for _, v := range list.Elems() {
			if v.Is(String) {
				items[v.Str()] = true
			}
		}
		if u.items == nil {
			u.items = make(map[uint32]map[string]bool)
		}
		u.items[list.Node()] = items
	}
	return items[text]
}

// references returns the elements of lists that have a text.
func (u *nameUses) references(e *jsonedit.Editor, tree *Tree, text string) []Value {
	if u.elements == nil {
		u.elements, u.taken = make(map[string][]Value), make(map[string]bool)
		for i := range tree.Len() {
			if v := tree.At(uint32(i)); v.Is(String) && e.Parent(v).Is(Array) {
				u.elements[v.Str()] = append(u.elements[v.Str()], v)
			}
		}
	}
	return u.elements[text]
}

// asJSON returns the fix that makes JSON of a damaged file: the nearest that there is, and
// what it takes for granted.
func asJSON(read *lenient.Result) []Fix {
	if !read.OK || len(read.Edits) == 0 {
		return nil
	}
	assumed := make([]string, len(read.Assumed))
	for i := range read.Assumed {
		assumed[i] = read.Assumed[i].Text
	}
	return []Fix{{Title: "write it as JSON: " + strings.Join(assumed, ", "), Kind: Likely, Edits: read.Edits,
		reveals: true}}
}

// httpsURL returns the https URL that a text was meant to be, if it can be reached.
func httpsURL(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "https://" + strings.TrimPrefix(text, "//")
	}
	url, info, err := hostname.CanonicalURL(text)
	if err != nil || info.HasUserinfo || unroutable(&info) || info.Scheme != "https" && info.Scheme != "http" {
		return "", false
	}
	return "https" + strings.TrimPrefix(url, info.Scheme), true
}

var fixURL = remedy{Likely, func(x fixing) []Fix {
	text := x.at.Str()
	if x.at.Is(Array) && x.at.Len() == 1 {
		text = x.at.Index(0).Str()
	}
	url, ok := httpsURL(text)
	if !ok {
		return nil
	}
	return x.one("write the URL as "+conform.Whole(url), x.Replace(x.at, jsonedit.String(url)))
}}

// canonicalAgent writes a URL in the form in which it is compared. Without a user name the
// entry takes effect, and without a final question mark it is about another agent: both is
// no more than likely.
func canonicalAgent(kind FixKind) remedy {
	return remedy{kind, func(x fixing) []Fix {
		url, info, err := hostname.CanonicalURL(x.at.Str())
		if err != nil || unroutable(&info) {
			return nil
		}
		if info.EmptyQuery {
			url = strings.TrimSuffix(url, "?")
		}
		if info.HasUserinfo || info.EmptyQuery {
			x.kind = Likely
		}
		return x.one("write the URL as "+conform.Whole(url), x.Replace(x.at, jsonedit.String(url)))
	}}
}

// The remedies of countries and time windows.

var fixCountry = remedy{Likely, func(x fixing) []Fix {
	s := iso3166.Suggest(x.at.Str())
	codes := s.Members
	if s.Code != "" {
		codes = []string{s.Code}
	}
	if !x.at.Is(String) || len(codes) == 0 {
		return nil
	}
	list := x.Parent(x.at)
	codes = slices.DeleteFunc(slices.Clone(codes), func(code string) bool { return x.names.hasItem(list, code) })
	if len(codes) == 0 {
		return x.as(Safe, "remove "+quote(x.at.Str())+", which is listed already", x.Remove(x.at))
	}
	text := strings.TrimSuffix(strings.TrimPrefix(x.List(jsonedit.Strings(codes)...), "["), "]")
	return x.one(fmt.Sprintf("write %s instead of %s", listed(codes), quote(x.at.Str())), x.Replace(x.at, text))
}}

var fixTimestamp = rewriteText(Likely, func(x fixing, text string) (string, bool) {
	return timestampFrom(text, x.Name(x.at) == "effective_until")
})

// timestampFrom returns the timestamp that a text was meant to be. A window that ends on a
// day ends with it, in UTC.
func timestampFrom(text string, end bool) (string, bool) {
	if day := strings.TrimSpace(text) + "T23:59:59Z"; end && rfc3339.Valid(day) {
		return day, true
	}
	return timestampOf(text)
}

var fixInverted = remedy{Choice, func(x fixing) []Fix {
	from, until := x.agent().member(atAgentEffectiveFrom), x.agent().member(atAgentEffectiveUntil)
	return []Fix{choice("exchange the two ends of the window", x.Replace(from, x.Source(until)),
		x.Replace(until, x.Source(from)))}
}}

var fixExpired = remedy{Choice, func(x fixing) []Fix {
	return []Fix{choice("remove the entry, which has ended", x.Remove(x.agent().Raw))}
}}

// epoch reads a number of seconds or milliseconds since 1970 as a timestamp of this century.
func epoch(v Value) (string, bool) {
	n, err := strconv.ParseInt(v.Text(), 10, 64)
	if err != nil || !v.Is(NumberKind) {
		return "", false
	}
	if n > 1e11 {
		n /= 1000
	}
	at := time.Unix(n, 0).UTC()
	return at.Format(time.RFC3339), at.Year() >= 2000 && at.Year() < 2100
}

// idFromName gives an entry without an id one that is made from its name and that no other
// entry of the list has.
func idFromName(member string) remedy {
	return remedy{Likely, func(x fixing) []Fix {
		owner := x.owner()
		used := x.names.firstOf(x.Parent(owner), member)
		for _, name := range []string{"name", "display_name"} {
			id := idFrom(owner.Get(name).Str())
			if _, ok := used[id]; id != "" && !ok {
				used[id] = owner
				return x.set(member, jsonedit.String(id))
			}
		}
		return nil
	}}
}

// nameFromID names an entry after its id.
func nameFromID(kind FixKind, member string) remedy {
	return remedy{kind, func(x fixing) []Fix {
		id := x.owner().Get(member).Str()
		if blank(id) {
			return nil
		}
		return x.set("name", jsonedit.String(wordsOf(id)))
	}}
}

// anotherID gives the second of two entries with the same id one of its own, or removes it
// when it repeats the first word for word.
func anotherID() remedy {
	return remedy{Likely, func(x fixing) []Fix {
		owner, old := x.Parent(x.at), x.at.Str()
		used := x.names.firstOf(x.Parent(owner), x.Name(x.at))
		if first := used[old]; first.Exists() && first != owner && x.same(first, owner) {
			return x.as(Safe, "remove the repeated entry", x.Remove(owner))
		}
		id := idFrom(owner.Get("name").Str())
		if x.names.numbers == nil {
			x.names.numbers = make(map[string]int)
		}
		n := max(1, x.names.numbers[old])
		for id == "" || used[id].Exists() {
			n++
			id = old + "_" + strconv.Itoa(n)
		}
		x.names.numbers[old] = n
		used[id] = owner
		return x.one("give the second one the id "+whole(id), x.Replace(x.at, jsonedit.String(id)))
	}}
}

// objectFromText makes an entry of a bare text: an object with the members that a function
// knows.
func objectFromText(members func(x fixing, text string) []string) remedy {
	return remedy{Likely, func(x fixing) []Fix {
		text := strings.TrimSpace(x.at.Str())
		if text == "" {
			return nil
		}
		list := members(x, text)
		if list == nil {
			return nil
		}
		return x.one("write "+quote(text)+" as an object", x.Replace(x.at, x.Object(list...)))
	}}
}

// idAndName are the members of an entry that has nothing but an id and a name.
func idAndName(member string) func(x fixing, text string) []string {
	return func(x fixing, text string) []string {
		id := idFrom(text)
		if _, ok := x.names.firstOf(x.Parent(x.at), member)[id]; ok || id == "" {
			return nil
		}
		return []string{member, jsonedit.String(id), "name", jsonedit.String(wordsOf(text))}
	}
}
