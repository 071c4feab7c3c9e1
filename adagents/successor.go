package adagents

import (
	"fmt"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/std/hostname"
)

// maxSuccessor is how long the URL of a successor may be: no longer one is ever asked for,
// and it is in every record of the file.
const maxSuccessor = 8_000

// Successor returns the URL of the file that this one names in its place in superseded_by,
// in canonical form. One that is no https URL, has a user name, or is too long to be asked
// for is reported by the check and leads nowhere.
func (x *File) Successor() (string, bool) {
	if x == nil || x.SupersededBy == "" || successorFault(x.SupersededBy) != "" {
		return "", false
	}
	url, _, err := hostname.CanonicalURL(x.SupersededBy)
	return url, err == nil
}

// successorFault says why a URL cannot be that of a successor; empty when it can.
func successorFault(written string) string {
	fault := conform.URLFault(written, true)
	if fault != "" {
		return fault
	}
	url, _, _ := hostname.CanonicalURL(written)
	if max(len(url), len(written)) > maxSuccessor {
		return fmt.Sprintf("is a URL of %d bytes, and longer ones than %d are not asked for", max(len(url), len(written)), maxSuccessor)
	}
	return ""
}
