package directory

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A Row says that a publisher lets an agent sell something, or does not any more.
type Row struct {
	Entry
	Types   projection.Types
	Pinned  bool
	Revoked bool
	// Sold is what the agent may sell of the publisher's own properties; their ids are there when
	// the query asks for them.
	Sold resolve.Row
}

// A RowQuery selects rows of an agent.
type RowQuery struct {
	Agent string // canonical URL
	// After is the domain that the row before belongs to.
	After string
	Limit int
	// Authorized and Revoked select rows by their status.
	Authorized, Revoked bool
	// Since leaves out publishers that were not confirmed since then.
	Since time.Time
	// IDs: the ids of properties are wanted.
	IDs bool
}

// Rows returns the publishers of an agent in alphabetical order, and where to go on; empty when
// there are no more.
func (v *View) Rows(q RowQuery) ([]Row, string) {
	var out []Row
	after, seen := q.After, 0
	for seen < mostScanned {
		some, more := v.pairs(&q, after, min(q.Limit-len(out)+1, together))
		out = slices.Grow(out, min(len(some), q.Limit-len(out)))
		for i := range some {
			if len(out) == q.Limit {
				return out, after
			}
			row, ok := v.row(&some[i], &q)
			if ok {
				out = append(out, row)
			}
			after, seen = string(some[i].Domain), seen+1
		}
		if !more {
			return out, ""
		}
	}
	return out, after
}

// pairs returns the next pairs that may be asked for, and whether there may be more.
func (v *View) pairs(q *RowQuery, after string, limit int) ([]Listed, bool) {
	var all []Listed
	full := false
	for _, one := range []struct {
		wanted bool
		state  int
	}{{q.Authorized, projection.Sells}, {q.Revoked, projection.WasRevoked}} {
		if !one.wanted {
			continue
		}
		some, err := v.d.config.Store.PairsOf(v.ctx, q.Agent, one.state, after, limit)
		if v.fail(err) {
			return nil, false
		}
		full = full || len(some) == limit
		if all == nil {
			all = some
			continue
		}
		all = append(all, some...)
		slices.SortFunc(all, func(a, b Listed) int { return cmp.Compare(a.Domain, b.Domain) })
	}
	return all[:min(limit, len(all))], full || len(all) > limit
}

// row returns what is in effect between a publisher and an agent, and whether it is asked for.
func (v *View) row(l *Listed, q *RowQuery) (Row, bool) {
	row := Row{Entry: v.entry(l)}
	pair, known := row.pair(l.Pair)
	if !known || !row.Standing.InEffect || row.Standing.ConfirmedAt.Before(q.Since) {
		return row, false
	}
	row.Types, row.Pinned = pair.Types, pair.Pinned
	switch pair.State {
	case projection.WasRevoked:
		row.Revoked = true
		return row, q.Revoked
	case projection.Sells:
	default:
		return row, false
	}
	row.Sold = resolve.Row{
		Agent: q.Agent, AuthorizedCount: pair.Authorized, ConditionalCount: pair.Conditional, Total: pair.Total,
		Limited: pair.Limited, Pinned: pair.Pinned, Types: pair.Types.List(),
	}
	if q.IDs && q.Authorized {
		row.Sold = v.sold(row.Domain, q.Agent)
	}
	return row, q.Authorized
}

// sold returns what an agent may sell of a publisher, with the ids of the properties.
func (v *View) sold(domain hostname.Domain, agent string) resolve.Row {
	s, err := v.d.config.Keeper.Snapshot(v.ctx, domain)
	if v.fail(err) || s.Document.State != resolve.Usable {
		return resolve.Row{Agent: agent}
	}
	subject := resolve.NewSubject(s.Document)
	return subject.Row(string(domain), agent, v.At.Early)
}

// First returns the first publisher that lets an agent sell something; false when there is none.
func (v *View) First(agent string) (Entry, bool) {
	list, err := v.d.config.Store.PairsOf(v.ctx, agent, projection.Sells, "", 1)
	if v.fail(err) || len(list) == 0 {
		return Entry{}, false
	}
	return v.entry(&list[0]), true
}

// mostUnsettled is up to how many publishers Unsettled counts.
const mostUnsettled = 1_000_000

