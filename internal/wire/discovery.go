package wire

import (
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/fetch"
	"github.com/avow-project/avow/internal/redact"
)

// Discovery is the way to a file. Its members are a contract like those of
// resultDocument.
type Discovery struct {
	Answer        string `json:"answer"`
	Method        string `json:"method"`
	URL           string `json:"url"`
	ResolvedURL   string `json:"resolved_url"`
	ManagerDomain string `json:"manager_domain"`
	SupersededBy  string `json:"superseded_by,omitempty"`
	CheckedAt     string `json:"checked_at"`
	Hops          []Hop  `json:"hops"`
}

// Hop is one step of the way. Status and bytes are those of the last
// request made for it.
type Hop struct {
	Step        string `json:"step"`
	URL         string `json:"url"`
	ResolvedURL string `json:"resolved_url,omitempty"`
	Status      int    `json:"status"`
	Bytes       int64  `json:"bytes"`
	Outcome     string `json:"outcome"`
	SHA256      string `json:"sha256,omitempty"`
	Shared      bool   `json:"shared,omitzero"`
	Meaning     string `json:"meaning,omitempty"`
	Next        string `json:"next,omitempty"`
	// AdsTxt and Exchanges are in the output of the discover command only.
	AdsTxt    *AdsTxt    `json:"ads_txt,omitzero"`
	Exchanges []Exchange `json:"exchanges,omitzero"`
}

// DiscoveryOf returns the way to a file in JSON; nil when nobody looked for one.
func DiscoveryOf(d *discover.Discovery, at time.Time) *Discovery {
	if d == nil {
		return nil
	}
	doc := &Discovery{
		Answer: d.Answer.String(), Method: d.Method.String(), URL: redact.URL(d.URL), ResolvedURL: redact.URL(d.ResolvedURL),
		ManagerDomain: d.ManagerDomain, SupersededBy: redact.URL(d.SupersededBy), CheckedAt: Time(at),
		Hops: make([]Hop, 0, len(d.Trail)),
	}
	for i := range d.Trail {
		doc.Hops = append(doc.Hops, hopOf(&d.Trail[i]))
	}
	return doc
}

func hopOf(hop *discover.Hop) Hop {
	doc := Hop{
		Step: hop.Step.String(), URL: redact.URL(hop.URL), Outcome: fetch.Unasked.String(), Shared: hop.Shared,
		Meaning: redact.Credentials(hop.Meaning), Next: redact.Credentials(hop.Next),
	}
	if hop.Result == nil {
		return doc
	}
	last := hop.Result.Last()
	doc.Status, doc.Bytes, doc.SHA256 = last.Status, last.Bytes, last.SHA256
	doc.Outcome = hop.Result.Outcome.String()
	if hop.Result.URL != hop.URL {
		doc.ResolvedURL = redact.URL(hop.Result.URL)
	}
	return doc
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
