package resolve

import (
	"context"
	"math"
)

// maxWork bounds what one question may cost, in steps of a few nanoseconds. A file
// of the greatest size can be written so that comparing its entries with its
// properties takes hours; the largest ones in use stay below a hundredth of this.
const maxWork = 200_000_000

// Some steps cost more than others: a text that is looked up, a text that is put
// into a set, a property that is listed, and a reason with its words.
const (
	costLookup = 8
	costStored = 20
	costListed = 100
	costReason = 400
)

// patience is the number of steps between two looks at whether anybody still waits
// for the answer.
const patience = 20_000

// A LimitError is the error of a question whose answer would take too long or be too
// large. It says nothing about the verdict.
type LimitError struct {
	// Problem says what is too much, Hint how to ask for less.
	Problem, Hint string
}

// Error returns the problem.
func (e *LimitError) Error() string { return e.Problem }

// A budget is how much work may still be done for a question.
type budget struct {
	left int
	// done is closed when no caller waits any more, and nextCheck is what is left when that
	// is to be looked at next.
	done      <-chan struct{}
	nextCheck int
}

func newBudget(ctx context.Context, work int) budget {
	return budget{left: work, done: ctx.Done(), nextCheck: work - patience}
}

// unlimited is for work that is bounded by the size of the file.
func unlimited() budget { return budget{left: math.MaxInt, nextCheck: math.MinInt} }

// spend pays for steps, and reports whether there is still something left.
func (b *budget) spend(steps int) bool {
	b.left -= steps
	if b.left < b.nextCheck {
		b.nextCheck = b.left - patience
		select {
		case <-b.done:
			b.left = math.MinInt / 2 // more than any steps could make up for
		default:
		}
	}
	return b.left >= 0
}

// exhausted returns the error of an explanation that was given up.
func (b *budget) exhausted(ctx context.Context) error {
	if b.left >= 0 {
		return nil
	}
	err := ctx.Err()
	if err != nil {
		return err
	}
	return errTooMuch
}

var errTooMuch = &LimitError{"the file has too many entries and properties to compare",
	"ask about one property of one publisher"}
