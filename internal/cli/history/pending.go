package history

import (
	"context"
	"errors"
	"fmt"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/diff"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/wire"
)

// A waiting is something that waits, with what it would change.
type pendingHold struct {
	custody.Hold
	changes []custody.Change
	// unknown says why the changes are not known; empty when they are.
	unknown string
}

// pending compares what is pending with what is in effect.
func (k *kept) pending(ctx context.Context, h custody.Hold) (*pendingHold, error) {
	w := &pendingHold{Hold: h}
	if h.File != nil {
		return w, k.compare(ctx, w, "", h.File.Hash, h.File.Refused.Hash)
	}
	next, err := k.hashAt(ctx, h.Publisher.Move.To.URL)
	if err != nil {
		return nil, err
	}
	old, err := k.hashAt(ctx, h.Publisher.Location.URL)
	if err != nil {
		return nil, err
	}
	if next == "" {
		w.unknown = "there is no file at the new location that can be used"
		return w, nil
	}
	return w, k.compare(ctx, w, string(h.Publisher.Domain), old, next)
}

// hashAt is the version in effect at a URL; empty for none.
func (k *kept) hashAt(ctx context.Context, url string) (string, error) {
	f, err := k.File(ctx, url)
	if errors.Is(err, custodian.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return f.Hash, nil
}

// compare fills in the changes between two versions, as far as they can be known.
func (k *kept) compare(ctx context.Context, w *pendingHold, domain, old, next string) error {
	var sides [2]*diff.Side
	for i, hash := range []string{old, next} {
		src, err := k.Document(ctx, hash)
		if errors.Is(err, custodian.ErrNotFound) {
			w.unknown = "there is no other version to compare with"
			return nil
		}
		if err != nil {
			return err
		}
		sides[i], w.unknown = sideOrWhy(hash, domain, src)
		if w.unknown != "" {
			return nil
		}
	}
	w.changes = diff.CompareVersions(sides[0], sides[1])
	return nil
}

// sideOrWhy returns a version, or says why it cannot be compared.
func sideOrWhy(hash, domain string, src []byte) (*diff.Side, string) {
	s, err := diff.NewSide(sources.ShortHash(hash), domain, src)
	if err != nil {
		return nil, err.Error()
	}
	return s, ""
}

// name and what are the arguments of a decision.
func (w *pendingHold) name() string {
	if w.File != nil {
		return w.File.URL
	}
	return string(w.Publisher.Domain)
}

func (w *pendingHold) what() string {
	if w.File != nil {
		return w.File.Refused.Hash
	}
	return w.Publisher.Move.To.URL
}

// words say what waits and why. The text is not escaped.
func (w *pendingHold) words() string {
	if w.File != nil {
		return sources.RefusalWords(w.File)
	}
	return sources.MoveWords(w.Publisher)
}

// jsonHold is something that waits, in JSON.
type jsonHold struct {
	Kind         string             `json:"kind"` // move or version
	Publisher    string             `json:"publisher,omitempty"`
	URL          string             `json:"url,omitempty"`
	From         *wire.CustodyPlace `json:"from,omitempty"`
	wire.Pending                    // what is the second argument of a decision
	// Changes is null when it is not known what would change.
	Changes *[]wire.CustodyChange `json:"changes"`
	Unknown string                `json:"changes_unknown,omitempty"`
}

func (w *pendingHold) document() *jsonHold {
	doc := &jsonHold{Kind: "move", Pending: wire.Pending{What: w.what()}, Unknown: redact.Credentials(w.unknown)}
	if w.File != nil {
		doc.Kind, doc.URL, doc.Refused = "version", redact.URL(w.File.URL), wire.CLI.Refusal(w.File)
	} else {
		doc.Publisher, doc.From, doc.Move = string(w.Publisher.Domain), wire.CLI.Location(w.Publisher.Location),
			wire.CLI.Move(w.Publisher)
	}
	if w.unknown == "" {
		changes := wire.ChangesOf(w.changes)
		doc.Changes = &changes
	}
	return doc
}

// showHold writes what waits, what it would change and how to decide.
func showHold(a *console.App, w *pendingHold) {
	t := &diff.Text{W: a.Out, Paint: a.Style(console.Stdout), Width: a.TextWidth()}
	fmt.Fprintf(a.Out, "%s\n", console.Wrap(console.Safe(w.words()), t.Width))
	t.Changes(console.Capped(w.changes), "  ")
	switch more := len(w.changes) - console.MostListed; {
	case w.unknown != "":
		fmt.Fprintf(a.Out, "  what would change is not known: %s\n", console.Safe(redact.Credentials(w.unknown)))
	case len(w.changes) == 0:
		fmt.Fprintln(a.Out, "  nothing that the file says would change")
	case more > 0:
		fmt.Fprintf(a.Out, "  %d more; --format json has all\n", more)
	}
	fmt.Fprintf(a.Out, "  %s avow hold confirm %s %s\n\n", t.Paint.Dim("to confirm:"),
		console.Safe(console.ShellQuote(w.name())), console.Safe(console.ShellQuote(w.what())))
}
