package adagents

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
)

// signalRules look at one entry of signals. An entry has one of two shapes: a
// reference to a catalog elsewhere (catalog_url), or a definition (id, name,
// value_type). What only a definition must have is not asked of a reference;
// what is written is checked in both.
var signalRules = [][]rule[*Signal]{signalShapeRules, signalIdentityRules, signalValueRules, signalTermsRules,
	signalNestedRules}

// maxSignalName is in characters.
const maxSignalName = 255

// isReference reports whether the entry points to a catalog.
func (x *Signal) isReference() bool { return x.member(atSignalCatalogURL).Exists() }

// isDefinition reports whether the entry describes a signal itself, well or
// badly: any of the three members that make up a definition is a sign of it.
func (x *Signal) isDefinition() bool {
	return !x.isReference() && (x.member(atSignalID).Exists() ||
		x.member(atSignalName).Exists() || x.member(atSignalValueType).Exists())
}

var signalShapeRules = []rule[*Signal]{
	{Rule: Rule{
		Code: "signal.not_object", Severity: Error, Effect: SkipEntry,
		Title: "a signal is not an object",
		Why:   "A bare value says neither which signal is meant nor what its values are.",
		Hint:  "write an object with id, name and value_type, or one with catalog_url",
		Spec:  "AdCP adagents.json Tech Spec, signals",
		In:    InSignal,
		Bad:   `"sports_fan"`,
		Good:  `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary"}`,
		fix:   signalFromText,
	}, shapes: shapes{{notObject, 0, "a signal must be an object, not %s"}}},
	{Rule: Rule{
		Code: "signal.shape_unrecognized", Severity: Error, Effect: SkipEntry,
		Title: "a signal is neither a reference nor a definition",
		Why: "A signal entry either points to a catalog with catalog_url or defines a signal with id. Without one of " +
			"them no agent entry can refer to it.",
		Hint: "add catalog_url, or add id, name and value_type",
		Spec: "AdCP adagents.json Tech Spec, signals",
		In:   InSignal,
		Bad:  `{"description": "People who like sports"}`,
		Good: `{"catalog_url": "https://example.com/signals.json", "description": "People who like sports"}`,
	}, check: func(r reporter, x *Signal) {
		if x.Raw.Is(Object) && !x.isReference() && !x.isDefinition() {
			r.say(x.Raw, "the signal has neither catalog_url nor id")
		}
	}},
	{Rule: Rule{
		Code: "signal.catalog_url_invalid", Severity: Error, Effect: SkipEntry,
		Title:  "catalog_url is not a URL that can be fetched",
		Why:    "The reference is all there is to such an entry. Over plain http anybody on the way can replace the catalog.",
		Hint:   "write the full address, starting with https://",
		Spec:   "AdCP adagents.json Tech Spec, signals",
		Varies: "a warning without effect when the URL is absolute but uses http",
		In:     InSignal,
		Bad:    `{"catalog_url": "example.com/signals.json", "relationship": "direct"}`,
		Good:   `{"catalog_url": "https://example.com/signals.json", "relationship": "direct"}`,
		fix:    secureURL(Likely),
	}, check: checkCatalogURL},
	{Rule: Rule{
		Code: "signal.relationship_unknown", Severity: Warning,
		Title:  "the relationship to the catalog is not a known one",
		Why:    "Readers compare the word with the ones they know and treat any other as if nothing had been said.",
		Hint:   "write owned, direct, delegated or ad_network",
		Spec:   "AdCP adagents.json Tech Spec, signals",
		Varies: "an error in the strict profile when it is not a string",
		In:     InSignal,
		Bad:    `{"catalog_url": "https://example.com/signals.json", "relationship": "partner"}`,
		Good:   `{"catalog_url": "https://example.com/signals.json", "relationship": "direct"}`,
	}, check: checkSignalRelationship},
}

func checkCatalogURL(r reporter, x *Signal) {
	v := x.member(atSignalCatalogURL)
	if !v.Exists() {
		return
	}
	if !v.Is(String) {
		r.say(v, "catalog_url must be a string, not %s", v.Kind())
		return
	}
	_, info, err := hostname.CanonicalURL(x.CatalogURL)
	switch {
	case err != nil:
		r.say(v, "catalog_url %s %v", quote(x.CatalogURL), err)
	case info.HasUserinfo:
		r.say(v, "catalog_url contains a user name or password").withHint(
			"remove them from the URL and replace them where they are used")
	case info.Scheme == "http":
		r.sayAs(Warning, v, "catalog_url %s uses http",
			quote(x.CatalogURL)).withHint("serve the catalog over https and write https:// here")
	case info.Scheme != "https":
		r.say(v, "catalog_url %s is not an https URL", quote(x.CatalogURL))
	}
}

