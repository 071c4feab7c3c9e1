package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/cli/console"
)

// canary is the secret that must not come out again. It is long enough to pass
// for key material.
const canary = "Q2FuYXJ5U2VjcmV0Tm9ib2R5TWF5UmVhZA"

const canaryPEM = `-----BEGIN PRIVATE KEY-----\n` + canary + `\n-----END PRIVATE KEY-----\n`

// leaks are places where files give secrets away.
var leaks = map[string]string{
	"key":              `{"authorized_agents": [{"url": "x", "signing_keys": [{"kty": "OKP", "kid": "a", "crv": "Ed25519", "d": "` + canary + `", "x": "1"}]}]}`,
	"key, short":       `{"authorized_agents": [{"url": "x", "signing_keys": [{"kty": "OKP", "d": "` + canary[:5] + `ANARY"}]}]}`,
	"key parts":        `{"authorized_agents": [{"url": "x", "signing_keys": [{"kty": "RSA", "oth": [{"r": "` + canary + `"}], "p": ["` + canary + `"]}]}]}`,
	"shared key":       `{"authorized_agents": [{"url": "x", "signing_keys": [{"kty": "oct", "k": "` + canary + `"}]}]}`,
	"two of a name":    `{"authorized_agents": [{"url": "x", "signing_keys": [{"kty": "OKP", "d": "` + canary + `", "d": "` + canary + `"}]}]}`,
	"encryption key":   `{"authorized_agents": [{"url": "x", "encryption_keys": [{"kty": "OKP", "d": "` + canary + `"}]}]}`,
	"member":           `{"contact": {"nam": "a", "api_key": "` + canary + `"}, "authorized_agents": []}`,
	"escaped name":     `{"contact": {"nam": "a", "pass\u0077ord": "` + canary + `"}, "authorized_agents": []}`,
	"object":           `{"contact": {"nam": "a", "credentials": {"user": "` + canary + `", "pw": ["` + canary + `"]}}, "authorized_agents": []}`,
	"PEM":              `{"contact": {"name": "a", "email": "` + canaryPEM + `"}, "authorized_agents": []}`,
	"PEM as an id":     `{"properties": [{"property_id": "` + canaryPEM + `", "property_type": "` + canaryPEM + `", "identifiers": [{"type": "` + canaryPEM + `", "value": "` + canaryPEM + `"}]}], "authorized_agents": [{"url": "` + canaryPEM + `", "authorization_type": "` + canaryPEM + `", "countries": ["` + canaryPEM + `"], "property_ids": ["` + canaryPEM + `"]}]}`,
	"placement":        `{"placements": [{"placement_id": "x", "delivery_mappings": [{"unit": "` + canary + `"}], "source": "` + canary + `"}], "authorized_agents": []}`,
	"suspected":        `{"placements": [{"placement_id": "x", "ext": {"ad_unit_path": "/1234567/` + canary + `"}, "name": "/1234567/` + canary + `"}], "authorized_agents": []}`,
	"path as an id":    `{"placements": [{"placement_id": "/1234567/` + canary + `"}, {"placement_id": "/1234567/` + canary + `", "name": "/1234567/` + canary + `", "tags": ["x", "x"]}], "authorized_agents": []}`,
	"agent URL":        `{"authorized_agents": [{"url": "http://me:` + canary + `@agent.example/mcp#x", "authorization_type": "x"}]}`,
	"escaped URL":      `{"authorized_agents": [{"url": "http:\/\/me:` + canary + `@agent.example\/mcp"}]}`,
	"agent's token":    `{"authorized_agents": [{"url": "https://agent.example/mcp?a=b&token=` + canary + `&key=` + canary + `", "authorization_type": "x"}]}`,
	"escaped token":    `{"authorized_agents": [{"url": "https://agent.example/mcp?a=b\u0026token=` + canary + `\u0026c=d", "authorization_type": "x"}]}`,
	"pointer URL":      `{"authoritative_location": "https://me:` + canary + `@cdn.example/adagents.json"}`,
	"twice at the top": `{"authorized_agents": [], "authorized_agents": [{"url": "x", "signing_keys": [{"d": "` + canary + `"}]}], "client_secret": "` + canary + `"}`,
	"JSON in a text":   `{"contact": {"name": 1, "x": "{\"password\": \"` + canary + `\"}"}, "authorized_agents": []}`,
}

// onlyByRules are leaks that only the rules recognise, so a file that they do
// not get to see may show them.
var onlyByRules = map[string]bool{"key, short": true, "suspected": true, "path as an id": true, "placement": true}

