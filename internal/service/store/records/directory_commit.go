package records

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/store/pack"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// stateNumber is the number of a state in the table: twice its place among all, and one more when a
// file is in effect.
func stateNumber(state wire.PublisherState, inEffect bool) int64 {
	n := 2 * int64(max(0, slices.IndexFunc(wire.PublisherStates, func(m wire.StateMeaning) bool {
		return m.State == state
	})))
	if inEffect {
		n++
	}
	return n
}

// writeDirectory writes what the directory says of the publishers of changes, and returns the events
// of the feed, with those about agents. The rows of the publishers are locked; those of agents are locked in
// the order of their keys, before the row that numbers come from.
func writeDirectory(ctx context.Context, c Conn, all []*encoded) ([]projection.Event, error) {
	var reported, known []*encoded
	for _, e := range all {
		err := e.writeTurns(ctx, c)
		if err != nil {
			return nil, err
		}
		if e.directory() == nil {
			continue
		}
		reported = append(reported, e)
		if e.change.Publisher.Revision > 0 {
			known = append(known, e)
		}
	}
	if len(reported) == 0 {
		return nil, nil
	}
	n := newCounts()
	before, err := n.takeOut(ctx, c, known)
	if err != nil {
		return nil, err
	}
	for _, e := range reported {
		n.add(e.directory(), before)
	}
	return n.write(ctx, c, before)
}

// writeTurns notes whose turn it is because of the change, and when the publisher's turn is. A
// turn that comes too soon does no harm, so a look that changes nothing writes none.
func (e *encoded) writeTurns(ctx context.Context, c Conn) error {
	v := e.change
	own := hostname.Domain("")
	if p := v.Publisher; p != nil {
		own = p.Domain
		failing := !p.FailingSince.IsZero() || slices.ContainsFunc(e.files, func(f encodedFile) bool {
			return !f.FailingSince.IsZero()
		})
		if !v.Turn.IsZero() && (v.Index != nil || failing) {
			err := noteTurn(ctx, c, v.Turn, own)
			if err != nil {
				return err
			}
		}
	}
	if v.Index != nil {
		err := noteTurn(ctx, c, time.UnixMicro(e.at), slices.Sorted(slices.Values(v.Index.Others))...)
		if err != nil {
			return err
		}
	}
	for _, t := range v.Touched {
		err := noteUsers(ctx, c, t, own)
		if err != nil {
			return err
		}
	}
	return nil
}

const sooner = ` ON CONFLICT (domain) DO UPDATE SET at = excluded.at WHERE excluded.at < turns.at`

// noteTurn notes when the turn of publishers is, unless it is sooner.
func noteTurn(ctx context.Context, c Conn, at time.Time, domains ...hostname.Domain) error {
	for _, domain := range domains {
		err := later(ctx, c, `INSERT INTO turns (domain, at) VALUES ($1, $2)`+sooner, domain, at.UnixMicro())
		if err != nil {
			return err
		}
	}
	return nil
}

// noteUsers notes the turn of the publishers that lead to a file, but for one.
func noteUsers(ctx context.Context, c Conn, t custodian.Touched, but hostname.Domain) error {
	return later(ctx, c,
		`INSERT INTO turns (domain, at) SELECT domain, CAST($3 AS BIGINT) FROM custody_publishers WHERE (`+ledTo+
			`) AND domain <> $4`+sooner,
		fileKey(t.URL), custodian.OwnerOf(t.URL), t.At.UnixMicro(), but)
}

// counts are how much more the directory has than before, of each agent and type, with the pairs and
// events to be added and the numbers of the events that do not hold any more.
type counts struct {
	agents map[projection.AgentKey]*agentCount
	types  map[string]int64
	fresh  []storedPair
	events []projection.Event
	retire []int64
}

type agentCount struct {
	url                           string
	last                          string // the last publisher that was counted
	known, publishers, properties int64
	reported                      int64 // of how many publishers the feed has told
}

func newCounts() *counts {
	return &counts{agents: map[projection.AgentKey]*agentCount{}, types: map[string]int64{}}
}

