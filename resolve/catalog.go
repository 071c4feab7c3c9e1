package resolve

import (
	"context"
	"slices"
	"strconv"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/langtag"
)

// A FormatChoice is a format that a placement accepts.
type FormatChoice struct {
	// PublisherDomain and OptionID name the format outside the file. OptionID is
	// empty for a format declared in place without an id.
	PublisherDomain, OptionID string
	Kind                      string
	DisplayName               string
	// Params are the limits of the declaration, and Format is all of it.
	Params, Format adagents.Value
	// Channels and Locales are the accepted channels and languages; nil means any.
	Channels, Locales []string
	// URL is the document's. Pointer is the option of the placement, Declaration the
	// format it refers to; they are the same for one declared in place.
	URL, Pointer, Declaration string
}

// A FormatCatalog is what the file of a publisher says about the formats of one of its
// placements. What a product adds to that is the business of package formats.
type FormatCatalog struct {
	Publisher, PlacementID string
	// Placement is nil when the file has no such placement that can be used, or not on
	// the property asked about: nothing is known about it then.
	Placement *adagents.Placement
	// Limited is set when the file says which formats the placement accepts, even if
	// none of them can be used. Without it the file leaves the choice to the product.
	Limited bool
	Formats []FormatChoice
	// Mirror is the URL of the mirror that this is from; empty for the publisher's own
	// word.
	Mirror string
	// Reasons say why other formats, or all of them, are left out.
	Reasons []Reason
}

// Formats returns the formats that a placement of the document accepts on a
// property, or on any property when none is given: those it lists or, when it lists
// none, those that the file declares for its properties.
// Whether anybody may sell the placement is another question: a catalog counts even
// where the file authorizes no agent. The placement is the document's publisher's;
// outside the file it is named by publisher and id together.
func Formats(doc *Document, placementID, propertyID string) *FormatCatalog {
	c := newCatalog(doc, propertyID)
	c.own = c.doc
	c.doc = catalogOf(c.doc, placementID)
	c.visit(placementID)
	return c.result(placementID)
}

// FormatsOfAll returns the formats of every placement of a document, in the order of the
// file, and then those of placements that only its mirror has, where that may answer. The
// error is a *LimitError.
func FormatsOfAll(doc *Document) ([]*FormatCatalog, error) {
	if doc == nil {
		return nil, nil
	}
	c := newCatalog(doc, "")
	c.own = c.doc
	out, err := c.all(nil)
	mirror := c.own.formatsFrom()
	if err != nil || mirror == c.own {
		return out, err
	}
	c.doc, c.v, c.byID = mirror, nil, nil
	return c.all(out)
}

// all adds the formats of every placement of the document that the publisher does not
// declare itself, or that is the publisher's own.
func (c *catalog) all(out []*FormatCatalog) ([]*FormatCatalog, error) {
	if c.doc.State != Usable || c.doc.File == nil {
		return out, nil
	}
	foreign := c.doc != c.own && c.own.State == Usable
	for i := range c.doc.File.Placements {
		c.placement, c.on, c.limited, c.found, c.steps = nil, nil, false, nil, nil
		id := c.doc.File.Placements[i].ID
		if foreign && declaresPlacement(c.own, id) {
			continue
		}
		c.visit(id)
		if !c.spend(costListed) {
			return nil, &LimitError{"the formats of all placements of this file are too many to list", "ask about one placement"}
		}
		out = append(out, c.result(id))
	}
	return out, nil
}

// DeclaredFormats returns the formats at the top level of a document or, if it has none,
// of its mirror, whatever they apply to. The first declaration of an id is used.
func DeclaredFormats(doc *Document) []FormatChoice {
	if doc == nil {
		return nil
	}
	doc = doc.formatsFrom()
	if doc.State != Usable || doc.File == nil {
		return nil
	}
	c := newCatalog(doc, "")
	c.v, c.placement = newView(c.doc), new(adagents.Placement)
	for i := range doc.File.Formats {
		f := &doc.File.Formats[i]
		if f.OptionID == "" || c.declaration(f.OptionID) == i {
			c.declared(f, f.Raw, nil)
		}
	}
	return c.choices()
}

