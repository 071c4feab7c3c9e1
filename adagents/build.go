package adagents

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// SchemaURL is the value of $schema that Build writes.
const SchemaURL = "https://adcontextprotocol.org/schemas/v3/adagents.json"

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
	// are those of the draft that Source of its Tree returns; when the request
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
	limits := jsontree.Options{MaxBytes: opt.Check.MaxBytes, MaxValues: opt.Check.MaxValues, Names: names}
	tree, err := jsontree.Parse(request, limits)
	if err != nil || !tree.Root().Is(Object) {
		return refuse(&Built{Report: Check(request, opt.Check)})
	}
	b := builder{root: tree.Root(), opt: opt, built: new(Built)}
	faults := b.controls()
	if len(faults) > 0 {
		b.built.Report = &Report{Findings: faults, Unusable: &Unusable{Findings: faults}, tree: tree}
		return refuse(b.built)
	}
	file, err := format(b.draft(), limits)
	if err != nil {
		b.overLimit(err)
		return refuse(b.built)
	}
	b.built.Report = Check(file, b.opt.Check)
	if !b.built.Report.Valid() {
		return refuse(b.built)
	}
	b.built.File = file
	return b.built, nil
}

// overLimit reports that what was added brought the file over a limit.
func (b *builder) overLimit(err error) {
	var unusable *Unusable
	if errors.As(err, &unusable) {
		b.built.Report = &Report{Findings: unusable.Findings, Unusable: unusable}
	}
}

func refuse(b *Built) (*Built, error) {
	return b, b.Report.Err()
}

// builder makes the draft of one file.
type builder struct {
	root  Value
	opt   BuildOptions
	built *Built
	out   objectWriter
	// ids are those of all properties once idsKnown is set; see propertyIDs.
	ids      []string
	idsKnown bool
}

// draft writes the file in the request's member order; formatting puts it
// into the canonical one.
func (b *builder) draft() []byte {
	etag := b.etag()
	b.out.dst = append(make([]byte, 0, len(b.root.Tree().Source())+256), '{')
	for m := range b.root.Members() {
		b.member(m, etag)
	}
	if etag != "" {
		b.infer("", "catalog_etag", etag)
		b.out.str("catalog_etag", etag)
	}
	for _, a := range b.added() {
		b.out.str(a.name, a.value)
	}
	return append(b.out.dst, '}')
}

// An addedMember is a string that Build puts into the file.
type addedMember struct{ name, value string }

// added returns what every file gets that does not have it.
func (b *builder) added() []addedMember {
	var list []addedMember
	if !b.opt.OmitSchema && b.wanted(controlSchema, "$schema") {
		list = append(list, addedMember{"$schema", SchemaURL})
	}
	if b.timed() && (b.renewed() || b.wanted(controlTimestamp, "last_updated")) {
		list = append(list, addedMember{"last_updated", b.opt.Now.UTC().Format(time.RFC3339)})
	}
	return list
}

// timed reports whether the file may get the present time.
func (b *builder) timed() bool { return !b.opt.OmitTimestamp && !b.opt.Now.IsZero() }

// renewed reports whether the present time replaces the one in the request:
// whoever asks for it in so many words does not mean an old one.
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

// member passes one member of the request on.
func (b *builder) member(m jsontree.Member, etag string) {
	name := m.Name()
	if b.dropped(name, etag) {
		return
	}
	dst := b.out.rawName(b.root.Tree().At(m.Node()).Text())
	if name == "authorized_agents" && m.Value().Is(Array) {
		b.out.dst = b.agents(dst, m.Value())
		return
	}
	b.out.dst = appendValue(dst, m.Value())
}

// dropped reports whether a member of the request does not become part of the file.
func (b *builder) dropped(name, etag string) bool {
	return slices.Contains(controlMembers, name) || name == "catalog_etag" && etag != "" || name == "last_updated" && b.renewed()
}

// wanted reports whether an optional member is to be added: it is not there
// yet and the control member does not say false.
func (b *builder) wanted(control, member string) bool {
	return !b.root.Has(member) && !b.root.Get(control).Is(jsontree.False)
}

func (b *builder) infer(pointer, member, value string) {
	b.built.Inferred = append(b.built.Inferred, Inference{pointer, member, value})
}

// agents writes the agent entries, each with its scope where that
// can be inferred.
func (b *builder) agents(dst []byte, list Value) []byte {
	dst = append(dst, '[')
	for i, v := range list.Elems() {
		dst = appendValue(appendComma(dst, i), v)
		kind, ids := impliedType(v), []string(nil)
		if unscoped(v) && len(b.propertyIDs()) > 0 {
			kind, ids = ByPropertyIDs, b.propertyIDs()
			b.opt.Check.inferred = append(b.opt.Check.inferred, i)
		}
		if kind == "" {
			continue
		}
		// The entry has at least a selector or a URL, so a comma is right.
		dst = append(dst[:len(dst)-1], `,"authorization_type":"`+string(kind)+`"`...)
		at := jsontree.Pointer("/authorized_agents", strconv.Itoa(i))
		b.infer(at, "authorization_type", string(kind))
		if ids != nil {
			dst = appendStrings(append(dst, `,"property_ids":`...), ids)
			b.infer(at, "property_ids", strings.Join(ids, ", "))
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendStrings writes a list of strings.
func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		dst = AppendString(appendComma(dst, i), s)
	}
	return append(dst, ']')
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

// propertyIDs returns the ids of the request's properties, or nothing unless all of them
// can be named.
func (b *builder) propertyIDs() []string {
	if b.idsKnown {
		return b.ids
	}
	b.idsKnown = true
	var ids []string
	for _, p := range b.root.Get("properties").Elems() {
		id, ok := p.Get("property_id").AsString()
		if !ok || id == "" {
			return nil
		}
		ids = append(ids, id)
	}
	b.ids = ids
	return ids
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
				name+" must be true or false, it is "+m.Value().Kind().String(), "write true or false without quotes, or leave it out"))
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

// appendValue writes a value without white space. Names, strings and numbers
// keep the spelling of the source, so that nothing is lost on the way.
func appendValue(dst []byte, v Value) []byte {
	switch {
	case v.Is(Array):
		dst = append(dst, '[')
		for i, e := range v.Elems() {
			dst = appendValue(appendComma(dst, i), e)
		}
		return append(dst, ']')
	case v.Is(Object):
		w := objectWriter{dst: append(dst, '{')}
		for m := range v.Members() {
			w.dst = appendValue(w.rawName(v.Tree().At(m.Node()).Text()), m.Value())
		}
		return append(w.dst, '}')
	}
	return append(dst, v.Text()...)
}

func appendComma(dst []byte, before int) []byte {
	if before == 0 {
		return dst
	}
	return append(dst, ',')
}

// objectWriter writes the members of one object.
type objectWriter struct {
	dst []byte
	n   int
}

// rawName starts a member whose name is given as written, quotes included.
func (w *objectWriter) rawName(name string) []byte {
	w.dst = append(appendComma(w.dst, w.n), name...)
	w.n++
	return append(w.dst, ':')
}

// str writes a member with a string value.
func (w *objectWriter) str(name, value string) {
	w.dst = AppendString(w.rawName(`"`+name+`"`), value)
}
