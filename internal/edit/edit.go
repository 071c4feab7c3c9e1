// Package edit makes the changes that people make to the file of a network: publishers come, go
// and are revoked, agents and keys change. Each is a few edits to the text, in the style in which
// the file is written; all other bytes stay as they are. It knows no rules: the caller checks the
// result.
package edit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/format/layout"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textedit"
)

// A Problem is a reason why a change cannot be made, and what to do instead.
type Problem struct {
	Message, Hint string
	// Conflict says that the change is possible, but not with what the file has already.
	Conflict bool
}

// Error returns the message.
func (p *Problem) Error() string { return p.Message }

func problem(hint, format string, args ...any) error {
	return &Problem{Message: fmt.Sprintf(format, args...), Hint: hint}
}

func conflict(hint, format string, args ...any) error {
	return &Problem{Message: fmt.Sprintf(format, args...), Hint: hint, Conflict: true}
}

// A Draft is a file with the changes made so far. Nothing that one change touches may be touched
// by another.
type Draft struct {
	*jsonedit.Editor
	src   []byte
	root  adagents.Value
	file  *adagents.File // nil for a pointer
	now   time.Time
	edits []textedit.Edit
	set   map[string]bool // members at the top that have their new text
	// renews says that catalog_etag has to be another, whatever the catalog says.
	renews bool
	hosts  hostname.Memo
	// websites are properties that are added in the end.
	websites []string
	// Notes are what the user should know about what was done or left.
	Notes []string
}

// New begins to change a file, given its report. now is what last_updated becomes.
func New(src []byte, report *adagents.Report, now time.Time) *Draft {
	tree := report.Tree()
	return &Draft{Editor: jsonedit.New(tree), src: src, root: tree.Root(), file: report.File, now: now,
		set: map[string]bool{}}
}

func (d *Draft) note(format string, args ...any) {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
}

func (d *Draft) add(edits ...textedit.Edit) { d.edits = append(d.edits, edits...) }

// Finish returns the edits, sorted. If there are some, last_updated and, where it has to change,
// catalog_etag are among them.
func (d *Draft) Finish() []textedit.Edit {
	if len(d.websites) > 0 {
		d.appendTo(d.root, "properties", d.websites)
		d.renews = true
	}
	if len(d.edits) > 0 {
		d.setText("last_updated", stamp(d.date()))
		if old := d.root.Get("catalog_etag"); d.renews && d.file != nil && old.Exists() {
			d.setText("catalog_etag", d.newTag(old.Str()))
		}
	}
	textedit.Sort(d.edits)
	return d.edits
}

// Bump renews last_updated, and catalog_etag unless the catalog has it already. A date of a
// moment ago, or that several changes in a row have set a little ahead, is not set back.
func (d *Draft) Bump() {
	if d.file != nil {
		tag := adagents.CatalogETag(d.root)
		if tag != "" && !strings.HasPrefix(d.root.Get("catalog_etag").Str(), tag) {
			d.setText("catalog_etag", tag)
		}
	}
	last := d.root.Get("last_updated").Str()
	switch {
	case last != stamp(d.now) && d.date().Equal(d.now):
		d.setText("last_updated", stamp(d.now))
	case len(d.edits) == 0:
		d.note("last_updated is %s already, and catalog_etag matches the catalog", last)
	}
}

// newTag returns a token for the catalog as the edits leave it that differs from the present one: its
// hash, and the time if that is the present one.
func (d *Draft) newTag(old string) string {
	tag := adagents.CatalogETag(d.edited())
	if tag == "" || tag == old {
		tag = strings.TrimPrefix(tag+"-"+d.now.UTC().Format("20060102T150405Z"), "-")
	}
	return tag
}

// edited returns the file with the edits made so far.
func (d *Draft) edited() adagents.Value {
	edits := slices.Clone(d.edits)
	textedit.Sort(edits)
	text, err := textedit.Apply(d.src, edits)
	if err != nil {
		return d.root // applying the edits gives the same error
	}
	tree, err := jsontree.Parse(text, jsontree.Options{})
	if err != nil {
		return d.root
	}
	return tree.Root()
}

