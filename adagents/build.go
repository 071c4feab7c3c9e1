package adagents

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/format/layout"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// BuildOptions tell Build what the request does not say.
type BuildOptions struct {
	// Now becomes last_updated, in UTC and whole seconds. With the zero time
	// no last_updated is added.
	Now time.Time
	// OmitSchema, OmitTimestamp and ComputeETag ask for the same as the
	// control members of the request; see Build. What either of them asks for
	// is done.
	OmitSchema    bool
	OmitTimestamp bool
	ComputeETag   bool
	// Check are the options of the check that the result must pass. Its Now
	// is set to the one above when it is zero.
	Check Options
}

// An Inference is a value that Build worked out and put into the file. Callers
// show them, so that nothing gets into a public file unnoticed.
type Inference struct {
	Pointer string // of the object that received the member
	Member  string
	Value   string
}

// Built is the outcome of Build.
type Built struct {
	// File is the finished file in canonical form, nil when it was refused.
	File []byte
	// Report is the check of the file, also of a refused one. Its positions
	// are those of the file that Source of its Tree returns; when the request
	// itself cannot be read, they are those of the request.
	Report *Report
	// Inferred lists what Build added beyond $schema and last_updated.
	Inferred []Inference
}

// control members steer Build and are not part of the file.
const (
	controlSchema    = "include_schema"
	controlTimestamp = "include_timestamp"
	controlETag      = "compute_etag"
)

var controlMembers = []string{controlSchema, controlTimestamp, controlETag}

// Build makes a declaration file from a request: a JSON object with the members
// of the file. All of them are passed on as they are, unknown ones included.
// Build adds $schema and last_updated where they are absent, and an agent's
// authorization_type where exactly one selector makes it plain. An agent without any
// scope is given all properties of the request by their ids; the report says so.
//
// Three more members steer it and do not become part of the file:
// include_schema and include_timestamp (both true unless false is given; a true
// that is given replaces an old last_updated), and compute_etag, which sets
// catalog_etag to CatalogETag of the file.
//
// An invalid file is never returned: when the check finds an error, Built holds
// the report and no file, and the error is an *InvalidError.
func Build(request []byte, opt BuildOptions) (*Built, error) {
	if opt.Check.Now.IsZero() {
		opt.Check.Now = opt.Now
	}
	limits := jsontree.Options{MaxBytes: opt.Check.MaxBytes, MaxValues: opt.Check.MaxValues, Names: names()}
	tree, err := jsontree.Parse(request, limits)
	if err != nil || !tree.Root().Is(Object) {
		return refuse(&Built{Report: Check(request, opt.Check)})
	}
	b := builder{root: tree.Root(), opt: opt, built: new(Built), added: map[Value]Value{}}
	faults := b.controls()
	if len(faults) > 0 {
		b.built.Report = &Report{Findings: faults, Unusable: &Unusable{Findings: faults}, tree: tree}
		return refuse(b.built)
	}
	b.wholeFile()
	b.agents()
	file := layout.Edited(tree, layout.Edit{Without: b.without, Added: b.added})
	b.built.Report = Check(file, b.opt.Check)
	if !b.built.Report.Valid() {
		return refuse(b.built)
	}
	b.built.File = file
	return b.built, nil
}

func refuse(b *Built) (*Built, error) {
	return b, b.Report.Err()
}

// builder works out what a file has that its request does not.
type builder struct {
	root  Value
	opt   BuildOptions
	built *Built
	// added are objects with the members that those of the request get.
	added map[Value]Value
	// without are the members of the request that do not become part of the file.
	without []string
}

// wholeFile works out what the file as a whole gets.
func (b *builder) wholeFile() {
	b.without = controlMembers
	members := []byte{'{'}
	str := func(name, value string) {
		members = AppendString(append(members, `"`+name+`":`...), value)
		members = append(members, ',')
		b.without = append(b.without[:len(b.without):len(b.without)], name)
	}
	if etag := b.etag(); etag != "" {
		b.infer("", "catalog_etag", etag)
		str("catalog_etag", etag)
	}
	if !b.opt.OmitSchema && b.wanted(controlSchema, "$schema") {
		str("$schema", SchemaURL)
	}
	if b.timed() && (b.renewed() || b.wanted(controlTimestamp, "last_updated")) {
		str("last_updated", b.opt.Now.UTC().Format(time.RFC3339))
	}
	if len(members) > 1 {
		members[len(members)-1] = '}'
		b.added[b.root] = objectOf(members)
	}
}

// objectOf reads an object that Build has written.
func objectOf(text []byte) Value {
	tree, err := jsontree.Parse(text,
		jsontree.Options{MaxBytes: math.MaxInt32, MaxValues: math.MaxInt32 / 4, Names: names()})
	if err != nil {
		panic("adagents: what Build adds cannot be read: " + err.Error())
	}
	return tree.Root()
}

// timed reports whether the file may get the present time.
func (b *builder) timed() bool { return !b.opt.OmitTimestamp && !b.opt.Now.IsZero() }

