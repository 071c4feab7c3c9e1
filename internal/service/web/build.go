package web

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/deploy"
	"github.com/avow-project/avow/internal/draft"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
)

// buildPage is the page that builds files. Everything on it is made by a script, which asks the
// routes below.
type buildPage struct {
	Domain, Format string
	// Published has the script begin with what the domain publishes, and Encoded with a document, in base64.
	Published bool
	Encoded   string
}

// buildRoutes are the page and what it asks. Documents are sent as they are, in the body; the
// domain that will publish them is a parameter.
func (p *Pages) buildRoutes() {
	p.handle("GET /build", edge.Static, 0, p.build)
	p.program("POST /build/check", edge.Create, p.buildCheck)
	p.program("POST /build/import", edge.Create, p.buildImport)
	p.program("POST /build/format", edge.Create, p.buildFormat)
	p.program("POST /build/fix", edge.Create, p.buildFix)
	p.program("POST /build/publish", edge.Create, p.buildPublish)
	p.program("POST /build/fetch", edge.Validate, p.buildFetch)
	p.program("POST /build/changes", edge.Validate, p.buildChanges)
}

// program adds a route that a script asks: its answers and its errors are JSON.
func (p *Pages) program(pattern string, class *edge.Class, h func(*http.Request, []byte) (any, error)) {
	p.handle(pattern, class, largestBody, func(w http.ResponseWriter, r *http.Request) {
		doc, err := readDocument(w, r)
		var answer any
		if err == nil {
			answer, err = h(r, doc)
		}
		p.reply(w, r, answer, err)
	})
	route := p.infos[pattern]
	route.Program = true
	p.infos[pattern] = route
}

// readDocument reads the body of a request.
func readDocument(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	doc, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestPaste))
	var over *http.MaxBytesError
	if errors.As(err, &over) {
		return nil, &registry.Error{Kind: registry.TooLarge, Code: "body_too_large", Message: "this is larger than 5 MB",
			Hint: "check such a file with the program avow"}
	}
	if err != nil {
		return nil, &registry.Error{Kind: registry.Invalid, Code: "request.body",
			Message: "the document did not arrive whole"}
	}
	return doc, nil
}

