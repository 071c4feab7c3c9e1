package guide

import (
	"cmp"
	"slices"
	"strings"
)

// A Hit is a section of the guide with the words of a search.
type Hit struct {
	Page *Page
	// Title and ID are those of the heading; both are empty for the page's own.
	Title, ID string
	// Excerpt is the text around the words, in parts of which every second one is such a word.
	Excerpt []string
	text    string
	score   int
}

// Limits of a search.
const (
	mostWords = 8
	mostHits  = 30
	// around is how much text is shown with a word, in bytes.
	around = 90
)

// A section is one of a page as the search sees it, in lower case.
type section struct {
	page        *Page
	section     int
	title, text string
}

// prepare lists the sections.
func (g *Guide) prepare() {
	for _, page := range g.Pages {
		for i := range page.Sections {
			s := &page.Sections[i]
			g.sections = append(g.sections, section{page, i, strings.ToLower(s.Title), strings.ToLower(s.Text)})
		}
	}
}

// Search returns the sections that have all words, the best first, and how many there are.
func (g *Guide) Search(query string) ([]Hit, int) {
	words := strings.Fields(strings.ToLower(query))
	words = words[:min(len(words), mostWords)]
	if len(words) == 0 {
		return nil, 0
	}
	var hits []Hit
	for i := range g.sections {
		p := &g.sections[i]
		score := p.score(words)
		if score == 0 {
			continue
		}
		s := &p.page.Sections[p.section]
		h := Hit{Page: p.page, score: score, text: s.Text}
		if s.Level > 1 {
			h.Title, h.ID = s.Title, s.ID
		}
		hits = append(hits, h)
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.Page.Slug, b.Page.Slug), strings.Compare(a.ID, b.ID))
	})
	found := len(hits)
	hits = hits[:min(found, mostHits)]
	for i := range hits {
		hits[i].Excerpt = excerpt(hits[i].text, words)
	}
	return hits, found
}

// score is how well a section fits; 0 when a word is missing. Headings count most, and what was
// written for readers more than tables of flags.
func (p *section) score(words []string) int {
	score := 0
	for _, w := range words {
		n := min(strings.Count(p.text, w), 5)
		if strings.Contains(p.title, w) {
			n += 20
		}
		if n == 0 {
			return 0
		}
		score += n
	}
	if strings.HasPrefix(p.page.File, "guide/") {
		score += 10
	}
	return score
}

// excerpt is the text around the first word, with all words in it apart.
func excerpt(text string, words []string) []string {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		text = lower // places are found in one and shown in the other
	}
	first := len(text)
	for _, w := range words {
		if i := strings.Index(lower, w); i >= 0 {
			first = min(first, i)
		}
	}
	if first == len(text) {
		first = 0
	}
	begin, end := wordStart(text, first-around), wordStart(text, first+2*around)
	var parts []string
	at := begin
	for at < end {
		i, n := nextWord(lower[at:end], words)
		parts = append(parts, text[at:at+i])
		if n > 0 {
			parts = append(parts, text[at+i:at+i+n])
		}
		at += i + n
	}
	if begin > 0 && len(parts) > 0 {
		parts[0] = "… " + parts[0]
	}
	if end < len(text) && len(parts) > 0 {
		if len(parts)%2 == 0 {
			parts = append(parts, "")
		}
		parts[len(parts)-1] += " …"
	}
	return parts
}

// nextWord returns where the first of the words is and how long it is.
func nextWord(text string, words []string) (int, int) {
	at, n := len(text), 0
	for _, w := range words {
		i := strings.Index(text, w)
		if i >= 0 && (i < at || i == at && len(w) > n) {
			at, n = i, len(w)
		}
	}
	return at, n
}

// wordStart moves a place in a text back to the beginning of a word.
func wordStart(text string, at int) int {
	if at <= 0 {
		return 0
	}
	if at >= len(text) {
		return len(text)
	}
	return strings.LastIndexByte(text[:at], ' ') + 1
}
