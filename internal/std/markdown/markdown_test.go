package markdown

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
)

// TestReadsLikeGoldmark compares every document of the repository with what a complete
// implementation makes of it.
func TestReadsLikeGoldmark(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../../..")
	seen := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/guide/*.md", "docs/decisions/*.md"} {
		names, err := fs.Glob(root, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if name == "README.md" || name == "CHANGELOG.md" {
				continue // pictures, and text in brackets that is nothing else
			}
			seen++
			text, err := fs.ReadFile(root, name)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(path.Base(name), func(t *testing.T) {
				t.Parallel()
				agree(t, string(text))
			})
		}
	}
	if seen < 20 {
		t.Errorf("%d documents", seen)
	}
}

func agree(t *testing.T, text string) {
	t.Helper()
	var b bytes.Buffer
	err := goldmark.New(goldmark.WithExtensions(extension.Table)).Convert([]byte(text), &b)
	if err != nil {
		t.Fatal(err)
	}
	page := Render(text, Options{})
	title := ""
	if page.Title != "" {
		title = "<h1>" + html.EscapeString(page.Title) + "</h1>"
	}
	got, want := tokens(t, title+page.HTML), tokens(t, b.String())
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("at %d:\n%q, want\n%q", i, got[max(0, i-5):min(len(got), i+3)], want[max(0, i-5):min(len(want), i+3)])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d parts, want %d", len(got), len(want))
	}
}

// tokens are the elements and texts of a page, without what is ours: frames around tables, and
// marks in what commands print. The title has no markup here.
func tokens(t *testing.T, page string) []string {
	t.Helper()
	var list []string
	title, text := false, ""
	flush := func() {
		if words := strings.Join(strings.Fields(text), " "); words != "" {
			list = append(list, words)
		}
		text = ""
	}
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := z.Next()
		token := z.Token()
		switch kind {
		case html.ErrorToken:
			flush()
			return list
		case html.TextToken:
			text += token.Data
		case html.StartTagToken, html.EndTagToken:
			ours := slices.Contains([]string{"div", "span", "b"}, token.Data)
			if token.Data == "h1" {
				title = kind == html.StartTagToken
			} else if title {
				ours = true
			}
			if ours {
				continue
			}
			flush()
			part := token.Data
			for _, a := range token.Attr {
				if a.Key == "href" {
					part += " " + a.Val
				}
			}
			if kind == html.EndTagToken {
				part = "/" + part
			}
			list = append(list, part)
		default:
		}
	}
}

func TestRender(t *testing.T) {
	t.Parallel()
	page := Render("# A *b* `c`\n\nOne [two](x.md#y) & <https://e.example/>.\n\n## Part\n\n<!-- test: stage x -->\n\n```console\n$ avow a \\\n  b\nout <x>\n```\n\n## Part\n\n| a | b |\n|---|---|\n| 1 \\| 2 | `x` |\n",
		Options{Link: func(s string) string { return "/to/" + s }})
	if page.Title != "A b c" {
		t.Errorf("title %q", page.Title)
	}
	want := `<p>One <a href="/to/x.md#y">two</a> &amp; <a href="/to/https://e.example/">https://e.example/</a>.</p>
<h2 id="part">Part</h2>
<pre role="group" tabindex="0" aria-label="Commands and what they print"><code><span class="number">$ </span><b>avow a \</b>
<b>  b</b>
<span class="says">out &lt;x&gt;
</span></code></pre>
<h2 id="part-1">Part</h2>
<div class="wide" role="group" tabindex="0" aria-label="Table"><table>
<thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>
<tbody>
<tr><td>1 | 2</td><td><code>x</code></td></tr>
</tbody></table></div>
`
	if page.HTML != want {
		t.Errorf("got\n%s", page.HTML)
	}
	if !slices.Equal(page.Links, []string{"x.md#y", "https://e.example/"}) {
		t.Errorf("links %q", page.Links)
	}
	if len(page.Sections) != 3 || page.Sections[1].Text != `$ avow a \   b out <x>` || page.Sections[2].ID != "part-1" || page.Sections[0].Text != "One two & https://e.example/." {
		t.Errorf("sections %+v", page.Sections)
	}
}

// FuzzRender makes sure that no text makes it hang or fall over.
func FuzzRender(f *testing.F) {
	for _, seed := range []string{"# x", "* a\n  b\n\n  c", "1. a\n2. b", "| a |\n|---|\n", "```\n", "**a", "`a", "[a](b", "<!--", "> a", "    a\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		page := Render(text, Options{})
		if strings.Contains(page.HTML, "<script") {
			t.Error("markup of the text came through")
		}
	})
}