// pair counts a pair, sign times.
func (n *counts) pair(p *storedPair, sign int64) {
	a := n.agents[p.key]
	if a == nil {
		a = &agentCount{}
		n.agents[p.key] = a
	}
	a.url, a.last = cmp.Or(a.url, p.Agent), p.domain
	a.known += sign
	if p.State == projection.Sells {
		a.publishers += sign
		a.properties += sign * int64(p.Authorized+p.Conditional)
	}
}

func (n *counts) shown(s *projection.Shown, sign int64) {
	if s == nil {
		return
	}
	for _, t := range s.Types {
		n.types[t.Type] += sign * int64(t.Count)
	}
}

// add counts what is new, and takes out of the pairs before those that stay.
func (n *counts) add(v *projection.Change, before map[pairKey]storedPair) {
	n.shown(v.Shown, 1)
	n.events, n.retire = append(n.events, v.Events...), append(n.retire, v.Retire...)
	for i := range v.Pairs {
		p := storedPair{string(v.Domain), projection.KeyOf(v.Pairs[i].Agent), v.Pairs[i]}
		n.pair(&p, 1)
		old, known := before[p.id()]
		if known && samePair(&old.Pair, &p.Pair) {
			delete(before, p.id())
			continue
		}
		n.fresh = append(n.fresh, p)
	}
}

// A storedPair is one as it is kept.
type storedPair struct {
	domain string
	key    projection.AgentKey
	projection.Pair
}

// A pairKey tells pairs.
type pairKey struct {
	domain string
	key    projection.AgentKey
}

func (p *storedPair) id() pairKey { return pairKey{p.domain, p.key} }

const pairColumns = `domain, agent, state, authorized, conditional, total, limited, types, pinned, made, next`

func scanPair(r Rows, p *storedPair) error {
	var key []byte
	var state, authorized, conditional, total, limited, types, made int64
	var next *int64
	err := r.Scan(&p.domain, &key, &state, &authorized, &conditional, &total, &limited, &types, &p.Pinned, &made, &next)
	copy(p.key[:], key)
	p.State, p.Authorized, p.Conditional, p.Total = int(state), int(authorized), int(conditional), int(total)
	p.Limited, p.Types, p.Made = resolve.Limits(limited), projection.Types(types), time.UnixMicro(made).UTC()
	if next != nil {
		p.Next = time.UnixMicro(*next).UTC()
	}
	return err
}

// samePair reports whether two pairs say the same of the time that both are about.
func samePair(a, b *projection.Pair) bool {
	x, y := *a, *b
	x.Agent, y.Agent, x.Made, y.Made = "", "", time.Time{}, time.Time{}
	return x == y && a.Made.Compare(b.Made) <= 0
}

// takeOut counts what is kept of publishers as gone, and returns their pairs. The publishers' rows
// get other bytes to show.
func (n *counts) takeOut(ctx context.Context, c Conn, of []*encoded) (map[pairKey]storedPair, error) {
	var domains []string
	for _, e := range of {
		domains = append(domains, string(e.directory().Domain))
	}
	shown := make(map[string][]byte, len(of))
	err := among(ctx, c, domains, func(r Rows) error {
		var domain string
		var old []byte
		err := r.Scan(&domain, &old)
		shown[domain] = old
		return err
	}, `SELECT domain, shown FROM custody_publishers WHERE domain IN `)
	if err != nil {
		return nil, err
	}
	for i, e := range of {
		old := shown[domains[i]]
		was, err := projection.PackedShown(old).Unpack()
		if err != nil {
			return nil, err
		}
		n.shown(&was, -1)
		if !bytes.Equal(old, e.shown) {
			err := later(ctx, c, `UPDATE custody_publishers SET shown = $2 WHERE domain = $1`, domains[i], e.shown)
			if err != nil {
				return nil, err
			}
		}
	}
	before := map[pairKey]storedPair{}
	err = among(ctx, c, domains, func(r Rows) error {
		var p storedPair
		err := scanPair(r, &p)
		before[p.id()] = p
		n.pair(&p, -1)
		return err
	}, `SELECT `+pairColumns+` FROM pairs WHERE domain IN `)
	return before, err
}

