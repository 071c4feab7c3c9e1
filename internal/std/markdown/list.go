package markdown

import "strings"

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
