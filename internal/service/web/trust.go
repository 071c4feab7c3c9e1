package web

import (
	"context"
	"net/http"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/redact"
)

// trustPage is the trust.json that is kept of a domain.
type trustPage struct {
	Domain, Publisher, Address string
	// Standing is empty while no version is kept.
	Standing, Hash, Subject, Trouble, Summary string
	Adopted, Confirmed                        time.Time
	Problems                                  []trustProblem
	Raw                                       raw
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