// pairStatements add pairs, for batchSizes.
var pairStatements = sync.OnceValue(func() []string {
	return insertStatements(`INSERT INTO pairs (`+pairColumns+`) VALUES `, 11)
})

// insertStatements add rows of some columns, for batchSizes.
func insertStatements(begin string, columns int) []string {
	var all []string
	for _, size := range batchSizes {
		var rows []string
		for i := range size {
			rows = append(rows, `(`+parameters(1+i*columns, columns)+`)`)
		}
		all = append(all, begin+strings.Join(rows, `, `))
	}
	return all
}

// replacePairs removes pairs and adds others.
func replacePairs(ctx context.Context, c Conn, gone map[pairKey]storedPair, fresh []storedPair) error {
	type group struct {
		key   projection.AgentKey
		state int
	}
	domains := map[group][]string{}
	for pair, old := range gone {
		g := group{pair.key, old.State}
		domains[g] = append(domains[g], pair.domain)
	}
	for g, list := range domains {
		err := laterAmong(ctx, c, nil, `DELETE FROM pairs WHERE agent = $1 AND state = $2 AND domain IN `, list, g.key[:],
			int64(g.state))
		if err != nil {
			return err
		}
	}
	return batches(fresh, func(i int, some []storedPair) error {
		var args []any
		for _, p := range some {
			args = append(args, p.domain, p.key[:], int64(p.State), int64(p.Authorized), int64(p.Conditional), int64(p.Total),
				int64(p.Limited), int64(p.Types), p.Pinned,
				p.Made.UnixMicro(), optional(p.Next))
		}
		return later(ctx, c, pairStatements()[i], args...)
	})
}

