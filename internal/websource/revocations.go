package websource

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/keypin"
)

// A Reader reads the document at a URL. *discover.Finder is one.
type Reader interface {
	Read(ctx context.Context, url string, maxBytes int64, mediaTypes ...string) ([]byte, error)
}

// Revocations says where the list of an operator's revoked keys is, and whose it is.
type Revocations struct {
	// URL is where the list is, and Issuer the origin that it speaks for, such as
	// https://agent.example.
	URL, Issuer string
	// Keys are those that the list may be signed with.
	Keys []*keypin.Key
}

// retryRevocations is how long a list that could not be had is not asked for again.
const retryRevocations = time.Minute

// maxRevocations is the largest list that is read.
const maxRevocations = 5 << 20

// NewRevocations returns a keypin.Revoker that asks for a list when it is due. A list that
// cannot be had or verified, or that is older than the one before, does not replace it; when
// that is too old, messages are refused. It is safe for concurrent use.
func NewRevocations(r Reader, of Revocations, now func() time.Time) keypin.Revoker {
	return &webRevocations{reader: r, of: of, now: now, turn: make(chan struct{}, 1)}
}

// webRevocations is a keypin.Revoker over the web.
type webRevocations struct {
	reader Reader
	of     Revocations
	now    func() time.Time
	// turn is held while what follows is used.
	turn chan struct{}

	list       *keypin.RevocationList
	err        error
	asked, due time.Time
}

// Revocations returns the newest list, asked for when it is due.
func (w *webRevocations) Revocations(ctx context.Context) (*keypin.RevocationList, error) {
	select {
	case w.turn <- struct{}{}:
		defer func() { <-w.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	now := w.now()
	if now.Before(w.asked) || !now.Before(w.due) {
		err := w.ask(ctx, now)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		w.asked, w.due, w.err = now, now.Add(retryRevocations), err
		if err == nil {
			w.due = w.list.Due(now)
		}
	}
	if w.list == nil {
		return nil, w.err
	}
	return w.list, nil
}

// ask fetches the list and keeps it if it is newer.
func (w *webRevocations) ask(ctx context.Context, now time.Time) error {
	src, err := w.reader.Read(ctx, w.of.URL, maxRevocations, "application/json", "application/jose+json",
		"application/jose", "text/plain")
	if err != nil {
		return err
	}
	list, err := keypin.ParseRevocations(src, w.of.Issuer, w.of.Keys)
	if err != nil {
		return err
	}
	if !list.Replaces(w.list, now) {
		return errors.New("the list is older than the one before, or from the future")
	}
	w.list = list
	return nil
}
