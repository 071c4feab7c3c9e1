package resolve

import (
	"cmp"
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/spell"
)

// sayNotCovered explains why an entry covers nothing of what was asked: the entry does not
// select it, or the publisher has no such property. Why it has none follows, where that can be
// told: the property is another publisher's, is revoked or faulty, or is there under another type.
func (c *explanation) sayNotCovered(n uint32, a *adagents.Agent) {
	if c.asked.n > 0 {
		c.sayOf("property.not_covered", n, "the entry does not cover "+c.subject())
		c.suggest("the publisher can add " + c.subject() + " to the entry")
		return
	}
	c.sayOf(stepPropertyUnknown.code(), n, "the file has no property of "+quote(c.q.Publisher)+c.narrowed())
	c.spend(len(a.Properties))
	if c.sayWhose(a.Properties) || c.sayLeftOut(a.Raw.Get("properties"), a.Properties) {
		return
	}
	if c.absence == nil {
		c.absence = c.findAbsence()
	}
	for _, s := range c.absence.steps {
		if !s.at.Exists() {
			s.at = a.Raw
		}
		c.say(s.code, s.at, s.message)
	}
	for _, change := range c.absence.changes {
		c.suggest(change)
	}
}

func (c *explanation) findAbsence() *absence {
	found := newExplanation(c.doc, c.question, budget{left: maxWork})
	found.evaluation, found.said, found.v = c.evaluation, c.said, c.view()
	found.left, found.q = maxWork, &found.question
	if !found.sayWhoseElse() && !found.sayLeftOutTop() {
		owned := found.ownProperties()
		found.sayOtherType(owned)
		found.suggestSpelling(owned)
	}
	return &absence{found.steps, found.changes}
}

// sayWhose explains why a property that is what was asked about is ignored: it
// is not the publisher's.
func (c *explanation) sayWhose(list []adagents.Property) bool {
	for i := range list {
		if c.sayWhoseOne(&list[i], "") {
			return true
		}
	}
	return false
}

func (c *explanation) sayWhoseOne(p *adagents.Property, pointer string) bool {
	if !c.q.isAbout(p) {
		return false
	}
	owner := c.view().owner(p)
	if owner == c.q.Publisher || c.v.holdsBack(p) {
		return false
	}
	r := remark{code: "property.no_publisher", at: p.Raw, pointer: pointer}
	change := "the file's maintainer can give the property its publisher_domain"
	r.message = "the property has no publisher_domain; in a shared file it belongs to no publisher"
	if owner != "" {
		r.code, change = "property.other_publisher", "ask about "+quote(owner)
		r.message = "the property belongs to " + quote(owner) + "; for " + quote(c.q.Publisher) +
			" only that publisher's own properties count"
	}
	c.sayAt(r)
	c.suggest(change)
	return true
}

// sayLeftOut looks among the properties as written for one that was asked about and
// fell out when the file was read, because its publisher is revoked or because it is
// faulty. Usable ones were looked at before.
func (c *explanation) sayLeftOut(written adagents.Value, usable []adagents.Property) bool {
	var left []adagents.Value
	for _, v := range written.Elems() {
		if len(usable) > 0 && usable[0].Raw.Node() == v.Node() {
			p := &usable[0]
			usable = usable[1:]
			if !c.view().holdsBack(p) {
				continue
			}
		}
		left = append(left, v)
	}
	return c.sayFirst(left)
}

// sayFirst names the first of some properties that are left out that is what was asked
// about.
func (c *explanation) sayFirst(left []adagents.Value) bool {
	if c.q.Property == "" && c.q.Identifier == (Identifier{}) {
		return false
	}
	for _, v := range left {
		if !c.writtenAs(v) {
			continue
		}
		if domain, ok := c.revokedAsWritten(v); ok {
			c.say("property.owner_revoked", v, c.view().revoking("the publisher of the property", domain))
		} else {
			c.say("property.left_out", v, "the property has errors, so it is ignored")
			c.suggest("the publisher must fix the property; avow validate says how")
		}
		return true
	}
	return false
}

// writtenAs reports whether a property as written has the id and the identifier
// asked about.
func (c *explanation) writtenAs(v adagents.Value) bool {
	if c.q.Property != "" && v.Get("property_id").Str() != c.q.Property {
		return false
	}
	if c.q.Identifier == (Identifier{}) {
		return true
	}
	for _, id := range v.Get("identifiers").Elems() {
		if id.Get("type").Str() == c.q.Identifier.Type &&
			sameIdentifier(v.Get("property_type").Str(), c.q.Identifier, id.Get("value").Str()) {
			return true
		}
	}
	return false
}

// revokedAsWritten returns the domain by which a property as written is revoked.
func (c *explanation) revokedAsWritten(v adagents.Value) (string, bool) {
	revoked := func(written adagents.Value) (string, bool) {
		name, _, err := c.view().hosts.Canonical(written.Str())
		return name, err == nil && c.v.isRevoked(name)
	}
	if name, ok := revoked(v.Get("publisher_domain")); ok {
		return name, true
	}
	for _, id := range v.Get("identifiers").Elems() {
		if kind := id.Get("type").Str(); kind != "" && kind != "domain" && kind != "subdomain" {
			continue
		}
		if name, ok := revoked(id.Get("value")); ok {
			return name, true
		}
	}
	return "", false
}

