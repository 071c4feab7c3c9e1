// Package trust checks the shape of a trust.json and of its acknowledgements. Both are experimental:
// nothing that avow answers depends on one.
package trust

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/rfc3339"
)

// A Problem is something that is wrong with a record.
type Problem struct {
	At   jsontree.Value
	Msg  string
	Hint string
}

// mostProblems is how many problems are told.
const mostProblems = 50

// keyMembers are names of members with keys, which do not belong in a record.
var keyMembers = []string{"kid", "jwks", "jwks_uri", "keys", "public_key", "signing_keys"}

// check is the check of one record.
type check struct {
	host     string // that serves it; empty when that is not known
	problems []Problem
}

// Check returns what is wrong with a record that a host serves, or that one is to serve which is not
// known yet.
func Check(root jsontree.Value, host string) []Problem {
	c := &check{host: host}
	switch {
	case root.Has("authoritative_location"):
		c.shape(root, model.Trust.Pointer)
	case IsList(root):
		c.shape(root, model.Trust.Acknowledgements)
		c.acknowledgements(root, nil)
		c.sameHost(root, "next")
	default:
		c.shape(root, model.Trust.Record)
		c.record(root)
	}
	return c.problems[:min(len(c.problems), mostProblems)]
}

// IsList reports whether a document is a part of the acknowledgements of a record, not the record.
func IsList(root jsontree.Value) bool {
	return strings.HasSuffix(root.Get("$schema").Str(), "/trust-acknowledgements.json") || root.Has("next") &&
		root.Has("acknowledgements")
}

func (c *check) say(at jsontree.Value, msg, hint string) {
	if len(c.problems) < mostProblems {
		c.problems = append(c.problems, Problem{at, msg, hint})
	}
}

// shape compares a value with its declared type. Members with keys are told once, by what they are.
func (c *check) shape(v jsontree.Value, t *model.ObjectType) {
	conform.Check(v, &model.Type{Kind: model.Object, Object: t}, func(p conform.Problem) {
		hint := p.Hint
		switch p.Fault {
		case conform.Lacking:
			hint = p.MissingHint()
		case conform.Surplus:
			hint = cmp.Or(hint, "remove it; what only you know belongs under ext")
		}
		if p.Fault == conform.Surplus && slices.ContainsFunc(keyMembers, func(name string) bool {
			return strings.Contains(p.Msg, `"`+name+`"`) || p.Member == name
		}) {
			hint = "keys do not belong in a trust record: they are in the directory of the agent's origin"
		}
		c.say(p.At, p.Sentence("the record"), hint)
	})
}

// record makes the checks that a schema cannot make.
func (c *check) record(root jsontree.Value) {
	origins, urls := map[string]bool{}, map[string]bool{}
	for _, agent := range root.Get("agents").Elems() {
		at := agent.Get("url")
		canonical, _, err := hostname.CanonicalURL(at.Str())
		if err != nil {
			continue // its shape was told
		}
		u, err := url.Parse(canonical)
		if err != nil {
			continue
		}
		origin := u.Scheme + "://" + u.Host
		if origins[origin] {
			c.say(at, "two agents of the record have the origin "+conform.Quote(origin),
				"an origin stands for one agent: give each a host of its own")
		}
		origins[origin], urls[canonical] = true, true
		if c.host != "" && site(u.Hostname()) != site(c.host) {
			c.say(at, fmt.Sprintf("the agent is at %s, and the record is served by %s", conform.Quote(u.Hostname()),
				conform.Quote(c.host)), "a record speaks for agents on hosts of the same organization alone")
		}
		c.words(agent.Get("roles"), "role", model.TrustRoles)
		c.profile(agent, model.Trust.AgentProfile)
	}
	for _, grant := range root.Get("grants").Elems() {
		c.words(grant.Get("scopes"), "scope", model.TrustScopes)
		c.profile(grant, model.Trust.GrantProfile)
		from, errFrom := rfc3339.Parse(grant.Get("valid_from").Str())
		until, errUntil := rfc3339.Parse(grant.Get("valid_until").Str())
		if errFrom == nil && errUntil == nil && !from.Before(until) {
			c.say(grant.Get("valid_until"), "the grant ends at "+until.Format(time.RFC3339)+", before it begins",
				"valid_until must be later than valid_from")
		}
	}
	c.acknowledgements(root, urls)
	if root.Has("acknowledgements") && root.Has("acknowledgements_url") {
		c.say(root.Get("acknowledgements_url"), "the record has acknowledgements and acknowledgements_url",
			"keep one of them")
	}
	c.sameHost(root, "acknowledgements_url")
}

// acknowledgements checks the list of them. agents are those of the record; nil when they are elsewhere.
func (c *check) acknowledgements(root jsontree.Value, agents map[string]bool) {
	for _, one := range root.Get("acknowledgements").Elems() {
		c.profile(one, model.Trust.AcknowledgementProfile)
		at := one.Get("agent_url")
		canonical, _, err := hostname.CanonicalURL(at.Str())
		if err == nil && agents != nil && !agents[canonical] {
			c.say(at, "the acknowledgement is about an agent that is not among agents",
				"list the agent, or remove the acknowledgement; consumers ignore it")
		}
	}
}

// words checks words of the namespace adcp, which is closed.
func (c *check) words(list jsontree.Value, what string, known []string) {
	for _, v := range list.Elems() {
		word := v.Str()
		if strings.HasPrefix(word, "adcp:") && !slices.Contains(known, word) {
			c.say(v, "the "+what+" "+conform.Quote(word)+" is not known", conform.Suggest(word, known))
		}
	}
}

// profile checks what AdCP adds to an object.
func (c *check) profile(v jsontree.Value, t *model.ObjectType) {
	adcp := v.Get("profiles").Get("adcp")
	if adcp.Is(jsontree.Object) {
		c.shape(adcp, t)
	}
}

// sameHost checks that a URL is on the host that serves the record.
func (c *check) sameHost(root jsontree.Value, member string) {
	at := root.Get(member)
	u, err := url.Parse(at.Str())
	if c.host != "" && err == nil && u.Hostname() != "" && !strings.EqualFold(u.Hostname(), c.host) {
		c.say(at, member+" is on another host than the record", "serve it from "+c.host)
	}
}

func site(host string) string {
	name, ok := hostname.Registrable(strings.ToLower(host))
	if !ok {
		return host
	}
	return name
}

// Summary says what a record has.
func Summary(root jsontree.Value) string {
	if root.Has("authoritative_location") {
		return "it names another place of the record"
	}
	var parts []string
	for _, one := range []struct{ member, singular, plural string }{
		{"agents", "agent that the organization runs", "agents that the organization runs"},
		{"grants", "grant to others", "grants to others"},
		{"acknowledgements", "acknowledgement", "acknowledgements"},
	} {
		switch n := root.Get(one.member).Len(); {
		case !root.Get(one.member).Is(jsontree.Array):
		case n == 1:
			parts = append(parts, "1 "+one.singular)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, one.plural))
		}
	}
	if len(parts) == 0 {
		return "it has no agents, grants or acknowledgements of its own"
	}
	return "it has " + strings.Join(parts, ", ")
}
