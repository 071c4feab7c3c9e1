package adagents

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/iso3166"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/langtag"
	"github.com/avow-project/avow/internal/std/rfc3339"
)

// A fault is a way in which a value fails its declared type.
type fault uint8

const (
	wrongKind  fault = iota // another JSON type
	notAllowed              // outside the enumeration
	outOfRange              // number, length or count outside its limits
	badForm                 // pattern or format not met
	repeated                // an element twice where they must differ
	surplus                 // a member that a closed object does not know
	lacking                 // a required member is absent
)

// problem is one fault at one place.
type problem struct {
	fault   fault
	at      Value
	missing string // with lacking: the member
	msg     string
	hint    string
	// member is the name of the nearest member around the place, "" when that
	// is the value that was compared as a whole. item says that the place is an
	// element of that member.
	member string
	item   bool
}

// sentence is the message about a problem within the named member.
func (p *problem) sentence(name string) string {
	switch {
	case p.missing != "" || p.fault == surplus:
		return name + ": " + p.msg
	case p.member == "":
		return p.subject(name) + " " + p.msg
	default:
		return name + ": " + p.subject(p.member) + " " + p.msg
	}
}

// subject names what a problem is about. A message that begins with the faulty
// value itself needs no more than the name.
func (p *problem) subject(name string) string {
	if p.item && !strings.HasPrefix(p.msg, `"`) {
		return "an item of " + name
	}
	return name
}

// conforming is the comparison of one value with its type.
type conforming struct {
	yield  func(problem)
	member string
	item   bool
	hinted int // members of closed objects for which others were proposed
}

func (k *conforming) add(p problem) {
	p.member, p.item = k.member, k.item
	k.yield(p)
}

// conform compares a value with its declared type, members and elements
// included, and calls yield for each problem.
func conform(v Value, t *model.Type, yield func(problem)) {
	k := conforming{yield: yield}
	k.value(v, t)
}

func (k *conforming) value(v Value, t *model.Type) {
	if t.Nullable && v.Is(Null) {
		return
	}
	if !kindFits(v, t.Kind) {
		k.add(problem{fault: wrongKind, at: v, msg: fmt.Sprintf("must be %s, not %s", kindText(t), whatItIs(v, t.Kind))})
		return
	}
	switch t.Kind {
	case model.String:
		k.string(v, t)
	case model.Integer, model.Number:
		k.number(v, t)
	case model.Array:
		k.array(v, t)
	case model.Object:
		if t.Object != nil {
			k.object(v, t.Object)
		}
	case model.Map:
		for m := range v.Members() {
			k.value(m.Value(), t.Elem)
		}
	}
}

func kindFits(v Value, k model.Kind) bool {
	switch k {
	case model.String:
		return v.Is(String)
	case model.Bool:
		return v.IsBool()
	case model.Integer:
		_, ok := numberOf(v).Int()
		return ok
	case model.Number:
		return v.Is(jsontree.Number)
	case model.Array:
		return v.Is(Array)
	case model.Object, model.Map:
		return v.Is(Object)
	}
	return true
}

func kindText(t *model.Type) string {
	return [...]string{"any value", "a string", "true or false", "a whole number", "a number", "an array", "an object", "an object"}[t.Kind]
}

// whatItIs names the kind of a value, or the value itself where the kind would
// not tell what is wrong: a number that is not whole.
func whatItIs(v Value, want model.Kind) string {
	if want == model.Integer && v.Is(jsontree.Number) {
		return shortNumber(v.Text())
	}
	return v.Kind().String()
}

func (k *conforming) string(v Value, t *model.Type) {
	s := v.Str()
	n := utf8.RuneCountInString(s)
	switch {
	case t.Const != "" && s != t.Const:
		k.add(problem{fault: notAllowed, at: v, msg: fmt.Sprintf("must be %q", t.Const)})
	case t.Enum != nil && !slices.Contains(t.Enum, s):
		k.add(problem{fault: notAllowed, at: v, msg: fmt.Sprintf("%s is not one of the known values", quote(s)), hint: suggest(s, t.Enum)})
	case n < t.MinLen && t.MinLen == 1:
		k.add(problem{fault: outOfRange, at: v, msg: "must not be empty"})
	case n < t.MinLen:
		k.add(problem{fault: outOfRange, at: v, msg: fmt.Sprintf("must have at least %d characters", t.MinLen)})
	case t.MaxLen > 0 && n > t.MaxLen:
		k.add(problem{fault: outOfRange, at: v, msg: fmt.Sprintf("has %d characters, at most %d are allowed", n, t.MaxLen)})
	case t.Pattern != "" && !compiled(t.Pattern).MatchString(s):
		k.add(problem{fault: badForm, at: v, msg: quote(s) + " " + formMissed(t.Pattern)})
	default:
		if msg := formFault(s, t.Format); msg != "" {
			k.add(problem{fault: badForm, at: v, msg: msg, hint: formHint(s, t.Format)})
		}
	}
}

