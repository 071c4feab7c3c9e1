package adagents

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/iso3166"
	"github.com/avow-project/avow/internal/std/spell"
)

// The remedies of values that differ from what the tables of the format say.

// maxOffers is how many fixes a finding has at most.
const maxOffers = 8

// toForm writes a value the way the tables of the format have it: in the right JSON type, as
// the nearest known word, in the form of a date, a digest or a version. What is listed twice
// or unknown to a closed object is removed. Of a missing member the only possible value is
// added, or the few possible ones are offered.
func toForm(kind FixKind) remedy { return remedy{kind, formFixes} }

func formFixes(x fixing) []Fix {
	if x.missing != "" {
		return x.possibleValues()
	}
	t, optional := x.typeAt(x.at)
	if t == nil {
		return x.withoutSurplus()
	}
	for _, p := range x.problemsOf(x.at, t) {
		switch p {
		case conform.WrongKind:
			return x.inKind(t, optional)
		case conform.NotAllowed:
			return x.knownWord(t, optional)
		case conform.OutOfRange:
			return x.withinRange(optional)
		case conform.BadForm:
			if text, ok := formOf(x.at.Str(), t); ok {
				return x.write(jsonedit.String(text))
			}
			return nil
		}
	}
	if list, _ := x.typeAt(x.Parent(x.at)); list != nil && list.Unique {
		return x.one("remove what is listed twice", x.Remove(x.at))
	}
	return nil
}

// problemsOf returns in which ways a value itself, not what is inside it, misses its type.
func (x fixing) problemsOf(v Value, t *model.Type) []conform.Fault {
	var list []conform.Fault
	conform.Check(v, t, func(p conform.Problem) {
		if p.At == v && p.Missing == "" {
			list = append(list, p.Fault)
		}
	})
	return list
}

// write replaces the value by a text.
func (x fixing) write(text string) []Fix {
	title := "write " + conform.Whole(text)
	if !x.at.IsContainer() && conform.WithoutUser(x.at.Text()) == x.at.Text() {
		title += " instead of " + conform.Shorten(x.at.Text())
	}
	return x.one(title, x.Replace(x.at, text))
}

// typeAt returns the type that a value should have, or nil where the tables say nothing, and
// whether it may be left out.
func (x fixing) typeAt(v Value) (*model.Type, bool) {
	owner := x.Parent(v)
	if !owner.Exists() {
		return &model.Type{Kind: model.Object, Object: model.File}, false
	}
	in, _ := x.typeAt(owner)
	switch {
	case in == nil:
		return nil, false
	case in.Kind == model.Array:
		return in.Elem, owner.Len() > in.MinItems
	case in.Kind == model.Map:
		return in.Elem, true
	}
	name := x.Name(v)
	if table := model.Params()[owner.Get("format_kind").Str()]; table != nil && name == "params" {
		return &model.Type{Kind: model.Object, Object: table}, false
	}
	if in.Object == nil || in.Object.Field(name) == nil {
		return nil, true
	}
	f := in.Object.Field(name)
	return &f.Type, !f.Required
}

// possibleValues adds the missing member, where its value can only be one of a few.
func (x fixing) possibleValues() []Fix {
	in, _ := x.typeAt(x.at)
	if in == nil || in.Object == nil || in.Object.Field(x.missing) == nil {
		return nil
	}
	values := valuesOf(&in.Object.Field(x.missing).Type)
	if len(values) == 1 {
		return x.one("add "+x.missing+": "+values[0], x.AddMember(x.at, x.missing, values[0]))
	}
	return x.offer(values, func(text string) (string, []Edit) {
		return "add " + x.missing + ": " + text, []Edit{x.AddMember(x.at, x.missing, text)}
	})
}

// valuesOf returns the texts of all values of a type, if they are few.
func valuesOf(t *model.Type) []string {
	switch {
	case t.Const != "":
		return []string{jsonedit.String(t.Const)}
	case t.Kind == model.Bool:
		return []string{"true", "false"}
	case len(t.Enum) <= maxOffers:
		return jsonedit.Strings(t.Enum)
	}
	return nil
}

// offer returns one fix for each of a few texts, for the author to choose from.
func (x fixing) offer(texts []string, fix func(text string) (title string, edits []Edit)) []Fix {
	var fixes []Fix
	for _, text := range texts {
		if title, edits := fix(text); len(fixes) < maxOffers && len(edits) > 0 {
			fixes = append(fixes, Fix{Title: title, Kind: Choice, Edits: edits})
		}
	}
	return fixes
}

// withoutSurplus gives a member that a closed object does not know the name that was
// probably meant, or removes it.
func (x fixing) withoutSurplus() []Fix {
	owner := x.Parent(x.at)
	in, _ := x.typeAt(owner)
	name := x.Name(x.at)
	if in == nil || in.Object == nil || !in.Object.Closed || name == "" {
		return nil
	}
	if near, ok := spell.Nearest(snakeCase(name), in.Object.Names(), spell.MaxDistance); ok && !owner.Has(near) {
		return x.one("rename "+quote(name)+" to "+near, x.Rename(x.at, near))
	}
	return x.one("remove "+quote(name), x.Remove(x.at))
}

