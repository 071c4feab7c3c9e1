package authorize

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/formats"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/question"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/resolve"
)

const formatsHelp = `Formats lists the creative formats of a publisher's placements, with the references that
buyers use for them: DOMAIN/ID stands for the scope publisher with that publisher_domain
and format_option_id.

--product compares a seller's product with the catalog and tells what can be bought: what
both accept, parameter by parameter. A format of the catalog alone is not accepted. The
relation says how the two lie to each other: equal, catalog_narrower, product_narrower, or
overlap when each side accepts more than the other; --strict leaves those out. For what
cannot be bought the parameter is named, with its value on both sides. Where the product
says more about a placement than its publisher does, that is a fault. The product is one JSON
object with format_options or the older format_ids, and perhaps placements and
publisher_properties; without --placement all are looked at that it runs on at PUBLISHER.

--ref asks whether a format can be bought: DOMAIN/ID, or the ID alone for one of the product.

Where files come from is the same as for avow authorize. Where PUBLISHER has no file, or one
without formats, those of the community mirror are shown that --mirror names for it, and
marked as such. avow explain has the codes.

Exit codes: 0 formats are listed, or something can be bought everywhere; 1 nothing can be
bought somewhere, the placement is not there, or the product has a fault; 2 wrong usage; 3
it could not be determined.`

const formatsExamples = `  avow formats example.com
  avow formats example.com --placement homepage_top --product product.json
  avow formats example.com --file adagents.json --product - --format json < product.json`

// formatsFlags are the flags of the formats command.
type formatsFlags struct {
	sources.Flags
	placement, product, output string
	refs                       []string
	strict                     bool
	format                     *console.Choice
}

// FormatsCommand returns the command formats.
func FormatsCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "formats [flags] PUBLISHER",
		Short:             "list creative formats, and which of them a product offers",
		Long:              formatsHelp,
		Example:           formatsExamples,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := new(formatsFlags)
	flags := cmd.Flags()
	flags.StringVar(&f.placement, "placement", "", "`ID` of the placement, instead of all")
	flags.StringVar(&f.product, "product", "", "compare with the product in `FILE`; - is standard input")
	flags.StringArrayVar(&f.refs, "ref", nil,
		"a format that a buyer names, `DOMAIN/ID` or the id of one of the product; may be repeated")
	flags.BoolVar(&f.strict, "strict", false, "leave out formats of which neither side lies within the other")
	f.Add(cmd)
	f.format = console.AddChoice(cmd, "format", "output format", "text", "json")
	flags.StringVarP(&f.output, "output", "o", "", "write to `FILE` instead of standard output")
	cmd.PreRunE = console.NoEmptyFlag
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return runFormats(a, cmd, f, args) }
	return cmd
}

func runFormats(a *console.App, cmd *cobra.Command, f *formatsFlags, args []string) error {
	publisher, err := onePublisher(cmd, args, "none is needed")
	if err != nil {
		return err
	}
	domain, err := sources.ParseName(publisher)
	if err != nil {
		return err
	}
	q, err := formatsQuestion(a, f)
	if err != nil {
		return err
	}
	_, err = sources.QuestionTime(a, &f.Flags)
	if err != nil {
		return err
	}
	ctx, stop := console.Interruptible(cmd.Context())
	defer stop()
	source, err := sources.Open(ctx, a, &f.Flags, string(domain))
	if err != nil {
		return console.Interrupted(err)
	}
	doc, err := source.Document(ctx, string(domain))
	err = errors.Join(err, source.Close())
	if err != nil {
		return console.Interrupted(err)
	}
	if doc.Catalog().State != resolve.Usable {
		return console.Failure("avow discover "+string(domain)+" shows each step", "no file of %s can be used: %s", domain,
			stateWords(doc))
	}
	report, err := formats.Ask(doc, q)
	if err != nil {
		return question.Error(err)
	}
	err = showFormats(a, f, report)
	if err == nil && report.Conflict {
		return console.ExitStatus(console.ExitNo)
	}
	return err
}

// stateWords says why there is no file to go by.
func stateWords(doc *resolve.Document) string {
	if doc.Detail == "" {
		return doc.State.String() + mirrorTrouble(doc)
	}
	return doc.State.String() + ", " + redact.Credentials(doc.Detail) + mirrorTrouble(doc)
}

// mirrorTrouble says why a mirror does not help.
func mirrorTrouble(doc *resolve.Document) string {
	if doc.Mirror == nil {
		return ""
	}
	return "; its community mirror at " + redact.URL(doc.Mirror.URL) + " cannot be used: " +
		redact.Credentials(doc.Mirror.Detail)
}

// formatsQuestion reads the product and the references.
func formatsQuestion(a *console.App, f *formatsFlags) (formats.Question, error) {
	q := formats.Question{Placement: f.placement, Strict: f.strict}
	for _, text := range f.refs {
		ref, err := formats.ParseRef(text)
		if err != nil {
			return q, console.UsageError("write DOMAIN/ID, or the id of a format of the product", "--ref %s: %v", text, err)
		}
		q.Selection.Refs = append(q.Selection.Refs, ref)
	}
	switch {
	case f.product == "" && (f.strict || len(f.refs) > 0):
		return q, console.UsageError("add --product FILE", "--strict and --ref are about a product")
	case f.product == "":
		return q, nil
	case f.product == "-" && f.File == "-":
		return q, console.UsageError("put one of them into a file", "--product and --file both want standard input")
	}
	src, err := a.Read(f.product)
	if err != nil {
		return q, err
	}
	q.Product, err = formats.ReadProduct(src)
	var fault *formats.ProductError
	if errors.As(err, &fault) {
		return q, console.UsageError(fault.Hint, "the product in %s cannot be read: %s", f.product, fault.Error())
	}
	return q, err
}