// date returns now or, of a file that was changed a moment ago, the second after: by its date a
// version is told from the one before.
func (d *Draft) date() time.Time {
	last, err := time.Parse(time.RFC3339, d.root.Get("last_updated").Str())
	if err != nil || last.Before(d.now) || last.Sub(d.now) > time.Minute {
		return d.now
	}
	return last.Truncate(time.Second).Add(time.Second)
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// setText gives a member at the top a text, once.
func (d *Draft) setText(name, text string) {
	v := d.root.Get(name)
	switch {
	case d.set[name]:
		return
	case v.Exists():
		d.add(d.Replace(v, jsonedit.String(text)))
	default:
		d.add(d.AddMember(d.root, name, jsonedit.String(text)))
	}
	d.set[name] = true
}

// unit returns what the file is indented by for each level.
func (d *Draft) unit() string {
	lead := d.Lead(d.root)
	if i := strings.LastIndexByte(lead, '\n'); i >= 0 && lead[i+1:] != "" {
		return lead[i+1:]
	}
	return "  "
}

// styled returns a value, given in one line, as it is written at a place with so much white space
// before it. It stays in one line if the file has no lines, or like is written in one.
func (d *Draft) styled(text, lead string, like adagents.Value) string {
	line := strings.LastIndexByte(lead, '\n')
	if line < 0 || like.Exists() && !strings.Contains(d.Source(like), "\n") {
		return text
	}
	tree, err := jsontree.Parse([]byte(text), jsontree.Options{Names: layout.Names()})
	if err != nil {
		return text
	}
	base, unit, end := lead[line+1:], d.unit(), "\n"
	if strings.HasSuffix(lead[:line], "\r") {
		end = "\r\n"
	}
	var b strings.Builder
	for i, part := range bytes.Split(layout.Value(tree.Root()), []byte("\n")) {
		if i > 0 {
			rest := bytes.TrimLeft(part, " ")
			b.WriteString(end + base + strings.Repeat(unit, (len(part)-len(rest))/2) + string(rest))
			continue
		}
		b.Write(part)
	}
	return b.String()
}

// appendTo adds elements, given in one line each, to an array of an object, which is made if it
// is not there.
func (d *Draft) appendTo(object adagents.Value, name string, texts []string) {
	array := object.Get(name)
	if array.Is(adagents.Array) && array.Len() > 0 {
		if d.spread(array, texts) {
			return
		}
		var last adagents.Value
		for _, e := range array.Elems() {
			last = e
		}
		d.add(d.AppendAll(array, len(texts), func(i int, lead string) string { return d.styled(texts[i], lead, last) }))
		return
	}
	text := d.styled(d.List(texts...), d.Lead(object), adagents.Value{})
	if array.Exists() {
		d.add(d.Replace(array, text))
		return
	}
	d.add(d.AddMember(object, name, text))
}

// longestLine is the length up to which a list stays in one line. Diffs show it, and people read it.
const longestLine = 240

// spread adds elements to an array that stands in one line, if that would get too long: what stands in
// the line is written in lines as avow fmt does. It reports whether it did.
func (d *Draft) spread(array adagents.Value, texts []string) bool {
	start, end := d.Span(array)
	from, to := bytes.LastIndexByte(d.src[:start], '\n')+1, bytes.IndexByte(d.src[end:], '\n')
	if to < 0 {
		to = len(d.src) - end
	}
	length := end + to - from
	for _, text := range texts {
		length += len(text) + len(", ")
	}
	if length <= longestLine || bytes.ContainsRune(d.src[start:end], '\n') {
		return false
	}
	whole := array // and around it whatever stands in the same line
	for parent := d.Parent(whole); ; whole, parent = parent, d.Parent(parent) {
		if !parent.Exists() {
			return false // the file has no lines
		}
		if lead := d.Lead(parent); strings.Contains(lead, "\n") {
			begin, stop := d.Span(whole)
			text := string(d.src[begin:end-1]) + ", " + strings.Join(texts, ", ") + string(d.src[end-1:stop])
			d.add(d.Replace(whole, d.styled(text, lead, adagents.Value{})))
			return true
		}
	}
}

// domain returns a domain in canonical form; empty for what is none.
func (d *Draft) domain(v adagents.Value) string {
	name, _, err := d.hosts.Canonical(v.Str())
	if err != nil {
		return ""
	}
	return name
}

// entries returns the entries of an agent, of all agents for "".
func (d *Draft) entries(agent string) []adagents.Value {
	var list []adagents.Value
	for _, entry := range d.root.Get("authorized_agents").Elems() {
		if agent == "" || sameURL(entry.Get("url").Str(), agent) {
			list = append(list, entry)
		}
	}
	return list
}

// sameURL reports whether two URLs name one agent.
func sameURL(a, b string) bool {
	x, _, errA := hostname.CanonicalURL(a)
	y, _, errB := hostname.CanonicalURL(b)
	if errA != nil || errB != nil {
		return a == b
	}
	return x == y
}

// agentsNamed says which agents the file names, for messages.
func (d *Draft) agentsNamed() string {
	const most = 5
	var names []string
	seen := map[string]bool{}
	for _, entry := range d.entries("") {
		url := entry.Get("url").Str()
		if !seen[url] {
			seen[url] = true
			names = append(names, url)
		}
	}
	switch {
	case len(names) == 0:
		return "the file names no agent"
	case len(names) > most:
		return fmt.Sprintf("the file names %s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return "the file names " + strings.Join(names, ", ")
}