// inKind writes a value in the JSON type that is wanted.
func (x fixing) inKind(t *model.Type, optional bool) []Fix {
	v := x.at
	if v.Is(Null) {
		if !optional {
			return nil
		}
		return x.one("remove what is null", x.Remove(v))
	}
	if only := v.Index(0); v.Len() == 1 && v.Is(Array) && conform.KindFits(only, t.Kind) {
		return x.one("write it without the list", x.Replace(v, x.Source(only)))
	}
	text, ok := "", false
	switch t.Kind {
	case model.String:
		text, ok = jsonedit.String(v.Text()), v.Is(NumberKind) || v.IsBool()
	case model.Bool:
		text, ok = boolOf(v)
	case model.Integer, model.Number:
		text, ok = numberIn(v.Str(), t.Kind == model.Integer)
	case model.Array:
		return revealing(x.one("write it as a list", x.asList(v)...))
	}
	if !ok {
		return nil
	}
	return x.write(text)
}

// boolOf reads what people write for true and false.
func boolOf(v Value) (string, bool) {
	word := strings.ToLower(strings.TrimSpace(v.Str()))
	if v.Is(NumberKind) {
		word = v.Text()
	}
	switch word {
	case "true", "yes", "1", "on":
		return "true", true
	case "false", "no", "0", "off":
		return "false", true
	}
	return "", false
}

