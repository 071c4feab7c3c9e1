package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// publisherPage is the page about a publisher: what is said on all its tabs, and one of them.
type publisherPage struct {
	*report
	Stations []station
	// Flow and Periods are what the tab about selling draws.
	Flow    *flow
	Periods *periods
	// Preview is the address of its picture, for links that are shared.
	Preview string
	Tabs    []tabView
	// Tab is the one that is shown. What belongs to the others is empty.
	Tab       tabView
	Matrix    *matrix
	Claims    claims
	Ask       *askPage
	History   *historyView
	Documents []evidenceView
	// Trust is where the trust.json of the domain is shown; empty when none is kept.
	Trust string
	// Log is what the transparency log has about the publisher and its file; nil without a log.
	Log *ops.LogView
}

// A tabView is a view of a publisher. ID is its name in addresses.
type tabView struct {
	ID, Title, URL string
	// Count is of what the tab lists; Counted is set when that is known.
	Count   int
	Counted bool
}

// tabTitles are the tabs with what they are called.
var tabTitles = [][2]string{{findingsTab, "Findings"}, {sellTab, "Who may sell what"}, {askTab, "Ask"},
	{historyTab, "History"}, {evidenceTab, "Evidence"}}

// publisherOf returns the publisher that the path of a request names. It is empty when the request
// is answered: what is named is not a domain, or has another spelling that address leads to.
func (p *Pages) publisherOf(w http.ResponseWriter, r *http.Request, address func(domain string) string) string {
	w.Header().Set("X-Robots-Tag", "noindex")
	form := domainForm{Domain: r.PathValue("domain")}
	domain, ok := p.canonical(w, r, form)
	if ok && domain != form.Domain {
		http.Redirect(w, r, address(domain), http.StatusSeeOther)
		return ""
	}
	return domain
}

// movedPublisher leads from an address that a page about a publisher had to the tab that is there now.
func (p *Pages) movedPublisher(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Robots-Tag", "noindex")
		domain, ok := p.canonical(w, r, domainForm{Domain: r.PathValue("domain")})
		if !ok {
			return
		}
		q := r.URL.Query()
		q.Set("tab", to)
		if q.Has("on") {
			q.Set("tab", historyTab)
		}
		http.Redirect(w, r, publisherAddress(domain, q), http.StatusMovedPermanently)
	}
}

// check answers with the page about a publisher.
func (p *Pages) check(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	domain := p.publisherOf(w, r, func(domain string) string { return publisherAddress(domain, query) })
	if domain == "" {
		return
	}
	form := domainForm{Domain: domain, Agents: query.Get("agents") != ""}
	v := p.ask(w, r, form, false)
	if v == nil {
		return
	}
	k := p.factsOn(r.Context(), v)
	if k.err == nil {
		k.record, k.err = p.service.Record(r.Context(), domain)
		if k.err != nil && edge.Problem(k.err).Kind == registry.NotFound {
			k.record, k.err = nil, nil // a file that is not kept can still be shown
		}
	}
	findings, err := reportFor(v, &k.headline, query.Get("text") == "served")
	if err != nil {
		p.send(w, r, http.StatusInternalServerError, nil, err)
		return
	}
	findings.Age = p.ageOf(r, v, form)
	page := &publisherPage{report: findings, Stations: stationsOf(v, k.doc, k.record, &k.headline)}
	base, _ := edge.Origin(r, p.baseURL, p.baseURL != "")
	page.Preview = base + previewURL(domain)
	page.addTabs(domain, query.Get("tab"))
	err = p.fill(r, page, domain, k)
	if err != nil {
		p.failed(w, r, err, form)
		return
	}
	p.render(w, r, http.StatusOK, "report", page)
}

// addTabs lists the tabs. The one that is shown is the first unless another is wanted.
func (page *publisherPage) addTabs(domain, wanted string) {
	for _, t := range tabTitles {
		x := tabView{ID: t[0], Title: t[1], URL: tabURL(domain, t[0])}
		if x.ID == findingsTab {
			x.Count, x.Counted = page.Found, true
		}
		if x.ID == wanted || x.ID == findingsTab {
			page.Tab = x
		}
		page.Tabs = append(page.Tabs, x)
	}
}

// fill gathers what the tab shows.
func (p *Pages) fill(r *http.Request, page *publisherPage, domain string, k *publisherFacts) error {
	if page.Tab.ID == findingsTab {
		return nil
	}
	if k.err != nil {
		return k.err
	}
	var err error
	ctx := r.Context()
	switch page.Tab.ID {
	case sellTab:
		page.Flow = flowOf(domain, k.doc, &k.headline, &pen{trailBytes})
		page.Periods = periodsOf(k.doc, p.now(), &pen{trailBytes})
		page.Matrix = matrixOf(k.doc, p.now(), &pen{propertiesBytes})
		page.Claims, err = p.claimsOn(ctx, domain, &pen{findingsBytes})
		page.Matrix.markClaims(k.doc, &page.Claims)
	case askTab:
		a := &asked{publisher: domain}
		page.Ask = &askPage{Form: a.form(k.doc, nil), Known: choicesOf(a, k.doc)}
	case historyTab:
		page.History, err = p.historyOf(ctx, domain, chosenDay(r.URL.Query()), k.doc, k.record)
	case evidenceTab:
		page.Documents = evidenceOf(k.doc)
		page.Trust, err = p.trustOf(ctx, domain)
		if err == nil {
			page.Log, err = p.logOf(ctx, domain)
		}
	}
	return err
}

