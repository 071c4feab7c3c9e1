package api

import (
	"bytes"
	"cmp"
	"net/http"
	"regexp"
	"sync"

	"github.com/avow-project/avow/internal/service/registry"
)

// hostPattern is the Host of a request that is repeated in an example: a name or an
// address, perhaps with a port. Whatever else somebody writes there is not shown.
var hostPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([a-zA-Z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(:[0-9]{1,5})?$`)
})

// referenceRoute gives the reference, whose examples can be copied as they are.
func (a *API) referenceRoute() route {
	rt := a.fixed(route{
		path: "/docs", id: "reference", media: mediaHTML + "; charset=utf-8", cache: anHour,
		summary: "Reference", description: "This reference as a page for people.",
	}, func(*static) *document { return nil })
	rt.serve = func(_ http.ResponseWriter, r *http.Request) (any, error) {
		base, certain := a.reachedAt(r)
		page := bytes.ReplaceAll(a.static.page, []byte(exampleBase), []byte(base))
		doc := &document{Body: page, ETag: etagOf(page), Header: pageHeader()}
		if !certain {
			// What one visitor wrote as the host must not get into the page of another.
			doc.Header.Set("Cache-Control", "private, max-age=300")
		}
		return doc, nil
	}
	return rt
}

// reachedAt returns where the service is reached, and whether that is certain: the
// operator has said it. Otherwise it is what the request says, if that can be a host.
func (a *API) reachedAt(r *http.Request) (string, bool) {
	switch {
	case a.known:
		return a.baseURL, true
	case !hostPattern().MatchString(r.Host):
		return cmp.Or(a.baseURL, exampleBase), false
	case registry.IsSecure(r.Context()):
		return "https://" + r.Host, false
	}
	return "http://" + r.Host, false
}
