package authorize

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/list"
	"github.com/avow-project/avow/internal/cli/question"
	"github.com/avow-project/avow/internal/cli/resume"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

const resolveHelp = `Resolve lists everything that an agent may sell by the file of a publisher: every property
and signal, the entry that covers it, and the path. own: the file declares it for its
publisher. federated: the entry names another publisher, and that publisher's own file has
the property. inline: the property belongs to another publisher and is declared in this
file, at the top or in the entry.

What a file says about other publishers is only a claim of that file. A property is
confirmed when the file of the publisher it belongs to lets the agent sell it too, then
and there; until then it is marked as a claim. A listing of nothing but claims is
conditional: it depends on that confirmation. A property that its own publisher's file
does not have is left out. Where two files differ about a property, that of its own
publisher takes precedence, and the difference is shown. A publisher whose file is missing or cannot
be reached spoils nothing else: one that hangs is waited for as long as --patience says,
and then named.

Entries that select properties of other publishers are resolved by asking each of them for
its file. --inline takes what this file declares for them instead, where the rules allow
it; a publisher that has to be asked anyway counts with its own file.

Files are kept over time, in the store of avow serve unless --store names another, and
answers come from what is in effect for each publisher; see avow authorize. --as-of TIME
answers from what had been adopted then. --no-state keeps nothing and compares with
nothing. superseded_by is followed once; --no-follow-superseded stays with the first file.
--mirror names community mirrors, as for avow authorize.

Entries of a file that are faulty are left out, and the rest of the file is used.
--verbose lists them, those in the files of other publishers too, and JSON output has them
in skipped.

--file takes a file that speaks for PUBLISHER, or a folder with a file for each domain,
named example.com.json; nothing is asked on the web then, and nothing is kept.

With --from, the same is listed for every publisher of a list, as they are done unless
--ordered is given: json is one document per publisher and line, ndjson another word for it,
and csv a row for each property, safe in spreadsheets. How far avow has come is shown on
standard error. The exit code is the highest of all.

` + resume.Help + `

To ask about one property, placement or country, use avow authorize.

Exit codes: 0 something is listed without a condition, 1 the agent may sell nothing, 2
wrong usage, 3 it depends or could not be determined.`

const resolveExamples = `  avow resolve example.com --agent https://agent.example/mcp
  avow resolve example.com --agent https://agent.example/mcp --country DE
  avow resolve network.example --agent https://agent.example/mcp --file network.json --inline
  avow resolve --from publishers.txt --agent https://agent.example/mcp --format csv -o may-sell.csv
  avow resolve example.com --agent https://agent.example/mcp --format json | jq -r '.grants[].properties[].property_id'`

// ResolveCommand returns the command resolve.
func ResolveCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "resolve [flags] PUBLISHER|--from LIST --agent URL",
		Short:             "list everything an agent may sell, and why",
		Long:              resolveHelp,
		Example:           resolveExamples,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := new(authorizeFlags)
	f.question.AddListFlags(cmd,
		"take properties of other publishers from this file where the rules allow it, instead of asking them")
	f.source.Add(cmd)
	cmd.Flags().DurationVar(&f.patience, "patience", resolve.DefaultPatience,
		"list what is known when another publisher takes longer than this `TIME`; all of them together have --timeout")
	f.format = console.AddChoice(cmd, "format", "output format", "text", "json", "ndjson", "csv")
	f.list, f.resume = list.AddFlags(cmd), resume.AddFlag(cmd)
	cmd.Flags().BoolVar(&f.ordered, "ordered", false, "show the publishers of --from in their order, not as they are done")
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "write to `FILE` instead of standard output")
	cmd.PreRunE = console.NoEmptyFlag
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.patience <= 0 {
			return console.UsageError("write it as 5s or 500ms", "--patience must be longer than nothing")
		}
		return runResolve(a, cmd, f, args)
	}
	return cmd
}

