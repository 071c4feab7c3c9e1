package web

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/service/notary"
)

// logPage is what the transparency log has about a publisher and its file.
type logPage struct {
	Domain, Publisher string
	Pending           bool
	Leaves            []leafView
}

// leafView is a leaf of the log.
type leafView struct {
	Index                 int64
	At                    time.Time
	Kind, Sentence, About string
	Leaf, Proof           string
}

func publisherLogURL(domain string) string { return publisherURL(domain) + "/log" }

// publisherLog answers with what the log has about a publisher. It asks nobody.
func (p *Pages) publisherLog(w http.ResponseWriter, r *http.Request) {
	domain := p.publisherOf(w, r, publisherLogURL)
	if domain == "" {
		return
	}
	if p.translog == nil {
		p.fail(w, r, &problemPage{
			Status: http.StatusNotFound, Title: "There is no transparency log", Message: "This service keeps no transparency log.",
			Hint: "What it knows about a publisher over time is on the page about the publisher.",
		})
		return
	}
	about, err := p.translog.Prover.About(r.Context(), domain)
	page := &logPage{Domain: safe(domain), Publisher: publisherURL(domain)}
	switch {
	case errors.Is(err, notary.ErrPending):
		page.Pending = true
	case errors.Is(err, notary.ErrNotFound):
	case err != nil:
		p.failed(w, r, err, domainForm{Domain: domain})
		return
	default:
		page.Pending = about.Pending
		page.Leaves = append(leavesOf(about.Publisher, "publisher"), leavesOf(about.File, "file")...)
	}
	slices.SortFunc(page.Leaves, func(a, b leafView) int { return cmp.Compare(b.Index, a.Index) })
	p.render(w, r, http.StatusOK, "log", page)
}

func leavesOf(entries []notary.Entry, about string) []leafView {
	var all []leafView
	for _, e := range entries {
		index := strconv.FormatInt(e.Index, 10)
		all = append(all, leafView{e.Index, e.Leaf.At, e.Leaf.Kind, strings.TrimSuffix(sentence(e.Leaf.Sentence()), "."), about, notary.Prefix + "leaf/" + index, notary.Prefix + "proof/" + index})
	}
	return all
}
