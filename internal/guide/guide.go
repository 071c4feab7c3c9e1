// Package guide makes a site of the documents in the folder docs. The table of contents is
// guide/README.md: its headings are the sections, and each item of its lists is a page. What a
// page may link to is there, and everything else of the repository is a link to its source.
package guide

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/std/markdown"
)

// index is the table of contents, and the first page.
const index = "guide/README.md"

// A Page is a document of the site.
type Page struct {
	// Slug is its name in addresses; empty for the first one.
	Slug, Title, About string
	// HTML is without the title.
	HTML     string
	Sections []markdown.Section
	// Part is the section of the table of contents; Before and After are its neighbours there.
	Part          string
	Before, After *Entry
	// Links are as they were written; File is the name of the document.
	Links []string
	File  string
}

// An Entry is a line of the table of contents.
type Entry struct {
	Title, URL, About string
	// Slug is the page's; empty when the site has none for it.
	Slug string
	file string
}

// A Part is a section of the table of contents.
type Part struct {
	Title   string
	Entries []Entry
}

// A Guide is a site.
type Guide struct {
	Parts []Part
	Pages map[string]*Page
	// Problems are links that lead nowhere.
	Problems []string
	sections []section
}

// Options configure New.
type Options struct {
	// Page is the address of a page by its slug.
	Page func(slug string) string
	// Elsewhere is the address of a document that is listed and not part of the files, with the
	// part of it that is meant; nil when there is none.
	Elsewhere func(file, fragment string) string
	// Exists reports whether the repository has a file, for links to it; nil skips the check.
	Exists func(name string) bool
}

// entryLine is an item of the table of contents.
var entryLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[*-] \[([^\]]+)\]\(([^)\s]+)\):? ?(.*)$`)
})

// New reads the documents.
func New(files fs.FS, o Options) (*Guide, error) {
	contents, err := fs.ReadFile(files, index)
	if err != nil {
		return nil, err
	}
	b := &builder{Options: o, files: files, guide: &Guide{Pages: map[string]*Page{}}, slugs: map[string]string{index: ""}}
	b.list(string(contents))
	if len(b.guide.Parts) == 0 {
		return nil, errors.New("the table of contents is empty")
	}
	b.address()
	err = b.read()
	if err != nil {
		return nil, err
	}
	b.join()
	b.check()
	slices.Sort(b.guide.Problems)
	b.guide.prepare()
	return b.guide, nil
}

type builder struct {
	Options
	files fs.FS
	guide *Guide
	// slugs has the pages by the names of their documents.
	slugs map[string]string
}

// list reads the table of contents.
func (b *builder) list(text string) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		title, ok := strings.CutPrefix(lines[i], "## ")
		if ok {
			b.guide.Parts = append(b.guide.Parts, Part{Title: title})
			continue
		}
		m := entryLine().FindStringSubmatch(lines[i])
		if m == nil || len(b.guide.Parts) == 0 {
			continue
		}
		e := Entry{Title: m[1], About: m[3], file: path.Join(path.Dir(index), m[2])}
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "  ") {
			i++
			e.About += " " + strings.TrimSpace(lines[i])
		}
		_, err := fs.Stat(b.files, e.file)
		if err == nil {
			e.Slug = strings.TrimSuffix(path.Base(e.file), ".md")
			b.slugs[e.file] = e.Slug
		}
		part := &b.guide.Parts[len(b.guide.Parts)-1]
		part.Entries = append(part.Entries, e)
	}
}

// address gives the entries their addresses.
func (b *builder) address() {
	for i := range b.guide.Parts {
		for j := range b.guide.Parts[i].Entries {
			e := &b.guide.Parts[i].Entries[j]
			e.URL = b.link(index, strings.TrimPrefix(e.file, path.Dir(index)+"/"), e.file)
		}
	}
}

// read reads the pages.
func (b *builder) read() error {
	for file, slug := range b.slugs {
		text, err := fs.ReadFile(b.files, file)
		if err != nil {
			return err
		}
		page := markdown.Render(string(text), markdown.Options{Link: func(target string) string {
			return b.link(file, target, path.Join(path.Dir(file), target))
		}})
		if b.guide.Pages[slug] != nil || page.Title == "" {
			return fmt.Errorf("%s: a page has a name and a title of its own", file)
		}
		b.guide.Pages[slug] = &Page{Slug: slug, Title: page.Title, HTML: page.HTML, Sections: page.Sections,
			Links: page.Links, File: file}
	}
	return nil
}

// outside recognises external targets.
var outside = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9+.-]*:`) })

// link is the address of a target in a document; relative is its path below docs.
func (b *builder) link(from, target, relative string) string {
	if outside().MatchString(target) || strings.HasPrefix(target, "#") {
		return target
	}
	file, fragment, _ := strings.Cut(relative, "#")
	if fragment != "" {
		fragment = "#" + fragment
	}
	slug, ours := b.slugs[file]
	if ours {
		return b.Page(slug) + fragment
	}
	if b.Elsewhere != nil {
		if url := b.Elsewhere(file, strings.TrimPrefix(fragment, "#")); url != "" {
			return url
		}
	}
	name := path.Join("docs", file)
	if b.Exists != nil && !b.Exists(name) {
		b.guide.Problems = append(b.guide.Problems, fmt.Sprintf("%s: the link %s leads nowhere", from, target))
	}
	return buildinfo.Source(name + fragment)
}

// join tells pages where they are in the table of contents.
func (b *builder) join() {
	var last *Page
	for i := range b.guide.Parts {
		part := &b.guide.Parts[i]
		for j := range part.Entries {
			e := &part.Entries[j]
			page := b.guide.Pages[e.Slug]
			if e.Slug == "" || page == nil {
				continue
			}
			page.Part, page.About = part.Title, e.About
			if last != nil {
				last.After = e
				page.Before = b.entry(last.Slug)
			}
			last = page
		}
	}
}

func (b *builder) entry(slug string) *Entry {
	for i := range b.guide.Parts {
		for j := range b.guide.Parts[i].Entries {
			if b.guide.Parts[i].Entries[j].Slug == slug {
				return &b.guide.Parts[i].Entries[j]
			}
		}
	}
	return nil
}

// check looks for parts of pages that links name and that are not there.
func (b *builder) check() {
	for _, page := range b.guide.Pages {
		for _, target := range page.Links {
			file, fragment, ok := strings.Cut(target, "#")
			if !ok || outside().MatchString(target) {
				continue
			}
			other := page
			if file != "" {
				slug, ours := b.slugs[path.Join(path.Dir(page.File), file)]
				if !ours {
					continue
				}
				other = b.guide.Pages[slug]
			}
			if !other.has(fragment) {
				b.guide.Problems = append(b.guide.Problems, fmt.Sprintf("%s: the link %s leads to no heading", page.File, target))
			}
		}
	}
}

// has reports whether a page has a heading.
func (p *Page) has(id string) bool {
	for i := range p.Sections {
		if p.Sections[i].ID == id {
			return true
		}
	}
	return false
}
