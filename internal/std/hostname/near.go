package hostname

import "strings"

// NearMiss says in what two canonical URLs differ if it is only the scheme, a
// trailing slash, the case of the path, or several of these joined by "and".
// It returns "" for equal URLs and for URLs that differ in any other way. Such
// a pair is usually one agent written twice, and never matches.
func NearMiss(a, b string) string {
	if a == b || NearKey(a) != NearKey(b) {
		return ""
	}
	schemeA, hostA, pathA := nearParts(a)
	schemeB, hostB, pathB := nearParts(b)
	if hostA != hostB {
		return ""
	}
	var reasons []string
	if schemeA != schemeB {
		reasons = append(reasons, "scheme")
	}
	if strings.HasSuffix(pathA, "/") != strings.HasSuffix(pathB, "/") {
		reasons = append(reasons, "trailing slash")
	}
	if strings.TrimSuffix(pathA, "/") != strings.TrimSuffix(pathB, "/") {
		reasons = append(reasons, "path case")
	}
	return strings.Join(reasons, " and ")
}

// NearKey returns a key that two canonical URLs share exactly when they are
// equal or NearMiss has a name for their difference. Grouping by it finds the
// near misses of a long list without comparing every pair.
func NearKey(canonical string) string {
	_, rest, found := strings.Cut(canonical, "://")
	if !found {
		return canonical
	}
	path, query, hasQuery := strings.Cut(rest, "?")
	key := strings.TrimSuffix(strings.ToLower(path), "/")
	if hasQuery {
		key += "?" + query
	}
	return key
}

// nearParts cuts a canonical URL into scheme, authority and path.
func nearParts(canonical string) (string, string, string) {
	scheme, rest, _ := strings.Cut(canonical, "://")
	path, _, _ := strings.Cut(rest, "?")
	host, path, _ := strings.Cut(path, "/")
	return scheme, host, path
}

// SameResource reports whether two URLs are the same but for query, fragment and a final slash: a
// pointer that differs from its own address in no more than that points to itself, and a file that
// names its own address as that of its successor has none.
func SameResource(a, b string) bool {
	_, x, err := CanonicalURL(a)
	if err != nil {
		return false
	}
	_, y, err := CanonicalURL(b)
	return err == nil && x.Scheme == y.Scheme && x.Host == y.Host && x.Port == y.Port &&
		strings.TrimSuffix(x.Path, "/") == strings.TrimSuffix(y.Path, "/")
}
