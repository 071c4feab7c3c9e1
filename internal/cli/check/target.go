package check

import (
	"context"
	"path/filepath"

	"github.com/avow-project/avow/discover"
)

// A Target is one thing to check.
type Target struct {
	// Name is what the user wrote or what a pattern matched; it is outside
	// text.
	Name  string
	Stdin bool
	// Web is the canonical domain to ask about, or the URL of a file when
	// ByURL is set; empty for a file at hand.
	Web   string
	byURL bool
	// Ask obtains it in a way of its own; nil for a file, and for what is asked for on the web
	// like anything else.
	Ask func(ctx context.Context) *discover.Discovery
	// Note is something the user should know about how the name was read.
	Note string
	// Err says why the target cannot be checked.
	Err error
}

// Label is the name for people. Programs get "-" for standard input, as the
// user wrote it.
func (t Target) Label() string {
	if t.Stdin {
		return "stdin"
	}
	return t.Name
}

// key tells two names of one target.
func (t Target) key() string {
	if t.OnWeb() {
		return "https://" + t.Web
	}
	return filepath.Clean(t.Name)
}

// ByURL reports whether Web is the URL of a file.
func (t Target) ByURL() bool { return t.byURL }

// OnWeb reports whether the target is asked for on the web.
func (t Target) OnWeb() bool { return t.Web != "" }

// WellKnown is the URL that is asked first.
func (t Target) WellKnown() string {
	if t.byURL {
		return t.Web
	}
	return "https://" + t.Web + wellKnownPath
}
