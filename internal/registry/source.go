package registry

import (
	"context"
	"errors"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/adstxt"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/fetch"
	"github.com/avow-project/avow/resolve"
)

// Document returns the file that speaks for a publisher, whose domain is in canonical
// form: from memory, from the store as long as it is fresh, or else from the web. It
// implements resolve.Source.
func (s *Service) Document(ctx context.Context, publisher string) (*resolve.Document, error) {
	return s.source.Document(budgeted(ctx), publisher)
}

// storedFinder finds files in the store before it asks the web.
type storedFinder struct{ service *Service }

// Domain implements avow.Finder.
func (f storedFinder) Domain(ctx context.Context, domain string, _ discover.Options) (*discover.Discovery, error) {
	s := f.service
	c := s.checks.last(domain, reuseTime)
	if c != nil && c.discovery.Answer != discover.Unreachable {
		return public(c.discovery), nil
	}
	g := s.freshSighting(ctx, domain)
	if g != nil {
		d, err := s.rebuild(ctx, g)
		if err == nil {
			return d, nil
		}
		s.config.Log.ErrorContext(ctx, "cannot read a stored document", "domain", domain, "error", err)
	}
	c, _, err := s.look(ctx, domain, looking{reuse: reuseTime, stay: true})
	if err != nil {
		return nil, err
	}
	return public(c.discovery), nil
}

// public returns a discovery with findings that anybody may see: the reasons of a
// verdict repeat them.
func public(d *discover.Discovery) *discover.Discovery {
	if len(d.Findings) == 0 {
		return d
	}
	out := *d
	out.Findings = make([]discover.Finding, len(d.Findings))
	for i := range d.Findings {
		out.Findings[i] = d.Findings[i].Public()
	}
	return &out
}

// freshSighting returns what the store has about a domain, if that still counts. A
// store that fails has nothing.
func (s *Service) freshSighting(ctx context.Context, domain string) *Sighting {
	g := s.storedSighting(ctx, domain)
	if g == nil || !s.config.Now().Before(g.FreshUntil) {
		return nil
	}
	return g
}

// storedSighting returns what the store has about a domain, however old.
func (s *Service) storedSighting(ctx context.Context, domain string) *Sighting {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	g, err := s.config.Store.Sighting(ctx, domain)
	switch {
	case err == nil && !s.unsaved.overtook(g):
		return g
	case err != nil && !errors.Is(err, ErrNotFound):
		s.config.Log.ErrorContext(ctx, "cannot read a sighting", "domain", domain, "error", err)
	}
	return nil
}

// rebuild turns a stored sighting into a discovery. The document is checked without
// regard to the time, as a question may be about any moment; see avow.DocumentOf.
func (s *Service) rebuild(ctx context.Context, g *Sighting) (*discover.Discovery, error) {
	d := &discover.Discovery{
		Domain: g.Domain, At: g.CheckedAt, Answer: answers[g.Answer], Found: g.Found, Method: methods[g.Method],
		URL: g.URL, ResolvedURL: g.ResolvedURL, ManagerDomain: g.ManagerDomain,
	}
	if g.Body == "" {
		return d, nil
	}
	body, err := s.config.Store.Document(ctx, g.Body)
	if err != nil {
		return nil, err
	}
	r := &room{from: s.large}
	defer r.leave()
	err = r.enterFor(ctx, len(body))
	if err != nil {
		return nil, err
	}
	d.Body = body
	d.Report = adagents.Check(body, adagents.Options{
		Domain: g.Domain, URL: g.ResolvedURL, Role: storedRole(g), MaxFindings: maxFindings,
	})
	for _, seen := range g.Way {
		d.Trail = append(d.Trail, earlierHop(seen))
	}
	last := earlierHop(Seen{URL: g.ResolvedURL, Hash: g.Body, At: g.CheckedAt})
	last.Report, last.Result.Body = d.Report, body
	d.Trail = append(d.Trail, last)
	return d, nil
}

// earlierHop returns the step that brought a document when it was obtained.
func earlierHop(seen Seen) discover.Hop {
	h := discover.Hop{
		URL: seen.URL, Meaning: "the file was obtained earlier",
		Result: &fetch.Result{Outcome: fetch.Found, URL: seen.URL, Exchanges: []fetch.Exchange{{
			URL: seen.URL, Method: "GET", Attempt: 1, At: seen.At, Outcome: fetch.Found, SHA256: string(seen.Hash),
		}}},
	}
	switch seen.Role {
	case "ads_txt":
		h.AdsTxt = new(adstxt.File)
	case "pointer":
		h.Report = &adagents.Report{Pointer: new(adagents.Pointer)}
	default:
		h.Report = new(adagents.Report)
	}
	return h
}

// storedRole returns what a stored document was checked as.
func storedRole(g *Sighting) adagents.Role {
	switch {
	case g.Pointer != "":
		return adagents.Authoritative
	case g.Method == discover.ManagerDomain.String():
		return adagents.Manager
	}
	return adagents.Direct
}

// answers and methods are those of package discover by their stable names. A name that
// is not known stands for the zero value, which claims least.
var (
	answers = byName(discover.Unreachable, discover.Absent, discover.Unusable, discover.Usable)
	methods = byName(discover.Direct, discover.AuthoritativeLocation, discover.ManagerDomain)
)

func byName[T interface{ String() string }](all ...T) map[string]T {
	out := make(map[string]T, len(all))
	for _, v := range all {
		out[v.String()] = v
	}
	return out
}
