package authorize

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/settings"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/std/words"
)

// proofFlags say which receipt is wanted.
type proofFlags struct {
	file, key string
	wait      time.Duration
}

// add adds the flags. The key of the log is a setting of the service, so that a machine that runs one has it.
func (p *proofFlags) add(cmd *cobra.Command, s *settings.Settings) {
	flags := cmd.Flags()
	flags.StringVar(&p.file, "proof", "",
		"write a receipt to `FILE`: the answer, signed, and what it rests on, proved by the transparency log of the store")
	flags.DurationVar(&p.wait, "wait", 15*time.Second,
		"with --proof: `TIME` to wait until the log of the service has the answer")
	s.Define(func(flags, _ *pflag.FlagSet) {
		flags.StringVar(&p.key, "log-key", "",
			"with --proof: `FILE` with the keys of the transparency log, which sign the receipt; AVOW_LOG_KEY sets it as well")
	})
}

// receipt returns the receipt of an answer from a source; nil if none is wanted.
func (p *proofFlags) receipt(ctx context.Context, source *sources.Source, c *notary.Claim) (*notary.Receipted, error) {
	if p.file == "" {
		return nil, nil
	}
	var keys *notary.Keys
	if p.key != "" {
		var err error
		keys, err = sources.ReadLogKeys(p.key)
		if err != nil {
			return nil, err
		}
	}
	return source.Receipt(ctx, c, keys, p.wait)
}

// receiptOf says how an answer relates to the transparency log. The receipt itself is a file.
func receiptOf(r *notary.Receipted) *answer.Receipt {
	doc := r.Document()
	if doc != nil {
		doc.Text = ""
	}
	return doc
}

// write writes the receipt that was asked for, or says why there is none. That does not
// change the verdict.
func (p *proofFlags) write(a *console.App, r *notary.Receipted) error {
	switch {
	case r == nil:
		return nil
	case r.Receipt == nil:
		a.Note("no receipt was written (%s): %s", r.State, r.Reason)
		return nil
	}
	err := console.WriteFile(p.file, r.Receipt.Text())
	if err != nil {
		return err
	}
	a.Note("wrote %s, a receipt with %s; avow log verify checks it", p.file,
		words.Plural(len(r.Receipt.Leaves), "leaf", "leaves"))
	return nil
}
