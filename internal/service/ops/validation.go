package ops

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

// validation is the outcome of a check, in the members that clients know and some more.
type validation struct {
	Valid           bool           `json:"valid" doc:"A file was found, and neither it nor the way to it has an error."`
	Errors          []finding      `json:"errors" doc:"What makes it not valid."`
	Warnings        []finding      `json:"warnings" doc:"What should be looked at."`
	Info            []finding      `json:"info" doc:"Remarks."`
	Domain          string         `json:"domain" doc:"The publisher in canonical form; proposed for a document that was sent."`
	URL             string         `json:"url" doc:"The well-known URL of the publisher; proposed for a document that was sent."`
	StatusCode      int            `json:"status_code,omitzero" doc:"HTTP status at the well-known URL, or at the manager's URL if the manager's file is in effect; absent when there was no answer."`
	ResponseBytes   *int64         `json:"response_bytes,omitzero" doc:"Size of the file in the end, after decompression; absent when no answer came."`
	ResolvedURL     string         `json:"resolved_url,omitempty" doc:"Where the file came from in the end."`
	RawData         jsontext.Value `json:"raw_data,omitzero" doc:"The file in the end, as JSON; absent when there is none that can be parsed, and for a document that was sent. Private keys, passwords and the like are not repeated: see redacted."`
	Redacted        bool           `json:"redacted,omitzero" doc:"True when raw_data is not what is published: values that are secret, or look so, are replaced by the string [hidden]."`
	DiscoveryMethod string         `json:"discovery_method" doc:"direct, authoritative_location or ads_txt_managerdomain; direct as long as no file was found."`
	ManagerDomain   string         `json:"manager_domain,omitempty" doc:"The manager whose file is in effect."`
	Answer          string         `json:"answer,omitempty" doc:"What is known: usable, unusable, absent or unreachable. Only absent says that there is no file, and this neither allows nor forbids any agent."`
	Kind            string         `json:"kind,omitempty" doc:"inline or pointer; absent when the file cannot be read as either."`
	SupersededBy    string         `json:"superseded_by,omitempty" doc:"The URL that the file names as its replacement."`
	Usable          *wire.Usable   `json:"usable,omitzero" doc:"How much of the file consumers use; absent when they must not use it."`
	Skipped         []answer.Skip  `json:"skipped" doc:"The entries that consumers leave out while they use the rest; the first 1000."`
	SkippedTotal    int            `json:"skipped_total,omitzero" doc:"The number of all such entries, when there are more than skipped lists."`
	Trail           []wire.Hop     `json:"trail" doc:"Every step of the way that was taken or refused."`
	CheckedAt       string         `json:"checked_at" format:"date-time" doc:"When the question was asked."`
	FreshUntil      string         `json:"fresh_until,omitempty" format:"date-time" doc:"How long this answer is fresh."`
	Cached          bool           `json:"cached" doc:"An earlier answer was used."`
	Complete        bool           `json:"complete" doc:"False when the time or the number of requests for one call did not suffice to find out everything."`
}

// mostSkipped is the number of entries that an answer lists: a file can have hundreds of
// thousands, and an answer has to stay smaller than the file.
const mostSkipped = 1000

// proposed stands for the domain and the URL of a document that was sent.
const proposed = "proposed"

// validationOf shows a check.
func validationOf(v *registry.Validation) *validation {
	v = v.WithFixes()
	doc := &validation{
		Valid: v.Valid(), Domain: v.Domain, DiscoveryMethod: discover.Direct.String(), Trail: []wire.Hop{},
		Skipped:   []answer.Skip{},
		CheckedAt: wire.API.Time(v.CheckedAt), FreshUntil: wireTimeOrNone(v.FreshUntil), Cached: v.Cached,
		Complete: v.Complete,
	}
	var all findings
	switch {
	case v.Input != nil:
		doc.URL = wellKnownOf(v.Domain)
		all.add(adagents.Error, "network", wire.API.Finding(&adagents.Finding{
			Code: "input.domain", Severity: adagents.Error, Message: v.Input.Message, Hint: v.Input.Hint,
		}, ""))
	case v.Discovery == nil:
		doc.Domain, doc.URL = proposed, proposed
		doc.addReport(&all, v.Report, "")
	default:
		doc.addDiscovery(&all, v)
	}
	doc.Errors, doc.Warnings, doc.Info = all.errors, all.warnings, all.info
	return doc
}

// wellKnownOf is where the file of a domain would be.
func wellKnownOf(domain string) string { return "https://" + domain + "/.well-known/adagents.json" }

// addDiscovery shows the way to a file and the file.
func (doc *validation) addDiscovery(all *findings, v *registry.Validation) {
	d := v.Discovery
	doc.URL, doc.DiscoveryMethod, doc.ManagerDomain = d.URL, d.Method.String(), d.ManagerDomain
	doc.Answer, doc.SupersededBy = d.Answer.String(), redact.URL(d.SupersededBy)
	doc.Trail = wire.API.Hops(d)
	doc.addResponse(d)
	for i := range d.Findings {
		all.addWay(&d.Findings[i])
	}
	if d.Pointer != nil {
		all.addReport(withoutSecrets(d.Pointer), d.URL, "json")
	}
	if v.Report != nil {
		doc.addReport(all, v.Report, redact.URL(d.ResolvedURL))
	}
	if v.Report != nil && v.Report.Tree() != nil {
		doc.showFile(v)
	}
}

// addResponse shows what came back: the status of the publisher's well-known path, or
// of the manager's when its file counts, and the size of the file in the end.
func (doc *validation) addResponse(d *discover.Discovery) {
	asked := discover.WellKnown
	if d.Method == discover.ManagerDomain {
		asked = discover.Manager
	}
	for i := range d.Trail {
		h := &d.Trail[i]
		if h.Result == nil || h.Result.Last().Status == 0 {
			continue
		}
		last := h.Result.Last()
		if h.Step == asked {
			doc.StatusCode, doc.ResponseBytes, doc.ResolvedURL = last.Status, &last.Bytes, redact.URL(h.Result.URL)
		}
		if last.Status == http.StatusOK && d.ResolvedURL != "" && h.Result.URL == d.ResolvedURL {
			doc.ResponseBytes, doc.ResolvedURL = &last.Bytes, redact.URL(d.ResolvedURL)
		}
	}
}

// addReport shows the check of the file in the end. What is wrong with a file that
// cannot be read at all is said about the member that led to it.
func (doc *validation) addReport(all *findings, r *adagents.Report, url string) {
	whole := "json"
	if doc.DiscoveryMethod == discover.AuthoritativeLocation.String() {
		whole = "authoritative_location"
	}
	r = withoutSecrets(r)
	all.addReport(r, url, whole)
	doc.Kind = r.Kind.String()
	if r.File != nil {
		doc.Usable = wire.UsableOf(r.File)
	}
	doc.Skipped = answer.SkipsOf(r.Skipped[:min(len(r.Skipped), mostSkipped)])
	if len(r.Skipped) > mostSkipped {
		doc.SkippedTotal = len(r.Skipped)
	}
}