// write writes what is more or less, takes out the pairs that are gone, and returns the events of publishers with
// those about agents: the first authorization of an agent comes after an event about it, and the last ends
// before one.
func (n *counts) write(ctx context.Context, c Conn, gone map[pairKey]storedPair) ([]projection.Event, error) {
	err := replacePairs(ctx, c, gone, n.fresh)
	if err == nil {
		err = retireEvents(ctx, c, n.retire)
	}
	if err != nil {
		return nil, err
	}
	first, last, err := n.writeAgents(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, kind := range slices.Sorted(maps.Keys(n.types)) {
		if n.types[kind] == 0 {
			continue
		}
		err := later(ctx, c, `INSERT INTO property_types (type, properties) VALUES ($1, $2)
			ON CONFLICT (type) DO UPDATE SET properties = property_types.properties + excluded.properties`, kind, n.types[kind])
		if err != nil {
			return nil, err
		}
	}
	return slices.Concat(first, n.events, last), nil
}

// agentStatements count publishers of agents, for batchSizes.
var agentStatements = sync.OnceValue(func() []string {
	return insertStatements(`INSERT INTO agents (key, url, known, publishers, properties, told) VALUES `, 6)
})

const addCounts = ` ON CONFLICT (key) DO UPDATE SET known = agents.known + excluded.known, publishers = agents.publishers + excluded.publishers,
	properties = agents.properties + excluded.properties RETURNING key, url, known, publishers, told`

// writeAgents counts the publishers of agents, and returns the events about them that are due: those that come
// before all others, and those that come after them.
func (n *counts) writeAgents(ctx context.Context, c Conn) ([]projection.Event, []projection.Event, error) {
	var first, last []projection.Event
	maps.DeleteFunc(n.agents, func(_ projection.AgentKey, a *agentCount) bool {
		return a.known == 0 && a.publishers == 0 && a.properties == 0
	})
	keys := slices.SortedFunc(maps.Keys(n.agents), func(a, b projection.AgentKey) int { return bytes.Compare(a[:], b[:]) })
	err := batches(keys, func(i int, some []projection.AgentKey) error {
		var args []any
		for j := range some {
			a := n.agents[some[j]]
			args = append(args, some[j][:], a.url, a.known, a.publishers, a.properties, int64(0))
		}
		return each(ctx, c, func(r Rows) error {
			var key []byte
			var a agentCount
			err := r.Scan(&key, &a.url, &a.known, &a.publishers, &a.reported)
			if err == nil {
				a.last = n.agents[projection.AgentKey(key)].last
				n.agents[projection.AgentKey(key)] = &a
			}
			return err
		}, agentStatements()[i]+addCounts, args...)
	})
	for _, key := range keys {
		if err != nil {
			break
		}
		var event *projection.Event
		event, err = n.agents[key].tell(ctx, c, key)
		switch {
		case event == nil:
		case event.Type == projection.AgentGone:
			last = append(last, *event)
		default:
			first = append(first, *event)
		}
	}
	return first, last, err
}

// tell returns the event that is due about an agent with its present counts: when it has the first publisher
// or no more, or a tenth more or less than was told.
func (a *agentCount) tell(ctx context.Context, c Conn, key projection.AgentKey) (*projection.Event, error) {
	kind := ""
	switch {
	case a.publishers <= 0 && a.reported == 0:
	case a.reported == 0:
		kind = projection.AgentSeen
	case a.publishers <= 0:
		kind = projection.AgentGone
	case a.publishers*10 >= a.reported*11 || a.publishers*10 <= a.reported*9:
		kind = projection.AgentMoved
	}
	var err error
	if a.known <= 0 {
		err = later(ctx, c, `DELETE FROM agents WHERE key = $1`, key[:])
	} else if kind != "" {
		err = later(ctx, c, `UPDATE agents SET told = publishers WHERE key = $1`, key[:])
	}
	if err != nil || kind == "" {
		return nil, err
	}
	name := hex.EncodeToString(key[:])
	retired := `UPDATE feed_events SET live = FALSE WHERE live AND publisher = '' AND agent = $1`
	if kind == projection.AgentMoved {
		retired += ` AND type = '` + projection.AgentMoved + `'` // the first event stays
	}
	err = later(ctx, c, retired, name)
	return projection.AgentEvent(kind, name, a.url, a.last), err
}

// retireEvents notes that events do not hold any more. They are kept, so that reading again returns
// the same.
func retireEvents(ctx context.Context, c Conn, numbers []int64) error {
	return laterAmong(ctx, c, nil, `UPDATE feed_events SET live = FALSE WHERE number IN `, numbers)
}

var feedStatements = sync.OnceValue(func() []string {
	return insertStatements(`INSERT INTO feed_events (`+feedColumns+`) VALUES `, 9)
})

// addEvents adds events of the feed with the numbers after one. Their time is not before the
// last event's.
func addEvents(ctx context.Context, c Conn, after, at int64, events []projection.Event) error {
	last, err := lastEvent(ctx, c, `SELECT number, at FROM feed_events ORDER BY number DESC LIMIT 1`)
	if err != nil {
		return err
	}
	if last.Number > 0 {
		at = max(at, last.At.UnixMicro())
	}
	return batches(events, func(i int, some []projection.Event) error {
		var args []any
		for j := range some {
			e := &some[j]
			packed, err := pack.Sized(e.Payload)
			if err != nil {
				return err
			}
			after++
			digest := e.Digest
			if digest == nil {
				digest = []byte{}
			}
			args = append(args, after, at, e.Type, e.Publisher, e.Agent, e.Entity, e.Live, digest, packed)
		}
		return later(ctx, c, feedStatements()[i], args...)
	})
}

// forgetPairs takes a publisher out of the directory of which nothing is in effect.
func forgetPairs(ctx context.Context, c Conn, domain hostname.Domain) error {
	_, err := writeDirectory(ctx, c, []*encoded{{shown: []byte{}, change: &custodian.Change{
		Publisher: &custody.Publisher{Domain: domain, Revision: 1},
		Index:     &custodian.Index{Directory: &projection.Change{Domain: domain}},
	}}})
	if err == nil {
		err = later(ctx, c, `DELETE FROM turns WHERE domain = $1`, domain)
	}
	return err
}
