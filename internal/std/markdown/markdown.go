// Package markdown turns the Markdown of this project's own documents into HTML: headings,
// paragraphs, lists, tables, code, quotes, links and emphasis. It is not for text of strangers,
// and it is held to the reading of a complete implementation by a test over all documents.
package markdown

import (
	"html"
	"strconv"
	"strings"
)

// A Section is a heading with the text below it, up to the next heading.
type Section struct {
	// Level is 1 for the title; ID is the address of the heading within the page.
	Level     int
	ID, Title string
	// Text is what stands there, without markup.
	Text string
}

// A Page is a document.
type Page struct {
	// Title is the text of the first heading of level 1.
	Title string
	// HTML is everything else.
	HTML string
	// Sections are in the order of the page; the first may be without a heading.
	Sections []Section
	// Links are the targets as they were written.
	Links []string
}

// Options configure Render.
type Options struct {
	// Link returns the address for a target as it is written; nil leaves targets alone.
	Link func(target string) string
}

// renderer writes a page.
type renderer struct {
	options Options
	out     strings.Builder
	page    Page
	ids     map[string]int
}

// Render reads a document.
func Render(text string, o Options) Page {
	r := &renderer{options: o, ids: map[string]int{}}
	r.page.Sections = []Section{{}}
	r.blocks(splitLines(text))
	r.page.HTML = r.out.String()
	if r.page.Sections[0].Title == "" && r.page.Sections[0].Text == "" {
		r.page.Sections = r.page.Sections[1:]
	}
	return r.page
}

// Anchor is the address of a heading within its page, as GitHub makes it.
func Anchor(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-', r == '_', r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		}
	}
	return b.String()
}

func splitLines(text string) []string {
	return strings.Split(strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
}

// say adds to the text of the section.
func (r *renderer) say(text string) {
	s := &r.page.Sections[len(r.page.Sections)-1]
	s.Text = strings.TrimSpace(s.Text + " " + text)
}

// heading writes a heading; the caller shows the title of the page.
func (r *renderer) heading(level int, text string) {
	shown, plain := r.inline(text)
	id := Anchor(plain)
	n := r.ids[id]
	r.ids[id]++
	if n > 0 {
		id += "-" + strconv.Itoa(n)
	}
	r.page.Sections = append(r.page.Sections, Section{Level: level, ID: id, Title: plain})
	if level == 1 && r.page.Title == "" {
		r.page.Title = plain
		return
	}
	tag := "h" + strconv.Itoa(level)
	r.out.WriteString("<" + tag + ` id="` + html.EscapeString(id) + `">` + shown + "</" + tag + ">\n")
}
