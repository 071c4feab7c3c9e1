package formatkind

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// HasSizeModes reports whether the kind lets the author choose how to state
// the size.
func (p *Part) HasSizeModes() bool { return p.Table.Field("sizes") != nil }

// LimitPairs gives, for a params table, the pairs of a lower and an upper
// limit: the names that differ in min and max only.
var LimitPairs = sync.OnceValue(func() map[*model.ObjectType][][2]string {
	pairs := make(map[*model.ObjectType][][2]string)
	for _, table := range model.Params() {
		if table == nil {
			continue
		}
		for i := range table.Fields {
			lower := table.Fields[i].Name
			upper := swapWord(lower, "min", "max")
			if upper != lower && table.Field(upper) != nil {
				pairs[table] = append(pairs[table], [2]string{lower, upper})
			}
		}
	}
	return pairs
})

// swapWord replaces a word of a snake_case name.
func swapWord(name, old, replacement string) string {
	words := strings.Split(name, "_")
	for i := range words {
		if words[i] == old {
			words[i] = replacement
		}
	}
	return strings.Join(words, "_")
}

// AspectFault returns the size of owner as text when its width and height do
// not have the ratio, give or take a pixel.
func AspectFault(ratio string, owner jsontree.Value) string {
	w, ok1 := owner.Get("width").Float()
	h, ok2 := owner.Get("height").Float()
	if !ok1 || !ok2 || w < 1 || h < 1 {
		return ""
	}
	left, right, _ := strings.Cut(ratio, ":")
	a, err1 := strconv.ParseFloat(left, 64)
	b, err2 := strconv.ParseFloat(right, 64)
	if err1 != nil || err2 != nil {
		return ""
	}
	if a > 0 && b > 0 && (math.Abs(w-h*a/b) <= 1 || math.Abs(h-w*b/a) <= 1) {
		return ""
	}
	return fmt.Sprintf("%vx%v", w, h)
}
