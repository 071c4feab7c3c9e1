package adagents

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// signalFindings returns "severity code pointer" of the findings about the
// fragment, which stands at /signals/1.
func signalFindings(t *testing.T, profile Profile, fragment string) []string {
	t.Helper()
	var got []string
	for _, f := range Check(Example(InSignal, fragment), Options{Profile: profile}).Findings {
		if strings.HasPrefix(f.Code, "signal.") {
			got = append(got, fmt.Sprintf("%s %s %s", f.Severity, strings.TrimPrefix(f.Code, "signal."), strings.TrimPrefix(f.Pointer, "/signals/1")))
		}
	}
	slices.Sort(got)
	return got
}

const (
	signalHead  = `{"id":"x","name":"X","value_type":"binary",`
	numericHead = `{"id":"x","name":"X","value_type":"numeric",`
	teamHead    = `{"id":"x","name":"X","value_type":"categorical","allowed_values":["a","b"],`
	modelText   = `"method":"rules","seed_source":{"type":"panel","provider_signed":true},"training_data_jurisdictions":["DE"],"ai_act_risk_class":"limited"`
)

func TestSignalShapes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, fragment string
		want           []string
	}{
		{"reference", `{"catalog_url":"https://example.com/s.json"}`, nil},
		{"reference with id", `{"catalog_url":"https://example.com/s.json","id":"x"}`, nil},
		{"reference with bad id", `{"catalog_url":"https://example.com/s.json","id":"x y"}`, []string{"error id_pattern /id"}},
		{"http", `{"catalog_url":"http://example.com/s.json"}`, []string{"warning catalog_url_invalid /catalog_url"}},
		{"other scheme", `{"catalog_url":"ftp://example.com/s.json"}`, []string{"error catalog_url_invalid /catalog_url"}},
		{"script", `{"catalog_url":"javascript:alert(1)"}`, []string{"error catalog_url_invalid /catalog_url"}},
		{"url null", `{"catalog_url":null}`, []string{"error catalog_url_invalid /catalog_url"}},
		{"url empty", `{"catalog_url":""}`, []string{"error catalog_url_invalid /catalog_url"}},
		{"relationship number", `{"catalog_url":"https://example.com/s.json","relationship":1}`, []string{"warning relationship_unknown /relationship"}},
		{"relationship owned", `{"catalog_url":"https://example.com/s.json","relationship":"owned"}`, nil},
		{"empty object", `{}`, []string{"error shape_unrecognized "}},
		{"null", `null`, []string{"error not_object "}},
		{"array", `[]`, []string{"error not_object "}},
		{"id alone", `{"id":"x"}`, []string{"error name_missing /name", "error value_type_invalid /value_type"}},
		{"id null", `{"id":null,"name":"X","value_type":"binary"}`, []string{"error id_pattern /id"}},
		{"id blank", `{"id":" ","name":"X","value_type":"binary"}`, []string{"error id_missing /id"}},
		{"id with capitals", `{"id":"X-1_y","name":"X","value_type":"binary"}`, nil},
		{"name alone", `{"name":"!"}`, []string{"error id_missing /id", "error value_type_invalid /value_type"}},
		{"name blank", `{"id":"x","name":"  ","value_type":"binary"}`, []string{"error name_missing /name"}},
		{"name number", `{"id":"x","name":7,"value_type":"binary"}`, []string{"error name_missing /name"}},
		{"name at limit", `{"id":"x","name":"` + strings.Repeat("é", 255) + `","value_type":"binary"}`, nil},
		{"name over limit", `{"id":"x","name":"` + strings.Repeat("é", 256) + `","value_type":"binary"}`, []string{"error name_length /name"}},
		{"long blank name", `{"id":"x","name":"` + strings.Repeat(" ", 300) + `","value_type":"binary"}`, []string{"error name_missing /name"}},
		{"value type number", `{"id":"x","name":"X","value_type":1}`, []string{"error value_type_invalid /value_type"}},
		{"value type case", `{"id":"x","name":"X","value_type":"Binary"}`, []string{"error value_type_invalid /value_type"}},
		{"description at limit", signalHead + `"description":"` + strings.Repeat("é", 2000) + `"}`, nil},
		{"same twice", `{"tags":["auto"],"name":"Auto intender","id":"auto_intender","value_type":"binary"}`, []string{"warning id_duplicate /id"}},
		{"category null", signalHead + `"category":null}`, []string{"error category_type /category"}},
		{"category empty", signalHead + `"category":""}`, []string{"warning category_nonstandard /category"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, signalFindings(t, Default, tt.fragment)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSignalValues(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, fragment string
		want           []string
	}{
		{"tag types", signalHead + `"tags":["auto",1,null,""]}`, []string{"error tag_pattern /tags/1", "error tag_pattern /tags/2", "error tag_pattern /tags/3"}},
		{"tag with hyphen", signalHead + `"tags":["auto-x"]}`, []string{"warning tag_undefined /tags/0"}},
		{"undefined tag once", signalHead + `"tags":["new","new"]}`, []string{"warning tag_undefined /tags/0"}},
		{"values null", `{"id":"x","name":"X","value_type":"categorical","allowed_values":null}`, []string{"error allowed_values_type /allowed_values"}},
		{"values mixed", `{"id":"x","name":"X","value_type":"categorical","allowed_values":["a",1,"a",{}]}`,
			[]string{"error allowed_values_type /allowed_values/1", "error allowed_values_type /allowed_values/3", "warning allowed_values_duplicate /allowed_values/2"}},
		{"values on numeric", numericHead + `"range":{"min":0,"max":1,"unit":"u"},"allowed_values":["a"]}`, []string{"warning allowed_values_misplaced /allowed_values"}},
		{"range on categorical", teamHead + `"range":{"min":0,"max":1}}`, []string{"warning range_misplaced /range"}},
		{"range string", numericHead + `"range":"0-1"}`, []string{"error range_invalid /range"}},
		{"range without ends", numericHead + `"range":{"unit":"u"}}`, []string{"error range_invalid /range/max", "error range_invalid /range/min"}},
		{"range of strings", numericHead + `"range":{"min":"0","max":1,"unit":"u"}}`, []string{"error range_invalid /range/min"}},
		{"range extra", numericHead + `"range":{"min":0,"max":1,"unit":"u","step":1}}`, []string{"error range_invalid /range/step"}},
		{"range unit type", numericHead + `"range":{"min":0,"max":1,"unit":3}}`, []string{"error range_invalid /range/unit"}},
		{"range equal", numericHead + `"range":{"min":1,"max":1.0,"unit":"u"}}`, []string{"warning range_invalid /range"}},
		{"range huge", numericHead + `"range":{"min":0,"max":1e999,"unit":"u"}}`, []string{"error range_invalid /range/max"}},
		{"range long", numericHead + `"range":{"min":1` + strings.Repeat("0", 50) + `,"max":1,"unit":"u"}}`, []string{"error range_invalid /range"}},
		{"range without unit", numericHead + `"range":{"min":0,"max":1}}`, []string{"info range_missing /range/unit"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, signalFindings(t, Default, tt.fragment)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSignalTerms(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, fragment string
		want           []string
	}{
		{"expansion", signalHead + `"audience_expansion":true}`, []string{"error modeling_missing /modeling"}},
		{"no expansion", signalHead + `"audience_expansion":false,"methodology":"observed"}`, nil},
		{"voter file", signalHead + `"data_sources":["email","public_record_voter_file"]}`, []string{"error onboarder_missing /onboarder"}},
		{"online source", signalHead + `"data_sources":["online_survey"]}`, nil},
		{"offline survey", signalHead + `"data_sources":["offline_survey"]}`, []string{"error onboarder_missing /onboarder"}},
		{"offline sale", signalHead + `"data_sources":["offline_transaction"],"onboarder":{"match_keys":["email"]}}`, nil},
		{"domain of another form", signalHead + `"audience_scope":"single_domain","originating_domain":"Example.COM"}`, []string{"warning member_invalid /originating_domain"}},
		{"mapping without values", `{"id":"x","name":"X","value_type":"binary","taxonomy":{"ref":"https://example.com/t","values":[{"id":"1"}],"value_mappings":[{"value":"z","taxonomy_value_id":"1"}]}}`, nil},
		{"mapping of another type", teamHead + `"taxonomy":{"ref":"https://example.com/t","values":[{"id":"1"}],"value_mappings":[{"value":1,"taxonomy_value_id":"1"}]}}`,
			[]string{"warning member_invalid /taxonomy/value_mappings/0/value"}},
		{"predicate with other attributes", signalHead + `"restricted_attributes":["familial_status"],"demographic_predicate":{"age":{"min":1,"include_unknown":true}}}`,
			[]string{"error demographic_without_age /restricted_attributes"}},
		{"predicate with unreadable attributes", signalHead + `"restricted_attributes":"age","demographic_predicate":{"age":{"min":1,"include_unknown":true}}}`, nil},
		{"age without ends", signalHead + `"restricted_attributes":["age"],"demographic_predicate":{"age":{"include_unknown":true}}}`,
			[]string{"warning member_invalid /demographic_predicate/age/min"}},
		{"ages equal", signalHead + `"restricted_attributes":["age"],"demographic_predicate":{"age":{"min":18,"max":18,"include_unknown":true}}}`, nil},
		{"age out of range", signalHead + `"restricted_attributes":["age"],"demographic_predicate":{"age":{"max":151,"include_unknown":true}}}`,
			[]string{"warning member_invalid /demographic_predicate/age/max"}},
		{"no age", signalHead + `"restricted_attributes":["age"],"demographic_predicate":{"gender":"f"}}`, nil},
		{"rights spread", signalHead + `"data_subject_rights":{"channels":[{"rights":["portability"],"email":"a@example.com"},{"rights":["access"],"url":"https://example.com/p"}]}}`, nil},
		{"rights absent", signalHead + `"data_subject_rights":{"channels":[{"email":"a@example.com"}]}}`, []string{"warning member_invalid /data_subject_rights/channels/0/rights"}},
		{"rights twice", signalHead + `"data_subject_rights":{"channels":[{"rights":["access","access"],"email":"a@example.com"}]}}`,
			[]string{"warning member_invalid /data_subject_rights/channels/0/rights/1"}},
		{"no channel", signalHead + `"data_subject_rights":{"channels":[]}}`, []string{"warning member_invalid /data_subject_rights/channels"}},
		{"no way to reach", signalHead + `"data_subject_rights":{"channels":[{"rights":["access"]}]}}`, []string{"warning member_invalid /data_subject_rights/channels/0/url"}},
		{"disclosure not required", signalHead + `"modeling":{` + modelText + `,"disclosure":{"required":false}}}`, nil},
		{"disclosure nowhere", signalHead + `"modeling":{` + modelText + `,"disclosure":{"required":true,"jurisdictions":[]}}}`,
			[]string{"warning member_invalid /modeling/disclosure/jurisdictions"}},
		{"countries", signalHead + `"countries":["US","us",7,"US","UK","XX",null]}`, []string{
			"error country_invalid /countries/1", "error country_invalid /countries/2", "error country_invalid /countries/6",
			"warning country_invalid /countries/3", "warning country_invalid /countries/4", "warning country_invalid /countries/5",
		}},
		{"no country", signalHead + `"countries":[]}`, []string{"warning member_invalid /countries"}},
		{"special category elsewhere", signalHead + `"countries":["US"],"restricted_attributes":["health_data"]}`, nil},
		{"age in Europe", signalHead + `"countries":["GB"],"restricted_attributes":["age"]}`, nil},
		{"health in Britain", signalHead + `"countries":["US","GB"],"restricted_attributes":["age","health_data"]}`, []string{"info art9_missing /art9_basis"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, signalFindings(t, Default, tt.fragment)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSignalStrict(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, fragment string
		want           []string
	}{
		{"extra deep inside", signalHead + `"modeling":{` + modelText + `,"disclosure":{"required":true,"jurisdictions":[{"country":"DE","regulation":"R","vendor":1}]}}}`,
			[]string{"error closed_object_extra /modeling/disclosure/jurisdictions/0/vendor"}},
		{"unknown words", signalHead + `"refresh_cadence":"hourly","consent_basis":["assent"],"id_types":[1]}`,
			[]string{"error member_invalid /consent_basis/0", "error member_invalid /id_types/0", "error member_invalid /refresh_cadence"}},
		{"nested type", signalHead + `"modeling":{` + modelText + `,"disclosure":7}}`, []string{"error member_invalid /modeling/disclosure"}},
		{"nested object missing", signalHead + `"taxonomy":{"values":[{"id":"1"},7]}}`,
			[]string{"error member_invalid /taxonomy/ref", "error member_invalid /taxonomy/values/1"}},
		{"segtax", signalHead + `"taxonomy":{"ref":"https://example.com/t","values":[{"id":"1"}],"segtax":0}}`, []string{"error member_invalid /taxonomy/segtax"}},
		{"direct type", signalHead + `"taxonomy":[],"methodology":1,"device_expansion":"yes"}`, nil},
		{"description", signalHead + `"description":"` + strings.Repeat("a", 2001) + `"}`, []string{"error description_length /description"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, signalFindings(t, Strict, tt.fragment)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSignalMessages pins the wording of findings whose text depends on the
// value, hints included.
func TestSignalMessages(t *testing.T) {
	t.Parallel()
	tests := []struct{ fragment, msg, hint string }{
		{`{"id":"x","name":"X","value_type":"boolean"}`, `value_type "boolean" is not binary, categorical or numeric`, `did you mean "binary"?`},
		{`{"id":"x","name":"X","value_type":"numerc"}`, `value_type "numerc" is not binary, categorical or numeric`, `did you mean "numeric"?`},
		{`{"id":"Sports Fan!","name":"X","value_type":"binary"}`, `the signal's id "Sports Fan!" has characters other than letters, digits, underscore and hyphen`, `write "sports_fan", for example`},
		{signalHead + `"tags":["autos"]}`, `the tag "autos" is not explained in signal_tags`, `did you mean "auto"?`},
		{signalHead + `"countries":["UK"]}`, `"UK" is not the code of a country`, "the assigned code of the United Kingdom is GB"},
		{signalHead + `"onboarder":{"match_keys":[]}}`, "onboarder: match_keys must not be empty", "remove the member or add an item"},
		{signalHead + `"onboarder":{"match_keys":["e-mail"]}}`, `onboarder: match_keys "e-mail" is not one of the known values`, `did you mean "email"?`},
		{signalHead + `"onboarder":{"match_keys":["ip"],"match_key":1}}`, `onboarder: "match_key" is not a known member`, `did you mean "match_keys"?`},
		{signalHead + `"onboarder":{}}`, "onboarder: match_keys is missing", "add match_keys: the data the records were matched on"},
		{signalHead + `"taxonomy":{"values":[{"id":"1"}]}}`, "taxonomy: ref is missing", "add ref: URI of the taxonomy or of its documentation"},
		{signalHead + `"data_subject_rights":{"channels":[{"rights":["access"]}]}}`, "data_subject_rights: one of url, email is needed", "add url"},
		{signalHead + `"modeling":{"method":"rules","seed_source":{"type":"panel","provider_signed":true},"training_data_jurisdictions":["UK"],"ai_act_risk_class":"limited"}}`,
			`modeling: training_data_jurisdictions "UK" is not an ISO 3166-1 alpha-2 code`, "the assigned code of the United Kingdom is GB"},
		{signalHead + `"data_sources":[]}`, "data_sources must not be empty", "remove the member or add an item"},
		{`{"id":"auto_intender","name":"Other","value_type":"binary"}`, `the id "auto_intender" belongs to another signal at /signals/0`, "give each signal its own id, or remove the second entry"},
	}
	for _, tt := range tests {
		t.Run(tt.msg, func(t *testing.T) {
			t.Parallel()
			r := Check(Example(InSignal, tt.fragment), Options{})
			i := slices.IndexFunc(r.Findings, func(f Finding) bool { return strings.HasPrefix(f.Code, "signal.") })
			if i < 0 {
				t.Fatal("no finding")
			}
			if f := r.Findings[i]; f.Message != tt.msg || f.Hint != tt.hint {
				t.Errorf("got %q (hint %q), want %q (hint %q)", f.Message, f.Hint, tt.msg, tt.hint)
			}
		})
	}
}

// TestSignalTagDropped holds the effect of a malformed tag: the signal stays,
// and no agent entry can select it by that tag.
func TestSignalTagDropped(t *testing.T) {
	t.Parallel()
	src := Example(InSignal, signalHead+`"tags":["Bad Tag","auto","also bad"]}`)
	c := &checker{report: new(Report)}
	r := Check(src, Options{})
	c.tree = r.Tree()
	c.inlineFile(c.tree.Root())
	s := &c.file.Signals[1]
	if diff := cmp.Diff([]string{"auto"}, s.Tags); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	if s.effect.worst != DropRef {
		t.Errorf("effect %v, want %v", s.effect.worst, DropRef)
	}
}

// TestSignalsLinear checks a file with many doubles of one large signal and
// many unknown tags: comparing each with each would outlast the test.
func TestSignalsLinear(t *testing.T) {
	t.Parallel()
	const n = 20000
	var b strings.Builder
	b.WriteString(`{"authorized_agents":[],"signals":[{"id":"x","name":"X","value_type":"categorical","allowed_values":["v"`)
	for i := range n {
		fmt.Fprintf(&b, `,"v%d"`, i)
	}
	b.WriteString(`]}`)
	for i := range n {
		fmt.Fprintf(&b, `,{"id":"x","name":"X","value_type":"binary","tags":["t%d"]}`, i)
	}
	b.WriteString(`]}`)
	r := Check([]byte(b.String()), Options{MaxFindings: n})
	counts := make(map[string]int)
	for i := range r.Findings {
		counts[r.Findings[i].Code]++
	}
	if counts["signal.id_duplicate"] != n || counts["signal.tag_undefined"] != n {
		t.Errorf("counts %v", counts)
	}
}
