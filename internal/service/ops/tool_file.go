package ops

import (
	"context"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

// fileTools are the tools for authors of files.
func (o *Set) fileTools() []Operation {
	return []Operation{
		Define(Operation{Name: "check_file", Class: edge.Validate, Tool: Tool{
			"validate_adagents", "Check an adagents.json file",
			"Checks the adagents.json file of a domain, or the text of one, and lists what is wrong with it, the most " +
				"important first, with line, column and whether there is a fix. Give domain or document.",
		}}, o.checkFile),
		Define(Operation{Name: "fix_file", Class: edge.Validate, Tool: Tool{
			"fix_adagents", "Repair an adagents.json file",
			"Repairs the file of a domain, or the text of one, and returns the repaired text; everything else in it stays as " +
				"it was. With safe_only, no change lets an agent sell more than before. Give domain or document. The publisher " +
				"has to upload the file: this tool does not.",
		}}, o.fixFile),
		Define(Operation{Name: "make_file", Class: edge.Create, Tool: Tool{
			"create_adagents", "Make an adagents.json file",
			"Makes an adagents.json file from its parts and checks it. file is an object with the members of the file: " +
				"authorized_agents (each with url and authorized_for, and a selector such as property_ids) and usually " +
				"properties, placements, contact. Nothing is stored.",
		}}, o.makeFile),
		Define(Operation{Name: "explain", Class: edge.Read, Tool: Tool{
			"explain_code", "Explain a code",
			"Explains a code of a finding, a reason, a change or an event: what it means, why it matters, what to do, with a " +
				"wrong and a right example.",
		}}, explain),
	}
}

// FileInput names a file, or has it.
type FileInput struct {
	Domain   string `query:"domain" doc:"The publisher's domain, such as example.com."`
	Document string `query:"document" doc:"The text of a file, instead of domain."`
}

// check has a domain or a text checked.
func (o *Set) checkedFile(ctx context.Context, in FileInput, refresh bool,
	profile string) (*registry.Validation, error) {
	if (in.Domain == "") == (in.Document == "") {
		return nil, invalid("request.value", "give either domain or document", "")
	}
	r := registry.ValidateRequest{Domain: in.Domain, Refresh: refresh, Caller: registry.CallerOf(ctx)}
	if in.Document != "" {
		r.Content = []byte(in.Document)
	}
	switch profile {
	case "", "default":
	case "strict":
		r.Profile = adagents.Strict
	default:
		return nil, invalid("request.value", "profile is default or strict", "")
	}
	v, err := o.service.Validate(ctx, r)
	if err != nil {
		return nil, err
	}
	if v.Input != nil {
		return nil, &registry.Error{Kind: registry.Invalid, Code: "request.domain", Message: v.Input.Message,
			Hint: v.Input.Hint}
	}
	return v, nil
}

type validateFileInput struct {
	FileInput
	Profile string `query:"profile" doc:"default or strict."`
	Refresh bool   `query:"force_refresh" doc:"Ask again although an earlier answer would do; every 30 seconds at most."`
	Cursor  string `query:"cursor" doc:"next_cursor of the answer before, for more findings."`
}

type validateFileOutput struct {
	Domain     string        `json:"domain,omitempty" doc:"The publisher in canonical form; absent for a document."`
	URL        string        `json:"url,omitempty" doc:"Where the file came from."`
	Found      bool          `json:"found" doc:"Whether there is a file."`
	Valid      bool          `json:"valid" doc:"Whether neither the file nor the way to it has an error."`
	StatusCode int           `json:"status_code,omitzero" doc:"HTTP status at the well-known URL."`
	Agents     int           `json:"agent_count" doc:"Entries of authorized_agents that can be used."`
	Properties int           `json:"property_count" doc:"Properties that can be used."`
	Contact    bool          `json:"has_contact" doc:"Whether the file names a contact."`
	Errors     []string      `json:"errors" doc:"Codes of the errors, each once."`
	Warnings   []string      `json:"warnings" doc:"Codes of the warnings, each once."`
	Total      int           `json:"finding_count" doc:"How many findings there are."`
	Findings   []fileFinding `json:"findings" doc:"Findings, the most important first, fifty at a time."`
	Next       string        `json:"next_cursor,omitempty" doc:"Give this as cursor for the findings that follow."`
	CheckedAt  string        `json:"checked_at" doc:"When the file was checked."`
	FreshUntil string        `json:"fresh_until,omitempty" doc:"How long the answer may be used."`
}

// perPage is how many findings an answer has.
const perPage = 50

func (o *Set) checkFile(ctx context.Context, in *validateFileInput) (*validateFileOutput, error) {
	v, err := o.checkedFile(ctx, in.FileInput, in.Refresh, in.Profile)
	if err != nil {
		return nil, err
	}
	v = v.WithFixes()
	out := &validateFileOutput{
		Domain: v.Domain, Found: v.Report != nil, Valid: v.Valid(), Errors: []string{}, Warnings: []string{},
		Findings:  []fileFinding{},
		CheckedAt: wireTimeOrNone(v.CheckedAt), FreshUntil: wireTimeOrNone(v.FreshUntil),
	}
	all := fileFindingsOf(v)
	out.Total = len(all)
	for i := range all {
		out.note(&all[i])
	}
	part, next, err := paged(all, in.Cursor, perPage)
	if err != nil {
		return nil, err
	}
	out.Findings, out.Next = append(out.Findings, part...), next
	if d := v.Discovery; d != nil {
		out.URL = redact.URL(d.ResolvedURL)
		if len(d.Trail) > 0 && d.Trail[0].Result != nil {
			out.StatusCode = d.Trail[0].Result.Last().Status
		}
	}
	if v.Report != nil && v.Report.File != nil {
		file := v.Report.File
		out.Agents, out.Properties, out.Contact = file.UsableAgents(), len(file.Properties), file.Contact != nil
	}
	return out, nil
}

// note adds the code of a finding to the lists of codes.
func (o *validateFileOutput) note(f *fileFinding) {
	list := &o.Warnings
	switch f.Severity {
	case adagents.Error.String():
		list = &o.Errors
	case adagents.Warning.String():
	default:
		return
	}
	if !slices.Contains(*list, f.Code) {
		*list = append(*list, f.Code)
	}
}

// findingsOf lists the findings about the way to a file, and those about the file, the most
// important first.
func fileFindingsOf(v *registry.Validation) []fileFinding {
	var all []fileFinding
	if v.Discovery != nil {
		for i := range v.Discovery.Findings {
			f := &v.Discovery.Findings[i]
			all = append(all, fileFindingOf(&adagents.Finding{Code: f.Code, Severity: f.Severity, Line: f.Line,
				Message: f.Message}))
		}
	}
	if v.Report == nil {
		return all
	}
	report := withoutSecrets(v.Report)
	ranks := report.Ranks()
	order := make([]int, len(report.Findings))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(ranks[b]) - int(ranks[a]) })
	for _, i := range order {
		all = append(all, fileFindingOf(&report.Findings[i]))
	}
	return all
}

