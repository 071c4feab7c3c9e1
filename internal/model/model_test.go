package model

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// every calls f for each field of each object type, as a subtest per object.
func every(t *testing.T, f func(t *testing.T, o *ObjectType, field *Field)) {
	t.Helper()
	for _, o := range Objects() {
		t.Run(o.Name, func(t *testing.T) {
			t.Parallel()
			for i := range o.Fields {
				f(t, o, &o.Fields[i])
			}
		})
	}
}

// types lists a type and the element types below it.
func types(t *Type) []*Type {
	all := []*Type{t}
	for t.Elem != nil {
		t = t.Elem
		all = append(all, t)
	}
	return all
}

func TestObjectNamesAreUnique(t *testing.T) {
	t.Parallel()
	goType := regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	seen := map[string]bool{}
	for _, o := range Objects() {
		if seen[o.Name] {
			t.Errorf("two object types are named %s", o.Name)
		}
		seen[o.Name] = true
		if !goType.MatchString(o.Name) {
			t.Errorf("%q is no exported Go name", o.Name)
		}
		if o.Doc == "" || strings.HasSuffix(o.Doc, ".") {
			t.Errorf("%s: doc %q should be a phrase without final period", o.Name, o.Doc)
		}
		if len(o.Fields) == 0 {
			t.Errorf("%s has no fields", o.Name)
		}
	}
}

func TestFieldNames(t *testing.T) {
	t.Parallel()
	member := regexp.MustCompile(`^(\$schema|[a-z][a-z0-9_]*)$`)
	goField := regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	for _, o := range Objects() {
		names, goNames := map[string]bool{}, map[string]bool{}
		for i := range o.Fields {
			f := &o.Fields[i]
			if names[f.Name] || goNames[f.GoName()] {
				t.Errorf("%s: %s (%s) is listed twice", o.Name, f.Name, f.GoName())
			}
			names[f.Name], goNames[f.GoName()] = true, true
			if !member.MatchString(f.Name) || !goField.MatchString(f.GoName()) {
				t.Errorf("%s: bad name %q or Go name %q", o.Name, f.Name, f.GoName())
			}
		}
	}
}

func TestGoName(t *testing.T) {
	t.Parallel()
	tests := []struct {
		field Field
		want  string
	}{
		{Field{Name: "name"}, "Name"},
		{Field{Name: "seller_id"}, "SellerID"},
		{Field{Name: "privacy_policy_url"}, "PrivacyPolicyURL"},
		{Field{Name: "uri"}, "URI"},
		{Field{Name: "etag"}, "ETag"},
		{Field{Name: "art9_basis"}, "Art9Basis"},
		{Field{Name: "$schema", Go: "Schema"}, "Schema"},
	}
	for _, tt := range tests {
		if got := tt.field.GoName(); got != tt.want {
			t.Errorf("GoName of %s = %s, want %s", tt.field.Name, got, tt.want)
		}
	}
}

func TestFieldDocs(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, _ *ObjectType, f *Field) {
		if !strings.HasSuffix(f.Doc, ".") || strings.Contains(f.Doc, "\n") {
			t.Errorf("%s: doc %q should be one line with final period", f.Name, f.Doc)
		}
		if len(f.Doc) > 160 {
			t.Errorf("%s: doc of %d bytes is too long for an editor's hint", f.Name, len(f.Doc))
		}
	})
}

func TestTypesAreConsistent(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, _ *ObjectType, f *Field) {
		for _, ty := range types(&f.Type) {
			checkType(t, f.Name, ty)
		}
	})
}

func checkType(t *testing.T, name string, ty *Type) {
	t.Helper()
	isList := ty.Kind == Array
	if (ty.Elem != nil) != (isList || ty.Kind == Map) {
		t.Errorf("%s: element type and kind %d do not fit", name, ty.Kind)
	}
	if ty.Object != nil && ty.Kind != Object {
		t.Errorf("%s: object type on kind %d", name, ty.Kind)
	}
	text := len(ty.Enum) > 0 || ty.Const != "" || ty.Format != Text || ty.Pattern != "" || ty.MinLen != 0 || ty.MaxLen != 0
	if text && ty.Kind != String {
		t.Errorf("%s: string limits on kind %d", name, ty.Kind)
	}
	if (ty.HasMin || ty.HasMax) && ty.Kind != Integer && ty.Kind != Number {
		t.Errorf("%s: numeric limits on kind %d", name, ty.Kind)
	}
	if (ty.MinItems != 0 || ty.MaxItems != 0 || ty.Unique || ty.Tuple) && !isList {
		t.Errorf("%s: list limits on kind %d", name, ty.Kind)
	}
	if ty.Tuple && (ty.MinItems == 0 || ty.MinItems != ty.MaxItems) {
		t.Errorf("%s: a tuple has a fixed length, not %d to %d", name, ty.MinItems, ty.MaxItems)
	}
	if !bounded(float64(ty.MinLen), float64(ty.MaxLen), ty.MaxLen != 0) ||
		!bounded(float64(ty.MinItems), float64(ty.MaxItems), ty.MaxItems != 0) ||
		!bounded(ty.Min, ty.Max, ty.HasMin && ty.HasMax) {
		t.Errorf("%s: a lower limit exceeds its upper limit", name)
	}
}

func bounded(lo, hi float64, limited bool) bool { return !limited || lo <= hi }

func TestPatternsCompile(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, _ *ObjectType, f *Field) {
		for _, ty := range types(&f.Type) {
			if ty.Pattern == "" {
				continue
			}
			_, err := regexp.Compile(ty.Pattern)
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
			if !strings.HasPrefix(ty.Pattern, "^") {
				t.Errorf("%s: pattern %s is not anchored", f.Name, ty.Pattern)
			}
		}
	})
}

