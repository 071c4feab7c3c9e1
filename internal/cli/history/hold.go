package history

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
)

const holdHelp = `Hold shows what is waiting for a decision, and makes it. There are two kinds.

A publisher's file comes from another location than before: its pointer leads elsewhere, or
its own file became a pointer, or the other way round. An attacker who has taken over a website
could do the same, so the old location stays in effect for another day or, if there is a
sign against the move, until an operator confirms it. Confirm puts the new location in
effect at once; reject keeps it out until an operator confirms it.

A version of a file that was refused, because it is older than one that was in effect, or has
no date or one in the future. The version before stays in effect for another day. Confirm
accepts the refused version the next time it is seen. Without that it has no effect, so there
is nothing to reject.

A decision names what you have looked at: the new location, or the hash of the version, as
the list shows them. If that has changed in the meantime, nothing is decided.

Release ends the hold of a revocation that a file does not list any more.`

// HoldCommand returns the command hold.
func HoldCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hold",
		Short: "review suspicious changes: confirm or reject",
		Long:  holdHelp,
		Example: `  avow hold list
  avow hold confirm example.com https://cdn.example.net/adagents.json
  avow hold reject example.com https://cdn.example.net/adagents.json --yes
  avow hold confirm https://cdn.example.net/adagents.json 3f9a2c51d0b7`,
	}
	return a.Group(cmd, holdListCommand(a), holdDecideCommand(a, confirmHold), holdDecideCommand(a, rejectHold),
		holdReleaseCommand(a))
}

func holdListCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "list pending changes: since when, why, and what they do",
		Long: `List prints everything that waits for a decision: since when, why, what would change if it
counted, and how to decide. JSON output has one document per line.

Exit codes: 0 they were listed, if there are any, 2 wrong usage, 3 the store could not be read.`,
		Example:           "  avow hold list\n  avow hold list --format json | jq -r .publisher",
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f, format := sources.AddOperatorFlags(cmd), console.AddChoice(cmd, "format", "output format", "text", "json")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return withKeeper(cmd.Context(), a, f, func(ctx context.Context, k *kept) error {
			return listHolds(ctx, a, k, format.Value)
		})
	}
	return cmd
}

func listHolds(ctx context.Context, a *console.App, k *kept, format string) error {
	holds, err := k.keeper.Holds(ctx)
	if err != nil {
		return err
	}
	for i := range holds {
		w, err := k.pending(ctx, holds[i])
		if err != nil {
			return err
		}
		if format == "json" {
			err = console.WriteJSONLine(a.Out, w.document())
			if err != nil {
				return err
			}
			continue
		}
		showHold(a, w)
	}
	if len(holds) == 0 && format == "text" {
		a.Note("nothing is pending")
	}
	return nil
}

// A holdDecision is one of the two decisions.
type holdDecision struct {
	name, short, long, asks, done string
	decide                        func(*custodian.Keeper, context.Context, string, string) error
}

var confirmHold = holdDecision{
	name: "confirm", short: "accept the new location, or the refused version",
	long: `Confirm accepts what is pending. DOMAIN LOCATION puts a publisher's new location in effect
at once, whatever speaks against it. URL HASH accepts a refused version the next time it is
seen; the first 8 digits of the hash are enough.`,
	asks: "confirm this", done: "confirmed", decide: (*custodian.Keeper).Confirm,
}

var rejectHold = holdDecision{
	name: "reject", short: "refuse a publisher's new location, so that it needs a decision",
	long: `Reject refuses a publisher's new location, also when it comes again. The old location stays
in effect within its time, which ends a week after the publisher last named it. A rejected
location can still be confirmed.`,
	asks: "reject this", done: "rejected", decide: (*custodian.Keeper).Reject,
}