// publisherFacts is what is known of a publisher besides what a check has found.
type publisherFacts struct {
	// doc is what answers rest on.
	doc *resolve.Document
	// record is what is kept; nil when err says why that and doc cannot be told.
	record   *registry.Record
	headline headline.Headline
	err      error
}

// factsOn looks up what is known of the publisher of a check. Answers may rest on an earlier file
// than the one that the check has found. Where it cannot be told what they rest on, as while the store
// is away, what was found counts.
func (p *Pages) factsOn(ctx context.Context, v *registry.Validation) *publisherFacts {
	k := &publisherFacts{}
	k.doc, k.err = p.service.File(ctx, v.Domain)
	if k.err != nil {
		k.doc = documentFound(v)
		k.headline = headline.Of(headline.Facts{Document: k.doc, At: v.CheckedAt})
		return k
	}
	k.headline = p.service.Headline(ctx, k.doc)
	return k
}

// ageOf returns the age of a check for the reader.
func (p *Pages) ageOf(r *http.Request, v *registry.Validation, form domainForm) *reportAge {
	wait := p.service.RefreshWait(hostname.Domain(v.Domain), registry.ClientOf(r.Context()))
	seconds := int((wait + time.Second - 1) / time.Second)
	return &reportAge{
		Domain: safe(v.Domain), Agents: form.Agents, CheckedAt: v.CheckedAt, FreshUntil: v.FreshUntil,
		Ago:  ago(p.now().Sub(v.CheckedAt)),
		Wait: seconds, TooSoon: seconds > 0 && r.URL.Query().Get(tooSoon) != "",
	}
}

// largeFile is the size from which reports about a file are kept: searching it for secrets
// takes longer than all the rest.
const largeFile = 256 << 10

// reportFor is the report about a check, which is made once for all who are given the same if that
// takes long.
func reportFor(v *registry.Validation, h *headline.Headline, served bool) (*report, error) {
	if len(v.Body) < largeFile {
		return reportOf(v, h, served), nil
	}
	body, err := v.Encoded(fmt.Sprint("report ", served, h.State, h.Text, "\n", h.Detail), func() ([]byte, error) {
		return json.Marshal(reportOf(v, h, served))
	})
	if err != nil {
		return nil, err
	}
	r := new(report)
	return r, json.Unmarshal(body, r)
}

// evidenceOf shows what answers about a publisher rest on.
func evidenceOf(doc *resolve.Document) []evidenceView {
	var list []evidenceView
	ink := &pen{findingsBytes}
	own := resolve.Evidence{Publisher: doc.Publisher, URL: doc.URL, SHA256: doc.SHA256, Method: doc.Method, Role: "file",
		FetchedAt: doc.FetchedAt, State: doc.State}
	for _, e := range append([]resolve.Evidence{own}, doc.Route...) {
		list = append(list, evidenceView{cmp.Or(roleWords[e.Role], e.Role), ink.url(e.URL), e.SHA256, e.State.String(),
			e.FetchedAt})
	}
	return list
}

// logOf returns what the transparency log has about a publisher and its file; nil without a log.
func (p *Pages) logOf(ctx context.Context, domain string) (*ops.LogView, error) {
	if !p.reader.HasLog() {
		return nil, nil
	}
	log, err := p.reader.Log(ctx, domain)
	if err != nil {
		return nil, err
	}
	for i := range log.Entries {
		e := &log.Entries[i]
		e.Sentence = strings.TrimSuffix(sentence(e.Sentence), ".")
	}
	return log, nil
}

// trustPage is the trust.json that is kept of a domain.
type trustPage struct {
	Domain, Publisher, Address string
	// Standing is empty while no version is kept.
	Standing, Hash, Subject, Trouble, Summary string
	Adopted, Confirmed                        time.Time
	Problems                                  []trustProblem
	Raw                                       rawText
}

type trustProblem struct{ Where, Message, Hint string }

func trustURL(domain string) string { return tabURL(domain, findingsTab) + "/trust" }

// trustOf is where the trust.json of a domain is shown; empty when none is kept.
func (p *Pages) trustOf(ctx context.Context, domain string) (string, error) {
	t, err := p.service.Trust(ctx, domain)
	if err != nil || t.File.Hash == "" {
		return "", err
	}
	return trustURL(domain), nil
}

// trust answers with the trust.json that is kept of a domain. It makes no request.
func (p *Pages) trust(w http.ResponseWriter, r *http.Request) {
	domain := p.publisherOf(w, r, trustURL)
	if domain == "" {
		return
	}
	t, err := p.service.Trust(r.Context(), domain)
	if err != nil {
		p.failed(w, r, err, domainForm{Domain: domain})
		return
	}
	ink := &pen{findingsBytes}
	page := &trustPage{Domain: safe(domain), Publisher: tabURL(domain, findingsTab), Address: t.URL,
		Trouble: sentence(ink.words(redact.Credentials(t.File.Trouble)))}
	if t.File.Hash != "" {
		page.Standing, page.Hash, page.Subject = t.Standing.String(), t.File.Hash, t.Subject.String()
		page.Adopted, page.Confirmed = t.File.AdoptedAt, t.File.ConfirmedAt
	}
	if t.Document != nil {
		page.Summary = sentence(t.Summary)
		page.Raw = rawOf(&document{source: redact.Of(t.Body, adagents.Check(t.Body, adagents.Options{}))})
	}
	for _, one := range t.Problems {
		page.Problems = append(page.Problems, trustProblem{
			ink.words(t.Document.Root().PointerTo(one.At)), sentence(ink.words(redact.Credentials(one.Msg))),
			sentence(ink.words(redact.Credentials(one.Hint))),
		})
	}
	p.render(w, r, http.StatusOK, "trust", page)
}
