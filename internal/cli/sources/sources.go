// Package sources says where the documents of a run come from: files at hand, the web, mirrors,
// and the store in which files are kept over time.
package sources

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/std/clock"
	"github.com/avow-project/avow/internal/websource"
	"github.com/avow-project/avow/resolve"
)

// A Source is where the documents of one run come from. It has to be closed.
type Source struct {
	resolve.Source
	// kept is nil unless documents are kept over time.
	kept *Kept
}

// Last returns what is kept about a publisher without asking anybody.
func (s *Source) Last(ctx context.Context, publisher string) (*resolve.Document, error) {
	if s.kept == nil || !s.kept.asOf.IsZero() {
		return nil, nil
	}
	domain, err := custodian.ParseDomain(publisher)
	if err != nil {
		return nil, err
	}
	doc, err := s.kept.keeper.Last(ctx, domain)
	return doc, StoreError(err)
}

// Revoked returns which of some domains a publisher has revoked during the last week, as far as
// that was kept.
func (s *Source) Revoked(ctx context.Context, publisher string, of ...string) ([]string, error) {
	if s.kept == nil {
		return nil, nil
	}
	list, err := s.kept.keeper.Revoked(ctx, publisher, of...)
	return list, StoreError(err)
}

// Close closes the store, if there is one.
func (s *Source) Close() error {
	if s.kept == nil {
		return nil
	}
	return s.kept.Close()
}

// Open returns where documents come from: what is kept and the web, or what --file
// names. publisher is the domain that a single file speaks for.
func Open(ctx context.Context, a *console.App, f *Flags, publisher string) (*Source, error) {
	switch {
	case f.File == "" && f.NoState:
		web, err := webSource(a, f.Web)
		if err != nil {
			return nil, err
		}
		web, err = withMirrors(a, web, f)
		return &Source{Source: web}, err
	case f.File == "":
		kept, err := OpenKept(ctx, a, f)
		if err != nil {
			return nil, err
		}
		source, err := withMirrors(a, kept, f)
		if err != nil {
			return nil, errors.Join(err, kept.Close())
		}
		return &Source{Source: source, kept: kept}, nil
	}
	at, err := sourceAtHand(a, f, publisher)
	return &Source{Source: at}, err
}

// sourceAtHand is what --file names.
func sourceAtHand(a *console.App, f *Flags, publisher string) (resolve.Source, error) {
	info, err := os.Stat(f.File)
	switch {
	case f.File == "-":
	case err != nil:
		return nil, console.Failure("", "cannot read %s: %s", f.File, console.Reason(err))
	case info.IsDir():
		return &folderSource{dir: f.File, now: a.Env.Now()}, nil
	}
	if publisher == "" {
		return nil, console.UsageError("name the publisher that the file speaks for, or a folder with a file for each",
			"--file %s: whose file is it?", f.File)
	}
	domain, err := ParseName(publisher)
	if err != nil {
		return nil, err
	}
	src, err := a.Read(f.File)
	if err != nil {
		return nil, err
	}
	return &fileSource{name: f.File, doc: documentAtHand(string(domain), f.File, src, a.Env.Now())}, nil
}

func webSource(a *console.App, w *request.Flags) (resolve.Source, error) {
	web, err := request.NewAsker(a, w, adagents.Options{Now: a.Env.Now()})
	if err != nil {
		return nil, err
	}
	return websource.NewSource(web.Finder, websource.SourceConfig{
		Discover: web.Options, Keep: keepDocuments, Timeout: w.Timeout, Now: a.Env.Now,
	}), nil
}

// Receipt returns how an answer stands to the transparency log of the store, with a receipt if what
// it rests on is in the log, signed with the keys of the log. A receipt that is to come in a moment
// is waited for.
func (s *Source) Receipt(ctx context.Context, c *notary.Claim, keys *notary.Keys,
	wait time.Duration) (*notary.Receipted, error) {
	switch {
	case s.kept == nil:
		return &notary.Receipted{State: notary.NotLogged, Reason: "the answer does not come from a store"}, nil
	case !s.kept.asOf.IsZero():
		return &notary.Receipted{State: notary.NotLogged,
			Reason: "an answer about the past is proved leaf by leaf, with avow log prove INDEX"}, nil
	}
	prover, end := notary.Prover{Store: s.kept.store.Log()}, time.Now().Add(wait)
	for {
		r, err := prover.Receipt(ctx, c, keys)
		if err != nil || r.State != notary.Pending || !time.Now().Before(end) || !clock.Pause(ctx, askAgain) {
			return r, err
		}
	}
}

// askAgain is how long after a proof that is not there yet it is asked for again.
const askAgain = 500 * time.Millisecond
