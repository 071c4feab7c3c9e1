package markdown

import (
	"html"
	"regexp"
	"strings"
	"sync"
)

// What lines begin with. Most commands read no document and do not pay for these.
var (
	headingLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(#{1,6}) +(.+?)(?: +#+)?$`) })
	itemLine    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[*-]|([0-9]{1,9})\.) +`) })
	tableRule   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$`)
	})
)

// blocks writes the blocks of some lines.
func (r *renderer) blocks(lines []string) {
	for len(lines) > 0 {
		lines = lines[r.block(lines):]
	}
}

// block writes the first block and returns how many lines it took.
func (r *renderer) block(lines []string) int {
	line := lines[0]
	switch {
	case strings.TrimSpace(line) == "":
		return 1
	case strings.HasPrefix(line, "<!--"):
		return comment(lines)
	case strings.HasPrefix(line, "```"):
		return r.fenced(lines)
	case headingLine().MatchString(line):
		m := headingLine().FindStringSubmatch(line)
		r.heading(len(m[1]), m[2])
		return 1
	case len(lines) > 1 && strings.HasPrefix(line, "|") && tableRule().MatchString(lines[1]):
		return r.table(lines)
	case itemLine().MatchString(line):
		return r.list(lines)
	case strings.HasPrefix(line, ">"):
		return r.quote(lines)
	case strings.HasPrefix(line, "    "):
		return r.indented(lines)
	}
	return r.paragraph(lines)
}

// comment skips what is not shown.
func comment(lines []string) int {
	for i, line := range lines {
		if strings.Contains(line, "-->") {
			return i + 1
		}
	}
	return len(lines)
}

// starts reports whether a line ends the paragraph before it.
func starts(line string) bool {
	m := itemLine().FindStringSubmatch(line)
	return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, ">") ||
		strings.HasPrefix(line, "<!--") ||
		headingLine().MatchString(line) || len(m) > 1 && (m[1] == "" || m[1] == "1")
}

// paragraph writes lines up to an empty one or another block.
func (r *renderer) paragraph(lines []string) int {
	n := 1
	for n < len(lines) && !starts(lines[n]) {
		n++
	}
	r.out.WriteString("<p>" + r.text(lines[:n]) + "</p>\n")
	return n
}

// text is what lines of a paragraph say.
func (r *renderer) text(lines []string) string {
	trimmed := make([]string, len(lines))
	for i, l := range lines {
		trimmed[i] = strings.TrimSpace(l)
	}
	shown, plain := r.inline(strings.Join(trimmed, "\n"))
	r.say(strings.ReplaceAll(plain, "\n", " "))
	return shown
}

// quote writes a quotation.
func (r *renderer) quote(lines []string) int {
	var inner []string
	for _, line := range lines {
		rest, ok := strings.CutPrefix(line, ">")
		if !ok {
			break
		}
		inner = append(inner, strings.TrimPrefix(rest, " "))
	}
	r.out.WriteString("<blockquote>\n")
	r.blocks(inner)
	r.out.WriteString("</blockquote>\n")
	return len(inner)
}

// fenced writes code between fences.
func (r *renderer) fenced(lines []string) int {
	language, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(lines[0], "```")), " ")
	n := 1
	for n < len(lines) && strings.TrimSpace(lines[n]) != "```" {
		n++
	}
	r.code(language, lines[1:n])
	return min(n+1, len(lines))
}

// indented writes code that is moved to the right.
func (r *renderer) indented(lines []string) int {
	n, last := 0, 0
	var code []string
	for n < len(lines) && (strings.HasPrefix(lines[n], "    ") || strings.TrimSpace(lines[n]) == "") {
		code = append(code, strings.TrimPrefix(lines[n], "    "))
		n++
		if strings.TrimSpace(lines[n-1]) != "" {
			last = n
		}
	}
	r.code("", code[:last])
	return n
}

// labels name blocks of code by their language, for those who cannot see them.
var labels = map[string]string{"console": "Commands and what they print", "sh": "Commands", "json": "JSON", "go": "Go",
	"yaml": "YAML", "toml": "Settings", "text": "Text"}

