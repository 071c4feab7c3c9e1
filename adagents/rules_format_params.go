package adagents

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/formatkind"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/spell"
)

// formatParamRules compare params with the table of their kind.
var formatParamRules = []rule[*formatkind.View]{
	{
		Rule: Rule{
			Code: "format.param_type", Severity: Error, Effect: SkipEntry,
			Title: "a param has the wrong JSON type",
			Why:   "Limits are compared as numbers, texts or lists. One of another type cannot be applied, so the format is left out.",
			Hint:  "write the value in the type the format kind asks for",
			Spec:  "AdCP canonical formats",
			In:    InParams,
			Bad:   `{"width": 300, "height": 250, "max_file_size_kb": "150"}`,
			Good:  `{"width": 300, "height": 250, "max_file_size_kb": 150}`,
		},
		check: func(r reporter, x *formatkind.View) {
			sayParamFaults(r, x, formatkind.ClaimParam, func(f conform.Fault) bool { return f == conform.WrongKind })
		},
	},
	{
		Rule: Rule{
			Code: "format.param_enum", Severity: Error, Effect: SkipEntry,
			Title: "a param has a value that is not allowed",
			Why:   "Some params take one of a few values. Another one is not understood, and the limit it stands for would be lost.",
			Hint:  "use one of the values of the format kind",
			Spec:  "AdCP canonical formats",
			In:    InParams,
			Bad:   `{"image_formats": ["jpg", "bmp"]}`,
			Good:  `{"image_formats": ["jpg", "png"]}`,
		},
		check: func(r reporter, x *formatkind.View) {
			sayParamFaults(r, x, formatkind.ClaimParam, func(f conform.Fault) bool { return f == conform.NotAllowed })
		},
	},
	{
		Rule: Rule{
			Code: "format.param_range", Severity: Error, Effect: SkipEntry,
			Title: "a param is outside its limits",
			Why:   "A size of zero or a list without entries admits no creative at all.",
			Hint:  "keep within the limits of the format kind",
			Spec:  "AdCP canonical formats",
			In:    InParams,
			Bad:   `{"width": 0, "height": 250}`,
			Good:  `{"width": 300, "height": 250}`,
		},
		check: func(r reporter, x *formatkind.View) {
			sayParamFaults(r, x, formatkind.ClaimParam, func(f conform.Fault) bool { return f != conform.WrongKind && f != conform.NotAllowed })
		},
	},
	{
		Rule: Rule{
			Code: "format.param_unknown", Severity: Warning,
			Title:  "a param is not known for this kind",
			Why:    "Unknown params are allowed and ignored. A misspelt one is ignored too, and its limit is lost.",
			Hint:   "check the spelling and the format kind",
			Spec:   "AdCP canonical formats",
			Varies: "info unless the name is close to a known one",
			In:     InFormat,
			Bad:    `{"format_option_id": "cards", "format_kind": "image_carousel", "params": {"cards_min": 2, "max_cards": 10}}`,
			Good:   `{"format_option_id": "cards", "format_kind": "image_carousel", "params": {"min_cards": 2, "max_cards": 10}}`,
		},
		check: onParts(checkUnknownParams),
	},
	{
		Rule: Rule{
			Code: "format.extension_digest_divergent", Severity: Warning,
			Title: "one platform extension with two digests",
			Why:   "The digest pins the content of the extension. Two of them for the same address cannot both be right.",
			Hint:  "fetch the extension and use its present digest everywhere",
			Spec:  "avow docs/rules.md",
			In:    InParams,
			Bad: `{"platform_extensions": [
  {"uri": "https://example.com/ext.json", "digest": "sha256:0000000000000000000000000000000000000000000000000000000000000000"},
  {"uri": "https://example.com/ext.json", "digest": "sha256:1111111111111111111111111111111111111111111111111111111111111111"}
]}`,
			Good: `{"platform_extensions": [
  {"uri": "https://example.com/ext.json", "digest": "sha256:0000000000000000000000000000000000000000000000000000000000000000"}
]}`,
		},
		check: onParts(checkExtensionDigests),
	},
}

// kindsOfParam gives, for a param, the kinds that know it.
var kindsOfParam = func() map[string][]string {
	kinds := make(map[string][]string)
	for _, kind := range model.FormatKinds {
		if table := model.Params[kind]; table != nil {
			for i := range table.Fields {
				name := table.Fields[i].Name
				kinds[name] = append(kinds[name], kind)
			}
		}
	}
	return kinds
}()

// checkUnknownParams never reports an error: a newer protocol version may add
// params.
func checkUnknownParams(r reporter, p *formatkind.Part) {
	known := knownParamsOf[p.Table]
	for m := range p.Params.Members() {
		name := m.Name()
		if p.Table.Field(name) != nil {
			continue
		}
		if near := known.near(name); near != "" {
			r.say(m.Value(), "%s is not a param of %s", quote(name), p.Kind).withHint("did you mean %s?", quote(near))
			continue
		}
		f := r.sayAs(Info, m.Value(), "%s is not a param of %s", quote(name), p.Kind)
		if kinds := kindsOfParam[name]; len(kinds) > 0 {
			f.withHint("it is a param of %s", strings.Join(kinds, ", "))
		}
	}
}

// knownParams are the param names of a kind, prepared for near misses.
type knownParams struct {
	spelled *spell.Index
	byWords map[string]string // by sortedWords
}

// knownParamsOf has the known params for every table.
var knownParamsOf = func() map[*model.ObjectType]knownParams {
	known := make(map[*model.ObjectType]knownParams)
	for _, table := range model.Params {
		if table != nil {
			known[table] = newKnownParams(table.Names())
		}
	}
	return known
}()

func newKnownParams(names []string) knownParams {
	k := knownParams{spell.New(names), make(map[string]string)}
	for _, name := range names {
		k.byWords[sortedWords(name)] = name
	}
	return k
}

// near finds the known name that was probably meant: misspelt, in another case
// style, or with its words in another order.
func (k knownParams) near(name string) string {
	if len(name) > spell.MaxLength {
		return ""
	}
	name = snakeCase(name)
	if near, ok := k.spelled.Nearest(name, spell.MaxDistance); ok {
		return near
	}
	return k.byWords[sortedWords(name)]
}

// sortedWords writes the words of a name in alphabetical order.
func sortedWords(name string) string {
	words := strings.Split(name, "_")
	slices.Sort(words)
	return strings.Join(words, "_")
}

// checkExtensionDigests remembers the digest of every extension of the file.
func checkExtensionDigests(r reporter, p *formatkind.Part) {
	x := &r.index.format
	for _, v := range p.Params.Get("platform_extensions").Elems() {
		uri, digest := v.Get("uri").Str(), v.Get("digest").Str()
		if uri == "" || digest == "" {
			continue
		}
		if x.digests == nil {
			x.digests = make(map[string]string)
		}
		if before, ok := x.digests[uri]; !ok {
			x.digests[uri] = digest
		} else if before != digest {
			r.say(v.Get("digest"), "%s has the digest %s elsewhere in the file", quote(uri), before)
		}
	}
}
