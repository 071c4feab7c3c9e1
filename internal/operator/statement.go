package operator

import (
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/rfc3339"
)

// A State says what is known about the brand.json of an agent's operator.
type State uint8

// The states. The text of each is stable.
const (
	// NotAsked: no request was made.
	NotAsked State = iota
	// Found: it names the agent once, and counts.
	Found
	// Absent: there is none.
	Absent
	// AgentMissing: there is one, and it does not name the agent.
	AgentMissing
	// AgentAmbiguous: it names the agent more than once.
	AgentAmbiguous
	// OtherDomain: it names the agent, but belongs to another domain that does not list
	// the agent's domain among its operators.
	OtherDomain
	// Unusable: it is there, and cannot be read.
	Unusable
	// Unreachable: whether there is one could not be determined.
	Unreachable
)

// String returns the stable text.
func (s State) String() string { return strings.TrimPrefix(s.Code(), "brand.") }

// silent reports whether it is known that the operator says nothing about the agent.
func (s State) silent() bool { return s == Found || s == Absent || s == AgentMissing }

// A Statement is what an operator's brand.json says about one agent. It is immutable.
type Statement struct {
	State State
	// URL is where the document was found in the end; empty when there is none.
	URL string
	// Detail says what is wrong or missing, and Notes what else is worth knowing. They may
	// hold outside text.
	Detail string
	Notes  []string

	claims claims
}

// An Asking is what a brand.json is read for.
type Asking struct {
	// Agent is the URL of the agent as its publisher or a buyer writes it.
	Agent string
	// URL is where the document was found. Host is the one that was asked first, and
	// empty for a document at hand, whose origin is the caller's responsibility.
	URL, Host string
	// At is the instant asked about.
	At time.Time
}

// Read reads what a brand.json says about an agent. One that cannot be read is a statement
// as well.
func Read(body []byte, a Asking) *Statement {
	doc, err := Parse(body)
	if err != nil {
		return &Statement{State: Unusable, URL: a.URL, Detail: "the brand.json " + err.Error()}
	}
	return doc.Statement(a)
}

// Statement reads what the document says about an agent.
func (d *Document) Statement(a Asking) *Statement {
	s := &Statement{URL: a.URL}
	agent, info, err := hostname.CanonicalURL(a.Agent)
	if err != nil {
		s.State, s.Detail = AgentMissing, "the agent has no URL that could be looked for"
		return s
	}
	mentions := d.mentions(agent)
	switch {
	case d.Elsewhere():
		s.State, s.Detail = Unusable, "the brand.json names another document instead; give that one, or its URL"
		return s
	case len(mentions) == 0:
		s.State, s.Detail = AgentMissing, "the brand.json does not name the agent in agents"
		return s
	case len(mentions) > 1:
		s.State = AgentAmbiguous
		s.Detail = "the brand.json names the agent at " + mentions[0].pointer + " and " + mentions[1].pointer +
			", and which one applies is not known"
		return s
	}
	m := mentions[0]
	if !sameOwner(a.Host, info.Host) && !d.lists(m.holder, info.Host, a.At) {
		s.State = OtherDomain
		s.Detail = "the brand.json belongs to " + a.Host + ", which does not list the agent's domain in authorized_operators"
		return s
	}
	s.State = Found
	if m.url != a.Agent {
		s.Notes = append(s.Notes,
			"the brand.json writes the agent as "+m.url+
				": the same URL in another spelling, which readers that compare byte by byte do not find")
	}
	if a.Host == "" {
		s.Notes = append(s.Notes, "the brand.json was given as a file: that it is the operator's was not checked")
	}
	s.claims = d.claimsOf(m)
	return s
}

// A mention is a place where a document names the agent.
type mention struct {
	// holder is the object whose list it is in, and brand the JSON Pointer of that object
	// if it is a brand; empty at the top and in the house.
	holder         jsontree.Value
	brand, pointer string
	url            string
}

// mentions returns where the document names an agent by its canonical URL.
func (d *Document) mentions(agent string) []mention {
	var list []mention
	search := func(holder jsontree.Value, brand, base string) {
		for i, v := range holder.Get("agents").Elems() {
			written := v.Get("url").Str()
			url, _, err := hostname.CanonicalURL(written)
			if err == nil && url == agent {
				list = append(list, mention{holder, brand, base + "/agents/" + strconv.Itoa(i), written})
			}
		}
	}
	search(d.root, "", "")
	search(d.root.Get("house"), "", "/house")
	for i, brand := range d.root.Get("brands").Elems() {
		pointer := "/brands/" + strconv.Itoa(i)
		search(brand, pointer, pointer)
	}
	return list
}

// sameOwner reports whether two hosts have the same registrable domain. No host is that of
// a document at hand.
func sameOwner(a, b string) bool {
	if a == "" || a == b {
		return true
	}
	ownerA, okA := hostname.Registrable(a)
	ownerB, okB := hostname.Registrable(b)
	return okA && okB && ownerA == ownerB
}

// lists reports whether the document says that the domain of a host operates for it. An
// entry whose end cannot be read is ignored.
func (d *Document) lists(holder jsontree.Value, host string, at time.Time) bool {
	for _, object := range []jsontree.Value{d.root, d.root.Get("house"), holder} {
		for _, v := range object.Get("authorized_operators").Elems() {
			domain, _, err := hostname.Canonical(v.Get("domain").Str())
			if err == nil && sameOwner(domain, host) && !ended(v.Get("valid_until"), at) {
				return true
			}
		}
	}
	return false
}

// ended reports whether the time of a member is over. A day lasts to its end.
func ended(until jsontree.Value, at time.Time) bool {
	if !until.Exists() {
		return false
	}
	end, err := rfc3339.Parse(until.Str())
	if err == nil {
		return at.After(end)
	}
	day, err := time.Parse(time.DateOnly, until.Str())
	return err != nil || !at.Before(day.AddDate(0, 0, 1))
}