func showFormats(a *console.App, f *formatsFlags, report *formats.Report) error {
	out, err := a.OpenOutput(f.output)
	if err != nil {
		return err
	}
	if f.format.Value == "json" {
		return out.Close(console.WriteJSONLine(out.W, report))
	}
	t := &formatsText{console.Lines{W: out.W, Width: a.TextWidth()}}
	if f.output == "" {
		t.Paint = a.Style(console.Stdout)
	}
	t.write(report)
	return out.Close(nil)
}

// formatsText writes formats for people.
type formatsText struct{ console.Lines }

func (t *formatsText) write(r *formats.Report) {
	switch {
	case len(r.Declared) > 0:
		fmt.Fprintf(t.W, "formats of %s, which declares no placement\n\n", console.Safe(r.PublisherDomain))
		if r.Mirror != "" {
			t.Line("note:", "from the community mirror at "+console.Safe(redact.URL(r.Mirror)))
		}
		t.list("", r.Declared)
	case len(r.Placements) == 0 && !r.Product:
		fmt.Fprintf(t.W, "the file of %s declares no placement and no format\n", console.Safe(r.PublisherDomain))
	case !r.Product:
		fmt.Fprintf(t.W, "formats of %s\n", console.Safe(r.PublisherDomain))
	case r.Conflict:
		fmt.Fprintf(t.W, "%s: the product does not fit the catalog of %s everywhere\n", t.Paint.Red("conflict"),
			console.Safe(r.PublisherDomain))
	default:
		fmt.Fprintf(t.W, "%s: something can be bought everywhere the product was looked at on %s\n", t.Paint.Green("fits"),
			console.Safe(r.PublisherDomain))
	}
	t.findings(r.Findings)
	for i := range r.Placements {
		t.placement(r, &r.Placements[i])
	}
	if len(r.Common) > 0 {
		fmt.Fprintln(t.W, "\none creative for all of them:")
		t.list("", r.Common)
	}
	if len(r.Selected) > 0 {
		fmt.Fprintln(t.W, "\nselected:")
		t.list("", r.Selected)
	}
}

func (t *formatsText) placement(r *formats.Report, p *formats.PlacementReport) {
	name := "placement " + p.PlacementID
	if p.PlacementID == "" {
		name = "selector " + p.Selector
	}
	if p.Mirror != "" {
		name += ", from the community mirror at " + redact.URL(p.Mirror)
	}
	fmt.Fprintf(t.W, "\n%s\n", console.Safe(name))
	t.findings(p.Findings)
	t.list("", p.Catalog)
	if !r.Product && len(p.Catalog) == 0 && !p.Limited && len(p.Reasons) == 0 {
		t.Line("", "the catalog names no format, so the product decides")
	}
	t.list("accepted:", p.Accepted)
	if r.Product && len(p.Accepted) == 0 {
		t.Line("accepted:", "nothing")
	}
	for i := range console.Capped(p.Refused) {
		x := &p.Refused[i]
		t.Line("refused:", formatName(&x.Format)+": "+console.Safe(x.Message)+" "+t.Paint.Dim("["+x.Code+"]"))
	}
	t.More(len(p.Refused))
	for i := range console.Capped(p.CatalogOnly) {
		t.Line("not sold:", formatName(&p.CatalogOnly[i])+": only the catalog has it")
	}
	t.More(len(p.CatalogOnly))
	for i := range console.Capped(p.Reasons) {
		r := &p.Reasons[i]
		label := "left out:"
		if r.Code == "format.from_mirror" || strings.HasPrefix(r.Code, "mirror.") {
			label = "note:"
		}
		t.Line(label, console.Safe(r.Message)+" "+t.Paint.Dim("["+r.Code+"]"))
	}
	t.More(len(p.Reasons))
}

func (t *formatsText) findings(list []formats.FindingReport) {
	for i := range console.Capped(list) {
		f := &list[i]
		t.Line(f.Severity+":", console.Safe(f.Message)+" "+t.Paint.Dim("["+f.Code+"]"))
	}
	t.More(len(list))
}

func (t *formatsText) list(label string, list []formats.FormatReport) {
	for i := range console.Capped(list) {
		f := &list[i]
		text := formatName(f)
		if f.Relation != "" {
			text += ", " + f.Relation
		}
		t.Line(label, text+" "+console.Safe(string(f.Params)))
	}
	t.More(len(list))
}

// formatName is how a format is called: by its reference, or by its kind alone.
func formatName(f *formats.FormatReport) string {
	if f.Reference == nil {
		return console.Safe(f.Kind)
	}
	name := f.Reference.FormatOptionID
	if f.Reference.PublisherDomain != "" {
		name = f.Reference.PublisherDomain + "/" + name
	}
	if f.Kind != "" {
		name += " (" + f.Kind + ")"
	}
	return console.Safe(name)
}
