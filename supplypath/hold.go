package supplypath

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/std/jsontree"
)

const (
	// HoldFor is how long a revocation stays in force after it was first seen.
	HoldFor = 7 * 24 * time.Hour
	// MaxHeld is the number of domains that are held for one file.
	MaxHeld = 1_024
)

// A Held is a domain that a file has revoked.
type Held struct {
	Domain string
	// FirstSeen is when the revocation was first seen. A revocation that is written anew, with
	// whatever date, does not start again.
	FirstSeen time.Time
	// RevokedAt is the earliest date that the file gave, empty if it gave none.
	RevokedAt string
}

// revocations reads a list of revocations. One item that names no domain makes it unreadable.
func revocations(list jsontree.Value) ([]Held, error) {
	if !list.Is(jsontree.Array) {
		return nil, errors.New("revoked_publisher_domains is not a list: write a list of domains")
	}
	var all []Held
	for i, item := range list.Elems() {
		named := item
		if item.Is(jsontree.Object) {
			named = item.Get("publisher_domain")
		}
		d, ok := Domain(named.Str())
		if !ok {
			return nil, fmt.Errorf("revoked_publisher_domains/%d names no domain: write one such as example.com", i)
		}
		all = append(all, Held{Domain: d, RevokedAt: item.Get("revoked_at").Str()})
	}
	return all, nil
}

// Hold returns what is held after a file was seen at a time: what was held before and has not run out,
// and what the file revokes. A file that cannot be read, or whose list cannot, is an error that comes
// with what was held before; everything is to be treated as revoked then.
func Hold(before []Held, file []byte, now time.Time) ([]Held, error) {
	held := slices.DeleteFunc(slices.Clone(before), func(h Held) bool { return !now.Before(h.FirstSeen.Add(HoldFor)) })
	tree, err := jsontree.Parse(file, jsontree.Options{})
	if err != nil {
		return held, err
	}
	list := tree.Root().Get("revoked_publisher_domains")
	if !list.Exists() {
		return held, nil
	}
	revoked, err := revocations(list)
	if err != nil {
		return held, err
	}
	known := make(map[string]int, len(held))
	for i, h := range held {
		known[h.Domain] = i
	}
	for _, r := range revoked {
		i, ok := known[r.Domain]
		switch {
		case ok:
			held[i].RevokedAt = earlier(held[i].RevokedAt, r.RevokedAt)
		case len(held) == MaxHeld:
			return held, fmt.Errorf("more than %d domains are revoked: split the file", MaxHeld)
		default:
			known[r.Domain] = len(held)
			r.FirstSeen = now
			held = append(held, r)
		}
	}
	return held, nil
}

// earlier returns the earlier of two dates. An invalid date is later than any.
func earlier(a, b string) string {
	at, errA := time.Parse(time.RFC3339, a)
	bt, errB := time.Parse(time.RFC3339, b)
	if errB == nil && (errA != nil || bt.Before(at)) {
		return b
	}
	return a
}