// Unsettled returns publishers that had an agent in their file, and of whom nothing is in
// effect at present, limit at most, and how many there are.
func (v *View) Unsettled(agent string, limit int) ([]Entry, int) {
	n, err := v.d.config.Store.CountPairs(v.ctx, agent, projection.Unsettled, mostUnsettled)
	if v.fail(err) || n == 0 {
		return nil, 0
	}
	list, err := v.d.config.Store.PairsOf(v.ctx, agent, projection.Unsettled, "", limit)
	v.fail(err)
	return v.entries(list), n
}

func (v *View) entries(list []Listed) []Entry {
	out := make([]Entry, 0, len(list))
	for i := range list {
		out = append(out, v.entry(&list[i]))
	}
	return out
}

// All returns known publishers after one in alphabetical order that a condition holds for, limit
// at most, and where to go on; empty when there are no more.
func (v *View) All(after string, limit int, fits func(*Entry) bool) ([]Entry, string) {
	var out []Entry
	for seen := 0; seen < mostScanned; {
		n := together
		if fits == nil {
			n = min(n, limit-len(out)+1)
		}
		some, err := v.d.config.Store.Listed(v.ctx, after, n)
		if v.fail(err) {
			return nil, ""
		}
		for i := range some {
			if len(out) == limit {
				return out, after
			}
			e := v.entry(&some[i])
			if fits == nil || fits(&e) {
				out = append(out, e)
			}
			after, seen = string(some[i].Domain), seen+1
		}
		if len(some) < n {
			return out, ""
		}
	}
	return out, after
}

// Containing returns known publishers after one in alphabetical order whose name has a text in it
// and that a condition holds for, and where to go on; empty when there are no more. Those that were
// not looked at are not among them.
func (v *View) Containing(text, after string, limit int, fits func(*Entry) bool) ([]Entry, string) {
	some, next, err := v.d.config.Store.Containing(v.ctx, text, after, limit, mostSearched)
	if v.fail(err) {
		return nil, ""
	}
	return slices.DeleteFunc(v.entries(some), func(e Entry) bool { return fits != nil && !fits(e.self()) }), next
}

func (e Entry) self() *Entry { return &e }

// identifierTypes are those that a search tries for a text.
var identifierTypes = []string{"domain", "subdomain", "ios_bundle", "android_package", "bundle_id",
	"apple_app_store_id", "google_play_id", "roku_store_id", "fire_tv_asin", "samsung_app_id", "apple_tv_bundle",
	"network_id", "podcast_guid", "rss_url"}

// Beginning returns publishers whose name begins with a text in lower case, limit at most.
func (v *View) Beginning(text string, limit int) []Entry {
	list, err := v.d.config.Store.Beginning(v.ctx, text, limit)
	if v.fail(err) {
		return nil
	}
	return v.entries(list)
}

// Search returns publishers whose name begins with a text in lower case, those that list an
// identifier that it is, and those whose name contains it, as far as it goes through names: limit at
// most.
func (v *View) Search(text string, limit int) []Entry {
	out := v.Beginning(text, limit)
	if v.err != nil {
		return nil
	}
	seen := map[hostname.Domain]bool{}
	for i := range out {
		seen[out[i].Domain] = true
	}
	add := func(some []Entry) {
		for _, e := range some {
			if len(out) < limit && !seen[e.Domain] {
				seen[e.Domain] = true
				out = append(out, e)
			}
		}
	}
	for _, kind := range identifierTypes {
		if len(out) < limit {
			add(v.Lists(resolve.Identifier{Type: kind, Value: text}))
		}
	}
	if len(out) < limit {
		some, _ := v.Containing(text, "", limit, nil)
		add(some)
	}
	return out
}

// mostListing is how many publishers are looked at that list an identifier.
const mostListing = 1000

// Lists returns the publishers in effect that list an identifier as their own, in
// alphabetical order.
func (v *View) Lists(id resolve.Identifier) []Entry {
	list, err := v.d.config.Keeper.Claims(v.ctx, custodian.CanonicalIdentifier(id), v.At.Early, mostListing)
	if v.fail(err) {
		return nil
	}
	var domains []hostname.Domain
	for i := range list {
		if !list[i].Gone {
			domains = append(domains, list[i].Publisher)
		}
	}
	if len(domains) == 0 {
		return nil
	}
	slices.Sort(domains)
	return slices.DeleteFunc(v.Publishers(domains...), func(e Entry) bool { return !e.Standing.InEffect })
}

