package supply

import (
	"context"
	"net/http"
	"time"

	"github.com/avow-project/avow/internal/fetch"
)

// Limits of a host's ads.txt and app-ads.txt.
const (
	textTime = 5 * time.Second
	maxText  = 256 << 10
)

// A Getter makes guarded requests. *fetch.Client is one.
type Getter interface {
	Get(ctx context.Context, r fetch.Request) *fetch.Result
}

// TextFrom returns Sources.Text that asks the host itself. A file that is not there names no partner;
// redirects are not followed.
func TextFrom(g Getter) func(ctx context.Context, host, name string) ([]byte, bool) {
	return func(ctx context.Context, host, name string) ([]byte, bool) {
		ctx, cancel := context.WithTimeout(ctx, textTime)
		defer cancel()
		r := g.Get(ctx, fetch.Request{URL: "https://" + host + "/" + name, MaxBytes: maxText,
			MediaTypes: []string{"text/plain"}})
		switch {
		case r.Outcome == fetch.Found:
			return r.Body, true
		case r.Last().Status == http.StatusNotFound:
			return []byte{}, true
		}
		return nil, false
	}
}
