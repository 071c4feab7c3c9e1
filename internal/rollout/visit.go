package rollout

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A Visit is what is kept of the discovery of a publisher until all were visited: which URL a
// file at hand is served at may only be known then.
type Visit struct {
	Publisher hostname.Domain
	answer    discover.Answer
	method    discover.Method
	outcome   fetch.Outcome // of the request for the well-known path
	// pointer is what the publisher's pointer names, as it is written. resolved is where the
	// file came from in the end, and hash is that of its bytes.
	pointer, resolved string
	hash              [sha256.Size]byte
	redirected        bool // the well-known path redirects
	superseded        bool
	// flaw is the first error on the way, or in a file that cannot be used.
	flaw flaw
	// own are the agents of the file at the publisher's own path; others is the number of
	// publishers of the network that it names besides this one.
	own    []string
	others int
	// claimed: the file that the publisher leads to names it.
	claimed bool
}

// A flaw is something that is wrong with what a publisher serves.
type flaw struct{ code, message, url string }

// Visit takes from the discovery of a publisher what is needed to judge it. It must not be
// called at the same time from several goroutines.
func (n *Network) Visit(d *discover.Discovery) Visit {
	v := Visit{
		Publisher: hostname.Domain(d.Domain), answer: d.Answer, method: d.Method, resolved: d.ResolvedURL,
		superseded: d.SupersededBy != "" && !d.Replaced,
	}
	if len(d.Trail) > 0 && d.Trail[0].Result != nil {
		first := d.Trail[0].Result
		v.outcome = first.Outcome
		v.redirected = d.Method != discover.ManagerDomain && first.URL != d.URL
	}
	if d.Pointer != nil && d.Pointer.Pointer != nil {
		v.pointer = d.Pointer.Pointer.AuthoritativeLocation
	}
	v.flaw = flawOf(d)
	if d.Report != nil && d.Report.File != nil && len(d.Body) > 0 {
		if n.last.body != &d.Body[0] {
			n.last = sharedFile{&d.Body[0], sha256.Sum256(d.Body), publishersIn(d.Report.File)}
		}
		v.hash = n.last.hash
		_, v.claimed = n.last.names[v.Publisher]
		if d.Method == discover.Direct {
			v.readOwn(n, d.Report.File, n.last.names)
		}
	}
	return v
}

// sharedFile is what is known of a file, by its first byte in memory.
type sharedFile struct {
	body  *byte
	hash  [sha256.Size]byte
	names map[hostname.Domain][]string
}

// readOwn reads the file at the publisher's own path.
func (v *Visit) readOwn(n *Network, f *adagents.File, names map[hostname.Domain][]string) {
	for i := range f.Agents {
		if !f.Agents[i].Inert() {
			v.own = appendOnce(v.own, agentURL(&f.Agents[i]))
		}
	}
	for domain := range names {
		if _, ok := n.named[domain]; ok && domain != v.Publisher {
			v.others++
		}
	}
}

// flawOf returns the first error about the way, or else that of a file that cannot be used.
func flawOf(d *discover.Discovery) flaw {
	for i := range d.Findings {
		f := &d.Findings[i]
		if f.Severity == adagents.Error {
			return flaw{f.Code, f.Message, f.URL}
		}
	}
	for _, r := range []*adagents.Report{d.Pointer, d.Report} {
		if r != nil && r.Unusable != nil {
			f := &r.Unusable.Findings[0]
			return flaw{f.Code, f.Message, d.URL}
		}
	}
	return flaw{url: d.URL}
}

// LikelyURL returns where a file at hand is probably served: at the URL whose bytes are those
// of the file, or else where most of the publishers that it names lead, or else at the only publisher
// with these bytes. It is empty when no publisher leads anywhere.
func (n *Network) LikelyURL(visits []Visit) string {
	votes := make(map[string]int)
	var home []string // where publishers serve these bytes themselves
	for i := range visits {
		v := &visits[i]
		_, named := n.named[v.Publisher]
		switch {
		case v.atHome() && v.hash == n.hash:
			home = append(home, v.resolved)
		case v.resolved == "" || v.method == discover.Direct && !v.redirected:
		case v.hash == n.hash:
			votes[v.resolved] += len(visits)
		case named:
			votes[v.resolved]++
		}
	}
	if len(votes) == 0 && len(home) == 1 {
		return home[0]
	}
	return MostVotes(votes)
}

// MostVotes returns the URL with the most votes, the first of several by name; empty without votes.
func MostVotes(votes map[string]int) string {
	best := ""
	for url, n := range votes {
		if best == "" || n > votes[best] || n == votes[best] && url < best {
			best = url
		}
	}
	return best
}

// missing returns the agents of the network's file that may sell for the publisher and that a
// file of its own does not list.
func (n *Network) missing(v *Visit) []string {
	var list []string
	for _, agent := range n.named[v.Publisher] {
		if !slices.Contains(v.own, agent) {
			list = append(list, agent)
		}
	}
	return list
}

// keptVisit is a Visit as it is kept for a run that goes on.
type keptVisit struct {
	Publisher  hostname.Domain   `json:"publisher"`
	Answer     int               `json:"answer"`
	Method     int               `json:"method"`
	Outcome    int               `json:"outcome"`
	Pointer    string            `json:"pointer,omitempty"`
	Resolved   string            `json:"resolved,omitempty"`
	Hash       [sha256.Size]byte `json:"hash"`
	Redirected bool              `json:"redirected,omitempty"`
	Superseded bool              `json:"superseded,omitempty"`
	Flaw       [3]string         `json:"flaw"`
	Own        []string          `json:"own,omitempty"`
	Others     int               `json:"others,omitempty"`
	Claimed    bool              `json:"claimed,omitempty"`
}

// MarshalJSON writes a visit so that UnmarshalJSON of the same version reads it.
func (v Visit) MarshalJSON() ([]byte, error) {
	return json.Marshal(keptVisit{
		v.Publisher, int(v.answer), int(v.method), int(v.outcome), v.pointer, v.resolved, v.hash, v.redirected, v.superseded,
		[3]string{v.flaw.code, v.flaw.message, v.flaw.url}, v.own, v.others, v.claimed,
	}, jsontext.AllowInvalidUTF8(true))
}

// UnmarshalJSON reads what MarshalJSON has written.
func (v *Visit) UnmarshalJSON(b []byte) error {
	var k keptVisit
	err := json.Unmarshal(b, &k)
	*v = Visit{
		Publisher: k.Publisher, answer: discover.Answer(k.Answer), method: discover.Method(k.Method),
		outcome: fetch.Outcome(k.Outcome), pointer: k.Pointer, resolved: k.Resolved,
		hash: k.Hash, redirected: k.Redirected, superseded: k.Superseded, flaw: flaw{k.Flaw[0], k.Flaw[1], k.Flaw[2]},
		own: k.Own, others: k.Others, claimed: k.Claimed,
	}
	return err
}

// Hash returns the SHA-256 of the file's bytes, in hexadecimal digits.
func (n *Network) Hash() string { return hex.EncodeToString(n.hash[:]) }
