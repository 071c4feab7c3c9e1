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
	n := 2 * int64(max(0, slices.IndexFunc(wire.PublisherStates, func(m wire.StateMeaning) bool { return m.State == state })))
	if inEffect {
		n++
	}
	return n
}

// writeDirectory writes what the directory says of the publisher, and returns the events of the
// feed, with those about agents. The row of the publisher is locked; those of agents are locked in
// the order of their keys, before the row that numbers come from.
func (e *encoded) writeDirectory(ctx context.Context, c Conn) ([]projection.Event, error) {
	v := e.directory()
	err := e.writeTurns(ctx, c)
	if v == nil || err != nil {
		return nil, err
	}
	counts := newCounts()
	if e.change.Publisher.Revision > 0 {
		err = counts.replace(ctx, c, v, e.shown)
	} else {
		counts.add(v)
		err = insertPairs(ctx, c, v.Domain, v.Pairs)
	}
	if err != nil {
		return nil, err
	}
	err = retireEvents(ctx, c, v.Retire)
	if err != nil {
		return nil, err
	}
	return counts.write(ctx, c, v)
}

// writeTurns notes whose turn it is because of the change, and when the publisher's turn is. A
// turn that comes too soon does no harm, so a look that changes nothing writes none.
func (e *encoded) writeTurns(ctx context.Context, c Conn) error {
	v := e.change
	own := hostname.Domain("")
	if p := v.Publisher; p != nil {
		own = p.Domain
		failing := !p.FailingSince.IsZero() || slices.ContainsFunc(e.files, func(f encodedFile) bool { return !f.FailingSince.IsZero() })
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
		_, err := exec(ctx, c, `INSERT INTO turns (domain, at) VALUES ($1, $2)`+sooner, domain, at.UnixMicro())
		if err != nil {
			return err
		}
	}
	return nil
}

// noteUsers notes the turn of the publishers that lead to a file, but for one.
func noteUsers(ctx context.Context, c Conn, t custodian.Touched, but hostname.Domain) error {
	_, err := exec(ctx, c, `INSERT INTO turns (domain, at) SELECT domain, CAST($2 AS BIGINT) FROM custody_publishers WHERE place = $1 AND domain <> $3`+sooner,
		fileKey(t.URL), t.At.UnixMicro(), but)
	owner := hostname.Domain(custodian.OwnerOf(t.URL))
	if err != nil || owner == "" || owner == but {
		return err
	}
	_, err = exec(ctx, c, `INSERT INTO turns (domain, at) SELECT domain, CAST($2 AS BIGINT) FROM custody_publishers WHERE domain = $1 AND place IS NULL`+sooner,
		owner, t.At.UnixMicro())
	return err
}

// counts are how much more the directory has than before, of each agent and type.
type counts struct {
	agents map[projection.AgentKey]*agentCount
	types  map[string]int64
}

type agentCount struct {
	url                           string
	known, publishers, properties int64
}

func newCounts() *counts {
	return &counts{map[projection.AgentKey]*agentCount{}, map[string]int64{}}
}

