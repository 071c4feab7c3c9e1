package rollout

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// A Summary is what all publishers together come to.
type Summary struct {
	Network *Network
	// Name is what the user calls the file.
	Name   string
	Now    time.Time
	Letter Letter
	Rows   []Row
	Counts map[State]int
	// Named is the number of publishers that the file names, and Reached that of those who
	// lead to it.
	Named, Reached int
	Contests       []Contest

	asked map[hostname.Domain]bool
}

// NewSummary returns the summary of no publisher yet. asked are those that the user asked about: a
// revoked one that leads elsewhere is none of the network's business unless the user did.
func NewSummary(n *Network, asked []hostname.Domain) *Summary {
	s := &Summary{Network: n, Counts: make(map[State]int), Named: len(n.named),
		asked: make(map[hostname.Domain]bool, len(asked))}
	for _, domain := range asked {
		s.asked[domain] = true
	}
	return s
}

// Add judges a publisher. It returns nil for one that is none of the network's business.
func (s *Summary) Add(v Visit) *Row {
	row := s.Network.Judge(v)
	row.Detail, row.URL = redact.Credentials(row.Detail), redact.URL(row.URL)
	if row.State != RevokedPointing && !row.named && !s.asked[v.Publisher] {
		return nil
	}
	if row.named && row.Reaches() {
		s.Reached++
	}
	s.Counts[row.State]++
	s.Rows = append(s.Rows, row)
	return &row
}

// Finish is called when all publishers are there. It sorts them, and looks for what several claim.
func (s *Summary) Finish() {
	slices.SortFunc(s.Rows, func(a, b Row) int { return strings.Compare(string(a.Publisher), string(b.Publisher)) })
	s.Contests = slices.Concat(s.Network.Contests(), s.Network.Contested(s.Rows))
}

// Percent is how many of the publishers that the file names lead to it.
func (s *Summary) Percent() float64 {
	if s.Named == 0 {
		return 0
	}
	return 100 * float64(s.Reached) / float64(s.Named)
}

// File is the address of the file, or what the user calls it.
func (s *Summary) File() string {
	if s.Network.URL != "" {
		return s.Network.URL
	}
	return s.Name
}

// Headline says in one line how far the rollout has come.
func (s *Summary) Headline() string {
	return fmt.Sprintf("publishers that lead to the file: %d of %d (%.1f %%)", s.Reached, s.Named, s.Percent())
}

// A Cause is why some publishers are in a state.
type Cause struct {
	State State
	Code  string
	Rows  []Row
	// Message is what to write to the first of them that has to do something; empty for none.
	Message string
}

// Causes groups the rows by their code, in the order of the states, the most frequent first. Those
// who point to the file, or have it, are not among them.
func (s *Summary) Causes() []Cause {
	groups := make(map[[2]string]*Cause)
	for i := range s.Rows {
		r := &s.Rows[i]
		if r.State == PointsHere || r.State == IsHere {
			continue
		}
		key := [2]string{string(r.State), r.Code}
		if groups[key] == nil {
			groups[key] = &Cause{State: r.State, Code: r.Code}
		}
		c := groups[key]
		c.Rows = append(c.Rows, *r)
		if c.Message == "" {
			c.Message = s.Message(r)
		}
	}
	var list []Cause
	for _, state := range States() {
		var some []Cause
		for _, key := range slices.SortedFunc(maps.Keys(groups), func(a, b [2]string) int {
			return strings.Compare(a[1], b[1])
		}) {
			if key[0] == string(state) {
				some = append(some, *groups[key])
			}
		}
		slices.SortStableFunc(some, func(a, b Cause) int { return len(b.Rows) - len(a.Rows) })
		list = append(list, some...)
	}
	return list
}

// A Share is a part of the coverage picture, in percent of its width.
type Share struct {
	State    State
	Count    int
	At, Wide float64
}

// Shares divides the picture among the states.
func (s *Summary) Shares() []Share {
	var list []Share
	at := 0.0
	for _, state := range States() {
		if n := s.Counts[state]; n > 0 {
			wide := 100 * float64(n) / float64(len(s.Rows))
			list = append(list, Share{state, n, at, wide})
			at += wide
		}
	}
	return list
}

// WriteCSV writes a table whose cells neither a terminal nor a spreadsheet obeys. The columns are
// a contract: new ones may come at the end.
func (s *Summary) WriteCSV(w io.Writer, comma rune) error {
	c := csv.NewWriter(w)
	c.Comma = cmp.Or(comma, c.Comma)
	err := c.Write([]string{"publisher", "state", "code", "detail", "url"})
	for i := range s.Rows {
		r := &s.Rows[i]
		cells := []string{string(r.Publisher), string(r.State), r.Code, r.Detail, r.URL}
		for j := range cells {
			cells[j] = textsafe.CSV(textsafe.Terminal(cells[j]))
		}
		err = errors.Join(err, c.Write(cells))
	}
	c.Flush()
	return errors.Join(err, c.Error())
}

// Release gives up what is needed to judge publishers, and not to show the summary.
func (s *Summary) Release() { s.Network = &Network{URL: s.Network.URL} }
