package cli

import (
	"errors"
	"strings"

	"github.com/avow-project/avow"
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
)

// mirrorsVariable sets mirrors like the flag --mirror, which counts more.
const mirrorsVariable = "AVOW_MIRRORS"

// withMirrors adds the mirrors that the user names to where documents come from. A source
// that cannot have them is closed.
func (a *app) withMirrors(s *source, f *sourceFlags) (*source, error) {
	urls, err := a.mirrorURLs(f)
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	if len(urls) == 0 || f.asOf != "" {
		return s, nil
	}
	web, err := a.newAsker(f.web, adagents.Options{Now: a.env.Now()})
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.Source, err = avow.WithMirrors(s.Source, web.finder, avow.MirrorConfig{
		URLs: urls, Discover: web.opt, Keep: keepDocuments, Timeout: f.web.timeout, Now: a.env.Now,
	})
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// mirrorURLs returns the mirrors that the user names, by canonical domain.
func (a *app) mirrorURLs(f *sourceFlags) (map[string]string, error) {
	urls := map[string]string{}
	if text := a.env.Getenv(mirrorsVariable); text != "" {
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
			return usageError(hint, "%s %s: the URL is missing", from, text)
		}
		name, err := discover.CanonicalDomain(domain)
		if err == nil {
			url, err = discover.CanonicalURL(url)
		}
		var input *discover.InputError
		if errors.As(err, &input) {
			return usageError(hint, "%s %s: %s", from, domain, input.Message)
		}
		if err != nil {
			return err
		}
		if other, twice := urls[name]; twice && other != url {
			return usageError("leave one of them out", "%s names two mirrors for %s", from, name)
		}
		urls[name] = url
	}
	return nil
}
