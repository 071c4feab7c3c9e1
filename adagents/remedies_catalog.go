package adagents

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/formatkind"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/iso3166"
	"github.com/avow-project/avow/internal/std/spell"
)

// The remedies of collections, placements, formats and signals.

// onlyPlacement makes a placement on the only property of a file of a text.
func onlyPlacement(x fixing, text string) []string {
	if len(x.file.Properties) != 1 {
		return nil
	}
	members := idAndName("placement_id")(x, text)
	if members == nil {
		return nil
	}
	return append(members, "property_ids", x.List(jsonedit.String(x.file.Properties[0].ID)))
}

// linkToProperties lets the author choose the property that a placement is on.
var linkToProperties = remedy{Choice, func(x fixing) []Fix {
	var ids []string
	for i := range x.file.Properties {
		if p := &x.file.Properties[i]; !p.effect.gone() && !blank(p.ID) && len(ids) <= maxOffers {
			ids = append(ids, p.ID)
		}
	}
	if len(ids) > maxOffers || x.at.Has("property_ids") {
		return nil
	}
	return x.offer(ids, func(id string) (string, []Edit) {
		return "put the placement on the property " + whole(id),
			[]Edit{x.AddMember(x.at, "property_ids", x.List(jsonedit.String(id)))}
	})
}}

// nearestOf writes the name of a name space that was probably meant.
func nearestOf(kind FixKind, in nameSpace) remedy {
	return rewriteText(kind, func(x fixing, text string) (string, bool) {
		if id := idFrom(text); id != text {
			if _, ok := slices.BinarySearch(x.index.names(in), id); ok {
				return id, true
			}
		}
		return x.nearest(in, text)
	})
}

// formatByName finds the format that an option without an id is named after.
var formatByName = remedy{Likely, func(x fixing) []Fix {
	name := x.owner().Get("display_name").Str()
	if !x.spend(len(x.file.Formats)) {
		return nil
	}
	found := ""
	for i := range x.file.Formats {
		f := &x.file.Formats[i]
		if blank(name) || blank(f.OptionID) || !strings.EqualFold(f.Raw.Get("display_name").Str(), name) &&
			f.OptionID != idFrom(name) {
			continue
		}
		if found != "" {
			return nil
		}
		found = f.OptionID
	}
	if found == "" {
		return nil
	}
	return x.set("format_option_id", jsonedit.String(found))
}}

// optionID takes capability_id for the id of a format, unless there is one.
var optionID = remedy{Likely, func(x fixing) []Fix {
	if x.owner().Has("format_option_id") || !x.at.Is(String) {
		return x.as(Safe, "remove capability_id", x.Remove(x.at))
	}
	return x.as(Likely, "rename capability_id to format_option_id", x.Rename(x.at, "format_option_id"))
}}

// legacyFormats takes format_ids for format options where they name formats of the file, and
// removes them where the placement has options.
var legacyFormats = remedy{Likely, func(x fixing) []Fix {
	if x.owner().Has("format_options") {
		return x.one("remove format_ids", x.Remove(x.at))
	}
	var options []string
	for _, v := range x.at.Elems() {
		if _, ok := x.index.formats[v.Str()]; !ok {
			return nil
		}
		options = append(options, x.Object("format_option_id", v.Text()))
	}
	if len(options) == 0 {
		return nil
	}
	return x.one("write format_ids as format_options", x.Rename(x.at, "format_options"),
		x.Replace(x.at, x.List(options...)))
}}

// inlineFormat puts a format right that is declared in place.
var inlineFormat = remedy{Likely, func(x fixing) []Fix {
	if x.at.Is(Object) && !x.at.Has("params") && x.at.Has("format_kind") {
		x.missing = "params"
		return emptyParams.make(x)
	}
	return formFixes(x)
}}

// emptyParams adds params that limit nothing to a kind that needs none.
var emptyParams = remedy{Likely, func(x fixing) []Fix {
	table := model.Params()[x.at.Get("format_kind").Str()]
	if x.missing != "params" || table == nil || slices.ContainsFunc(table.Fields, func(f model.Field) bool {
		return f.Required
	}) {
		return nil
	}
	return x.one("add params that limit nothing", x.AddMember(x.at, "params", "{}"))
}}