// code writes code. What commands print is marked, so that it is not copied with them.
func (r *renderer) code(language string, lines []string) {
	label := labels[language]
	if label == "" {
		label = "Code"
	}
	r.out.WriteString(`<pre role="group" tabindex="0" aria-label="` + label + `"><code>`)
	for i, line := range lines {
		typed, isTyped := strings.CutPrefix(line, "$ ")
		switch {
		case language != "console":
			r.out.WriteString(html.EscapeString(line) + "\n")
		case isTyped:
			r.out.WriteString(`<span class="number">$ </span><b>` + html.EscapeString(typed) + "</b>\n")
		case i > 0 && strings.HasSuffix(lines[i-1], `\`):
			r.out.WriteString("<b>" + html.EscapeString(line) + "</b>\n")
		default:
			r.out.WriteString(`<span class="says">` + html.EscapeString(line) + "\n</span>")
		}
	}
	r.out.WriteString("</code></pre>\n")
	r.say(strings.Join(lines, " "))
}

// table writes a table.
func (r *renderer) table(lines []string) int {
	r.out.WriteString(`<div class="wide" role="group" tabindex="0" aria-label="Table"><table>` + "\n<thead><tr>")
	for _, cell := range cells(lines[0]) {
		r.out.WriteString(`<th scope="col">` + r.text([]string{cell}) + "</th>")
	}
	r.out.WriteString("</tr></thead>\n<tbody>\n")
	n, width := 2, len(cells(lines[0]))
	for n < len(lines) && strings.HasPrefix(lines[n], "|") {
		row := cells(lines[n])
		r.out.WriteString("<tr>")
		for i := range width {
			cell := ""
			if i < len(row) {
				cell = row[i]
			}
			r.out.WriteString("<td>" + r.text([]string{cell}) + "</td>")
		}
		r.out.WriteString("</tr>\n")
		n++
	}
	r.out.WriteString("</tbody></table></div>\n")
	return n
}

// cells are those of a row. A bar after a backslash is part of the text.
func cells(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	const bar = "\x00"
	var list []string
	for cell := range strings.SplitSeq(strings.ReplaceAll(line, `\|`, bar), "|") {
		list = append(list, strings.TrimSpace(strings.ReplaceAll(cell, bar, "|")))
	}
	return list
}

// list writes a list with everything in its items.
func (r *renderer) list(lines []string) int {
	ordered := itemLine().FindStringSubmatch(lines[0])[1] != ""
	var items [][]string
	n, loose := 0, false
	for n < len(lines) {
		m := itemLine().FindStringSubmatch(lines[n])
		if len(m) < 2 || (m[1] != "") != ordered {
			break
		}
		item, blank := itemLines(lines[n:], len(m[0]))
		next := n + len(item)
		for next < len(lines) && strings.TrimSpace(lines[next]) == "" {
			next++
		}
		more := next < len(lines) && sameList(lines[next], ordered)
		loose = loose || blank || more && next > n+len(item)
		items = append(items, item)
		n += len(item)
		if more {
			n = next
		}
	}
	tag := "ul"
	if ordered {
		tag = "ol"
	}
	r.out.WriteString("<" + tag + ">\n")
	for _, item := range items {
		r.out.WriteString("<li>")
		r.item(item, loose)
		r.out.WriteString("</li>\n")
	}
	r.out.WriteString("</" + tag + ">\n")
	return n
}

func sameList(line string, ordered bool) bool {
	m := itemLine().FindStringSubmatch(line)
	return len(m) > 1 && (m[1] != "") == ordered
}

// itemLines returns the lines of the first item, moved to the left, and whether there is an
// empty one between them.
func itemLines(lines []string, width int) ([]string, bool) {
	item := []string{lines[0][width:]}
	indent := strings.Repeat(" ", width)
	blanks, blank := 0, false
	for _, line := range lines[1:] {
		rest, inside := strings.CutPrefix(line, indent)
		switch {
		case strings.TrimSpace(line) == "":
			blanks++
			item = append(item, "")
			continue
		case inside:
			blank = blank || blanks > 0
			line = rest
		case blanks > 0 || starts(line) || itemLine().MatchString(line):
			return item[:len(item)-blanks], blank
		}
		blanks = 0
		item = append(item, line)
	}
	return item[:len(item)-blanks], blank
}

// item writes what is in an item. The first paragraph of one in a dense list has no frame.
func (r *renderer) item(lines []string, loose bool) {
	if loose {
		r.out.WriteString("\n")
		r.blocks(lines)
		return
	}
	n := 0
	for n < len(lines) && (n == 0 || !starts(lines[n])) {
		n++
	}
	r.out.WriteString(r.text(lines[:n]))
	if n < len(lines) {
		r.out.WriteString("\n")
		r.blocks(lines[n:])
	}
}
