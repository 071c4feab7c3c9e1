package custodian

import (
	"context"
	"errors"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/translog"
)

// besideMark ends the URL of a record that is kept beside those of publishers. A canonical URL has no
// fragment, so no publisher leads to such a record, and no question is answered from one.
const besideMark = "#experimental"

// A Beside is what is kept of a file that is not an adagents.json.
type Beside struct {
	// File is the record, which has no Hash while no version was adopted.
	File     *custody.File
	Standing custody.Standing
	// Body is the version in effect; nil when it is not kept.
	Body []byte
	// Subject is what leaves of the transparency log about it are about.
	Subject translog.Subject
}

// A BesideReader says why a body is not a file of the kind that is kept.
type BesideReader func(body []byte) error

// TakeBeside keeps what the web answered for the file at a URL that is not an adagents.json: with
// versions, events and leaves of the log, as a file that only strangers asked for. Each version takes
// effect at once, whatever its date: no answer depends on it, so no version waits for a moderator. Nothing
// is kept of a file that never was there.
func (k *Keeper) TakeBeside(ctx context.Context, domain hostname.Domain, url string, r *fetch.Result, read BesideReader) error {
	hop := &discover.Hop{URL: url, Result: r}
	outcome, unasked := outcomeOf(hop, false)
	if unasked {
		return nil
	}
	g := &glimpse{url: url + besideMark, beside: true}
	g.observation = custody.Observation{Outcome: outcome, At: k.now().UTC(), Headers: r.Last().Caching(), Detail: r.PublicError()}
	if outcome == custody.Whole {
		err := read(r.Body)
		if err != nil {
			g.observation.Outcome, g.observation.Detail = custody.Invalid, unusable+"it "+err.Error()
		} else {
			g.body, g.report = r.Body, adagents.Check(r.Body, adagents.Options{Domain: string(domain)})
			g.observation.Hash, g.observation.Bytes, g.observation.Detail = hashOf(hop), int64(len(r.Body)), ""
		}
	}
	_, revision, err := k.brief(ctx, g.url)
	if err != nil || revision == 0 && g.observation.Outcome != custody.Whole {
		return err
	}
	return k.applyFile(AskedBy(ctx, Stranger), domain, g)
}

// Beside returns what is kept of the file at a URL that is not an adagents.json.
func (k *Keeper) Beside(ctx context.Context, url string) (*Beside, error) {
	url += besideMark
	at, err := k.moment(ctx)
	if err != nil {
		return nil, err
	}
	f, _, err := k.brief(ctx, url)
	if err != nil {
		return nil, err
	}
	b := &Beside{File: f, Standing: f.Standing(at), Subject: translog.File(url)}
	if f.Hash == "" || k.doubts.about(url) {
		return b, nil
	}
	leave, err := k.room(ctx, f.Bytes)
	if err != nil {
		return nil, err
	}
	defer leave()
	b.Body, err = k.config.Store.Document(ctx, f.Hash)
	if errors.Is(err, ErrNotFound) {
		return b, nil // it was removed to make room
	}
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	return b, nil
}
