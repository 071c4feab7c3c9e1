// Package conform compares JSON values with the types that the format declares for them,
// and puts what is wrong into words.
package conform

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

// A Fault is a way in which a value fails its declared type.
type Fault uint8

// The faults.
const (
	WrongKind  Fault = iota // another JSON type
	NotAllowed              // outside the enumeration
	OutOfRange              // number, length or count outside its limits
	BadForm                 // pattern or format not met
	Repeated                // an element twice where they must differ
	Surplus                 // a member that a closed object does not know
	Lacking                 // a required member is absent
)

// Problem is one fault at one location.
type Problem struct {
	Fault   Fault
	At      jsontree.Value
	Missing string // with Lacking: the member
	Msg     string
	Hint    string
	// Member is the name of the nearest member around it, "" when that
	// is the value that was compared as a whole. Item says that it is an
	// element of that member.
	Member string
	Item   bool
}

// MissingHint turns the documentation of an absent member into advice.
func (p *Problem) MissingHint() string {
	doc := strings.TrimSuffix(p.Hint, ".")
	if len(doc) < 2 {
		return "add " + p.Missing
	}
	if doc[1] >= 'a' && doc[1] <= 'z' {
		doc = strings.ToLower(doc[:1]) + doc[1:]
	}
	return "add " + p.Missing + ": " + doc
}

// Sentence is the message about a problem within the named member.
func (p *Problem) Sentence(name string) string {
	switch {
	case p.Missing != "" || p.Fault == Surplus:
		return name + ": " + p.Msg
	case p.Member == "":
		return p.subject(name) + " " + p.Msg
	default:
		return name + ": " + p.subject(p.Member) + " " + p.Msg
	}
}

// subject names what a problem is about. A message that begins with the faulty
// value itself needs no more than the name.
func (p *Problem) subject(name string) string {
	if p.Item && !strings.HasPrefix(p.Msg, `"`) {
		return "an item of " + name
	}
	return name
}

// conforming is the comparison of one value with its type.
type conforming struct {
	yield  func(Problem)
	member string
	item   bool
	hinted int // members of closed objects for which others were proposed
}

func (k *conforming) add(p Problem) {
	p.Member, p.Item = k.member, k.item
	k.yield(p)
}

// Check compares a value with its declared type, members and elements
// included, and calls yield for each problem.
func Check(v jsontree.Value, t *model.Type, yield func(Problem)) {
	k := conforming{yield: yield}
	k.value(v, t)
}