// renewed reports whether the present time replaces the one in the request: a caller
// who asks for that explicitly does not mean an old one.
func (b *builder) renewed() bool { return b.timed() && b.root.Get(controlTimestamp).Bool() }

// etag returns the token to write, or "" when none was asked for. A pointer
// has no catalog.
func (b *builder) etag() string {
	asked := b.opt.ComputeETag || b.root.Get(controlETag).Bool()
	if !asked || b.root.Has("authoritative_location") {
		return ""
	}
	return CatalogETag(b.root)
}

// wanted reports whether an optional member is to be added: it is not there
// yet and the control member does not say false.
func (b *builder) wanted(control, member string) bool {
	return !b.root.Has(member) && !b.root.Get(control).Is(jsontree.False)
}

func (b *builder) infer(pointer, member, value string) {
	b.built.Inferred = append(b.built.Inferred, Inference{pointer, member, value})
}

// agents works out the scope of each agent entry where there is no doubt about it. Entries
// with the same scope share what they get. The file is refused for its size when too many
// get all properties, so the rest of them need not have any.
func (b *builder) agents() {
	types := map[AuthorizationType]Value{}
	var all Value
	var ids string
	left := cmp.Or(b.opt.Check.MaxBytes, jsontree.DefaultMaxBytes)
	for i, v := range b.root.Get("authorized_agents").Elems() {
		at := jsontree.Pointer("/authorized_agents", strconv.Itoa(i))
		if kind := impliedType(v); kind != "" {
			if !types[kind].Exists() {
				types[kind] = objectOf([]byte(`{"authorization_type":"` + string(kind) + `"}`))
			}
			b.added[v] = types[kind]
			b.infer(at, "authorization_type", string(kind))
		}
		if left < 0 || !unscoped(v) {
			continue
		}
		if !all.Exists() {
			all, ids = b.allProperties()
		}
		if ids != "" {
			left -= len(ids)
			b.added[v] = all
			b.opt.Check.inferred = append(b.opt.Check.inferred, i)
			b.infer(at, "authorization_type", string(ByPropertyIDs))
			b.infer(at, "property_ids", ids)
		}
	}
}

// allProperties returns what an entry for all properties of the request gets, and their
// ids as they are shown. There are none unless all properties can be named.
func (b *builder) allProperties() (Value, string) {
	members := []byte(`{"authorization_type":"property_ids","property_ids":[`)
	var ids []string
	for i, p := range b.root.Get("properties").Elems() {
		id := p.Get("property_id").Str()
		if id == "" {
			return b.root, ""
		}
		if i > 0 {
			members = append(members, ',')
		}
		members = AppendString(members, id)
		ids = append(ids, id)
	}
	return objectOf(append(members, "]}"...)), strings.Join(ids, ", ")
}

// unscoped reports whether an entry says nothing about what the agent may sell. An entry
// with a member that agents do not have is another matter: it may be a selector with a
// mistake in its name, and the agent would be given more than was meant.
func unscoped(agent Value) bool {
	if !agent.Is(Object) || agent.Len() == 0 || agent.Has("authorization_type") {
		return false
	}
	for m := range agent.Members() {
		if model.Agent.Field(m.Name()) == nil {
			return false
		}
	}
	return !slices.ContainsFunc(companions[:], func(s companion) bool { return agent.Has(s.name) })
}

// impliedType returns the type of an entry that states none but has exactly
// one selector. With two selectors the author must say which one applies.
func impliedType(agent Value) AuthorizationType {
	if !agent.Is(Object) || agent.Has("authorization_type") {
		return ""
	}
	found := AuthorizationType("")
	for i := range companions {
		if !agent.Has(companions[i].name) {
			continue
		}
		if found != "" {
			return ""
		}
		found = companions[i].typ
	}
	return found
}

// controls checks the members that steer Build. They never reach the file, so
// the check of the file would not see a mistake in them, and a mistake must
// not be taken for a default. Each member yields one finding at most.
func (b *builder) controls() []Finding {
	var faults []Finding
	seen := make(map[string]int)
	for m := range b.root.Members() {
		name := m.Name()
		if !slices.Contains(controlMembers, name) {
			continue
		}
		seen[name]++
		switch {
		case seen[name] == 2:
			faults = append(faults, b.fault(m, "file.duplicate_key", name+" is given more than once", "keep one of them"))
		case seen[name] == 1 && !m.Value().IsBool():
			faults = append(faults, b.fault(m, "file.field_type",
				name+" must be true or false, it is "+m.Value().Kind().String(),
				"write true or false without quotes, or leave it out"))
		}
	}
	return faults
}

func (b *builder) fault(m jsontree.Member, code, msg, hint string) Finding {
	v := m.Value()
	at := b.root.Tree().Positions([]int{v.Offset()})[0]
	rule, _ := LookupRule(code)
	return Finding{
		Code: code, Severity: Error, Effect: AbortFile, Pointer: "/" + m.Name(),
		Offset: at.Offset, Line: at.Line, Column: at.Column, Length: v.End() - v.Offset(),
		Message: msg, Hint: hint, Spec: rule.Spec,
	}
}