// spoiled returns a document in the forms in which files come: as it is, over
// many lines, on one line, and broken in ways that keep it from being parsed.
func spoiled(t *testing.T, name, doc string) map[string]string {
	t.Helper()
	var pretty, small bytes.Buffer
	for _, err := range []error{json.Indent(&pretty, []byte(doc), "", "\t"), json.Compact(&small, []byte(doc))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	plain := small.String()
	if onlyByRules[name] {
		return map[string]string{"as it is": doc, "pretty": pretty.String(), "minified": plain}
	}
	return map[string]string{
		"as it is": doc, "pretty": pretty.String(), "minified": plain,
		"cut off":         plain[:len(plain)-1],
		"lost comma":      strings.ReplaceAll(plain, ",", " "),
		"trailing comma":  strings.TrimSuffix(plain, "}") + ",}",
		"lost quote":      strings.Replace(plain, `"`, "", 1),
		"rest of another": plain + `{"a": `,
		"not UTF-8":       "{\"\xff\":1," + strings.TrimPrefix(plain, "{"),
		"UTF-16":          strings.Join(strings.Split(plain, ""), "\x00") + "\x00",
	}
}

// leaked reports whether a text shows the secret, also with characters between
// the letters.
func leaked(text string) bool {
	letters := strings.NewReplacer(`\u{00}`, "", `\x00`, "", `\u0000`, "").Replace(text)
	return strings.Contains(letters, canary[:5])
}

func TestReportsKeepSecrets(t *testing.T) {
	t.Parallel()
	for name, doc := range leaks {
		for form, content := range spoiled(t, name, doc) {
			t.Run(name+", "+form, func(t *testing.T) {
				t.Parallel()
				file := tempFile(t, content)
				for _, format := range append([]string{"strict"}, reportFormats...) {
					args := []string{"validate", file, "--as", "example.com", "--max-findings", "0", "--format", format}
					if format == "strict" {
						args = append(args[:6:6], "--profile", "strict")
					}
					got := run(t, nil, args...)
					if leaked(got.stdout + got.stderr) {
						t.Errorf("%s: %s%s", format, got.stdout, got.stderr)
					}
				}
				list := filepath.Join(t.TempDir(), "known.json")
				got := run(t, nil, "validate", file, "--write-baseline", list, "--show-baseline")
				kept, err := os.ReadFile(list)
				if err != nil || leaked(got.stdout+got.stderr+string(kept)) {
					t.Errorf("baseline: %s%s%s %v", got.stdout, got.stderr, kept, err)
				}
				for _, args := range [][]string{
					{"create", "-f", file, "-o", os.DevNull, "--force"}, {"fmt", "--check", file},
					{"create", "--domain", "example.com", "--agent", "https://a.example/", "--authorized-for", "all", "--signing-keys", file, "-o", os.DevNull, "--force"},
				} {
					got := run(t, nil, args...)
					if leaked(got.stdout + got.stderr) {
						t.Errorf("%s: %s%s", args[0], got.stdout, got.stderr)
					}
				}
			})
		}
	}
}

// TestSecretsAreStillFound makes sure that hiding does not mean silence: the
// place is named and marked.
func TestSecretsAreStillFound(t *testing.T) {
	t.Parallel()
	got := run(t, nil, "validate", tempFile(t, leaks["key"]), "--min-severity", "error")
	want := []string{
		`"d": [hidden], "x": "1"`, "^^^^^^^^\n", "[signing_key.private_material]", "at: /authorized_agents/0/signing_keys/0/d",
	}
	for _, text := range want {
		if !strings.Contains(got.stdout, text) {
			t.Errorf("lacks %q:\n%s", text, got.stdout)
		}
	}
	got = run(t, nil, "validate", tempFile(t, leaks["agent URL"]))
	if !strings.Contains(got.stdout, "[agent.url_userinfo]") {
		t.Errorf("no finding:\n%s", got.stdout)
	}
}

// TestAnswersKeepSecrets asks the commands that answer from a file what it says.
func TestAnswersKeepSecrets(t *testing.T) {
	t.Parallel()
	const doc = `{
 "contact": {"name": "Pub", "x_key": {"kty": "RSA", "d": "` + canary + `", "oth": [{"r": "` + canary + `"}]}},
 "properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "pub.example"}]}],
 "formats": [{"format_option_id": "mpu", "display_name": "MPU", "format_kind": "image", "params": {"width": 300, "height": 250, "x_jwk": {"kty": "oct", "k": "` + canary + `"}}}],
 "placements": [{"placement_id": "top", "name": "Top", "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}]}],
 "authorized_agents": [{"url": "https://agent.example/", "authorized_for": "see https://me:` + canary + `@x.example/", "authorization_type": "property_ids", "property_ids": ["site"],
  "signing_keys": [{"kid": "k", "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "d": "` + canary + `"}]}]
}`
	file := tempFile(t, doc)
	empty := tempFile(t, `{"authorized_agents": []}`)
	product := tempFile(t, `{"format_options": [{"format_kind": "image", "params": {"width": 300, "height": 250, "x_jwk": 1}}]}`)
	for _, args := range [][]string{
		{"authorize", "pub.example", "--agent", "https://agent.example/", "--file", file}, {"resolve", "pub.example", "--agent", "https://agent.example/", "--file", file},
		{"formats", "pub.example", "--file", file}, {"formats", "pub.example", "--file", file, "--product", product},
		{"diff", file, empty}, {"diff", empty, file},
	} {
		for _, format := range []string{"text", "json"} {
			got := run(t, nil, append(args[:len(args):len(args)], "--format", format)...)
			if got.code > console.ExitNo || leaked(got.stdout+got.stderr) {
				t.Errorf("%s, %s: %d %s%s", args, format, got.code, got.stdout, got.stderr)
			}
		}
	}
}