func runResolve(a *console.App, cmd *cobra.Command, f *authorizeFlags, args []string) error {
	if f.list.From != "" {
		return resolveList(a, cmd, f, args)
	}
	err := f.onlyForLists(cmd)
	if err != nil {
		return err
	}
	publisher, err := onePublisher(cmd, args, f.question.Agent())
	if err != nil {
		return err
	}
	l, err := newLister(a, f)
	if err != nil {
		return err
	}
	ctx, stop := console.Interruptible(cmd.Context())
	defer stop()
	l.source, err = sources.Open(ctx, a, &f.source, publisher)
	if err != nil {
		return console.Interrupted(err)
	}
	got, err := l.list(ctx, publisher)
	err = errors.Join(err, l.source.Close())
	if err != nil {
		return console.Interrupted(err)
	}
	out, err := a.OpenOutput(f.output)
	if err != nil {
		return err
	}
	err = out.Close(l.write(out.W, f.format.Value, got))
	if err != nil {
		return err
	}
	if code := question.ExitCodes[got.list.Verdict]; code != console.ExitYes {
		return console.ExitStatus(code)
	}
	return nil
}

// A lister lists what an agent may sell of publishers.
type lister struct {
	app    *console.App
	flags  *authorizeFlags
	now    time.Time
	source *sources.Source
	table  *console.Table // nil until a row of it is written
}

func newLister(a *console.App, f *authorizeFlags) (*lister, error) {
	now, err := sources.QuestionTime(a, &f.source)
	return &lister{app: a, flags: f, now: now}, err
}

// A listed is what was found about one publisher.
type listed struct {
	q    resolve.Question
	list *resolve.Listing
	kept *sources.Standing
}

// list lists what the agent may sell of one publisher.
func (l *lister) list(ctx context.Context, publisher string) (*listed, error) {
	q, err := l.flags.question.Question(publisher, l.now)
	if err != nil {
		return nil, err
	}
	list, err := resolve.New(l.source).Properties(ctx, q.Publisher, q.Agent, resolve.ListOptions{
		At: q.At, Country: q.Country, Inline: q.Inline, Patience: l.flags.patience, Wait: l.flags.source.Web.Timeout,
	})
	if err != nil {
		return nil, question.Error(err)
	}
	kept, err := l.source.Standing(ctx, q.Publisher)
	return &listed{q, list, kept}, err
}

// write writes in a format what was found about one publisher.
func (l *lister) write(w io.Writer, format string, g *listed) error {
	switch format {
	case "json", "ndjson":
		doc := listingDocumentOf(g.q, g.list)
		doc.Custody = g.kept.Document()
		return console.WriteJSONLine(w, doc)
	case "csv":
		if l.table == nil {
			l.table = newListingTable(false)
		}
		l.table.W = w
		return writeRows(l.table, g)
	}
	t := &listingText{console.Lines{W: w, Width: l.app.TextWidth()}}
	if l.flags.output == "" && l.flags.resume.Path == "" {
		t.Paint = l.app.Style(console.Stdout)
	}
	t.write(g.q, g.list)
	writeSkipped(&t.Lines, g.list.Skipped, g.list.Verdict, l.flags.source.Web.Verbose)
	sources.WriteStanding(&t.Lines, g.kept)
	return nil
}

// listingText writes a listing for people.
type listingText struct{ console.Lines }

func (t *listingText) write(q resolve.Question, list *resolve.Listing) {
	fmt.Fprintf(t.W, "%s: %s\n\n", paintVerdict(&t.Lines, list.Verdict),
		console.WrapHanging(console.Safe(listingSentence(&q, list)), t.Width, len(list.Verdict.String())+2))
	reasons := list.Reasons
	if list.Verdict == resolve.Authorized {
		reasons = slices.DeleteFunc(slices.Clone(reasons), func(r resolve.Reason) bool { return r.Code != ignoredCode })
	}
	for _, r := range console.Capped(reasons) {
		writeReason(&t.Lines, &r)
	}
	t.More(len(reasons))
	for i := range list.Grants {
		t.listGrant(&list.Grants[i])
	}
	t.troubles(list)
	for _, text := range console.Capped(list.Changes) {
		t.Line("to do:", console.Safe(redact.Credentials(text)))
	}
	for i := range console.Capped(list.Evidence) {
		t.Line("rests on:", evidenceWords(&list.Evidence[i]))
	}
	t.More(len(list.Evidence))
}

