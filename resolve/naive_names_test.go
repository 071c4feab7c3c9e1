package resolve_test

import (
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// naiveDomain is enough for names in ASCII: lower case, without one final dot.
func naiveDomain(s string) string {
	s = strings.TrimSuffix(strings.ToLower(s), ".")
	if !strings.Contains(s, ".") || strings.ContainsAny(s, " _") {
		return ""
	}
	return s
}

// naiveHost says which hosts the domain of a website stands for.
func naiveHost(identifier, host string) bool {
	if base, ok := strings.CutPrefix(identifier, "*."); ok {
		return strings.HasSuffix(host, "."+base)
	}
	registrable, err := publicsuffix.EffectiveTLDPlusOne(identifier)
	if err == nil && registrable == identifier && (host == "www."+identifier || host == "m."+identifier) {
		return true
	}
	return host == identifier
}

// naiveURL is enough for the agents that are asked about here.
func naiveURL(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return "malformed"
	}
	host := strings.TrimSuffix(strings.ToLower(u.Host), ":443")
	path := u.Path
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return u.Scheme + "://" + strings.TrimSuffix(host, ".") + path
}