type fixFileInput struct {
	FileInput
	Safe bool `query:"safe_only" doc:"Apply only fixes that cannot let anybody sell more than before."`
}

type fixFileOutput struct {
	Changed bool          `json:"changed" doc:"Whether anything was fixed."`
	Valid   bool          `json:"valid" doc:"Whether the repaired file has no error left."`
	Applied []applied     `json:"applied" doc:"The fixes that were applied, a hundred at most."`
	Left    []fileFinding `json:"left" doc:"Errors that are left, fifty at most."`
	Text    string        `json:"publisher_document" from:"file" doc:"The repaired file; its text is the publisher's."`
}

type applied struct {
	Code  string `json:"code" doc:"The rule that was broken."`
	Kind  string `json:"kind" doc:"safe, likely or choice."`
	Title string `json:"publisher_title" from:"publisher" doc:"What was done; may quote the publisher."`
}

func (o *Set) fixFile(ctx context.Context, in *fixFileInput) (*fixFileOutput, error) {
	v, err := o.checkedFile(ctx, in.FileInput, false, "")
	if err != nil {
		return nil, err
	}
	switch {
	case v.Report == nil:
		return nil, &registry.Error{Kind: registry.NotFound, Code: "file.absent", Message: "there is no file to repair",
			Hint: "create_adagents makes one"}
	case len(v.Body) > registry.FixesUpTo:
		return nil, &registry.Error{Kind: registry.Invalid, Code: "file.too_large",
			Message: "the file is too large to be repaired here", Hint: "run avow fix on it"}
	case redact.Of(v.Body, v.Report).Hides():
		return nil, &registry.Error{Kind: registry.Invalid, Code: "file.secret",
			Message: "the file has a private key or a password in it, which must not pass through a model",
			Hint:    "run avow fix on it, and replace the secret"}
	}
	choose := adagents.Probably
	if in.Safe {
		choose = nil
	}
	done := v.Repaired(choose)
	out := &fixFileOutput{Changed: len(done.Applied) > 0, Valid: done.After.Valid(), Applied: []applied{},
		Left: []fileFinding{}, Text: string(done.Text)}
	for _, a := range done.Applied[:min(len(done.Applied), mostInTool)] {
		out.Applied = append(out.Applied, applied{Code: a.Finding.Code, Kind: a.Fix.Kind.String(), Title: a.Fix.Title})
	}
	for i := range done.After.Findings {
		f := &done.After.Findings[i]
		if f.Severity == adagents.Error && len(out.Left) < perPage {
			out.Left = append(out.Left, fileFindingOf(f))
		}
	}
	return out, nil
}

