package bench

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// source is a seeded stream of choices. It takes values straight from the
// generator instead of through rand.Rand, whose derived methods may change their
// algorithm while the PCG stream itself is fixed by its definition.
type source struct {
	pcg *rand.PCG
}

func newSource(seed uint64) source {
	return source{rand.NewPCG(seed, 0x61766f77)}
}

// below returns a number in [0,n). The bias of the remainder is far too small
// to matter for test data.
func (s source) below(n int) int {
	return int(s.pcg.Uint64() % uint64(n))
}

// pick returns one of the words.
func (s source) pick(words []string) string {
	return words[s.below(len(words))]
}

var (
	firstWords = []string{
		"Harbor", "Coastal", "Morning", "Northern", "Silver", "Garden", "Village", "Open", "Green", "Summit",
		"River", "Cedar", "Lakeside", "Modern", "Everyday", "Practical", "Little", "Bright", "Copper", "Prairie",
	}
	secondWords = []string{
		"Kitchen", "Gazette", "Journal", "Weather", "Recipes", "Travel", "Motors", "Finance", "Gardens", "Sports",
		"Parenting", "Crafts", "Cinema", "Records", "Fitness", "Letters", "Markets", "Science", "Hiking", "Baking",
	}
	accentedWords = []string{"Café Zürich", "São Paulo Hoje", "Łódź Dziś", "東京ニュース", "Göteborgs Kök", "Ελλάδα Σήμερα",
		"Новости дня", "Daily 📰 Paper"}
	suffixes = []string{".com", ".com", ".com", ".com", ".com", ".com", ".net", ".org", ".co.uk", ".de", ".fr",
		".news"}
)

// title is a display name and the way it is spelled in the file.
type title struct {
	text   string
	escape bool
}

// words returns two words for the name and address of a property.
func (s source) words() [2]string {
	return [2]string{s.pick(firstWords), s.pick(secondWords)}
}

// title makes a display name. About three in a hundred are written outside
// ASCII as they are and one in a hundred with \u sequences, so that neither the
// fast nor the slow way through a string is all that is measured.
func (s source) title(w [2]string, i int) title {
	switch roll := s.below(100); {
	case roll == 0:
		return title{fmt.Sprintf("%s & %s %d", w[0], s.pick(accentedWords), i), true}
	case roll <= 3:
		return title{fmt.Sprintf("%s %d", s.pick(accentedWords), i), false}
	default:
		return title{fmt.Sprintf("%s %s %d", w[0], w[1], i), false}
	}
}

// domain makes a registrable name that no other index has.
func (s source) domain(w [2]string, i int) string {
	return fmt.Sprintf("%s-%06d%s", strings.ToLower(w[1]), i, s.pick(suffixes))
}

// identity makes a property id that no other index has.
func identity(w [2]string, i int) string {
	return fmt.Sprintf("%s_%06d", strings.ToLower(w[1]), i)
}
