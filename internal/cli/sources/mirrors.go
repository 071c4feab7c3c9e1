package sources

import (
	"errors"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/websource"
	"github.com/avow-project/avow/resolve"
)

// mirrorsVariable sets mirrors like the flag --mirror, which goes first.
const mirrorsVariable = "AVOW_MIRRORS"

// keepDocuments is how long a run uses a document of the web again: to its end.
const keepDocuments = 24 * time.Hour

// withMirrors adds the mirrors that the user names to where documents come from.
func withMirrors(a *console.App, s resolve.Source, f *Flags) (resolve.Source, error) {
	urls, err := mirrorURLs(a, f)
	if err != nil || len(urls) == 0 || f.AsOf != "" {
		return s, err
	}
	web, err := request.NewAsker(a, f.Web, adagents.Options{Now: a.Env.Now()})
	if err != nil {
		return nil, err
	}
	return websource.WithMirrors(s, web.Finder, websource.MirrorConfig{
		URLs: urls, Discover: web.Options, Keep: keepDocuments, Timeout: f.Web.Timeout, Now: a.Env.Now,
	})
}

// mirrorURLs returns the mirrors that the user names, by canonical domain.
func mirrorURLs(a *console.App, f *Flags) (map[string]string, error) {
	urls := map[string]string{}
	if text := a.Env.Getenv(mirrorsVariable); text != "" {
		err := addMirrors(urls, mirrorsVariable, strings.Split(text, ","))
		if err != nil {
			return nil, err
		}
	}
	typed := map[string]string{}
	err := addMirrors(typed, "--mirror", f.mirrors)
	for domain, url := range typed {
		urls[domain] = url
	}
	return urls, err
}

// addMirrors reads mirrors, each DOMAIN=URL.
func addMirrors(urls map[string]string, from string, list []string) error {
	const hint = "write DOMAIN=URL, for example platform.example=https://mirror.example/platform/adagents.json"
	for _, text := range list {
		domain, url, found := strings.Cut(strings.TrimSpace(text), "=")
		if !found {
			return console.UsageError(hint, "%s %s: the URL is missing", from, text)
		}
		name, err := discover.CanonicalDomain(domain)
		if err == nil {
			url, err = discover.CanonicalURL(url)
		}
		var input *discover.InputError
		if errors.As(err, &input) {
			return console.UsageError(hint, "%s %s: %s", from, domain, input.Message)
		}
		if err != nil {
			return err
		}
		if other, twice := urls[name]; twice && other != url {
			return console.UsageError("leave one of them out", "%s names two mirrors for %s", from, name)
		}
		urls[name] = url
	}
	return nil
}
