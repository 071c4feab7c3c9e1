package brand

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
)

func TestManifestOfFile(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, json, want string }{
		{
			"everything",
			`{"names": [{"ja": "アクメ"}, {"en": " Acme\u202e "}], "description": "Makes\nthings", "url": "https://Acme.example/about#x", "industries": ["tools", "Tools", "anvils"],
			 "logos": [{"url": "https://acme.example/logo.svg", "variant": "primary", "orientation": "square", "tags": ["dark", "primary", 5]}],
			 "colors": {"primary": "#FF0000", "secondary": ["#00ff00", "#0000ff"], "accent": "red", "background": "#FFF"},
			 "fonts": {"primary": "Inter", "heading": {"family": "Georgia", "files": []}, "font_urls": ["https://x.example/a.woff"]},
			 "company": {"name": "Acme Inc.", "employees": 1200, "founded": "1947", "location": "Tucson"}}`,
			`{"name":"Acme","url":"https://acme.example/about","description":"Makes things","names":[{"ja":"アクメ"},{"en":"Acme"}],` +
				`"logos":[{"url":"https://acme.example/logo.svg","tags":["primary","square","dark"]}],"colors":{"primary":"#FF0000","secondary":"#00ff00"},` +
				`"fonts":[{"name":"Inter","role":"primary"},{"name":"Georgia","role":"heading"}],` +
				`"company":{"name":"Acme Inc.","industry":"tools","industries":["tools","anvils"],"employees":"1200","founded":1947,"location":"Tucson"}}`,
		},
		{
			"hostile addresses",
			`{"name": "<script>alert(1)</script>", "url": "javascript:alert(1)", "logos": [{"url": "javascript:alert(1)"}, {"url": "data:image/svg+xml,<svg onload=alert(1)>"},
			 {"url": "http://acme.example/a.png"}, {"url": "https://user:pw@acme.example/a.png"}, {"url": "https://127.0.0.1/a.png"}, {"url": "https://acme.example/\"><script>"},
			 {"url": "//acme.example/a.png"}, {"url": 5}, "https://acme.example/a.png", {"url": "https://acme.example/ok.png"}]}`,
			`{"name":"<script>alert(1)</script>","url":"https://acme.example","logos":[{"url":"https://acme.example/ok.png","tags":[]}]}`,
		},
		{
			"wrong kinds",
			`{"name": "Acme", "names": {"en": "x"}, "description": 5, "logos": {"url": "https://a.example/"}, "colors": ["#FFFFFF"], "fonts": "Inter", "company": "Acme", "industries": "x"}`,
			`{"name":"Acme","url":"https://acme.example"}`,
		},
		{"too long", `{"name": "Acme", "description": "` + strings.Repeat("x", 5001) + `"}`, `{"name":"Acme","url":"https://acme.example"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doc, err := parse([]byte(tt.json))
			if err != nil {
				t.Fatal(err)
			}
			f, err := doc.file("acme.example")
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.Manifest.JSON()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzFile reads any document, and holds what is taken over to the promises that others
// rely on: addresses are https, texts have no control characters, and sizes are bounded.
func FuzzFile(f *testing.F) {
	f.Add([]byte(portfolio), "acme.example")
	f.Add([]byte(`{"authoritative_location": "https://cdn.example/b.json"}`), "acme.example")
	f.Add([]byte(`{"name": "A", "logos": [{"url": "javascript:alert(1)"}], "fonts": [{"family": "x"}], "company": {"founded": 1e400}}`), "www.acme.example")
	f.Fuzz(func(t *testing.T, body []byte, domain string) {
		doc, err := parse(body)
		if err != nil || !hostname.IsCanonical(domain) {
			return
		}
		next, _, err := doc.next()
		if err == nil && next != "" {
			_, ok := registry.SafeURL(next)
			if !ok {
				t.Errorf("leads to %q", next)
			}
		}
		file, err := doc.file(hostname.Domain(domain))
		if err != nil {
			return
		}
		checkManifest(t, &file.Manifest)
	})
}

// checkManifest checks what holds for every manifest.
func checkManifest(t *testing.T, m *registry.Manifest) {
	t.Helper()
	texts := []string{m.Name, m.Description}
	for _, logo := range m.Logos {
		_, ok := registry.SafeURL(logo.URL)
		if !ok {
			t.Errorf("a logo at %q", logo.URL)
		}
		texts = append(texts, logo.Tags...)
	}
	for _, font := range m.Fonts {
		texts = append(texts, font.Name, font.Role)
	}
	if m.Company != nil {
		texts = append(append(texts, m.Company.Name, m.Company.Location, m.Company.Employees), m.Company.Industries...)
	}
	for _, s := range texts {
		if registry.PlainText(s, maxDescription) != s {
			t.Errorf("not plain: %q", s)
		}
	}
	if m.Name == "" || len(m.Logos) > maxLogos || len(m.Fonts) > maxFonts || len(m.Names) > maxNames {
		t.Errorf("name %q, %d logos, %d fonts, %d names", m.Name, len(m.Logos), len(m.Fonts), len(m.Names))
	}
	_, err := m.JSON()
	if err != nil {
		t.Error(err)
	}
}
