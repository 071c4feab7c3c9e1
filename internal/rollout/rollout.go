// Package rollout says for each publisher of a network whether buyers who begin at its domain
// arrive at the network's authoritative file, and if not, why, what to do about it, and what to
// write to the publisher. It makes no requests: the caller passes what was found.
package rollout

import (
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A State says how a publisher stands to the file of a network.
type State string

// The states, in the order of reports.
const (
	// IsHere: the file itself is at the publisher's well-known path.
	IsHere State = "is_here"
	// PointsHere: a pointer at the publisher's well-known path names the file.
	PointsHere State = "points_here"
	// OtherWay: buyers arrive at the file, and not by a pointer that names it.
	OtherWay State = "other_way"
	// NothingHere: buyers arrive at the file, which has no property of the publisher.
	NothingHere State = "nothing_here"
	// RevokedPointing: the file revokes the publisher, which still leads to it.
	RevokedPointing State = "revoked_pointing"
	// Orphan: the publisher leads to the file, which does not name it.
	Orphan State = "orphan"
	// ServedWrong: the publisher serves something that buyers cannot use, or a copy.
	ServedWrong State = "served_wrong"
	// Elsewhere: the publisher leads to another file.
	Elsewhere State = "elsewhere"
	// OwnFile: the publisher has a file of its own.
	OwnFile State = "own_file"
	// Absent: the publisher has no file.
	Absent State = "absent"
	// Unresolvable: the name of the publisher is not in the DNS.
	Unresolvable State = "unresolvable"
	// Unreachable: it could not be determined what the publisher serves.
	Unreachable State = "unreachable"
)

// States returns all states in the order of reports.
func States() []State {
	return []State{IsHere, PointsHere, OtherWay, NothingHere, RevokedPointing, Orphan, ServedWrong, Elsewhere, OwnFile,
		Absent, Unresolvable, Unreachable}
}

// A Network is the authoritative file of a network, with what is needed to judge publishers.
type Network struct {
	// URL is where the file is served. It may be set after New and before Judge.
	URL     string
	hash    [sha256.Size]byte            // of the file's bytes
	doc     resolve.Document             // the file, of no publisher yet
	named   map[hostname.Domain][]string // the agents that may sell for a publisher
	revoked map[hostname.Domain]bool
	claims  map[claim][]hostname.Domain
	// last is the file that was looked at last: most publishers share one.
	last sharedFile
}

// New reads the file of a network. The report must be that of an inline file.
func New(file *adagents.File, src []byte, url string) *Network {
	n := &Network{
		URL: url, hash: sha256.Sum256(src),
		doc:   resolve.Document{State: resolve.Usable, File: file, Prepared: resolve.Prepare(file)},
		named: publishersIn(file), revoked: make(map[hostname.Domain]bool), claims: claimsIn(file),
	}
	for _, r := range custody.FactsOf(file).Revoked {
		n.revoked[hostname.Domain(r.Domain)] = true
		delete(n.named, hostname.Domain(r.Domain))
	}
	return n
}

// Named returns the publishers that the file names and does not revoke, sorted.
func (n *Network) Named() []hostname.Domain { return slices.Sorted(maps.Keys(n.named)) }

// Publishers returns those that the file names or revokes, and others, sorted.
func (n *Network) Publishers(others []hostname.Domain) []hostname.Domain {
	all := slices.AppendSeq(slices.Clone(others), maps.Keys(n.named))
	all = slices.AppendSeq(all, maps.Keys(n.revoked))
	slices.Sort(all)
	return slices.Compact(all)
}

// A Row is one publisher.
type Row struct {
	Publisher hostname.Domain
	State     State
	// Code says why the publisher is in the state: a code of this package or of package
	// discover.
	Code string
	// Detail is more about it in words, and URL is the file that buyers arrive at, or the
	// request that failed. Both may be outside text.
	Detail, URL string
	// named: the file names the publisher, and does not revoke it.
	named bool
}

// Reaches reports whether buyers arrive at the file of the network, and find the publisher in it.
func (r *Row) Reaches() bool {
	return r.State == IsHere || r.State == PointsHere || r.State == OtherWay
}

// A Contest is something that several claim: an identifier of properties of two publishers
// of the file, or a publisher that another file names as well, to which it leads.
type Contest struct {
	Type, Value string
	// ClaimedBy are the publishers, or the URLs of the files.
	ClaimedBy []string
}

// Contests returns what publishers of the file claim twice.
func (n *Network) Contests() []Contest {
	var list []Contest
	for id, by := range n.claims {
		if len(by) < 2 {
			continue
		}
		c := Contest{Type: id.kind, Value: id.value}
		for _, domain := range by {
			c.ClaimedBy = append(c.ClaimedBy, string(domain))
		}
		slices.Sort(c.ClaimedBy)
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b Contest) int {
		return slices.Compare([]string{a.Type, a.Value}, []string{b.Type, b.Value})
	})
	return list
}