// formHint says what was probably meant by a string that misses its format.
func formHint(s string, f model.Format) string {
	if f == model.Country {
		return iso3166.Suggest(s).Text
	}
	return ""
}

func (k *conforming) number(v Value, t *model.Type) {
	f, ok := v.Float()
	switch {
	case !ok || math.IsInf(f, 0):
		k.add(problem{fault: outOfRange, at: v, msg: "is too large"})
	case t.ExclusiveMin && f <= t.Min:
		k.add(problem{fault: outOfRange, at: v, msg: fmt.Sprintf("must be greater than %v", t.Min)})
	case t.HasMin && f < t.Min:
		k.add(problem{fault: outOfRange, at: v, msg: fmt.Sprintf("must be at least %v", t.Min)})
	case t.HasMax && f > t.Max:
		k.add(problem{fault: outOfRange, at: v, msg: fmt.Sprintf("must be at most %v", t.Max)})
	}
}

func (k *conforming) array(v Value, t *model.Type) {
	n := v.Len()
	switch {
	case n < t.MinItems && t.MinItems == 1:
		k.add(problem{fault: outOfRange, at: v, msg: "must not be empty", hint: "remove the member or add an item"})
	case n < t.MinItems:
		k.add(problem{fault: outOfRange, at: v, msg: fmt.Sprintf("must have at least %d items", t.MinItems)})
	case t.MaxItems > 0 && n > t.MaxItems:
		k.add(problem{fault: outOfRange, at: v, msg: fmt.Sprintf("has %d items, at most %d are allowed", n, t.MaxItems)})
	}
	var seen map[string]struct{}
	if t.Unique && n > 1 {
		seen = make(map[string]struct{}, n)
	}
	for _, e := range v.Elems() {
		k.within(k.member, true, e, t.Elem)
		if seen == nil {
			continue
		}
		text := canonicalText(e)
		if _, dup := seen[text]; dup {
			k.add(problem{fault: repeated, at: e, msg: repeatText(e)})
		}
		seen[text] = struct{}{}
	}
}

// repeatText says that an element occurred before, and which if that is short.
func repeatText(e Value) string {
	if e.Is(String) {
		return quote(e.Str()) + " is listed twice"
	}
	return "has two items that are the same"
}

// memberHint proposes known members for one that is not, up to a number that
// nobody reads: an object of a hostile file has a million of them.
func (k *conforming) memberHint(name string, o *model.ObjectType) string {
	if k.hinted == maxHints {
		return ""
	}
	k.hinted++
	return knownMembers(name, o.Names())
}

// object compares an object's members with its type.
func (k *conforming) object(v Value, o *model.ObjectType) {
	for m := range v.Members() {
		f := o.Field(m.Name())
		switch {
		case f != nil:
			k.within(f.Name, false, m.Value(), &f.Type)
		case o.Closed:
			k.add(problem{fault: surplus, at: m.Value(), msg: quote(m.Name()) + " is not a known member", hint: k.memberHint(m.Name(), o)})
		}
	}
	for i := range o.Fields {
		if f := &o.Fields[i]; f.Required && !v.Has(f.Name) {
			k.add(problem{fault: lacking, at: v, missing: f.Name, msg: fmt.Sprintf("%s is missing", f.Name), hint: f.Doc})
		}
	}
	for _, group := range o.AnyOf {
		if !slices.ContainsFunc(group, v.Has) {
			k.add(problem{fault: lacking, at: v, missing: group[0], msg: "one of " + strings.Join(group, ", ") + " is needed"})
		}
	}
	if n := v.Len(); n < o.MinMembers {
		k.add(problem{fault: outOfRange, at: v, msg: fmt.Sprintf("needs at least %d member", o.MinMembers)})
	}
}

// within compares a part of the value, which is a member or one of its items.
func (k *conforming) within(member string, item bool, v Value, t *model.Type) {
	outer, outerItem := k.member, k.item
	k.member, k.item = member, item
	k.value(v, t)
	k.member, k.item = outer, outerItem
}

// sayProblem reports the current rule for a problem within the named member.
func (r reporter) sayProblem(name string, p problem) {
	if p.missing != "" {
		r.missing(p.at, p.missing, "%s", p.sentence(name)).withHint("%s", missingHint(p))
		return
	}
	r.say(p.at, "%s", p.sentence(name)).withHint("%s", p.hint)
}

