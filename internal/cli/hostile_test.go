package cli

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// payloads are texts that a terminal, a build log or a reader would obey.
var payloads = map[string]string{
	"clear screen":    "a\x1b[2J\x1b[Hb",
	"window title":    "a\x1b]0;owned\x07b",
	"hyperlink":       "a\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\b",
	"clipboard":       "a\x1b]52;c;ZXZpbA==\x07b",
	"device control":  "a\x1bPq\x1b\\b",
	"C1 controls":     "a\u009b31m\u009d0;x\u009cb\u0085c",
	"C0 controls":     "a\x01\x02\x07\x08\x0b\x0c\x0e\x7fb",
	"carriage return": "a\rvalid",
	"new line":        "a\n::error::b\navow: error: c",
	"tab":             "a\tb",
	"direction":       "a\u202eb\u2066c\u2069\u200f\u061c",
	"zero width":      "a\u200bb\u200cc\u200dd\u2060e\ufefff\u00ad",
	"tags block":      "a\U000e0001\U000e0041\U000e007f",
	"separators":      "a\u2028b\u2029c\u00a0\u3164",
	"selectors":       "a\ufe00\U000e0100b",
	"private use":     "a\ue000\U0010fffdb",
	"combining":       "a" + strings.Repeat("\u0301", 5000),
	"not UTF-8":       "a\xff\xc0\x80\xed\xa0\x80b",
	"lone surrogate":  "a\xed\xa0\x80b",
	"command":         "%0A::set-output name=x::y",
	"markup":          "]]><script>&x;</script><!--",
	"link":            "[a](https://evil.example)",
}

var reportFormats = []string{"text", "json", "csv", "sarif", "github", "junit"}

// quotedJSON writes a text as a JSON string without escaping more than needed.
func quotedJSON(s string) string {
	b := []byte{'"'}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = fmt.Appendf(b, `\u%04x`, c)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

// hostileFiles puts a text wherever a report may repeat it.
func hostileFiles(text string) map[string]string {
	q := quotedJSON(text)
	return map[string]string{
		"values": `{"contact":{"name":` + q + `,"email":` + q + `,"domain":` + q + `},"properties":[{"property_id":` + q + `,"property_type":` + q +
			`,"name":` + q + `,"tags":[` + q + `],"identifiers":[{"type":` + q + `,"value":` + q + `}],"publisher_domain":` + q + `}],` +
			`"authorized_agents":[{"url":` + q + `,"authorized_for":` + q + `,"authorization_type":` + q + `,"property_ids":[` + q + `],"countries":[` + q +
			`],"signing_keys":[{"kid":` + q + `,"kty":` + q + `,"alg":` + q + `}]}],"last_updated":` + q + `}`,
		"names":          `{` + q + `:1,"contact":{` + q + `:2,"naame":3},"tags":{` + q + `:{}},"placement_tags":{` + q + `:1},` + q + `:4,"authorized_agents":[{` + q + `:1}]}`,
		"pointer":        `{"authoritative_location":` + q + `,` + q + `:1}`,
		"pointer, valid": `{"authoritative_location":"https://cdn.example/` + strings.Trim(q, `"`) + `","last_updated":"2026-01-01T00:00:00Z"}`,
		"raw":            text + `{"a":1}`,
		"raw inside":     `{"a":"` + text + `",}`,
	}
}

// plain fails for output that holds what a terminal would obey or hide.
func plain(t *testing.T, what, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if safe := textsafe.Terminal(line); safe != line {
			t.Errorf("%s: %q", what, line[:min(len(line), 400)])
		}
		if strings.HasPrefix(line, "::") && strings.HasPrefix(strings.TrimLeft(line, ":"), "set-output") {
			t.Errorf("%s: a command: %q", what, line)
		}
	}
}

// wellFormed fails for a report that its readers cannot parse.
func wellFormed(t *testing.T, format, text string) {
	t.Helper()
	switch format {
	case "json":
		for line := range strings.Lines(text) {
			if !json.Valid([]byte(line)) {
				t.Errorf("not JSON: %q", line)
			}
		}
	case "sarif":
		if !json.Valid([]byte(text)) {
			t.Errorf("not JSON: %q", text)
		}
	case "junit":
		d := xml.NewDecoder(strings.NewReader(text))
		err := error(nil)
		for err == nil {
			_, err = d.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("not XML: %v: %q", err, text)
		}
	}
}