func holdDecideCommand(a *console.App, d holdDecision) *cobra.Command {
	use, example := d.name+" DOMAIN LOCATION", "  avow hold "+d.name+" example.com https://cdn.example.net/adagents.json"
	if d.name == confirmHold.name {
		use += " | URL HASH"
		example += "\n  avow hold confirm https://cdn.example.net/adagents.json 3f9a2c51d0b7"
	}
	cmd := &cobra.Command{
		Use:   use,
		Short: d.short,
		Long: d.long + `

On a terminal what waits is shown first, and the decision has to be confirmed; --yes
leaves that out.

Exit codes: 0 it was decided, 1 nothing of that name waits or the decision was not
confirmed, 2 wrong usage, 3 the store could not be read or written.`,
		Example:           example,
		Args:              decisionArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f, yes := sources.AddOperatorFlags(cmd), false
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withKeeper(cmd.Context(), a, f, func(ctx context.Context, k *kept) error {
			return decide(ctx, a, k, d, args, yes)
		})
	}
	return cmd
}

func decisionArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) != 2:
		return console.UsageError("avow hold list shows both",
			"%s needs the name of what is pending and the version or location that was read, got %d arguments",
			cmd.CommandPath(), len(args))
	case args[0] == "" || args[1] == "":
		return console.UsageError("is a variable of your script not set?", "the name of what is pending is empty")
	}
	return nil
}

// decide finds what waits, asks, and decides.
func decide(ctx context.Context, a *console.App, k *kept, d holdDecision, args []string, yes bool) error {
	hold, err := k.find(ctx, d, args[0], args[1])
	if err != nil {
		return err
	}
	w, err := k.pending(ctx, *hold)
	if err != nil {
		return err
	}
	if !yes && a.Env.IsTerminal(console.Stdin) {
		showHold(a, w)
		err = a.Out.Flush()
		if err != nil {
			return err
		}
		answer, err := console.NewPrompter(a).Ask(console.Question{Text: d.asks, Words: []string{"no", "yes"},
			ByDefault: "no"})
		if err != nil {
			return err
		}
		if answer != "yes" {
			return &console.Error{Code: console.ExitNo, Message: "nothing was decided"}
		}
	}
	err = d.decide(k.keeper, ctx, w.name(), w.what())
	if errors.Is(err, custody.ErrNotWaiting) {
		return notWaiting(args[0])
	}
	if err != nil {
		return err
	}
	text := d.done + " " + redact.URL(w.what()) + " for " + redact.URL(w.name())
	if w.File != nil {
		text += "; it takes effect when it is seen again, as by avow watch or avow authorize --refresh"
	}
	a.Note("%s", text)
	return nil
}

func notWaiting(name string) error {
	return &console.Error{Code: console.ExitNo, Message: "nothing of that name is pending for " + redact.URL(name),
		Hint: "avow hold list shows what is; something else may have replaced it"}
}

// find returns what waits under a name, if it is what was read.
func (k *kept) find(ctx context.Context, d holdDecision, name, what string) (*custody.Hold, error) {
	if strings.Contains(name, "://") {
		if d.name == rejectHold.name {
			return nil, console.UsageError("leave it alone; avow hold confirm would let it in",
				"a refused version has no effect, so there is nothing to reject")
		}
		return k.findVersion(ctx, name, what)
	}
	domain, err := sources.ParseName(name)
	if err != nil {
		return nil, err
	}
	p, err := k.Publisher(ctx, domain)
	if err != nil && !errors.Is(err, custodian.ErrNotFound) {
		return nil, err
	}
	place, _, invalid := hostname.CanonicalURL(what)
	if err != nil || invalid != nil || p.Move == nil || p.Move.To.URL != place {
		return nil, notWaiting(name)
	}
	return &custody.Hold{Publisher: p}, nil
}

// shortestDecision is the least number of digits of a hash that an operator decides on.
const shortestDecision = 8

func (k *kept) findVersion(ctx context.Context, name, what string) (*custody.Hold, error) {
	url, _, err := hostname.CanonicalURL(name)
	if err != nil {
		return nil, console.UsageError("avow hold list shows the URLs", "%s: the URL %v", redact.URL(name), err)
	}
	hash := strings.ToLower(what)
	if len(hash) < shortestDecision {
		return nil, console.UsageError("avow hold list shows it whole", "%q is too short for the hash of a version", what)
	}
	f, err := k.File(ctx, url)
	if err != nil && !errors.Is(err, custodian.ErrNotFound) {
		return nil, err
	}
	if err != nil || f.Refused == nil || !strings.HasPrefix(f.Refused.Hash, hash) {
		return nil, notWaiting(name)
	}
	return &custody.Hold{File: f}, nil
}
