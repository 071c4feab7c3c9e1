package records

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A Dialect is what databases write differently in statements about the due list.
type Dialect struct {
	// Parts are the tables that the due list consists of.
	Parts []string
	// Lock is what a SELECT ends with that locks rows, and Skip the same for one that leaves
	// out those that others have locked.
	Lock, Skip string
}

// A share is the part of what is taken at once that belongs to a class, as a divisor.
type share struct {
	class   custodian.Class
	divisor int
}

// What a caller waits for comes first and has no limit. Of the rest, what has a file gets all
// that the others leave: unknown names cannot crowd it out, and are not forgotten either.
// What is too few to be divided goes to what has a file, but for each sixteenth time.
var (
	requested = []share{{custodian.Requested, 1}}
	others    = []share{{custodian.Named, sixteen}, {custodian.Empty, sixteen}, {custodian.Wanted, 1}}
	few       = []share{{custodian.Wanted, 1}, {custodian.Empty, 1}, {custodian.Named, 1}}
)

const sixteen = 16

// mostAttempts is the number of leases in a row from which on they do not get longer.
const mostAttempts = 6

// Take gives out leases. Each process goes round the parts of the list, so that several do
// not wait for the same rows; of a part the most urgent are taken.
func (s *Custody) Take(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]custodian.Task, error) {
	s.tidy(ctx, now)
	parts := s.db.Dialect().Parts
	first := int(s.docs.turn.Add(1))
	shares := others
	if limit < sixteen && first/len(parts)%sixteen != 0 {
		shares = few
	}
	all, err := s.takeFrom(ctx, "due", requested, now, lease, limit)
	for i := 0; i < len(parts) && len(all) < limit && err == nil; i++ {
		var some []custodian.Task
		some, err = s.takeFrom(ctx, parts[(first+i)%len(parts)], shares, now, lease, limit-len(all))
		all = append(all, some...)
	}
	if err != nil && len(all) == 0 {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b custodian.Task) int {
		return cmp.Or(cmp.Compare(min(a.Class, 1), min(b.Class, 1)), a.Due.Compare(b.Due))
	})
	return all, nil
}

// A Tidier is a Database in which changed rows may go on taking space.
type Tidier interface {
	// Tidy makes the due list smaller where that is worth it and quick.
	Tidy(ctx context.Context) error
}

// tidyEvery is how often it is looked whether the list has to be tidied up.
const tidyEvery = time.Minute

// tidy does that now and then. What is due can be taken whether it succeeds or not.
func (s *Custody) tidy(ctx context.Context, now time.Time) {
	tidier, ok := s.db.(Tidier)
	last := s.docs.tidied.Load()
	if !ok || now.Sub(time.UnixMicro(last)).Abs() < tidyEvery || !s.docs.tidied.CompareAndSwap(last, now.UnixMicro()) {
		return
	}
	_ = tidier.Tidy(ctx)
}

