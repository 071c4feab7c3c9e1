// Package authorize has the commands that answer who may sell what: authorize, resolve and
// formats.
package authorize

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/cli/batch"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/question"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

const authorizeHelp = `Authorize answers whether an agent may sell a publisher's inventory, according to the file
that speaks for the publisher: the verdict, the entries behind it, and what would change it.

There are six verdicts. authorized: an entry covers what was asked. not_authorized: the
file lists agents, and no entry covers it. conditional: it depends on something
that the question does not say, such as the country. none_asserted: the file
authorizes no agent at all, which denies nothing. unverified: there is no file, or it
could not be reached; that is not a no. unusable: there is a file, and it must not be
used.

Without --property the question is whether the agent may sell anything of the publisher.
Without --country, an entry that is limited to some countries makes the verdict conditional.
Several --placement are also answered one by one, and the verdict is yes only if all are
covered. Several --collection are programs that the same inventory belongs to: it is enough
if an entry lists one of them.

The file that speaks for PUBLISHER decides alone; what other files say about PUBLISHER is
their claim. --inline therefore changes nothing here. It is accepted for the sake of
scripts that call avow resolve with the same flags.

Files are kept in the store that avow serve uses, unless --store names another. While a kept
file is fresh, it answers the question. Otherwise it is fetched again and compared with what
was known: an older version is refused, a move to another place is held, a revocation is
remembered for a week. The answer says so when that matters. --refresh always asks the
publisher. --as-of TIME answers from what had been adopted then, and about that time unless
--at says another. --no-state keeps nothing and compares with nothing.

Faulty entries of a file are left out, and the rest of the file is used. --verbose lists
them, and JSON output has them in skipped.

If a file names its replacement in superseded_by, that one is used, once, as if the file had
pointed there. Both are in the evidence, and for kept files it is a move. If the
replacement cannot be fetched, the verdict is none_asserted. --no-follow-superseded
answers from the first file.

--mirror names the community mirror of a platform. It describes inventory where the platform
has no file, or one without formats; after any failure it is not asked. A mirror authorizes
no agent: the verdict is none_asserted then, and the mirror is in the evidence.

--brand compares the answer with the brand.json of the agent's operator: for each property,
the relationship that the operator declares with the delegation_type of the entry. The
value auto looks for it at the well-known path of the agent's host, then of its
registrable domain; the agent itself is not asked. The result says whether to proceed or
to let a person look first. It never changes the verdict or the exit code. With --brand auto,
--verbose also reads the trust.json of the agent's organization and says whether that
acknowledges the authorization; this is experimental and decides nothing.

--proof writes a receipt: the question and the verdict, signed with the keys of the transparency log
of the store (--log-key), and proofs from the log that the publisher's location and the version of
its file were seen and in effect. avow log verify checks it, without a network. When there is none, the
answer says whether it is pending, and why else; see avow log. The log may have a newer entry about the
publisher since: avow log monitor shows the newest.

--file takes a file that speaks for PUBLISHER, or a folder with a file for each domain,
named example.com.json; nothing is asked on the web then, and nothing is kept.

--batch answers a file of questions, in CSV with a line of names or as JSON lines, or -
for standard input. The names are those of the flags, with underscores, and id, a label of
yours. In CSV, several placements or collections are separated by spaces, and an empty cell
leaves its part out. PUBLISHER and the flags fill in what a question leaves out. Results are
JSON lines, each with the answer of a single question, or CSV with --format csv, in the
order of the questions. A question with an unknown or an empty part is refused by name, and
the others are answered.

Exit codes: 0 authorized, 1 not_authorized, 2 wrong usage, 3 any other
verdict. Of several questions, the highest code is used; one that cannot be read is treated as 3.`

const authorizeExamples = `  avow authorize example.com --agent https://agent.example/mcp
  avow authorize example.com --agent https://agent.example/mcp --property site --country DE
  avow authorize example.com --agent https://agent.example/mcp --identifier domain=www.example.com
  avow authorize example.com --agent https://agent.example/mcp --file adagents.json --format json
  avow authorize example.com --agent https://agent.example/mcp --as-of 2026-01-02T00:00:00Z
  avow authorize example.com --agent https://agent.example/mcp --brand auto
  avow authorize example.com --agent https://agent.example/mcp --proof receipt.txt --log-key log.key
  avow authorize --batch questions.csv --file publishers/ -o results.ndjson
  avow authorize --agent https://agent.example/mcp --batch domains.csv --format csv`

// Command returns the command authorize.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "authorize [flags] PUBLISHER --agent URL",
		Short:             "answer whether an agent may sell something",
		Long:              authorizeHelp,
		Example:           authorizeExamples,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := new(authorizeFlags)
	f.question.AddFlags(cmd)
	f.source.Add(cmd)
	f.format = console.AddChoice(cmd, "format", "output format, of which csv is for --batch", "text", "json", "csv")
	cmd.Flags().StringVar(&f.batch, "batch", "", "answer the questions in `FILE`, CSV or JSON lines; - is standard input")
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "write to `FILE` instead of standard output")
	cmd.Flags().StringVar(&f.brand, "brand", "",
		"compare with the brand.json of the agent's operator: its https `URL`, a file, or auto to look for it")
	f.proof.add(cmd, f.source.State.Settings)
	cmd.PreRunE = console.NoEmptyFlag
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := f.checkBrand()
		if err != nil {
			return err
		}
		if f.batch != "" && f.proof.file != "" {
			return console.UsageError("ask about one after the other", "--proof is not for --batch")
		}
		if f.batch != "" {
			b := &batch.Flags{Question: &f.question, Source: &f.source, Input: f.batch, Output: f.output}
			if cmd.Flags().Changed("format") {
				b.Format = f.format.Value
			}
			return batch.Run(a, cmd, b, args)
		}
		return authorize(a, cmd, f, args)
	}
	return cmd
}

