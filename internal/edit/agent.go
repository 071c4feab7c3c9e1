package edit

import (
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/std/words"
)

// An Agent is an agent to add.
type Agent struct {
	URL, AuthorizedFor string
	// Exactly one of these says what it may sell: ids or tags of properties of the file,
	// publishers with all that they have, or another agent whose scope it gets.
	PropertyIDs, PropertyTags, Publishers []string
	Like                                  string
	// These may be empty.
	Delegation  string
	Countries   []string
	Until       time.Time
	SigningKeys []Key
}

// AddAgent adds an entry for an agent, unless it has one with the same scope.
func (d *Draft) AddAgent(a Agent) error {
	scope, err := d.scope(&a)
	if err != nil {
		return err
	}
	kind, name, value := scope[0], scope[1], scope[2]
	for _, entry := range d.entries(a.URL) {
		v := entry.Get(name)
		if entry.Get("authorization_type").Str() == kind && v.Exists() && sameText(d.Source(v), value) {
			d.note("%s has an entry with that scope already", a.URL)
			return nil
		}
	}
	members := []string{
		"url", jsonedit.String(a.URL), "authorized_for", jsonedit.String(a.AuthorizedFor),
		"authorization_type", jsonedit.String(kind), name, value,
	}
	if a.Delegation != "" {
		members = append(members, "delegation_type", jsonedit.String(a.Delegation))
	}
	if len(a.Countries) > 0 {
		members = append(members, "countries", d.List(jsonedit.Strings(a.Countries)...))
	}
	if !a.Until.IsZero() {
		members = append(members, "effective_until", jsonedit.String(stamp(a.Until)))
	}
	if len(a.SigningKeys) > 0 {
		var keys []string
		for i := range a.SigningKeys {
			keys = append(keys, a.SigningKeys[i].text(d))
		}
		members = append(members, "signing_keys", d.List(keys...))
	}
	d.appendTo(d.root, "authorized_agents", []string{d.Object(members...)})
	return nil
}

// scope returns the authorization_type of an agent, the member that goes with it, and its value.
func (d *Draft) scope(a *Agent) ([3]string, error) {
	switch {
	case len(a.PropertyIDs) > 0:
		return [3]string{"property_ids", "property_ids", d.List(jsonedit.Strings(a.PropertyIDs)...)}, nil
	case len(a.PropertyTags) > 0:
		return [3]string{"property_tags", "property_tags", d.List(jsonedit.Strings(a.PropertyTags)...)}, nil
	case len(a.Publishers) > 0:
		selector := d.Object("publisher_domains", d.List(jsonedit.Strings(a.Publishers)...), "selection_type",
			jsonedit.String("all"))
		return [3]string{"publisher_properties", "publisher_properties", d.List(selector)}, nil
	}
	entries := d.entries(a.Like)
	if len(entries) != 1 {
		return [3]string{}, problem(d.agentsNamed(), "the file has %s of %s, and the scope of one is to be taken over",
			words.Plural(len(entries), "entry", "entries"), a.Like)
	}
	kind := entries[0].Get("authorization_type").Str()
	name := kind
	if kind == "inline_properties" {
		name = "properties"
	}
	v := entries[0].Get(name)
	if !v.Exists() {
		return [3]string{}, problem("avow validate says what is wrong with it",
			"the entry of %s has no scope that can be taken over", a.Like)
	}
	return [3]string{kind, name, oneLine(d, v)}, nil
}

// oneLine writes a value in one line.
func oneLine(d *Draft, v adagents.Value) string {
	switch v.Kind() {
	case adagents.Object:
		var members []string
		for m := range v.Members() {
			members = append(members, m.Name(), oneLine(d, m.Value()))
		}
		return d.Object(members...)
	case adagents.Array:
		var texts []string
		for _, e := range v.Elems() {
			texts = append(texts, oneLine(d, e))
		}
		return d.List(texts...)
	}
	return d.Source(v)
}

// RetireAgent removes the entries of an agent or, with a time, lets them end then.
func (d *Draft) RetireAgent(url string, until time.Time) {
	entries := d.entries(url)
	if len(entries) == 0 {
		d.note("no entry names %s: there is nothing to do; %s", url, d.agentsNamed())
		return
	}
	if until.IsZero() {
		d.add(d.RemoveAll(entries...)...)
		return
	}
	for _, entry := range entries {
		v := entry.Get("effective_until")
		switch {
		case !v.Exists():
			d.add(d.AddMember(entry, "effective_until", jsonedit.String(stamp(until))))
		case v.Str() != stamp(until):
			d.add(d.Replace(v, jsonedit.String(stamp(until))))
		}
	}
	if len(d.edits) == 0 {
		d.note("the entries of %s end at %s already", url, stamp(until))
	}
}

// MovePointer lets a pointer lead to another URL.
func (d *Draft) MovePointer(to string) {
	v := d.root.Get("authoritative_location")
	if sameURL(v.Str(), to) {
		d.note("the pointer leads to %s already", to)
		return
	}
	d.add(d.Replace(v, jsonedit.String(to)))
}