// takeFrom takes from one part. That there is nothing is found out without a transaction.
func (s *Custody) takeFrom(ctx context.Context, table string, shares []share, now time.Time, lease time.Duration,
	limit int) ([]custodian.Task, error) {
	us := now.UnixMicro()
	var classes []string
	for _, share := range shares {
		classes = append(classes, fmt.Sprint(int64(share.class)))
	}
	n, err := number(ctx, s.db, `SELECT COUNT(*) FROM (SELECT 1 FROM `+table+` WHERE class IN (`+
		strings.Join(classes, ", ")+`) AND at <= $1 LIMIT 1) AS one_row`, us)
	if err != nil || n == 0 {
		return nil, err
	}
	var all []custodian.Task
	err = s.db.Update(ctx, func(c Conn) error {
		all = nil
		for _, share := range shares {
			left := limit - len(all)
			if share.divisor > 1 {
				left = min(left, max(1, limit/share.divisor))
			}
			if left <= 0 {
				continue
			}
			some, err := list(ctx, c, scanDue, selectDue+table+` WHERE class = $1 AND at <= $2 ORDER BY at LIMIT $3`+
				s.db.Dialect().Skip, int64(share.class), us, int64(left))
			if err != nil {
				return err
			}
			all = append(all, some...)
		}
		return lend(ctx, c, table, all, us, lease)
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// lend writes leases. One that follows others which ended without a result is longer: what
// ends a process again and again must not end all of them.
func lend(ctx context.Context, c Conn, table string, tasks []custodian.Task, now int64, lease time.Duration) error {
	for some := range slices.Chunk(tasks, rowBatch) {
		args := []any{now, lease.Microseconds()}
		for i := range some {
			some[i].Lease.Fence++
			args = append(args, some[i].Lease.Name)
		}
		err := later(ctx, c, fmt.Sprintf(`UPDATE %s SET fence = fence + 1, at = CAST($1 AS BIGINT) + CAST($2 AS BIGINT) * (1 << CAST(attempt AS INTEGER)),
			attempt = CASE WHEN attempt < %d THEN attempt + 1 ELSE attempt END WHERE name IN (%s)`, table, mostAttempts,
			padded(3, len(some), &args)), args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// rowBatch is how many rows a statement names at most.
const rowBatch = 512

// padded are parameters for names that the arguments end with. There are few lengths, so
// that there are few statements: the last name is repeated.
func padded(first, n int, args *[]any) string {
	size := 1
	for size < n {
		size *= 2
	}
	for range size - n {
		*args = append(*args, (*args)[len(*args)-1])
	}
	return parameters(first, size)
}

const selectDue = `SELECT name, url, class, at, fence, requested_at FROM `

// scanDue reads a row of the due list.
func scanDue(r Rows) (*custodian.Task, error) {
	t := &custodian.Task{}
	var at, requestedAt int64
	err := r.Scan(&t.Lease.Name, &t.URL, (*int64)(&t.Class), &at, &t.Lease.Fence, &requestedAt)
	t.Due = time.UnixMicro(at).UTC()
	if requestedAt != 0 {
		t.Lease.RequestedAt = time.UnixMicro(requestedAt).UTC()
	}
	if t.URL == "" {
		t.Publisher = hostname.Domain(t.Lease.Name)
	}
	return t, err
}

// Due returns what is due, the most urgent first, without a lease.
func (s *Custody) Due(ctx context.Context, at time.Time, limit int) ([]custodian.Task, error) {
	n, _ := page(limit, 0)
	scan := func(r Rows) (*custodian.Task, error) {
		t, err := scanDue(r)
		t.Lease = custodian.Lease{}
		return t, err
	}
	return list(ctx, s.db, scan, selectDue+`due WHERE class IN (0, 1, 2, 3) AND at <= $1 ORDER BY at, name LIMIT $2`,
		at.UnixMicro(), n)
}

// Waiting returns how much is due.
func (s *Custody) Waiting(ctx context.Context, at time.Time) (int, error) {
	return number(ctx, s.db, `SELECT COUNT(*) FROM due WHERE at <= $1`, at.UnixMicro())
}

// Untaken reports whether something has been due for a while and no lease is held. There is an
// index by class and time alone, so only leases that end soon are looked for.
func (s *Custody) Untaken(ctx context.Context, before, now time.Time, lease time.Duration) (bool, error) {
	due, err := number(ctx, s.db,
		`SELECT COUNT(*) FROM (SELECT 1 FROM due WHERE class IN (0, 1, 2, 3) AND at <= $1 LIMIT 1) AS one_row`,
		before.UnixMicro())
	if err != nil || due == 0 {
		return false, err
	}
	leased, err := number(ctx, s.db,
		`SELECT COUNT(*) FROM (SELECT 1 FROM due WHERE class IN (0, 1, 2, 3) AND at > $1 AND at <= $2 AND attempt > 0 LIMIT 1) AS one_row`,
		now.UnixMicro(), now.Add(lease).UnixMicro())
	return leased == 0, err
}

// Extend makes leases longer, and returns those that are still good.
func (s *Custody) Extend(ctx context.Context, leases []custodian.Lease, until time.Time) ([]custodian.Lease, error) {
	var good []custodian.Lease
	for some := range slices.Chunk(leases, rowBatch) {
		var kept []custodian.Lease
		err := s.db.Update(ctx, func(c Conn) error {
			kept = nil
			for _, l := range some {
				n, err := exec(ctx, c, `UPDATE due SET at = $3 WHERE name = $1 AND fence = $2`, l.Name, l.Fence, until.UnixMicro())
				if err != nil {
					return err
				}
				if n > 0 {
					kept = append(kept, l)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		good = append(good, kept...)
	}
	return good, nil
}

// Release gives leases back. What they are for is due again at a time, unless another
// process has committed something or taken it meanwhile.
func (s *Custody) Release(ctx context.Context, leases []custodian.Lease, at time.Time) error {
	return s.db.Update(ctx, func(c Conn) error {
		for _, l := range leases {
			err := later(ctx, c,
				`UPDATE due SET at = $3, attempt = 0, fence = fence + 1 WHERE name = $1 AND fence = $2 AND attempt > 0`, l.Name,
				l.Fence, at.UnixMicro())
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Plan adds publishers to the due list, and returns how many it changed something about. Of
// those that are there, only those that were no more than named get a better class.
func (s *Custody) Plan(ctx context.Context, domains []hostname.Domain, class custodian.Class,
	at time.Time) (int, error) {
	domains = slices.Sorted(slices.Values(domains)) // in one order, for those who do it at once
	added := 0
	for some := range slices.Chunk(slices.Compact(domains), rowBatch) {
		rows, args, err := rowsOf(some, `($%d, '', $1, 0, $2, 0, 0)`, int64(class), at.UnixMicro())
		if err != nil {
			return added, err
		}
		n, err := exec(ctx, s.db, fmt.Sprintf(insertDue+`VALUES %s ON CONFLICT (name) DO UPDATE SET class = excluded.class,
			at = CASE WHEN due.attempt > 0 OR due.at < excluded.at THEN due.at ELSE excluded.at END
			WHERE due.class = %d AND excluded.class < %[2]d`, rows, custodian.Named), args...)
		if err != nil {
			return added, err
		}
		added += int(n)
	}
	return added, nil
}

// rowsOf returns the rows of a statement with one for each domain, whose name stands where the
// format of a row says, and the arguments of the statement: those given, then the domains.
func rowsOf(domains []hostname.Domain, format string, args ...any) (string, []any, error) {
	var rows []string
	for _, domain := range domains {
		err := checkName(string(domain))
		if err != nil {
			return "", nil, err
		}
		args = append(args, domain)
		rows = append(rows, fmt.Sprintf(format, len(args)))
	}
	return strings.Join(rows, ", "), args, nil
}

// PlanNamed adds publishers that a file names, unless there is a record of them.
func (s *Custody) PlanNamed(ctx context.Context, url string, domains []hostname.Domain, at time.Time,
	most int) (int, error) {
	trusted, err := number(ctx, s.db, `SELECT COUNT(*) FROM custody_files WHERE key = $1 AND guest IS NULL`, fileKey(url))
	if err != nil || trusted == 0 {
		return 0, err
	}
	domains = slices.Compact(slices.Sorted(slices.Values(domains)))
	added := 0
	for len(domains) > 0 && added < most {
		some := domains[:min(len(domains), rowBatch, most-added)]
		domains = domains[len(some):]
		rows, args, err := rowsOf(some, `(CAST($%d AS TEXT))`, at.UnixMicro())
		if err != nil {
			return added, err
		}
		n, err := exec(ctx, s.db, fmt.Sprintf(`WITH named (name) AS (VALUES %s) `+insertDue+`SELECT name, '', %d, 0, CAST($1 AS BIGINT), 0, 0 FROM named
			WHERE NOT EXISTS (SELECT 1 FROM custody_publishers WHERE domain = named.name) ON CONFLICT (name) DO NOTHING`, rows,
			custodian.Named), args...)
		if err != nil {
			return added, err
		}
		added += int(n)
	}
	return added, nil
}

// NamedWaiting returns how many are in the list because a file names them.
func (s *Custody) NamedWaiting(ctx context.Context, most int) (int, error) {
	return number(ctx, s.db, `SELECT COUNT(*) FROM (SELECT 1 FROM due WHERE class = $1 LIMIT $2) AS some_rows`,
		int64(custodian.Named), int64(most))
}

const insertDue = `INSERT INTO due (name, url, class, attempt, at, fence, requested_at) `

// A dueRow is what a change says about when something is due.
type dueRow struct {
	name, url string
	class     custodian.Class
	at        time.Time
}

// write puts a row into the list, or changes it. Under a lease that is for it the lease ends;
// another process's lease stays, and with it the time at which it ends, since its holder may
// have seen something later. What was requested stays so until EndRequests.
func (d *dueRow) write(ctx context.Context, c Conn, lease *custodian.Lease, now int64) error {
	if lease == nil || lease.Name != d.name {
		return later(ctx, c, insertDue+`VALUES ($1, $2, $3, 0, $4, 0, 0) ON CONFLICT (name) DO UPDATE
			SET class = CASE WHEN due.requested_at > 0 THEN due.class ELSE excluded.class END,
			at = CASE WHEN due.attempt > 0 OR due.requested_at > 0 THEN due.at ELSE excluded.at END`,
			d.name, d.url, int64(d.class), d.at.UnixMicro())
	}
	return laterAs(ctx, c, isHeld, `UPDATE due SET class = CASE WHEN requested_at > 0 THEN class ELSE CAST($3 AS SMALLINT) END,
		at = CASE WHEN requested_at > 0 THEN CAST($5 AS BIGINT) ELSE CAST($4 AS BIGINT) END, attempt = 0, fence = fence + 1 WHERE name = $1 AND fence = $2`,
		d.name, lease.Fence, int64(d.class), d.at.UnixMicro(), now+requestGrace.Microseconds())
}

// requestGrace is how long it may take to tell those who wait that a result has come. After
// that it is fetched again.
const requestGrace = time.Minute

// remove takes the row out of the list. A guest with a file that others name stays in it as
// what it is there.
func (d *dueRow) remove(ctx context.Context, c Conn, lease *custodian.Lease) error {
	followed := d.url == "" && d.class == custodian.Wanted
	if lease == nil || lease.Name != d.name {
		if followed {
			return later(ctx, c, `DELETE FROM due WHERE name = $1 AND class <> $2`, d.name, int64(custodian.Named))
		}
		return forgetDue(ctx, c, d.name)
	}
	if followed {
		n, err := exec(ctx, c,
			`UPDATE due SET at = $4, attempt = 0, fence = fence + 1 WHERE name = $1 AND fence = $2 AND class = $3`,
			d.name, lease.Fence, int64(custodian.Named), d.at.UnixMicro())
		if err != nil || n > 0 {
			return err
		}
	}
	return laterAs(ctx, c, isHeld, `DELETE FROM due WHERE name = $1 AND fence = $2`, d.name, lease.Fence)
}

// isHeld says whether a statement found the row of a lease.
func isHeld(n int64) error {
	if n == 0 {
		return custodian.ErrFenced
	}
	return nil
}

// requestedAt is the number for when a look was requested.
func requestedAt(l *custodian.Lease) int64 {
	if l.RequestedAt.IsZero() {
		return 0
	}
	return l.RequestedAt.UnixMicro()
}

// forgetDue takes something out of the list.
func forgetDue(ctx context.Context, c Conn, name string) error {
	return later(ctx, c, `DELETE FROM due WHERE name = $1`, name)
}

// dueNow has something asked for that was changed behind the back of those who look.
func dueNow(ctx context.Context, c Conn, name string) error {
	return later(ctx, c, `UPDATE due SET at = 0, attempt = 0, fence = fence + 1 WHERE name = $1`, name)
}

// checkFence is ErrFenced when a lease is not good any more. It keeps the row locked.
func (s *Custody) checkFence(ctx context.Context, c Conn, lease *custodian.Lease) error {
	_, err := number(ctx, c, `SELECT 1 FROM due WHERE name = $1 AND fence = $2`+s.db.Dialect().Lock,
		lease.Name, lease.Fence)
	if errors.Is(err, registry.ErrNotFound) {
		return custodian.ErrFenced
	}
	return err
}

// dueName is that of custodian.FileKey for a key of a file.
func dueName(key []byte) string { return "file:" + hex.EncodeToString(key) }

// LetGo takes a file without a pointer out of the due list, until a publisher points to it
// or it is committed again. A publisher that leads there at the same time may be overlooked
// in PostgreSQL; the file is due again when it is next asked for with the publisher.
func (s *Custody) LetGo(ctx context.Context, url string) error {
	key := fileKey(url)
	_, err := exec(ctx, s.db, `DELETE FROM due WHERE name = $1
		AND NOT EXISTS (SELECT 1 FROM custody_publishers WHERE current_file = $2)
		AND NOT EXISTS (SELECT 1 FROM custody_publishers WHERE next_file = $2)`, custodian.FileKey(url), key)
	return err
}

// takeUp puts files that a publisher leads to into the list, if they are known and not there.
func takeUp(ctx context.Context, c Conn, at int64, keys ...[]byte) error {
	for _, key := range keys {
		if key == nil {
			continue
		}
		err := later(ctx, c, insertDue+`SELECT CAST($1 AS TEXT), url, 1, 0, CAST($2 AS BIGINT), 0, 0 FROM custody_files
			WHERE key = $3 AND guest IS NULL ON CONFLICT (name) DO NOTHING`, dueName(key), at, key)
		if err != nil {
			return err
		}
	}
	return nil
}

// sameURL reports whether a file is one of a change.
func sameURL(files []*custody.File, url string) *custody.File {
	for _, f := range files {
		if f.URL == url {
			return f
		}
	}
	return nil
}
