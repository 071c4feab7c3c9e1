package registry

import (
	"context"
	"errors"
	"regexp"
	"sync"
	"time"
)

// platformForm is what the name of a platform looks like.
var platformForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9_-]{1,64}$`) })

func checkPlatform(platform string) error {
	if platformForm().MatchString(platform) {
		return nil
	}
	return &Error{
		Kind: Invalid, Code: "invalid_platform", Message: "Invalid platform",
		Hint: "use 1 to 64 lower-case letters, digits, hyphens and underscores",
	}
}

// A MirrorView is a mirror with its document and where it is in its life.
type MirrorView struct {
	Mirror
	State MirrorState
	// Body is the document; nil in a list.
	Body []byte
}

// Mirror returns a mirror with its document.
func (s *Service) Mirror(ctx context.Context, platform string) (*MirrorView, error) {
	v, err := s.MirrorRecord(ctx, platform)
	if err != nil {
		return nil, err
	}
	v.Body, err = s.MirrorBody(ctx, v)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// MirrorRecord is Mirror without the document, for those who may have it.
func (s *Service) MirrorRecord(ctx context.Context, platform string) (*MirrorView, error) {
	m, err := s.mirror(ctx, platform)
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, noMirror()
	}
	return &MirrorView{Mirror: *m, State: m.State(s.config.Now(), s.mirrorKeep())}, nil
}

// MirrorBody returns the document of a mirror.
func (s *Service) MirrorBody(ctx context.Context, v *MirrorView) ([]byte, error) {
	return s.config.Store.Document(ctx, v.Document)
}

// mirror returns a stored mirror, nil when there is none.
func (s *Service) mirror(ctx context.Context, platform string) (*Mirror, error) {
	err := checkPlatform(platform)
	if err != nil {
		return nil, err
	}
	m, err := s.config.Store.Mirror(ctx, platform)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return m, err
}

// Mirrors returns a page of all mirrors, without their documents, and how many there
// are.
func (s *Service) Mirrors(ctx context.Context, limit, offset int) ([]MirrorView, int, error) {
	list, total, err := s.config.Store.Mirrors(ctx, limit, offset)
	if err != nil {
		return nil, 0, err
	}
	views := make([]MirrorView, len(list))
	for i := range list {
		views[i] = MirrorView{Mirror: list[i], State: list[i].State(s.config.Now(), s.mirrorKeep())}
	}
	return views, total, nil
}

// A MirrorResult is what became of a mirror that a keyholder wants to publish.
type MirrorResult struct {
	// Mirror is the mirror as it is served now, or would be.
	Mirror Mirror
	// Proposal is what a moderator has to decide on; nil when it is published.
	Proposal *Proposal
	Warnings []string
}

// PublishMirror creates or replaces the mirror of a platform. What a moderator
// publishes is served at once; for anybody else with a key it becomes a proposal.
func (s *Service) PublishMirror(ctx context.Context, caller Caller, platform string,
	request []byte) (*MirrorResult, error) {
	err := caller.Require(ScopeWrite)
	if err != nil {
		return nil, err
	}
	old, err := s.mirror(ctx, platform)
	if err != nil {
		return nil, err
	}
	moderator := caller.Key.Permits(ScopeModerate)
	if !moderator {
		err = s.mayPropose(ctx, caller, request)
	}
	if err != nil {
		return nil, err
	}
	leave, err := s.reserveContent(ctx, request)
	if err != nil {
		return nil, busyOr(err)
	}
	defer leave()
	file, err := s.makeMirrorFile(request)
	if err == nil {
		err = s.refuseOptedOut(file.publisherDomains...)
	}
	if err != nil {
		return nil, err
	}
	if !moderator && file.items > maxProposalItems {
		return nil, tooMuchToReview()
	}
	hash, err := s.config.Store.PutDocument(ctx, file.body)
	if err != nil {
		return nil, err
	}
	result := &MirrorResult{Mirror: *s.successor(old, platform, hash, file), Warnings: file.warnings}
	if result.Mirror.OwnFileURL != "" && file.supersededBy == "" {
		result.Warnings = append(result.Warnings, "the platform publishes its own file at "+result.Mirror.OwnFileURL+
			"; set superseded_by to it")
	}
	if moderator {
		return result, s.putMirror(ctx, &result.Mirror, documentOf(old))
	}
	result.Proposal, err = s.propose(ctx, caller, &result.Mirror, documentOf(old))
	return result, err
}

// putMirror stores a mirror in place of the one with the document base.
func (s *Service) putMirror(ctx context.Context, m *Mirror, base Hash) error {
	defer s.mirrorIndex.forget()
	err := s.config.Store.PutMirror(ctx, m, base)
	if errors.Is(err, ErrConflict) {
		return &Error{
			Kind: Conflict, Code: "mirror_changed", Message: "The mirror has changed in the meantime",
			Hint: "look at what it is now, and publish again",
		}
	}
	return err
}

func tooMuchToReview() *Error {
	return &Error{
		Kind: TooLarge, Code: "proposal_too_large", Message: "The proposal is too large to be reviewed",
		Hint: "send at most 1 MiB and 2000 items, or ask a moderator to publish it",
	}
}

func documentOf(m *Mirror) Hash {
	if m == nil {
		return ""
	}
	return m.Document
}

// successor returns what a mirror becomes with a new document.
func (s *Service) successor(old *Mirror, platform string, document Hash, file *mirrorFile) *Mirror {
	now := s.moment()
	next := &Mirror{Platform: platform, CreatedAt: now}
	if old != nil {
		*next = *old
	}
	next.Document, next.UpdatedAt = document, now
	next.CatalogETag, next.SupersededBy, next.PublisherDomains = file.catalogETag, file.supersededBy, file.publisherDomains
	event := publishMirror
	if file.supersededBy != "" {
		event = supersedeMirror
	}
	state := old.State(now, s.mirrorKeep())
	switch {
	case mirrorMoves[state][event] == MirrorServing:
		next.SupersededAt = time.Time{}
	case next.SupersededAt.IsZero():
		next.SupersededAt = now
	}
	return next
}

// DeleteMirror removes a mirror that has been superseded for long enough, or with
// force any. It takes a moderator.
func (s *Service) DeleteMirror(ctx context.Context, caller Caller, platform string, force bool) error {
	err := caller.Require(ScopeModerate)
	if err != nil {
		return err
	}
	m, err := s.mirror(ctx, platform)
	if err != nil {
		return err
	}
	state := m.State(s.config.Now(), s.mirrorKeep())
	event := removeMirror
	if force {
		event = forceMirror
	}
	if mirrorMoves[state][event] != MirrorAbsent {
		return s.refusedMove(m, state)
	}
	defer s.mirrorIndex.forget()
	err = s.config.Store.DeleteMirror(ctx, platform, m.Document)
	switch {
	case errors.Is(err, ErrNotFound):
		return noMirror()
	case errors.Is(err, ErrConflict):
		return &Error{Kind: Conflict, Code: "mirror_changed", Message: "The mirror has changed in the meantime",
			Hint: "look at what it is now, and delete it again"}
	}
	return err
}
