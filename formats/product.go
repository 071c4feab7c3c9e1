package formats

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/langtag"
)

// Limits of a product. Real ones have a handful of formats and placements.
const (
	// MaxProductBytes is the size of its JSON.
	MaxProductBytes = 1_000_000
	// maxProductValues is the number of values in it.
	maxProductValues = 100_000
	// maxProductEntries is the number of formats, placements and selectors each.
	maxProductEntries = 1000
)

// A Product is what a seller offers, as far as formats go.
type Product struct {
	// options are the formats of the product. Nothing else can be bought.
	options []declaration
	// placements and selectors say where the product runs. listsPlacements is set when the
	// product has a list of placements, even if none of them can be used.
	placements      []productPlacement
	listsPlacements bool
	selectors       []selector
	// findings are about the product itself, whatever the catalog says.
	findings []fault
}

// A productPlacement is a placement as a product describes it.
type productPlacement struct {
	// PublisherDomain is empty for a placement of the seller's own.
	PublisherDomain, ID string
	Pointer             string
	// Options narrow those of the product when Limited is set.
	Options []declaration
	Limited bool
	raw     jsontree.Value
}

// A selector picks properties of a publisher for a product.
type selector struct {
	Publishers []string
	Pointer    string
	// Type is all, by_id or by_tag.
	Type      string
	IDs, Tags []string
}

// A ProductError says why a product cannot be read.
type ProductError struct {
	Problem, Hint string
	Line, Column  int
}

// Error returns the problem with its place.
func (e *ProductError) Error() string {
	if e.Line == 0 {
		return e.Problem
	}
	return "line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Column) + ": " + e.Problem
}

// ReadProduct reads the JSON of one product: its format_options, or the older format_ids,
// its channels, placements and publisher_properties. Other members say nothing here. A
// format that is faulty is left out, which the Report says; an error is a *ProductError.
func ReadProduct(src []byte) (*Product, error) {
	tree, err := jsontree.Parse(src, jsontree.Options{MaxBytes: MaxProductBytes, MaxValues: maxProductValues})
	if err != nil {
		return nil, unreadable(src, err)
	}
	root := tree.Root()
	switch {
	case !root.Is(jsontree.Object):
		return nil, &ProductError{Problem: "a product is a JSON object, not " + root.Kind().String(),
			Hint: "give one product, with its format_options"}
	case len(tree.Duplicates()) > 0:
		d := tree.Duplicates()[0]
		at := tree.Positions([]int{d.Value().Offset()})[0]
		return nil, &ProductError{"the member " + strconv.Quote(d.Name()) + " is there twice", "keep one of them", at.Line,
			at.Column}
	case root.Get("products").Is(jsontree.Array) && !root.Has("format_options") && !root.Has("format_ids"):
		return nil, &ProductError{Problem: "this is a list of products", Hint: "give one of them"}
	}
	r := reader{p: &Product{}}
	r.channels = limit(root, "channels")
	r.p.options = r.options(root, "", true)
	r.placements(root)
	r.selectors(root)
	if r.err != nil {
		return nil, r.err
	}
	return r.p, nil
}

func unreadable(src []byte, err error) error {
	var fault *jsontree.Error
	if !errors.As(err, &fault) {
		return err
	}
	out := &ProductError{Problem: fault.Msg,
		Hint: "the product must be JSON of at most " + strconv.Itoa(MaxProductBytes) + " bytes"}
	if len(src) <= MaxProductBytes {
		at := jsontree.Positions(src, []int{fault.Offset})[0]
		out.Line, out.Column = at.Line, at.Column
	}
	return out
}

// A reader reads a product.
type reader struct {
	p        *Product
	channels []string
	err      error
}

func (r *reader) say(code, pointer, message string) {
	r.p.findings = append(r.p.findings, finding(code, pointer, message))
}