// listingSentence sums a listing up. Its outside text is not escaped.
func listingSentence(q *resolve.Question, list *resolve.Listing) string {
	if len(list.Grants) == 0 {
		return verdictSentence(q, &resolve.Answer{Verdict: list.Verdict, Evidence: list.Evidence})
	}
	agent, by := redact.URL(q.Agent), " by the file of "+q.Publisher
	firm, all := countListing(list, true), countListing(list, false)
	switch {
	case list.Verdict == resolve.Conditional && all.properties == 0:
		return signalsOnly(q)
	case list.Verdict == resolve.Conditional:
		return "whether " + agent + " may sell " + all.words() + by + " depends on " + needWords(needsOfAll(list))
	}
	text := agent + " may sell " + firm.words() + by
	if more := all.properties + all.signals - firm.properties - firm.signals; more > 0 {
		text += "; " + words.Plural(more, "more is a claim or depends on something", "more are claims or depend on something")
	}
	return text
}

// listingCount is how much a listing has.
type listingCount struct{ properties, publishers, signals int }

// countListing counts what a listing has or, of that, what is neither a claim nor under a
// condition.
func countListing(list *resolve.Listing, firm bool) listingCount {
	var n listingCount
	publishers := map[string]bool{}
	for i := range list.Grants {
		g := &list.Grants[i]
		if firm && len(g.Needs) > 0 {
			continue
		}
		n.signals += len(g.Signals)
		for k := range g.Properties {
			if !firm || g.Properties[k].Confirmed {
				n.properties++
				publishers[g.Properties[k].PublisherDomain] = true
			}
		}
	}
	n.publishers = len(publishers)
	return n
}

func (n listingCount) words() string {
	var parts []string
	if n.properties > 0 {
		parts = append(parts, words.Plural(n.properties, "property", "properties")+" of "+
			words.Plural(n.publishers, "publisher", "publishers"))
	}
	if n.signals > 0 {
		parts = append(parts, words.Plural(n.signals, "signal", "signals"))
	}
	return strings.Join(parts, " and ")
}

// needsOfAll is what the entries of a listing depend on, each thing once.
func needsOfAll(list *resolve.Listing) []string {
	var out []string
	for i := range list.Grants {
		for _, need := range list.Grants[i].Needs {
			if !slices.Contains(out, need) {
				out = append(out, need)
			}
		}
	}
	return out
}

// listGrant writes an entry with a row for each property.
func (t *listingText) listGrant(g *resolve.Grant) {
	t.Line("entry:", console.Safe(g.Entry+" of "+redact.URL(g.URL)))
	t.Line("", strings.Join(append(grantWords(g), needsOf(g)...), "; "))
	var widths [4]int
	rows := make([][4]string, len(g.Properties))
	for i := range g.Properties {
		rows[i] = rowOf(&g.Properties[i])
		for k := range widths {
			widths[k] = max(widths[k], textsafe.Width(rows[i][k]))
		}
	}
	for i := range rows {
		line := ""
		for k := range widths {
			line += console.Padded(rows[i][k], widths[k]) + "  "
		}
		fmt.Fprintf(t.W, "  %s\n", strings.TrimRight(line+t.Paint.Dim(standing(&g.Properties[i])), " "))
	}
	fmt.Fprintln(t.W)
}

// needsOf says what an entry depends on.
func needsOf(g *resolve.Grant) []string {
	if len(g.Needs) == 0 {
		return nil
	}
	return []string{"depends on " + needWords(g.Needs)}
}

// rowOf is a property as the cells of a row.
func rowOf(c *resolve.Covered) [4]string {
	row := [4]string{console.Safe(c.PublisherDomain), console.Safe(c.PropertyID), "", string(c.Path)}
	if c.Property != nil {
		row[2] = console.Safe(c.Property.Type)
	}
	return row
}

// standing says whether a property of another publisher is more than a claim.
func standing(c *resolve.Covered) string {
	switch {
	case c.Path == resolve.Own:
		return ""
	case c.Confirmed:
		return "confirmed"
	}
	return "claim"
}

// troubles writes what went wrong with other publishers, and where files differ.
func (t *listingText) troubles(list *resolve.Listing) {
	n := 0
	for i := range list.Publishers {
		p := &list.Publishers[i]
		if p.Code == "" {
			continue
		}
		n++
		if n <= console.MostListed {
			text, label := p.Detail, "left out:"
			if text == "" {
				text = "nothing is listed for this publisher"
			}
			if p.Properties > 0 {
				label = "not heard:" // what is listed is a claim
			}
			t.Line(label, console.Safe(p.Publisher)+": "+console.Safe(redact.Credentials(text))+" "+t.Paint.Dim("["+p.Code+"]"))
		}
	}
	t.More(n)
	for i := range console.Capped(list.Divergences) {
		t.Line("differs:", divergenceWords(&list.Divergences[i]))
	}
	t.More(len(list.Divergences))
}

