package registry

import (
	"context"
	"time"

	"github.com/avow-project/avow/discover"
)

const (
	// defaultMirrorCheck is how often the platforms of mirrors are looked at.
	defaultMirrorCheck = 24 * time.Hour
	// mirrorDomains is the number of publishers of a mirror that are looked at.
	mirrorDomains = 10
	// mirrorPage is the number of mirrors read at once.
	mirrorPage = 100
)

// WatchMirrors looks at the platforms of all mirrors now and then, until the service is
// closed: a platform may publish a file of its own any day.
func (s *Service) WatchMirrors() {
	every := s.config.MirrorCheck
	if every <= 0 {
		every = defaultMirrorCheck
	}
	s.repeat(every, s.CheckMirrors, func(err error) { s.config.Log.Error("cannot look after mirrors", "error", err) })
}

// CheckMirrors looks whether the platforms of mirrors publish files of their own, and
// notes it. A mirror is not superseded by that alone: whether the platform's file has
// what the mirror has is for a moderator to say.
func (s *Service) CheckMirrors(ctx context.Context) error {
	for offset := 0; ; offset += mirrorPage {
		list, _, err := s.config.Store.Mirrors(ctx, mirrorPage, offset)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			err := s.checkMirror(ctx, &list[i])
			if err != nil {
				return err
			}
		}
	}
}

// checkMirror looks at the publishers of one mirror.
func (s *Service) checkMirror(ctx context.Context, m *Mirror) error {
	found, known := "", true
	for _, domain := range m.PublisherDomains[:min(len(m.PublisherDomains), mirrorDomains)] {
		c, _, err := s.look(budgeted(ctx), domain, looking{reuse: reuseTime})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || c.discovery.Answer == discover.Unreachable {
			known = false
			continue
		}
		if c.discovery.Answer == discover.Usable && c.discovery.ResolvedURL != s.config.BaseURL+MirrorPath(m.Platform) {
			found = c.discovery.ResolvedURL
			break
		}
	}
	if found == "" && !known {
		return nil // nothing is known, so nothing has changed
	}
	next := *m
	next.CheckedAt = s.moment()
	switch {
	case found == "":
		next.OwnFileAt = time.Time{}
	case m.OwnFileURL == "":
		s.config.Log.WarnContext(ctx, "a mirrored platform publishes its own file", "platform", m.Platform, "url", found)
		next.OwnFileAt = next.CheckedAt
	}
	next.OwnFileURL = found
	return s.config.Store.NoteOwnFile(ctx, &next)
}

// MirrorPath returns the path at which a mirror is served.
func MirrorPath(platform string) string { return "/translated/" + platform + "/adagents.json" }
