package web

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/model"
)

// formModel describes the format for the page that builds files: from it come the forms, and
// the completions and hover texts of the editor. It is made of package model and has no member
// of its own, so a member that is added there is in the forms, too.
type formModel struct {
	Sections []formSection         `json:"sections"`
	Objects  map[string]formObject `json:"objects"`
	// Params has the object that the params of each kind of format are; custom has none.
	Params map[string]string `json:"params"`
	// Labels are the names of values for people.
	Labels map[string]string `json:"labels"`
}

// formSection is a part of the form with a name of its own.
type formSection struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Lead    string   `json:"lead"`
	Members []string `json:"members"`
}

type formObject struct {
	Doc    string      `json:"doc"`
	Closed bool        `json:"closed,omitzero"`
	Fields []formField `json:"fields"`
}

type formField struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Doc      string   `json:"doc"`
	Required bool     `json:"required,omitzero"`
	Type     formType `json:"type"`
	Default  string   `json:"default,omitzero"`
	// Usual fields are shown at once, others when asked for.
	Usual bool `json:"usual,omitzero"`
	// When names a neighbour, and the values of it that this member goes with.
	When *formWhen `json:"when,omitzero"`
	// Suggest says which values of the file fit: "properties.property_id", or "tags" for the
	// names of a map.
	Suggest []string `json:"suggest,omitempty"`
}

type formWhen struct {
	Member string   `json:"member"`
	Values []string `json:"values"`
}

type formType struct {
	Kind string `json:"kind"`
	// Object names the object; By the neighbour that says which object it is.
	Object  string    `json:"object,omitzero"`
	By      string    `json:"by,omitzero"`
	Elem    *formType `json:"elem,omitzero"`
	Pair    bool      `json:"pair,omitzero"`
	Enum    []string  `json:"enum,omitempty"`
	Words   []string  `json:"words,omitempty"`
	Format  string    `json:"format,omitzero"`
	Pattern string    `json:"pattern,omitzero"`
	MaxLen  int       `json:"maxLength,omitzero"`
	Null    bool      `json:"null,omitzero"`
}

// formSections are the parts of the form, in the order in which people think of them.
var formSections = []formSection{
	{"properties", "Properties", "The sites, apps, stations and screens that carry your inventory.",
		[]string{"properties"}},
	{"agents", "Agents", "Who may sell, what, where and until when.", []string{"authorized_agents"}},
	{"file", "The file", "Who keeps it, and what it says about itself.",
		[]string{"contact", "last_updated", "catalog_etag", "$schema", "version", "catalog_role", "superseded_by"}},
	{"tags", "Tags", "What the tags on properties, placements and signals mean.",
		[]string{"tags", "placement_tags", "signal_tags"}},
	{"placements", "Placements", "Where an ad can run, and in which formats.", []string{"placements"}},
	{"formats", "Formats", "Creative formats that placements refer to.", []string{"formats"}},
	{"collections", "Collections", "Series, podcasts, streams and other programs.", []string{"collections"}},
	{"signals", "Signals", "Audience and context data that agents may offer.", []string{"signals"}},
	{"revocations", "Revocations", "Publishers that this file does not speak for any more.",
		[]string{"revoked_publisher_domains"}},
	{"features", "Features", "Agents with data about your properties, such as carbon or fraud scores.",
		[]string{"property_features"}},
}

// usual are the members that are shown at once although they are optional and many.
var usual = map[string][]string{
	"Agent":             {"delegation_type", "countries", "signing_keys"},
	"Placement":         {"description", "property_ids", "property_tags", "tags", "channels", "format_options"},
	"FormatDeclaration": {"format_option_id", "display_name"},
	"FormatOption":      {"format_option_id", "format_kind", "params"},
	"Signal":            {"catalog_url", "id", "name", "description", "value_type", "tags"},
	"Collection":        {"kind", "description", "genre", "language"},
	"SigningKey":        {"alg", "use", "crv", "x"},
	"Slot":              {"required", "min", "max"},
}

// fewFields is the number of members that an object shows at once.
const fewFields = 8

// goesWith says which members go with which value of a neighbour.
var goesWith = withSelections(map[string]formWhen{
	"Selector.property_ids":           {"selection_type", []string{"by_id"}},
	"Selector.property_tags":          {"selection_type", []string{"by_tag"}},
	"Signal.allowed_values":           {"value_type", []string{"categorical"}},
	"Signal.range":                    {"value_type", []string{"numeric"}},
	"FormatDeclaration.format_shape":  {"format_kind", []string{"custom"}},
	"FormatDeclaration.format_schema": {"format_kind", []string{"custom"}},
	"FormatOption.format_shape":       {"format_kind", []string{"custom"}},
	"FormatOption.format_schema":      {"format_kind", []string{"custom"}},
})

// withSelections adds the members with which an agent entry selects.
func withSelections(members map[string]formWhen) map[string]formWhen {
	for _, s := range model.Selections {
		members["Agent."+s.Member] = formWhen{"authorization_type", []string{s.Type}}
	}
	return members
}

// kindNames are the kinds of values in the description.
var kindNames = map[model.Kind]string{
	model.Any: "any", model.String: "text", model.Bool: "bool", model.Integer: "integer", model.Number: "number",
	model.Array: "list", model.Object: "object", model.Map: "map",
}

// formatNames are the forms of texts that the page knows how to help with.
var formatNames = map[model.Format]string{
	model.URI: "url", model.HTTPS: "https", model.DateTime: "time", model.Email: "email", model.Domain: "domain",
	model.Hostname: "domain", model.Country: "country",
	model.Digest: "digest", model.Aspect: "aspect", model.SemVer: "version", model.Locale: "locale",
	model.MinorVer: "minor", model.Base64URL: "base64url",
}

