package rollout

import (
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A claim is an identifier that properties have.
type claim struct{ kind, value string }

// namesOf are the publishers that a file names.
type namesOf struct {
	memo map[string]hostname.Domain
	// agents are the URLs of the agents that may sell for a publisher, each once.
	agents map[hostname.Domain][]string
	// byID and byTag are the publishers of the file's properties.
	byID, byTag map[string][]hostname.Domain
}

// publishersIn returns the publishers that a file names on properties and in entries, with the
// agents whose entries name them.
func publishersIn(f *adagents.File) map[hostname.Domain][]string {
	n := &namesOf{
		memo: make(map[string]hostname.Domain), agents: make(map[hostname.Domain][]string),
		byID: make(map[string][]hostname.Domain), byTag: make(map[string][]hostname.Domain),
	}
	for i := range f.Properties {
		p := &f.Properties[i]
		domain := n.domain(p.PublisherDomain)
		if domain == "" {
			continue
		}
		n.agents[domain] = nil
		n.byID[p.ID] = appendOnce(n.byID[p.ID], domain)
		for _, tag := range p.Tags {
			n.byTag[tag] = appendOnce(n.byTag[tag], domain)
		}
	}
	for i := range f.Agents {
		a := &f.Agents[i]
		domains := adagents.VisitScope[[]hostname.Domain](a, n)
		for _, c := range a.Collections {
			domains = append(domains, n.domain(c.PublisherDomain))
		}
		for _, domain := range domains {
			if domain == "" {
				continue
			}
			list := n.agents[domain]
			if !a.Inert() {
				list = appendOnce(list, agentURL(a))
			}
			n.agents[domain] = list // an entry without effect names the publisher all the same
		}
	}
	return n.agents
}

// agentURL returns the URL of an agent in the form in which it is compared.
func agentURL(a *adagents.Agent) string {
	url, _, err := hostname.CanonicalURL(a.URL)
	if err != nil {
		return a.URL
	}
	return url
}

// domain returns a name in canonical form, or "".
func (n *namesOf) domain(written string) hostname.Domain {
	if written == "" {
		return ""
	}
	domain, ok := n.memo[written]
	if !ok {
		var err error
		domain, err = hostname.ParseDomain(written)
		if err != nil {
			domain = ""
		}
		n.memo[written] = domain
	}
	return domain
}

// PropertyIDs name the publishers of the properties.
func (n *namesOf) PropertyIDs(ids []string) []hostname.Domain { return lookUp(n.byID, ids) }

// PropertyTags name the publishers of the properties that carry them.
func (n *namesOf) PropertyTags(tags []string) []hostname.Domain { return lookUp(n.byTag, tags) }

// InlineProperties name the publishers that they are said to be of.
func (n *namesOf) InlineProperties(list []adagents.Property) []hostname.Domain {
	var all []hostname.Domain
	for i := range list {
		all = append(all, n.domain(list[i].PublisherDomain))
	}
	return all
}

// PublisherProperties name publishers themselves.
func (n *namesOf) PublisherProperties(list []adagents.Selector) []hostname.Domain {
	var all []hostname.Domain
	for i := range list {
		all = append(all, n.domain(list[i].PublisherDomain))
		for _, domain := range list[i].PublisherDomains {
			all = append(all, n.domain(domain))
		}
	}
	return all
}

// SignalIDs are not about publishers.
func (n *namesOf) SignalIDs([]string) []hostname.Domain { return nil }

// SignalTags are not about publishers.
func (n *namesOf) SignalTags([]string) []hostname.Domain { return nil }

// Unknown is nothing to go by.
func (n *namesOf) Unknown(adagents.AuthorizationType) []hostname.Domain { return nil }

func lookUp(index map[string][]hostname.Domain, names []string) []hostname.Domain {
	var all []hostname.Domain
	for _, name := range names {
		all = append(all, index[name]...)
	}
	return all
}

// appendOnce appends what is not in a list. Lists are short: the agents of one publisher, the
// publishers of one id.
func appendOnce[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// claimsIn returns the publishers whose properties have an identifier.
func claimsIn(f *adagents.File) map[claim][]hostname.Domain {
	claims := make(map[claim][]hostname.Domain)
	for i := range f.Properties {
		p := &f.Properties[i]
		domain, err := hostname.ParseDomain(p.PublisherDomain)
		if err != nil {
			continue
		}
		for _, id := range p.Identifiers {
			key := claim{id.Type, id.Value}
			claims[key] = appendOnce(claims[key], domain)
		}
	}
	return claims
}
