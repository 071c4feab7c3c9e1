package check

import (
	"context"
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jwk"
)

// A KeyComparison says how the keys that a file pins for an agent compare with those that the
// agent publishes. The lists have the names of keys, which are outside text.
type KeyComparison struct {
	Set *discover.KeySet
	// Unpinned are published and not pinned, Unpublished are pinned and not published, and
	// Replaced are both, with different keys.
	Unpinned, Unpublished, Replaced []string
}

// Agrees reports whether the pins are the keys that the agent publishes.
func (c *KeyComparison) Agrees() bool {
	return c.Set.Message == "" && len(c.Unpinned)+len(c.Unpublished)+len(c.Replaced) == 0
}

// compareKeys asks the agents for which the file pins keys for those that they publish. One whose
// endpoint does not answer as an agent does may publish its keys all the same.
func compareKeys(ctx context.Context, web *request.Asker, r *Result) {
	var asked []*AgentResult
	var pins [][]adagents.SigningKey
	var urls []string
	for i := range r.Agents {
		a := &r.Agents[i]
		list := pinsFor(r.Report.File, a.URL)
		if len(list) > 0 && a.Reach != discover.AgentUnchecked && a.Reach != discover.AgentRefused {
			asked, pins, urls = append(asked, a), append(pins, list), append(urls, a.URL)
		}
	}
	for i, set := range web.KeySets(ctx, urls) {
		asked[i].Keys = CompareKeys(pins[i], set)
	}
}

// pinsFor returns the keys that all entries of an agent pin.
func pinsFor(f *adagents.File, agent string) []adagents.SigningKey {
	var list []adagents.SigningKey
	for i := range f.Agents {
		url, _, err := hostname.CanonicalURL(f.Agents[i].URL)
		if err == nil && url == agent {
			list = append(list, f.Agents[i].SigningKeys...)
		}
	}
	return list
}

// CompareKeys compares pins with what an agent publishes. A key that the publisher has revoked
// need not be published, and a published one that cannot be pinned is ignored.
func CompareKeys(pins []adagents.SigningKey, set *discover.KeySet) *KeyComparison {
	c := &KeyComparison{Set: set}
	if set.Message != "" {
		return c
	}
	pinned, published := make(map[string]string), make(map[string]string)
	for i := range pins {
		p := &pins[i]
		if p.RevokedAt == "" {
			pinned[p.Kid], _ = jwk.Thumbprint(jwk.Key{Kty: p.Kty, Crv: p.Crv, X: p.X, Y: p.Y, N: p.N, E: p.E})
		}
	}
	for _, k := range set.Keys {
		if k.Fault == "" {
			published[k.Kid] = k.Thumbprint
		}
	}
	for kid, print := range pinned {
		other, ok := published[kid]
		switch {
		case !ok:
			c.Unpublished = append(c.Unpublished, kid)
		case other != print:
			c.Replaced = append(c.Replaced, kid)
		}
	}
	for kid := range published {
		if _, ok := pinned[kid]; !ok {
			c.Unpinned = append(c.Unpinned, kid)
		}
	}
	for _, list := range [][]string{c.Unpinned, c.Unpublished, c.Replaced} {
		slices.Sort(list)
	}
	return c
}
