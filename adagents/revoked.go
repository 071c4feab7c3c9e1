package adagents

import "github.com/avow-project/avow/internal/model"

// Domains returns the domains that an entry of revoked_publisher_domains names, as they are
// written. A list of what is forbidden is read generously: the entry may be a bare string,
// publisher_domain may be a list, and the domain may stand under another name. A URL stands
// for its host.
func (r *Revocation) Domains() []string {
	if r.PublisherDomain != "" {
		return []string{r.PublisherDomain}
	}
	if r.Raw.Is(String) {
		return []string{r.Raw.Str()}
	}
	domains := textsIn(r.Raw.Get("publisher_domain"))
	if len(domains) > 0 {
		return domains
	}
	for m := range r.Raw.Members() {
		if model.Revocation.Field(m.Name()) == nil && namesPublisher(m.Name()) {
			domains = append(domains, textsIn(m.Value())...)
		}
	}
	return domains
}

// namesPublisher reports whether an unknown member of a revocation was probably meant to
// be publisher_domain.
func namesPublisher(name string) bool {
	folded := snakeCase(name)
	switch folded {
	case "domain", "domains", "publisher", "publishers", "publisher_domains", "publisher_url", "host", "hostname", "site", "website", "url":
		return true
	}
	near, ok := nearName(model.Revocation, folded)
	return ok && near == "publisher_domain"
}

// textsIn returns a text, or those of a list, without blank ones.
func textsIn(v Value) []string {
	var texts []string
	if v.Is(String) && !blank(v.Str()) {
		texts = append(texts, v.Str())
	}
	for _, e := range v.Elems() {
		if e.Is(String) && !blank(e.Str()) {
			texts = append(texts, e.Str())
		}
	}
	return texts
}
