package formats

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/model"
)

// A class says how the values of a parameter on two sides are put together.
type class uint8

const (
	// single values have to be equal; where one side says nothing, the other counts.
	single class = iota
	// note says nothing about creatives.
	note
	// size and duration parameters are looked at together; see sizes and span.
	size
	duration
	// ratio is a width to a height: 16:9 is 32:18.
	ratio
	// accepted lists what may be used: the intersection.
	accepted
	// demanded lists what must be there: the union.
	demanded
	// atMost and atLeast are limits: the tighter one.
	atMost
	atLeast
	// demand is a demand on the creative: the side that makes it wins.
	demand
	// ranked demands have degrees; the strictest wins.
	ranked
	// permission lets a creative do something: both sides must.
	permission
	// either is a choice of two where a third word stands for both.
	either
	// defaulted has a meaning when it is absent: equal, with the default put in.
	defaulted
	// composite values are too rich to compare: equal, or undecided.
	composite
)

// classes has the parameters whose class does not follow from their name and type.
var classes = map[string]class{
	"width": size, "height": size, "sizes": size, "aspect_ratio": size, "orientation": size,
	"min_width": size, "max_width": size, "min_height": size, "max_height": size,
	"duration_ms_exact": duration, "duration_ms_range": duration,
	"captions": ranked, "buyer_asset_acceptance": ranked,
	"creative_type": either,
	"asset_source":  defaulted, "item_production_model": defaulted,
	// The loudest peak, the distance from the target, and the days that a seller takes.
	"true_peak_dbfs": atMost, "loudness_tolerance_db": atMost, "production_window_business_days": atLeast,
	// True when the result cannot be foreseen: it cannot where one side says so.
	"synthesis_nondeterministic": demand,
	// Whether these ask for something or allow it is not known.
	"tone_constraints": single,
	"experimental":     note, "deprecated": note, "v1_translatable": note, "since_version": note,
	"migration_target_version": note,
}

// shapes are what the values of these classes must be.
var shapes = map[class]shape{atMost: numeric, atLeast: numeric, demand: truth}

// ranks order the words of ranked parameters, the strictest first. The last one is what
// an absent one means.
var ranks = map[string][]string{
	"captions":               {"required", "recommended", "not_required"},
	"buyer_asset_acceptance": {"rejected", "accepted"},
}

// defaults are what absent parameters mean where a kind does not say so itself.
var defaults = map[string]any{"asset_source": "buyer_uploaded", "item_production_model": "buyer_uploaded"}

// aliases are older names of parameters.
var aliases = map[string]string{"allowed_card_asset_types": "allowed_card_media_asset_types"}

// rules tell the class of a parameter by its name and by what its values are.
var rules = []struct {
	fits  func(name string) bool
	shape shape
	class class
}{
	{suffix("_required"), truth, demand},
	{prefix("supports_"), truth, permission},
	{suffix("_supported"), truth, permission},
	{suffix("_enabled"), truth, permission},
	{word("max"), numeric, atMost},
	{word("min"), numeric, atLeast},
	{suffix("aspect_ratio"), text, ratio},
	{prefix("required_"), list, demanded},
	{prefix("supported_"), list, accepted},
	{prefix("allowed_"), list, accepted},
	{suffix("pixel_ratios"), list, accepted},
}

func prefix(p string) func(string) bool {
	return func(s string) bool { return strings.HasPrefix(s, p) }
}
func suffix(p string) func(string) bool {
	return func(s string) bool { return strings.HasSuffix(s, p) }
}
func word(w string) func(string) bool {
	return func(s string) bool { return slices.Contains(strings.Split(s, "_"), w) }
}

// A shape is what sort of value a parameter has.
type shape uint8

const (
	truth shape = iota + 1
	numeric
	text
	list // of texts, numbers or sizes
	rich
)

// shapeOf returns the shape of a value.
func shapeOf(v any) shape {
	switch v := v.(type) {
	case bool:
		return truth
	case float64:
		return numeric
	case string:
		return text
	case []any:
		for _, e := range v {
			if s := shapeOf(e); s != text && s != numeric && !isSize(e) {
				return rich
			}
		}
		return list
	case map[string]any:
		return rich
	}
	return 0
}

func isSize(v any) bool {
	_, ok := pairOf(v)
	return ok
}

// classOf returns the class of a parameter of a kind with the values that there are.
func classOf(kind, name string, values ...any) class {
	c, ok := classes[name]
	if ok {
		if want := shapes[c]; want != 0 && slices.ContainsFunc(values, func(v any) bool { return shapeOf(v) != want }) {
			return single
		}
		return c
	}
	s := shapeOf(values[0])
	for _, v := range values[1:] {
		if shapeOf(v) != s {
			return single
		}
	}
	for _, r := range rules {
		if r.shape == s && r.fits(name) {
			return r.class
		}
	}
	field := fieldOf(kind, name)
	switch {
	case s == rich && !isSize(values[0]):
		return composite
	case field != nil && field.Default != "":
		return defaulted
	case knownList(name) && s == list:
		return accepted
	}
	return single
}

// knownList reports whether some kind has a parameter of that name. People use those of
// one kind with another.
func knownList(name string) bool {
	_, ok := parameterRanks()[name]
	return ok
}

func fieldOf(kind, name string) *model.Field {
	table := model.Params()[kind]
	if table == nil {
		return nil
	}
	return table.Field(name)
}

// defaultOf returns what an absent parameter of a kind means, nil when nothing.
func defaultOf(kind, name string) any {
	if d, ok := defaults[name]; ok {
		return d
	}
	field := fieldOf(kind, name)
	switch {
	case field == nil || field.Default == "":
		return nil
	case field.Default == "true" || field.Default == "false":
		return field.Default == "true"
	}
	return strings.Trim(field.Default, `"`)
}
