package formats

import (
	"errors"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// catalog is a file with a placement of each sort.
const catalog = `{"authorized_agents": [], "properties": [
  {"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "pub.example"}]}],
 "formats": [
  {"format_option_id": "mpu", "format_kind": "image", "params": {"width": 300, "height": 250, "max_file_size_kb": 150, "image_formats": ["jpg", "png"]}},
  {"format_option_id": "spot", "format_kind": "video_hosted", "params": {"duration_ms_range": [6000, null], "video_codecs": ["h264"], "min_width": 640}},
  {"format_option_id": "cards", "format_kind": "image_carousel", "params": {"min_cards": 2, "max_cards": 10, "slots": [{"asset_group_id": "a", "asset_type": "text"}]}}],
 "placements": [
  {"placement_id": "top", "name": "Top", "description": "Top", "property_ids": ["site"], "channels": ["display"], "format_options": [{"format_option_id": "mpu"}, {"format_option_id": "spot"}]},
  {"placement_id": "any", "name": "Any", "description": "Any", "property_ids": ["site"]}]}`

func document(t testing.TB, src string) *resolve.Document {
	t.Helper()
	report := adagents.Check([]byte(src), adagents.Options{Domain: "pub.example"})
	if report.File == nil {
		t.Fatalf("%+v", report.Findings)
	}
	return &resolve.Document{Publisher: "pub.example", State: resolve.Usable, Method: "direct", File: report.File}
}

func TestReadProductErrors(t *testing.T) {
	t.Parallel()
	many := `{"format_options": [` + strings.Repeat(`{"format_kind": "image", "params": {}},`, maxProductEntries) + `{}]}`
	for _, c := range []struct{ name, src, want string }{
		{"no JSON", "{", "line 1"},
		{"no object", "[]", "an array"},
		{"a member twice", `{"a": {"b": 1, "b": 2}}`, "twice"},
		{"a list of products", `{"products": []}`, "list of products"},
		{"too many formats", many, "more than 1000"},
		{"too large", strings.Repeat(" ", MaxProductBytes+1), ""},
	} {
		_, err := ReadProduct([]byte(c.src))
		var fault *ProductError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) || fault.Hint == "" {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestReadProductFindings(t *testing.T) {
	t.Parallel()
	p, err := ReadProduct([]byte(`{"format_options": [5, {"display_name": "x"}, {"format_option_id": "own"}, {"format_kind": "imagg", "params": {}},
	  {"scope": "product", "publisher_domain": "a.example", "format_option_id": "b"},
	  {"format_kind": "image", "params": {}, "canonical_formats_only": true, "locale_policy": {"accepted_language_ranges": "en"}}],
	 "placements": [{}, {"placement_id": "a"}, {"placement_id": "a", "kind": "seller_inline"}, {"placement_id": "a", "kind": "seller_inline"}, {"placement_id": "b", "kind": "magic", "publisher_domain": "pub.example"}],
	 "publisher_properties": [{"selection_type": "all"}], "channels": 5}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range p.findings {
		got = append(got, f.Code+" "+f.Pointer)
	}
	want := []string{
		"product.format_invalid /format_options/3/format_kind", "product.format_invalid /format_options/0", "product.format_invalid /format_options/1",
		"product.format_unresolved /format_options/2", "product.format_invalid /format_options/4", "product.format_invalid /format_options/5",
		"product.placement_invalid /placements/0", "product.placement_invalid /placements/1", "product.placement_invalid /placements/3", "product.placement_invalid /placements/4",
		"product.selector_invalid /publisher_properties/0",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || len(p.options) != 0 || len(p.placements) != 1 {
		t.Errorf("got %s\n%+v", strings.Join(got, "\n"), p)
	}
}

func TestRefs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Ref{"Pub.Example/mpu": {publisherScope, "pub.example", "mpu"}, "own": {productScope, "", "own"}, "a.example/b/c": {publisherScope, "a.example", "b/c"}} {
		got, err := ParseRef(text)
		if err != nil || got != want {
			t.Errorf("%s: %+v %v", text, got, err)
		}
	}
	for _, bad := range [][3]string{{"product", "a.example", "x"}, {"publisher", "", "x"}, {"publisher", "a.example", ""}, {"", "", "x"}} {
		_, err := NewRef(bad[0], bad[1], bad[2])
		if err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// TestChoose: a buyer names formats, or describes them; what the seller fixes has to be
// stated.
func TestChoose(t *testing.T) {
	t.Parallel()
	p, err := ReadProduct([]byte(`{"format_options": [{"format_option_id": "a", "format_kind": "image", "params": {"width": 300, "height": 250}}, {"format_kind": "video_hosted", "params": {"duration_ms_exact": 15000}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	at, err := p.on(document(t, catalog), "top", false)
	if err != nil || len(at.Accepted) != 2 {
		t.Fatalf("%+v %v", at, err)
	}
	small := Params{"width": 300.0, "height": 250.0, "max_file_size_kb": 100.0, "image_formats": []any{"png"}}
	for _, c := range []struct {
		name   string
		s      Selection
		chosen int
		code   string
	}{
		{"by the product's name", Selection{Refs: []Ref{{productScope, "", "a"}}}, 1, ""},
		{"by the publisher's name", Selection{Refs: []Ref{{publisherScope, "pub.example", "spot"}}}, 1, ""},
		{"by another name", Selection{Refs: []Ref{{productScope, "", "b"}}}, 0, "selection.unresolved"},
		{"by description", Selection{Kind: "image", Params: small}, 1, ""},
		{"by a description that leaves too much open", Selection{Kind: "image", Params: Params{}}, 0, "selection.unresolved"},
		{"both ways", Selection{Refs: []Ref{{productScope, "", "a"}}, Kind: "image", Params: small}, 1, ""},
		{"both ways, differently", Selection{Refs: []Ref{{publisherScope, "pub.example", "spot"}}, Kind: "image", Params: small}, 1, "selection.conflict"},
	} {
		chosen, findings := choose(at.Accepted, c.s)
		code := ""
		if len(findings) > 0 {
			code = findings[0].Code
		}
		if len(chosen) != c.chosen || code != c.code {
			t.Errorf("%s: %+v %+v", c.name, chosen, findings)
		}
	}
}

func TestTooManyPairs(t *testing.T) {
	t.Parallel()
	option := `{"format_kind": "image", "params": {}},`
	file := strings.Replace(catalog, `"format_options": [`, `"format_options": [`+strings.Repeat(option, 200), 1)
	p, err := ReadProduct([]byte(`{"format_options": [` + strings.Repeat(option, 600) + `{}]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.on(document(t, file), "top", false)
	var limit *resolve.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("%v", err)
	}
}

// FuzzProduct: whatever a product says, what is accepted lies within one of its formats and
// within one of the catalog.
func FuzzProduct(f *testing.F) {
	for _, src := range []string{
		`{"format_options": [{"format_kind": "image", "params": {"sizes": [{"width": 300, "height": 250}], "pixel_ratios": [1, 2]}}]}`,
		`{"format_options": [{"publisher_domain": "pub.example", "format_option_id": "spot"}], "placements": [{"kind": "publisher_ref", "publisher_domain": "pub.example", "placement_id": "top", "format_options": [{"publisher_domain": "pub.example", "format_option_id": "spot"}]}]}`,
		`{"format_ids": [{"agent_url": "https://creative.adcontextprotocol.org", "id": "display_300x250_image", "width": 300, "height": 250}, {"agent_url": "https://a.example", "id": "video_30s"}], "channels": ["display"]}`,
		`{"format_options": [{"format_kind": "image_carousel", "params": {"min_cards": 1e300, "slots": [{"asset_group_id": "a", "asset_type": "text"}]}}], "publisher_properties": [{"publisher_domain": "pub.example", "selection_type": "all"}]}`,
	} {
		f.Add([]byte(src))
	}
	doc := document(f, catalog)
	f.Fuzz(func(t *testing.T, src []byte) {
		p, err := ReadProduct(src)
		if err != nil {
			return
		}
		for _, id := range []string{"top", "any"} {
			at, err := p.on(doc, id, false)
			if err != nil {
				return
			}
			declared := map[string]*declaration{}
			for _, c := range resolve.Formats(doc, id, "").Formats {
				d := fromCatalog(&c)
				declared[d.Pointer] = &d
			}
			for i := range at.Accepted {
				a := &at.Accepted[i]
				_, relation, conflict := intersect(&a.declaration, declared[a.Catalog])
				if conflict != nil || relation != sameLimits && relation != productNarrower {
					t.Fatalf("%s is %s to the catalog's %s: %v", a.Params, relation, declared[a.Catalog].Params, conflict)
				}
			}
		}
		_, err = p.onAll(doc, true)
		if err != nil {
			t.Fatal(err)
		}
	})
}

// TestTotalWork holds the work for a whole product to a limit, however it is spread.
func TestTotalWork(t *testing.T) {
	t.Parallel()
	options := strings.TrimSuffix(strings.Repeat(`{"format_kind":"image","params":{"width":300,"height":250}},`, 999), ",")
	selectors := strings.TrimSuffix(strings.Repeat(`{"publisher_domain":"pub.example","selection_type":"all"},`, 999), ",")
	p, err := ReadProduct([]byte(`{"format_options":[` + options + `],"publisher_properties":[` + selectors + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	doc := &resolve.Document{Publisher: "pub.example", State: resolve.Usable, File: new(adagents.File)}
	if n := p.pairs(doc); n != 999*999 {
		t.Errorf("%d pairs of %d formats and %d selectors", n, len(p.options), len(p.selectors))
	}
	p.selectors = append(p.selectors, p.selectors...)
	_, err = p.onAll(doc, false)
	var limit *resolve.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("no limit: %v", err)
	}
}
