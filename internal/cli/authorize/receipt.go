package authorize

import (
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
)

// receiptDocument says how an answer stands to the transparency log.
type receiptDocument struct {
	State  string `json:"state"`
	Reason string `json:"reason,omitempty"`
	// Since is when what is pending was decided.
	Since  *string `json:"since,omitempty"`
	Leaves int     `json:"leaves"`
	// NewestAt is when the log had nothing newer, by the map in the receipt.
	NewestAt *string `json:"newest_at,omitempty"`
}

func receiptDocumentOf(r *notary.Receipted) *receiptDocument {
	if r == nil {
		return nil
	}
	doc := &receiptDocument{State: r.State, Reason: r.Reason, Since: wire.CLI.OptionalTime(r.Since), NewestAt: wire.CLI.OptionalTime(r.NewestAt)}
	if r.Receipt != nil {
		doc.Leaves = len(r.Receipt.Leaves)
	}
	return doc
}

// writeReceipt writes the receipt that was asked for, or says why there is none. That does not
// change the verdict.
func writeReceipt(a *console.App, f *authorizeFlags, r *notary.Receipted) error {
	switch {
	case r == nil:
		return nil
	case r.Receipt == nil:
		a.Note("no receipt was written (%s): %s", r.State, r.Reason)
		return nil
	}
	err := console.WriteFile(f.proof, r.Receipt.Text())
	if err != nil {
		return err
	}
	what := words.Plural(len(r.Receipt.Leaves), "leaf", "leaves")
	if !r.NewestAt.IsZero() {
		what += " and the map of " + r.NewestAt.Format(time.DateOnly)
	}
	a.Note("wrote %s, a receipt with %s; avow log verify checks it", f.proof, what)
	if f.newest && r.NewestAt.IsZero() {
		a.Note("no map of the log covers all of it yet; the log makes one at the beginning of each day (UTC)")
	}
	return nil
}
