package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/registry"
)

// homePage is the front page.
type homePage struct {
	Form domainForm
	// Example is a publisher to begin with; empty when none is known.
	Example string
}

// home answers with the front page.
func (p *Pages) home(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=300")
	p.render(w, r, http.StatusOK, "home", &homePage{Example: p.reader.Sample(r.Context(), p.now()).Domain})
}

// formOf reads the box for a domain.
func formOf(get func(string) string) domainForm {
	return domainForm{Domain: strings.TrimSpace(get("domain")), Agents: get("agents") != ""}
}

// checkForm leads from the form for a domain to the address of its report.
func (p *Pages) checkForm(w http.ResponseWriter, r *http.Request) {
	form := formOf(r.URL.Query().Get)
	domain, ok := p.canonical(w, r, form)
	if ok {
		http.Redirect(w, r, checkURL(domain, form.Agents, false), http.StatusSeeOther)
	}
}

// canonical returns the domain that was meant. When it returns false, the request is
// answered.
func (p *Pages) canonical(w http.ResponseWriter, r *http.Request, form domainForm) (string, bool) {
	if len(form.Domain) > longestDomain {
		form.Domain = form.Domain[:longestDomain]
		p.wrongDomain(w, r, form, "this is too long for a domain", "write the domain alone, for example example.com")
		return "", false
	}
	if form.Domain == "" {
		p.wrongDomain(w, r, form, "no domain was given", "write the publisher's domain, for example example.com")
		return "", false
	}
	domain, err := discover.CanonicalDomain(form.Domain)
	var input *discover.InputError
	if errors.As(err, &input) {
		p.wrongDomain(w, r, form, input.Message, input.Hint)
		return "", false
	}
	return domain, true
}

// checkAgain has a domain checked anew, and leads to the report. It is not a link, so
// that crawlers do not trigger checks.
func (p *Pages) checkAgain(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	form := formOf(r.PostFormValue)
	var ok bool
	form.Domain, ok = p.canonical(w, r, form)
	if !ok {
		return
	}
	v := p.ask(w, r, form, true)
	if v == nil {
		return
	}
	http.Redirect(w, r, checkURL(v.Domain, form.Agents, v.Cached), http.StatusSeeOther)
}

// ask has a domain checked. When it returns nil, the request is answered.
func (p *Pages) ask(w http.ResponseWriter, r *http.Request, form domainForm, refresh bool) *registry.Validation {
	v, err := p.service.Validate(r.Context(), registry.ValidateRequest{
		Domain: form.Domain, CheckAgents: form.Agents, Refresh: refresh,
		Caller: registry.Caller{Client: registry.ClientOf(r.Context())},
	})
	switch {
	case err != nil:
		p.failed(w, r, err, form)
		return nil
	case v.Input != nil:
		p.wrongDomain(w, r, form, v.Input.Message, v.Input.Hint)
		return nil
	}
	return v
}

// wrongDomain writes the page with the box and what is wrong in it.
func (p *Pages) wrongDomain(w http.ResponseWriter, r *http.Request, form domainForm, message, hint string) {
	form.Domain = safe(form.Domain)
	form.Error, form.Hint = safe(message), safe(hint)
	p.fail(w, r, &problemPage{
		Status: http.StatusBadRequest, Title: "That is not a publisher’s domain", Form: form,
		Message: "Nothing was checked.", Hint: "",
	})
}
