package discover

import (
	"bytes"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
)

// remarks notes what is odd about the way a file is served that came.
func (w *walk) remarks(h *Hop) {
	x := h.Result.Last()
	if x.Charset != "" && x.Charset != "utf-8" && x.Charset != "utf8" {
		w.say(h, "fetch.charset", hostOf(x.URL)+" says that the file is in "+shown(x.Charset)+"; it is read as UTF-8", "")
	}
	if looksLikeHTML(h.Result.Body) {
		w.say(h, "fetch.html_page", hostOf(x.URL)+" answers 200 with a web page under the name of application/json", "")
	}
}

// beginning returns the first bytes of a body after white space and a byte order
// mark, in lower case.
func beginning(body []byte) []byte {
	const enough = 256
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	body = bytes.TrimLeft(body[:min(len(body), 4*enough)], " \t\r\n")
	return bytes.ToLower(body[:min(len(body), enough)])
}

func looksLikeHTML(body []byte) bool {
	start := beginning(body)
	return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html"))
}

func looksLikeJSON(body []byte) bool {
	return bytes.HasPrefix(beginning(body), []byte("{"))
}

// otherForm returns the www form of a registrable domain, or the domain of a www
// form.
func otherForm(domain string) (string, bool) {
	site, ok := hostname.Registrable(domain)
	switch {
	case !ok:
		return "", false
	case site == domain:
		return "www." + domain, true
	case domain == "www."+site:
		return site, true
	}
	return "", false
}

// suggestOtherForm says that the file may be on the other of the two names that
// most sites have. It is not asked for: each name is a publisher of its own.
func (w *walk) suggestOtherForm(h *Hop) {
	other, ok := otherForm(w.d.Domain)
	if !ok || !mayDiffer(h.Result) || hostOf(h.Result.URL) == other {
		return
	}
	w.say(h, "discovery.other_form", "if the site is at "+other+", the file may be there; "+w.d.Domain+
		" is a publisher of its own",
		"check it with: avow discover "+other)
}

// mayDiffer reports whether a failure is one that often befalls only one of the
// two names of a site. The outcomes without a connection are not told apart.
func mayDiffer(r *fetch.Result) bool {
	switch r.Outcome {
	case fetch.Absent, fetch.AccessDeniedObjectStore, fetch.Unreachable, fetch.NameNotFound, fetch.TLSFailure,
		fetch.GuardedAddress:
		return true
	case fetch.RedirectRefused:
		return r.Last().Reason == fetch.CrossSite
	}
	return false
}
