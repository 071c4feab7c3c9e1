package adagents

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/hostname"
	"github.com/avow-project/avow/internal/iso3166"
	"github.com/avow-project/avow/internal/jsontree"
	"github.com/avow-project/avow/internal/langtag"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/rfc3339"
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
}

// conform compares a value with its declared type, members and elements
// included, and calls yield for each problem.
func conform(v Value, t *model.Type, yield func(problem)) {
	if t.Nullable && v.Is(Null) {
		return
	}
	if !kindFits(v, t.Kind) {
		yield(problem{wrongKind, v, "", fmt.Sprintf("must be %s, not %s", kindText(t), v.Kind()), ""})
		return
	}
	switch t.Kind {
	case model.String:
		conformString(v, t, yield)
	case model.Integer, model.Number:
		conformNumber(v, t, yield)
	case model.Array:
		conformArray(v, t, yield)
	case model.Object:
		if t.Object != nil {
			conformObject(v, t.Object, yield)
		}
	case model.Map:
		for m := range v.Members() {
			conform(m.Value(), t.Elem, yield)
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

func conformString(v Value, t *model.Type, yield func(problem)) {
	s := v.Str()
	n := utf8.RuneCountInString(s)
	switch {
	case t.Const != "" && s != t.Const:
		yield(problem{notAllowed, v, "", fmt.Sprintf("must be %q", t.Const), ""})
	case t.Enum != nil && !slices.Contains(t.Enum, s):
		yield(problem{notAllowed, v, "", fmt.Sprintf("%s is not one of the known values", quote(s)), suggest(s, t.Enum)})
	case n < t.MinLen && t.MinLen == 1:
		yield(problem{outOfRange, v, "", "must not be empty", ""})
	case n < t.MinLen:
		yield(problem{outOfRange, v, "", fmt.Sprintf("must have at least %d characters", t.MinLen), ""})
	case t.MaxLen > 0 && n > t.MaxLen:
		yield(problem{outOfRange, v, "", fmt.Sprintf("has %d characters, at most %d are allowed", n, t.MaxLen), ""})
	case t.Pattern != "" && !compiled(t.Pattern).MatchString(s):
		yield(problem{badForm, v, "", fmt.Sprintf("%s does not match %s", quote(s), t.Pattern), ""})
	default:
		if msg := formFault(s, t.Format); msg != "" {
			yield(problem{badForm, v, "", msg, formHint(s, t.Format)})
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

func conformNumber(v Value, t *model.Type, yield func(problem)) {
	f, ok := v.Float()
	switch {
	case !ok || math.IsInf(f, 0):
		yield(problem{outOfRange, v, "", "the number is too large", ""})
	case t.ExclusiveMin && f <= t.Min:
		yield(problem{outOfRange, v, "", fmt.Sprintf("must be greater than %v", t.Min), ""})
	case t.HasMin && f < t.Min:
		yield(problem{outOfRange, v, "", fmt.Sprintf("must be at least %v", t.Min), ""})
	case t.HasMax && f > t.Max:
		yield(problem{outOfRange, v, "", fmt.Sprintf("must be at most %v", t.Max), ""})
	}
}

func conformArray(v Value, t *model.Type, yield func(problem)) {
	n := v.Len()
	switch {
	case n < t.MinItems && t.MinItems == 1:
		yield(problem{outOfRange, v, "", "must not be empty", "remove the member or add an item"})
	case n < t.MinItems:
		yield(problem{outOfRange, v, "", fmt.Sprintf("must have at least %d items", t.MinItems), ""})
	case t.MaxItems > 0 && n > t.MaxItems:
		yield(problem{outOfRange, v, "", fmt.Sprintf("has %d items, at most %d are allowed", n, t.MaxItems), ""})
	}
	var seen map[string]struct{}
	if t.Unique && n > 1 {
		seen = make(map[string]struct{}, n)
	}
	for _, e := range v.Elems() {
		conform(e, t.Elem, yield)
		if seen == nil {
			continue
		}
		text := canonicalText(e)
		if _, dup := seen[text]; dup {
			yield(problem{repeated, e, "", "is listed twice", ""})
		}
		seen[text] = struct{}{}
	}
}

// conformObject compares an object's members with its type.
func conformObject(v Value, o *model.ObjectType, yield func(problem)) {
	for m := range v.Members() {
		f := o.Field(m.Name())
		switch {
		case f != nil:
			conform(m.Value(), &f.Type, yield)
		case o.Closed:
			yield(problem{surplus, m.Value(), "", fmt.Sprintf("%s is not a member of %s", quote(m.Name()), article(o.Doc)), suggest(m.Name(), o.Names())})
		}
	}
	for i := range o.Fields {
		if f := &o.Fields[i]; f.Required && !v.Has(f.Name) {
			yield(problem{lacking, v, f.Name, fmt.Sprintf("%s is missing", f.Name), f.Doc})
		}
	}
	for _, group := range o.AnyOf {
		if !slices.ContainsFunc(group, v.Has) {
			yield(problem{lacking, v, group[0], "one of " + strings.Join(group, ", ") + " is needed", ""})
		}
	}
	if n := v.Len(); n < o.MinMembers {
		yield(problem{outOfRange, v, "", fmt.Sprintf("needs at least %d member", o.MinMembers), ""})
	}
}

func article(doc string) string { return strings.TrimSuffix(doc, ".") }

// sayProblem reports the current rule for a problem, with the member's name in
// front of the message.
func (c *run) sayProblem(name string, p problem) {
	msg := p.msg
	if p.missing == "" {
		msg = name + " " + msg
	}
	var f *found
	if p.missing != "" {
		f = c.missing(p.at, p.missing, "%s", name+": "+msg)
	} else {
		f = c.say(p.at, "%s", msg)
	}
	f.hint = p.hint
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
			return quote(s) + " does not match " + p
		}
	}
	return ""
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
		return fmt.Sprintf("%s is not an absolute URL: %v", quote(s), err)
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
	const limit = 60
	s = withoutUser(s)
	if utf8.RuneCountInString(s) > limit {
		runes := []rune(s)
		s = string(runes[:limit-1]) + "…"
	}
	return `"` + s + `"`
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
