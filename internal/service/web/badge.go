package web

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/edge"
)

// badgeImage is a picture of a verdict for the publisher's own pages. Widths are in pixels.
type badgeImage struct {
	Label, Words, Colour    string
	Left, Right, Width      int
	LeftMiddle, RightMiddle int
	LeftLength, RightLength int
	// Title says the same to those who do not see it.
	Title string
}

// badgePage shows the badge of a domain, with what has to be written to embed it.
type badgePage struct {
	Domain, Image, Report string
	Markdown, HTML        string
}

// The colours of badges; white letters on them can be read.
var badgeColours = map[string]string{"good": "#0b6b3a", "bad": "#b01e21", "none": "#454d57", "unknown": "#7b4e00"}

// badge answers with the badge of a domain, and without ".svg" with the page about it.
func (p *Pages) badge(w http.ResponseWriter, r *http.Request) {
	name, image := strings.CutSuffix(r.PathValue("name"), ".svg")
	domain, err := discover.CanonicalDomain(name)
	switch {
	case len(name) > longestDomain || err != nil || domain != name:
		p.notFound(w, r)
	case image:
		p.badgeImage(w, r, domain)
	default:
		base, _ := edge.Origin(r, p.baseURL, p.baseURL != "")
		img, report := base+"/badge/"+domain+".svg", base+checkURL(domain, false, false)
		p.render(w, r, http.StatusOK, "badge", &badgePage{
			Domain: domain, Image: "/badge/" + domain + ".svg", Report: checkURL(domain, false, false),
			Markdown: "[![adagents.json](" + img + ")](" + report + ")",
			HTML:     `<a href="` + report + `"><img src="` + img + `" alt="adagents.json, checked by avow" height="20"></a>`,
		})
	}
}

// badgeImage answers with a picture that pages of others embed, and that caches keep. It shows what is
// known and makes no request: a visitor of such a page has asked for nothing.
func (p *Pages) badgeImage(w http.ResponseWriter, r *http.Request, domain string) {
	doc, err := p.service.LastFile(r.Context(), domain)
	if err != nil {
		p.failed(w, r, err, domainForm{Domain: domain})
		return
	}
	class, words := "unknown", "not checked yet"
	if !doc.FetchedAt.IsZero() {
		head := p.service.Headline(r.Context(), doc)
		class, words = verdictFrom(&head).Class, head.Badge()
	}
	page, err := makePage("badge-image", newBadge(safe(domain), class, words))
	if err != nil {
		p.send(w, r, http.StatusInternalServerError, nil, err)
		return
	}
	const keep = 5 * time.Minute
	h := w.Header()
	h.Set("Content-Type", "image/svg+xml")
	h.Set("Cache-Control", "public, max-age="+strconv.Itoa(int(keep/time.Second)))
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("X-Robots-Tag", "noindex")
	sendPacked(w, r, http.StatusOK, page)
}

// lengthOf is about how long a text is in Verdana of 11 pixels. The browser keeps to it whatever
// the font is.
func lengthOf(text string) int {
	tenths := 0
	for _, c := range text {
		switch {
		case strings.ContainsRune("ijl. ", c):
			tenths += 35
		case strings.ContainsRune("frt", c):
			tenths += 45
		default:
			tenths += 69
		}
	}
	return tenths / 10
}

// newBadge lays out a badge.
func newBadge(domain, class, text string) *badgeImage {
	const label, space = "adagents.json", 6
	b := &badgeImage{Label: label, Words: text, Colour: badgeColours[class], Title: label + " of " + domain + ": " + text}
	b.LeftLength, b.RightLength = lengthOf(label), lengthOf(text)
	b.Left, b.Right = b.LeftLength+2*space, b.RightLength+2*space
	b.Width = b.Left + b.Right
	b.LeftMiddle, b.RightMiddle = b.Left/2, b.Left+b.Right/2
	return b
}