// reply writes an answer for a script.
func (p *Pages) reply(w http.ResponseWriter, r *http.Request, answer any, err error) {
	status := http.StatusOK
	if err != nil {
		known := edge.Problem(err)
		if known == edge.Internal {
			p.log.ErrorContext(r.Context(), "cannot answer", "error", err)
		}
		status, answer = edge.Answer(w.Header(), known)
	}
	body, err := json.Marshal(answer, jsontext.AllowInvalidUTF8(true), json.Deterministic(true),
		json.FormatNilSliceAsNull(false))
	if err != nil {
		p.log.ErrorContext(r.Context(), "cannot make an answer", "error", err)
		http.Error(w, "Internal server error", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	sendPacked(w, r, status, body)
}

// build answers with the page.
func (p *Pages) build(w http.ResponseWriter, r *http.Request) {
	page := &buildPage{Format: "/assets/" + formAsset().name}
	domain, err := discover.CanonicalDomain(r.URL.Query().Get("domain"))
	if err == nil {
		page.Domain, page.Published = domain, r.URL.Query().Get("from") == "published"
		w.Header().Set("X-Robots-Tag", "noindex")
	}
	p.render(w, r, http.StatusOK, "build", page)
}

// builtCheck is the check of a document while it is written.
type builtCheck struct {
	Valid bool `json:"valid"`
	// Unusable is set when consumers must not use the document at all.
	Unusable    bool           `json:"unusable,omitzero"`
	Consequence consequence    `json:"consequence"`
	Findings    []wire.Finding `json:"findings"`
}

// consequence is what a document means for buyers: the headline in a few words, and what else it says.
type consequence struct {
	Tone   string `json:"tone"`
	Words  string `json:"words"`
	Detail string `json:"detail,omitzero"`
}

// consequenceOf says what the document of a check would mean if it were published.
func consequenceOf(v *registry.Validation, h *headline.Headline) consequence {
	valid := v.Report.Valid()
	switch {
	case v.Report.Pointer != nil && valid:
		return consequence{"good", "Points to another file", "The file there has to be checked, too."}
	case v.Report.Pointer != nil:
		return consequence{"bad", "Leads buyers nowhere", ""}
	case h.State == headline.Unusable:
		return consequence{"bad", "Buyers cannot use it", sentence(safe(h.Text))}
	}
	out := consequence{Words: words.Thousands(h.Able) + " of " + words.Plural(h.Agents, "agent can sell",
		"agents can sell"), Detail: sentence(strings.TrimSpace(safe(h.Text) + "; " + safe(h.Detail)))}
	if h.Detail == "" {
		out.Detail = sentence(safe(h.Text))
	}
	switch {
	case h.Agents == 0:
		out.Words = "No agent can sell"
	case h.Able == 0:
		out.Tone = "bad"
	case h.Able < h.Agents || !valid:
		out.Tone = "warn"
	default:
		out.Tone = "good"
	}
	return out
}

// validated checks a document for the domain that a request names. A domain that is none yet,
// because it is being typed, is left out.
func (p *Pages) validated(r *http.Request, doc []byte) (*registry.Validation, error) {
	if len(bytes.TrimSpace(doc)) == 0 {
		return nil, &registry.Error{Kind: registry.Invalid, Code: "request.missing", Message: "there is no document",
			Hint: "send the text of the file"}
	}
	req := registry.ValidateRequest{Content: doc, Caller: registry.Caller{Client: registry.ClientOf(r.Context())}}
	domain, err := discover.CanonicalDomain(r.URL.Query().Get("domain"))
	if err == nil {
		req.Domain = domain
	}
	return p.service.Validate(r.Context(), req)
}

func (p *Pages) buildCheck(r *http.Request, doc []byte) (any, error) {
	v, err := p.validated(r, doc)
	if err != nil {
		return nil, err
	}
	shown := redact.Report(doc, v.Report)
	h := headline.Of(headline.Facts{Document: documentAtHand(v), At: v.CheckedAt})
	out := &builtCheck{Valid: shown.Valid(), Unusable: shown.Unusable != nil, Consequence: consequenceOf(v, &h),
		Findings: []wire.Finding{}}
	for i := range shown.Findings {
		f := shown.Findings[i]
		f.Hint = plainly(f.Hint)
		out.Findings = append(out.Findings, wire.API.Finding(&f, ""))
	}
	return out, nil
}

// imported is a document to go on with.
type imported struct {
	Text string `json:"text"`
	// Note says what was done to make it.
	Note string `json:"note,omitzero"`
	// Done are the repairs that were made.
	Done []string `json:"done,omitempty"`
}

func (p *Pages) buildImport(r *http.Request, doc []byte) (any, error) {
	domain, _ := discover.CanonicalDomain(r.URL.Query().Get("domain")) // empty when it is none
	return p.draftOf(doc, domain, "This is a draft made of what you gave.")
}

// buildFormat writes a document the way avow formats files. Deep nesting could make it many times as large,
// so a document that would grow beyond three times its size is refused.
func (p *Pages) buildFormat(_ *http.Request, doc []byte) (any, error) {
	if formattedSize(doc) > 3*len(doc)+65_536 {
		return nil, &registry.Error{Kind: registry.Invalid, Code: "format.too_large",
			Message: "the document is nested too deeply to be formatted here", Hint: "format it with avow fmt"}
	}
	text, err := adagents.Format(doc)
	if err != nil {
		return nil, &registry.Error{Kind: registry.Invalid, Code: "format.not_json", Message: "the text is not JSON",
			Hint: "correct it first"}
	}
	return &imported{Text: string(text)}, nil
}

// formattedSize is about how large a document is once each value has a line of its own.
func formattedSize(doc []byte) int {
	size, depth, text := len(doc), 0, false
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			depth++
			size += 2 * depth
		case c == '}' || c == ']':
			depth = max(0, depth-1)
			size += 2 * depth
		case c == ',':
			size += 2 * depth
		}
	}
	return size
}

