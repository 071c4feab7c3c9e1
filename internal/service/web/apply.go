package web

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/service/registry"
)

// applyForm is the form by which the fixes of a report are applied. Its buttons are beside the
// fixes.
type applyForm struct {
	// Action is where the form leads; empty when fixes cannot be applied here.
	Action string
	// SHA256 is the hash of the published file that the report is about.
	SHA256 string
	// Encoded is a document that is not published, in base64, so that every byte of it comes
	// back, and Domain the one that it is for.
	Encoded, Domain string
	// Builder is where the builder begins with the published file; empty when that is the file of a manager.
	Builder string
}

// applyFormOf returns the form for a report. A large file has no fixes here. One with secrets has them:
// its form carries back what the sender sent, and a published file is not in the page.
func applyFormOf(v *registry.Validation) applyForm {
	if len(v.Body) > registry.FixesUpTo {
		return applyForm{}
	}
	if v.Discovery != nil {
		u := url.URL{Path: "/check/" + v.Domain + "/fix", RawPath: "/check/" + url.PathEscape(v.Domain) + "/fix"}
		form := applyForm{Action: u.String(), SHA256: string(registry.HashOf(v.Body))}
		if v.Discovery.Method != discover.ManagerDomain {
			form.Builder = builderURL(v.Domain)
		}
		return form
	}
	return applyForm{Action: "/paste/fix", Encoded: base64.StdEncoding.EncodeToString(v.Body), Domain: safe(v.Domain)}
}

// fixID names a fix within a text: the code and the place of its finding, and a sum of what it does.
// Its number would not do, as fixes that repeat a secret are not shown.
func fixID(f *adagents.Finding, fix *adagents.Fix) string {
	sum := crc32.ChecksumIEEE(fmt.Appendf(nil, "%q %v", fix.Title, fix.Edits))
	return f.Code + " " + strconv.Itoa(f.Offset) + " " + strconv.FormatUint(uint64(sum), 16)
}

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

// appliedFixes says what was done to a document.
type appliedFixes struct {
	Count, More int
	Titles      []string
}

// mostTitles is how many fixes are named.
const mostTitles = 10

// appliedOf names fixes. The titles of fixes may quote a secret: in a file that has one, the titles of the
// rules take their place.
func appliedOf(done *adagents.Repaired, hides bool) *appliedFixes {
	out := &appliedFixes{}
	if done == nil {
		return out
	}
	p := &pen{trailBytes}
	for _, a := range done.Applied {
		out.Count++
		if len(out.Titles) == mostTitles {
			out.More++
			continue
		}
		title := a.Fix.Title
		if hides {
			title = "Fixed: " + catalogue.Lookup(a.Finding.Code).Title
		}
		out.Titles = append(out.Titles, sentence(p.words(title)))
	}
	return out
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
