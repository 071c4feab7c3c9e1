package hostname

import (
	"errors"
	"strings"
)

// specialUse lists the domains that never lead to a publisher on the public
// internet. The example domains are left out on purpose: documentation and
// test files use them, and a warning on each would only be noise.
var specialUse = [...]string{
	"localhost", "local", "internal", "test", "invalid", "onion", "home.arpa",
}

// IsSpecialUse reports whether a canonical name is, or lies under, a domain
// set aside for private or local use, so that no remote reader can reach it.
func IsSpecialUse(name string) bool {
	for _, s := range specialUse {
		if name == s || isBelow(name, s) {
			return true
		}
	}
	return false
}

// MatchesDomain reports whether an identifier of type "domain" covers a host.
//
// A registrable domain covers itself and its www and m forms; a name below one
// covers itself only; "*." in front covers every name below the base and not
// the base. A public suffix or an address covers itself only, and a wildcard
// over a public suffix covers nothing. Both arguments are brought to canonical
// form first, and one that has none matches nothing.
func MatchesDomain(identifier, host string) bool {
	name, ok := comparisonForm(host)
	if !ok {
		return false
	}
	base, wild := strings.CutPrefix(identifier, "*.")
	base, ok = comparisonForm(base)
	if !ok {
		return false
	}
	if wild {
		return isBelow(name, base) && !WildcardTooBroad(base)
	}
	return name == base || isMainForm(name, base)
}

// WildcardTooBroad reports whether "*." in front of a canonical base would
// reach names of unrelated owners: the base is a public suffix or an address,
// or every name directly below it is a public suffix.
func WildcardTooBroad(base string) bool {
	_, ok := Registrable(base)
	if !ok {
		return true
	}
	return suffixes()[base]&flagWildcard != 0
}

// isMainForm reports whether name is the www or m form of a registrable base. It asks
// for the registrable domain of the longer name, because "www" below a name that hands
// out its children belongs to another owner.
func isMainForm(name, base string) bool {
	if !isBelow(name, base) {
		return false
	}
	switch name[:len(name)-len(base)-1] {
	case "www", "m":
		owner, ok := Registrable(name)
		return ok && owner == base
	default:
		return false
	}
}

// isBelow reports whether name has base as its parent or a remoter ancestor.
func isBelow(name, base string) bool {
	cut := len(name) - len(base)
	return cut > 1 && base != "" && name[cut-1] == '.' && name[cut:] == base
}

// comparisonForm brings a value to the form MatchesDomain compares. Single labels
// and addresses are no publisher domains, but they do equal themselves.
func comparisonForm(s string) (string, bool) {
	name, _, err := Canonical(s)
	if err == nil {
		return name, true
	}
	var fault *Error
	if errors.As(err, &fault) && (fault.Kind == SingleLabel || fault.Kind == IPLiteral) {
		return strings.TrimSuffix(strings.ToLower(s), "."), true
	}
	return "", false
}

// Within reports whether a name is one of some domains, or below one. All are in canonical
// form.
func Within(name string, domains map[string]bool) bool {
	for len(domains) > 0 && name != "" {
		if domains[name] {
			return true
		}
		_, name, _ = strings.Cut(name, ".")
	}
	return false
}
