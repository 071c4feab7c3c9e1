package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/formats"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
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
bought somewhere, the placement is not there, or the product has a fault; 2 avow was called
wrongly; 3 it could not be determined.`

const formatsExamples = `  avow formats example.com
  avow formats example.com --placement homepage_top --product product.json
  avow formats example.com --file adagents.json --product - --format json < product.json`

// formatsFlags are the flags of the formats command.
type formatsFlags struct {
	sourceFlags
	placement, product, output string
	refs                       []string
	strict                     bool
	format                     *choice
}

func (a *app) formatsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:               "formats [flags] PUBLISHER",
		Short:             "list the formats of placements, and what a product leaves of them",
		Long:              formatsHelp,
		Example:           formatsExamples,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := new(formatsFlags)
	flags := cmd.Flags()
	flags.StringVar(&f.placement, "placement", "", "`ID` of the placement, instead of all")
	flags.StringVar(&f.product, "product", "", "compare with the product in `FILE`; - is standard input")
	flags.StringArrayVar(&f.refs, "ref", nil, "a format that a buyer names, `DOMAIN/ID` or the id of one of the product; may be repeated")
	flags.BoolVar(&f.strict, "strict", false, "leave out formats of which neither side lies within the other")
	f.addSourceFlags(cmd)
	f.format = addChoice(cmd, "format", "output format", "text", "json")
	flags.StringVarP(&f.output, "output", "o", "", "write to `FILE` instead of standard output")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := noEmptyFlag(cmd)
		if err != nil {
			return err
		}
		return a.formats(cmd, f, args)
	}
	return cmd
}

func (a *app) formats(cmd *cobra.Command, f *formatsFlags, args []string) error {
	publisher, err := onePublisher(cmd, args, "none is needed")
	if err != nil {
		return err
	}
	domain, _, err := hostname.Canonical(publisher)
	if err != nil {
		return usageError("name the publisher's domain, for example example.com", "%s: the domain %v", redact.URL(publisher), err)
	}
	q, err := a.formatsQuestion(f)
	if err != nil {
		return err
	}
	_, err = a.questionTime(&f.sourceFlags)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	source, err := a.source(ctx, &f.sourceFlags, domain)
	if err != nil {
		return interrupted(err)
	}
	doc, err := source.Document(ctx, domain)
	err = errors.Join(err, source.close())
	if err != nil {
		return interrupted(err)
	}
	if doc.Catalog().State != resolve.Usable {
		return failure("avow discover "+domain+" shows each step", "no file of %s can be used: %s", domain, stateWords(doc))
	}
	report, err := formats.Ask(doc, q)
	if err != nil {
		return questionFault(err)
	}
	err = a.showFormats(f, report)
	if err == nil && report.Conflict {
		return exitStatus(exitNo)
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
	return "; its community mirror at " + redact.URL(doc.Mirror.URL) + " cannot be used: " + redact.Credentials(doc.Mirror.Detail)
}

// formatsQuestion reads the product and the references.
func (a *app) formatsQuestion(f *formatsFlags) (formats.Question, error) {
	q := formats.Question{Placement: f.placement, Options: formats.Options{Strict: f.strict}}
	for _, text := range f.refs {
		ref, err := formats.ParseRef(text)
		if err != nil {
			return q, usageError("write DOMAIN/ID, or the id of a format of the product", "--ref %s: %v", text, err)
		}
		q.Selection.Refs = append(q.Selection.Refs, ref)
	}
	switch {
	case f.product == "" && (f.strict || len(f.refs) > 0):
		return q, usageError("add --product FILE", "--strict and --ref are about a product")
	case f.product == "":
		return q, nil
	case f.product == "-" && f.file == "-":
		return q, usageError("put one of them into a file", "--product and --file both want standard input")
	}
	src, err := a.read(f.product)
	if err != nil {
		return q, err
	}
	q.Product, err = formats.ReadProduct(src)
	var fault *formats.ProductError
	if errors.As(err, &fault) {
		return q, usageError(fault.Hint, "the product in %s cannot be read: %s", f.product, fault.Error())
	}
	return q, err
}

func (a *app) showFormats(f *formatsFlags, report *formats.Report) error {
	out, err := a.openOutput(f.output)
	if err != nil {
		return err
	}
	if f.format.value == "json" {
		return out.close(writeJSONLine(out.w, report))
	}
	t := &formatsText{answerText{w: out.w, width: a.textWidth()}}
	if f.output == "" {
		t.paint = a.style(Stdout)
	}
	t.write(report)
	return out.close(nil)
}

// formatsText writes formats for people.
type formatsText struct{ answerText }

func (t *formatsText) write(r *formats.Report) {
	switch {
	case len(r.Placements) == 0 && !r.Product:
		fmt.Fprintf(t.w, "the file of %s declares no placement\n", safe(r.PublisherDomain))
	case !r.Product:
		fmt.Fprintf(t.w, "formats of %s\n", safe(r.PublisherDomain))
	case r.Conflict:
		fmt.Fprintf(t.w, "%s: the product does not fit the catalog of %s everywhere\n", t.paint.red("conflict"), safe(r.PublisherDomain))
	default:
		fmt.Fprintf(t.w, "%s: something can be bought everywhere the product was looked at on %s\n", t.paint.green("fits"), safe(r.PublisherDomain))
	}
	t.findings(r.Findings)
	for i := range r.Placements {
		t.placement(r, &r.Placements[i])
	}
	if len(r.Common) > 0 {
		fmt.Fprintln(t.w, "\none creative for all of them:")
		t.list("", r.Common)
	}
	if len(r.Selected) > 0 {
		fmt.Fprintln(t.w, "\nselected:")
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
	fmt.Fprintf(t.w, "\n%s\n", safe(name))
	t.findings(p.Findings)
	t.list("", p.Catalog)
	if !r.Product && len(p.Catalog) == 0 && !p.Limited && len(p.Reasons) == 0 {
		t.line("", "the catalog names no format, so the product decides")
	}
	t.list("accepted:", p.Accepted)
	if r.Product && len(p.Accepted) == 0 {
		t.line("accepted:", "nothing")
	}
	for i := range capped(p.Refused) {
		x := &p.Refused[i]
		t.line("refused:", formatName(&x.Format)+": "+safe(x.Message)+" "+t.paint.dim("["+x.Code+"]"))
	}
	t.more(len(p.Refused))
	for i := range capped(p.CatalogOnly) {
		t.line("not sold:", formatName(&p.CatalogOnly[i])+": only the catalog has it")
	}
	t.more(len(p.CatalogOnly))
	for i := range capped(p.Reasons) {
		r := &p.Reasons[i]
		label := "left out:"
		if r.Code == "format.from_mirror" || strings.HasPrefix(r.Code, "mirror.") {
			label = "note:"
		}
		t.line(label, safe(r.Message)+" "+t.paint.dim("["+r.Code+"]"))
	}
	t.more(len(p.Reasons))
}

func (t *formatsText) findings(list []formats.FindingReport) {
	for i := range capped(list) {
		f := &list[i]
		t.line(f.Severity+":", safe(f.Message)+" "+t.paint.dim("["+f.Code+"]"))
	}
	t.more(len(list))
}

func (t *formatsText) list(label string, list []formats.FormatReport) {
	for i := range capped(list) {
		f := &list[i]
		text := formatName(f)
		if f.Relation != "" {
			text += ", " + f.Relation
		}
		t.line(label, text+" "+safe(string(f.Params)))
	}
	t.more(len(list))
}

// formatName is how a format is called: by its reference, or by its kind alone.
func formatName(f *formats.FormatReport) string {
	if f.Reference == nil {
		return safe(f.Kind)
	}
	name := f.Reference.FormatOptionID
	if f.Reference.PublisherDomain != "" {
		name = f.Reference.PublisherDomain + "/" + name
	}
	if f.Kind != "" {
		name += " (" + f.Kind + ")"
	}
	return safe(name)
}
