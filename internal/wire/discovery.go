package wire

import (
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/redact"
)

// Discovery is the way to a file, for commands.
type Discovery struct {
	Answer        string    `json:"answer"`
	Method        string    `json:"method"`
	URL           string    `json:"url"`
	ResolvedURL   string    `json:"resolved_url"`
	ManagerDomain string    `json:"manager_domain"`
	SupersededBy  string    `json:"superseded_by,omitempty"`
	CheckedAt     string    `json:"checked_at"`
	Hops          []FullHop `json:"hops"`
}

// Hop is one step of the way to a file. Status and bytes are those of the last request made
// for it. For the API it says nothing about addresses, and does not tell apart why a
// connection was not possible: that would let anybody explore the network that the service
// runs in.
type Hop struct {
	Step        string `json:"step" doc:"well_known, authoritative, ads_txt, manager, manager_authoritative or superseding."`
	URL         string `json:"url" doc:"What was asked for, or would have been."`
	ResolvedURL string `json:"resolved_url,omitempty" doc:"Where redirects led; absent without any."`
	Status      int    `json:"status" doc:"HTTP status; 0 when no answer came."`
	Bytes       int64  `json:"bytes" doc:"Size of the body after decompression."`
	Outcome     string `json:"outcome" doc:"How it ended: found, absent, connection, timeout and others; unasked when nothing was sent."`
	SHA256      string `json:"sha256,omitempty" doc:"Of the body, when it was read as a whole."`
	Meaning     string `json:"meaning,omitempty" doc:"What came back means, for people."`
	Next        string `json:"next,omitempty" doc:"Why the next step was or was not taken, for people."`
}

// FullHop is a step with what is for commands only; ads_txt and exchanges are for the command
// discover.
type FullHop struct {
	Hop
	Shared    bool       `json:"shared,omitzero"`
	AdsTxt    *AdsTxt    `json:"ads_txt,omitzero"`
	Exchanges []Exchange `json:"exchanges,omitzero"`
}

// DiscoveryOf returns the way to a file in JSON; nil if there was no discovery.
func DiscoveryOf(d *discover.Discovery, at time.Time) *Discovery {
	if d == nil {
		return nil
	}
	doc := &Discovery{
		Answer: d.Answer.String(), Method: d.Method.String(), URL: redact.URL(d.URL), ResolvedURL: redact.URL(d.ResolvedURL),
		ManagerDomain: d.ManagerDomain, SupersededBy: redact.URL(d.SupersededBy), CheckedAt: Time(at),
		Hops: make([]FullHop, 0, len(d.Trail)),
	}
	for i, hop := range CLI.Hops(d) {
		doc.Hops = append(doc.Hops, FullHop{Hop: hop, Shared: d.Trail[i].Shared})
	}
	return doc
}

// Hops returns the steps of the way to a file in JSON.
func (f *Form) Hops(d *discover.Discovery) []Hop {
	docs := make([]Hop, 0, len(d.Trail))
	for i := range d.Trail {
		docs = append(docs, f.hop(&d.Trail[i]))
	}
	return docs
}

func (f *Form) hop(hop *discover.Hop) Hop {
	doc := Hop{
		Step: hop.Step.String(), URL: redact.URL(hop.URL), Outcome: fetch.Unasked.String(),
		Meaning: redact.Credentials(hop.Meaning), Next: redact.Credentials(hop.Next),
	}
	if hop.Result == nil {
		return doc
	}
	last := hop.Result.Last()
	doc.Status, doc.Bytes, doc.SHA256, doc.Outcome = last.Status, last.Bytes, last.SHA256, f.outcome(hop.Result.Outcome)
	if hop.Result.URL != hop.URL {
		doc.ResolvedURL = redact.URL(hop.Result.URL)
	}
	return doc
}

// outcome is the name of an outcome.
func (f *Form) outcome(o fetch.Outcome) string {
	kind := o.Public()
	if f.public && (kind == fetch.PublicConnection || kind == fetch.PublicTimeout) {
		return string(kind)
	}
	return o.String()
}

// AdsTxt is what an ads.txt file says about managers.
type AdsTxt struct {
	Lines    int           `json:"lines"`
	Managers []Manager     `json:"managers"`
	Ignored  []IgnoredLine `json:"ignored"`
}

// Manager is a manager that an ads.txt file names.
type Manager struct {
	Domain   string `json:"domain"`
	Line     int    `json:"line"`
	NoAgents bool   `json:"no_agents"`
}

// IgnoredLine is a line of an ads.txt file that names no manager although it tries to.
type IgnoredLine struct {
	Line   int    `json:"line"`
	Text   string `json:"text"`
	Reason string `json:"reason"`
}

// AdsTxtOf returns what the ads.txt file of a step says; nil when it has none.
func AdsTxtOf(hop *discover.Hop) *AdsTxt {
	if hop.AdsTxt == nil {
		return nil
	}
	doc := &AdsTxt{Lines: hop.AdsTxt.Lines, Managers: []Manager{}, Ignored: []IgnoredLine{}}
	for _, m := range hop.AdsTxt.Managers {
		doc.Managers = append(doc.Managers, Manager{m.Domain, m.Line, m.NoAgents})
	}
	for _, x := range hop.AdsTxt.Ignored {
		doc.Ignored = append(doc.Ignored, IgnoredLine{x.Line, redact.Credentials(x.Text), x.Reason.String()})
	}
	return doc
}
