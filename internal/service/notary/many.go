package notary

import (
	"context"
	"errors"

	"github.com/avow-project/avow/internal/translog"
)

// A Newest is what a store knows of the newest leaf about a subject.
type Newest struct {
	// Index is the leaf's; below zero for none.
	Index int64
	// Waiting: there is something about it that is in no leaf yet.
	Waiting bool
}

// MaxSubjects is how many subjects a store looks up at a time.
const MaxSubjects = 1000

// A Head is the checkpoint that the leaves of many answers are named under.
type Head struct {
	// State is Included when there is a checkpoint, Pending when nothing was signed yet, and
	// NotLogged with a Reason when there is no log.
	State, Reason string
	Signed        Signed
}

// Head returns the checkpoint that was signed last. As with Receipt, a log that cannot be read is
// as good as none.
func (h *Handler) Head(ctx context.Context) *Head {
	if h == nil {
		return &Head{State: NotLogged, Reason: noService}
	}
	signed, err := h.Prover.Store.LastSigned(ctx)
	if err == nil {
		return &Head{State: Included, Signed: *signed}
	}
	if errors.Is(err, ErrPending) {
		_, err = h.Prover.Store.State(ctx)
	}
	switch {
	case err == nil:
		return &Head{State: Pending, Reason: "the log was not signed yet; ask again in a few seconds"}
	case errors.Is(err, ErrNoLog):
		return &Head{State: NotLogged, Reason: noLog}
	}
	return h.Unreadable(ctx, err)
}

// Unreadable tells the operator of a log that cannot be read, and returns the head of it.
func (h *Handler) Unreadable(ctx context.Context, err error) *Head {
	h.Log.ErrorContext(ctx, "the transparency log cannot be read", "error", err)
	return &Head{State: NotLogged, Reason: unreadable}
}

// Speaking is a publisher by its canonical domain, with the canonical URL of the file that speaks for
// it, empty for none.
type Speaking struct{ Publisher, File string }

// MaxFind is how many publishers are found at a time.
const MaxFind = MaxSubjects / 2

// A Found has the newest leaves about a publisher and its file.
type Found struct {
	// State is Included, Pending or NotLogged.
	State string
	// Publisher and File are the indices of the leaves, nil unless they are included; File is nil
	// also when no file speaks for the publisher.
	Publisher, File *int64
}

// Find returns the newest leaves about publishers, MaxFind at most, and their files, as far as they
// are in the log that the head is of. The head has to be older than the call: then nothing newer about
// what is included was in that log.
func (h *Handler) Find(ctx context.Context, head *Head, list []Speaking) ([]Found, error) {
	all := make([]Found, len(list))
	if head.State == NotLogged {
		for i := range all {
			all[i].State = NotLogged
		}
		return all, nil
	}
	var subjects []translog.Subject
	for _, one := range list {
		subjects = append(subjects, translog.Publisher(one.Publisher))
		if one.File != "" {
			subjects = append(subjects, translog.File(one.File))
		}
	}
	newest, err := h.Prover.Store.NewestOf(ctx, subjects)
	if err != nil {
		return nil, err
	}
	for i, one := range list {
		all[i] = found(one, newest, head.Signed.Size)
	}
	return all, nil
}

func found(one Speaking, newest map[translog.Subject]Newest, size int64) Found {
	publisher, file := newest[translog.Publisher(one.Publisher)], newest[translog.File(one.File)]
	out := Found{State: publisher.under(size), Publisher: &publisher.Index}
	if one.File != "" {
		out.State, out.File = worse(out.State, file.under(size)), &file.Index
	}
	if out.State != Included {
		return Found{State: out.State}
	}
	return out
}

// under says how a leaf stands to the log of a size.
func (n Newest) under(size int64) string {
	switch {
	case n.Waiting || n.Index >= size:
		return Pending
	case n.Index < 0:
		return NotLogged
	}
	return Included
}

// worse returns the state of two leaves together: what is not logged stays so until the next event.
func worse(a, b string) string {
	for _, state := range []string{NotLogged, Pending} {
		if a == state || b == state {
			return state
		}
	}
	return Included
}
