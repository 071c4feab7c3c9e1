package api

import "github.com/avow-project/avow/internal/flight"

const (
	// keptBytes is how much memory decisions may take that are kept to be given again.
	keptBytes = 32 << 20
	// keptEach is what else each of them takes, about.
	keptEach = 1 << 10
)

// A keptKey is a question as it was put to the operation with a name.
type keptKey struct{ operation, question string }

// keptAnswers has decisions.
type keptAnswers = flight.Cache[keptKey, any]

func newKeptAnswers() *keptAnswers {
	return flight.NewCache(flight.Limits[keptKey, any]{Name: "decisions", Weight: keptBytes})
}
