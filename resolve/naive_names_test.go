package resolve_test

import (
	"encoding/json"
	"net/url"
	"slices"
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

// atHome reports whether the publisher's domain identifies a property.
func (n *naive) atHome(p naiveProperty) bool {
	for _, id := range p.Identifiers {
		switch name := naiveDomain(id.Value); {
		case id.Type == "domain" && p.Type == "website" && naiveHost(name, n.publisher),
			(id.Type == "domain" || id.Type == "subdomain") && name == n.publisher:
			return true
		}
	}
	return false
}

// namesAnother looks for another publisher on properties, in selectors and collections.
func (n *naive) namesAnother() bool {
	var named []string
	for _, p := range n.Properties {
		if p.Publisher != nil {
			named = append(named, naiveDomain(*p.Publisher))
		}
	}
	for _, e := range n.Agents {
		for _, member := range []string{"properties", "publisher_properties", "collections"} {
			var list []naiveEntry
			_ = json.Unmarshal(e[member], &list) // no list is an empty one
			for _, s := range list {
				if s.has("publisher_domain") {
					named = append(named, naiveDomain(s.text("publisher_domain")))
				}
				for _, domain := range s.texts("publisher_domains") {
					named = append(named, naiveDomain(domain))
				}
			}
		}
	}
	return slices.ContainsFunc(named, func(domain string) bool { return domain != n.publisher })
}