func authorize(a *console.App, cmd *cobra.Command, f *authorizeFlags, args []string) error {
	publisher, err := onePublisher(cmd, args, f.question.Agent())
	if err != nil {
		return err
	}
	if f.format.Value == "csv" {
		return console.UsageError("use --format json, or put the questions into a file for --batch",
			"--format csv is for --batch")
	}
	now, err := sources.QuestionTime(a, &f.source)
	if err != nil {
		return err
	}
	q, err := f.question.Question(publisher, now)
	if err != nil {
		return err
	}
	ctx, stop := console.Interruptible(cmd.Context())
	defer stop()
	source, err := sources.Open(ctx, a, &f.source, publisher)
	if err != nil {
		return console.Interrupted(err)
	}
	answer, err := resolve.New(source).Answer(ctx, q)
	if err != nil {
		return errors.Join(console.Interrupted(question.Error(err)), source.Close())
	}
	kept, err := source.Standing(ctx, q.Publisher)
	var receipt *notary.Receipted
	if err == nil {
		receipt, err = f.proof.receipt(ctx, source, notary.ClaimOf(&q, answer, now))
	}
	err = errors.Join(err, source.Close())
	if err != nil {
		return console.Interrupted(err)
	}
	both, err := compareOperator(ctx, a, f, &q, answer)
	if err != nil {
		return console.Interrupted(err)
	}
	relation, err := f.relation(ctx, a, &q, answer)
	if err != nil {
		return console.Interrupted(err)
	}
	err = showAnswer(a, f, shownAnswer{q, answer, kept, both, receipt, relation})
	if err == nil {
		err = f.proof.write(a, receipt)
	}
	if err != nil {
		return err
	}
	if code := question.ExitCodes[answer.Verdict]; code != console.ExitYes {
		return console.ExitStatus(code)
	}
	return nil
}

// shownAnswer is an answer with what stands beside it.
type shownAnswer struct {
	q      resolve.Question
	answer *resolve.Answer
	kept   *sources.Standing
	both   *operator.Comparison
	// receipt is nil unless one was asked for.
	receipt *notary.Receipted
	// relation is that of publisher and agent in a sentence; empty unless --verbose looked for it.
	relation string
}

// showAnswer writes one answer.
func showAnswer(a *console.App, f *authorizeFlags, s shownAnswer) error {
	out, err := a.OpenOutput(f.output)
	if err != nil {
		return err
	}
	if f.format.Value == "json" {
		doc := answerDocument{answer.Of(&s.q, s.answer, 0), s.kept.Document(), receiptOf(s.receipt)}
		doc.Operator = answer.OperatorOf(s.both)
		err = console.WriteJSONLine(out.W, doc)
	} else {
		t := &console.Lines{W: out.W, Width: a.TextWidth()}
		if f.output == "" {
			t.Paint = a.Style(console.Stdout)
		}
		writeAnswer(t, s.q, s.answer)
		writeSkipped(t, s.answer.Skipped, s.answer.Verdict, f.source.Web.Verbose)
		sources.WriteStanding(t, s.kept)
		writeOperator(t, s.both)
		if s.relation != "" {
			t.Line("trust:", console.Safe(s.relation)+" "+t.Paint.Dim("[experimental, decides nothing]"))
		}
	}
	return out.Close(err)
}

// answerDocument is the JSON output of the authorize command. Its members are a contract
// like those of resultDocument.
type answerDocument struct {
	answer.Answer
	// Custody is absent unless files are kept over time.
	Custody *sources.JSONStanding `json:"custody,omitempty"`
	// Receipt is absent unless --proof asked for one.
	Receipt *answer.Receipt `json:"receipt,omitempty"`
}

// skipped writes what was left out of files: with --verbose the entries, and otherwise
// how many there are, if that may be why the answer is not a yes.
func writeSkipped(t *console.Lines, list []resolve.Skipped, verdict resolve.Verdict, verbose bool) {
	const label = "skipped:"
	for i := range console.Capped(list) {
		f := &list[i]
		switch {
		case verbose:
			for _, s := range console.Capped(f.Entries) {
				t.Line(label, console.Safe(s.Pointer+" of "+redact.URL(f.URL)+": "+redact.Credentials(s.Reason))+" "+
					t.Paint.Dim("["+s.Code+"]"))
			}
			t.More(len(f.Entries))
		case verdict < resolve.Conditional:
			t.Line(label, words.Plural(len(f.Entries), "entry", "entries")+" of "+console.Safe(redact.URL(f.URL))+
				"; --verbose lists them")
		}
	}
	if verbose || verdict < resolve.Conditional {
		t.More(len(list))
	}
}