// numberIn reads a number from a text, which may have its unit behind it.
func numberIn(text string, whole bool) (string, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, unit := range []string{"px", "kb", "ms", "%"} {
		text = strings.TrimSpace(strings.TrimSuffix(text, unit))
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		return strconv.FormatInt(n, 10), true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || whole && f != float64(int64(f)) || f != f || f > 1<<53 || f < -1<<53 {
		return "", false
	}
	return strconv.FormatFloat(f, 'f', -1, 64), true
}

// knownWord writes the word that was probably meant. An unknown word is removed from a
// list; elsewhere the author chooses a known one.
func (x fixing) knownWord(t *model.Type, optional bool) []Fix {
	if t.Const != "" {
		return x.write(jsonedit.String(t.Const))
	}
	plain := snakeCase(strings.TrimSpace(x.at.Str()))
	for _, word := range t.Enum {
		if plain == snakeCase(word) {
			return x.write(jsonedit.String(word))
		}
	}
	if near, ok := spell.Nearest(plain, t.Enum, spell.MaxDistance); ok {
		return x.write(jsonedit.String(near))
	}
	if x.Parent(x.at).Is(Array) {
		if !optional {
			return nil
		}
		return x.one("remove "+quote(x.at.Str())+", which is unknown", x.Remove(x.at))
	}
	if len(t.Enum) > maxOffers {
		return nil
	}
	return x.offer(jsonedit.Strings(t.Enum), func(text string) (string, []Edit) {
		return "write " + text, []Edit{x.Replace(x.at, text)}
	})
}

// withinRange removes what says nothing: an empty text or list, or else what has it. Only
// the author knows the right value.
func (x fixing) withinRange(optional bool) []Fix {
	v := x.at
	empty := v.IsContainer() && v.Len() == 0 || v.Is(String) && blank(v.Str())
	switch {
	case empty && optional:
		return x.one("remove what is empty", x.Remove(v))
	case empty:
		owner := x.Parent(v)
		if _, optional := x.typeAt(owner); !optional || x.Name(owner) == "" {
			return nil
		}
		return x.one("remove "+x.Name(owner)+", which is incomplete", x.Remove(owner))
	case !optional || !v.Is(NumberKind):
		return nil
	}
	owner, name := x.Parent(v), x.Name(v)
	if other := owner.Get(map[string]string{"width": "height", "height": "width"}[name]); other.Exists() {
		return x.as(Choice, "remove width and height, which nothing can meet", x.RemoveAll(v, other)...)
	}
	return x.as(Choice, strings.TrimSpace("remove "+name)+", which nothing can meet", x.Remove(v))
}

// formOf writes a text in the form that its type asks for.
func formOf(text string, t *model.Type) (string, bool) {
	trimmed := strings.TrimSpace(text)
	version := strings.TrimLeft(trimmed, "^~=<> vV")
	tries := []string{trimmed, strings.ToLower(trimmed), idFrom(trimmed), version, version + ".0", version + ".0.0"}
	add := func(text string, ok bool) {
		if ok {
			tries = append(tries, text)
		}
	}
	switch t.Format {
	case model.URI, model.HTTPS:
		add(withHTTPS(trimmed))
	case model.DateTime:
		add(timestampOf(trimmed))
	case model.Email:
		add(emailOf(trimmed))
	case model.Domain, model.Hostname:
		add(plainHost(trimmed))
	case model.Country:
		code := iso3166.Suggest(trimmed).Code
		add(code, code != "")
	case model.Locale:
		add(localeOf(trimmed), true)
	case model.Digest:
		add(digestOf(trimmed))
	case model.Aspect:
		add(strings.NewReplacer("x", ":", "X", ":", "/", ":", " ", "").Replace(trimmed), true)
	case model.Base64URL:
		add(base64URL(trimmed))
	}
	i := slices.IndexFunc(tries, func(s string) bool { return s != text && fits(s, t) })
	if i < 0 {
		return "", false
	}
	return tries[i], true
}

// fits reports whether a text has the form of a type.
func fits(text string, t *model.Type) bool {
	n := utf8.RuneCountInString(text)
	return n > 0 && n >= t.MinLen && (t.MaxLen == 0 || n <= t.MaxLen) &&
		(t.Pattern == "" || conform.Compiled(t.Pattern).MatchString(text)) &&
		conform.FormFault(text, t.Format) == ""
}

// localeOf writes a language tag in canonical case.
func localeOf(tag string) string {
	parts := strings.Split(strings.ReplaceAll(tag, "_", "-"), "-")
	for i, part := range parts {
		part = strings.ToLower(part)
		switch {
		case i > 0 && len(part) == 4 && part[0] >= 'a':
			part = strings.ToUpper(part[:1]) + part[1:]
		case i > 0 && len(part) == 2:
			part = strings.ToUpper(part)
		}
		parts[i] = part
	}
	return strings.Join(parts, "-")
}

// digestOf writes a SHA-256 digest as the format has it: in lower-case hex behind its name.
func digestOf(text string) (string, bool) {
	const name = "sha256"
	rest := text
	if len(text) > len(name) && strings.EqualFold(text[:len(name)], name) {
		rest = strings.TrimLeft(text[len(name):], ":-= ")
	}
	sum, err := hex.DecodeString(rest)
	if err != nil {
		sum, err = base64.StdEncoding.DecodeString(rest)
	}
	return name + ":" + hex.EncodeToString(sum), err == nil
}

// base64URL writes base64 in the alphabet for URLs and without padding.
func base64URL(text string) (string, bool) {
	text = strings.NewReplacer("+", "-", "/", "_", "\n", "", " ", "").Replace(strings.TrimRight(text, "="))
	_, err := base64.RawURLEncoding.DecodeString(text)
	return text, err == nil && text != ""
}

// inOrder exchanges the values of two members where a range is the wrong way round.
func (x fixing) inOrder(a, b Value) []Fix {
	if !a.Exists() || !b.Exists() {
		return nil
	}
	if a.Offset() > b.Offset() {
		a, b = b, a
	}
	return x.one("exchange "+conform.Shorten(x.Source(a))+" and "+conform.Shorten(x.Source(b)), x.Replace(a, x.Source(b)),
		x.Replace(b, x.Source(a)))
}

// exchange swaps two members of the value concerned, or of the object that it stands in; of
// a list its two elements.
func exchange(kind FixKind, lower, upper string) remedy {
	return remedy{kind, func(x fixing) []Fix {
		owner := x.at
		if owner.Is(Array) {
			return x.inOrder(owner.Index(0), owner.Index(1))
		}
		if !owner.Is(Object) {
			owner = x.Parent(owner)
		}
		return x.inOrder(owner.Get(lower), owner.Get(upper))
	}}
}

// numberAsText writes a number as a text.
func numberAsText(kind FixKind) remedy {
	return remedy{kind, func(x fixing) []Fix {
		if !x.at.Is(NumberKind) || x.missing != "" {
			return nil
		}
		return x.one("write the number as a text", x.Replace(x.at, jsonedit.String(x.at.Text())))
	}}
}

// removeOwner removes the entry that the value stands in, or that lacks the member.
func removeOwner(kind FixKind, title string) remedy {
	return remedy{kind, func(x fixing) []Fix {
		owner := x.at
		if x.missing == "" {
			owner = x.Parent(x.at)
		}
		if !x.Parent(owner).Exists() {
			return nil
		}
		return x.one(title, x.Remove(owner))
	}}
}

// removeBlank removes a member whose text is empty.
func removeBlank() remedy {
	return remedy{Safe, func(x fixing) []Fix {
		text, ok := x.at.AsString()
		if !ok || !blank(text) {
			return nil
		}
		return x.one("remove the empty member", x.Remove(x.at))
	}}
}

// asin is the form of an id in Amazon's store.
var asin = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^B0[0-9A-Z]{8}$`) })

// readIdentifier guesses the type of an identifier and returns it with the value: the type
// may stand in front, as in roku:12345.
func readIdentifier(text string) (string, string, bool) {
	name, value, found := strings.Cut(text, ":")
	name = snakeCase(strings.TrimSpace(name))
	for _, kind := range model.IdentifierTypes {
		if found && (name == kind || name+"_store_id" == kind) && !strings.HasPrefix(value, "//") {
			return kind, strings.TrimSpace(value), !blank(value)
		}
	}
	if asin().MatchString(text) {
		return "fire_tv_asin", text, true
	}
	kind, ok := kindOfIdentifier(text)
	return kind, text, ok
}
