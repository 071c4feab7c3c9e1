package custodian

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync/atomic"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

// ErrFenced is the error of a change whose lease has expired and was taken by another
// process, which fetches again.
var ErrFenced = errors.New("another process has taken it over")

// A Class is the rank of what is due. Of a lower one more is taken at a time.
type Class int64

// The classes.
const (
	// Requested: a caller waits for it.
	Requested Class = iota
	// Wanted: it has a file, or was never looked at and a known caller has named it.
	Wanted
	// Empty: no file was found.
	Empty
	// Named: nothing is known but that another publisher's file names it, or it has a file
	// that no caller has asked about otherwise.
	Named
)

// A Lease is the right to look at something until it ends. Each has a greater number than
// the one before, its fence: with an older one nothing can be committed.
type Lease struct {
	Name  string
	Fence int64
	// Wish is when the look was requested; zero when it was not.
	Wish time.Time
}

// A tenure is a lease during a task.
type tenure struct {
	Lease
	// done: a change has ended the lease. lost: another process has it. refused: there was
	// no room for what was found.
	done, lost, refused atomic.Bool
}

type tenureKey struct{}

// under returns a context whose changes are made under a lease.
func under(ctx context.Context, t *tenure) context.Context {
	return context.WithValue(ctx, tenureKey{}, t)
}

// tenureOf returns the lease that changes are made under; nil for none.
func tenureOf(ctx context.Context) *tenure {
	t, _ := ctx.Value(tenureKey{}).(*tenure)
	return t
}

// ClassOf returns the class of a publisher that no caller waits for.
func ClassOf(p *custody.Publisher) Class {
	if p.Location == (custody.Location{}) {
		return Empty
	}
	return Wanted
}

// Own reports whether a file is the publisher's own, which is asked for with the publisher
// and has no time of its own.
func Own(p *custody.Publisher, url string) bool {
	return p != nil && ownPlace(p) && p.Location.URL == url
}

// Due returns when a publisher is asked next, with its own file, if that is known.
func Due(p *custody.Publisher, own *custody.File, since time.Time) time.Time {
	due := PublisherDue(p, since)
	if own == nil || p.Move != nil || !p.FailingSince.IsZero() {
		return due
	}
	if f := FileDue(own); f.Before(due) {
		return f
	}
	return due
}

// about reports whether the draft has the record that a lease is for.
func (d *draft) about(name string) bool {
	if d.change.Publisher != nil && string(d.change.Publisher.Domain) == name {
		return true
	}
	for _, f := range d.change.Files {
		if FileKey(f.URL) == name {
			return true
		}
	}
	return false
}

// FileKey is what a file is called in the due list. A publisher is called by its domain.
func FileKey(url string) string {
	sum := sha256.Sum256([]byte(url))
	return "file:" + hex.EncodeToString(sum[:])
}
