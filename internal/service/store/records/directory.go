package records

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

var _ directory.Store = (*Custody)(nil)

// PairsOf returns the pairs of an agent in a state, after a publisher in alphabetical order. The
// limit is inside: PostgreSQL would go through all publishers before the first else.
func (s *Custody) PairsOf(ctx context.Context, agent string, state int, after string,
	limit int) ([]directory.Listed, error) {
	key := projection.KeyOf(agent)
	n, _ := page(limit, 0)
	var out []directory.Listed
	err := s.reading(ctx, func(c Conn) error {
		var authorized, conditional, total, limited, types int64
		var pinned bool
		h := newHoldings(&authorized, &conditional, &total, &limited, &types, &pinned)
		h.all, out = make([]custodian.Holding, 0, n), make([]directory.Listed, 0, n)
		err := each(ctx, c, func(r Rows) error {
			err := h.add(r)
			out = append(out, directory.Listed{Domain: hostname.Domain(h.domain), Pair: projection.Pair{
				Agent: agent, State: state, Authorized: int(authorized), Conditional: int(conditional), Total: int(total),
				Limited: resolve.Limits(limited), Types: projection.Types(types), Pinned: pinned,
			}})
			return err
		}, selectPairs, key[:], int64(state), after, n)
		for i := range h.all {
			out[i].Holding = &h.all[i]
		}
		if err != nil {
			return err
		}
		return addAbsence(ctx, c, h.all)
	})
	return out, err
}

// selectPairs selects a page of publishers, with what they let an agent sell.
const selectPairs = `WITH r AS MATERIALIZED (SELECT domain, authorized, conditional, total, limited, types, pinned FROM pairs
	WHERE agent = $1 AND state = $2 AND domain > $3 ORDER BY domain LIMIT $4)
	SELECT ` + holdingColumns + `, r.authorized, r.conditional, r.total, r.limited, r.types, r.pinned
	FROM r JOIN custody_publishers p ON p.domain = r.domain` + holdingFile + `ORDER BY r.domain`

// CountPairs returns how many publishers of an agent are in a state, most at most.
func (s *Custody) CountPairs(ctx context.Context, agent string, state, most int) (int, error) {
	key := projection.KeyOf(agent)
	return number(ctx, s.db,
		`SELECT COUNT(*) FROM (SELECT 1 FROM pairs WHERE agent = $1 AND state = $2 LIMIT $3) AS found`, key[:], int64(state),
		int64(most))
}

// Listed returns publishers after one in alphabetical order: those that there is a record of, and
// those that are to be looked at.
func (s *Custody) Listed(ctx context.Context, after string, limit int) ([]directory.Listed, error) {
	return s.between(ctx, `>`, after, lastName, limit)
}

// Beginning returns publishers whose name begins with a text, in alphabetical order.
func (s *Custody) Beginning(ctx context.Context, text string, limit int) ([]directory.Listed, error) {
	return s.between(ctx, `>=`, text, text+lastName, limit)
}

// lastName comes after all names.
const lastName = "\U0010ffff"

// between returns the publishers from or after a name and before another.
func (s *Custody) between(ctx context.Context, sign, from, end string, limit int) ([]directory.Listed, error) {
	n, _ := page(limit, 0)
	return s.listed(ctx, func(c Conn, h *holdings) ([]string, error) {
		err := each(ctx, c, h.add, selectHoldings+`WHERE p.domain `+sign+` $1 AND p.domain < $2 ORDER BY p.domain LIMIT $3`,
			from, end, n)
		if err != nil {
			return nil, err
		}
		return list(ctx, c, scanText,
			`SELECT name FROM due WHERE name `+sign+` $1 AND name < $2 AND url = '' ORDER BY name LIMIT $3`, from, end, n)
	}, limit)
}

// listed returns the publishers that read finds, with the names that it returns, limit at most.
func (s *Custody) listed(ctx context.Context, read func(c Conn, h *holdings) ([]string, error),
	limit int) ([]directory.Listed, error) {
	h := newHoldings()
	var names []string
	err := s.reading(ctx, func(c Conn) error {
		h.all = nil
		var err error
		names, err = read(c, h)
		if err != nil {
			return err
		}
		return addAbsence(ctx, c, h.all)
	})
	if err != nil {
		return nil, err
	}
	all := h.all
	known := make(map[string]bool, len(all))
	out := make([]directory.Listed, 0, len(all))
	for i := range all {
		known[string(all[i].Publisher.Domain)] = true
		out = append(out, directory.Listed{Domain: all[i].Publisher.Domain, Holding: &all[i]})
	}
	for _, name := range names {
		if !known[name] {
			out = append(out, directory.Listed{Domain: hostname.Domain(name)})
		}
	}
	slices.SortFunc(out, func(a, b directory.Listed) int { return cmp.Compare(a.Domain, b.Domain) })
	return out[:min(limit, len(out))], nil
}

