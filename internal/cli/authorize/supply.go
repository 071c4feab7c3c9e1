package authorize

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/supply"
	"github.com/avow-project/avow/supplypath"
)

const supplyHelp = `Supply-path answers whether the agent of a channel's owner may sell the channel on a host. OWNER
publishes the collection; the host publishes the property that carries it, such as a TV app.
Both files have to agree.

There are four states. verified_owner_sold: the host's file grants the agent exactly this
collection of the owner, on every property that the owner says carries it. host_delegated: the
host's ads.txt or app-ads.txt names the owner, and the owner's file names the agent.
owner_attested: only the owner says that the host carries it. unverified: nothing can be
proved. Only verified_owner_sold is an authorization.

Without --collection, each collection of the owner is evaluated, and the first with the
strongest state is shown.

The evaluation is stricter than avow authorize: an entry with a member that is not understood, a
country or a time, cannot be relied on. A file counts only if it was found at the
publisher's own address or at the location that it names, at most seven days ago. A
revocation stays in force for seven days, also after it has gone from the file. Files are
kept in the store that avow serve uses, unless --store names another.

--proof writes a receipt like that of avow authorize.

Exit codes: 0 verified_owner_sold, 1 any other state, 2 wrong usage, 3 the answer could not be
determined.`

const supplyExamples = `  avow supply-path owner.example --host host.example --agent https://agent.example/mcp
  avow supply-path owner.example --host host.example --agent https://agent.example/mcp --collection retro_news
  avow supply-path owner.example --host host.example --agent https://agent.example/mcp --format json`

// supplyFlags are the flags of the command supply-path.
type supplyFlags struct {
	sources.Flags
	host, agent, collection string
	proof                   proofFlags
	format                  *console.Choice
}

// SupplyPathCommand returns the command supply-path.
func SupplyPathCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "supply-path [flags] OWNER --host HOST --agent URL",
		Short:             "answer whether an owner's agent may sell a channel on a host",
		Long:              supplyHelp,
		Example:           supplyExamples,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := new(supplyFlags)
	flags := cmd.Flags()
	flags.StringVar(&f.host, "host", "", "`DOMAIN` of the publisher whose property carries the channel")
	flags.StringVar(&f.agent, "agent", "", "`URL` of the owner's agent")
	flags.StringVar(&f.collection, "collection", "", "the owner's `ID` of the channel, instead of all")
	f.format = console.AddChoice(cmd, "format", "output format", "text", "json")
	f.Web = request.AddFlags(cmd)
	f.Web.AddFollowFlag(cmd)
	f.State = sources.AddStoreFlags(cmd)
	f.proof.add(cmd, f.State.Settings)
	cmd.PreRunE = console.NoEmptyFlag
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return supplyPath(a, cmd, f, args) }
	return cmd
}

// question returns what is asked.
func (f *supplyFlags) question(cmd *cobra.Command, args []string) (supply.Question, error) {
	owner, err := onePublisher(cmd, args, f.agent)
	if err != nil {
		return supply.Question{}, err
	}
	if f.host == "" {
		return supply.Question{},
			console.UsageError("name the publisher that carries the channel: "+cmd.CommandPath()+
				" owner.example --host host.example --agent https://agent.example/mcp", "%s needs --host", cmd.CommandPath())
	}
	q := supply.Question{Agent: f.agent, Collection: f.collection}
	for _, d := range []struct {
		text string
		to   *string
	}{{owner, &q.Owner}, {f.host, &q.Host}} {
		domain, err := sources.ParseDomain(d.text)
		if err != nil {
			return q, err
		}
		*d.to = string(domain)
	}
	q, err = q.Canonical()
	var wrong *supply.Error
	if errors.As(err, &wrong) {
		return q, console.UsageError(wrong.Hint, "%s", wrong.Message)
	}
	return q, err
}