func TestHostileContent(t *testing.T) {
	t.Parallel()
	for name, text := range payloads {
		for place, content := range hostileFiles(text) {
			t.Run(name+" in "+place, func(t *testing.T) {
				t.Parallel()
				file := tempFile(t, content)
				for _, format := range reportFormats {
					got := run(t, nil, "validate", file, "--format", format, "--max-findings", "0")
					plain(t, format, got.stdout)
					plain(t, format+" errors", got.stderr)
					wellFormed(t, format, got.stdout)
					if format == "text" && len(got.stdout) > 300_000 {
						t.Errorf("%d bytes of text for %d of file", len(got.stdout), len(content))
					}
				}
				for _, args := range [][]string{
					{"fmt", "--check", file}, {"create", "-f", file, "-o", os.DevNull, "--force"}, {"validate", "--quiet", file},
					{"validate", file, "--baseline", file}, {"create", "--agent", "https://a.example/", "--authorized-for", "x", "--domain", "example.com", "--signing-keys", file},
				} {
					got := run(t, nil, args...)
					plain(t, args[0], got.stderr)
					if args[0] != "create" {
						plain(t, args[0], got.stdout)
					}
				}
			})
		}
	}
}

func TestHostileArguments(t *testing.T) {
	t.Parallel()
	for name, text := range payloads {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			good := tempFile(t, unnamed)
			for _, args := range [][]string{
				{text}, {"help", text}, {"validate", text}, {"validate", text + "/*.json"}, {"validate", "[" + text}, {"validate", "https://" + text},
				{"validate", "--" + text}, {"validate", "-" + text}, {"validate", "--format", text, good}, {"validate", "--as", text, good}, {"validate", "--now", text, good},
				{"validate", "--scopes", text, good}, {"validate", "--max-findings", text, good}, {"validate", "--baseline", text, good},
				{"validate", "--color", text}, {"validate", "-o", "/no/such/folder/" + text, good}, {"validate", "--write-baseline", "/no/" + text, good},
				{"validate", "--min-severity", text, good}, {"validate", "--role", text, good}, {"validate", "--profile=" + text, good},
				{"fmt", text}, {"fmt", "--" + text}, {"explain", text}, {"explain", "agent." + text}, {"explain", "--format", text}, {"completion", text},
				{"create", "-f", text}, {"create", "--property", text}, {"create", "--property", text + "=1"}, {"create", text}, {"create", "--now", text, "--mirror"},
				{"pointer", "--to", text}, {"create", "--domain", text, "--agent", text, "--authorized-for", text}, {"create", "--signing-keys", text, "--agent", text},
				{"create", "--mirror", "--domain", "example.com", "-o", "/no/" + text},
				{"create", "--domain", text}, {"create", text}, {"schema", text}, {"schema", "-o", "/no/" + text}, {"version", text}, {"version", "--format", text},
			} {
				got := run(t, nil, args...)
				plain(t, fmt.Sprintf("%q", args), got.stdout)
				plain(t, fmt.Sprintf("%q", args), got.stderr)
				if got.code == console.ExitYes && args[0] != "validate" && args[0] != "create" {
					t.Errorf("%q: exit code 0", args)
				}
			}
		})
	}
}

func TestHostileFileNames(t *testing.T) {
	t.Parallel()
	for name, text := range payloads {
		text = strings.NewReplacer("/", "_", "\x00", "_").Replace(text)
		text = text[:min(len(text), 200)]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, text+".json")
			err := os.WriteFile(file, []byte(unnamed), 0o600)
			if err != nil {
				t.Fatal(err)
			}
			list := filepath.Join(dir, "known")
			for _, format := range reportFormats {
				for _, target := range []string{file, dir, dir + "/*.json", file + "x"} {
					got := run(t, nil, "validate", target, "--format", format)
					plain(t, format, got.stdout)
					plain(t, format, got.stderr)
					wellFormed(t, format, got.stdout)
				}
			}
			for _, args := range [][]string{
				{"fmt", "--check", file}, {"fmt", "-w", file}, {"validate", file, "--write-baseline", list}, {"schema", "-o", file},
				{"schema", "-o", file, "--force"}, {"create", "--mirror", "--domain", "example.com", "-o", file}, {"validate", file, "-o", file + ".txt"},
			} {
				got := run(t, nil, args...)
				plain(t, args[0], got.stdout)
				plain(t, args[0], got.stderr)
			}
			kept, err := os.ReadFile(list)
			if err != nil {
				t.Fatal(err)
			}
			plain(t, "baseline", string(kept))
		})
	}
}

func FuzzReports(f *testing.F) {
	for _, text := range payloads {
		f.Add(text, uint8(len(text)))
	}
	places := []string{"values", "names", "pointer", "pointer, valid", "raw", "raw inside"}
	f.Fuzz(func(t *testing.T, text string, choice uint8) {
		place := places[int(choice)%len(places)]
		format := reportFormats[int(choice)/len(places)%len(reportFormats)]
		content := hostileFiles(text)[place]
		got := run(t, func(env *console.Env) { env.Stdin = strings.NewReader(content) }, "validate", "-", "--format", format)
		plain(t, place+", "+format, got.stdout)
		plain(t, place+", "+format, got.stderr)
		wellFormed(t, format, got.stdout)
		if got.code != console.ExitYes && got.code != console.ExitNo {
			t.Errorf("%s: %s", place, got.stderr)
		}
	})
}