type createFileInput struct {
	File jsontext.Value `query:"file" required:"true" type:"object" doc:"The members of the file."`
}

type createFileOutput struct {
	Valid    bool          `json:"valid" doc:"Whether the file has no error."`
	Findings []fileFinding `json:"findings" doc:"What there is to say about it, fifty at most."`
	Text     string        `json:"publisher_document,omitempty" from:"file" doc:"The file; absent when it was refused because of errors."`
}

func (o *Set) makeFile(ctx context.Context, in *createFileInput) (*createFileOutput, error) {
	built, err := o.service.Create(ctx, in.File)
	var refused *adagents.InvalidError
	if err != nil && !errors.As(err, &refused) {
		return nil, err
	}
	out := &createFileOutput{Valid: err == nil, Findings: []fileFinding{}, Text: string(built.File)}
	report := withoutSecrets(built.Report)
	for i := range report.Findings[:min(len(report.Findings), perPage)] {
		out.Findings = append(out.Findings, fileFindingOf(&report.Findings[i]))
	}
	return out, nil
}

type explainInput struct {
	Code string `query:"code" required:"true" doc:"A code such as agent.url_missing."`
}

type explainOutput struct {
	Code     string `json:"code"`
	Kind     string `json:"kind,omitempty" doc:"What sort of code it is, unless it is a rule about files."`
	Severity string `json:"severity,omitempty" doc:"error, warning or info."`
	Effect   string `json:"effect,omitempty" doc:"What buyers do because of it."`
	Title    string `json:"title"`
	Why      string `json:"why,omitempty"`
	Hint     string `json:"hint,omitempty" doc:"What to do about it."`
	Wrong    string `json:"wrong_example,omitempty" from:"verbatim"`
	Right    string `json:"right_example,omitempty" from:"verbatim"`
	Fix      string `json:"fix_kind,omitempty" doc:"safe, likely or choice if fix_adagents has a fix for it."`
}

func explain(_ context.Context, in *explainInput) (*explainOutput, error) {
	r := catalogue.Lookup(in.Code)
	if r.Code == "" {
		return nil, &registry.Error{Kind: registry.NotFound, Code: "code.unknown", Message: "there is no such code",
			Hint: "codes look like agent.url_missing; findings and reasons carry them"}
	}
	out := &explainOutput{Code: r.Code, Kind: catalogue.KindOf(r.Code).Name, Title: r.Title, Why: r.Why, Hint: r.Hint,
		Effect: catalogue.Effects[r.Effect]}
	if r.Severity != 0 {
		out.Severity = r.Severity.String()
	}
	if r.Bad != "" {
		out.Wrong, out.Right = catalogue.ExampleText(r.In, r.Bad), catalogue.ExampleText(r.In, r.Good)
	}
	if kind := r.FixKind(); kind != 0 {
		out.Fix = kind.String()
	}
	return out, nil
}

// A fileFinding is something to say about a file.
type fileFinding struct {
	Code     string `json:"code" doc:"The rule; explain_code tells more."`
	Severity string `json:"severity" doc:"error, warning or info."`
	Title    string `json:"title" doc:"What is wrong, in a few words."`
	Hint     string `json:"hint,omitempty" doc:"What to do about it, in general."`
	Line     int    `json:"line,omitzero" doc:"Line in the file, from 1."`
	Column   int    `json:"column,omitzero" doc:"Column in that line, from 1."`
	Fix      string `json:"fix_kind,omitempty" doc:"safe, likely or choice if fix_adagents has a fix for it."`
	Pointer  string `json:"publisher_pointer,omitempty" from:"publisher" doc:"JSON Pointer of the value; may have names that the publisher chose."`
	Message  string `json:"publisher_message,omitempty" from:"publisher" doc:"What is wrong in a sentence that may quote the publisher."`
}

// fileFindingOf describes a finding about a file.
func fileFindingOf(f *adagents.Finding) fileFinding {
	rule := catalogue.Lookup(f.Code)
	out := fileFinding{
		Code: f.Code, Severity: f.Severity.String(), Title: rule.Title, Hint: rule.Hint, Line: f.Line, Column: f.Column,
		Pointer: f.Pointer, Message: f.Message,
	}
	if len(f.Fixes) > 0 {
		out.Fix = f.Fixes[0].Kind.String()
	}
	return out
}
