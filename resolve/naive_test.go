package resolve_test

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/resolve"
)

// What follows is a second implementation of the rules, written from their prose: no
// index, no code shared with the first, everything in loops, on the JSON as it is
// written. It is slow and meant to be. The two must agree on every file.

type naiveProperty struct {
	ID          string `json:"property_id"`
	Type        string `json:"property_type"`
	Name        string `json:"name"`
	Identifiers []struct{ Type, Value string }
	Tags        []string
	Publisher   *string `json:"publisher_domain"`
}

type naiveFile struct {
	Agents     []naiveEntry `json:"authorized_agents"`
	Properties []naiveProperty
	// What is left out matters, so these are read as they are written.
	Placements, Signals json.RawMessage
	// Revoked also has what is held although the file does not list it.
	Revoked []naiveRevocation `json:"revoked_publisher_domains"`
}

type naiveRevocation struct {
	Domain string `json:"publisher_domain"`
}

// A naiveEntry keeps its members as they are written: an empty list, null and
// nothing at all are different.
type naiveEntry map[string]json.RawMessage

func (e naiveEntry) has(member string) bool {
	_, ok := e[member]
	return ok
}

func (e naiveEntry) text(member string) string {
	var s string
	_ = json.Unmarshal(e[member], &s) // no text is an empty one
	return s
}

