package web

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/service/registry"
)

const (
	// largestPaste is the largest document that people may send.
	largestPaste = 5 << 20
	// largestBody has room for what a form adds, and for somewhat more, since this page
	// says what is wrong in better words than a server that reads no further.
	largestBody = 8 << 20
	// largestEcho is the largest document that is given back for editing.
	largestEcho = 200_000
)

// pastePage is the form for a document, with a report below once there is one.
type pastePage struct {
	Paste pasteForm
	// Applied says what was done to the document before it was checked.
	Applied *appliedFixes
	Matrix  *matrix
	*report
}

type pasteForm struct {
	Document, Domain string
	// Error says what is wrong with the document, and DomainError with the domain.
	Error, Hint             string
	DomainError, DomainHint string
	// Draft is set when the document is one to begin with.
	Draft bool
	// Withheld is set when the document is not given back.
	Withheld bool
}

// pasteForm answers with an empty form.
func (p *Pages) pasteForm(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=300")
	page := &pastePage{report: new(report)}
	domain, err := discover.CanonicalDomain(r.URL.Query().Get("new"))
	if err == nil {
		page.Paste = pasteForm{Domain: domain, Document: draftFor(domain), Draft: true}
		w.Header().Set("X-Robots-Tag", "noindex")
	}
	p.render(w, r, http.StatusOK, "paste", page)
}

// paste answers with the report about a document.
func (p *Pages) paste(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, largestBody)
	doc, form, status := readPaste(r)
	if status != http.StatusOK {
		p.render(w, r, status, "paste", &pastePage{Paste: form, report: new(report)})
		return
	}
	p.checkDocument(w, r, doc, form, nil)
}

// checkDocument answers with the report about a document, above the form that it came with.
// applied is nil for a document as it came.
func (p *Pages) checkDocument(w http.ResponseWriter, r *http.Request, doc []byte, form pasteForm,
	applied *appliedFixes) {
	req := registry.ValidateRequest{Content: doc, Domain: form.Domain,
		Caller: registry.Caller{Client: registry.ClientOf(r.Context())}}
	_, err := discover.CanonicalDomain(form.Domain)
	var input *discover.InputError
	if errors.As(err, &input) && form.Domain != "" {
		form.DomainError, form.DomainHint = safe(input.Message), safe(input.Hint)
		req.Domain = ""
	}
	v, err := p.service.Validate(r.Context(), req)
	if err != nil {
		p.failed(w, r, err, domainForm{})
		return
	}
	at := documentFound(v)
	h := headline.Of(headline.Facts{Document: at, At: v.CheckedAt})
	page := &pastePage{Paste: form, Applied: applied, Matrix: matrixOf(at, v.CheckedAt, &pen{propertiesBytes}),
		report: reportOf(v, &h, false)}
	page.Paste.echo(doc, page.hides)
	p.render(w, r, http.StatusOK, "paste", page)
}

// draftFor is a file to begin with, for a domain in canonical form. The URL of the agent cannot
// exist, so an unchanged draft authorizes no agent when it is published.
func draftFor(domain string) string {
	return `{
  "$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json",
  "contact": {
    "name": "The name of your company",
    "domain": "` + domain + `"
  },
  "properties": [
    {
      "property_id": "site",
      "property_type": "website",
      "name": "` + domain + `",
      "identifiers": [{"type": "domain", "value": "` + domain + `"}],
      "publisher_domain": "` + domain + `"
    }
  ],
  "authorized_agents": [
    {
      "url": "https://agent.invalid/mcp",
      "authorized_for": "All inventory of ` + domain + `",
      "authorization_type": "property_ids",
      "property_ids": ["site"],
      "delegation_type": "direct"
    }
  ]
}
`
}

// tooLarge is the form after a document that is too large.
var tooLarge = pasteForm{Error: "this is larger than 5 MB",
	Hint: "files of that size are checked where they are published, or with the program avow"}

// readPaste reads the form. The status is not 200 when the form says what is wrong.
func readPaste(r *http.Request) ([]byte, pasteForm, int) {
	err := r.ParseMultipartForm(largestBody + 1)
	if err != nil && !errors.Is(err, http.ErrNotMultipart) {
		var over *http.MaxBytesError
		if errors.As(err, &over) || errors.Is(err, multipart.ErrMessageTooLarge) {
			return nil, tooLarge, http.StatusRequestEntityTooLarge
		}
		return nil, pasteForm{Error: "the form could not be read", Hint: "please send it again"}, http.StatusBadRequest
	}
	form := pasteForm{Domain: safe(strings.TrimSpace(r.PostFormValue("domain")))}
	doc := []byte(strings.ReplaceAll(r.PostFormValue("document"), "\r\n", "\n")) // as browsers send line ends
	upload, err := uploaded(r)
	switch {
	case err != nil:
		form.Error, form.Hint = "the file could not be read", "please choose it again"
		return nil, form, http.StatusBadRequest
	case len(upload) > 0:
		doc = upload
	}
	if len(doc) > largestPaste {
		return nil, tooLarge, http.StatusRequestEntityTooLarge
	}
	if len(bytes.TrimSpace(doc)) == 0 {
		form.Error, form.Hint = "there is nothing to check", "paste the text of the file, or choose a file"
		return nil, form, http.StatusBadRequest
	}
	return doc, form, http.StatusOK
}

// uploaded returns the file of the form; nothing when none was chosen.
func uploaded(r *http.Request) ([]byte, error) {
	if r.MultipartForm == nil || len(r.MultipartForm.File["file"]) == 0 {
		return nil, nil
	}
	f, err := r.MultipartForm.File["file"][0].Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it is in memory
	return io.ReadAll(f)
}

// echo gives a document back for editing, unless it is long, holds secrets, or has
// characters that a browser would obey or hide.
func (f *pasteForm) echo(doc []byte, secret bool) {
	f.Withheld = len(doc) > largestEcho || secret || !harmless(doc)
	if !f.Withheld {
		f.Document = string(doc)
	}
}