// Containing returns publishers after one whose name has a text in it, in alphabetical order, of
// the most that are looked at. The last of these is returned when there may be more.
func (s *Custody) Containing(ctx context.Context, text, after string,
	limit, most int) ([]directory.Listed, string, error) {
	var last []string
	out, err := s.listed(ctx, func(c Conn, h *holdings) ([]string, error) {
		var err error
		last, err = list(ctx, c, scanText,
			`SELECT domain FROM custody_publishers WHERE domain > $1 ORDER BY domain LIMIT 1 OFFSET $2`, after, int64(most-1))
		if err != nil {
			return nil, err
		}
		err = each(ctx, c, h.add,
			`SELECT `+holdingColumns+` FROM (SELECT domain FROM custody_publishers WHERE domain > $1 ORDER BY domain LIMIT $2) AS part
			JOIN custody_publishers p ON p.domain = part.domain`+holdingFile+
				`WHERE part.domain LIKE $3 ESCAPE '\' ORDER BY part.domain LIMIT $4`, after, int64(most), likeText(text),
			int64(limit))
		return nil, err
	}, limit)
	if err != nil {
		return nil, "", err
	}
	switch {
	case len(out) == limit && limit > 0:
		return out, string(out[limit-1].Domain), nil
	case len(last) > 0:
		return out, last[0], nil
	}
	return out, "", nil
}

// likeText is a pattern for what has a text in it.
func likeText(text string) string {
	return `%` + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + `%`
}

const agentColumns = `url, known, publishers, properties`

func scanAgent(r Rows) (*directory.Agent, error) {
	a := &directory.Agent{}
	var known, publishers, properties int64
	err := r.Scan(&a.URL, &known, &publishers, &properties)
	a.Known, a.Publishers, a.Properties = int(known), int(publishers), int(properties)
	return a, err
}

// Agent returns an agent; the error is ErrNotFound when no file names it.
func (s *Custody) Agent(ctx context.Context, url string) (*directory.Agent, error) {
	key := projection.KeyOf(url)
	a, err := get(ctx, s.db, scanAgent, `SELECT `+agentColumns+` FROM agents WHERE key = $1`, key[:])
	return a, found(err)
}

// Agents returns agents after one in alphabetical order that may sell something and whose URL has
// a text in it.
func (s *Custody) Agents(ctx context.Context, text, after string, limit int) ([]directory.Agent, error) {
	n, _ := page(limit, 0)
	return list(ctx, s.db, scanAgent,
		`SELECT `+agentColumns+
			` FROM agents WHERE publishers > 0 AND url > $1 AND url LIKE $2 ESCAPE '\' ORDER BY url LIMIT $3`, after,
		likeText(text), n)
}

// Counts counts what the directory has.
func (s *Custody) Counts(ctx context.Context) (*directory.Counts, error) {
	out := &directory.Counts{Types: map[string]int{}}
	err := s.reading(ctx, func(c Conn) error {
		err := each(ctx, c, func(r Rows) error {
			var state, looked, n int64
			err := r.Scan(&state, &looked, &n)
			if err != nil || state/2 < 0 || int(state/2) >= len(wire.PublisherStates) {
				return err
			}
			out.Groups = append(out.Groups, directory.Group{State: wire.PublisherStates[state/2].State, InEffect: state%2 == 1,
				Looked: time.Unix(looked*3600, 0).UTC(), Publishers: int(n)})
			return nil
		}, `SELECT state, looked, COUNT(*) FROM custody_publishers GROUP BY state, looked`)
		if err != nil {
			return err
		}
		out.Named, err = number(ctx, c, `SELECT COUNT(*) FROM due WHERE class = $1`, int64(custodian.Named))
		if err != nil {
			return err
		}
		err = one(ctx, c, func(r Rows) error {
			var agents, pairs int64
			err := r.Scan(&agents, &pairs)
			out.Agents, out.Authorizations = int(agents), int(pairs)
			return err
		}, `SELECT COUNT(*), CAST(COALESCE(SUM(publishers), 0) AS BIGINT) FROM agents WHERE publishers > 0`)
		if err != nil {
			return err
		}
		return each(ctx, c, func(r Rows) error {
			var kind string
			var n int64
			err := r.Scan(&kind, &n)
			out.Types[kind] = int(n)
			return err
		}, `SELECT type, properties FROM property_types WHERE properties > 0`)
	})
	return out, err
}