func (k *conforming) value(v jsontree.Value, t *model.Type) {
	if t.Nullable && v.Is(jsontree.Null) {
		return
	}
	if !KindFits(v, t.Kind) {
		k.add(Problem{Fault: WrongKind, At: v, Msg: fmt.Sprintf("must be %s, not %s", KindText(t), WhatItIs(v, t.Kind))})
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

// KindFits reports whether a value has the JSON type.
func KindFits(v jsontree.Value, k model.Kind) bool {
	switch k {
	case model.String:
		return v.Is(jsontree.String)
	case model.Bool:
		return v.IsBool()
	case model.Integer:
		_, ok := Int(v)
		return ok
	case model.Number:
		return v.Is(jsontree.Number)
	case model.Array:
		return v.Is(jsontree.Array)
	case model.Object, model.Map:
		return v.Is(jsontree.Object)
	}
	return true
}

// Int returns the value of a whole number, however it is written (2, 2.0, 2e0).
func Int(v jsontree.Value) (int64, bool) {
	f, ok := v.Float()
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// KindText names the JSON type that a type asks for.
func KindText(t *model.Type) string {
	return [...]string{"any value", "a string", "true or false", "a whole number", "a number", "an array", "an object",
		"an object"}[t.Kind]
}

// WhatItIs names the kind of a value, or the value itself where the kind would
// not tell what is wrong: a number that is not whole.
func WhatItIs(v jsontree.Value, want model.Kind) string {
	if want == model.Integer && v.Is(jsontree.Number) {
		return ShortNumber(v.Text())
	}
	return v.Kind().String()
}

func (k *conforming) string(v jsontree.Value, t *model.Type) {
	s := v.Str()
	n := utf8.RuneCountInString(s)
	switch {
	case t.Const != "" && s != t.Const:
		k.add(Problem{Fault: NotAllowed, At: v, Msg: fmt.Sprintf("must be %q", t.Const)})
	case t.Enum != nil && !slices.Contains(t.Enum, s):
		k.add(Problem{Fault: NotAllowed, At: v, Msg: fmt.Sprintf("%s is not one of the known values", Quote(s)),
			Hint: Suggest(s, t.Enum)})
	case n < t.MinLen && t.MinLen == 1:
		k.add(Problem{Fault: OutOfRange, At: v, Msg: "must not be empty"})
	case n < t.MinLen:
		k.add(Problem{Fault: OutOfRange, At: v, Msg: fmt.Sprintf("must have at least %d characters", t.MinLen)})
	case t.MaxLen > 0 && n > t.MaxLen:
		k.add(Problem{Fault: OutOfRange, At: v, Msg: fmt.Sprintf("has %d characters, at most %d are allowed", n, t.MaxLen)})
	case t.Pattern != "" && !Compiled(t.Pattern).MatchString(s):
		k.add(Problem{Fault: BadForm, At: v, Msg: Quote(s) + " " + formMissed(t.Pattern)})
	default:
		if msg := FormFault(s, t.Format); msg != "" {
			k.add(Problem{Fault: BadForm, At: v, Msg: msg, Hint: formHint(s, t.Format)})
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

func (k *conforming) number(v jsontree.Value, t *model.Type) {
	f, ok := v.Float()
	switch {
	case !ok || math.IsInf(f, 0):
		k.add(Problem{Fault: OutOfRange, At: v, Msg: "is too large"})
	case t.ExclusiveMin && f <= t.Min:
		k.add(Problem{Fault: OutOfRange, At: v, Msg: fmt.Sprintf("must be greater than %v", t.Min)})
	case t.HasMin && f < t.Min:
		k.add(Problem{Fault: OutOfRange, At: v, Msg: fmt.Sprintf("must be at least %v", t.Min)})
	case t.HasMax && f > t.Max:
		k.add(Problem{Fault: OutOfRange, At: v, Msg: fmt.Sprintf("must be at most %v", t.Max)})
	}
}

func (k *conforming) array(v jsontree.Value, t *model.Type) {
	n := v.Len()
	switch {
	case n < t.MinItems && t.MinItems == 1:
		k.add(Problem{Fault: OutOfRange, At: v, Msg: "must not be empty", Hint: "remove the member or add an item"})
	case n < t.MinItems:
		k.add(Problem{Fault: OutOfRange, At: v, Msg: fmt.Sprintf("must have at least %d items", t.MinItems)})
	case t.MaxItems > 0 && n > t.MaxItems:
		k.add(Problem{Fault: OutOfRange, At: v, Msg: fmt.Sprintf("has %d items, at most %d are allowed", n, t.MaxItems)})
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
		text := CanonicalText(e)
		if _, dup := seen[text]; dup {
			k.add(Problem{Fault: Repeated, At: e, Msg: repeatText(e)})
		}
		seen[text] = struct{}{}
	}
}

// repeatText says that an element occurred before, and which if that is short.
func repeatText(e jsontree.Value) string {
	if e.Is(jsontree.String) {
		return Quote(e.Str()) + " is Listed twice"
	}
	return "has two items that are the same"
}

// memberHint proposes known members for one that is not, up to a limit: an object in a
// hostile file has a million of them.
func (k *conforming) memberHint(name string, o *model.ObjectType) string {
	if k.hinted == MaxHints {
		return ""
	}
	k.hinted++
	return KnownMembers(name, o.Names())
}

// object compares an object's members with its type.
func (k *conforming) object(v jsontree.Value, o *model.ObjectType) {
	for m := range v.Members() {
		f := o.Field(m.Name())
		switch {
		case f != nil:
			k.within(f.Name, false, m.Value(), &f.Type)
		case o.Closed:
			k.add(Problem{Fault: Surplus, At: m.Value(), Msg: Quote(m.Name()) + " is not a known member",
				Hint: k.memberHint(m.Name(), o)})
		}
	}
	for i := range o.Fields {
		if f := &o.Fields[i]; f.Required && !v.Has(f.Name) {
			k.add(Problem{Fault: Lacking, At: v, Missing: f.Name, Msg: fmt.Sprintf("%s is missing", f.Name), Hint: f.Doc})
		}
	}
	for _, group := range o.AnyOf {
		if !slices.ContainsFunc(group, v.Has) {
			k.add(Problem{Fault: Lacking, At: v, Missing: group[0], Msg: "one of " + strings.Join(group, ", ") + " is needed"})
		}
	}
	for _, group := range o.Together {
		for _, name := range group {
			if slices.ContainsFunc(group, v.Has) && !v.Has(name) {
				k.add(Problem{Fault: Lacking, At: v, Missing: name,
					Msg: fmt.Sprintf("%s is missing: %s belong together", name, strings.Join(group, " and "))})
			}
		}
	}
	if n := v.Len(); n < o.MinMembers {
		k.add(Problem{Fault: OutOfRange, At: v, Msg: fmt.Sprintf("needs at least %d member", o.MinMembers)})
	}
}

// within compares a part of the value, which is a member or one of its items.
func (k *conforming) within(member string, item bool, v jsontree.Value, t *model.Type) {
	outer, outerItem := k.member, k.item
	k.member, k.item = member, item
	k.value(v, t)
	k.member, k.item = outer, outerItem
}

// FormFault says how a string misses its format, or "" when it does not.
func FormFault(s string, f model.Format) string {
	switch f {
	case model.URI, model.HTTPS:
		return URLFault(s, f == model.HTTPS)
	case model.DateTime:
		_, err := rfc3339.Parse(s)
		if err != nil {
			return fmt.Sprintf("%s is not a timestamp: %v", Quote(s), err)
		}
	case model.Email:
		if !IsEmail(s) {
			return Quote(s) + " is not an email address"
		}
	case model.Domain, model.Hostname:
		if !hostname.IsCanonical(s) {
			return Quote(s) + " is not a lower-case domain name"
		}
	case model.Country:
		if !iso3166.Assigned(s) {
			return Quote(s) + " is not an ISO 3166-1 alpha-2 code"
		}
	case model.Locale:
		if !langtag.Valid(s) {
			return Quote(s) + " is not a language tag in canonical case"
		}
	default:
		if p := formPatterns[f]; p != "" && !Compiled(p).MatchString(s) {
			return Quote(s) + " " + formMissed(p)
		}
	}
	return ""
}

// formMissed says that a pattern is not met, and shows it if it can be read at
// one look.
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

// URLFault says what is wrong with a URL, or "" when nothing is.
func URLFault(s string, https bool) string {
	_, info, err := hostname.CanonicalURL(s)
	switch {
	case err != nil:
		return Quote(s) + " " + err.Error()
	case info.HasUserinfo:
		return "contains a user name or password"
	case https && info.Scheme != "https":
		return Quote(s) + " is not an https URL"
	}
	return ""
}

// IsEmail accepts one plain address: local@host. What mail servers accept
// beyond that has no place in a public contact.
func IsEmail(s string) bool {
	local, host, ok := strings.Cut(s, "@")
	if !ok || local == "" || strings.ContainsAny(s, " \t\r\n<>,;:\\\"()[]") {
		return false
	}
	_, _, err := hostname.Canonical(host)
	return err == nil && !strings.HasPrefix(local, ".") && !strings.HasSuffix(local, ".")
}

var patterns sync.Map // string to *regexp.Regexp

// Compiled returns a regular expression, compiled once.
func Compiled(p string) *regexp.Regexp {
	if re, ok := patterns.Load(p); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(p)
	patterns.Store(p, re)
	return re
}

// CanonicalText returns a text that is equal for equal JSON values: members
// sorted, strings decoded. It serves comparison, not output.
func CanonicalText(v jsontree.Value) string {
	var b strings.Builder
	WriteCanonical(&b, v)
	return b.String()
}

// WriteCanonical writes what CanonicalText returns.
func WriteCanonical(b *strings.Builder, v jsontree.Value) {
	switch {
	case v.Is(jsontree.String):
		fmt.Fprintf(b, "%q", v.Str())
	case v.Is(jsontree.Array):
		b.WriteByte('[')
		for _, e := range v.Elems() {
			WriteCanonical(b, e)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case v.Is(jsontree.Object):
		var members []jsontree.Member
		for m := range v.Members() {
			members = append(members, m)
		}
		slices.SortStableFunc(members, func(x, y jsontree.Member) int { return strings.Compare(x.Name(), y.Name()) })
		b.WriteByte('{')
		for _, m := range members {
			fmt.Fprintf(b, "%q:", m.Name())
			WriteCanonical(b, m.Value())
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
