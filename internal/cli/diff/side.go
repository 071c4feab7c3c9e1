package diff

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/changes"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
)

// A Side is one of two versions that are compared.
type Side struct {
	name string
	hash string
	// file is the name of a version at hand; empty for others.
	file string
	// domain is the publisher of a version that was kept or is on the web.
	domain string
	// url is where such a version came from, and adopted when a kept one came into effect.
	url     string
	adopted string
	// pointer is what led to a version on the web; nil without one.
	pointer *Side
	report  *adagents.Report
}

// A Comparison is what two versions differ in.
type Comparison struct {
	old, next *Side
	// Changes are those to show; all has the others too.
	Changes, all []custody.Change
	reach        custody.Reach
}

// NewSide checks a version. One that cannot be used cannot be compared either: what it
// says is not known.
func NewSide(name, domain string, src []byte) (*Side, error) {
	return CheckedSide(name, src, adagents.Check(src, adagents.Options{Domain: domain}))
}

// CheckedSide is NewSide for a version that was checked already.
func CheckedSide(name string, src []byte, report *adagents.Report) (*Side, error) {
	report = redact.Report(src, report)
	if report.Unusable != nil {
		return nil, console.Failure("avow validate shows all that is wrong with it", "cannot compare %s: %s", name,
			sources.FirstAbort(report))
	}
	sum := sha256.Sum256(src)
	return &Side{name: name, hash: hex.EncodeToString(sum[:]), report: report}, nil
}

// Compare compares two versions, of which either may be a pointer, and says how far the changes
// reach.
func Compare(old, next *Side) *Comparison {
	if old.report.Pointer != nil && next.pointer != nil {
		next = next.pointer
	}
	if next.report.Pointer != nil && old.pointer != nil {
		old = old.pointer
	}
	c := &Comparison{old: old, next: next}
	if old.report.Pointer != nil || next.report.Pointer != nil {
		c.all = custody.ComparePointers(pointerOf(old.report), pointerOf(next.report))
	} else {
		var changes []custody.Change
		changes, c.reach = custody.CompareReach(old.report.File, next.report.File)
		c.all = append(moves(old, next), changes...)
	}
	c.Changes = c.all
	return c
}

// CompareVersions returns what two versions differ in.
func CompareVersions(old, next *Side) []custody.Change { return Compare(old, next).all }

// moves says that a publisher's file is somewhere else. Where two versions of one publisher came
// from is a part of what they are.
func moves(old, next *Side) []custody.Change {
	if old.domain == "" || old.domain != next.domain {
		return nil
	}
	return custody.ComparePointers(old.url, next.url)
}

// pointerOf is where a version points to; empty for one that is not a pointer.
func pointerOf(r *adagents.Report) string {
	if r.Pointer == nil {
		return ""
	}
	return r.Pointer.AuthoritativeLocation
}

// lines say what changed; what repeats is put together, unless each is asked for.
func (c *Comparison) lines(each bool) []changes.Line {
	all := changes.Comparison{Old: c.old.report.File, Next: c.next.report.File, Changes: c.Changes}
	return all.Lines(each)
}
