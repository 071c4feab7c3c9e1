package supplypath

import (
	"net/netip"
	"slices"
	"strings"
	"unicode"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// Domain returns a domain in the form in which it is compared, and false for what is not one. It corrects
// case and one final dot, and nothing else: www is a domain of its own.
func Domain(s string) (string, bool) {
	name := strings.TrimSuffix(asciiLower(s), ".")
	if len(name) > hostname.MaxName || !strings.Contains(name, ".") {
		return "", false
	}
	for label := range strings.SplitSeq(name, ".") {
		if !isLabel(label) {
			return "", false
		}
	}
	_, err := netip.ParseAddr(name)
	return name, err != nil
}

// asciiLower leaves letters outside ASCII alone: the lower case of some of them is in ASCII.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, s)
}

func isLabel(s string) bool {
	if s == "" || len(s) > hostname.MaxLabel || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	})
}

// isDomain reports whether a value is a domain, and this one.
func isDomain(v jsontree.Value, want string) bool {
	text, _ := v.AsString()
	d, ok := Domain(text)
	return ok && d == want
}

// agentID returns the URL of an agent in the form in which it is compared. What has no such form never
// matches, not even itself.
func agentID(s string) (string, bool) {
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return "", false
	}
	url, info, err := hostname.CanonicalURL(s)
	return url, err == nil && info.Scheme == "https" && !info.HasUserinfo
}

// records returns the objects of an array.
func records(v jsontree.Value) []jsontree.Value {
	var list []jsontree.Value
	for _, item := range v.Elems() {
		if item.Is(jsontree.Object) {
			list = append(list, item)
		}
	}
	return list
}

// texts returns the strings of an array that has one at least and nothing else, each of which passes.
func texts(v jsontree.Value, passes func(string) bool) ([]string, bool) {
	if !v.Is(jsontree.Array) || v.Len() == 0 {
		return nil, false
	}
	list := make([]string, 0, v.Len())
	for _, item := range v.Elems() {
		s, ok := item.AsString()
		if !ok || !passes(s) {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}

func isText(s string) bool { return strings.TrimSpace(s) != "" }

// isToken is the form of ids and tags of properties.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	})
}

// isSet reports whether a value is an array of strings that pass, each once.
func isSet(v jsontree.Value, passes func(string) bool) bool {
	if v.Is(jsontree.Array) && v.Len() == 0 {
		return true
	}
	list, ok := texts(v, passes)
	slices.Sort(list)
	return ok && len(slices.Compact(list)) == v.Len()
}

// isIdentifierType also takes the name of a platform that hosts write on properties, although the
// format has it for distribution only.
func isIdentifierType(s string) bool {
	return slices.Contains(model.IdentifierTypes, s) || s == "roku_channel_id"
}

// areIdentifiers reports whether a value is a list of types with values.
func areIdentifiers(v jsontree.Value, known func(string) bool) bool {
	if !v.Is(jsontree.Array) || v.Len() == 0 {
		return false
	}
	for _, item := range v.Elems() {
		if !known(item.Get("type").Str()) || item.Get("value").Str() == "" {
			return false
		}
	}
	return true
}

// isProperty reports whether a property has what a grant needs to rely on it.
func isProperty(v jsontree.Value) bool {
	if !slices.Contains(model.PropertyTypes, v.Get("property_type").Str()) || v.Get("name").Str() == "" ||
		!areIdentifiers(v.Get("identifiers"), isIdentifierType) {
		return false
	}
	id, publisher, tags, channels := v.Get("property_id"), v.Get("publisher_domain"), v.Get("tags"),
		v.Get("supported_channels")
	return (!id.Exists() || isToken(id.Str())) &&
		(!publisher.Exists() || isName(publisher.Str())) &&
		(!tags.Exists() || isSet(tags, isToken)) &&
		(!channels.Exists() || isSet(channels, isChannel))
}

func isChannel(s string) bool { return slices.Contains(model.Channels, s) }

func isName(s string) bool {
	_, ok := Domain(s)
	return ok
}