func newCatalog(doc *Document, propertyID string) *catalog {
	if doc == nil {
		doc = new(Document)
	}
	c := &catalog{explanation: explanation{question: Question{Publisher: doc.Publisher, Property: propertyID},
		doc: speaksFor(doc, doc.Publisher)}}
	c.left, c.q = maxWork, &c.question
	return c
}

// Formats is the function of that name, for the document of a publisher. An error is a
// *QuestionError or the Source's.
func (r *Resolver) Formats(ctx context.Context, publisher, placementID, propertyID string) (*FormatCatalog, error) {
	domain, err := canonicalDomain("publisher", publisher)
	if err != nil {
		return nil, err
	}
	if placementID == "" {
		return nil, &QuestionError{"placements", "the placement is missing", "give the placement_id"}
	}
	doc, err := r.document(ctx, domain)
	if err != nil {
		return nil, err
	}
	return Formats(doc, placementID, propertyID), nil
}

func (c *catalog) visit(placementID string) {
	if _, ok := c.withoutFile(); ok {
		return
	}
	if c.v == nil {
		c.v = newView(c.doc)
	}
	if c.doc != c.own {
		c.say("format.from_mirror", c.doc.File.Raw.Get("formats"),
			"the publisher declares no formats; those of the community mirror at "+c.doc.URL+" are shown")
	}
	c.sayMirror(c.own)
	c.placement = c.v.placement(placementID)
	if c.placement == nil && c.sayPlacementLeftOut(placementID) {
		return
	}
	if c.placement == nil {
		c.say("placement.unknown", c.doc.File.Raw.Get("placements"), "the file has no placement "+quote(placementID))
		return
	}
	if !c.findProperties() {
		c.placement = nil
		return
	}
	if !c.placement.Raw.Has("format_options") && len(c.placement.FormatOptions) == 0 {
		c.applicable()
		return
	}
	c.limited = true
	for i := range c.placement.FormatOptions {
		c.option(&c.placement.FormatOptions[i])
	}
	c.sayDropped()
}

// applicable adds the formats that the file declares for the placement's properties. One
// that is left out because of a fault, or may be meant for a property that is, limits
// the placement all the same.
func (c *catalog) applicable() {
	listed := c.doc.File.Raw.Get("formats")
	c.limited = listed.Exists() && !listed.Is(adagents.Array)
	known := len(c.on) > 0 && len(c.v.file.Properties) == c.v.file.Raw.Get("properties").Len()
	usable := c.v.file.Formats
	for _, raw := range listed.Elems() {
		var f *adagents.FormatDeclaration
		if len(usable) > 0 && usable[0].Raw.Node() == raw.Node() {
			f, usable = &usable[0], usable[1:]
		}
		applies := c.appliesTo(raw, textsOf(raw.Get("applies_to_property_ids")), textsOf(raw.Get("applies_to_property_tags")))
		switch {
		case applies && f == nil:
			c.limited = true
			c.say("format.left_out", raw, "a format that the file declares for the placement has errors, so it is ignored")
		case applies && c.again(f):
			c.say("format.declared_again", raw,
				"the format "+quote(f.OptionID)+" is declared again; the first declaration is used")
		case applies:
			c.limited = true
			c.declared(f, raw, nil)
		case !known:
			c.limited = true
			c.say("format.scope_unknown", raw,
				"whether the format is for the placement is not known: the file has properties that are ignored")
		}
	}
}

// again reports whether a format has the id of one before.
func (c *catalog) again(f *adagents.FormatDeclaration) bool {
	i := c.declaration(f.OptionID)
	return f.OptionID != "" && (i < 0 || &c.v.file.Formats[i] != f)
}

