package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
)

const holdHelp = `Hold shows what waits for a decision, and decides on it. There are two kinds.

A publisher whose authority comes from another place than before: its pointer leads
elsewhere, or its own file became a pointer, or the other way round. Whoever takes over a
web site can do that too, so the old place counts for another day, or, if something speaks
against the move, until somebody confirms it. Confirm lets the new place count at once;
reject keeps it from ever counting by itself.

A version of a file that was refused, because it is older than one that counted or has no
date or one in the future. The version before counts for another day. Confirm lets the
refused version count the next time it is seen. It does not count anyway, so there is
nothing to reject.

A decision names what was read: the new place, or the hash of the version, as the list
shows them. If something else came in the meantime, nothing is decided.

Release ends the hold of a revocation that a file does not list any more.`

func (a *app) holdCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hold list|confirm|reject|release",
		Short: "show what waits for a decision, and decide",
		Long:  holdHelp,
		Example: `  avow hold list
  avow hold confirm example.com https://cdn.example.net/adagents.json
  avow hold reject example.com https://cdn.example.net/adagents.json --yes
  avow hold confirm https://cdn.example.net/adagents.json 3f9a2c51d0b7`,
		DisableFlagsInUseLine: true,
	}
	return a.group(cmd, a.holdListCommand(), a.holdDecideCommand(confirmHold), a.holdDecideCommand(rejectHold), a.holdReleaseCommand())
}

func (a *app) holdListCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "list what waits, since when and why, and what it would change",
		Long: `List prints everything that waits for a decision: since when, why, what would change if it
counted, and how to decide. JSON output has one document per line.`,
		Example:           "  avow hold list\n  avow hold list --format json | jq -r .publisher",
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f, format := addReadFlags(cmd), addChoice(cmd, "format", "output format", "text", "json")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.withKeeper(cmd.Context(), f, func(ctx context.Context, k *kept) error { return a.listHolds(ctx, k, format.value) })
	}
	return cmd
}

// kept is a store with its keeper, for commands that ask nobody.
type kept struct {
	custodian.Store
	keeper *custodian.Keeper
}

// withKeeper is withState for commands that need the keeper.
func (a *app) withKeeper(ctx context.Context, f *stateFlags, do func(context.Context, *kept) error) error {
	return a.withState(ctx, f, func(ctx context.Context, st *store.Store) error {
		keeper, err := a.newKeeper(st, &webFlags{timeout: webTimeout}, keeperOptions{})
		if err != nil {
			return err
		}
		return stateFault(do(ctx, &kept{st.Custody(), keeper}))
	})
}

// A waiting is something that waits, with what it would change.
type waiting struct {
	custodian.Hold
	changes []custody.Change
	// unknown says why the changes are not known; empty when they are.
	unknown string
}

func (a *app) listHolds(ctx context.Context, k *kept, format string) error {
	holds, err := k.keeper.Holds(ctx)
	if err != nil {
		return err
	}
	for i := range holds {
		w, err := k.waiting(ctx, holds[i])
		if err != nil {
			return err
		}
		if format == "json" {
			err = writeJSONLine(a.out, w.document())
			if err != nil {
				return err
			}
			continue
		}
		a.showWaiting(w)
	}
	if len(holds) == 0 && format == "text" {
		a.note("nothing waits for a decision")
	}
	return nil
}

// waiting compares what waits with what counts.
func (k *kept) waiting(ctx context.Context, h custodian.Hold) (*waiting, error) {
	w := &waiting{Hold: h}
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
		w.unknown = "there is no file at the new place that can be used"
		return w, nil
	}
	return w, k.compare(ctx, w, h.Publisher.Domain, old, next)
}

// hashAt is the version that counts at a URL; empty for none.
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
func (k *kept) compare(ctx context.Context, w *waiting, domain, old, next string) error {
	var sides [2]*side
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
	w.changes = compareVersions(sides[0], sides[1])
	return nil
}

// sideOrWhy returns a version, or says why it cannot be compared.
func sideOrWhy(hash, domain string, src []byte) (*side, string) {
	s, err := newSide(shortHash(hash), domain, src)
	if err != nil {
		return nil, err.Error()
	}
	return s, ""
}

// name and what are the arguments of a decision.
func (w *waiting) name() string {
	if w.File != nil {
		return w.File.URL
	}
	return w.Publisher.Domain
}

func (w *waiting) what() string {
	if w.File != nil {
		return w.File.Refused.Hash
	}
	return w.Publisher.Move.To.URL
}

// words say what waits and why. The text is not escaped.
func (w *waiting) words() string {
	if w.File != nil {
		return refusalWords(w.File)
	}
	return moveWords(w.Publisher)
}

// jsonWaiting is something that waits, in JSON.
type jsonWaiting struct {
	Kind      string       `json:"kind"` // move or version
	Publisher string       `json:"publisher,omitempty"`
	URL       string       `json:"url,omitempty"`
	From      *jsonPlace   `json:"from,omitempty"`
	Move      *jsonMove    `json:"move,omitempty"`
	Refused   *jsonRefusal `json:"refused,omitempty"`
	// What is the second argument of a decision.
	What string `json:"what"`
	// Changes is null when it is not known what would change.
	Changes *[]jsonChange `json:"changes"`
	Unknown string        `json:"changes_unknown,omitempty"`
}

