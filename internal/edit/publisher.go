package edit

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/std/words"
)

// A Selection says which selector publishers are added to.
type Selection struct {
	// Agent is the URL of its agent; empty if the file has only one selector with a list.
	Agent string
	// Pointer is its JSON Pointer; empty if the agent has only one with a list.
	Pointer string
	// All makes a new selector, for all properties of the publishers, where there is none.
	All bool
}

// A selector is a selector with a list of publishers.
type selector struct {
	pointer string
	agent   string
	value   adagents.Value
}

// selectors returns the selectors of an agent that have a list of publishers.
func (d *Draft) selectors(agent string) []selector {
	var list []selector
	for i, entry := range d.root.Get("authorized_agents").Elems() {
		url := entry.Get("url").Str()
		if agent != "" && !sameURL(url, agent) {
			continue
		}
		for j, s := range entry.Get("publisher_properties").Elems() {
			if s.Get("publisher_domains").Is(adagents.Array) {
				list = append(list, selector{fmt.Sprintf("/authorized_agents/%d/publisher_properties/%d", i, j), url, s})
			}
		}
	}
	return list
}

// AddPublishers adds publishers to the list of a selector.
func (d *Draft) AddPublishers(domains []string, where Selection) error {
	revoked := d.revocations()
	for _, domain := range domains {
		if len(revoked[domain]) > 0 {
			return problem("avow edit reinstate takes the revocation back",
				"%s is revoked in this file, so that adding it has no effect", domain)
		}
	}
	return d.addPublishers(domains, where)
}

func (d *Draft) addPublishers(domains []string, where Selection) error {
	s, err := d.choose(where)
	if err != nil {
		return err
	}
	if s == nil {
		return d.addSelector(domains, where)
	}
	have := map[string]bool{}
	for _, v := range s.value.Get("publisher_domains").Elems() {
		have[d.domain(v)] = true
	}
	var texts []string
	for _, domain := range domains {
		if !have[domain] {
			texts = append(texts, jsonedit.String(domain))
		}
	}
	if n := len(domains) - len(texts); n > 0 {
		d.note("%s in the selector already", words.Plural(n, "publisher is", "publishers are"))
	}
	if len(texts) > 0 {
		d.appendTo(s.value, "publisher_domains", texts)
	}
	return nil
}

