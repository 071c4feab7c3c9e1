package resolve

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/hostname"
)

// A FormatChoice is a format that a placement accepts.
type FormatChoice struct {
	// PublisherDomain and OptionID name the format outside the file. OptionID is
	// empty for a format declared in place without an id.
	PublisherDomain, OptionID string
	Kind                      string
	DisplayName               string
	// Params are the limits of the declaration.
	Params adagents.Value
	// Locales are the accepted languages; nil means any.
	Locales []string
	// URL is that of the document. Pointer is the option of the placement,
	// Declaration the format it refers to; they are the same for one declared in
	// place.
	URL, Pointer, Declaration string
}

// A ProductFormat is a format that a product accepts, as its seller declares it.
type ProductFormat struct {
	// PublisherDomain and OptionID together name a format of a publisher's catalog.
	// Without both, Kind is compared: an id alone is the product's own.
	PublisherDomain, OptionID string
	Kind                      string
	// Locales are the accepted languages; nil means any.
	Locales []string
}

// Formats returns the formats that a placement of the document accepts on a
// property, or on any property when none is given, and why others are left out.
// Whether anybody may sell the placement is another question: a catalog counts even
// where the file authorizes no agent. The placement is the document's publisher's;
// outside the file it is named by publisher and id together.
func Formats(doc *Document, placementID, propertyID string) ([]FormatChoice, []Reason) {
	if doc == nil {
		doc = new(Document)
	}
	c := &catalog{inquiry: inquiry{q: Question{Publisher: doc.Publisher, Property: propertyID}, doc: speaksFor(doc, doc.Publisher), budget: budget{left: maxWork}}}
	c.look(placementID)
	return c.choices(), reasonsOf(c.steps)
}

// Formats is the function of that name, for the document of a publisher. An error is a
// *QuestionError or that of the Source.
func (r *Resolver) Formats(ctx context.Context, publisher, placementID, propertyID string) ([]FormatChoice, []Reason, error) {
	domain, err := canonicalDomain("publisher", publisher)
	if err != nil {
		return nil, nil, err
	}
	if placementID == "" {
		return nil, nil, &QuestionError{"placements", "the placement is missing", "give the placement_id"}
	}
	doc, err := r.document(ctx, domain)
	if err != nil {
		return nil, nil, err
	}
	choices, reasons := Formats(doc, placementID, propertyID)
	return choices, reasons, nil
}

// A catalog gathers the formats of one placement.
type catalog struct {
	inquiry
	place *adagents.Placement
	// on are the properties the formats must fit, at least one of them.
	on    []*adagents.Property
	found []format
}

// A format is a FormatChoice whose places are not yet turned into text.
type format struct {
	choice              FormatChoice
	option, declaration adagents.Value
}

func (c *catalog) look(placementID string) {
	if _, ok := c.withoutFile(); ok {
		return
	}
	c.v = newView(c.doc)
	c.place = c.v.placement(placementID)
	if c.place == nil && c.sayPlacementLeftOut(placementID) {
		return
	}
	if c.place == nil {
		c.say("placement.unknown", c.doc.File.Raw.Get("placements"), "the file has no placement "+quote(placementID))
		return
	}
	if !c.findProperties() {
		return
	}
	for i := range c.place.FormatOptions {
		c.option(&c.place.FormatOptions[i])
	}
	c.sayDropped()
}

// findProperties finds the properties the placement runs on, or the one asked
// about if it does.
func (c *catalog) findProperties() bool {
	ids, tags := setOf(c.place.PropertyIDs), setOf(c.place.PropertyTags)
	known := false
	for i := range c.v.file.Properties {
		p := &c.v.file.Properties[i]
		if c.v.holdsBack(p) || c.q.Property != "" && (p.ID != c.q.Property || c.v.owner(p) != c.q.Publisher) {
			continue
		}
		known = true
		if meets(ids, []string{p.ID}) || meets(tags, p.Tags) {
			c.on = append(c.on, p)
		}
	}
	switch {
	case c.q.Property == "" || len(c.on) > 0:
		return true
	case known:
		c.say("placement.elsewhere", c.place.Raw, "the placement does not run on the property "+quote(c.q.Property))
	default:
		c.say("property.unknown", c.place.Raw, "the file has no property "+quote(c.q.Property)+" of "+quote(c.q.Publisher))
	}
	return false
}

