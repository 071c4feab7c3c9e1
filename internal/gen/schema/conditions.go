package main

import "github.com/avow-project/avow/internal/model"

// conditions returns the keywords that tie members of an object together:
// what is needed with what, what excludes what.
func conditions(o *model.ObjectType) []any {
	var all []any
	for _, group := range o.AnyOf {
		var any1 []any
		for _, name := range group {
			any1 = append(any1, object{{"required", []string{name}}})
		}
		all = append(all, object{{"anyOf", any1}})
	}
	for _, group := range o.Together {
		for _, name := range group {
			all = append(all, object{{"if", object{{"required", []string{name}}}}, {"then", object{{"required", group}}}})
		}
	}
	for _, name := range o.Forbidden {
		all = append(all, not(name))
	}
	switch o {
	case model.File:
		all = append(all, contentGuard())
	case model.Pointer:
		all = append(all, pointerPurity()...)
	case model.Agent:
		all = append(all, companions()...)
	case model.Selector:
		all = append(all, selectorForms()...)
	case model.FormatDeclaration:
		all = append(all, paramsByKind()...)
	case model.FormatOption:
		all = append(all, object{{"if", object{{"required", []string{"format_kind"}}}},
			{"then", object{{"required", []string{"params"}}}}})
		all = append(all, paramsByKind()...)
	case model.Signal:
		all = append(all, object{
			{"if", object{{"required", []string{"catalog_url"}}}},
			{"else", object{{"required", model.SignalDefinitionRequired}}},
		})
	}
	return all
}

func not(name string) object {
	return object{{"not", object{{"required", []string{name}}}}}
}

// when returns a condition on the value of one member.
func when(name, value string, then object) object {
	return object{
		{"if", object{
			{"properties", object{{name, object{{"const", value}}}}},
			{"required", []string{name}},
		}},
		{"then", then},
	}
}

// contentGuard demands something to consume: agents or a catalog.
func contentGuard() object {
	var options []any
	for _, name := range []string{"authorized_agents", "formats", "properties", "placements", "collections", "signals"} {
		options = append(options, object{
			{"properties", object{{name, object{{"minItems", 1}}}}},
			{"required", []string{name}},
		})
	}
	return object{{"anyOf", options}}
}

// pointerPurity forbids inline content beside authoritative_location.
func pointerPurity() []any {
	var all []any
	for i := range model.File.Fields {
		name := model.File.Fields[i].Name
		if model.Pointer.Field(name) == nil && !tolerated[name] {
			all = append(all, not(name))
		}
	}
	return all
}

// tolerated members are superfluous in a pointer but say nothing that could
// contradict the authoritative file.
var tolerated = map[string]bool{"version": true, "catalog_etag": true, "catalog_role": true, "superseded_by": true}

// companions demands the selector that each authorization_type names.
func companions() []any {
	var all []any
	for _, s := range model.Selections {
		all = append(all, when("authorization_type", s.Type, object{{"required", []string{s.Member}}}))
	}
	return all
}

func selectorForms() []any {
	both := []any{
		object{{"required", []string{"publisher_domain"}}},
		object{{"required", []string{"publisher_domains"}}},
	}
	return []any{
		object{{"oneOf", both}},
		when("selection_type", "by_id", object{{"required", []string{"publisher_domain", "property_ids"}}}),
		when("selection_type", "by_tag", object{{"required", []string{"property_tags"}}}),
	}
}

func paramsByKind() []any {
	var all []any
	for _, kind := range model.FormatKinds {
		if o := model.Params()[kind]; o != nil {
			all = append(all, when("format_kind", kind, object{{"properties", object{{"params", ref(o.Name)}}}}))
		}
	}
	return all
}
