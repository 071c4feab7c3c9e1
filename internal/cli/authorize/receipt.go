package authorize

import (
	"time"

	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/std/words"
)

// receiptOf says how an answer relates to the transparency log. The receipt itself is a file.
func receiptOf(r *notary.Receipted) *answer.Receipt {
	doc := r.Document()
	if doc != nil {
		doc.Text = ""
	}
	return doc
}

// writeReceipt writes the receipt that was asked for, or says why there is none. That does not
// change the verdict.
func writeReceipt(a *console.App, file string, newest bool, r *notary.Receipted) error {
	switch {
	case r == nil:
		return nil
	case r.Receipt == nil:
		a.Note("no receipt was written (%s): %s", r.State, r.Reason)
		return nil
	}
	err := console.WriteFile(file, r.Receipt.Text())
	if err != nil {
		return err
	}
	what := words.Plural(len(r.Receipt.Leaves), "leaf", "leaves")
	if !r.NewestAt.IsZero() {
		what += " and the map of " + r.NewestAt.Format(time.DateOnly)
	}
	a.Note("wrote %s, a receipt with %s; avow log verify checks it", file, what)
	if newest && r.NewestAt.IsZero() {
		a.Note("no map of the log covers all of it yet; the log makes one at the beginning of each day (UTC)")
	}
	return nil
}