func setOf(list []string) map[string]struct{} {
	set := make(map[string]struct{}, len(list))
	for _, s := range list {
		set[s] = struct{}{}
	}
	return set
}

// option adds one format of the placement: one that is declared in place, or the
// one it refers to. A reference adds to what it refers to and never replaces part
// of the declaration.
func (c *catalog) option(o *adagents.FormatOption) {
	if o.Kind != "" && !c.appliesTo(o.Raw, textsOf(o.Raw.Get("applies_to_property_ids")), textsOf(o.Raw.Get("applies_to_property_tags"))) {
		c.say("format.not_on_property", o.Raw, "the format is for other properties")
		return
	}
	if o.Kind != "" {
		c.add(o, o.Raw, FormatChoice{Kind: o.Kind, DisplayName: o.DisplayName, Params: o.Params}, o.PublisherDomain, nil)
		return
	}
	i := slices.IndexFunc(c.v.file.Formats, func(f adagents.FormatDeclaration) bool { return f.OptionID == o.OptionID })
	if i < 0 || o.OptionID == "" {
		c.say("format.unresolved", o.Raw, "the file declares no format "+quote(o.OptionID))
		return
	}
	f := &c.v.file.Formats[i]
	switch {
	case !c.appliesTo(f.Raw, f.AppliesToPropertyIDs, f.AppliesToPropertyTags):
		c.say("format.not_on_property", o.Raw, "the format "+quote(f.OptionID)+" is for other properties")
	case !c.inChannel(f.AppliesToChannels):
		c.say("format.other_channel", o.Raw, "the format "+quote(f.OptionID)+" is for other channels than the placement's")
	default:
		name := o.DisplayName
		if name == "" {
			name = f.DisplayName
		}
		c.add(o, f.Raw, FormatChoice{Kind: f.Kind, DisplayName: name, Params: f.Params}, f.PublisherDomain, localesOf(f.LocalePolicy))
	}
}

func (c *catalog) add(o *adagents.FormatOption, declaration adagents.Value, choice FormatChoice, publisher string, locales []string) {
	if !c.inChannel(o.AppliesToChannels) {
		c.say("format.other_channel", o.Raw, "the format is for other channels than the placement's")
		return
	}
	locales, ok := narrow(locales, localesOf(o.LocalePolicy))
	if !ok {
		c.say("format.no_locale", o.Raw, "the placement and the format have no language in common")
		return
	}
	choice.PublisherDomain, choice.OptionID, choice.Locales, choice.URL = c.q.Publisher, o.OptionID, locales, c.doc.URL
	name, _, err := hostname.Canonical(publisher)
	if err == nil {
		choice.PublisherDomain = name
	}
	c.found = append(c.found, format{choice, o.Raw, declaration})
}

// appliesTo reports whether a format, declared at a place with the given ids and tags,
// fits one of the properties. Without any scope it fits all; with one, an id or a tag
// is enough. A scope that is written and empty is still one.
func (c *catalog) appliesTo(declaration adagents.Value, ids, tags []string) bool {
	if len(ids)+len(tags) == 0 && !declaration.Has("applies_to_property_ids") && !declaration.Has("applies_to_property_tags") {
		return true
	}
	byID, byTag := hasID(ids), hasTag(tags)
	return slices.ContainsFunc(c.on, func(p *adagents.Property) bool { return byID(p) || byTag(p) })
}

// textsOf returns the strings of a list.
func textsOf(list adagents.Value) []string {
	var out []string
	for _, v := range list.Elems() {
		if v.Is(adagents.String) {
			out = append(out, v.Str())
		}
	}
	return out
}