// list returns the elements of a member. If it is not a list, the product is at fault.
func (r *reader) list(owner jsontree.Value, pointer, member string) []jsontree.Value {
	v := owner.Get(member)
	if !v.Exists() || v.Is(jsontree.Null) {
		return nil
	}
	pointer = jsontree.Pointer(pointer, member)
	if !v.Is(jsontree.Array) {
		r.say("product.member_type", pointer, member+" must be an array, not "+v.Kind().String())
		return nil
	}
	if v.Len() > maxProductEntries {
		r.err = &ProductError{Problem: pointer + " has more than " + strconv.Itoa(maxProductEntries) + " entries",
			Hint: "ask about fewer"}
		return nil
	}
	var out []jsontree.Value
	for _, e := range v.Elems() {
		out = append(out, e)
	}
	return out
}

// options reads the formats of a product or of one of its placements. format_options
// win over the older format_ids.
func (r *reader) options(owner jsontree.Value, pointer string, whole bool) []declaration {
	var out []declaration
	entries := r.list(owner, pointer, "format_options")
	checked := r.check(entries, jsontree.Pointer(pointer, "format_options"))
	for i, v := range entries {
		if d, ok := r.option(v, checked[i], jsontree.Pointer(jsontree.Pointer(pointer, "format_options"), strconv.Itoa(i)),
			whole); ok {
			out = append(out, d)
		}
	}
	old := r.oldIDs(owner, pointer)
	if owner.Has("format_options") {
		r.divergence(out, old)
	} else {
		out = r.projectAll(old)
	}
	if whole && !owner.Has("format_options") && !owner.Has("format_ids") {
		r.say("product.formats_missing", "", "the product declares no format, so none can be bought")
	}
	return out
}

// option reads one format. A name without a kind is a reference.
func (r *reader) option(v jsontree.Value, usable bool, pointer string, whole bool) (declaration, bool) {
	if v.Has("format_kind") && !usable {
		return declaration{}, false // told already
	}
	ref, err := refOf(v)
	if err != nil || !v.Is(jsontree.Object) || !v.Has("format_kind") && ref == (Ref{}) {
		problem := "it is neither a declaration with a format_kind nor a reference"
		if err != nil {
			problem = err.Error()
		}
		r.say("product.format_invalid", pointer, "the format is left out: "+problem)
		return declaration{}, false
	}
	d := declaration{Ref: ref, Kind: v.Get("format_kind").Str(), DisplayName: v.Get("display_name").Str(),
		Pointer: pointer, reference: !v.Has("format_kind")}
	if d.reference && whole && ref.Scope == productScope {
		r.say("product.format_unresolved", pointer,
			"the format "+strconv.Quote(ref.OptionID)+" is only named: a format of the product needs its format_kind and params")
		return d, false
	}
	if !d.reference {
		d.Params = objectOf(v.Get("params"))
	}
	d.Channels = narrowChannels(r.channels, limit(v, "applies_to_channels"))
	var ok bool
	d.Locales, ok = localesOf(v)
	if !ok {
		r.say("product.format_invalid", pointer, "the format is left out: its locale_policy accepts no language")
		return d, false
	}
	d.customOf(v)
	d.old = oldRefs(v.Get("v1_format_ref"))
	return d, true
}

// narrowChannels returns the channels that the product and one of its formats leave.
func narrowChannels(a, b []string) []string {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return common(a, b)
}

// limit returns the texts of a list that limits something, nil when it is absent.
func limit(owner jsontree.Value, member string) []string {
	if !owner.Has(member) {
		return nil
	}
	return texts(owner.Get(member))
}

// texts returns the strings of a list, never nil.
func texts(v jsontree.Value) []string {
	out := []string{}
	for _, e := range v.Elems() {
		if s, ok := e.AsString(); ok {
			out = append(out, s)
		}
	}
	return out
}

// localesOf returns the languages that a format is limited to, none for any, and false
// when there is nothing left that can be read.
func localesOf(v jsontree.Value) ([]string, bool) {
	if !v.Has("locale_policy") {
		return nil, true
	}
	tags := slices.DeleteFunc(texts(v.Get("locale_policy").Get("accepted_language_ranges")), func(s string) bool {
		return !langtag.LooksLikeBCP47(s)
	})
	return tags, len(tags) > 0
}