func checkSignalRelationship(r reporter, x *Signal) {
	v := x.member(atSignalRelationship)
	switch {
	case !v.Exists():
	case !v.Is(String):
		r.sayAs(r.lenient(), v, "relationship must be a string, not %s", v.Kind())
	case !slices.Contains(model.Relationships, x.Relationship):
		r.say(v, "relationship %s is not a known one", quote(x.Relationship)).withHint("%s",
			suggest(x.Relationship, model.Relationships))
	}
}

var signalIdentityRules = []rule[*Signal]{
	{Rule: Rule{
		Code: "signal.id_missing", Severity: Error, Effect: SkipEntry,
		Title: "a signal definition has no id",
		Why:   "Agent entries name signals by id. A definition without one cannot be authorized.",
		Hint:  "give the signal a short stable id, for example sports_fan",
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad:   `{"name": "Sports fan", "value_type": "binary"}`,
		Good:  `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary"}`,
		fix:   idFromName("id"),
	}, check: func(r reporter, x *Signal) {
		v := x.member(atSignalID)
		switch {
		case !v.Exists() && x.isDefinition():
			r.missing(x.Raw, "id", "the signal has no id").withHint("%s", idHint(x.Name))
		case v.Is(String) && blank(x.ID):
			r.say(v, "the signal's id is empty").withHint("%s", idHint(x.Name))
		}
	}},
	{Rule: Rule{
		Code: "signal.id_pattern", Severity: Error, Effect: SkipEntry,
		Title: "a signal's id has characters that ids do not have",
		Why: "Ids are compared byte by byte and travel in requests, so only letters, digits, underscore and hyphen are " +
			"allowed.",
		Hint: "use letters, digits, underscores and hyphens only",
		Spec: "AdCP adagents.json schema, signals",
		In:   InSignal,
		Bad:  `{"id": "sports fan", "name": "Sports fan", "value_type": "binary"}`,
		Good: `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary"}`,
		fix:  oneOf(Likely, numberAsText(Likely), renamed("signal_ids")),
	}, check: func(r reporter, x *Signal) {
		v := x.member(atSignalID)
		switch {
		case !v.Exists():
		case !v.Is(String):
			r.say(v, "the signal's id must be a string, not %s", v.Kind())
		case !blank(x.ID) && !isSignalID(x.ID):
			r.say(v, "the signal's id %s has characters other than letters, digits, underscore and hyphen",
				quote(x.ID)).withHint("%s", idHint(x.ID))
		}
	}},
	{Rule: Rule{
		Code: "signal.id_duplicate", Severity: Error, Effect: SkipEntry,
		Title: "two signals have the same id",
		Why: "An agent entry that names the id would mean either of them. Readers take the first one and leave out the " +
			"others.",
		Hint:   "give each signal its own id, or remove the second entry",
		Spec:   "avow docs/rules.md",
		Varies: "a warning without effect when both entries say the same",
		In:     InSignal,
		Bad:    `{"id": "auto_intender", "name": "Sports fan", "value_type": "binary"}`,
		Good:   `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary"}`,
		fix:    anotherID(),
	}, check: checkSignalDouble},
	{Rule: Rule{
		Code: "signal.name_missing", Severity: Error, Effect: SkipEntry,
		Title: "a signal definition has no name",
		Why:   "The name is what a buyer sees when choosing a signal.",
		Hint:  "name the signal in a few words",
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad:   `{"id": "sports_fan", "value_type": "binary"}`,
		Good:  `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary"}`,
		fix:   oneOf(Likely, numberAsText(Likely), nameFromID(Likely, "id")),
	}, check: func(r reporter, x *Signal) {
		v := x.member(atSignalName)
		switch {
		case !v.Exists() && x.isDefinition():
			r.missing(x.Raw, "name", "the signal has no name")
		case v.Exists() && !v.Is(String):
			r.say(v, "the signal's name must be a string, not %s", v.Kind())
		case v.Exists() && blank(x.Name):
			r.say(v, "the signal's name is empty")
		}
	}},
	{Rule: Rule{
		Code: "signal.name_length", Severity: Error, Effect: SkipEntry,
		Title: "a signal's name is too long",
		Why:   "Readers store names of up to 255 characters and refuse longer ones.",
		Hint:  "shorten the name; description takes up to 2000 characters",
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad: `{"id": "sports_fan", "value_type": "binary",
 "name": "` + strings.Repeat("long ", 52) + `"}`,
		Good: `{"id": "sports_fan", "value_type": "binary", "name": "Sports fan"}`,
		fix:  shortName,
	}, check: func(r reporter, x *Signal) {
		n := utf8.RuneCountInString(x.Name)
		if n > maxSignalName && !blank(x.Name) {
			r.say(x.member(atSignalName), "the signal's name has %d characters, at most %d are allowed", n, maxSignalName)
		}
	}},
	{Rule: Rule{
		Code: "signal.value_type_invalid", Severity: Error, Effect: SkipEntry,
		Title: "a signal's value_type is not one of the three",
		Why:   "The type decides how a signal is targeted: by yes or no, by a value from a list, or by a number.",
		Hint:  "write binary, categorical or numeric",
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad:   `{"id": "sports_fan", "name": "Sports fan", "value_type": "boolean"}`,
		Good:  `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary"}`,
		fix:   valueType,
	}, check: checkSignalValueType},
	{Rule: Rule{
		Code: "signal.description_length", Severity: Warning, Strict: Error,
		Title: "a signal's description is too long",
		Why:   "Readers that follow the published definition accept up to 2000 characters.",
		Hint:  "shorten the description and put the details behind criteria_url",
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad: `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary",
 "description": "` + strings.Repeat("word ", 401) + `"}`,
		Good: `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "description": "Read sports pages this month"}`,
	},
		shapes: shapes{{tooLong, atSignalDescription, "the signal's description has %d characters, at most %d are allowed"}}},
	{Rule: Rule{
		Code: "signal.category_type", Severity: Error,
		Title: "a signal's category is not a string",
		Why:   "Registries group signals by this word and refuse any other type.",
		Hint:  "write one word, for example behavioral",
		Spec:  "avow docs/rules.md",
		In:    InSignal,
		Bad:   `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "category": ["behavioral"]}`,
		Good:  `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "category": "behavioral"}`,
		fix:   toForm(Safe),
	}, shapes: shapes{{wrongKind, atSignalCategory, "the signal's category must be a string, not %s"}}},
	{Rule: Rule{
		Code: "signal.category_nonstandard", Severity: Warning,
		Title: "a signal's category is not one of the usual ones",
		Why:   "Buyers filter by the usual categories and do not find a signal under another word.",
		Hint:  "write custom when none of the usual categories fits",
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad:   `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "category": "behavioural"}`,
		Good:  `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "category": "behavioral"}`,
	}, check: func(r reporter, x *Signal) {
		v := x.member(atSignalCategory)
		if v.Is(String) && !slices.Contains(model.SignalCategories, x.Category) {
			r.say(v, "the signal's category %s is not one of the usual ones", quote(x.Category)).withHint("%s",
				suggest(x.Category, model.SignalCategories))
		}
	}},
}