// formAsset is the description as the page asks for it.
var formAsset = sync.OnceValue(func() *asset {
	text, err := json.Marshal(formModelOf(), json.Deterministic(true))
	if err != nil {
		panic("the format cannot be described: " + err.Error())
	}
	return newAsset("format.json", "application/json", text)
})

func formModelOf() *formModel {
	m := &formModel{Sections: formSections, Objects: map[string]formObject{}, Params: map[string]string{},
		Labels: map[string]string{}}
	for _, o := range model.Objects() {
		m.Objects[o.Name] = formObjectOf(o)
	}
	for _, o := range m.Objects {
		for i := range o.Fields {
			m.label(&o.Fields[i].Type)
		}
	}
	for kind, o := range model.Params() {
		if o != nil {
			m.Params[kind] = o.Name
		}
	}
	return m
}

func formObjectOf(o *model.ObjectType) formObject {
	out := formObject{Doc: o.Doc, Closed: o.Closed, Fields: []formField{}}
	for i := range o.Fields {
		f := &o.Fields[i]
		full := o.Name + "." + f.Name
		field := formField{Name: f.Name, Title: titleOf(f.Name), Doc: f.Doc, Required: f.Required, Type: formTypeOf(&f.Type),
			Default: f.Default, Suggest: model.SourcesOf(o, f.Name)}
		field.Usual = f.Required || len(o.Fields) <= fewFields || slices.Contains(usual[o.Name], f.Name)
		if when, ok := goesWith[full]; ok {
			field.When, field.Usual = &when, false
		}
		field.Type.Words = model.UsualWords[full]
		if f.Name == "params" {
			field.Type.By = "format_kind"
		}
		out.Fields = append(out.Fields, field)
	}
	return out
}

func formTypeOf(t *model.Type) formType {
	out := formType{Kind: kindNames[t.Kind], Pair: t.Tuple, Enum: t.Enum, Format: formatNames[t.Format],
		Pattern: t.Pattern, MaxLen: t.MaxLen, Null: t.Nullable}
	if t.Const != "" {
		out.Enum = []string{t.Const}
	}
	if t.Object != nil {
		out.Object = t.Object.Name
	}
	if t.Elem != nil {
		elem := formTypeOf(t.Elem)
		out.Elem = &elem
	}
	return out
}

// initialisms are words of names that people write otherwise.
var initialisms = map[string]string{
	"id": "ID", "ids": "IDs", "url": "URL", "uri": "URI", "kb": "kB", "kbps": "kbit/s", "etag": "ETag", "ssl": "SSL",
	"om": "OM", "sdk": "SDK", "cta": "CTA", "ctv": "CTV",
	"html5": "HTML5", "vast": "VAST", "daast": "DAAST", "ccpa": "CCPA", "sla": "SLA", "ai": "AI", "dts": "DTS",
	"adcp": "AdCP", "kid": "Key ID", "kty": "Key type", "crv": "Curve", "alg": "Algorithm",
	"ar": "AR", "asin": "ASIN", "css": "CSS", "dooh": "DOOH", "eidr": "EIDR", "guid": "GUID", "html": "HTML",
	"iheart": "iHeart", "imdb": "IMDb", "ios": "iOS", "javascript": "JavaScript",
	"openooh": "OpenOOH", "qr": "QR", "rss": "RSS", "tiktok": "TikTok", "tv": "TV", "youtube": "YouTube", "zip": "ZIP",
}

// titleOf is the name of a member for people: "Property IDs" for property_ids.
func titleOf(name string) string {
	list := strings.Split(strings.TrimPrefix(name, "$"), "_")
	for i, word := range list {
		if known, ok := initialisms[word]; ok {
			list[i] = known
		} else if i == 0 && word != "" {
			list[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(list, " ")
}

// labels are values whose name is not made of their words.
var labels = map[string]string{
	"by_id": "By ID", "by_tag": "By tag",
	"ctv": "Connected TV", "ctv_app": "Connected TV app", "dooh": "Digital out of home", "ooh": "Out of home",
	"olv": "Online video", "1x1_redirect": "1 × 1 redirect",
	"fm_am_broadcast": "FM or AM broadcast", "tv_ott_or_stb_device": "TV, OTT or set-top box",
	"public_record_voter_file": "Public record: voter file", "public_record_census": "Public record: census",
	"public_record_other": "Public record: other",
	"intra_day":           "Several times a day", "bi_monthly": "Every two months", "bi_annually": "Twice a year",
	"annually": "Once a year", "text_to_speech": "Text to speech", "tune_in": "Tune in", "in_scene": "In the scene",
	"native_in_feed": "Native, in the feed", "video_hosted": "Video, hosted", "video_vast": "Video, VAST",
	"audio_hosted": "Audio, hosted", "audio_daast": "Audio, DAAST", "racial_ethnic_origin": "Racial or ethnic origin",
	"sex_life_sexual_orientation": "Sex life or sexual orientation", "ios_bundle": "iOS bundle",
}

// plainValue matches values that are made of words.
var plainValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`) })

// label names the values of a type. Values that are no words, such as addresses and codes, stand
// for themselves.
func (m *formModel) label(t *formType) {
	for _, value := range t.Enum {
		title := cmp.Or(model.SelectionOf(value).Title, labels[value])
		switch {
		case title != "":
			m.Labels[value] = title
		case plainValue().MatchString(value):
			m.Labels[value] = titleOf(value)
		}
	}
	if t.Elem != nil {
		m.label(t.Elem)
	}
}