// check holds the declarations of a product to the rules of those in a catalog, and
// reports which of them can be used.
func (r *reader) check(entries []jsontree.Value, pointer string) []bool {
	usable := make([]bool, len(entries))
	var at []int
	text := []byte(`{"authorized_agents":[],"formats":[`)
	for i, v := range entries {
		if !v.Is(jsontree.Object) || !v.Has("format_kind") {
			continue
		}
		if len(at) > 0 {
			text = append(text, ',')
		}
		text = appendObject(text, objectOf(v))
		at = append(at, i)
	}
	if len(at) == 0 {
		return usable
	}
	report := adagents.Check(append(text, "]}"...), adagents.Options{})
	if report.File == nil {
		r.say("product.format_invalid", pointer, "the formats of the product are too large to be checked")
		return usable
	}
	good, next := report.File.Formats, 0
	for i, raw := range report.File.Raw.Get("formats").Elems() {
		if next < len(good) && good[next].Raw.Node() == raw.Node() {
			usable[at[i]] = good[next].Kind != ""
			next++
		}
	}
	for k, i := range at {
		r.report(report, "/formats/"+strconv.Itoa(k), jsontree.Pointer(pointer, strconv.Itoa(i)), usable[i])
	}
	return usable
}

// report passes on what a check says about one format: what makes it unusable, and what
// the older names lose.
func (r *reader) report(report *adagents.Report, from, to string, usable bool) {
	var why *adagents.Finding
	for i := range report.Findings {
		f := &report.Findings[i]
		if f.Pointer != from && !strings.HasPrefix(f.Pointer, from+"/") {
			continue
		}
		if f.Code == "format.v1_lossy_multi_size" {
			r.say("product.format_lossy", to, f.Message)
		}
		if why == nil && f.Effect == adagents.SkipEntry {
			why = f
		}
	}
	switch {
	case usable:
	case why == nil:
		r.say("product.format_invalid", to, "the format is left out: it does not conform")
	default:
		r.say("product.format_invalid", to+why.Pointer[len(from):], "the format is left out: "+why.Message+" ["+why.Code+"]")
	}
}

func (r *reader) placements(root jsontree.Value) {
	r.p.listsPlacements = root.Has("placements") && !root.Get("placements").Is(jsontree.Null)
	for i, v := range r.list(root, "", "placements") {
		pointer := "/placements/" + strconv.Itoa(i)
		p := productPlacement{ID: v.Get("placement_id").Str(), Pointer: pointer, raw: v}
		domain, named := canonical(v.Get("publisher_domain").Str())
		kind := v.Get("kind").Str()
		switch {
		case p.ID == "":
			r.say("product.placement_invalid", pointer, "the placement has no placement_id, so it is left out")
			continue
		case kind == "seller_inline":
		case kind != "publisher_ref" && v.Has("kind") || !named:
			r.say("product.placement_invalid", pointer,
				"the placement "+strconv.Quote(p.ID)+
					" is left out: give the kind publisher_ref with a publisher_domain, or seller_inline")
			continue
		default:
			p.PublisherDomain = domain
		}
		if r.p.placementOf(p.PublisherDomain, p.ID) != nil {
			r.say("product.placement_invalid", pointer,
				"the placement "+strconv.Quote(p.ID)+" is there already; the first one is used")
			continue
		}
		p.Options = r.options(v, pointer, false)
		p.Limited = v.Has("format_options") || v.Has("format_ids")
		r.p.placements = append(r.p.placements, p)
	}
}

func (r *reader) selectors(root jsontree.Value) {
	for i, v := range r.list(root, "", "publisher_properties") {
		s := selector{Pointer: "/publisher_properties/" + strconv.Itoa(i), Type: v.Get("selection_type").Str(),
			IDs: texts(v.Get("property_ids")), Tags: texts(v.Get("property_tags"))}
		for _, name := range append(texts(v.Get("publisher_domains")), v.Get("publisher_domain").Str()) {
			if domain, ok := canonical(name); ok {
				s.Publishers = append(s.Publishers, domain)
			}
		}
		if len(s.Publishers) == 0 {
			r.say("product.selector_invalid", s.Pointer, "the selector names no publisher, so it is left out")
			continue
		}
		r.p.selectors = append(r.p.selectors, s)
	}
}
