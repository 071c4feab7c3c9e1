package registry

import (
	"cmp"
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// Custody returns what is known about a publisher over time. With refresh the publisher
// is asked before, past all caches.
func (s *Service) Custody(ctx context.Context, domain string, refresh bool) (*custodian.State, error) {
	name, err := s.custodyOf(domain)
	if err != nil {
		return nil, err
	}
	if !refresh {
		state, err := s.keeper.State(ctx, name)
		return state, custodyError(err)
	}
	ctx, cancel := context.WithTimeout(asking(budgeted(ctx)), s.limits.call)
	defer cancel()
	state, err := s.keeper.Refresh(ctx, name, custodian.RefreshOptions{Force: true})
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, Soon("publisher_lookup_timeout", "The publisher could not be looked up in time")
	}
	return state, custodyError(err)
}

// custodyOf reads the domain of a publisher whose records are asked for.
func (s *Service) custodyOf(domain string) (hostname.Domain, error) {
	if s.keeper == nil {
		return "", errNoCustody
	}
	return publisherName(domain)
}

// custodyError is an error of the keeper as callers may see it.
func custodyError(err error) error {
	switch {
	case errors.Is(err, custodian.ErrNotFound):
		return &Error{Kind: NotFound, Code: "not_in_custody", Message: "There is no such record",
			Hint: "ask for the history of the publisher to see what is known"}
	case errors.Is(err, custodian.ErrFuture):
		return &Error{Kind: Invalid, Code: "invalid_at", Message: "The time has not come yet",
			Hint: "ask about the present with /api/custody/publisher"}
	case errors.Is(err, custodian.ErrForgotten):
		return &Error{
			Kind: NotFound, Code: "not_kept", Message: "What counted at that time is not kept any more",
			Hint: "ask about a later time: the operator decides how long history is kept",
		}
	case errors.Is(err, custodian.ErrNotAdmitted):
		return storageLimited
	case errors.Is(err, custody.ErrNotWaiting):
		return &Error{
			Kind: Conflict, Code: "not_waiting", Message: "Nothing of that name is pending",
			Hint: "list what is pending: it may have changed since you looked",
		}
	}
	return StoreTrouble(err)
}

// History returns what happened to a publisher and the files that spoke for it, the
// latest first.
func (s *Service) History(ctx context.Context, domain string, limit int) ([]custody.Entry, error) {
	name, err := s.custodyOf(domain)
	if err != nil {
		return nil, err
	}
	list, err := s.keeper.History(ctx, name, limit)
	return list, custodyError(err)
}

// Replay returns the document that questions about a publisher were answered from at a
// time, and its version; nil when there was no file.
func (s *Service) Replay(ctx context.Context, domain string,
	at time.Time) (*resolve.Document, *custody.Version, error) {
	name, err := s.custodyOf(domain)
	if err != nil {
		return nil, nil, err
	}
	doc, version, err := s.keeper.DocumentAt(ctx, name, at)
	return doc, version, custodyError(err)
}

// Changes returns what is different between two versions of a publisher's file, by their
// hashes; see custodian.Keeper.Diff.
func (s *Service) Changes(ctx context.Context, domain, old, next string) ([]custody.Change, error) {
	name, err := s.custodyOf(domain)
	if err != nil {
		return nil, err
	}
	list, err := s.keeper.Diff(ctx, name, old, next)
	return list, custodyError(err)
}

// Holds returns what waits for a decision.
func (s *Service) Holds(ctx context.Context) ([]custody.Hold, error) {
	if s.keeper == nil {
		return nil, errNoCustody
	}
	list, err := s.keeper.Holds(ctx)
	return list, custodyError(err)
}

// DecideHold lets in what waits, or refuses it, for a reason. name is a domain or the URL of a file,
// and what the place or the version that was looked at. UndoHold takes that back within custody.UndoTime.
func (s *Service) DecideHold(ctx context.Context, c Caller, name, what string, confirm bool, reason string) error {
	err := s.mayModerate(c)
	if err != nil {
		return err
	}
	if utf8.RuneCountInString(reason) > longestReason {
		return reasonTooLong()
	}
	err = s.keeper.Decide(ctx, name, what, confirm, custody.Ruling{By: c.Key.ID, Reason: PlainText(reason, longestReason)})
	switch {
	case err == nil:
	case errors.Is(err, custodian.ErrUnavailable) || errors.Is(err, custody.ErrNotWaiting) || ctx.Err() != nil:
		return custodyError(err)
	default:
		return &Error{
			Kind: Invalid, Code: "invalid_hold", Message: "That cannot be decided",
			Hint: "name a publisher and the URL it moves to, or, to confirm a version, the URL of the file and the SHA-256 of " +
				"the version",
		}
	}
	s.config.Log.InfoContext(ctx, "a hold was decided", "name", name, "what", what, "confirmed", confirm, "by", c.Key.ID)
	return nil
}

