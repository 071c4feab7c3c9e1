package adagents

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/format/formatkind"
	"github.com/avow-project/avow/internal/model"
)

// TestInlineFaults shows that a declaration in place is checked like one in
// formats, an id beside it or not.
func TestInlineFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		option string
		want   []string
	}{
		{`{"format_kind": "image", "params": {"width": 300, "height": 250}}`, nil},
		{`{"format_kind": "image", "format_option_id": "mpu", "params": {"width": "300", "height": 250}}`, []string{"width must be a whole number, not a string"}},
		{`{"format_kind": "image"}`, []string{"the format has no params"}},
		{`{"format_kind": "image", "params": {"width": 300, "max_width": 5, "motion_level": "fast"}}`, []string{
			`motion_level "fast" is not one of the known values`, "the size is stated by width and height and by max_width at once",
		}},
		{`{"format_kind": "image", "params": {"sizes": [{"width": 0, "height": 1}]}}`, []string{"sizes: width must be at least 1"}},
		{`{"format_kind": "image", "params": {"widht": 300}}`, nil},
	} {
		c := reporter{new(content), new(findings), &Rule{Code: "outer"}, new(effect)}
		o := decodeOption(t, c, tt.option)
		var got []string
		inlineFaults(c, o, func(_ Value, msg string) { got = append(got, msg) })
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.option, diff)
		}
		if *c.effect != (effect{}) {
			t.Errorf("%s: effect %v afterwards", tt.option, *c.effect)
		}
		for _, f := range c.out.list {
			if f.sev == Error || f.effect != NoEffect {
				t.Errorf("%s: %s stays with severity %v and effect %v", tt.option, f.rule.Code, f.sev, f.effect)
			}
		}
	}
}

// TestInlineUnknownKind shows that an option of an unknown kind is dropped like
// a declaration of one, though it is no error by default.
func TestInlineUnknownKind(t *testing.T) {
	t.Parallel()
	src := Example(InFormatOption, `{"format_kind": "banner", "params": {}}`)
	r := Check(src, Options{})
	options := r.File.Placements[1].FormatOptions
	if !r.Valid() || len(options) != 1 || options[0].OptionID != "mpu" {
		t.Errorf("valid %v, options %+v, want the first one alone", r.Valid(), options)
	}
	if got := outcomes(src, Options{}); !slices.Equal(got, []string{"warning format.kind_unknown /placements/1/format_options/1/format_kind (drop reference)"}) {
		t.Errorf("findings %v", got)
	}
	if Check(src, Options{Profile: Strict}).Valid() {
		t.Error("the strict profile accepts the unknown kind")
	}
}

func decodeOption(t *testing.T, c reporter, text string) *FormatOption {
	t.Helper()
	r := Check([]byte(text), Options{})
	if r.Tree() == nil {
		t.Fatalf("%s is not JSON", text)
	}
	c.tree = r.Tree()
	o := new(FormatOption)
	o.Raw = c.tree.Root()
	return o
}

// TestInlineNotObject shows that nothing is said about what is no object.
func TestInlineNotObject(t *testing.T) {
	t.Parallel()
	c := reporter{content: new(content), out: new(findings)}
	inlineFaults(c, decodeOption(t, c, `"image"`), func(_ Value, msg string) { t.Error(msg) })
}

func TestNearParam(t *testing.T) {
	t.Parallel()
	known := newKnownParams(model.Params()["image_carousel"].Names())
	for name, want := range map[string]string{
		"cards_min":                 "min_cards",
		"minCards":                  "min_cards",
		"Max-Cards":                 "max_cards",
		"mx_cards":                  "max_cards",
		"chars_max_headline_card":   "card_headline_max_chars",
		"colour":                    "",
		"":                          "",
		strings.Repeat("x", 100000): "",
	} {
		if got := known.near(name); got != want {
			t.Errorf("%.30s: %q, want %q", name, got, want)
		}
	}
}

