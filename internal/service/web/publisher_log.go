package web

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/translog"
)

// logPage is what the transparency log has about a publisher and its file.
type logPage struct {
	Domain, Publisher string
	Pending           bool
	Leaves            []leafView
	// Map is what the last map of the log has about the publisher; nil without a map.
	Map *mapView
}

// mapView is what a map of the log has about a publisher.
type mapView struct {
	At time.Time
	// Newest is the index of the newest leaf then; -1 for none.
	Newest int64
	// Proof and FileProof are where the proofs about the publisher and its file are.
	Proof, FileProof string
}

// mapOf returns what the last map has about a publisher.
func mapOf(ctx context.Context, prover notary.Prover, domain string) (*mapView, error) {
	subject := translog.Publisher(domain)
	proof, err := prover.MapProof(ctx, subject, notary.Latest)
	if errors.Is(err, notary.ErrNotFound) || errors.Is(err, notary.ErrPending) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	leaf, err := translog.ParseLeaf(proof.Map.Leaf)
	if err != nil {
		return nil, err
	}
	url := notary.Prefix + "map/" + leaf.At.Format(time.DateOnly) + "/" + domain
	view := &mapView{leaf.At, -1, url, url + "/file"}
	if len(proof.Steps) == 1 && proof.Steps[0].Key == translog.MapKey(subject) {
		view.Newest = proof.Steps[0].Index
	}
	return view, nil
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
	page.Map, err = mapOf(r.Context(), p.translog.Prover, domain)
	if err != nil {
		p.failed(w, r, err, domainForm{Domain: domain})
		return
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
