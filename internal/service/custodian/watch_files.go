package custodian

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
)

// askURL asks for a file that is due on its own, as one of the publishers that lead there
// would have it. At a well-known path it may be a publisher's own, which is asked for with
// the publisher. A file that no publisher points to any more is dropped: a pointer must not
// cause requests to a host for ever.
func (k *Keeper) askURL(ctx context.Context, url string) error {
	host := hostname.Domain(hostOf(url))
	if url == wellKnown(host) {
		asked, err := k.askOwn(ctx, host)
		if asked || err != nil {
			return err
		}
	}
	domain, err := k.config.Store.Lead(ctx, url)
	switch {
	case errors.Is(err, ErrNotFound) && strings.HasSuffix(url, besideMark):
		// It is asked for on request.
		err = errors.Join(k.settle(ctx, k.doubts.of(url)), k.config.Store.LetGo(ctx, url))
		if err == nil {
			return nil
		}
	case errors.Is(err, ErrNotFound) && k.doubts.about(url):
		return k.askFile(ctx, host, custody.Location{Method: custody.AuthoritativeLocation, URL: url}, time.Time{})
	case errors.Is(err, ErrNotFound):
		err = k.config.Store.LetGo(ctx, url)
		if err == nil {
			return nil
		}
	}
	if err != nil {
		return unavailable(ctx, err)
	}
	p, err := k.publisher(ctx, domain)
	switch {
	case err != nil:
		return err
	case p.Location.URL == url:
		return k.askFile(ctx, domain, p.Location, time.Time{})
	case p.Move != nil && p.Move.To.URL == url:
		return k.askFile(ctx, domain, p.Move.To, time.Time{})
	}
	return nil // it has changed meanwhile
}

// askOwn asks a publisher for its own file, if that is one that counts and is there. If it
// is not, or cannot be had, the file has no time of its own: it comes with the publisher.
func (k *Keeper) askOwn(ctx context.Context, domain hostname.Domain) (bool, error) {
	p, err := k.publisher(ctx, domain)
	if err != nil {
		return false, err
	}
	at, err := k.moment(ctx)
	if err != nil || !k.ownDue(p, at) {
		return false, err
	}
	return true, k.look(ctx, domain, ifDue)
}

// hostOf returns the host of a canonical URL without its port.
func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, ":")
	return host
}