// kindFromText declares the format of the kind that a text names.
func kindFromText(_ fixing, text string) []string {
	if table := model.Params()[text]; table == nil || slices.ContainsFunc(table.Fields, func(f model.Field) bool {
		return f.Required
	}) {
		return nil
	}
	return []string{"format_kind", jsonedit.String(text), "params", "{}"}
}

// paramsFromText reads a size that is written as a text.
var paramsFromText = remedy{Likely, func(x fixing) []Fix {
	if x.at.Is(Null) {
		return x.one("write params that limit nothing", x.Replace(x.at, "{}"))
	}
	width, height, ok := strings.Cut(strings.ToLower(x.at.Str()), "x")
	w, ok1 := numberIn(width, true)
	h, ok2 := numberIn(height, true)
	table := model.Params()[x.owner().Get("format_kind").Str()]
	if !ok || !ok1 || !ok2 || table == nil || table.Field("width") == nil {
		return nil
	}
	return x.one("write "+w+" by "+h+" as width and height", x.Replace(x.at, x.Object("width", w, "height", h)))
}}

// kindFromParams offers the kinds that the params suit.
var kindFromParams = remedy{Choice, func(x fixing) []Fix {
	owner := x.owner()
	var kinds []string
	for _, kind := range model.FormatKinds {
		if table := model.Params()[kind]; table != nil && kind != formatkind.Coordinated &&
			suits(owner.Get("params"), table) {
			kinds = append(kinds, jsonedit.String(kind))
		}
	}
	return x.offer(kinds, func(kind string) (string, []Edit) {
		return "write format_kind: " + kind, x.set("format_kind", kind)[0].Edits
	})
}}

// suits reports whether params have nothing that a kind does not know or allow.
func suits(params Value, table *model.ObjectType) bool {
	for m := range params.Members() {
		if table.Field(m.Name()) == nil {
			return false
		}
	}
	ok := params.Is(Object)
	conform.Check(params, &model.Type{Kind: model.Object, Object: table}, func(conform.Problem) { ok = false })
	return ok
}

// publisherOrID names a format after its display_name, or removes the domain that says no
// more than the file itself.
var publisherOrID = remedy{Likely, func(x fixing) []Fix {
	if fixes := idFromName("format_option_id").make(x); fixes != nil {
		return fixes
	}
	return x.one("remove publisher_domain", x.Remove(x.owner().Get("publisher_domain")))
}}

// eitherOf lets the author choose which of several members of an object stays. Some may be
// of the same sort, and go or stay together.
func (x fixing) eitherOf(owner Value, sorts ...[]string) []Fix {
	var fixes []Fix
	for _, keep := range sorts {
		if !slices.ContainsFunc(keep, owner.Has) {
			continue
		}
		var gone []Value
		for _, sort := range sorts {
			for _, name := range sort {
				if v := owner.Get(name); v.Exists() && !slices.Contains(keep, name) {
					gone = append(gone, v)
				}
			}
		}
		if edits := x.RemoveAll(gone...); edits != nil {
			fixes = append(fixes, Fix{Title: "keep " + listed(present(owner, keep)), Kind: Choice, Edits: edits})
		}
	}
	return fixes
}

func present(owner Value, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !owner.Has(name) })
}

// countryCode writes the code of a country that is written in another way.
func countryCode(kind FixKind) remedy {
	return rewriteText(kind, func(_ fixing, text string) (string, bool) {
		code := iso3166.Suggest(text).Code
		return code, code != ""
	})
}

// shortName moves a name that is too long to the description, and names the signal after
// its id.
var shortName = remedy{Likely, func(x fixing) []Fix {
	owner := x.owner()
	id := owner.Get("id").Str()
	if blank(id) || owner.Has("description") {
		return nil
	}
	return x.one("name the signal after its id and keep the text as description",
		x.Rename(x.at, "description"), x.AddMember(owner, "name", jsonedit.String(wordsOf(id))))
}}

