package registry

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A HeldChange is something that waits for a decision, with the documents on both sides.
type HeldChange struct {
	custody.Hold
	// Now is the document in effect, and Next the one that waits; nil for one that is not kept, or is
	// larger than LargestCompared.
	Now, Next []byte
}

// LargestCompared is the size of the largest document that is shown beside another one.
const LargestCompared = 2 << 20

// HeldChange returns what waits under a name, as it was read; see DecideHold.
func (s *Service) HeldChange(ctx context.Context, c Caller, name, what string) (*HeldChange, error) {
	err := s.mayModerate(c)
	if err != nil {
		return nil, err
	}
	h := &HeldChange{}
	var now, next string
	if strings.Contains(name, "://") {
		h.File, err = s.fileRecord(ctx, name)
		if err == nil && (h.File.Refused == nil || h.File.Refused.Hash != what) {
			err = custody.ErrNotWaiting
		}
		if err != nil {
			return nil, custodyError(err)
		}
		now, next = h.File.Hash, h.File.Refused.Hash
	} else {
		h.Publisher, now, next, err = s.move(ctx, name, what)
		if err != nil {
			return nil, custodyError(err)
		}
	}
	h.Now, err = s.compared(ctx, now)
	if err == nil {
		h.Next, err = s.compared(ctx, next)
	}
	return h, err
}

// move returns a publisher whose move waits, and the versions in effect at both locations; "" for none.
func (s *Service) move(ctx context.Context, name, to string) (*custody.Publisher, string, string, error) {
	domain, err := custodian.ParseDomain(name)
	if err != nil {
		return nil, "", "", custody.ErrNotWaiting
	}
	p, err := s.config.Custody.Publisher(ctx, domain)
	if errors.Is(err, custodian.ErrNotFound) || err == nil && (p.Move == nil || p.Move.To.URL != to) {
		err = custody.ErrNotWaiting
	}
	if err != nil {
		return nil, "", "", err
	}
	var hashes [2]string
	for i, url := range []string{p.Location.URL, p.Move.To.URL} {
		f, err := s.fileRecord(ctx, url)
		if err != nil && !errors.Is(err, custody.ErrNotWaiting) {
			return nil, "", "", err
		}
		if err == nil {
			hashes[i] = f.Hash
		}
	}
	return p, hashes[0], hashes[1], nil
}

// fileRecord returns the record of a URL without its revocations.
func (s *Service) fileRecord(ctx context.Context, name string) (*custody.File, error) {
	url, _, err := hostname.CanonicalURL(name)
	if err != nil {
		return nil, custody.ErrNotWaiting
	}
	f, _, err := s.config.Custody.Brief(ctx, url)
	if errors.Is(err, custodian.ErrNotFound) {
		return nil, custody.ErrNotWaiting
	}
	return f, err
}

// compared returns a document that can be shown; nil for none.
func (s *Service) compared(ctx context.Context, hash string) ([]byte, error) {
	if hash == "" {
		return nil, nil
	}
	body, err := s.config.Custody.Document(ctx, hash)
	switch {
	case errors.Is(err, custodian.ErrNotFound) || err == nil && len(body) > LargestCompared:
		return nil, nil
	case err != nil:
		return nil, custodyError(err)
	}
	return body, use(ctx, "held "+hash, checkFactor*len(body))
}

// Strangers are those of some agents that the publisher's files never named or, of a version that was
// refused, that the one in effect does not.
func (h *HeldChange) Strangers(now, next []string) []string {
	known := now
	if h.Publisher != nil {
		known = slices.Concat(now, h.Publisher.Agents)
	}
	return slices.DeleteFunc(slices.Clone(next), func(agent string) bool { return slices.Contains(known, agent) })
}
