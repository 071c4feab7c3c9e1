package resolve

// maxWork bounds what one question may cost, in steps of a few nanoseconds. A file
// of the greatest size can be written so that comparing its entries with its
// properties takes hours; the largest ones in use stay below a hundredth of this.
const maxWork = 200_000_000

// What is kept for the answer costs more: a property that is listed, and a reason
// with its words.
const (
	costListed = 100
	costReason = 400
)

// A LimitError is the error of a question whose answer would take too long or be too
// large. It says nothing about the verdict.
type LimitError struct {
	// Problem says what is too much, Hint how to ask for less.
	Problem, Hint string
}

// Error returns the problem.
func (e *LimitError) Error() string { return e.Problem }

// spend pays for steps, and reports whether there is still something left.
func (c *inquiry) spend(steps int) bool {
	c.left -= steps
	return c.left >= 0
}

// exhausted returns the error of an inquiry that was given up.
func (c *inquiry) exhausted() error {
	if c.left >= 0 {
		return nil
	}
	return &LimitError{"the file has too many entries and properties to compare", "ask about one property of one publisher"}
}