// valueType writes the value_type that a signal's other members tell of, or offers all.
var valueType = remedy{Likely, func(x fixing) []Fix {
	if x.missing == "" {
		if fixes := nearestWord(valueTypeWords, model.SignalValueTypes).make(x); fixes != nil {
			return fixes
		}
	}
	switch owner := x.owner(); {
	case owner.Has("allowed_values"):
		return x.set("value_type", `"categorical"`)
	case owner.Has("range"):
		return x.set("value_type", `"numeric"`)
	}
	return x.offer(jsonedit.Strings(model.SignalValueTypes), func(text string) (string, []Edit) {
		return "write value_type: " + text, x.set("value_type", text)[0].Edits
	})
}}

// signalFromText offers the three sorts of signals for a bare id.
var signalFromText = remedy{Choice, func(x fixing) []Fix {
	members := idAndName("id")(x, x.at.Str())
	if members == nil {
		return nil
	}
	return x.offer(jsonedit.Strings(model.SignalValueTypes), func(text string) (string, []Edit) {
		object := x.Object(append(slices.Clone(members), "value_type", text)...)
		return "write " + quote(x.at.Str()) + " as a signal of value_type " + text, []Edit{x.Replace(x.at, object)}
	})
}}

// ageRestricted says that a signal is restricted by age, as its predicate does.
var ageRestricted = remedy{Safe, func(x fixing) []Fix {
	if x.missing != "" {
		return x.set(x.missing, x.List(`"age"`))
	}
	list := x.owner().Get("restricted_attributes")
	if x.at.Is(Array) {
		list = x.at
	}
	if !list.Is(Array) {
		return nil
	}
	return x.one(`add "age" to restricted_attributes`, x.Append(list, `"age"`))
}}

// onlyMapping maps the only allowed value to the only node of a taxonomy.
var onlyMapping = addMember(Likely, func(x fixing) (string, bool) {
	values, nodes := x.Parent(x.at).Get("allowed_values"), x.at.Get("values")
	value, id := values.Index(0), nodes.Index(0).Get("id")
	if values.Len() != 1 || nodes.Len() != 1 || !value.Is(String) || !id.Is(String) {
		return "", false
	}
	return x.List(x.Object("value", value.Text(), "taxonomy_value_id", id.Text())), true
})

// optionFromText refers to the format that a text names.
func optionFromText(x fixing, text string) []string {
	if _, ok := x.index.formats[text]; ok {
		return []string{"format_option_id", jsonedit.String(text)}
	}
	return kindFromText(x, text)
}

// unlistedRoute writes the format option of the placement that a route was probably meant
// for, or removes the route, and the provider with its last one.
var unlistedRoute = remedy{Likely, func(x fixing) []Fix {
	route := x.owner()
	list := x.Parent(route)
	provider := x.Parent(list)
	options := x.Parent(provider).Get("format_options")
	if !x.spend(options.Len() + x.Parent(provider).Len()) {
		return nil
	}
	var ids []string
	for _, o := range options.Elems() {
		if id := o.Get("format_option_id").Str(); id != "" {
			ids = append(ids, id)
		}
	}
	if near, ok := spell.Nearest(x.at.Str(), ids, spell.MaxDistance); ok {
		return x.one("write "+whole(near), x.Replace(x.at, jsonedit.String(near)))
	}
	if list.Len() > 1 {
		return x.one("remove the route, which is never used", x.Remove(route))
	}
	return x.one("remove the provider, whose only route is never used", x.Remove(provider))
}}

// canonicalOnly says that a format has no older form.
var canonicalOnly = remedy{Likely, func(x fixing) []Fix {
	format := x.owner()
	switch v := format.Get("canonical_formats_only"); {
	case format.Has("v1_format_ref"):
		return x.as(Choice, "remove locale_policy", x.Remove(x.at))
	case v.Exists():
		return x.one("write canonical_formats_only: true", x.Replace(v, "true"))
	}
	return x.one("add canonical_formats_only: true", x.AddMember(format, "canonical_formats_only", "true"))
}}

