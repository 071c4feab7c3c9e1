package custody

import (
	"github.com/avow-project/avow/adagents"
)

// Compare returns what is different in the next version of a file, the most severe first.
func Compare(old, next *adagents.File) []Change {
	return nil
}

// ComparePointers returns what is different when authority moves from one URL to another.
func ComparePointers(old, next string) []Change {
	return nil
}

// Worst returns the highest severity of the changes.
func Worst(changes []Change) Severity {
	worst := Info
	for i := range changes {
		worst = max(worst, changes[i].Severity)
	}
	return worst
}
