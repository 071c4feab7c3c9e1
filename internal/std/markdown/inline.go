package markdown

import (
	"html"
	"strings"
)

// punctuation may stand after a backslash to be taken as it is.
const punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// inline returns a text with its markup as HTML, and without.
func (r *renderer) inline(text string) (string, string) {
	var shown, plain strings.Builder
	rest := text
	for rest != "" {
		i := strings.IndexAny(rest, "\\`[<*")
		if i < 0 {
			i = len(rest)
		}
		words := html.UnescapeString(rest[:i])
		shown.WriteString(html.EscapeString(words))
		plain.WriteString(words)
		rest = rest[i:]
		if rest == "" {
			break
		}
		s, p, n := r.marked(rest)
		shown.WriteString(s)
		plain.WriteString(p)
		rest = rest[n:]
	}
	return shown.String(), plain.String()
}

// marked reads what begins with a mark: how it is shown, what it says, and its length. A mark
// that begins nothing is a character.
func (r *renderer) marked(text string) (string, string, int) {
	switch {
	case text[0] == '\\' && len(text) > 1 && strings.IndexByte(punctuation, text[1]) >= 0:
		return html.EscapeString(text[1:2]), text[1:2], 2
	case text[0] == '`':
		if code, n := codeSpan(text); n > 0 {
			return "<code>" + html.EscapeString(code) + "</code>", code, n
		}
	case text[0] == '[':
		if words, target, n := linkAt(text); n > 0 {
			s, p := r.inline(words)
			return r.link(target, s), p, n
		}
	case text[0] == '<':
		if end := strings.IndexByte(text, '>'); end > 0 && strings.HasPrefix(text, "<https://") {
			return r.link(text[1:end], html.EscapeString(text[1:end])), text[1:end], end + 1
		}
	case strings.HasPrefix(text, "**"):
		if inner, n := between(text, "**"); n > 0 {
			s, p := r.inline(inner)
			return "<strong>" + s + "</strong>", p, n
		}
		return "**", "**", 2
	case text[0] == '*':
		if inner, n := between(text, "*"); n > 0 {
			s, p := r.inline(inner)
			return "<em>" + s + "</em>", p, n
		}
	}
	return html.EscapeString(text[:1]), text[:1], 1
}

// link writes a link.
func (r *renderer) link(target, shown string) string {
	r.page.Links = append(r.page.Links, target)
	if r.options.Link != nil {
		target = r.options.Link(target)
	}
	return `<a href="` + html.EscapeString(target) + `">` + shown + "</a>"
}

// codeSpan reads code between equal runs of backticks.
func codeSpan(text string) (string, int) {
	run := text[:len(text)-len(strings.TrimLeft(text, "`"))]
	rest := text[len(run):]
	for at := 0; at < len(rest); {
		i := strings.Index(rest[at:], run)
		if i < 0 {
			return "", 0
		}
		end := at + i + len(run)
		if end == len(rest) || rest[end] != '`' {
			code := strings.ReplaceAll(rest[:at+i], "\n", " ")
			if len(code) > 2 && code[0] == ' ' && code[len(code)-1] == ' ' && strings.TrimSpace(code) != "" {
				code = code[1 : len(code)-1]
			}
			return code, len(run) + end
		}
		at = end + len(rest[end:]) - len(strings.TrimLeft(rest[end:], "`"))
	}
	return "", 0
}

// linkAt reads [words](target).
func linkAt(text string) (string, string, int) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '`':
			if _, n := codeSpan(text[i:]); n > 0 {
				i += n - 1
			}
		case '[':
			depth++
		case ']':
			depth--
			if depth > 0 {
				continue
			}
			target, _, ok := strings.Cut(strings.TrimPrefix(text[i+1:], "("), ")")
			if !ok || !strings.HasPrefix(text[i+1:], "(") || strings.ContainsAny(target, " \n") {
				return "", "", 0
			}
			return text[1:i], target, i + 2 + len(target) + 1
		}
	}
	return "", "", 0
}

// between reads what stands between two marks without a space on their inner sides.
func between(text, mark string) (string, int) {
	inner := text[len(mark):]
	end := strings.Index(inner, mark)
	if end <= 0 || inner[0] == ' ' || inner[end-1] == ' ' || inner[0] == '\n' {
		return "", 0
	}
	return inner[:end], len(mark) + end + len(mark)
}