// buildFix applies all fixes to a document, but those that the author has to choose.
func (p *Pages) buildFix(r *http.Request, doc []byte) (any, error) {
	if len(doc) > draftUpTo {
		return nil, &registry.Error{Kind: registry.Invalid, Code: "fix.too_large",
			Message: "the document is too large to be repaired here", Hint: "repair it with avow fix --likely"}
	}
	opt := adagents.Options{Now: p.now(), MaxFindings: draftFindings}
	domain, err := discover.CanonicalDomain(r.URL.Query().Get("domain"))
	if err == nil {
		opt.Domain = domain
	}
	done := adagents.Repair(doc, adagents.RepairOptions{Options: opt, Choose: adagents.Probably})
	out := &imported{Text: string(done.Text)}
	for i := range done.Applied {
		out.Done = append(out.Done, sentence(safe(done.Applied[i].Fix.Title)))
	}
	return out, nil
}

const (
	// draftUpTo is the size in bytes of the largest document that is repaired here, and
	// draftFindings how many findings of one rule are fixed at once.
	draftUpTo     = 500_000
	draftFindings = 1000
)

// draftOf makes a draft of a document that is not a file of the format, or has mistakes.
func (p *Pages) draftOf(doc []byte, domain, note string) (any, error) {
	if len(doc) > draftUpTo {
		return nil, &registry.Error{Kind: registry.Invalid, Code: "draft.none",
			Message: "the document is too large to be repaired here",
			Hint:    "repair it with avow fix --likely, or make a draft of it with avow create --from"}
	}
	opt := adagents.Options{Domain: domain, Now: p.now(), MaxFindings: draftFindings}
	d, err := draft.Make(doc, opt)
	if err != nil {
		hint := "say whose file it is to be, in the box for the domain"
		if domain != "" {
			hint = "start with a new file instead"
		}
		return nil, &registry.Error{Kind: registry.Invalid, Code: "draft.none",
			Message: "no draft could be made of this: " + err.Error(), Hint: hint}
	}
	built, err := adagents.Build(d.Text, adagents.BuildOptions{Check: opt, Now: opt.Now, ComputeETag: d.LacksETag()})
	if err != nil {
		return nil, &registry.Error{Kind: registry.Invalid, Code: "draft.none",
			Message: "no valid file could be made of this", Hint: "start with a new file instead"}
	}
	out := &imported{Text: string(built.File), Note: note}
	for i := range d.Repaired.Applied {
		out.Done = append(out.Done, sentence(safe(d.Repaired.Applied[i].Fix.Title)))
	}
	return out, nil
}

func (p *Pages) buildFetch(r *http.Request, _ []byte) (any, error) {
	v, err := p.published(r)
	if err != nil {
		return nil, err
	}
	d := v.Discovery
	if v.Report != nil && d.Method != discover.ManagerDomain && v.Report.Tree() != nil &&
		v.Report.Kind != adagents.UnknownKind {
		note := "This is the file of " + v.Domain + " as it is published."
		if d.Method == discover.AuthoritativeLocation {
			note = v.Domain + " points to " + redact.URL(d.ResolvedURL) + "; this is the file from there."
		}
		return &imported{Text: string(v.Body), Note: note}, nil
	}
	if v.Report != nil && d.Method != discover.ManagerDomain {
		return p.draftOf(v.Body, v.Domain,
			v.Domain+" publishes something that is not a file of this format; this is a draft made of it.")
	}
	if text := adsTxtOf(d); text != nil {
		return p.draftOf(text, v.Domain,
			v.Domain+" has no adagents.json; this is a draft made from its ads.txt. It authorizes no agent yet.")
	}
	if d.Answer != discover.Absent {
		return nil, &registry.Error{Kind: registry.NotFound, Code: "discovery.unknown",
			Message: "it is not known whether " + v.Domain + " has a file, because it could not be reached",
			Hint:    "try again later, or start with a new file"}
	}
	return nil, &registry.Error{Kind: registry.NotFound, Code: "discovery.no_file",
		Message: v.Domain + " has no file and no ads.txt that could be read", Hint: "start with a new file"}
}

