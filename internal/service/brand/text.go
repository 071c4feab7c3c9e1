package brand

import (
	"strconv"
	"strings"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// Limits of what is taken over. Real brands stay far below them.
const (
	maxName        = 200
	maxDescription = 5000
	maxWord        = 64
	maxNames       = 40
	maxLogos       = 40
	maxTags        = 8
	maxFonts       = 20
	maxIndustries  = 20
)

// text returns a string as plain text; empty for anything else.
func text(v jsontree.Value, longest int) string { return registry.PlainText(v.Str(), longest) }

// firstText returns the first member of an object that holds a text.
func firstText(v jsontree.Value, longest int, names ...string) string {
	for _, name := range names {
		s := text(v.Get(name), longest)
		if s != "" {
			return s
		}
	}
	return ""
}

// words returns a list without empty and repeated words.
func words(longest int, list ...string) []string {
	out := []string{}
	for _, s := range list {
		if s != "" && len(out) < longest && !contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if strings.EqualFold(x, s) {
			return true
		}
	}
	return false
}

// color returns a colour in hexadecimal, of a list the first; empty for anything else.
func color(v jsontree.Value) string {
	if v.Is(jsontree.Array) {
		v = v.Index(0)
	}
	s := strings.TrimSpace(v.Str())
	digits, ok := strings.CutPrefix(s, "#")
	if !ok || len(digits) != 3 && len(digits) != 6 && len(digits) != 8 ||
		strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
		return ""
	}
	return s
}

// colorsOf returns colours, nil when there are none.
func colorsOf(primary, secondary, accent string) *registry.Colors {
	c := registry.Colors{Primary: primary, Secondary: secondary, Accent: accent}
	if c == (registry.Colors{}) {
		return nil
	}
	return &c
}

// numberText returns a number or a text as text: employees are written as either.
func numberText(v jsontree.Value) string {
	if v.Is(jsontree.Number) {
		n, ok := v.Float()
		if !ok || n <= 0 || n > 1e9 {
			return ""
		}
		return strconv.Itoa(int(n))
	}
	return text(v, maxWord)
}

// year returns a year, also one that is written as text; zero for anything else.
func year(v jsontree.Value) int {
	n, err := strconv.Atoi(numberText(v))
	if err != nil || n < 1000 || n > 9999 {
		return 0
	}
	return n
}