// TestFormatHints shows the advice that depends on the value.
func TestFormatHints(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ formats, code, want string }{
		{declaration("html5", `{"max_file_size_kb": 1}`), "format.param_unknown", "it is a param of image"},
		{declaration("image_carousel", `{"cards_max": 1}`), "format.param_unknown", `did you mean "max_cards"?`},
		{declaration("image", `{"ctv_ad_experience": "menu"}`), "format.ctv_experience_invalid", "menu goes with sponsored_placement, native_in_feed"},
		{declaration("imgae", `{}`), "format.kind_unknown", `did you mean "image"?`},
		{declaration("image", `{"slots": [{"asset_group_id": "headlne", "asset_type": "text"}]}`), "format.slot_group_unknown", `did you mean "headline"?`},
		{`{"format_option_id": "a", "format_kind": "image", "params": {}, "publisher_domain": "Example.COM"}`, "format.publisher_domain_foreign", `write "example.com"`},
		{`{"format_option_id": "a", "format_kind": "image", "params": {}, "applies_to_property_ids": ["sitee"]}`, "format.applies_to_property_undefined", `did you mean "site"?`},
		{declaration(formatkind.Coordinated, `{"components": [`+exampleTop+`,`+strings.Replace(exampleSide, "image", "imagee", 1)+`]}`), "format.component_kind_invalid", `did you mean "image"?`},
	} {
		findings := Check(Example(InFormat, tt.formats), Options{}).Findings
		if len(findings) != 1 || findings[0].Code != tt.code || findings[0].Hint != tt.want {
			t.Errorf("%s: %+v, want %s with hint %s", tt.formats, findings, tt.code, tt.want)
		}
	}
}

// TestRenderers covers the file-wide questions about reference renderers.
func TestRenderers(t *testing.T) {
	t.Parallel()
	format := func(id, revision string) string {
		return fmt.Sprintf(`{"format_option_id": %q, "format_kind": "image", "params": {}, %s %s}`, id, revision, exampleRenderer)
	}
	const registry = "https://adcontextprotocol.org/registry/adagents.json"
	for _, tt := range []struct {
		opt     Options
		members string
		want    []string
	}{
		{Options{URL: registry}, exampleRendererFile, nil},
		{Options{URL: "http://adcontextprotocol.org/"}, exampleRendererFile, []string{"renderer.untrusted_origin"}},
		{Options{URL: "::"}, exampleRendererFile, []string{"renderer.untrusted_origin"}},
		{Options{}, `{"formats": [` + format("a", `"format_revision": "1.0.0",`) + `,` + format("b", `"format_revision": "1.0.0",`) + `]}`, []string{"renderer.requires_registry"}},
		{Options{}, `{"catalog_role": "community_format_registry", "formats": [` + format("a", "") + `]}`, []string{"renderer.invalid"}},
		{Options{}, `{"catalog_role": "community_format_registry", "formats": [` + format("a", `"format_revision": "1",`) + `]}`, []string{"renderer.invalid"}},
	} {
		var got []string
		for _, f := range Check(Example(InTopLevel, tt.members), tt.opt).Findings {
			got = append(got, f.Code)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.members, diff)
		}
	}
}

// TestExtensionsAcrossFormats shows that digests are compared over the file.
func TestExtensionsAcrossFormats(t *testing.T) {
	t.Parallel()
	format := func(id, digit string) string {
		return fmt.Sprintf(`{"format_option_id": %q, "format_kind": "html5", "params": {"platform_extensions": [{"uri": "https://example.com/e", "digest": "sha256:%s"}]}}`,
			id, strings.Repeat(digit, 64))
	}
	checkFormatLines(t, Options{}, format("a", "0")+","+format("b", "0")+","+format("c", "1"), []string{
		"warning format.extension_digest_divergent /2/params/platform_extensions/0/digest",
	})
}

// FuzzFormatParams looks for params that upset the rules of some kind.
func FuzzFormatParams(f *testing.F) {
	for _, r := range Rules() {
		if strings.HasPrefix(r.Code, "format.") && r.In == InFormat {
			f.Add(r.Bad)
			f.Add(r.Good)
		}
	}
	f.Fuzz(func(t *testing.T, format string) {
		for _, kind := range model.FormatKinds {
			text := strings.Replace(format, `"format_kind"`, fmt.Sprintf(`"format_kind": %q, "was"`, kind), 1)
			for _, finding := range Check(Example(InFormat, text), Options{}).Findings {
				if finding.Message == "" || finding.Spec == "" {
					t.Errorf("%s says nothing", finding.Code)
				}
			}
		}
	})
}
