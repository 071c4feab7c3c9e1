package web

import (
	"context"
	"strings"

	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/resolve"
)

// evidenceOf shows what answers about a publisher rest on.
func evidenceOf(doc *resolve.Document) []evidenceView {
	var list []evidenceView
	ink := &pen{roomForFindings}
	for _, e := range evidenceFor(doc) {
		list = append(list, evidenceView{orElse(roleWords[e.Role], e.Role), ink.url(e.URL), e.SHA256, e.State.String(), e.FetchedAt})
	}
	return list
}

// logOf returns what the transparency log has about a publisher and its file; nil without a log.
func (p *Pages) logOf(ctx context.Context, domain string) (*ops.LogView, error) {
	if !p.reader.HasLog() {
		return nil, nil
	}
	log, err := p.reader.Log(ctx, domain)
	if err != nil {
		return nil, err
	}
	for i := range log.Entries {
		e := &log.Entries[i]
		e.Sentence = strings.TrimSuffix(sentence(e.Sentence), ".")
	}
	return log, nil
}

// evidenceFor is a document with those that led to it.
func evidenceFor(d *resolve.Document) []resolve.Evidence {
	own := resolve.Evidence{Publisher: d.Publisher, URL: d.URL, SHA256: d.SHA256, Method: d.Method, Role: "file", FetchedAt: d.FetchedAt, State: d.State}
	return append([]resolve.Evidence{own}, d.Route...)
}
