package web

import (
	"bytes"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/registry"
)

// A fixOrder is what the form of fixes asks for.
type fixOrder struct {
	all, download bool
	// fix is the ID of a single fix.
	fix string
}

// orderOf reads what a button of the form says.
func orderOf(do string) fixOrder {
	fix, single := strings.CutPrefix(do, "fix ")
	if single {
		return fixOrder{fix: fix}
	}
	return fixOrder{all: do == "all" || do == "download all", download: strings.HasPrefix(do, "download")}
}

// choose returns which fixes of a text are wanted; see adagents.RepairOptions. A single fix is
// looked for in the text as it came, since elsewhere its place is another one.
func (o fixOrder) choose(text []byte) func([]byte, *adagents.Finding) int {
	if o.all {
		return adagents.Probably
	}
	done := false
	return func(now []byte, f *adagents.Finding) int {
		if done || !bytes.Equal(now, text) {
			return -1
		}
		for i := range f.Fixes {
			if fixID(f, &f.Fixes[i]) == o.fix {
				done = true
				return i
			}
		}
		return -1
	}
}

// fixPasted applies fixes to a document that was sent.
func (p *Pages) fixPasted(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, largestBody)
	doc, err := base64.StdEncoding.DecodeString(r.PostFormValue("encoded"))
	switch {
	case err != nil || len(doc) == 0:
		form := pasteForm{Error: "the form could not be read", Hint: "please send the file again"}
		p.render(w, r, http.StatusBadRequest, "paste", &pastePage{Paste: form, report: new(report)})
		return
	case len(doc) > largestPaste:
		p.render(w, r, http.StatusRequestEntityTooLarge, "paste", &pastePage{Paste: tooLarge, report: new(report)})
		return
	}
	domain := strings.TrimSpace(r.PostFormValue("domain"))
	req := registry.ValidateRequest{Content: doc, Domain: domain,
		Caller: registry.Caller{Client: registry.ClientOf(r.Context())}}
	_, err = discover.CanonicalDomain(domain)
	if err != nil {
		req.Domain = "" // the report says so
	}
	v, err := p.service.Validate(r.Context(), req)
	if err != nil {
		p.failed(w, r, err, domainForm{})
		return
	}
	p.applied(w, r, v, safe(domain))
}

// fixPublished applies fixes to a copy of the file of a domain.
func (p *Pages) fixPublished(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	form := domainForm{Domain: r.PathValue("domain")}
	domain, ok := p.canonical(w, r, form)
	if !ok {
		return
	}
	form.Domain = domain
	v := p.ask(w, r, form, false)
	if v == nil {
		return
	}
	if v.Report == nil || string(registry.HashOf(v.Body)) != r.PostFormValue("sha256") {
		p.fail(w, r, &problemPage{
			Status: http.StatusConflict, Title: "The file is another one by now", Form: form,
			Message: "What the fix was for is not in the file that " + safe(domain) + " publishes now. Nothing was changed.",
			Hint:    "Check the domain again.",
		})
		return
	}
	p.applied(w, r, v.WithFixes(), safe(domain))
}

// errNotHere is for a large file.
var errNotHere = &registry.Error{Kind: registry.Invalid, Message: "the file is too large to be repaired here",
	Hint: "use the program: avow fix"}

// applied answers with what the fixes that were ordered made of a file: the file itself, or the
// report about it.
func (p *Pages) applied(w http.ResponseWriter, r *http.Request, v *registry.Validation, domain string) {
	_, file := documentsOf(v)
	if file == nil || applyFormOf(v).Action == "" {
		p.failed(w, r, errNotHere, domainForm{})
		return
	}
	if r.PostFormValue("do") == "build" {
		p.render(w, r, http.StatusOK, "build",
			&buildPage{Domain: v.Domain, Format: "/assets/" + formAsset().name,
				Encoded: base64.StdEncoding.EncodeToString(v.Body)})
		return
	}
	order := orderOf(r.PostFormValue("do"))
	text, done := v.Body, (*adagents.Repaired)(nil)
	if order.all || order.fix != "" {
		done = v.Repaired(order.choose(v.Body))
		if done == nil {
			p.failed(w, r, errors.New("a file with a form cannot be repaired"), domainForm{})
			return
		}
		text = done.Text
	}
	if order.download {
		download(w, text)
		return
	}
	p.checkDocument(w, r, text, pasteForm{Domain: domain}, appliedOf(done, file.source.Hides()))
}

// download answers with a file that browsers store.
func download(w http.ResponseWriter, text []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Disposition", `attachment; filename="adagents.json"`)
	h.Set("Cache-Control", "no-store")
	sendBody(w, http.StatusOK, text)
}