// inChannel compares channels where both sides name some.
func (c *catalog) inChannel(list []string) bool {
	return len(list) == 0 || len(c.place.Channels) == 0 ||
		slices.ContainsFunc(list, func(s string) bool { return slices.Contains(c.place.Channels, s) })
}

// sayDropped mentions options that fell out when the file was read, and ids that
// are declared more than once, where the first declaration counts.
func (c *catalog) sayDropped() {
	options := c.place.Raw.Get("format_options")
	if n := options.Len() - len(c.place.FormatOptions); n > 0 {
		c.say("format.unresolved", options, strconv.Itoa(n)+" of the placement's formats cannot be used: they refer to no usable declaration or are faulty")
	}
	seen := make(map[string]bool)
	for _, v := range c.doc.File.Raw.Get("formats").Elems() {
		id := v.Get("format_option_id").Str()
		if seen[id] && slices.ContainsFunc(c.found, func(f format) bool { return f.choice.OptionID == id && f.option.Node() != f.declaration.Node() }) {
			c.say("format.declared_again", v, "the format "+quote(id)+" is declared again; the first declaration counts")
		}
		seen[id] = seen[id] || id != ""
	}
}

func (c *catalog) choices() []FormatChoice {
	at := make([]adagents.Value, 0, 2*len(c.found))
	for i := range c.found {
		at = append(at, c.found[i].option, c.found[i].declaration)
	}
	places := locate(at)
	var out []FormatChoice
	for i := range c.found {
		choice := c.found[i].choice
		choice.Pointer, choice.Declaration = places[2*i], places[2*i+1]
		out = append(out, choice)
	}
	return out
}

func localesOf(p *adagents.LocalePolicy) []string {
	if p == nil {
		return nil
	}
	return p.AcceptedLanguageRanges
}

// narrow returns the languages that both sides accept, and false when there are
// none. Where one side says nothing, the other decides. A range covers the longer
// tags that start with it.
func narrow(a, b []string) ([]string, bool) {
	if len(a) == 0 {
		return b, true
	}
	if len(b) == 0 {
		return a, true
	}
	var out []string
	for _, x := range a {
		for _, y := range b {
			switch {
			case covers(x, y):
				out = union(out, []string{y})
			case covers(y, x):
				out = union(out, []string{x})
			}
		}
	}
	return out, len(out) > 0
}

func covers(rangeTag, tag string) bool {
	return len(tag) >= len(rangeTag) && strings.EqualFold(rangeTag, tag[:len(rangeTag)]) &&
		(len(tag) == len(rangeTag) || tag[len(rangeTag)] == '-')
}

// Intersect returns the formats of a placement that a product accepts too: these can
// be bought. A format that only the catalog has is not accepted by the product. The
// limits that the product declares apply besides those of the catalog; where several
// formats of the product accept one, the languages of each are accepted.
func Intersect(catalog []FormatChoice, product []ProductFormat) []FormatChoice {
	var out []FormatChoice
	for _, choice := range catalog {
		locales, ok := productLocales(&choice, product)
		if ok {
			choice.Locales = locales
			out = append(out, choice)
		}
	}
	return out
}

// productLocales returns the languages in which a product accepts a format, nil for
// any, and false when it does not accept it.
func productLocales(choice *FormatChoice, product []ProductFormat) ([]string, bool) {
	var out []string
	accepted := false
	for i := range product {
		if !accepts(&product[i], choice) {
			continue
		}
		locales, ok := narrow(choice.Locales, product[i].Locales)
		switch {
		case !ok:
		case len(locales) == 0:
			return nil, true
		default:
			out, accepted = union(out, locales), true
		}
	}
	return out, accepted
}

func accepts(p *ProductFormat, c *FormatChoice) bool {
	if p.OptionID != "" && p.PublisherDomain != "" {
		name, _, err := hostname.Canonical(p.PublisherDomain)
		return err == nil && name == c.PublisherDomain && p.OptionID == c.OptionID && (p.Kind == "" || p.Kind == c.Kind)
	}
	// A custom format is known by its id only.
	return p.Kind == c.Kind && p.Kind != "" && p.Kind != "custom"
}
