package web

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/words"
)

// problemPage says why there is nothing to show.
type problemPage struct {
	Status               int
	Title, Message, Hint string
	Form                 domainForm
	Moderator            bool // leads back to the page for moderators, without the form
}

// fail writes a page that says why there is no other.
func (p *Pages) fail(w http.ResponseWriter, r *http.Request, page *problemPage) {
	p.render(w, r, page.Status, "problem", page)
}

// failed writes the page for an error of the service.
func (p *Pages) failed(w http.ResponseWriter, r *http.Request, err error, form domainForm) {
	known := edge.Problem(err)
	if known.RetryAfter > 0 {
		p.retry(w, r, known, cmp.Or(form.Domain, publisherNamed(r)))
		return
	}
	status, body := edge.Answer(w.Header(), known)
	page := &problemPage{Status: status, Title: "This could not be checked", Message: safe(body.Error),
		Hint: safe(body.Hint), Form: form}
	if known == edge.Internal {
		p.log.ErrorContext(r.Context(), "cannot check", "error", err)
		page.Title, page.Message, page.Hint = "Something went wrong here",
			"This is a fault of the service, not of your file.", "Please try again in a minute."
	}
	p.fail(w, r, page)
}

func (p *Pages) notFound(w http.ResponseWriter, r *http.Request) {
	p.fail(w, r, &problemPage{
		Status: http.StatusNotFound, Title: "There is no such page",
		Message: "The address leads nowhere on this service.", Hint: "Check the domain of a publisher below instead.",
	})
}

// retryPage tells visitors that they have to come back later, and what is known meanwhile.
type retryPage struct {
	Title, Message, Hint string
	// Seconds is when to come back, and Wait the same in words.
	Seconds int
	Wait    string
	// Again is the address of what was asked for; empty if it was sent with a form.
	Again string
	// Known is the last known result; nil without one.
	Known *lastResult
	// Contact leads to the operator; empty if none is set.
	Contact lead
}

// lastResult is what was found when a publisher was last checked.
type lastResult struct {
	Domain    string
	Verdict   verdict
	CheckedAt time.Time
	Ago       string
}

// Refused answers a visitor of a page whom the server does not let in now. With known the page has the last
// known result.
func (p *Pages) Refused(w http.ResponseWriter, r *http.Request, e *registry.Error, known bool) {
	protect(w.Header())
	domain := ""
	if known {
		domain = publisherNamed(r)
	}
	p.retry(w, r, e, domain)
}

// retry writes the page about an error that passes, with the last known result about a domain unless that
// is empty.
func (p *Pages) retry(w http.ResponseWriter, r *http.Request, e *registry.Error, domain string) {
	status, body := edge.Answer(w.Header(), e)
	page := &retryPage{
		Title: safe(body.Error), Message: safe(body.Message), Hint: safe(body.Hint), Seconds: body.RetryAfter,
		Wait: wait(body.RetryAfter), Known: p.lastResult(r, domain), Contact: contactLead(p.contact),
	}
	if reads(r) && !strings.HasPrefix(r.URL.Path, "//") { // which would be another host
		page.Again = r.URL.RequestURI()
	}
	p.render(w, r, status, "retry", page)
}

// wait says how long to wait, rounded up.
func wait(seconds int) string {
	const minute, hour = 60, 3600
	switch {
	case seconds < 2*minute:
		return words.Plural(seconds, "second", "seconds")
	case seconds < 2*hour:
		return words.Plural((seconds+minute-1)/minute, "minute", "minutes")
	}
	return words.Plural((seconds+hour-1)/hour, "hour", "hours")
}

// lastResult returns what is stored about a publisher; nil if nothing is. It makes no request.
func (p *Pages) lastResult(r *http.Request, domain string) *lastResult {
	if domain == "" {
		return nil
	}
	doc, err := p.service.LastFile(r.Context(), domain)
	if err != nil || doc.FetchedAt.IsZero() {
		return nil
	}
	h := p.service.Headline(r.Context(), doc)
	return &lastResult{Domain: safe(domain), Verdict: verdictFrom(&h), CheckedAt: doc.FetchedAt,
		Ago: ago(p.now().Sub(doc.FetchedAt))}
}

// Named reports whether the address of a request names a publisher, about which something may be known.
func (p *Pages) Named(r *http.Request) bool { return publisherNamed(r) != "" }

// publisherNamed returns the publisher that an address is about; empty if there is none.
func publisherNamed(r *http.Request) string {
	q := r.URL.Query()
	name := cmp.Or(q.Get("domain"), q.Get("publisher"))
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if len(parts) > 1 && slices.Contains([]string{"check", "publisher"}, parts[0]) {
		name = parts[1]
	}
	if name == "" || len(name) > longestDomain {
		return ""
	}
	domain, err := discover.CanonicalDomain(name)
	if err != nil {
		return ""
	}
	return domain
}

// contactLead leads to a URL or an email address.
func contactLead(contact string) lead {
	to := lead{Text: safe(contact), URL: contact}
	if !strings.Contains(contact, "://") && strings.Contains(contact, "@") {
		to.URL = "mailto:" + contact
	}
	return to
}
