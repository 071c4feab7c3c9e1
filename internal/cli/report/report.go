// Package report writes the results of checks: for people, as JSON, SARIF and JUnit, and as
// annotations of GitHub.
package report

import (
	"github.com/avow-project/avow/internal/cli/check"
)

// A Handler writes the results of a run in one format. It gets the targets one
// after the other, in the order of the arguments, and then the summary.
type Handler interface {
	// target writes one result. It must not keep it: the source text of
	// thousands of files does not fit into memory at once.
	Target(r *check.Result) error
	// finish writes what comes after the last result.
	Finish(t *check.Summary) error
}

// TextFindings is the number of findings shown per target in text. More is too much to
// read, and a broken generator makes the same mistake a hundred thousand times.
const TextFindings = 100