// pair counts a pair, sign times.
func (n *counts) pair(key projection.AgentKey, p *projection.Pair, sign int64) {
	a := n.agents[key]
	if a == nil {
		a = &agentCount{}
		n.agents[key] = a
	}
	a.url = cmp.Or(a.url, p.Agent)
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

// add counts what is new.
func (n *counts) add(v *projection.Change) {
	n.shown(v.Shown, 1)
	for i := range v.Pairs {
		n.pair(projection.KeyOf(v.Pairs[i].Agent), &v.Pairs[i], 1)
	}
}

// A storedPair is one as it is kept.
type storedPair struct {
	key projection.AgentKey
	projection.Pair
}

const pairColumns = `agent, state, authorized, conditional, total, limited, types, pinned, made, next`

func scanPair(r Rows, p *storedPair) error {
	var key []byte
	var state, authorized, conditional, total, limited, types, made int64
	var next *int64
	err := r.Scan(&key, &state, &authorized, &conditional, &total, &limited, &types, &p.Pinned, &made, &next)
	copy(p.key[:], key)
	p.State, p.Authorized, p.Conditional, p.Total = int(state), int(authorized), int(conditional), int(total)
	p.Limited, p.Types, p.Made = resolve.Limits(limited), projection.Types(types), time.UnixMicro(made).UTC()
	if next != nil {
		p.Next = time.UnixMicro(*next).UTC()
	}
	return err
}

// replace writes the pairs that are others than before, and what lists show.
func (n *counts) replace(ctx context.Context, c Conn, v *projection.Change, shown []byte) error {
	before, err := n.takeOut(ctx, c, v.Domain, shown)
	if err != nil {
		return err
	}
	n.add(v)
	var fresh []projection.Pair
	for _, p := range v.Pairs {
		key := projection.KeyOf(p.Agent)
		old, known := before[key]
		if known && samePair(&old.Pair, &p) {
			delete(before, key)
			continue
		}
		fresh = append(fresh, p)
	}
	for key, old := range before {
		_, err := exec(ctx, c, `DELETE FROM pairs WHERE agent = $1 AND state = $2 AND domain = $3`, key[:], int64(old.State), v.Domain)
		if err != nil {
			return err
		}
	}
	return insertPairs(ctx, c, v.Domain, fresh)
}

// samePair reports whether two pairs say the same of the time that both are about.
func samePair(a, b *projection.Pair) bool {
	x, y := *a, *b
	x.Agent, y.Agent, x.Made, y.Made = "", "", time.Time{}, time.Time{}
	return x == y && a.Made.Compare(b.Made) <= 0
}

// takeOut counts what is kept of a publisher as gone, and returns its pairs. The publisher's row
// gets other bytes to show.
func (n *counts) takeOut(ctx context.Context, c Conn, domain hostname.Domain, shown []byte) (map[projection.AgentKey]storedPair, error) {
	var old []byte
	err := one(ctx, c, func(r Rows) error { return r.Scan(&old) }, `SELECT shown FROM custody_publishers WHERE domain = $1`, domain)
	if err != nil {
		return nil, err
	}
	was, err := projection.PackedShown(old).Unpack()
	if err != nil {
		return nil, err
	}
	n.shown(&was, -1)
	if !bytes.Equal(old, shown) {
		_, err := exec(ctx, c, `UPDATE custody_publishers SET shown = $2 WHERE domain = $1`, domain, shown)
		if err != nil {
			return nil, err
		}
	}
	before := map[projection.AgentKey]storedPair{}
	err = each(ctx, c, func(r Rows) error {
		var p storedPair
		err := scanPair(r, &p)
		before[p.key] = p
		n.pair(p.key, &p.Pair, -1)
		return err
	}, `SELECT `+pairColumns+` FROM pairs WHERE domain = $1`, domain)
	return before, err
}

// pairStatements add pairs, for batchSizes.
var pairStatements = sync.OnceValue(func() []string {
	return insertStatements(`INSERT INTO pairs (domain, `+pairColumns+`) VALUES `, 11)
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

func insertPairs(ctx context.Context, c Conn, domain hostname.Domain, list []projection.Pair) error {
	return batches(list, func(i int, some []projection.Pair) error {
		var args []any
		for _, p := range some {
			key := projection.KeyOf(p.Agent)
			args = append(args, domain, key[:], int64(p.State), int64(p.Authorized), int64(p.Conditional), int64(p.Total), int64(p.Limited), int64(p.Types), p.Pinned,
				p.Made.UnixMicro(), optional(p.Next))
		}
		_, err := exec(ctx, c, pairStatements()[i], args...)
		return err
	})
}

// write writes what is more or less, and returns the events of a publisher with those about
// agents: the first authorization of an agent comes after an event about it, and the last ends
// before one.
func (n *counts) write(ctx context.Context, c Conn, v *projection.Change) ([]projection.Event, error) {
	var first, last []projection.Event
	keys := slices.SortedFunc(maps.Keys(n.agents), func(a, b projection.AgentKey) int { return bytes.Compare(a[:], b[:]) })
	for _, key := range keys {
		a := n.agents[key]
		if a.known == 0 && a.publishers == 0 && a.properties == 0 {
			continue
		}
		event, err := a.write(ctx, c, key, v)
		switch {
		case err != nil:
			return nil, err
		case event == nil:
		case event.Type == projection.AgentGone:
			last = append(last, *event)
		default:
			first = append(first, *event)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(n.types)) {
		if n.types[kind] == 0 {
			continue
		}
		_, err := exec(ctx, c, `INSERT INTO property_types (type, properties) VALUES ($1, $2)
			ON CONFLICT (type) DO UPDATE SET properties = property_types.properties + excluded.properties`, kind, n.types[kind])
		if err != nil {
			return nil, err
		}
	}
	return slices.Concat(first, v.Events, last), nil
}

// write counts the publishers of an agent, and returns the event about it that is due: when it has
// the first or no more, or a tenth more or less than was told.
func (a *agentCount) write(ctx context.Context, c Conn, key projection.AgentKey, v *projection.Change) (*projection.Event, error) {
	var url string
	var known, publishers, told int64
	err := one(ctx, c, func(r Rows) error { return r.Scan(&url, &known, &publishers, &told) },
		`INSERT INTO agents (key, url, known, publishers, properties, told) VALUES ($1, $2, $3, $4, $5, 0)
		ON CONFLICT (key) DO UPDATE SET known = agents.known + excluded.known, publishers = agents.publishers + excluded.publishers,
		properties = agents.properties + excluded.properties RETURNING url, known, publishers, told`, key[:], a.url, a.known, a.publishers, a.properties)
	if err != nil {
		return nil, err
	}
	kind := ""
	switch {
	case publishers > 0 && told == 0:
		kind = projection.AgentSeen
	case publishers <= 0 && told > 0:
		kind = projection.AgentGone
	case publishers*10 >= told*11 || publishers*10 <= told*9:
		kind = projection.AgentMoved
	}
	if told == 0 && publishers <= 0 {
		kind = ""
	}
	if known <= 0 {
		_, err = exec(ctx, c, `DELETE FROM agents WHERE key = $1`, key[:])
	} else if kind != "" {
		_, err = exec(ctx, c, `UPDATE agents SET told = publishers WHERE key = $1`, key[:])
	}
	if err != nil || kind == "" {
		return nil, err
	}
	name := hex.EncodeToString(key[:])
	retired := `UPDATE feed_events SET live = FALSE WHERE live AND publisher = '' AND agent = $1`
	if kind == projection.AgentMoved {
		retired += ` AND type = '` + projection.AgentMoved + `'` // the first event stays
	}
	_, err = exec(ctx, c, retired, name)
	return projection.AgentEvent(kind, name, url, string(v.Domain)), err
}

// retireEvents notes that events do not hold any more. They are kept, so that reading again returns
// the same.
func retireEvents(ctx context.Context, c Conn, numbers []int64) error {
	for _, number := range numbers {
		_, err := exec(ctx, c, `UPDATE feed_events SET live = FALSE WHERE number = $1`, number)
		if err != nil {
			return err
		}
	}
	return nil
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
		_, err := exec(ctx, c, feedStatements()[i], args...)
		return err
	})
}

// forgetPairs takes a publisher out of the directory of which nothing is in effect.
func forgetPairs(ctx context.Context, c Conn, domain hostname.Domain) error {
	v := &projection.Change{Domain: domain}
	n := newCounts()
	err := n.replace(ctx, c, v, []byte{})
	if err != nil {
		return err
	}
	_, err = n.write(ctx, c, v)
	if err == nil {
		_, err = exec(ctx, c, `DELETE FROM turns WHERE domain = $1`, domain)
	}
	return err
}
