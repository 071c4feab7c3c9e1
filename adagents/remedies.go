package adagents

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/format/lenient"
	"github.com/avow-project/avow/internal/std/hostname"
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
// address that nobody outside can reach stays as it is: https would not help.
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
	time.RFC3339Nano, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 UTC", "2006-01-02 15:04:05 MST",
	"2006-01-02 15:04:05", "2006-01-02 15:04", "2006/01/02 15:04:05", "2006/01/02", "20060102T150405Z", "20060102",
	time.RFC1123, time.RFC1123Z, "2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006", "2. January 2006", "2006-01-02T15:04:05.999999999",
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

// present returns the time that a fix may write: that of the check or, where there is
// none, of the file's last change.
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
		return x.one("rename "+quote(old)+" to "+quote(name)+" wherever it occurs", edits...)
	}}
}

// nameUses are the names in a file, for fixes that give one another spelling.
type nameUses struct {
	elements map[string][]Value // elements of lists by their text
	taken    map[string]bool    // names that a fix is offered for
	ids      map[idList]map[string]Value
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
func asJSON(src []byte) []Fix {
	read := lenient.Read(src)
	if !read.OK || len(read.Edits) == 0 {
		return nil
	}
	assumed := make([]string, len(read.Assumed))
	for i := range read.Assumed {
		assumed[i] = read.Assumed[i].Text
	}
	return []Fix{{Title: "write it as JSON: " + strings.Join(assumed, ", "), Kind: Likely, Edits: read.Edits, reveals: true}}
}
