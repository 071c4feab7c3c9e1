package registry

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// claimLead is by how much a publisher has to be earlier than others to be the first.
// What is closer together tells in which order publishers were asked, not who was first.
const claimLead = 24 * time.Hour

// A Contestant is one of several publishers that list a property as their own.
type Contestant struct {
	Publisher hostname.Domain
	// Since is as in custodian.Listing.
	Since time.Time
	// First: its site was there before the others.
	First bool
	// Verdict is what its file says about the agent.
	Verdict resolve.Verdict
}

// worthAsking puts those in front that a contest can turn on: the first of all, whom the
// identifier names, and then one of each site.
func worthAsking(list []custodian.Listing, id Identifier) []custodian.Listing {
	rank := make(map[hostname.Domain]int, len(list))
	named, seen := namedSite(id), map[string]bool{}
	for i, v := range list {
		site := siteOf(v.Publisher)
		switch {
		case i > 0 && seen[site]:
			rank[v.Publisher] = 2
		case i > 0 && site != named:
			rank[v.Publisher] = 1
		}
		seen[site] = true
	}
	slices.SortStableFunc(list, func(a, b custodian.Listing) int {
		return cmp.Compare(rank[a.Publisher], rank[b.Publisher])
	})
	return list
}

// siteOf is the site of a publisher: what is below it does not contest it.
func siteOf(publisher hostname.Domain) string { return retain.SiteOf(string(publisher)) }

// stillLists reports whether a publisher that is on record as listing an identifier does so.
// A file that cannot be read at present does not say otherwise.
func stillLists(doc *resolve.Document, id Identifier) bool {
	switch doc.State {
	case resolve.Absent:
		return false
	case resolve.Usable:
	default:
		return true
	}
	wanted := spellings(id)
	for _, p := range resolve.Owned(doc) {
		for i := range p.Identifiers {
			if slices.Contains(wanted,
				custodian.CanonicalIdentifier(Identifier{Type: p.Identifiers[i].Type, Value: p.Identifiers[i].Value})) {
				return true
			}
		}
	}
	return false
}

// contest returns who claims a property where publishers of several sites do. The first of
// them is the one whose site was there before all others, by claimLead at least, or whom the
// identifier itself names. There is none if that names a later one's site and not the first one's:
// else a publisher that lists names before their owners do would win.
func contest(asked []PublisherAnswer, id Identifier) []Contestant {
	var out []Contestant
	since := map[string]time.Time{}
	for i := range asked {
		if !asked[i].Lists {
			continue
		}
		out = append(out, Contestant{Publisher: asked[i].Publisher, Since: asked[i].Since, Verdict: asked[i].Answer.Verdict})
		site := siteOf(asked[i].Publisher)
		before, known := since[site]
		if !known || asked[i].Since.Before(before) {
			since[site] = asked[i].Since
		}
	}
	if len(since) < 2 {
		return nil
	}
	slices.SortStableFunc(out, func(a, b Contestant) int { return a.Since.Compare(b.Since) })
	first := siteOf(out[0].Publisher)
	named := namedSite(id)
	for site, at := range since {
		if site != first && (site == named || first != named && at.Sub(since[first]) < claimLead) {
			return out
		}
	}
	for i := range out {
		out[i].First = siteOf(out[i].Publisher) == first
	}
	return out
}

// namedSite returns the site that an identifier has the name of: the names of apps begin
// with a domain of their developer in reverse, and a feed has an address. App stores do
// not check that, so it speaks against others, and not for the site.
func namedSite(id Identifier) string {
	var name string
	switch id.Type {
	case "ios_bundle", "apple_tv_bundle", "android_package", "google_play_id", "bundle_id":
		labels := strings.Split(strings.ToLower(id.Value), ".")
		slices.Reverse(labels)
		name = strings.Join(labels, ".")
	case "rss_url":
		u, err := url.Parse(id.Value)
		if err != nil {
			return ""
		}
		name = u.Hostname()
	}
	site, _ := hostname.Registrable(name)
	return site
}

// first reports whether a publisher is of the site that claimed the property first.
func (p *PropertyAuthorization) first(publisher hostname.Domain) bool {
	return slices.ContainsFunc(p.Contest, func(c Contestant) bool { return c.First && c.Publisher == publisher })
}

// granted returns the verdict of a file, as far as it is its to give.
func (p *PropertyAuthorization) granted(a *PublisherAnswer) resolve.Verdict {
	if a.Answer.Verdict == resolve.Authorized && len(p.Contest) > 0 && !p.first(a.Publisher) {
		return resolve.Conditional
	}
	return a.Answer.Verdict
}

// weight orders answers. In a contest the no of a publisher that may not own the
// property is worth less than any other answer, and among equals the first claimant
// decides.
func (p *PropertyAuthorization) weight(a *PublisherAnswer) int {
	verdict := p.granted(a)
	switch {
	case p.first(a.Publisher):
		return 2*int(verdict) + 1
	case len(p.Contest) > 0 && verdict == resolve.NotAuthorized:
		return -1
	}
	return 2 * int(verdict)
}
