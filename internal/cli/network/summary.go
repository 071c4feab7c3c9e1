package network

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/rollout"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A summary is what all publishers together come to.
type summary struct {
	network *rollout.Network
	name    string // what the user calls the file
	now     time.Time
	rows    []rollout.Row
	counts  map[rollout.State]int
	// named is the number of publishers that the file names, and reached that of those who
	// lead to it.
	named, reached int
	contests       []rollout.Contest
}

// summarize judges publishers. A revoked one that leads elsewhere is none of the network's
// business, unless the user asked about it.
func summarize(n *rollout.Network, visits []rollout.Visit, named, asked []hostname.Domain) *summary {
	s := &summary{network: n, counts: make(map[rollout.State]int), named: len(named)}
	inNetwork, inList := setOf(named), setOf(asked)
	for _, v := range visits {
		row := n.Judge(v)
		row.Detail, row.URL = redact.Credentials(row.Detail), redact.URL(row.URL)
		if row.State != rollout.RevokedPointing && !inNetwork[v.Publisher] && !inList[v.Publisher] {
			continue
		}
		if inNetwork[v.Publisher] && row.Reaches() {
			s.reached++
		}
		s.counts[row.State]++
		s.rows = append(s.rows, row)
	}
	s.contests = slices.Concat(n.Contests(), n.Contested(s.rows))
	return s
}

func setOf(list []hostname.Domain) map[hostname.Domain]bool {
	set := make(map[hostname.Domain]bool, len(list))
	for _, domain := range list {
		set[domain] = true
	}
	return set
}

// percent is how many of the publishers that the file names lead to it.
func (s *summary) percent() float64 {
	if s.named == 0 {
		return 0
	}
	return 100 * float64(s.reached) / float64(s.named)
}

// A cause is why some publishers are in a state.
type cause struct {
	State rollout.State
	Rule  adagents.Rule
	Rows  []rollout.Row
	// Message is what to write to the first of them; empty when nothing has to be done.
	Message string
}

// causes groups the rows by their code, in the order of the states, the most frequent first.
func (s *summary) causes() []cause {
	groups := make(map[[2]string]*cause)
	for i := range s.rows {
		r := &s.rows[i]
		key := [2]string{string(r.State), r.Code}
		if groups[key] == nil {
			groups[key] = &cause{State: r.State, Rule: catalogue.Lookup(r.Code), Message: s.network.Message(r, s.now)}
		}
		groups[key].Rows = append(groups[key].Rows, *r)
	}
	var list []cause
	for _, state := range rollout.States() {
		var some []cause
		for _, key := range slices.SortedFunc(maps.Keys(groups), func(a, b [2]string) int { return strings.Compare(a[1], b[1]) }) {
			if key[0] == string(state) {
				some = append(some, *groups[key])
			}
		}
		slices.SortStableFunc(some, func(a, b cause) int { return len(b.Rows) - len(a.Rows) })
		list = append(list, some...)
	}
	return list
}