// mayModerate refuses all but moderators, and everything where there are no records.
func (s *Service) mayModerate(c Caller) error {
	err := c.Require(ScopeModerate)
	if err == nil && s.keeper == nil {
		err = errNoCustody
	}
	return err
}

// UndoHold takes back the decision about what waited that was made at a time. It is a Conflict when there is a later
// one.
func (s *Service) UndoHold(ctx context.Context, c Caller, name, what string, decided time.Time) error {
	err := s.mayModerate(c)
	if err != nil {
		return err
	}
	err = s.keeper.Undo(ctx, name, what, decided)
	if errors.Is(err, custody.ErrNotWaiting) {
		return notUndone()
	}
	if err != nil {
		return custodyError(err)
	}
	s.config.Log.InfoContext(ctx, "a decision about a hold was taken back", "name", name, "what", what, "by", c.Key.ID)
	return nil
}

// DecidedHolds returns what can still be taken back.
func (s *Service) DecidedHolds(ctx context.Context) ([]custody.Hold, error) {
	if s.keeper == nil {
		return nil, errNoCustody
	}
	list, err := s.keeper.Decided(ctx)
	return list, custodyError(err)
}

// Events returns what happened to records, in its order, from a number on.
func (s *Service) Events(ctx context.Context, domain string, least custody.Severity, after int64,
	limit int) ([]custody.NumberedEvent, error) {
	if s.keeper == nil {
		return nil, errNoCustody
	}
	f := custodian.EventFilter{Least: least}
	if domain != "" {
		var err error
		f.Publisher, err = publisherName(domain)
		if err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, s.limits.store)
	defer cancel()
	list, err := s.config.Custody.Events(ctx, f, after, limit)
	if err != nil {
		return nil, StoreTrouble(errors.Join(custodian.ErrUnavailable, err))
	}
	return list, nil
}

// Alerts returns the last alerts, the latest first. It takes a moderator.
func (s *Service) Alerts(ctx context.Context, c Caller, limit int) ([]custody.NumberedEvent, error) {
	err := s.mayModerate(c)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.limits.store)
	defer cancel()
	list, err := s.config.Custody.Events(ctx, custodian.EventFilter{Least: custody.Alert, Newest: true}, 0, limit)
	if err != nil {
		return nil, StoreTrouble(errors.Join(custodian.ErrUnavailable, err))
	}
	return list, nil
}

// WatchPublishers asks the publishers whose files are kept when that is due, until the
// service is closed.
func (s *Service) WatchPublishers() {
	if s.keeper == nil {
		return
	}
	s.start(func() {
		err := s.keeper.Watch(s.ctx, custodian.WatchOptions{Parallel: cmp.Or(s.config.Watchers, watchers)})
		if err != nil {
			s.config.Log.Error("publishers are not asked any more", "error", err)
		}
	})
}

// watchers is how many publishers are asked at the same time when no caller waits, unless
// the operator says otherwise.
const watchers = 4

// A Record is what is kept of a publisher.
type Record struct {
	// Publisher and File are the records; File is nil while no place was adopted.
	Publisher *custody.Publisher
	File      *custody.File
	// Held are the domains that the file does not list any more and that stay revoked.
	Held []string
}

// Record returns what is kept of a publisher. It makes no request.
func (s *Service) Record(ctx context.Context, domain string) (*Record, error) {
	state, err := s.Custody(ctx, domain, false)
	if err != nil {
		return nil, err
	}
	return &Record{state.Publisher, state.File, state.Held}, nil
}

// CanonicalIdentifier returns an identifier in the form in which the directory finds it.
func CanonicalIdentifier(id resolve.Identifier) resolve.Identifier {
	return custodian.CanonicalIdentifier(id)
}
