package web

import (
	"context"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// claims are identifiers of a publisher that publishers of other sites list as their own, too.
type claims struct {
	List []claimView
	// More is set when there are more than the page shows.
	More bool

	contested map[resolve.Identifier]bool
}

type claimView struct {
	Type, Value string
	Others      []claimant
	// More is how many of the others are not shown.
	More int
}

type claimant struct{ Domain, URL string }

const (
	mostClaims    = 50
	mostClaimants = 5
)

// claimsOn asks the directory who else lists what a publisher lists.
func (p *Pages) claimsOn(ctx context.Context, domain string, ink *pen) (claims, error) {
	view, err := p.reader.View(ctx)
	if err != nil {
		return claims{}, err
	}
	list := view.Contests(domain, mostClaims+1)
	return claimsOf(list, ink), view.Err()
}

func claimsOf(list []ops.Contest, ink *pen) claims {
	c := claims{More: len(list) > mostClaims, contested: make(map[resolve.Identifier]bool, len(list))}
	for _, contest := range list {
		c.contested[contest.Identifier] = true
		if len(c.List) == mostClaims || ink.dry() {
			c.More = true
			continue
		}
		one := claimView{Type: ink.line(contest.Identifier.Type, longestItem),
			Value: ink.line(contest.Identifier.Value, longestText), More: max(0, len(contest.Others)-mostClaimants)}
		for _, other := range contest.Others[:min(len(contest.Others), mostClaimants)] {
			one.Others = append(one.Others, claimant{ink.line(other, longestItem), tabURL(other, sellTab)})
		}
		c.List = append(c.List, one)
	}
	return c
}

// Words say how many there are.
func (c *claims) Words() string {
	if c.More {
		return "More than " + words.Plural(len(c.List), "identifier is", "identifiers are")
	}
	return words.Plural(len(c.List), "identifier is", "identifiers are")
}

// markClaims marks the columns of properties that others claim.
func (m *matrix) markClaims(doc *resolve.Document, c *claims) {
	if m == nil || m.Counted || len(c.contested) == 0 {
		return
	}
	n := 0
	for _, x := range resolve.Owned(doc) {
		if x.ID == "" {
			continue
		}
		m.Columns[n].Claimed = c.includes(x)
		n++
	}
}

// includes reports whether others list an identifier of a property.
func (c *claims) includes(x *adagents.Property) bool {
	for i := range x.Identifiers {
		if c.contested[registry.CanonicalIdentifier(resolve.Identifier{Type: x.Identifiers[i].Type,
			Value: x.Identifiers[i].Value})] {
			return true
		}
	}
	return false
}