func divergenceWords(d *resolve.Divergence) string {
	what := console.Safe(d.PropertyID) + " of " + console.Safe(d.PublisherDomain)
	if d.Missing {
		return what + " is not in that publisher's own file, which takes precedence"
	}
	return what + " differs from that publisher's own file, which takes precedence, in " +
		console.Safe(strings.Join(d.Fields, ", "))
}

// listingDocument is the JSON output of the resolve command. Its members are a contract
// like those of resultDocument.
type listingDocument struct {
	Verdict     string                `json:"verdict"`
	Publisher   string                `json:"publisher"`
	Agent       string                `json:"agent"`
	At          string                `json:"at"`
	Country     string                `json:"country,omitempty"`
	Reasons     []answer.Reason       `json:"reasons"`
	Authorized  int                   `json:"properties_authorized"`
	Conditional int                   `json:"properties_conditional"`
	Limited     []string              `json:"limited"`
	Grants      []answer.Grant        `json:"grants"`
	Publishers  []jsonPublisher       `json:"publishers"`
	Divergences []jsonDivergence      `json:"divergences"`
	Changes     []string              `json:"changes"`
	Evidence    []answer.Evidence     `json:"evidence"`
	Skipped     []answer.SkippedEntry `json:"skipped"`
	// Custody is absent unless files are kept over time.
	Custody *sources.JSONStanding `json:"custody,omitempty"`
}

// jsonPublisher is another publisher that entries name.
type jsonPublisher struct {
	Publisher string `json:"publisher"`
	Asked     bool   `json:"asked"`
	// State is null for a publisher that was not asked.
	State      *string `json:"state"`
	Confirmed  bool    `json:"confirmed"`
	Properties int     `json:"properties"`
	Code       string  `json:"code,omitempty"`
	Detail     string  `json:"detail,omitempty"`
}

// jsonDivergence is a property that two files describe differently.
type jsonDivergence struct {
	PublisherDomain string   `json:"publisher_domain"`
	PropertyID      string   `json:"property_id"`
	Missing         bool     `json:"missing"`
	Fields          []string `json:"fields"`
	ParentURL       string   `json:"parent_url"`
	ParentPointer   string   `json:"parent_pointer"`
	OwnURL          string   `json:"own_url"`
	OwnPointer      string   `json:"own_pointer"`
}

func listingDocumentOf(q resolve.Question, list *resolve.Listing) listingDocument {
	doc := listingDocument{
		Verdict: list.Verdict.String(), Publisher: list.Publisher, Agent: redact.URL(list.Agent), At: wire.Time(q.At),
		Country: q.Country, Reasons: answer.ReasonsOf(list.Reasons), Grants: answer.GrantsOf(list.Grants, 0),
		Publishers:  []jsonPublisher{},
		Divergences: []jsonDivergence{}, Changes: wire.Texts(list.Changes), Evidence: answer.EvidenceOf(list.Evidence),
		Skipped: answer.SkippedOf(list.Skipped), Authorized: list.Authorized, Conditional: list.Conditional,
		Limited: wire.NotNil(list.Limited.Strings()),
	}
	for i := range list.Publishers {
		doc.Publishers = append(doc.Publishers, publisherForJSON(&list.Publishers[i]))
	}
	for i := range list.Divergences {
		d := &list.Divergences[i]
		doc.Divergences = append(doc.Divergences, jsonDivergence{
			PublisherDomain: d.PublisherDomain, PropertyID: d.PropertyID, Missing: d.Missing, Fields: wire.NotNil(d.Fields),
			ParentURL: redact.URL(d.ParentURL), ParentPointer: d.ParentPointer,
			OwnURL: redact.URL(d.OwnURL), OwnPointer: d.OwnPointer,
		})
	}
	return doc
}

func publisherForJSON(p *resolve.PublisherState) jsonPublisher {
	doc := jsonPublisher{
		Publisher: p.Publisher, Asked: p.Asked, Confirmed: p.Confirmed, Properties: p.Properties,
		Code: p.Code, Detail: redact.Credentials(p.Detail),
	}
	if p.Asked {
		state := p.State.String()
		doc.State = &state
	}
	return doc
}