// declaration returns the index of the format with an id, or -1.
func (c *catalog) declaration(id string) int {
	if id == "" {
		return -1
	}
	if c.byID == nil {
		c.byID = declarations(c.v.file)
	}
	i, ok := c.byID[id]
	if !ok {
		return -1
	}
	return i
}

// declarations returns the index of the first format with each id, -1 for one that is
// left out: a later one does not stand in for it.
func declarations(f *adagents.File) map[string]int {
	out := make(map[string]int, len(f.Formats))
	next := 0
	for _, raw := range f.Raw.Get("formats").Elems() {
		i := -1
		if next < len(f.Formats) && f.Formats[next].Raw.Node() == raw.Node() {
			i = next
			next++
		}
		id := raw.Get("format_option_id").Str()
		if _, ok := out[id]; !ok {
			out[id] = i
		}
	}
	return out
}

// findProperties finds the properties the placement runs on, or the one asked
// about if it does.
func (c *catalog) findProperties() bool {
	ids, tags := setOf(c.placement.PropertyIDs), setOf(c.placement.PropertyTags)
	known := false
	c.spend(len(c.v.file.Properties))
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
		c.say("placement.elsewhere", c.placement.Raw, "the placement does not run on the property "+quote(c.q.Property))
	default:
		c.say("property.unknown", c.placement.Raw,
			"the file has no property "+quote(c.q.Property)+" of "+quote(c.q.Publisher))
	}
	return false
}

// option adds one format of the placement: one that is declared in place, or the
// one it refers to. A reference adds to what it refers to and never replaces part
// of the declaration.
func (c *catalog) option(o *adagents.FormatOption) {
	if o.Kind != "" {
		if !c.appliesTo(o.Raw, textsOf(o.Raw.Get("applies_to_property_ids")),
			textsOf(o.Raw.Get("applies_to_property_tags"))) {
			c.say("format.not_on_property", o.Raw, "the format is for other properties")
			return
		}
		c.add(FormatChoice{OptionID: o.OptionID, PublisherDomain: o.PublisherDomain, Kind: o.Kind, DisplayName: o.DisplayName,
			Params: o.Params}, o.Raw, o.Raw)
		return
	}
	i := c.declaration(o.OptionID)
	if i < 0 {
		c.say("format.unresolved", o.Raw, "the file declares no usable format "+quote(o.OptionID))
		return
	}
	f := &c.v.file.Formats[i]
	if !c.appliesTo(f.Raw, f.AppliesToPropertyIDs, f.AppliesToPropertyTags) {
		c.say("format.not_on_property", o.Raw, "the format "+quote(f.OptionID)+" is for other properties")
		return
	}
	c.declared(f, o.Raw, o)
}

// declared adds a format of the file, which a placement may refer to with an option.
func (c *catalog) declared(f *adagents.FormatDeclaration, at adagents.Value, o *adagents.FormatOption) {
	name := f.DisplayName
	if o != nil && o.DisplayName != "" {
		name = o.DisplayName
	}
	c.add(FormatChoice{OptionID: f.OptionID, PublisherDomain: f.PublisherDomain, Kind: f.Kind, DisplayName: name,
		Params: f.Params}, at, f.Raw)
}

// add adds a format, unless no channel or no language is left. The option is where the
// placement names it.
func (c *catalog) add(choice FormatChoice, option, declaration adagents.Value) {
	channels := limitOf(c.placement.Raw, "channels")
	for _, v := range []adagents.Value{declaration, option} {
		channels = narrowed(channels, limitOf(v, "applies_to_channels"))
	}
	if channels != nil && len(channels) == 0 {
		c.say("format.other_channel", option, "the format is for other channels than the placement's")
		return
	}
	locales, ok := localesOf(declaration)
	more, also := localesOf(option)
	if ok && also {
		locales, ok = langtag.Narrow(locales, more)
	}
	if !ok || !also {
		c.say("format.no_locale", option, "the placement and the format have no language in common")
		return
	}
	domain := c.q.Publisher
	name, _, err := hostname.Canonical(choice.PublisherDomain)
	if err == nil {
		domain = name
	}
	choice.PublisherDomain, choice.Channels, choice.Locales, choice.URL, choice.Format = domain, channels, locales,
		c.doc.URL, declaration
	c.found = append(c.found, format{choice, option, declaration})
}

