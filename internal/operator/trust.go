package operator

import (
	"errors"
	"slices"

	"github.com/avow-project/avow/internal/format/foreign"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/resolve"
)

// A Relation is how a publisher and an agent that it authorizes describe each other, by the publisher's
// file and the agent's trust.json. It is experimental and changes no verdict.
type Relation string

// The relations; Unrelated means that nothing can be said.
const (
	Unrelated Relation = ""
	// Mutual: the organization that runs the agent acknowledges the authorization, or is the publisher.
	Mutual Relation = "mutual"
	// GrantorOnly: the publisher alone says so.
	GrantorOnly Relation = "grantor_only"
	// TermsDiffer: the acknowledgement names another delegation_type.
	TermsDiffer Relation = "mismatch"
)

// TrustURL returns where a host serves its trust.json.
func TrustURL(host string) string { return "https://" + host + foreign.TrustHome }

// TrustHost returns the host whose trust.json speaks for an agent: the registrable domain of its own.
func TrustHost(agent string) (string, bool) {
	_, info, err := hostname.CanonicalURL(agent)
	if err != nil || info.IPLiteral.IsValid() {
		return "", false
	}
	return hostname.Registrable(info.Host)
}

// ParseTrust reads what is served in the place of a trust.json, with the limits of a brand.json. The error
// says what is wrong with it, after the words "the trust.json"; its shape may still be wrong.
func ParseTrust(body []byte) (*Document, error) {
	doc, err := Parse(body)
	if err != nil {
		return nil, err
	}
	format, known := foreign.JSON(doc.root)
	switch {
	case doc.root.Has("authorized_agents"):
		return nil, errors.New("is an adagents.json")
	case known && !format.Trust:
		return nil, errors.New("looks like " + format.Name)
	case !known && !doc.root.Has("authoritative_location"):
		return nil, errors.New("has no member of a " + foreign.TrustName)
	}
	return doc, nil
}

// Relate compares the trust.json of a host with the entries that authorize an agent. An acknowledgement
// without an entry is not a relationship.
func (d *Document) Relate(host string, q *resolve.Question, a *resolve.Answer) Relation {
	authorized := a.Verdict == resolve.Authorized || a.Verdict == resolve.Conditional
	if !authorized || len(a.Grants) == 0 || d.root.Has("authoritative_location") {
		return Unrelated
	}
	relation := Unrelated // what is elsewhere is not absent
	owner, ok := hostname.Registrable(q.Publisher)
	if ok && owner == host {
		relation = Mutual
	} else if !d.root.Has("acknowledgements_url") {
		relation = GrantorOnly
	}
	if !d.runs(q.Agent) {
		return relation
	}
	for _, one := range d.root.Get("acknowledgements").Elems() {
		if one.Get("grantor").Str() != q.Publisher || one.Get("via").Str() != "adcp:adagents" ||
			!sameAgent(one.Get("agent_url"), q.Agent) {
			continue
		}
		relation = Mutual
		said := one.Get("profiles").Get("adcp").Get("delegation_type").Str()
		if said != "" && slices.ContainsFunc(a.Grants, func(g resolve.Grant) bool {
			return g.DelegationType != "" && g.DelegationType != said
		}) {
			return TermsDiffer
		}
	}
	return relation
}

// runs reports whether an agent is among those of a trust.json.
func (d *Document) runs(agent string) bool {
	for _, one := range d.root.Get("agents").Elems() {
		if sameAgent(one.Get("url"), agent) {
			return true
		}
	}
	return false
}

// sameAgent reports whether a value is the URL of an agent, which is canonical.
func sameAgent(v jsontree.Value, agent string) bool {
	url, _, err := hostname.CanonicalURL(v.Str())
	return err == nil && url == agent
}

// Sentence says what a relation is, for people. The trust.json is served by the host.
func (r Relation) Sentence(host string) string {
	file := "the " + foreign.TrustName + " of " + host
	switch r {
	case Mutual:
		return "mutual: " + file + " acknowledges the authorization, or the agent is the publisher's own"
	case GrantorOnly:
		return "grantor only: " + file + " does not acknowledge the authorization"
	case TermsDiffer:
		return "mismatch: " + file + " acknowledges the authorization with another delegation_type"
	}
	return ""
}
