package adagents

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStrangers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, members string
		want          []string
	}{
		{"british", `{"authorised_agents":[]}`, []string{"warning file.misspelled_field /authorised_agents"}},
		{"singular", `{"placement_tag":{}}`, []string{"warning file.misspelled_field /placement_tag"}},
		{"camel case", `{"supersededBy":"https://example.org/"}`, []string{"warning file.other_name /supersededBy"}},
		{"upper case", `{"CONTACT":{}}`, []string{"warning file.key_case /CONTACT"}},
		{"unknown", `{"owner":"x","ext":{}}`, []string{"info file.unknown_field /owner"}},
		{"announced extension", `{"x_version":"1","$comment":"c","_version":"2"}`, nil},
		{"nested unknown", `{"contact":{"name":"A","phone":"1"}}`, []string{"info file.unknown_in_entry /contact/phone"}},
		{"nested extension", `{"contact":{"name":"A","ext":{},"x_phone":"1","_a":1}}`, nil},
		{"once for each entry", `{"property_features":[
			{"url":"https://vendor.example/","name":"V","features":["carbon"],"aa":1,"bb":2,"emissions":3},
			{"url":"https://vendor.example/2","name":"V","features":["carbon"]},
			{"url":"https://vendor.example/3","name":"V","features":["carbon"],"cc":1}]}`,
			[]string{"info file.unknown_in_entry /property_features/0/aa", "info file.unknown_in_entry /property_features/2/cc"}},
		{"nested slip", `{"contact":{"name":"A","emial":"a@example.com"}}`, []string{"warning file.misspelled_field /contact/emial"}},
		{"nested case", `{"contact":{"name":"A","Email":"a@example.com"}}`, []string{"warning file.key_case /contact/Email"}},
		{"inside an extension", `{"ext":{"contcat":1}}`, nil},
		{"very long", `{"` + strings.Repeat("properties", 20) + `":1}`, []string{"info file.unknown_field /" + strings.Repeat("properties", 20)}},
		{"needs escaping", `{"a/b~c":1}`, []string{"info file.unknown_field /a~1b~0c"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, said(topLevel(tt.members), Options{}, "file")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStrangerHints(t *testing.T) {
	t.Parallel()
	for member, want := range map[string]string{
		"authorised_agents": `did you mean "authorized_agents"?`,
		"Collections":       `rename it to "collections"`,
	} {
		for _, f := range Check([]byte(topLevel(`{"`+member+`":[]}`)), Options{}).Findings {
			if f.Hint != want {
				t.Errorf("%s: hint %q, want %q", member, f.Hint, want)
			}
		}
	}
}

func TestFieldTypes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, members string
		want          []string
	}{
		{"section", `{"placements":{}}`, []string{"error file.field_type /placements"}},
		{"null section", `{"signals":null}`, []string{"error file.field_type /signals"}},
		{"text", `{"contact":{"name":"A","email":5}}`, []string{"error file.field_type /contact/email"}},
		{"claimed by a rule", `{"version":5,"superseded_by":5,"catalog_role":5,"contact":5}`,
			[]string{"warning file.version_type /version", "error file.superseded_by_invalid /superseded_by", "error file.catalog_role_invalid /catalog_role"}},
		{"timestamp", `{"contact":{"name":"A"},"signal_tags":{"a":{"name":1,"description":"d"}}}`, []string{"error file.field_type /signal_tags/a/name"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, said(topLevel(tt.members), Options{}, "file")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSectionSkipped(t *testing.T) {
	t.Parallel()
	r := Check([]byte(topLevel(`{"formats":"none"}`)), Options{})
	want := []Skip{{Pointer: "/formats", Code: "file.field_type", Reason: "formats must be an array, not a string"}}
	if diff := cmp.Diff(want, r.Skipped); diff != "" || r.File == nil {
		t.Errorf("file %v, skipped (-want +got):\n%s", r.File, diff)
	}
}

const secretPEM = `-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----`

func TestSecrets(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, members string
		want          []string
	}{
		{"top level", `{"api_key":"hunter2"}`, []string{"error file.secret_exposed /api_key"}},
		{"camel case", `{"clientSecret":"hunter2"}`, []string{"error file.secret_exposed /clientSecret"}},
		{"hyphens and capitals", `{"ext":{"X":1,"AUTH-TOKEN":"hunter2"}}`, []string{"error file.secret_exposed /ext/AUTH-TOKEN"}},
		{"escaped name", `{"contact":{"name":"A","pass\u0077ord":"hunter2"}}`, []string{"error file.secret_exposed /contact/password"}},
		{"number", `{"contact":{"name":"A","passwd":1234}}`, []string{"error file.secret_exposed /contact/passwd"}},
		{"object", `{"contact":{"name":"A","credentials":{"user":"a"}}}`, []string{"error file.secret_exposed /contact/credentials"}},
		{"placeholders", `{"contact":{"name":"A","password":null,"secret":"","api_key":" ","credentials":[],"private_key":false}}`, []string{"info file.unknown_in_entry /contact/password"}},
		{"similar names", `{"contact":{"name":"A","passwords_policy":"x","secretary":"B","keyword":"k"}}`, []string{"info file.unknown_in_entry /contact/passwords_policy"}},
		{"overlong name", `{"contact":{"name":"A","` + strings.Repeat("_", 40) + `secret":"x"}}`, nil},
		{"pem", `{"contact":{"name":"` + secretPEM + `"}}`, []string{"error file.secret_exposed /contact/name"}},
		{"escaped pem", `{"contact":{"name":"\u002d----BEGIN \u0050RIVATE KEY-----"}}`, []string{"error file.secret_exposed /contact/name"}},
		{"pem in a list", `{"contact":{"name":"A","keys":["` + secretPEM + `"]}}`, []string{"info file.unknown_in_entry /contact/keys", "error file.secret_exposed /contact/keys/0"}},
		{"pem under a telling name", `{"contact":{"name":"A","private_key":"` + secretPEM + `"}}`, []string{"error file.secret_exposed /contact/private_key"}},
		{"public pem", `{"contact":{"name":"-----BEGIN PUBLIC KEY-----\nMHcC"}}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			src := topLevel(tt.members)
			if diff := cmp.Diff(tt.want, said(src, Options{}, "file")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			for _, f := range Check([]byte(src), Options{}).Findings {
				if strings.Contains(f.Message+f.Hint, "hunter2") || strings.Contains(f.Message+f.Hint, "MHcC") {
					t.Errorf("the finding shows the secret: %s", f.Message)
				}
			}
		})
	}
}

func TestSecretInPointer(t *testing.T) {
	t.Parallel()
	src := strings.Replace(examplePointer, "{", `{"token":"x","refresh_token":"hunter2",`, 1)
	want := []string{"warning pointer.extra_field /token", "warning pointer.extra_field /refresh_token", "error file.secret_exposed /refresh_token"}
	if diff := cmp.Diff(want, said(src, Options{}, "file", "pointer")); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// TestSecretSkipsEntry checks that the entry around a secret is given up,
// whichever list it stands in, and only that entry.
func TestSecretSkipsEntry(t *testing.T) {
	t.Parallel()
	secret := `,"ext":{"api_key":"hunter2"}`
	catalog := `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags + `,` + exampleCatalog + `,"authorized_agents":[` + exampleAgent +
		`],"property_features":[` + exampleFeature + `]}`
	for pointer, text := range map[string]string{
		"/properties/0":        `"property_id":"site"`,
		"/collections/0":       `"collection_id":"daily"`,
		"/formats/0":           `"display_name":"MPU"`,
		"/placements/0":        `"placement_id":"home_top"`,
		"/signals/0":           `"value_type":"binary"`,
		"/authorized_agents/0": `"kid":"k1"`,
		"/property_features/0": `"name": "Vendor"`,
	} {
		r := Check([]byte(strings.Replace(catalog, text, text+secret, 1)), Options{})
		want := []Skip{{Pointer: pointer, Code: "file.secret_exposed", Reason: `the member "api_key" publishes a secret`}}
		if diff := cmp.Diff(want, r.Skipped); diff != "" {
			t.Errorf("%s: skipped (-want +got):\n%s", pointer, diff)
		}
		if r.File == nil {
			t.Errorf("%s: the file is not usable", pointer)
		}
	}
}

// TestSecretToldOnce checks that key material reported by its own rule is not
// reported again.
func TestSecretToldOnce(t *testing.T) {
	t.Parallel()
	c := readyChecker(t, strings.Replace(exampleInline, `"kid":"k1"`, `"kid":"k1","d":"`+secretPEM+`"`, 1))
	d := c.file.Agents[0].SigningKeys[0].Raw.Get("d")
	rep := reporter{&c.content, &c.findings, &Rule{Code: "signing_key.private_material", Severity: Error}, nil}
	rep.say(d, "private")
	c.exposedSecrets(nil)
	if len(c.findings.list) != 1 {
		t.Errorf("%d findings, want one", len(c.findings.list))
	}
}

// TestManyStrangers bounds the time of a hostile file: a slip of a known name
// in each of very many members.
func TestManyStrangers(t *testing.T) {
	t.Parallel()
	const count = 20_000
	var b strings.Builder
	b.WriteString(`{"authorized_agents":[`)
	for i := range count {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"authorised_for":1,"clientsecrets":2}`)
	}
	b.WriteString(`]}`)
	n := 0
	for _, f := range Check([]byte(b.String()), Options{MaxFindings: count}).Findings {
		if f.Code == "file.misspelled_field" {
			n++
		}
	}
	if n != count {
		t.Errorf("%d misspellings found, want %d", n, count)
	}
}
