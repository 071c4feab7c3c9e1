package fetch

import (
	"errors"
	"net/http"
	"strings"

	"github.com/avow-project/avow/internal/std/hostname"
)

// isRedirect reports whether a status asks for another URL to be fetched. 300
// leaves the choice to a person, 304 is about the same URL, 305 and 306 are dead.
func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// A chain decides about the redirects of one request.
type chain struct {
	rule Redirects
	// site is the registrable domain that redirects must stay on: under SameSite always
	// the first host's, under AdsTxt the current host's.
	site string
	// first is the host that was asked first.
	first string
	// noSite means the first host lies directly at a public suffix.
	noSite bool
	// hops were followed, left is how many of them changed the site.
	hops, left int
}

func newChain(rule Redirects, host string) *chain {
	site, ok := siteOf(host)
	return &chain{rule: rule, site: site, first: host, noSite: !ok}
}

// siteOf returns the registrable domain of a host. A host without one is a site
// of its own.
func siteOf(host string) (string, bool) {
	site, ok := hostname.Registrable(host)
	if !ok {
		return host, false
	}
	return site, true
}

// A refusal says why a redirect is not followed.
type refusal struct {
	reason Reason
	detail string
}

// follow decides whether the redirect from current to next is followed, and counts it
// when it is. It makes no request.
func (c *chain) follow(next *target) *refusal {
	switch {
	case c.rule == None:
		return &refusal{NoRedirects, "no redirect is followed here"}
	case next.port != httpsPort:
		return &refusal{BadLocation, "the redirect leads to another port"}
	case c.rule == SameSite:
		return c.followSame(next)
	case c.rule == Counterpart:
		return c.followCounterpart(next)
	}
	return c.followAdsTxt(next)
}

// followSame keeps to the registrable domain of the first host.
func (c *chain) followSame(next *target) *refusal {
	if c.noSite {
		return &refusal{NoSite, "the host asked first has no registrable domain"}
	}
	site, ok := siteOf(next.host)
	if !ok || site != c.site {
		return &refusal{CrossSite, "the redirect leads away from " + c.site}
	}
	return c.count(MaxSameSite)
}

// followCounterpart keeps to the first host and its counterpart with or without www.
func (c *chain) followCounterpart(next *target) *refusal {
	counterpart, hasWWW := strings.CutPrefix(c.first, "www.")
	if !hasWWW {
		counterpart = "www." + c.first
	}
	_, registrable := siteOf(counterpart)
	switch {
	case next.host != c.first && next.host != counterpart:
		return &refusal{CrossSite, "the redirect leads to another host than " + c.first + " and " + counterpart}
	case next.host == counterpart && !registrable:
		return &refusal{NoSite, counterpart + " is a public suffix"}
	}
	return c.count(MaxSameSite)
}

// followAdsTxt allows one change of the registrable domain: publishers let a
// partner serve their ads.txt, but a partner does not pass it on.
func (c *chain) followAdsTxt(next *target) *refusal {
	site, _ := siteOf(next.host)
	if site != c.site {
		if c.left > 0 {
			return &refusal{CrossSite, "the redirect leads away from " + c.site + ", and one before it changed the site already"}
		}
		c.left++
	}
	c.site = site
	return c.count(MaxAdsTxt)
}

// count takes one hop from the allowance.
func (c *chain) count(allowed int) *refusal {
	if c.hops == allowed {
		return &refusal{TooManyRedirects, "too many redirects"}
	}
	c.hops++
	return nil
}

var (
	errNoLocation     = errors.New("the redirect does not say where to")
	errManyLocations  = errors.New("the redirect has more than one location")
	errLocationLength = errors.New("the location is too long")
)

// parseLocation reads the Location header of an answer from base.
func parseLocation(base *target, values []string) (*target, error) {
	if len(values) == 0 {
		return nil, errNoLocation
	}
	if len(values) > 1 {
		return nil, errManyLocations
	}
	location := values[0]
	if location == "" {
		return nil, errNoLocation
	}
	if len(location) > maxLocation {
		return nil, errLocationLength
	}
	scheme := schemeOf(location)
	if scheme != "" && !strings.EqualFold(scheme, "https") {
		return nil, errNotHTTPS
	}
	return parseTarget(resolve(base, location, scheme != ""))
}

// schemeOf returns the scheme of a URL reference, empty when it is relative.
func schemeOf(ref string) string {
	end := strings.IndexAny(ref, ":/?#")
	if end <= 0 || ref[end] != ':' {
		return ""
	}
	return ref[:end]
}

// resolve writes a URL reference out in full. The dot segments that remain are
// resolved by parseTarget.
func resolve(base *target, ref string, absolute bool) string {
	switch {
	case absolute:
		return ref
	case strings.HasPrefix(ref, "//"):
		return "https:" + ref
	case ref[0] == '/':
		return base.origin() + ref
	case ref[0] == '?':
		return base.withoutQuery() + ref
	case ref[0] == '#':
		return base.String()
	}
	directory := base.path[:strings.LastIndexByte(base.path, '/')+1]
	return base.origin() + directory + ref
}

// locationReason maps a fault of the Location header to its code.
func locationReason(err error) Reason {
	if errors.Is(err, errNotHTTPS) {
		return SchemeDowngrade
	}
	return BadLocation
}