func (w *waiting) document() *jsonWaiting {
	doc := &jsonWaiting{Kind: "move", What: w.what(), Unknown: redact.Credentials(w.unknown)}
	if w.File != nil {
		doc.Kind, doc.URL, doc.Refused = "version", redact.URL(w.File.URL), refusalForJSON(w.File)
	} else {
		doc.Publisher, doc.From, doc.Move = w.Publisher.Domain, placeForJSON(w.Publisher.Location), moveForJSON(w.Publisher)
	}
	if w.unknown == "" {
		changes := changesForJSON(w.changes)
		doc.Changes = &changes
	}
	return doc
}

// showWaiting writes what waits, what it would change and how to decide.
func (a *app) showWaiting(w *waiting) {
	t := &changeText{w: a.out, paint: a.style(Stdout), width: a.textWidth()}
	fmt.Fprintf(a.out, "%s\n", wrap(safe(w.words()), t.width))
	t.changes(capped(w.changes), "  ")
	switch more := len(w.changes) - mostShown; {
	case w.unknown != "":
		fmt.Fprintf(a.out, "  what would change is not known: %s\n", safe(redact.Credentials(w.unknown)))
	case len(w.changes) == 0:
		fmt.Fprintln(a.out, "  nothing that the file says would change")
	case more > 0:
		fmt.Fprintf(a.out, "  %d more; --format json has all\n", more)
	}
	fmt.Fprintf(a.out, "  %s avow hold confirm %s %s\n\n", t.paint.dim("to confirm:"), safe(shellQuote(w.name())), safe(shellQuote(w.what())))
}

// A holdDecision is one of the two decisions.
type holdDecision struct {
	name, short, long, asks, done string
	decide                        func(*custodian.Keeper, context.Context, string, string) error
}

var confirmHold = holdDecision{
	name: "confirm", short: "let the new place, or the refused version, count",
	long: `Confirm lets in what waits. DOMAIN PLACE lets a publisher's new place count at once,
whatever speaks against it. URL HASH lets a refused version count the next time it is
seen; the first 8 digits of the hash are enough.`,
	asks: "confirm this", done: "confirmed", decide: (*custodian.Keeper).Confirm,
}

var rejectHold = holdDecision{
	name: "reject", short: "keep a publisher's new place from counting by itself",
	long: `Reject keeps a publisher's new place from ever counting by itself, also when it comes
again. The old place counts within its time, which ends a week after the publisher last
named it. A rejected place can still be confirmed.`,
	asks: "reject this", done: "rejected", decide: (*custodian.Keeper).Reject,
}

func (a *app) holdDecideCommand(d holdDecision) *cobra.Command {
	use, example := d.name+" DOMAIN PLACE", "  avow hold "+d.name+" example.com https://cdn.example.net/adagents.json"
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
confirmed, 2 avow was called wrongly, 3 the store could not be read or written.`,
		Example:           example,
		Args:              decisionArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f, yes := addReadFlags(cmd), false
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return a.withKeeper(cmd.Context(), f, func(ctx context.Context, k *kept) error { return a.decide(ctx, k, d, args, yes) })
	}
	return cmd
}

func decisionArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) != 2:
		return usageError("avow hold list shows both", "%s needs what waits and what was read, got %d arguments", cmd.CommandPath(), len(args))
	case args[0] == "" || args[1] == "":
		return usageError("is a variable of your script not set?", "the name of what waits is empty")
	}
	return nil
}

// decide finds what waits, asks, and decides.
func (a *app) decide(ctx context.Context, k *kept, d holdDecision, args []string, yes bool) error {
	hold, err := k.find(ctx, d, args[0], args[1])
	if err != nil {
		return err
	}
	w, err := k.waiting(ctx, *hold)
	if err != nil {
		return err
	}
	if !yes && a.env.IsTerminal(Stdin) {
		a.showWaiting(w)
		err = a.out.Flush()
		if err != nil {
			return err
		}
		answer, err := newPrompter(a).ask(question{text: d.asks, words: []string{"no", "yes"}, byDefault: "no"})
		if err != nil {
			return err
		}
		if answer != "yes" {
			return &cliError{code: exitNo, msg: "nothing was decided"}
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
		text += "; it counts when it is seen again, as by avow watch or avow authorize --refresh"
	}
	a.note("%s", text)
	return nil
}

func notWaiting(name string) error {
	return &cliError{code: exitNo, msg: "nothing of that name waits for " + redact.URL(name), hint: "avow hold list shows what does; something else may have come meanwhile"}
}

// find returns what waits under a name, if it is what was read.
func (k *kept) find(ctx context.Context, d holdDecision, name, what string) (*custodian.Hold, error) {
	if strings.Contains(name, "://") {
		if d.name == rejectHold.name {
			return nil, usageError("leave it alone; avow hold confirm would let it in", "a refused version does not count, so there is nothing to reject")
		}
		return k.findVersion(ctx, name, what)
	}
	domain, err := keptDomain(name)
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
	return &custodian.Hold{Publisher: p}, nil
}

// shortestDecision is the least number of digits of a hash that an operator decides on.
const shortestDecision = 8

func (k *kept) findVersion(ctx context.Context, name, what string) (*custodian.Hold, error) {
	url, _, err := hostname.CanonicalURL(name)
	if err != nil {
		return nil, usageError("avow hold list shows the URLs", "%s: the URL %v", redact.URL(name), err)
	}
	hash := strings.ToLower(what)
	if len(hash) < shortestDecision {
		return nil, usageError("avow hold list shows it whole", "%q is too short for the hash of a version", what)
	}
	f, err := k.File(ctx, url)
	if err != nil && !errors.Is(err, custodian.ErrNotFound) {
		return nil, err
	}
	if err != nil || f.Refused == nil || !strings.HasPrefix(f.Refused.Hash, hash) {
		return nil, notWaiting(name)
	}
	return &custodian.Hold{File: f}, nil
}
