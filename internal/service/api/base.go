package api

import (
	"bytes"
	"cmp"
	"context"
	"net/http"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
)

// referenceRoute gives the reference, whose examples can be copied as they are.
func (a *API) referenceRoute() route {
	rt := a.fixed(ops.Operation{
		HTTP: "GET /docs", Name: "reference", Media: mediaHTML + "; charset=utf-8", Cache: anHour,
		Summary: "Reference",
		Description: "This reference as a page for people: with op=ID for an operation, object=NAME for an object, and " +
			"q=WORDS to find operations.",
	}, func(*static) *ops.Document { return nil })
	rt.Class = edge.Read // it is made for each request, and searched
	rt.serve = func(_ http.ResponseWriter, r *http.Request) (any, error) {
		base, certain := a.reachedAt(r)
		page, header := a.frame(referenceContent(a.static().reference.pageOf(r.URL.Query(), a.sample(r.Context()))))
		page = bytes.ReplaceAll(page, []byte(exampleBase), []byte(base))
		doc := &ops.Document{Body: page, ETag: edge.TagOf(page), Header: header}
		if !certain {
			// What one visitor wrote as the host must not get into the page of another.
			doc.Header.Set("Cache-Control", "private, max-age=300")
		}
		return doc, nil
	}
	return rt
}

// sample is what examples ask about.
func (a *API) sample(ctx context.Context) *ops.Sample {
	known := ops.Sample{}
	if a.reader != nil {
		known = a.reader.Sample(ctx, a.now())
	}
	return &known
}

// reachedAt returns where the service is reached, and whether that is certain.
func (a *API) reachedAt(r *http.Request) (string, bool) {
	base, certain := edge.Origin(r, a.baseURL, a.known)
	return cmp.Or(base, exampleBase), certain
}
