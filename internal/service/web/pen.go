package web

import (
	"html/template"

	"github.com/avow-project/avow/internal/redact"
)

// A pen copies outside text onto a page until there is enough of it: a page of many
// megabytes does not help, and makes the service do much for little.
type pen struct{ left int }

// overhead is about what the markup around one piece of text takes.
const overhead = 60

// line copies a text of at most some characters.
func (p *pen) line(s string, most int) string { return p.took(shortened(s, most)) }

// url copies a URL without credentials.
func (p *pen) url(s string) string { return p.line(redact.URL(s), longestText) }

// words copies a sentence.
func (p *pen) words(s string) string { return p.line(s, longestText) }

// took accounts for a text that is on the page.
func (p *pen) took(s string) string {
	p.left -= len(template.HTMLEscapeString(s)) + overhead
	return s
}

// dry reports whether nothing more should be copied.
func (p *pen) dry() bool { return p.left <= 0 }
