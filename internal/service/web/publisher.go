package web

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/resolve"
)

// A Historian knows publishers over time. *registry.Service is one.
type Historian interface {
	Record(ctx context.Context, domain string) (*registry.Record, error)
	History(ctx context.Context, domain string, limit int) ([]custody.Entry, error)
	// Replay returns the document that questions were answered from at a time.
	Replay(ctx context.Context, domain string, at time.Time) (*resolve.Document, *custody.Version, error)
}

// publisherPage is what is known about a publisher.
type publisherPage struct {
	Domain, Report, Ask string
	// Log is where the transparency log about it is shown; empty when there is none.
	Log      string
	Verdict  verdict
	Stations []station
	Checked  time.Time
	Matrix   *matrix
	Claims   claims
	Timeline []moment
	// Older is set when there is more than the timeline shows.
	Older    bool
	Evidence []evidenceView
	Pending  []string
	Past     past
}

// past is what was in effect at another time.
type past struct {
	// Action is where the form for a day leads, and On the day asked about; At is the instant
	// that stands for it.
	Action, On string
	At         time.Time
	Error      string
	// State is empty if the agent was not fetched.
	State, Hash, URL, Method string
	Adopted                  time.Time
	// Held are publishers that stayed revoked.
	Held   string
	Matrix *matrix
}

// publisherURL is the address of the page about a publisher.
func publisherURL(domain string) string {
	u := url.URL{Path: "/publisher/" + domain, RawPath: "/publisher/" + url.PathEscape(domain)}
	return u.String()
}

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

// publisher answers with the page about a publisher. It has the domain checked as the report
// does, and shows what is kept of it.
func (p *Pages) publisher(w http.ResponseWriter, r *http.Request) {
	domain := p.publisherOf(w, r, publisherURL)
	if domain == "" {
		return
	}
	form := domainForm{Domain: domain}
	v := p.ask(w, r, form, false)
	if v == nil {
		return
	}
	page, err := p.publisherPage(r.Context(), domain, v)
	if err == nil {
		page.Past, err = p.pastOf(r.Context(), domain, r.URL.Query().Get("on"), page.begins())
	}
	if err != nil {
		p.failed(w, r, err, form)
		return
	}
	p.render(w, r, http.StatusOK, "publisher", page)
}

// begins is when the first thing happened that is known of the publisher; zero when the timeline
// does not go back so far.
func (page *publisherPage) begins() time.Time {
	if page.Older || len(page.Timeline) == 0 {
		return time.Time{}
	}
	return page.Timeline[len(page.Timeline)-1].Entry.At
}

// mostMoments is the length of a timeline.
const mostMoments = 40

// publisherPage gathers what is known of a publisher.
func (p *Pages) publisherPage(ctx context.Context, domain string, v *registry.Validation) (*publisherPage, error) {
	doc, err := p.service.File(ctx, domain)
	if err != nil {
		return nil, err
	}
	state, err := p.service.Record(ctx, domain)
	if err != nil {
		return nil, err
	}
	history, err := p.service.History(ctx, domain, mostMoments+1)
	if err != nil {
		return nil, err
	}
	page := &publisherPage{
		Domain: safe(domain), Report: checkURL(domain, false, false), Ask: askURL([][2]string{{"publisher", domain}}), Checked: v.CheckedAt,
		Older: len(history) > mostMoments,
	}
	if p.reader.HasLog() {
		page.Log = publisherLogURL(domain)
	}
	page.Matrix = matrixOf(doc, p.now(), &pen{roomForProperties})
	page.Claims, err = p.claimsOn(ctx, domain, &pen{roomForFindings})
	if err != nil {
		return nil, err
	}
	page.Matrix.markClaims(doc, &page.Claims)
	h := p.service.Headline(ctx, doc)
	page.Verdict = verdictFrom(&h)
	page.Stations = stationsOf(v, doc, state, &h)
	ink := &pen{roomForFindings}
	for i := range history[:min(len(history), mostMoments)] {
		if ink.dry() {
			page.Older = true
			break
		}
		page.Timeline = append(page.Timeline, momentOf(&history[i], ink))
	}
	for _, e := range evidenceFor(doc) {
		page.Evidence = append(page.Evidence, evidenceView{orElse(roleWords[e.Role], e.Role), ink.url(e.URL), e.SHA256, e.State.String(), e.FetchedAt})
	}
	page.Pending = pendingOf(state, ink)
	return page, nil
}

// evidenceFor is a document with those that led to it.
func evidenceFor(d *resolve.Document) []resolve.Evidence {
	own := resolve.Evidence{Publisher: d.Publisher, URL: d.URL, SHA256: d.SHA256, Method: d.Method, Role: "file", FetchedAt: d.FetchedAt, State: d.State}
	return append([]resolve.Evidence{own}, d.Route...)
}

// dayOf returns a day if it is one: browsers show nothing else in a field for days.
func dayOf(s string) string {
	day, ok := parseDay(s)
	if !ok {
		return ""
	}
	return day.Format(time.DateOnly)
}

// parseDay reads a day, which begins at 00:00 UTC.
func parseDay(s string) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, s)
	return day, err == nil
}

// pastOf says what was in effect on a day: at its end, or now where that has not come. Nothing is
// known from before a time that is not zero.
func (p *Pages) pastOf(ctx context.Context, domain, on string, begins time.Time) (past, error) {
	x := past{Action: publisherURL(domain), On: dayOf(on)}
	if on == "" {
		return x, nil
	}
	day, ok := parseDay(on)
	now := p.now().UTC()
	if !ok || day.After(now) {
		x.Error = "write a day that has come, like " + now.Format(time.DateOnly)
		return x, nil
	}
	x.At = day.Add(24*time.Hour - time.Second)
	if x.At.After(now) {
		x.At = now
	}
	if x.At.Before(begins) {
		x.Error = "what this service knows of " + safe(domain) + " begins on " + begins.UTC().Format("2 January 2006")
		return x, nil
	}
	doc, version, err := p.service.Replay(ctx, domain, x.At)
	if err != nil {
		x.Error, err = told(err)
		return x, err
	}
	ink := &pen{roomForProperties}
	x.State, x.Method = doc.State.String(), methodWords(doc.Method, safe(domain))
	if version != nil {
		x.Hash, x.URL, x.Adopted = version.Hash, ink.url(version.URL), version.AdoptedAt
	}
	if len(doc.Revoked) > 0 {
		x.Held = ink.took(items(doc.Revoked))
	}
	x.Matrix = matrixOf(doc, x.At, ink)
	return x, nil
}