// formFault says how a string misses its format, or "" when it does not.
func formFault(s string, f model.Format) string {
	switch f {
	case model.URI, model.HTTPS:
		return urlFault(s, f == model.HTTPS)
	case model.DateTime:
		_, err := rfc3339.Parse(s)
		if err != nil {
			return fmt.Sprintf("%s is not a timestamp: %v", quote(s), err)
		}
	case model.Email:
		if !isEmail(s) {
			return quote(s) + " is not an email address"
		}
	case model.Domain, model.Hostname:
		if !hostname.IsCanonical(s) {
			return quote(s) + " is not a lower-case domain name"
		}
	case model.Country:
		if !iso3166.Assigned(s) {
			return quote(s) + " is not an ISO 3166-1 alpha-2 code"
		}
	case model.Locale:
		if !langtag.Valid(s) {
			return quote(s) + " is not a language tag in canonical case"
		}
	default:
		if p := formPatterns[f]; p != "" && !compiled(p).MatchString(s) {
			return quote(s) + " " + formMissed(p)
		}
	}
	return ""
}

// formMissed says that a pattern is not met, and shows it if it can be read at
// a glance.
func formMissed(pattern string) string {
	const limit = 50
	if len(pattern) > limit {
		return "does not have the form it needs"
	}
	return "does not match " + pattern
}

var formPatterns = map[model.Format]string{
	model.Digest:    `^sha256:[a-f0-9]{64}$`,
	model.Aspect:    `^[0-9]+(\.[0-9]+)?:[0-9]+(\.[0-9]+)?$`,
	model.SemVer:    `^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$`,
	model.MinorVer:  `^[1-9]\d*\.(0|[1-9]\d*)$`,
	model.Base64URL: `^[A-Za-z0-9_-]+$`,
}

func urlFault(s string, https bool) string {
	_, info, err := hostname.CanonicalURL(s)
	switch {
	case err != nil:
		return quote(s) + " " + err.Error()
	case info.HasUserinfo:
		return "contains a user name or password"
	case https && info.Scheme != "https":
		return quote(s) + " is not an https URL"
	}
	return ""
}

// isEmail accepts one plain address: local@host. What mail servers accept
// beyond that has no place in a public contact.
func isEmail(s string) bool {
	local, host, ok := strings.Cut(s, "@")
	if !ok || local == "" || strings.ContainsAny(s, " \t\r\n<>,;:\\\"()[]") {
		return false
	}
	_, _, err := hostname.Canonical(host)
	return err == nil && !strings.HasPrefix(local, ".") && !strings.HasSuffix(local, ".")
}

// quote shows a string from the file in a message, shortened and without the
// credentials of a URL: a report must not spread a password. Output layers
// escape what is dangerous to show.
func quote(s string) string {
	return `"` + shorten(withoutUser(s)) + `"`
}

// shorten cuts a long text. It looks at the part it keeps and no further: the
// text may be as long as the file.
func shorten(s string) string {
	const limit = 60
	if len(s) <= limit {
		return s
	}
	n, cut := 0, 0
	for i := range s {
		if n == limit-1 {
			cut = i
		}
		if n == limit {
			return s[:cut] + "…"
		}
		n++
	}
	return s
}

var patterns sync.Map // string to *regexp.Regexp

func compiled(p string) *regexp.Regexp {
	if re, ok := patterns.Load(p); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(p)
	patterns.Store(p, re)
	return re
}

// canonicalText returns a text that is equal for equal JSON values: members
// sorted, strings decoded. It serves comparison, not output.
func canonicalText(v Value) string {
	var b strings.Builder
	writeCanonical(&b, v)
	return b.String()
}

func writeCanonical(b *strings.Builder, v Value) {
	switch {
	case v.Is(String):
		fmt.Fprintf(b, "%q", v.Str())
	case v.Is(Array):
		b.WriteByte('[')
		for _, e := range v.Elems() {
			writeCanonical(b, e)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case v.Is(Object):
		var members []jsontree.Member
		for m := range v.Members() {
			members = append(members, m)
		}
		slices.SortStableFunc(members, func(x, y jsontree.Member) int { return strings.Compare(x.Name(), y.Name()) })
		b.WriteByte('{')
		for _, m := range members {
			fmt.Fprintf(b, "%q:", m.Name())
			writeCanonical(b, m.Value())
			b.WriteByte(',')
		}
		b.WriteByte('}')
	case v.Is(jsontree.Number):
		if f, ok := v.Float(); ok {
			fmt.Fprintf(b, "%v", f)
			return
		}
		b.WriteString(v.Text())
	default:
		b.WriteString(v.Text())
	}
}