// published looks for what the domain of a request publishes.
func (p *Pages) published(r *http.Request) (*registry.Validation, error) {
	v, err := p.service.Validate(r.Context(), registry.ValidateRequest{
		Domain: r.URL.Query().Get("domain"), Caller: registry.Caller{Client: registry.ClientOf(r.Context())},
	})
	if err != nil {
		return nil, err
	}
	if v.Input != nil {
		return nil, v.Input
	}
	return v, nil
}

// builtChanges says what a document changes for buyers.
type builtChanges struct {
	// Note says what the document is compared with.
	Note    string               `json:"note"`
	Changes []wire.CustodyChange `json:"changes"`
}

func (p *Pages) buildChanges(r *http.Request, doc []byte) (any, error) {
	old, err := p.published(r)
	if err != nil {
		return nil, err
	}
	next, err := p.validated(r, doc)
	if err != nil {
		return nil, err
	}
	after := redact.Report(doc, next.Report)
	if after.Unusable != nil {
		return nil, &registry.Error{Kind: registry.Invalid, Code: "file.unusable",
			Message: "buyers could not use this file at all", Hint: "fix the errors first"}
	}
	out := &builtChanges{Changes: []wire.CustodyChange{}}
	switch d := old.Discovery; {
	case d.Answer == discover.Absent:
		out.Note = old.Domain + " publishes no file at present, so everything in yours is new."
		out.Changes = wire.ChangesOf(compareReports(nil, after))
	case old.Report == nil || old.Report.Unusable != nil:
		return nil, &registry.Error{Kind: registry.NotFound, Code: "file.unusable",
			Message: "what " + old.Domain + " publishes at present could not be read, so nothing can be compared"}
	default:
		out.Note = "Compared with what buyers read for " + old.Domain + " at present, from " + redact.URL(d.ResolvedURL) + "."
		before := redact.Report(old.Body, old.Report)
		if d.Pointer != nil && after.Pointer != nil {
			before = redact.Report(d.PointerBody, d.Pointer)
		}
		out.Changes = wire.ChangesOf(compareReports(before, after))
	}
	return out, nil
}

// compareReports compares two versions, of which the older may be none.
func compareReports(old, next *adagents.Report) []custody.Change {
	if next.Pointer != nil {
		before := ""
		if old != nil && old.Pointer != nil {
			before = old.Pointer.AuthoritativeLocation
		}
		return custody.ComparePointers(before, next.Pointer.AuthoritativeLocation)
	}
	if old == nil {
		return custody.Compare(nil, next.File)
	}
	return custody.Compare(old.File, next.File)
}

// shownHost is how a file is published on a kind of host.
type shownHost struct {
	Name  string      `json:"name"`
	Title string      `json:"title"`
	Steps []shownStep `json:"steps"`
}

type shownStep struct {
	Do   string `json:"do"`
	Path string `json:"path,omitzero"`
	Text string `json:"text,omitzero"`
}

// placeholder is the domain in steps when none is given.
const placeholder = "example.com"

// buildPublish answers with the steps for every host. A step that stores the file itself refers to the
// download, in the place of a text that may be long.
func (p *Pages) buildPublish(r *http.Request, doc []byte) (any, error) {
	domain, err := discover.CanonicalDomain(r.URL.Query().Get("domain"))
	if err != nil {
		domain = placeholder
	}
	var hosts []shownHost
	for _, h := range deploy.Hosts() {
		x := shownHost{Name: h.Name, Title: h.Title}
		for _, s := range h.Steps(deploy.Site{Content: doc, Domains: []string{domain}}) {
			step := shownStep{Do: sentence(s.Do), Path: s.Path, Text: s.Text}
			if s.Kind == deploy.Whole && s.Text == string(doc) {
				step.Text = ""
			}
			x.Steps = append(x.Steps, step)
		}
		hosts = append(hosts, x)
	}
	return hosts, nil
}
