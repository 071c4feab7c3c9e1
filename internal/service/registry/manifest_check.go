package registry

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// A manifestCheck looks for faults in brand data that a keyholder wants to save. Members
// it does not know are kept, as long as nothing in them can do harm.
type manifestCheck struct {
	faults []string
}

func (c *manifestCheck) add(path, what string) {
	if len(c.faults) < maxDetails {
		c.faults = append(c.faults, textsafe.Line(path, 100)+": "+what)
	}
}

// kind reports whether a value exists, and notes when it is of another kind.
func (c *manifestCheck) kind(path string, v jsontree.Value, want jsontree.Kind) bool {
	if !v.Exists() {
		return false
	}
	if !v.Is(want) {
		c.add(path, "must be "+want.String()+", not "+v.Kind().String())
	}
	return v.Is(want)
}

// textsOf checks members of an object that have to be strings.
func (c *manifestCheck) textsOf(path string, v jsontree.Value, names ...string) {
	for _, name := range names {
		c.kind(path+name, v.Get(name), jsontree.String)
	}
}

// known checks the members that the form of a manifest has.
func (c *manifestCheck) known(root jsontree.Value) {
	for _, name := range []string{"brand_context", "context"} {
		if root.Has(name) {
			c.add(name, "is for one answer alone and is never stored; leave it out")
		}
	}
	c.textsOf("", root, "name", "url", "description")
	if root.Get("name").Is(jsontree.String) && PlainText(root.Get("name").Str(), longestName) == "" {
		c.add("name", "must have 1 to 200 characters")
	}
	c.logos(root.Get("logos"))
	if c.kind("colors", root.Get("colors"), jsontree.Object) {
		for m := range root.Get("colors").Members() {
			c.color("colors."+m.Name(), m.Value())
		}
	}
	for i, font := range root.Get("fonts").Elems() {
		path := "fonts[" + strconv.Itoa(i) + "]"
		if c.kind(path, font, jsontree.Object) && !c.kind(path+".name", font.Get("name"), jsontree.String) {
			c.add(path+".name", "is missing")
		}
	}
	c.company(root.Get("company"))
}

func (c *manifestCheck) logos(list jsontree.Value) {
	if !c.kind("logos", list, jsontree.Array) {
		return
	}
	for i, logo := range list.Elems() {
		path := "logos[" + strconv.Itoa(i) + "]"
		if !c.kind(path, logo, jsontree.Object) {
			continue
		}
		if !logo.Has("url") {
			c.add(path+".url", "is missing")
		}
		c.list(path+".tags", logo.Get("tags"))
	}
}

// list checks a list of strings.
func (c *manifestCheck) list(path string, v jsontree.Value) {
	if !c.kind(path, v, jsontree.Array) {
		return
	}
	for i, e := range v.Elems() {
		c.kind(path+"["+strconv.Itoa(i)+"]", e, jsontree.String)
	}
}

// color checks a colour, or a list of them.
func (c *manifestCheck) color(path string, v jsontree.Value) {
	if v.Is(jsontree.Array) {
		for i, e := range v.Elems() {
			c.color(path+"["+strconv.Itoa(i)+"]", e)
		}
		return
	}
	digits, ok := strings.CutPrefix(v.Str(), "#")
	if !ok || len(digits) != 3 && len(digits) != 6 && len(digits) != 8 ||
		strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
		c.add(path, "must be a colour such as #1A2B3C")
	}
}

func (c *manifestCheck) company(v jsontree.Value) {
	if !c.kind("company", v, jsontree.Object) {
		return
	}
	c.textsOf("company.", v, "name", "industry", "employees", "location")
	c.list("company.industries", v.Get("industries"))
	c.kind("company.founded", v.Get("founded"), jsontree.Number)
}

// walk looks at every text, whatever member it belongs to: addresses must be https, and
// nothing may be one that a browser would run.
func (c *manifestCheck) walk(path, name string, v jsontree.Value) {
	for m := range v.Members() {
		inner := m.Name()
		if path != "" {
			inner = path + "." + inner
		}
		c.walk(inner, m.Name(), m.Value())
	}
	for i, e := range v.Elems() {
		c.walk(path+"["+strconv.Itoa(i)+"]", name, e)
	}
	s, ok := v.AsString()
	if !ok {
		return
	}
	_, safe := SafeURL(s)
	switch {
	case namesURL(name) && !safe:
		c.add(path, "must be an https URL of a public host")
	case Runnable(s):
		c.add(path, "is an address that a browser would run")
	case strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
		c.add(path, "contains control characters")
	}
}

// namesURL reports whether a member of this name holds an address.
func namesURL(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"url", "urls", "href", "src"} {
		if name == word || strings.HasSuffix(name, "_"+word) {
			return true
		}
	}
	return false
}