// Grants returns the authorizations that were told of and hold, of some publishers after one in
// alphabetical order; none after the last.
func (s *Custody) Grants(ctx context.Context, after string, limit int) ([]directory.Grants, error) {
	var out []directory.Grants
	err := s.reading(ctx, func(c Conn) error {
		out = nil
		h := newHoldings()
		err := each(ctx, c, h.add,
			selectHoldings+`WHERE p.domain > $1 ORDER BY p.domain LIMIT $2`, after, int64(limit))
		all := h.all
		if err != nil || len(all) == 0 {
			return err
		}
		err = addAbsence(ctx, c, all)
		if err != nil {
			return err
		}
		index := make(map[string]int, len(all))
		for i := range all {
			index[string(all[i].Publisher.Domain)] = i
			out = append(out, directory.Grants{Holding: &all[i]})
		}
		// The type is not a plain column, or SQLite would go through all events of these types.
		return each(ctx, c, func(r Rows) error {
			e, err := scanFeed(r)
			if err == nil {
				out[index[e.Publisher]].Add(e)
			}
			return err
		}, `SELECT `+feedColumns+
			` FROM feed_events WHERE live AND publisher <> '' AND publisher > $1 AND publisher <= $2 AND type || '' IN ('`+
			projection.Granted+`', '`+projection.Modified+`') ORDER BY publisher, number`, after,
			all[len(all)-1].Publisher.Domain)
	})
	return out, err
}

// Reported returns the events of the feed that hold about publishers.
func (s *Custody) Reported(ctx context.Context,
	domains []hostname.Domain) (map[hostname.Domain][]projection.Event, error) {
	return liveEvents(ctx, s.db, domains)
}

// liveEvents returns the events of publishers that still hold, in their order.
func liveEvents(ctx context.Context, c Conn,
	domains []hostname.Domain) (map[hostname.Domain][]projection.Event, error) {
	out := make(map[hostname.Domain][]projection.Event, len(domains))
	err := among(ctx, c, domains, func(r Rows) error {
		e, err := scanFeed(r)
		if err == nil {
			domain := hostname.Domain(e.Publisher)
			out[domain] = append(out[domain], *e)
		}
		return err
	}, `SELECT `+feedColumns+` FROM feed_events WHERE live AND publisher <> '' AND publisher IN `, ` ORDER BY number`)
	return out, err
}

// sharingBatch is how many identifiers are looked for at a time.
const sharingBatch = 500

// Sharing returns publishers of other sites that list one of some identifiers, in alphabetical
// order, most at most.
func (s *Custody) Sharing(ctx context.Context, domain hostname.Domain, ids []resolve.Identifier,
	most int) ([]hostname.Domain, error) {
	site := retain.SiteOf(string(domain))
	var out []hostname.Domain
	for some := range slices.Chunk(ids, sharingBatch) {
		args := []any{domain, site, int64(most)}
		for _, id := range some {
			args = append(args, identifierKey(id))
		}
		found, err := list(ctx, s.db, scanText, `SELECT DISTINCT i.domain FROM identifiers i JOIN custody_publishers p ON p.domain = i.domain
			WHERE i.gone IS NULL AND i.domain <> $1 AND p.site <> $2 AND i.key IN (`+padded(4, len(some), &args)+
			`) ORDER BY i.domain LIMIT $3`, args...)
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			out = append(out, hostname.Domain(name))
		}
		if len(out) >= most {
			break
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Claimed returns the publishers that list each of some identifiers, the first to list it first, most
// at most of each.
func (s *Custody) Claimed(ctx context.Context, ids []resolve.Identifier,
	most int) (map[resolve.Identifier][]hostname.Domain, error) {
	out := map[resolve.Identifier][]hostname.Domain{}
	for some := range slices.Chunk(ids, sharingBatch) {
		args := []any{int64(most)}
		byKey := make(map[string]resolve.Identifier, len(some))
		for _, id := range some {
			key := identifierKey(id)
			byKey[string(key)] = id
			args = append(args, key)
		}
		err := each(ctx, s.db, func(r Rows) error {
			var key []byte
			var domain string
			err := r.Scan(&key, &domain)
			out[byKey[string(key)]] = append(out[byKey[string(key)]], hostname.Domain(domain))
			return err
		}, `SELECT key, domain FROM (SELECT key, domain, ROW_NUMBER() OVER (PARTITION BY key ORDER BY since, domain) AS place FROM identifiers
			WHERE gone IS NULL AND key IN (`+padded(2, len(some), &args)+`)) AS listed WHERE place <= $1 ORDER BY key, place`,
			args...)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Planned reports whether a publisher is to be looked at.
func (s *Custody) Planned(ctx context.Context, domain hostname.Domain) (bool, error) {
	_, err := number(ctx, s.db, `SELECT 1 FROM due WHERE name = $1 AND url = ''`, domain)
	if errors.Is(err, registry.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