// sayDropped mentions options that fell out when the file was read, and ids that
// are declared more than once, where the first declaration counts.
func (c *catalog) sayDropped() {
	options := c.placement.Raw.Get("format_options")
	if n := options.Len() - len(c.placement.FormatOptions); n > 0 {
		c.say("format.unresolved", options,
			strconv.Itoa(n)+" of the placement's formats cannot be used: they refer to no usable declaration or are faulty")
	}
	seen := make(map[string]bool)
	for _, v := range c.doc.File.Raw.Get("formats").Elems() {
		id := v.Get("format_option_id").Str()
		if seen[id] && slices.ContainsFunc(c.found, func(f format) bool {
			return f.choice.OptionID == id && f.option.Node() != f.declaration.Node()
		}) {
			c.say("format.declared_again", v, "the format "+quote(id)+" is declared again; the first declaration is used")
		}
		seen[id] = seen[id] || id != ""
	}
}

// result returns what was found.
func (c *catalog) result(id string) *FormatCatalog {
	out := &FormatCatalog{
		Publisher: c.q.Publisher, PlacementID: id, Placement: c.placement, Limited: c.limited, Formats: c.choices(),
		Reasons: reasonsOf(c.steps),
	}
	if c.doc != c.own {
		out.Mirror = c.doc.URL
	}
	return out
}

func (c *catalog) choices() []FormatChoice {
	at := make([]adagents.Value, 0, 2*len(c.found))
	for i := range c.found {
		at = append(at, c.found[i].option, c.found[i].declaration)
	}
	pointers := jsontree.Locate(at)
	var out []FormatChoice
	for i := range c.found {
		choice := c.found[i].choice
		choice.Pointer, choice.Declaration = pointers[2*i], pointers[2*i+1]
		out = append(out, choice)
	}
	return out
}

// localesOf returns the languages that a declaration or an option is limited to, none
// for any, and false when it is limited to nothing that can be read.
func localesOf(v adagents.Value) ([]string, bool) {
	if !v.Has("locale_policy") {
		return nil, true
	}
	tags := slices.DeleteFunc(textsOf(v.Get("locale_policy").Get("accepted_language_ranges")), func(s string) bool {
		return !langtag.LooksLikeBCP47(s)
	})
	return tags, len(tags) > 0
}

// limitOf returns the texts of a member that limits something: nil when it is absent. One
// that is there and cannot be read leaves nothing.
func limitOf(owner adagents.Value, member string) []string {
	if !owner.Has(member) {
		return nil
	}
	return append([]string{}, textsOf(owner.Get(member))...)
}

// narrowed returns what two limits leave, nil for everything.
func narrowed(a, b []string) []string {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return !slices.Contains(b, s) })
}

// appliesTo reports whether a format, declared at a place with the given ids and tags,
// fits one of the properties. Without any scope it fits all; with one, an id or a tag
// is enough. A scope that is written and empty is still one.
func (c *catalog) appliesTo(declaration adagents.Value, ids, tags []string) bool {
	if len(ids)+len(tags) == 0 && !declaration.Has("applies_to_property_ids") &&
		!declaration.Has("applies_to_property_tags") {
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

// A catalog gathers the formats of one placement.
type catalog struct {
	explanation
	// own is the publisher's own document, doc the one that is read: it, or its mirror.
	own       *Document
	placement *adagents.Placement
	// on are the properties the formats must fit, at least one of them.
	on []*adagents.Property
	// limited is set when the file says which formats the placement accepts.
	limited bool
	found   []format
	// byID has the index of each format of the file.
	byID map[string]int
}

// A format is a FormatChoice whose places are not yet turned into text.
type format struct {
	choice              FormatChoice
	option, declaration adagents.Value
}