func (e naiveEntry) texts(member string) []string {
	var list []any
	_ = json.Unmarshal(e[member], &list) // no list is an empty one
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// A naiveAnswer is a verdict with the entries that count towards it.
type naiveAnswer struct {
	Verdict    resolve.Verdict
	Needs      []string
	Entries    []int
	Placements map[string]resolve.Verdict
}

// A naive explanation has the publisher asked about in canonical form.
type naive struct {
	naiveFile
	q         resolve.Question
	publisher string
	// direct: the file was found at the publisher's own address, pointer: where a
	// pointer there leads.
	direct, pointer bool
}

// naiveRead reads a file that is known to be usable.
func naiveRead(src []byte) naiveFile {
	var f naiveFile
	err := json.Unmarshal(src, &f)
	if err != nil {
		panic(err)
	}
	return f
}

// naively answers a question from a file, which is empty when there is none.
func naively(state resolve.State, method string, f naiveFile, q resolve.Question) naiveAnswer {
	n := naive{naiveFile: f, q: q, publisher: naiveDomain(q.Publisher), direct: method == "direct", pointer: method == "authoritative_location"}
	n.q.Country = strings.ToUpper(q.Country)
	switch {
	case state == resolve.Absent, state == resolve.Unreachable:
		return n.flat(resolve.Unverified)
	case state == resolve.Unusable:
		return n.flat(resolve.UnusableFile)
	case len(n.Agents) == 0:
		return n.flat(resolve.NoneAsserted)
	case n.revoked(n.publisher):
		return n.flat(resolve.NotAuthorized)
	}
	return n.unite()
}

// flat is an answer that does not depend on what was asked.
func (n *naive) flat(v resolve.Verdict) naiveAnswer {
	a := naiveAnswer{Verdict: v, Placements: map[string]resolve.Verdict{}}
	for _, id := range n.q.Placements {
		a.Placements[id] = v
	}
	return a
}

// unite judges every entry of the agent for every placement asked about. One entry
// is enough for a placement, and every placement has to be covered.
func (n *naive) unite() naiveAnswer {
	asked := n.q.Placements
	if len(asked) == 0 {
		asked = []string{""}
	}
	a := naiveAnswer{Verdict: resolve.Authorized, Placements: map[string]resolve.Verdict{}}
	var open []string
	for _, placement := range asked {
		best := resolve.NotAuthorized
		for i, e := range n.Agents {
			if naiveURL(e.text("url")) != naiveURL(n.q.Agent) {
				continue
			}
			covered, needs := n.covers(e, placement)
			switch {
			case !covered:
				continue
			case len(needs) == 0:
				best = resolve.Authorized
			default:
				best = max(best, resolve.Conditional)
				open = append(open, needs...)
			}
			a.Entries = append(a.Entries, i)
		}
		if len(n.q.Placements) > 0 {
			a.Placements[placement] = best
		}
		a.Verdict = min(a.Verdict, best)
	}
	if a.Verdict == resolve.NotAuthorized && n.namesNothing() {
		open = n.signalsAlone(&a)
	}
	if a.Verdict == resolve.Conditional {
		slices.Sort(open)
		a.Needs = slices.Compact(open)
	}
	slices.Sort(a.Entries)
	a.Entries = slices.Compact(a.Entries)
	return a
}

func (n *naive) namesNothing() bool {
	q := n.q
	return q.Property == "" && q.PropertyType == "" && q.Identifier.Type == "" && q.Signal == "" && len(q.Placements)+len(q.Collections) == 0
}

// signalsAlone asks about every signal that comes to mind, for an agent without a property.
func (n *naive) signalsAlone(a *naiveAnswer) []string {
	var open []string
	for i, e := range n.Agents {
		for _, id := range []string{"s1", "s2", "s9", "of a catalog"} {
			if naiveURL(e.text("url")) != naiveURL(n.q.Agent) {
				continue
			}
			asked := *n
			asked.q.Signal = id
			covered, _ := asked.covers(e, "")
			if !covered {
				continue
			}
			a.Verdict, a.Entries, open = resolve.Conditional, append(a.Entries, i), append(open, "signal")
			if e.has("countries") && n.q.Country == "" {
				open = append(open, "country")
			}
			break
		}
	}
	return open
}

// covers judges one entry for one placement, or for none.
func (n *naive) covers(e naiveEntry, placement string) (bool, []string) {
	var needs []string
	address, err := url.Parse(e.text("url"))
	if err != nil || address.Scheme != "https" || address.User != nil || !n.inWindow(e) {
		return false, nil
	}
	for _, list := range []string{"countries", "placement_ids", "placement_tags", "collections"} {
		var items []json.RawMessage
		if e.has(list) && (json.Unmarshal(e[list], &items) != nil || len(items) == 0) {
			return false, nil
		}
	}
	if e.has("countries") {
		good := slices.DeleteFunc(e.texts("countries"), func(c string) bool { return !naiveCountry.MatchString(c) })
		switch {
		case len(good) == 0:
			return false, nil
		case n.q.Country == "":
			needs = append(needs, "country")
		case !slices.Contains(good, n.q.Country):
			return false, nil
		}
	}
	if n.q.Signal != "" {
		covered, more := n.coversSignal(e)
		return covered, append(needs, more...)
	}
	properties := slices.DeleteFunc(n.scope(e), func(p naiveProperty) bool { return !n.asked(p) })
	if len(properties) == 0 {
		return false, nil
	}
	if e.has("collections") {
		listed := n.collections(e)
		switch {
		case len(listed) == 0:
			return false, nil
		case len(n.q.Collections) == 0:
			needs = append(needs, "collection")
		case !slices.ContainsFunc(n.q.Collections, func(c resolve.CollectionRef) bool { return naiveListed(listed, n.plain(c)) }):
			return false, nil
		}
	}
	scoped := e.has("placement_ids") || e.has("placement_tags")
	fitting := n.fitting(e, properties)
	switch {
	case scoped && len(fitting) == 0:
		return false, nil
	case scoped && placement == "":
		needs = append(needs, "placement")
	case placement == "", !scoped && n.unheardOf(n.Placements, "placement_id", placement):
		// Nothing narrows the entry here.
	case !slices.Contains(fitting, placement):
		return false, nil
	}
	return true, needs
}

var naiveCountry = regexp.MustCompile(`^[A-Z]{2}$`)

// inWindow compares instants; both ends count.
func (n *naive) inWindow(e naiveEntry) bool {
	for _, member := range []string{"effective_from", "effective_until"} {
		if !e.has(member) {
			continue
		}
		at, err := time.Parse(time.RFC3339, e.text(member))
		if err != nil || member == "effective_from" && n.q.At.Before(at) || member == "effective_until" && n.q.At.After(at) {
			return false
		}
	}
	return true
}

// scope returns the publisher's properties that the selector of an entry covers.
func (n *naive) scope(e naiveEntry) []naiveProperty {
	var from, in []naiveProperty
	var pick func(naiveProperty) bool
	switch e.text("authorization_type") {
	case "property_ids":
		from, pick = n.Properties, func(p naiveProperty) bool { return slices.Contains(e.texts("property_ids"), p.ID) }
	case "property_tags":
		from, pick = n.Properties, func(p naiveProperty) bool { return naiveMeet(e.texts("property_tags"), p.Tags) }
	case "inline_properties":
		_ = json.Unmarshal(e["properties"], &from) // no list is an empty one
		pick = func(naiveProperty) bool { return true }
	case "publisher_properties":
		from, pick = n.Properties, func(p naiveProperty) bool { return n.selects(e, p) }
	}
	for _, p := range from {
		if n.conforms(p) && n.owner(p) == n.publisher && !n.gone(p) && pick(p) {
			in = append(in, p)
		}
	}
	return in
}

// selects applies the selectors of an entry that are valid and name the publisher.
func (n *naive) selects(e naiveEntry, p naiveProperty) bool {
	var selectors []naiveEntry
	_ = json.Unmarshal(e["publisher_properties"], &selectors) // no list is an empty one
	return slices.ContainsFunc(selectors, func(s naiveEntry) bool {
		domains := append(s.texts("publisher_domains"), s.text("publisher_domain"))
		if s.has("publisher_domain") == s.has("publisher_domains") ||
			!slices.ContainsFunc(domains, func(d string) bool { return naiveDomain(d) == n.publisher }) {
			return false
		}
		switch s.text("selection_type") {
		case "all":
			return true
		case "by_id":
			return s.has("publisher_domain") && slices.Contains(s.texts("property_ids"), p.ID)
		case "by_tag":
			return naiveMeet(s.texts("property_tags"), p.Tags)
		}
		return false
	})
}

func (n *naive) conforms(p naiveProperty) bool {
	return len(p.Identifiers) > 0 && p.Name != "" && p.Type != "" && (p.Publisher == nil || naiveDomain(*p.Publisher) != "")
}

func (n *naive) owner(p naiveProperty) string {
	switch {
	case p.Publisher != nil:
		return naiveDomain(*p.Publisher)
	case n.direct, n.pointer && (n.atHome(p) || !n.namesAnother()):
		return n.publisher
	}
	return ""
}

// gone reports a property that is revoked by its publisher or by its hosts.
func (n *naive) gone(p naiveProperty) bool {
	if n.revoked(n.owner(p)) {
		return true
	}
	for _, id := range p.Identifiers {
		if (id.Type == "domain" || id.Type == "subdomain") && n.revoked(naiveDomain(id.Value)) {
			return true
		}
	}
	return false
}

func (n *naive) revoked(domain string) bool {
	for _, r := range n.Revoked {
		if domain != "" && naiveDomain(r.Domain) == domain {
			return true
		}
	}
	return false
}

// asked reports whether the question is about a property.
func (n *naive) asked(p naiveProperty) bool {
	if n.q.Property != "" && n.q.Property != p.ID || n.q.PropertyType != "" && n.q.PropertyType != p.Type {
		return false
	}
	if n.q.Identifier.Type == "" {
		return true
	}
	for _, id := range p.Identifiers {
		if id.Type != n.q.Identifier.Type {
			continue
		}
		same := id.Value == n.q.Identifier.Value
		switch {
		case id.Type == "domain" && p.Type == "website":
			same = naiveHost(naiveDomain(id.Value), naiveDomain(n.q.Identifier.Value))
		case id.Type == "domain", id.Type == "subdomain":
			same = naiveDomain(id.Value) == naiveDomain(n.q.Identifier.Value)
		}
		if same {
			return true
		}
	}
	return false
}

func (n *naive) collections(e naiveEntry) []resolve.CollectionRef {
	var selectors []struct {
		Domain string   `json:"publisher_domain"`
		IDs    []string `json:"collection_ids"`
	}
	_ = json.Unmarshal(e["collections"], &selectors) // no list is an empty one
	var out []resolve.CollectionRef
	for _, s := range selectors {
		if s.IDs == nil {
			s.IDs = []string{""} // all of them: null makes the entry unusable
		}
		for _, id := range s.IDs {
			if !n.revoked(naiveDomain(s.Domain)) {
				out = append(out, resolve.CollectionRef{PublisherDomain: naiveDomain(s.Domain), ID: id})
			}
		}
	}
	return out
}

// naiveListed reports whether a collection is among those of an entry, where one without an id is all
// of its publisher.
func naiveListed(listed []resolve.CollectionRef, c resolve.CollectionRef) bool {
	return slices.Contains(listed, c) || slices.Contains(listed, resolve.CollectionRef{PublisherDomain: c.PublisherDomain})
}

func (n *naive) plain(c resolve.CollectionRef) resolve.CollectionRef {
	c.PublisherDomain = naiveDomain(c.PublisherDomain)
	return c
}

func naiveMeet(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return s != "" && slices.Contains(b, s) })
}
