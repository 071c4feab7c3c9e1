package registry

import (
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// A catalog has the properties of a publisher, to compare with what an answer covers.
type catalog struct {
	doc     *resolve.Document
	subject resolve.Subject
	list    []*adagents.Property
	at      map[string]int // places in list by key
}

func newCatalog(doc *resolve.Document) *catalog {
	c := &catalog{doc: doc, subject: resolve.NewSubject(doc), list: resolve.Owned(doc), at: map[string]int{}}
	for i, p := range c.list {
		_, taken := c.at[keyOf(p)]
		if !taken {
			c.at[keyOf(p)] = i
		}
	}
	return c
}

// keyOf tells the properties of a publisher apart: by their id, or, as that is
// optional, by how the market knows them.
func keyOf(p *adagents.Property) string {
	if p.ID != "" {
		return "id " + p.ID
	}
	if len(p.Identifiers) == 0 {
		return "name " + p.Name
	}
	return "as " + p.Identifiers[0].Type + " " + p.Identifiers[0].Value
}

// sold returns which properties an answer covers, under a condition or without. each
// is called for every one that a grant covers; it may be nil.
func (c *catalog) sold(answer *resolve.Answer, each func(g *resolve.Grant, at int)) []resolve.Verdict {
	out := make([]resolve.Verdict, len(c.list))
	for i := range answer.Grants {
		g := &answer.Grants[i]
		verdict := resolve.Authorized
		if len(g.Needs) > 0 {
			verdict = resolve.Conditional
		}
		for k := range g.Properties {
			at, ok := c.at[keyOf(g.Properties[k].Property)]
			if !ok {
				continue
			}
			out[at] = max(out[at], verdict)
			if each != nil {
				each(g, at)
			}
		}
	}
	return out
}
