package adagents

import (
	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/spell"
)

// signalValueRules look at how a signal is grouped and which values it takes.
var signalValueRules = []rule[*Signal]{
	{Rule: Rule{
		Code: "signal.tag_pattern", Severity: Error, Effect: DropRef,
		Title: "a signal's tag has characters that tags do not have",
		Why:   "Agent entries select signals by tag, compared byte by byte. Readers leave out a tag of another form.",
		Hint:  "use lower-case letters, digits, underscores and hyphens only",
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad:   `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "tags": ["auto", "Live Sports"]}`,
		Good:  `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "tags": ["auto"]}`,
		fix:   oneOf(Likely, numberAsText(Likely), renamed("tags", "signal_tags")),
	}, check: checkSignalTagPattern},
	{Rule: Rule{
		Code: "signal.tag_undefined", Severity: Warning,
		Title: "a signal's tag is not explained in signal_tags",
		Why: "Buyers read signal_tags to learn what a tag means before they use it. Each tag is reported once, where it " +
			"is first used.",
		Hint: "add the tag to signal_tags with a name and a description",
		Spec: "avow docs/rules.md",
		In:   InSignal,
		Bad:  `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "tags": ["sports"]}`,
		Good: `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "tags": ["auto"]}`,
	}, check: checkSignalTagDefined},
	{Rule: Rule{
		Code: "signal.allowed_values_missing", Severity: Warning,
		Title: "a categorical signal does not list its values",
		Why:   "A buyer can only ask for a value that is known beforehand.",
		Hint:  "list the values in allowed_values",
		Spec:  "avow docs/rules.md",
		In:    InSignal,
		Bad:   `{"id": "team", "name": "Favourite team", "value_type": "categorical"}`,
		Good:  `{"id": "team", "name": "Favourite team", "value_type": "categorical", "allowed_values": ["home", "away"]}`,
	}, check: func(r reporter, x *Signal) {
		if x.ValueType == "categorical" && !x.member(atSignalAllowedValues).Exists() {
			r.missing(x.Raw, "allowed_values", "the categorical signal does not list its values")
		}
	}},
	{Rule: Rule{
		Code: "signal.allowed_values_empty", Severity: Error,
		Title: "allowed_values is an empty list",
		Why:   "An empty list says that the signal can take no value at all.",
		Hint:  "list the values, or remove the member",
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad:   `{"id": "team", "name": "Favourite team", "value_type": "categorical", "allowed_values": []}`,
		Good:  `{"id": "team", "name": "Favourite team", "value_type": "categorical", "allowed_values": ["home", "away"]}`,
		fix:   removeIt(Safe, "remove the empty list"),
	}, shapes: shapes{{empty, atSignalAllowedValues, "allowed_values is empty"}}},
	{Rule: Rule{
		Code: "signal.allowed_values_duplicate", Severity: Warning,
		Title: "allowed_values lists a value twice",
		Why:   "The second mention adds nothing and often stands for a value that was mistyped.",
		Hint:  "remove the second mention",
		Spec:  "avow docs/rules.md",
		In:    InSignal,
		Bad:   `{"id": "team", "name": "Favourite team", "value_type": "categorical", "allowed_values": ["home", "home"]}`,
		Good:  `{"id": "team", "name": "Favourite team", "value_type": "categorical", "allowed_values": ["home", "away"]}`,
	}, shapes: shapes{{repeatedItem, atSignalAllowedValues, "allowed_values lists %s twice"}}},
	{Rule: Rule{
		Code: "signal.allowed_values_type", Severity: Error,
		Title: "allowed_values is not a list of strings",
		Why:   "Values are compared as text; a number or an object cannot be asked for.",
		Hint:  "write each value as a string in quotes",
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad:   `{"id": "team", "name": "Favourite team", "value_type": "categorical", "allowed_values": ["home", 2]}`,
		Good:  `{"id": "team", "name": "Favourite team", "value_type": "categorical", "allowed_values": ["home", "2"]}`,
		fix:   toForm(Safe),
	}, shapes: shapes{
		{wrongKind, atSignalAllowedValues, "allowed_values must be an array, not %s"},
		{wrongItem, atSignalAllowedValues, "an allowed value must be a string, not %s"},
	}},
	{Rule: Rule{
		Code: "signal.allowed_values_misplaced", Severity: Warning,
		Title: "allowed_values stands on a signal that is not categorical",
		Why:   "Only a categorical signal takes values from a list; on others readers pass over it.",
		Hint:  "remove allowed_values, or set value_type to categorical",
		Spec:  "avow docs/rules.md",
		In:    InSignal,
		Bad:   `{"id": "team", "name": "Favourite team", "value_type": "binary", "allowed_values": ["home", "away"]}`,
		Good:  `{"id": "team", "name": "Favourite team", "value_type": "categorical", "allowed_values": ["home", "away"]}`,
	}, check: func(r reporter, x *Signal) {
		v := x.member(atSignalAllowedValues)
		if v.Exists() && (x.ValueType == "binary" || x.ValueType == "numeric") {
			r.say(v, "a %s signal has no allowed_values", x.ValueType)
		}
	}},
	{Rule: Rule{
		Code: "signal.range_misplaced", Severity: Warning,
		Title: "range stands on a signal that is not numeric",
		Why:   "Only a numeric signal has a span; on others readers pass over it.",
		Hint:  "remove range, or set value_type to numeric",
		Spec:  "avow docs/rules.md",
		In:    InSignal,
		Bad: `{"id": "income", "name": "Income", "value_type": "binary",
 "range": {"min": 0, "max": 100, "unit": "score"}}`,
		Good: `{"id": "income", "name": "Income", "value_type": "numeric",
 "range": {"min": 0, "max": 100, "unit": "score"}}`,
	}, check: func(r reporter, x *Signal) {
		v := x.member(atSignalRange)
		if v.Exists() && (x.ValueType == "binary" || x.ValueType == "categorical") {
			r.say(v, "a %s signal has no range", x.ValueType)
		}
	}},
	{Rule: Rule{
		Code: "signal.range_invalid", Severity: Error,
		Title: "a signal's range is not a span of numbers",
		Why: "Buyers choose a value between min and max. A range without two numbers, or with min above max, leaves " +
			"nothing to choose.",
		Hint:   "write min and max as numbers, and unit as a word",
		Spec:   "AdCP adagents.json schema, signals",
		Varies: "a warning when min equals max",
		In:     InSignal,
		Bad: `{"id": "income", "name": "Income", "value_type": "numeric",
 "range": {"min": 100, "max": 0, "unit": "score"}}`,
		Good: `{"id": "income", "name": "Income", "value_type": "numeric",
 "range": {"min": 0, "max": 100, "unit": "score"}}`,
		fix: remedy{Likely, func(x fixing) []Fix {
			if fixes := formFixes(x); fixes != nil {
				return fixes
			}
			return exchange(Likely, "min", "max").make(x)
		}},
	}, check: checkSignalRange},
	{Rule: Rule{
		Code: "signal.range_missing", Severity: Info,
		Title: "a numeric signal does not state its range or its unit",
		Why:   "Without them a buyer has to guess what a value such as 50 means.",
		Hint:  "add range with min, max and unit",
		Spec:  "avow docs/rules.md",
		In:    InSignal,
		Bad:   `{"id": "income", "name": "Income", "value_type": "numeric"}`,
		Good: `{"id": "income", "name": "Income", "value_type": "numeric",
 "range": {"min": 0, "max": 100, "unit": "score"}}`,
	}, check: func(r reporter, x *Signal) {
		switch {
		case x.ValueType != "numeric":
		case !x.member(atSignalRange).Exists():
			r.missing(x.Raw, "range", "the numeric signal has no range")
		case x.Range != nil && !x.Range.member(atSignalRangeUnit).Exists():
			r.missing(x.Range.Raw, "unit", "the range has no unit").withHint(`add unit, for example "score" or "years"`)
		}
	}},
}