func supplyPath(a *console.App, cmd *cobra.Command, f *supplyFlags, args []string) error {
	q, err := f.question(cmd, args)
	if err != nil {
		return err
	}
	client, err := request.NewClient(a, f.Web)
	if err != nil {
		return err
	}
	ctx, stop := console.Interruptible(cmd.Context())
	defer stop()
	source, err := sources.Open(ctx, a, &f.Flags, q.Owner)
	if err != nil {
		return console.Interrupted(err)
	}
	answered, receipt, err := f.ask(ctx, a, source, q, supply.TextFrom(client))
	err = errors.Join(err, source.Close())
	if err != nil {
		return console.Interrupted(err)
	}
	err = f.show(a, answered, receipt)
	if err == nil {
		err = f.proof.write(a, receipt)
	}
	switch {
	case err != nil:
		return err
	case answered.State == supplypath.VerifiedOwnerSold:
		return nil
	case answered.Open != "":
		return console.ExitStatus(console.ExitUnknown)
	}
	return console.ExitStatus(console.ExitNo)
}

// ask answers the question, with the receipt if one was asked for.
func (f *supplyFlags) ask(ctx context.Context, a *console.App, source *sources.Source, q supply.Question,
	text func(context.Context, string, string) ([]byte, bool)) (*supply.Answer, *notary.Receipted, error) {
	answered, err := supply.Ask(ctx, supply.Sources{Files: source, Revoked: source.Revoked, Text: text}, q, a.Env.Now)
	if err != nil {
		return answered, nil, err
	}
	claim := &notary.Claim{Question: answered.Values(), Verdict: string(answered.State), Evidence: answered.Evidence(),
		At: answered.At}
	receipt, err := f.proof.receipt(ctx, source, claim)
	return answered, receipt, err
}

// supplyDocument is the JSON output of the command.
type supplyDocument struct {
	*supply.Document
	// Receipt is absent unless --proof asked for one.
	Receipt *answer.Receipt `json:"receipt,omitempty"`
}

func (f *supplyFlags) show(a *console.App, answered *supply.Answer, receipt *notary.Receipted) error {
	if f.format.Value == "json" {
		return console.WriteJSONLine(a.Out, supplyDocument{answered.Document(false), receiptOf(receipt)})
	}
	t := &console.Lines{W: a.Out, Width: a.TextWidth(), Paint: a.Style(console.Stdout)}
	writeSupplyPath(t, answered)
	return nil
}

// writeSupplyPath writes an answer for people.
func writeSupplyPath(t *console.Lines, a *supply.Answer) {
	paint := t.Paint.Red
	switch {
	case a.State == supplypath.VerifiedOwnerSold:
		paint = t.Paint.Green
	case a.State != supplypath.Unverified || a.Open != "":
		paint = t.Paint.Yellow
	}
	fmt.Fprintf(t.W, "%s: %s\n", paint(string(a.State)),
		console.WrapHanging(console.Safe(a.Sentence()), t.Width, len(a.State)+2))
	t.Section()
	for _, leg := range a.Steps() {
		mark := t.Paint.Green("ok")
		switch {
		case leg.Skipped:
			mark = t.Paint.Dim("skipped")
		case !leg.OK:
			mark = t.Paint.Red("failed")
		}
		text := mark + ": " + console.Safe(redact.Credentials(leg.Text))
		if leg.Failure != "" {
			text += " " + t.Paint.Dim("["+string(leg.Failure)+"]")
		}
		t.Line(leg.Name+":", text)
	}
	t.Section()
	for _, file := range []struct {
		name string
		file *supply.File
	}{{"owner:", &a.OwnerFile}, {"host:", &a.HostFile}} {
		if file.file.Counts {
			t.Line(file.name, console.Safe(redact.URL(file.file.URL))+", confirmed at "+answer.Time(file.file.FetchedAt))
		} else {
			t.Line(file.name, "its file is not used: "+console.Safe(file.file.Why(false)))
		}
	}
	if a.Open != "" {
		t.Line("open:", console.Safe(a.Open)+"; ask again later")
	}
}