// sayOtherType points out that what was asked about is there under another type, or
// with other identifiers.
func (c *explanation) sayOtherType(owned []*adagents.Property) {
	anyType := c.question
	anyType.PropertyType = ""
	for _, p := range owned {
		if anyType.isAbout(p) {
			c.say("property.other_type", p.Raw, "the property is of type "+quote(p.Type)+", not "+quote(c.q.PropertyType))
			c.suggest("ask about type " + quote(p.Type))
			return
		}
		if p.ID != "" && p.ID == c.q.Property {
			c.say("property.other_identifier", p.Raw, "the property "+quote(p.ID)+" is there, and "+
				quote(asText(c.q.Identifier))+" is none of its identifiers")
			c.suggest("ask about the property or about the identifier alone: they are not the same")
			return
		}
		for i := range p.Identifiers {
			id := &p.Identifiers[i]
			if id.Value == c.q.Identifier.Value && id.Type != c.q.Identifier.Type {
				c.say("property.other_identifier_type", id.Raw, quote(id.Value)+" is declared as "+quote(id.Type)+", not "+
					quote(c.q.Identifier.Type))
				c.suggest("ask about " + quote(id.Type+"="+id.Value))
				return
			}
		}
	}
}

// suggestSpelling proposes an id or an identifier of the publisher that is almost the
// one asked about.
func (c *explanation) suggestSpelling(owned []*adagents.Property) {
	var ids, values []string
	for _, p := range owned {
		ids = append(ids, p.ID)
		for i := range p.Identifiers {
			if p.Identifiers[i].Type == c.q.Identifier.Type {
				values = append(values, p.Identifiers[i].Value)
			}
		}
	}
	near, ok := spell.Nearest(c.q.Property, ids, spell.MaxDistance)
	if ok && near != c.q.Property {
		c.suggest("ask about the property " + quote(near) + " if that is meant")
	}
	near, ok = spell.Nearest(c.q.Identifier.Value, values, spell.MaxDistance)
	if ok && near != c.q.Identifier.Value {
		c.suggest("ask about " + quote(asText(Identifier{c.q.Identifier.Type, near})) + " if that is meant")
	}
}

func asText(id Identifier) string { return id.Type + "=" + id.Value }

// subject names what was asked about.
func (c *explanation) subject() string {
	switch {
	case c.q.Property != "" && c.q.Identifier.Value != "":
		return "the property " + quote(c.q.Property) + " with the identifier " + quote(asText(c.q.Identifier))
	case c.q.Property != "":
		return "the property " + quote(c.q.Property)
	case c.q.Identifier.Value != "":
		return quote(asText(c.q.Identifier))
	}
	return "any property of " + quote(c.q.Publisher)
}

func (c *explanation) narrowed() string {
	if c.q.Property == "" && c.q.Identifier.Value == "" {
		return ""
	}
	if c.q.PropertyType != "" {
		return " that is " + c.subject() + " of type " + quote(c.q.PropertyType)
	}
	return " that is " + c.subject()
}

// sayWhoseElse is sayWhose for the properties at the top level.
func (c *explanation) sayWhoseElse() bool {
	f := c.doc.File
	t := c.said.absent(f)
	list, ok := t.candidates(f, c.q)
	if !ok {
		return c.sayWhose(f.Properties)
	}
	for _, i := range list {
		pointer := ""
		if t.numbered {
			pointer = pointerTo("properties", i)
		}
		if c.sayWhoseOne(&f.Properties[i], pointer) {
			return true
		}
	}
	return false
}

// sayLeftOutTop is sayLeftOut for the properties at the top level.
func (c *explanation) sayLeftOutTop() bool {
	f := c.doc.File
	t := c.said.absent(f)
	left := t.left
	if len(c.view().revoked) > 0 {
		list, _ := t.candidates(f, c.q)
		left = slices.Clone(left)
		for _, i := range append(list, t.odd...) {
			if c.v.holdsBack(&f.Properties[i]) {
				left = append(left, f.Properties[i].Raw)
			}
		}
		slices.SortFunc(left, func(a, b adagents.Value) int { return cmp.Compare(a.Node(), b.Node()) })
	}
	return c.sayFirst(left)
}

// ownProperties returns the properties at the top level that are the publisher's.
func (c *explanation) ownProperties() []*adagents.Property {
	whole := c.evaluation
	q := Question{Publisher: c.q.Publisher}
	whole.q, whole.found, whole.asked = &q, false, buffer[uint32]{}
	whole.findAsked(true)
	out := make([]*adagents.Property, 0, whole.asked.n)
	for _, p := range whole.asked.all() {
		out = append(out, c.property(p))
	}
	return out
}
