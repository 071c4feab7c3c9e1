package diff

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/redact"
)

// A Side is one of two versions that are compared.
type Side struct {
	name string
	hash string
	// url and adopted are those of a version that was kept.
	url     string
	adopted string
	report  *adagents.Report
}

// comparison is the result of diff.
type comparison struct {
	old, next *Side
	// changes are those of the least severity asked for; all has the others too.
	changes, all []custody.Change
}

// NewSide checks a version. One that cannot be used cannot be compared either: what it
// says is not known.
func NewSide(name, domain string, src []byte) (*Side, error) {
	report := redact.Report(src, adagents.Check(src, adagents.Options{Domain: domain}))
	if report.Unusable != nil {
		return nil, console.Failure("avow validate shows all that is wrong with it", "cannot compare %s: %s", name, sources.FirstAbort(report))
	}
	sum := sha256.Sum256(src)
	return &Side{name: name, hash: hex.EncodeToString(sum[:]), report: report}, nil
}

// CompareVersions compares two versions, of which either may be a pointer. Where two kept
// versions came from is a part of what they are.
func CompareVersions(old, next *Side) []custody.Change {
	if old.report.Pointer != nil || next.report.Pointer != nil {
		return custody.ComparePointers(pointerOf(old.report), pointerOf(next.report))
	}
	var moved []custody.Change
	if old.url != "" && next.url != "" {
		moved = custody.ComparePointers(old.url, next.url)
	}
	return append(moved, custody.Compare(old.report.File, next.report.File)...)
}

// pointerOf is where a version points to; empty for one that is no pointer.
func pointerOf(r *adagents.Report) string {
	if r.Pointer == nil {
		return ""
	}
	return r.Pointer.AuthoritativeLocation
}