func TestRendererPatterns(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern, value string
		want           bool
	}{
		{packagePattern, "@scope/renderer", true},
		{packagePattern, "renderer", true},
		{packagePattern, "Renderer", false},
		{packagePattern, "../renderer", false},
		{versionPattern, "1.2.3", true},
		{versionPattern, "1.2.3-rc.1+build.5", true},
		{versionPattern, "^1.2.3", false},
		{versionPattern, "1.2", false},
		{versionPattern, "01.2.3", false},
		{versionPattern, "1.2.3-01", false},
		{integrityPattern, "sha256-" + strings.Repeat("A", 43) + "=", true},
		{integrityPattern, "sha384-" + strings.Repeat("A", 64), true},
		{integrityPattern, "sha512-" + strings.Repeat("A", 86) + "==", true},
		{integrityPattern, "sha1-" + strings.Repeat("A", 27) + "=", false},
		{workflowPattern, ".github/workflows/release.yml", true},
		{workflowPattern, ".github/workflows/release.sh", false},
		{StateIDPattern, "expanded_2", true},
		{StateIDPattern, "2_expanded", false},
	}
	for _, tt := range tests {
		if got := regexp.MustCompile(tt.pattern).MatchString(tt.value); got != tt.want {
			t.Errorf("%s matches %q: %v, want %v", tt.pattern, tt.value, got, tt.want)
		}
	}
}

func TestEnumsAreUnique(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, _ *ObjectType, f *Field) {
		for _, ty := range types(&f.Type) {
			values := slices.Sorted(slices.Values(ty.Enum))
			if len(slices.Compact(values)) != len(ty.Enum) || slices.Contains(ty.Enum, "") {
				t.Errorf("%s: enum %q has an empty or repeated value", f.Name, ty.Enum)
			}
		}
	})
}

// The kinds that allow only some values of a shared enumeration spell them
// out; a misspelt one would never match.
func TestNarrowedEnums(t *testing.T) {
	t.Parallel()
	all := map[string][]string{
		"ctv_ad_experience": CTVAdExperiences,
		"motion_level":      MotionLevels,
		"asset_source":      AssetSources,
	}
	for kind, o := range Params() {
		if o == nil {
			continue
		}
		for name, values := range all {
			f := o.Field(name)
			if f == nil {
				continue
			}
			for _, v := range f.Type.Enum {
				if !slices.Contains(values, v) {
					t.Errorf("%s: %s allows unknown value %q", kind, name, v)
				}
			}
		}
	}
}

func TestDefaultsFitTheirTypes(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, _ *ObjectType, f *Field) {
		if f.Default == "" {
			return
		}
		if f.Required {
			t.Errorf("%s: a required member cannot have a default", f.Name)
		}
		var v any
		err := json.Unmarshal([]byte(f.Default), &v)
		if err != nil {
			t.Fatalf("%s: default %s: %v", f.Name, f.Default, err)
		}
		switch v := v.(type) {
		case bool:
			if f.Type.Kind != Bool {
				t.Errorf("%s: default %v does not fit", f.Name, v)
			}
		case string:
			if !slices.Contains(f.Type.Enum, v) {
				t.Errorf("%s: default %q is not among %q", f.Name, v, f.Type.Enum)
			}
		default:
			t.Errorf("%s: unexpected default %s", f.Name, f.Default)
		}
	})
}

func TestGroupsNameMembers(t *testing.T) {
	t.Parallel()
	for _, o := range Objects() {
		for _, group := range o.AnyOf {
			if len(group) < 2 {
				t.Errorf("%s: a group of %d is no choice", o.Name, len(group))
			}
			for _, name := range group {
				f := o.Field(name)
				if f == nil || f.Required {
					t.Errorf("%s: %s in a group is unknown or required", o.Name, name)
				}
			}
		}
		for _, name := range o.Forbidden {
			if name == "" || o.Field(name) != nil {
				t.Errorf("%s: %q is both forbidden and a member", o.Name, name)
			}
		}
		if o.MinMembers > len(o.Fields) {
			t.Errorf("%s: asks for %d members of %d", o.Name, o.MinMembers, len(o.Fields))
		}
	}
}

func TestSignalShapesNameMembers(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Concat(SignalReferenceRequired, SignalDefinitionRequired) {
		if Signal.Field(name) == nil {
			t.Errorf("signal has no member %s", name)
		}
	}
	for i := range Signal.Fields {
		if Signal.Fields[i].Required {
			t.Errorf("%s is required, which one of the shapes cannot meet", Signal.Fields[i].Name)
		}
	}
}

func TestFormatOptionIsADeclarationWithoutCatalogMembers(t *testing.T) {
	t.Parallel()
	catalogOnly := []string{"applies_to_property_ids", "applies_to_property_tags", "reference_renderer", "format_revision"}
	var want []string
	for _, name := range FormatDeclaration.Names() {
		if !slices.Contains(catalogOnly, name) {
			want = append(want, name)
		}
	}
	got := FormatOption.Names()
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("members of a format option (-want +got):\n%s", diff)
	}
}

func TestFieldLookup(t *testing.T) {
	t.Parallel()
	if f := Agent.Field("url"); f == nil || !f.Required {
		t.Errorf("Agent.Field(url) = %+v, want a required field", f)
	}
	if f := Agent.Field("uri"); f != nil {
		t.Errorf("Agent.Field(uri) = %+v, want nil", f)
	}
}
