package records

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

// OneMemory moves what stores up to version 4 kept of checks into the records of custody.
// A publisher that is known by a check alone gets an empty record, as if a stranger had
// named it then: what it lists has a date, which must not be lost.
func OneMemory(ctx context.Context, c Conn) error {
	for after := ""; ; {
		n, err := movePublishers(ctx, c, &after)
		if err != nil {
			return err
		}
		if n < pageRows {
			break
		}
	}
	for after := []byte{}; ; {
		n, err := moveFiles(ctx, c, &after)
		if err != nil {
			return err
		}
		if n < pageRows {
			break
		}
	}
	return moveStrangers(ctx, c)
}

// A moved is a publisher with what its last check said, if there was one.
type moved struct {
	custody.Publisher
	found bool
	reply custody.Reply
}

// movePublishers rewrites a page of records of publishers.
func movePublishers(ctx context.Context, c Conn, after *string) (int, error) {
	some, err := list(ctx, c, scanMoved, `SELECT p.domain, p.record, s.answer, s.method, s.valid, s.resolved_url, s.manager_domain, s.status, s.bytes
		FROM custody_publishers p LEFT JOIN sightings s ON s.domain = p.domain WHERE p.domain > $1 ORDER BY p.domain LIMIT $2`, *after, int64(pageRows))
	for i := range some {
		v := &some[i]
		*after = string(v.Domain)
		missing := giveCause(&v.Cause, v.FailingSince, v.Trouble)
		if !v.found && !missing {
			continue
		}
		v.Reply = v.reply
		record, err := encodeRecord(&v.Publisher)
		if err != nil {
			return 0, err
		}
		_, err = exec(ctx, c, `UPDATE custody_publishers SET record = $2 WHERE domain = $1`, v.Domain, record)
		if err != nil {
			return 0, err
		}
	}
	return len(some), err
}

func scanMoved(r Rows) (*moved, error) {
	v := &moved{}
	var packed []byte
	var domain string
	var answer, method, url, manager *string
	var valid *bool
	var status, bytes *int64
	err := r.Scan(&domain, &packed, &answer, &method, &valid, &url, &manager, &status, &bytes)
	if err != nil {
		return nil, err
	}
	err = decodeRecord(packed, &v.Publisher)
	if err != nil || answer == nil {
		return v, err
	}
	v.found = true
	v.reply = custody.Reply{Status: int(*status), Bytes: *bytes}
	if *answer == "usable" {
		v.reply.Flawed = !*valid
	} else if *url != "" {
		v.reply.Place = custody.Location{Method: custody.Method(*method), URL: *url, Manager: *manager}
	}
	return v, nil
}

// moveFiles rewrites a page of records of files.
func moveFiles(ctx context.Context, c Conn, after *[]byte) (int, error) {
	some, err := list(ctx, c, scanFile, `SELECT url, revision, record FROM custody_files WHERE key > $1 ORDER BY key LIMIT $2`, *after, int64(pageRows))
	for i := range some {
		f := &some[i]
		*after = fileKey(f.URL)
		if !giveCause(&f.Cause, f.FailingSince, f.Trouble) {
			continue
		}
		record, err := encodeRecord(f)
		if err != nil {
			return 0, err
		}
		_, err = exec(ctx, c, `UPDATE custody_files SET record = $2 WHERE key = $1`, *after, record)
		if err != nil {
			return 0, err
		}
	}
	return len(some), err
}

// giveCause reads the cause of a failure from its text, by which early releases told a file
// that cannot be used from one that did not come. It reports whether it was missing.
func giveCause(cause *custody.Cause, failing time.Time, trouble string) bool {
	if *cause != "" || failing.IsZero() {
		return false
	}
	*cause = custody.CauseSilence
	if strings.HasPrefix(trouble, "the file cannot be used: ") {
		*cause = custody.CauseUnusable
	}
	return true
}

// moveStrangers makes records of publishers that have none and list something. They are
// never due, and the first to go.
func moveStrangers(ctx context.Context, c Conn) error {
	type stranger struct {
		domain string
		at     int64
	}
	for {
		some, err := list(ctx, c, func(r Rows) (*stranger, error) {
			v := &stranger{}
			return v, r.Scan(&v.domain, &v.at)
		}, `SELECT domain, checked_at FROM sightings s WHERE NOT EXISTS (SELECT 1 FROM custody_publishers p WHERE p.domain = s.domain)
			AND EXISTS (SELECT 1 FROM identifiers i WHERE i.domain = s.domain) ORDER BY domain LIMIT $1`, int64(pageRows))
		if err != nil || len(some) == 0 {
			return err
		}
		for _, v := range some {
			record, err := encodeRecord(&custody.Publisher{Domain: custody.Domain(v.domain)})
			if err != nil {
				return err
			}
			_, err = exec(ctx, c, `INSERT INTO custody_publishers (domain, revision, due, held, record, since, guest, site) VALUES ($1, 1, $2, FALSE, $3, $4, $4, $5)`,
				v.domain, int64(math.MaxInt64), record, v.at, siteOf(v.domain))
			if err != nil {
				return err
			}
		}
	}
}