// checkSignalTagPattern reports malformed tags and takes them out of the
// signal, so that no agent entry can select it by them.
func checkSignalTagPattern(r reporter, x *Signal) {
	bad := false
	for _, e := range x.member(atSignalTags).Elems() {
		switch s := e.Str(); {
		case !e.Is(String):
			r.say(e, "a tag must be a string, not %s", e.Kind())
		case !isSignalTag(s):
			bad = true
			r.say(e, "the tag %s has characters other than lower-case letters, digits, underscore and hyphen",
				quote(s)).withHint("%s", idHint(s))
		}
	}
	if !bad {
		return
	}
	kept := x.Tags[:0]
	for _, tag := range x.Tags {
		if isSignalTag(tag) {
			kept = append(kept, tag)
		}
	}
	x.Tags = kept
}

func checkSignalTagDefined(r reporter, x *Signal) {
	known := r.signals().tags
	for _, e := range x.member(atSignalTags).Elems() {
		tag := e.Str()
		if known[tag] || !isSignalTag(tag) {
			continue
		}
		known[tag] = true
		r.say(e, "the tag %s is not explained in signal_tags", quote(tag)).withHint("%s", r.nearSignalTag(tag))
	}
}

// maxTagsCompared bounds the search for a near tag. A file with more tags than
// this is made by a program, which does not mistype.
const maxTagsCompared = 64

