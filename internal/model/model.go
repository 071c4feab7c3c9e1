// Package model describes the adagents.json format as data: every object, its
// members in canonical order, their types and limits, and a sentence of help
// for each.
//
// The tables are the single source for four things: the Go types of package
// adagents (generated), the JSON Schema for editors (generated), the member
// order that formatting uses, and the known names that misspelling checks
// compare against. The package holds facts and no behaviour beyond look-ups.
package model

// The release of the Ad Context Protocol that these tables and the rules of package adagents
// follow, and the state of its schemas that they were compared with.
const (
	AdCPRelease = "3.3"
	AdCPSchemas = "3.2.2 and the beta of 3.3 of October 2026"
)

// A Kind is the JSON type a value must have.
type Kind uint8

// The kinds. Map is an object whose member names are free and whose values all
// have the same type.
const (
	Any Kind = iota
	String
	Bool
	Integer
	Number
	Array
	Object
	Map
)

// A Format is the lexical form of a string beyond being a string.
type Format uint8

// The formats. Their exact grammars are checked in package adagents.
const (
	Text      Format = iota
	URI              // absolute URL, any scheme
	HTTPS            // absolute https URL
	DateTime         // RFC 3339 with offset
	Email            // one address
	Domain           // lower-case LDH host name
	Hostname         // host name, up to 253 characters
	Country          // ISO 3166-1 alpha-2
	Digest           // sha256:<64 hex digits>
	Aspect           // 16:9
	SemVer           // 1.2.3
	Locale           // canonical-cased BCP 47 tag
	MinorVer         // 3.1
	Base64URL        // unpadded base64url
)

// A Type says what one value may be.
type Type struct {
	Kind   Kind
	Object *ObjectType // Kind Object
	Elem   *Type       // Kind Array and Map
	Tuple  bool        // Array of exactly MinItems == MaxItems positions

	Enum    []string // String: the allowed values
	Const   string   // String: the only allowed value
	Format  Format
	Pattern string // String: RE2, matched as written (anchors included)
	MinLen  int    // String: in code points
	MaxLen  int    // String: 0 means no limit

	HasMin       bool
	ExclusiveMin bool
	Min          float64
	HasMax       bool
	Max          float64

	MinItems int
	MaxItems int // 0 means no limit
	Unique   bool
	Nullable bool // null is a value of its own here
}

// A Field is one member of an object.
type Field struct {
	Name     string
	Type     Type
	Required bool
	Doc      string // one sentence that helps while typing
	Go       string // Go field name where the derived one reads badly
	GoType   string // Go type of a string that has one of its own
	Default  string // as JSON text, for documentation
}

// An ObjectType is one kind of object in the file.
type ObjectType struct {
	Name       string // the Go type's name
	Doc        string // one sentence, starting with a lower-case noun phrase
	Closed     bool   // unknown members are not allowed
	Fields     []Field
	MinMembers int
	// AnyOf lists groups of members of which at least one must be present.
	AnyOf [][]string
	// Together lists groups of members of which all must be present if one is.
	Together [][]string
	// Forbidden lists names that must not be present at all.
	Forbidden []string
}

// Field returns the description of the named member, or nil.
func (o *ObjectType) Field(name string) *Field {
	for i := range o.Fields {
		if o.Fields[i].Name == name {
			return &o.Fields[i]
		}
	}
	return nil
}

// Names returns the member names in canonical order.
func (o *ObjectType) Names() []string {
	names := make([]string, len(o.Fields))
	for i := range o.Fields {
		names[i] = o.Fields[i].Name
	}
	return names
}

// An option refines a Type while a table is being written.
type option func(Type) Type

func make1(t Type, opts []option) Type {
	for _, o := range opts {
		t = o(t)
	}
	return t
}

func str(opts ...option) Type     { return make1(Type{Kind: String}, opts) }
func boolean() Type               { return Type{Kind: Bool} }
func integer(opts ...option) Type { return make1(Type{Kind: Integer}, opts) }
func number(opts ...option) Type  { return make1(Type{Kind: Number}, opts) }
func object(o *ObjectType) Type   { return Type{Kind: Object, Object: o} }
func mapOf(elem Type) Type        { return Type{Kind: Map, Elem: &elem} }
func enum(values []string) Type   { return Type{Kind: String, Enum: values} }
func oneOf(v ...string) Type      { return Type{Kind: String, Enum: v} }
func constant(v string) Type      { return Type{Kind: String, Const: v} }
func freeObject() Type            { return Type{Kind: Object} }
func count() Type                 { return integer(atLeast(0)) }
func positive() Type              { return integer(atLeast(1)) }

// pair is a list of exactly two positions: a lower and an upper end.
func pair(elem Type) Type {
	return Type{Kind: Array, Elem: &elem, Tuple: true, MinItems: 2, MaxItems: 2}
}

func formatted(f Format, opts ...option) Type {
	return make1(Type{Kind: String, Format: f}, opts)
}
func list(elem Type, opts ...option) Type {
	return make1(Type{Kind: Array, Elem: &elem}, opts)
}

func minItems(n int) option   { return func(t Type) Type { t.MinItems = n; return t } }
func maxItems(n int) option   { return func(t Type) Type { t.MaxItems = n; return t } }
func unique(t Type) Type      { t.Unique = true; return t }
func nullable(t Type) Type    { t.Nullable = true; return t }
func pattern(p string) option { return func(t Type) Type { t.Pattern = p; return t } }
func aboveZero(t Type) Type   { t.HasMin, t.ExclusiveMin = true, true; return t }
func length(lo, hi int) option {
	return func(t Type) Type { t.MinLen, t.MaxLen = lo, hi; return t }
}
func atLeast(n float64) option {
	return func(t Type) Type { t.HasMin, t.Min = true, n; return t }
}
func atMost(n float64) option {
	return func(t Type) Type { t.HasMax, t.Max = true, n; return t }
}