// oneSizeMode lets the author choose in which way the size is stated.
var oneSizeMode = remedy{Choice, func(x fixing) []Fix {
	if x.missing != "" {
		return nil
	}
	fixed := []string{"width", "height"}
	fixes := x.eitherOf(x.at, fixed, []string{"sizes"}, sizeBoundNames)
	width, height, sizes := x.at.Get("width"), x.at.Get("height"), x.at.Get("sizes")
	if width.Is(NumberKind) && height.Is(NumberKind) && sizes.Is(Array) {
		edits := append(x.RemoveAll(width, height), x.Append(sizes, x.Object("width", width.Text(), "height", height.Text())))
		slices.SortFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
		if !touch(edits) {
			fixes = append(fixes, Fix{Title: "put width and height into sizes", Kind: Choice, Edits: edits})
		}
	}
	return fixes
}}

// touch reports whether some edits overlap.
func touch(edits []Edit) bool {
	for i := 1; i < len(edits); i++ {
		if edits[i].Start < edits[i-1].End {
			return true
		}
	}
	return false
}

// rangeInOrder exchanges the limits of a range.
var rangeInOrder = remedy{Likely, func(x fixing) []Fix {
	if x.at.Is(Array) {
		return x.inOrder(x.at.Index(0), x.at.Index(1))
	}
	in, _ := x.typeAt(x.owner())
	if in == nil {
		return nil
	}
	for _, pair := range formatkind.LimitPairs()[in.Object] {
		if pair[1] == x.Name(x.at) {
			return x.inOrder(x.owner().Get(pair[0]), x.at)
		}
	}
	return nil
}}

// linearOrNot lets the author choose between linear ads and others.
var linearOrNot = remedy{Choice, func(x fixing) []Fix {
	return []Fix{
		{Title: `write creative_type: "linear"`, Kind: Choice,
			Edits: []Edit{x.Replace(x.owner().Get("creative_type"), `"linear"`)}},
		{Title: "remove linear_required", Kind: Choice, Edits: []Edit{x.Remove(x.at)}},
	}
}}

// experienceFix takes away what a television experience excludes.
var experienceFix = remedy{Choice, func(x fixing) []Fix {
	name := x.missing
	if name == "" {
		name = x.Name(x.at)
	}
	switch name {
	case "creative_type":
		x.kind = Likely
		return x.set(name, `"nonlinear"`)
	case "simid_supported", "vpaid_enabled":
		return x.as(Likely, "remove "+name, x.Remove(x.at))
	case "":
		return nil
	}
	return x.one("remove "+name, x.Remove(x.at))
}}

// registryOrNot lets the author choose whether the file is a registry of formats.
var registryOrNot = remedy{Choice, func(x fixing) []Fix {
	if !x.spend(len(x.file.Formats)) {
		return nil
	}
	var renderers []Value
	for i := range x.file.Formats {
		if v := x.file.Formats[i].member(atFormatDeclarationReferenceRenderer); v.Exists() {
			renderers = append(renderers, v)
		}
	}
	fixes := []Fix{{Title: "remove the renderers", Kind: Choice, Edits: x.RemoveAll(renderers...)}}
	if x.missing == "catalog_role" {
		role := jsonedit.String(communityRegistry)
		fixes = append(fixes,
			Fix{Title: "add catalog_role: " + role, Kind: Choice, Edits: []Edit{x.AddMember(x.at, x.missing, role)}})
	}
	return fixes
}}

// eitherRevision writes one of two revisions in both places.
var eitherRevision = remedy{Choice, func(x fixing) []Fix {
	format := x.Parent(x.owner()).Get("format_revision")
	return []Fix{
		{Title: "write " + format.Text() + " in both places", Kind: Choice, Edits: []Edit{x.Replace(x.at, format.Text())}},
		{Title: "write " + x.at.Text() + " in both places", Kind: Choice, Edits: []Edit{x.Replace(format, x.at.Text())}},
	}
}}

// onlyObject takes the object out of a list that has no other.
var onlyObject = remedy{Likely, func(x fixing) []Fix {
	first := x.at.Index(0)
	if !first.Is(Object) || !first.Has("authorized_agents") && !first.Has("authoritative_location") {
		return nil
	}
	text := conform.CanonicalText(first)
	for _, v := range x.at.Elems() {
		if conform.CanonicalText(v) != text {
			return nil
		}
	}
	return revealing(x.one("write the object without the list around it", x.Replace(x.at, x.Source(first))))
}}
