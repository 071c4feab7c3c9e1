package model

import (
	"slices"
	"strings"
	"testing"
)

// TestChanges holds the table of releases to the tables of the format: what a release added is there,
// and what may be left out is not required.
func TestChanges(t *testing.T) {
	t.Parallel()
	for _, release := range Releases {
		if BrandBytes[release] == 0 {
			t.Errorf("%s: no limit of a brand.json", release)
		}
	}
	for _, c := range Changes {
		if !slices.Contains(Releases, c.Release) {
			t.Errorf("%s: no release %q", c.Path, c.Release)
		}
		f := fieldAt(c.Path)
		switch {
		case f == nil:
			t.Errorf("%s: there is no such member", c.Path)
		case c.Value != "" && !slices.Contains(f.Type.Enum, c.Value):
			t.Errorf("%s: %q is not one of its values", c.Path, c.Value)
		case c.Absent && f.Required:
			t.Errorf("%s is required", c.Path)
		}
	}
}

// fieldAt returns the member at a path.
func fieldAt(path string) *Field {
	in := File
	var found *Field
	for name := range strings.SplitSeq(path, ".") {
		name, list := strings.CutSuffix(name, "[]")
		i := slices.IndexFunc(in.Fields, func(f Field) bool { return f.Name == name })
		if i < 0 {
			return nil
		}
		found = &in.Fields[i]
		if list {
			in = found.Type.Elem.Object
		}
	}
	return found
}
