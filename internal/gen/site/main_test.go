package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// reference is something that a page names: a link, a picture or a style sheet.
var reference = regexp.MustCompile(`(?:href|src)="([^"]+)"`)

// TestSite makes the site and follows every reference in it: to a file that is there, and to a
// heading of that file. What is elsewhere is a link and never loaded.
func TestSite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n, err := write("../../../docs", dir)
	if err != nil {
		t.Fatal(err)
	}
	if n < 20 {
		t.Errorf("%d files", n)
	}
	pages := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages[filepath.Base(name)] = string(text)
	}
	links := 0
	for name, page := range pages {
		if filepath.Ext(name) != ".html" {
			continue
		}
		if strings.Contains(page, "<script") || strings.Contains(page, `src="http`) || strings.Contains(page, "<form") {
			t.Errorf("%s needs a service or somebody else", name)
		}
		for _, m := range reference.FindAllStringSubmatch(page, -1) {
			if strings.Contains(m[1], ":") {
				continue
			}
			links++
			file, heading, _ := strings.Cut(m[1], "#")
			if file == "" {
				file = name
			}
			other, ok := pages[file]
			if !ok || heading != "" && !strings.Contains(other, `id="`+heading+`"`) {
				t.Errorf("%s: %s leads nowhere", name, m[1])
			}
		}
	}
	if links < 500 {
		t.Errorf("%d links", links)
	}
}

func TestSiteRefuses(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"no such file":    "# T\n\n[x](nothing.md)\n",
		"no such heading": "# T\n\n[x](#nothing)\n",
		"no title":        "text\n",
	} {
		docs := filepath.Join(t.TempDir(), "docs")
		err := os.MkdirAll(filepath.Join(docs, "guide"), 0o755)
		if err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{"README.md": "# G\n\n## P\n\n* [T](t.md): x\n", "t.md": page} {
			err := os.WriteFile(filepath.Join(docs, "guide", file), []byte(text), 0o600)
			if err != nil {
				t.Fatal(err)
			}
		}
		_, err = write(docs, t.TempDir())
		if err == nil {
			t.Errorf("%s: the site was written", name)
		}
	}
}