func (c *content) nearSignalTag(tag string) string {
	tags := c.file.SignalTags
	if len(tags) > maxTagsCompared {
		return ""
	}
	keys := make([]string, len(tags))
	for i := range tags {
		keys[i] = tags[i].Key
	}
	near, ok := spell.Nearest(tag, keys, 2)
	if !ok {
		return ""
	}
	return `did you mean "` + near + `"?`
}

func checkSignalRange(r reporter, x *Signal) {
	v := x.member(atSignalRange)
	if !v.Exists() {
		return
	}
	field := model.Signal.Fields[atSignalRange]
	if r.sayConform(field.Name, v, &field.Type) {
		return
	}
	low, _ := x.Range.Min.Float()
	high, _ := x.Range.Max.Float()
	switch {
	case low > high:
		r.say(v, "the range's min %s is greater than its max %s", conform.ShortNumber(string(x.Range.Min)),
			conform.ShortNumber(string(x.Range.Max))).withHint("exchange min and max")
	case low == high:
		r.sayAs(Warning, v, "the range's min and max are both %s", conform.ShortNumber(string(x.Range.Min))).withHint(
			"give two different ends, or use a binary signal")
	}
}

// signalNestedRules hold the remaining members to the published definition.
var signalNestedRules = []rule[*Signal]{
	{Rule: Rule{
		Code: "signal.closed_object_extra", Severity: Warning, Strict: Error,
		Title: "a closed object of a signal has an unknown member",
		Why: "The published definition lists all members of these objects, and a strict reader refuses the signal for " +
			"any other.",
		Hint: "remove the member, or move what it says to description",
		Spec: "AdCP adagents.json schema, signals",
		In:   InSignal,
		Bad: `{"id": "voter", "name": "Voter", "value_type": "binary", "data_sources": ["offline_survey"],
 "onboarder": {"match_keys": ["postal"], "vendor": "Example Data"}}`,
		Good: `{"id": "voter", "name": "Voter", "value_type": "binary", "data_sources": ["offline_survey"],
 "onboarder": {"match_keys": ["postal"]}}`,
	}, check: func(r reporter, x *Signal) {
		eachSignalProblem(x, func(name string, p conform.Problem) {
			if p.Fault == conform.Surplus {
				r.sayProblem(name, p)
			}
		})
	}},
	{Rule: Rule{
		Code: "signal.member_invalid", Severity: Warning, Strict: Error,
		Title: "a member of a signal has a value the definition does not know",
		Why: "Buyers filter by these members. A value outside the published definition may come from a newer version of " +
			"it, but more often it is a slip that hides the signal.",
		Hint: "use a value from the published definition",
		Spec: "AdCP adagents.json schema, signals",
		In:   InSignal,
		Bad:  `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "methodology": "observation"}`,
		Good: `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "methodology": "observed"}`,
	}, check: func(r reporter, x *Signal) {
		eachSignalProblem(x, func(name string, p conform.Problem) {
			if p.Fault != conform.Surplus {
				r.sayProblem(name, p)
			}
		})
	}},
}

// eachSignalProblem calls yield for the problems of every member that has no
// rules of its own. A member of another JSON type altogether is left to the
// check that does this for all objects.
func eachSignalProblem(x *Signal, yield func(name string, p conform.Problem)) {
	for i := atSignalRestrictedAttributes; i <= atSignalDTSCompliantVersion; i++ {
		v := x.member(i)
		if !v.Exists() || i == atSignalLastUpdated {
			continue
		}
		f := &model.Signal.Fields[i]
		if !conform.KindFits(v, f.Type.Kind) {
			continue
		}
		if i == atSignalCountries {
			// The countries themselves have a rule of their own.
			if v.Len() == 0 {
				yield(f.Name, conform.Problem{Fault: conform.OutOfRange, At: v, Msg: "must not be empty",
					Hint: "remove the member or add a country"})
			}
			continue
		}
		conform.Check(v, &f.Type, func(p conform.Problem) { yield(f.Name, p) })
	}
}

func (c *content) signals() *signalIndex {
	x := &c.index.signal
	if x.byID != nil {
		return x
	}
	x.byID = make(map[string]int, len(c.file.Signals))
	for i := range c.file.Signals {
		first(x.byID, c.file.Signals[i].ID, i)
	}
	x.texts = make(map[string]string)
	x.tags = make(map[string]bool, len(c.file.SignalTags))
	for i := range c.file.SignalTags {
		x.tags[c.file.SignalTags[i].Key] = true
	}
	return x
}

// firstText returns the canonical text of the first signal with the id. It is
// kept, so that a thousand doubles of a large signal cost no more than one.
func (c *content) firstText(id string) string {
	x := c.signals()
	text, ok := x.texts[id]
	if !ok {
		text = conform.CanonicalText(c.file.Signals[x.byID[id]].Raw)
		x.texts[id] = text
	}
	return text
}
