package supplypath

import (
	"errors"
	"time"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// MaxAge is how old a file may be that counts.
const MaxAge = 7 * 24 * time.Hour

// An Evidence is a file with how and when it was found.
type Evidence struct {
	// Publisher is the domain that the file is about.
	Publisher string
	// Method is how it was found, in the words of package discover: direct or authoritative_location.
	// A file that was found otherwise does not count.
	Method string
	// ResolvedURL is where the file came from in the end.
	ResolvedURL string
	FetchedAt   time.Time
	// Expires is when the copy runs out; the zero time means never.
	Expires time.Time
	File    []byte
}

// Check returns why a file does not count at a time, nil if it does. The revocations of a file that does
// not count are still to be held.
func (e *Evidence) Check(now time.Time) error {
	info, err := e.resolved()
	switch {
	case err != nil:
		return err
	case e.Method == "direct" && info.Host != e.Publisher:
		return errors.New("the file comes from another host than the publisher's own")
	case e.Method != "direct" && e.Method != "authoritative_location":
		return errors.New("only a file at the publisher's own address, or at the location it names, counts")
	case e.FetchedAt.After(now):
		return errors.New("the file is from the future: check the clock")
	case now.Sub(e.FetchedAt) > MaxAge:
		return errors.New("the copy is more than seven days old: fetch the file again")
	case !e.Expires.IsZero() && !now.Before(e.Expires):
		return errors.New("the copy has run out: fetch the file again")
	}
	tree, err := jsontree.Parse(e.File, jsontree.Options{})
	if err != nil {
		return err
	}
	root := tree.Root()
	if !root.Get("authorized_agents").Is(jsontree.Array) || root.Has("authoritative_location") ||
		root.Has("superseded_by") {
		return errors.New("the file has no list authorized_agents of its own")
	}
	return nil
}

// resolved returns the address of a file, which has to be a plain one on the web.
func (e *Evidence) resolved() (hostname.URLInfo, error) {
	_, info, err := hostname.CanonicalURL(e.ResolvedURL)
	switch {
	case err != nil:
		return info, errors.New("where the file came from is not known")
	case info.Scheme != "https" || info.HasUserinfo || info.HasFragment || info.Port != "":
		return info, errors.New("the file does not come from a plain https address")
	}
	return info, nil
}

// Shared reports whether a file came from another origin than the publisher's, which is what
// Party.Shared means.
func (e *Evidence) Shared() bool {
	info, err := e.resolved()
	return err != nil || info.Host != e.Publisher
}