func checkSignalDouble(r reporter, x *Signal) {
	if x.ID == "" {
		return
	}
	i := r.signals().byID[x.ID]
	if &r.file.Signals[i] == x {
		return
	}
	v := x.member(atSignalID)
	if conform.CanonicalText(x.Raw) == r.firstText(x.ID) {
		r.sayAs(Warning, v, "the signal %s stands at /signals/%d already, word for word", quote(x.ID),
			i).withHint("remove this entry")
		return
	}
	r.say(v, "the id %s belongs to another signal at /signals/%d", quote(x.ID), i)
}

// valueTypeWords are words people write for the three value types.
var valueTypeWords = map[string]string{
	"bool": "binary", "boolean": "binary", "flag": "binary", "yes_no": "binary",
	"category": "categorical", "enum": "categorical", "enumeration": "categorical", "list": "categorical",
	"string": "categorical",
	"number": "numeric", "integer": "numeric", "float": "numeric", "score": "numeric", "range": "numeric",
}

func checkSignalValueType(r reporter, x *Signal) {
	v := x.member(atSignalValueType)
	switch {
	case !v.Exists():
		if x.isDefinition() {
			r.missing(x.Raw, "value_type", "the signal has no value_type")
		}
	case !v.Is(String):
		r.say(v, "value_type must be a string, not %s", v.Kind())
	case slices.Contains(model.SignalValueTypes, x.ValueType):
	default:
		f := r.say(v, "value_type %s is not binary, categorical or numeric", quote(x.ValueType))
		if meant, ok := valueTypeWords[x.ValueType]; ok {
			f.withHint("did you mean %q?", meant)
			return
		}
		f.withHint("%s", suggest(x.ValueType, model.SignalValueTypes))
	}
}