// WithoutProperty returns the publishers of which the file has no property.
func (d *Draft) WithoutProperty(domains []string) []string {
	have := map[string]bool{}
	for _, object := range append(d.entries(""), d.root) {
		for _, p := range object.Get("properties").Elems() {
			have[d.domain(p.Get("publisher_domain"))] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(domains), func(domain string) bool { return have[domain] })
}

// PropertyIDs returns the ids of the properties in the file.
func (d *Draft) PropertyIDs() map[string]bool {
	ids := map[string]bool{}
	for i := range d.file.Properties {
		ids[d.file.Properties[i].ID] = true
	}
	return ids
}

// AddWebsite adds a property: the site of a publisher.
func (d *Draft) AddWebsite(domain, id, name string) {
	d.websites = append(d.websites, d.Object(
		"property_id", jsonedit.String(id), "property_type", jsonedit.String("website"), "name", jsonedit.String(name),
		"identifiers", d.List(d.Object("type", jsonedit.String("domain"), "value", jsonedit.String(domain))),
		"publisher_domain", jsonedit.String(domain),
	))
}

// choose returns the selector that is meant; nil if there is none and a new one may be made.
func (d *Draft) choose(where Selection) (*selector, error) {
	list := d.selectors(where.Agent)
	if where.Agent != "" && len(d.entries(where.Agent)) == 0 {
		return nil, problem(d.agentsNamed(), "no entry of the file names the agent %s", where.Agent)
	}
	if where.Pointer != "" {
		i := slices.IndexFunc(list, func(s selector) bool { return s.pointer == where.Pointer })
		if i < 0 {
			return nil, problem(d.selectorsNamed(where.Agent), "there is no list of publishers at %s", where.Pointer)
		}
		return &list[i], nil
	}
	switch {
	case len(list) == 1:
		return &list[0], nil
	case len(list) > 1:
		return nil, problem(d.selectorsNamed(where.Agent),
			"the file has %d selectors with a list of publishers; say which one with --selector or --agent", len(list))
	case where.All:
		return nil, nil
	}
	return nil, problem("--all makes one, for all properties of the publishers",
		"there is no selector with a list of publishers")
}

// selectorsNamed lists the selectors, for a message.
func (d *Draft) selectorsNamed(agent string) string {
	const most = 5
	var parts []string
	for _, s := range d.selectors(agent) {
		parts = append(parts, fmt.Sprintf("%s (%s, %s)", s.pointer, s.agent, s.value.Get("selection_type").Str()))
	}
	if len(parts) == 0 {
		return "the file has no selector with a list of publishers"
	}
	text := "the selectors are " + strings.Join(parts[:min(len(parts), most)], ", ")
	if len(parts) > most {
		text += " and " + strconv.Itoa(len(parts)-most) + " more"
	}
	return text
}

// addSelector makes a selector for all properties of publishers.
func (d *Draft) addSelector(domains []string, where Selection) error {
	var entries []adagents.Value
	for _, entry := range d.entries(where.Agent) {
		if entry.Get("authorization_type").Str() == "publisher_properties" {
			entries = append(entries, entry)
		}
	}
	if len(entries) != 1 {
		return problem("--agent names one; avow edit add-agent makes an entry",
			"%s of the file select by publisher, and a new selector belongs into one",
			words.Plural(len(entries), "entry", "entries"))
	}
	have := map[string]bool{}
	for _, s := range entries[0].Get("publisher_properties").Elems() {
		if s.Get("selection_type").Str() == "all" {
			have[d.domain(s.Get("publisher_domain"))] = true
		}
	}
	domains = slices.DeleteFunc(slices.Clone(domains), func(domain string) bool { return have[domain] })
	if len(domains) == 0 {
		d.note("the publishers are in selectors of the entry already")
		return nil
	}
	text := d.Object("publisher_domains", d.List(jsonedit.Strings(domains)...), "selection_type", jsonedit.String("all"))
	d.appendTo(entries[0], "publisher_properties", []string{text})
	return nil
}

// RemovePublishers takes publishers out of the selectors of an agent, or of all agents.
func (d *Draft) RemovePublishers(domains []string, agent string) error {
	if agent != "" && len(d.entries(agent)) == 0 {
		return problem(d.agentsNamed(), "no entry of the file names the agent %s", agent)
	}
	if n := len(domains) - d.drop(domains, agent); n > 0 {
		d.note("%s in no selector", words.Plural(n, "domain is", "domains are"))
	}
	return nil
}

// drop takes publishers out of selectors. What is left without a publisher goes as well: an empty
// list selects no publisher and is an error. It returns how many of the publishers there were.
func (d *Draft) drop(domains []string, agent string) int {
	wanted := map[string]bool{}
	for _, domain := range domains {
		wanted[domain] = true
	}
	found := map[string]bool{}
	var gone []adagents.Value
	for _, entry := range d.entries(agent) {
		selectors := entry.Get("publisher_properties")
		var whole, parts []adagents.Value
		for _, s := range selectors.Elems() {
			hit, all := d.matching(s, wanted, found)
			if all {
				whole = append(whole, s)
			} else {
				parts = append(parts, hit...)
			}
		}
		if len(whole) > 0 && len(whole) == selectors.Len() {
			d.note("the entry of %s no longer selects any publisher and is removed", entry.Get("url").Str())
			gone = append(gone, entry)
			continue
		}
		d.add(d.RemoveAll(append(whole, parts...)...)...)
	}
	d.add(d.RemoveAll(gone...)...)
	return len(found)
}

// matching returns the elements of a selector's list that are wanted, and whether that leaves
// none.
func (d *Draft) matching(s adagents.Value, wanted, found map[string]bool) ([]adagents.Value, bool) {
	if one := d.domain(s.Get("publisher_domain")); wanted[one] {
		found[one] = true
		return nil, true
	}
	list := s.Get("publisher_domains")
	var hit []adagents.Value
	for _, v := range list.Elems() {
		if domain := d.domain(v); wanted[domain] {
			found[domain] = true
			hit = append(hit, v)
		}
	}
	return hit, len(hit) > 0 && len(hit) == list.Len()
}

// revocations returns the entries that revoke each publisher.
func (d *Draft) revocations() map[string][]adagents.Value {
	out := map[string][]adagents.Value{}
	for i := range d.file.Revocations {
		r := &d.file.Revocations[i]
		for _, text := range r.Domains() {
			domain, _, err := d.hosts.Canonical(text)
			if err == nil {
				out[domain] = append(out[domain], r.Raw)
			}
		}
	}
	return out
}

// Revoke revokes publishers from a time on, and takes them out of all selectors.
func (d *Draft) Revoke(domains []string, at time.Time, reason string) {
	have := d.revocations()
	var texts []string
	for _, domain := range domains {
		if len(have[domain]) > 0 {
			continue
		}
		members := []string{"publisher_domain", jsonedit.String(domain), "revoked_at", jsonedit.String(stamp(at))}
		if reason != "" {
			members = append(members, "reason", jsonedit.String(reason))
		}
		texts = append(texts, d.Object(members...))
	}
	if n := len(domains) - len(texts); n > 0 {
		d.note("%s revoked already", words.Plural(n, "publisher is", "publishers are"))
	}
	found := d.drop(domains, "")
	if n := len(texts) - found; n > 0 {
		d.note("%s in no selector of the file", words.Plural(n, "of them is", "of them are"))
	}
	if len(texts) > 0 {
		d.appendTo(d.root, "revoked_publisher_domains", texts)
	}
	d.renews = true
}

// joint refuses to remove entries that revoke others as well, given the publisher that each goes for
// and the entries of the others.
func joint(by map[adagents.Value]string, others map[string][]adagents.Value) error {
	one, also := "", []string(nil)
	for _, other := range slices.Sorted(maps.Keys(others)) {
		for _, v := range others[other] {
			if by[v] != "" && (one == "" || one == by[v]) {
				one, also = by[v], append(also, other)
				break
			}
		}
	}
	if one == "" {
		return nil
	}
	names := also[0]
	if n := len(also) - 1; n > 0 {
		names += fmt.Sprintf(" and %d more", n)
	}
	return problem("name "+names+" as well, or give each publisher an entry of its own first",
		"the entry that revokes %s revokes %s, too", one, names)
}

// Reinstate takes the revocations of publishers back and, with a selection, adds them there.
func (d *Draft) Reinstate(domains []string, where *Selection) error {
	have := d.revocations()
	var gone []adagents.Value
	by := map[adagents.Value]string{} // the publisher that an entry goes for
	missing := 0
	for _, domain := range domains {
		if len(have[domain]) == 0 {
			missing++
		}
		for _, v := range have[domain] {
			if by[v] == "" {
				by[v] = domain
				gone = append(gone, v)
			}
		}
		delete(have, domain)
	}
	err := joint(by, have)
	if err != nil {
		return err
	}
	if missing > 0 {
		d.note("%s not revoked", words.Plural(missing, "publisher is", "publishers are"))
	}
	d.add(d.RemoveAll(gone...)...)
	d.renews = true
	if where == nil {
		if len(gone) > 0 {
			d.note("the publishers are in no selector by that; avow edit add puts them into one")
		}
		return nil
	}
	return d.addPublishers(domains, *where)
}