// Claimed returns the publishers that list each of some identifiers in canonical form, the first to
// list it first, most at most of each. Whether they are in effect is another question.
func (v *View) Claimed(ids []resolve.Identifier, most int) map[resolve.Identifier][]hostname.Domain {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id resolve.Identifier) bool { return !custodian.Indexable(id) })
	out, err := v.d.config.Store.Claimed(v.ctx, ids, most)
	if v.fail(err) {
		return nil
	}
	return out
}

// A Contest is an identifier that publishers of several sites list as their own.
type Contest struct {
	Identifier resolve.Identifier
	// Others are the publishers of other sites.
	Others []hostname.Domain
}

// Contests returns the identifiers of a publisher that others list too, limit at most.
func (v *View) Contests(domain hostname.Domain, limit int) []Contest {
	s, err := v.d.config.Keeper.Snapshot(v.ctx, domain)
	if v.fail(err) || s.Document.State != resolve.Usable {
		return nil
	}
	ids := custodian.IdentifiersOf(resolve.Owned(s.Document))
	if !v.Disputed(domain, ids) {
		return nil
	}
	var out []Contest
	for _, id := range ids {
		c := Contest{Identifier: id}
		for _, e := range v.Lists(id) {
			if Site(e.Domain) != Site(domain) {
				c.Others = append(c.Others, e.Domain)
			}
		}
		if len(c.Others) > 0 {
			out = append(out, c)
		}
		if len(out) == limit {
			break
		}
	}
	return out
}

// Disputed reports whether publishers of other sites list one of a publisher's identifiers.
func (v *View) Disputed(domain hostname.Domain, ids []resolve.Identifier) bool {
	if len(ids) == 0 {
		return false
	}
	others, err := v.d.config.Store.Sharing(v.ctx, domain, ids, 1)
	return !v.fail(err) && len(others) > 0
}

// Grants returns publishers in effect after one in alphabetical order with the authorizations that
// hold, and where to go on; empty when there are no more. Those whose file is another than the one
// that was told of are made again.
func (v *View) Grants(after string) ([]Granted, string, error) {
	list, err := v.d.config.Store.Grants(v.ctx, after, together)
	if err != nil || len(list) == 0 {
		return nil, "", err
	}
	var out []Granted
	for i := range list {
		g := &list[i]
		one := Granted{Entry: v.entry(&Listed{Domain: g.Publisher.Domain, Holding: g.Holding}), Payloads: g.Payloads}
		if one.read && one.Standing.InEffect {
			one.Payloads, err = v.payloads(one.Domain)
			if err != nil {
				return nil, "", err
			}
		}
		if one.Standing.InEffect && len(one.Payloads) > 0 {
			out = append(out, one)
		}
	}
	next := ""
	if len(list) == together {
		next = string(list[len(list)-1].Publisher.Domain)
	}
	return out, next, v.err
}

// A Granted is a publisher with the payloads of its authorizations.
type Granted struct {
	Entry
	Payloads [][]byte
}

// payloads are those of a publisher by its file.
func (v *View) payloads(domain hostname.Domain) ([][]byte, error) {
	s, err := v.d.config.Keeper.Snapshot(v.ctx, domain)
	if err != nil || s.Document.State != resolve.Usable {
		return nil, err
	}
	in := s.Input()
	in.Disputed = v.Disputed(domain, in.Identifiers)
	return in.Payloads()
}

// Cursor writes the name that a page ended with, to ask for the next one with; empty for
// the end.
func Cursor(name string) string { return base64.RawURLEncoding.EncodeToString([]byte(name)) }

// ParseCursor reads a cursor, and reports whether it is one.
func ParseCursor(text string) (string, bool) {
	name, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || strings.ContainsFunc(string(name), func(r rune) bool { return r <= ' ' || r == '\ufffd' }) {
		return "", false
	}
	return string(name), true
}

// mostSummed is how many publishers of an agent an Inventory looks at.
const mostSummed = 50

// An Inventory is what an agent may sell. Domains are its first 50 publishers, and Types counts the
// properties of those by type.
type Inventory struct {
	Domains    []string
	Properties int
	Types      map[string]int
}

// Inventory sums up what an agent may sell.
func (v *View) Inventory(agent Agent) Inventory {
	out := Inventory{Types: map[string]int{}, Properties: agent.Properties}
	rows, _ := v.Rows(RowQuery{Agent: agent.URL, Limit: mostSummed, Authorized: true})
	for i := range rows {
		out.Domains = append(out.Domains, string(rows[i].Domain))
		for _, c := range rows[i].Shown().Types {
			out.Types[c.Type] += c.Count
		}
	}
	return out
}
