package cli

import (
	"net/netip"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/fetch"
	"github.com/avow-project/avow/internal/redact"
)

// jsonDiscovery is the way to a file. Its members are a contract like those of
// jsonResult.
type jsonDiscovery struct {
	Answer        string    `json:"answer"`
	Method        string    `json:"method"`
	URL           string    `json:"url"`
	ResolvedURL   string    `json:"resolved_url"`
	ManagerDomain string    `json:"manager_domain"`
	SupersededBy  string    `json:"superseded_by,omitempty"`
	CheckedAt     string    `json:"checked_at"`
	Hops          []jsonHop `json:"hops"`
}

// jsonHop is one step of the way. Status and bytes are those of the last
// request made for it.
type jsonHop struct {
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
	AdsTxt    *jsonAdsTxt    `json:"ads_txt,omitzero"`
	Exchanges []jsonExchange `json:"exchanges,omitzero"`
}

func discoveryForJSON(d *discover.Discovery, at time.Time) *jsonDiscovery {
	if d == nil {
		return nil
	}
	doc := &jsonDiscovery{
		Answer: d.Answer.String(), Method: d.Method.String(), URL: redact.URL(d.URL), ResolvedURL: redact.URL(d.ResolvedURL),
		ManagerDomain: d.ManagerDomain, SupersededBy: redact.URL(d.SupersededBy), CheckedAt: timeForJSON(at),
		Hops: make([]jsonHop, 0, len(d.Trail)),
	}
	for i := range d.Trail {
		doc.Hops = append(doc.Hops, hopForJSON(&d.Trail[i]))
	}
	return doc
}

// timeForJSON writes a moment as RFC 3339 in UTC, to the second.
func timeForJSON(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func hopForJSON(hop *discover.Hop) jsonHop {
	doc := jsonHop{
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

// jsonAdsTxt is what an ads.txt file says about managers.
type jsonAdsTxt struct {
	Lines    int             `json:"lines"`
	Managers []jsonManager   `json:"managers"`
	Ignored  []jsonIgnorance `json:"ignored"`
}

type jsonManager struct {
	Domain   string `json:"domain"`
	Line     int    `json:"line"`
	NoAgents bool   `json:"no_agents"`
}

type jsonIgnorance struct {
	Line   int    `json:"line"`
	Text   string `json:"text"`
	Reason string `json:"reason"`
}

func adsTxtForJSON(hop *discover.Hop) *jsonAdsTxt {
	if hop.AdsTxt == nil {
		return nil
	}
	doc := &jsonAdsTxt{Lines: hop.AdsTxt.Lines, Managers: []jsonManager{}, Ignored: []jsonIgnorance{}}
	for _, m := range hop.AdsTxt.Managers {
		doc.Managers = append(doc.Managers, jsonManager{m.Domain, m.Line, m.NoAgents})
	}
	for _, x := range hop.AdsTxt.Ignored {
		doc.Ignored = append(doc.Ignored, jsonIgnorance{x.Line, redact.Credentials(x.Text), x.Reason.String()})
	}
	return doc
}

// jsonExchange is the evidence of one request.
type jsonExchange struct {
	Method       string      `json:"method"`
	URL          string      `json:"url"`
	Attempt      int         `json:"attempt"`
	At           string      `json:"at"`
	Outcome      string      `json:"outcome"`
	Reason       string      `json:"reason,omitempty"`
	Detail       string      `json:"detail,omitempty"`
	Status       int         `json:"status"`
	Location     string      `json:"location,omitempty"`
	Resolved     []string    `json:"resolved"`
	Dialled      string      `json:"dialled,omitempty"`
	TLSLeaf      string      `json:"tls_leaf_sha256,omitempty"`
	Protocol     string      `json:"protocol,omitempty"`
	ContentType  string      `json:"content_type,omitempty"`
	Encoding     string      `json:"content_encoding,omitempty"`
	WireBytes    int64       `json:"wire_bytes"`
	Bytes        int64       `json:"bytes"`
	SHA256       string      `json:"sha256,omitempty"`
	ETag         string      `json:"etag,omitempty"`
	LastModified string      `json:"last_modified,omitempty"`
	CacheControl []string    `json:"cache_control,omitempty"`
	Expires      string      `json:"expires,omitempty"`
	Age          string      `json:"age,omitempty"`
	Date         string      `json:"date,omitempty"`
	Timings      jsonTimings `json:"ms"`
}

// jsonTimings are in milliseconds.
type jsonTimings struct {
	Wait      float64 `json:"wait"`
	DNS       float64 `json:"dns"`
	Connect   float64 `json:"connect"`
	TLS       float64 `json:"tls"`
	FirstByte float64 `json:"first_byte"`
	Total     float64 `json:"total"`
}

func exchangeForJSON(x *fetch.Exchange) jsonExchange {
	doc := jsonExchange{
		Method: x.Method, URL: redact.URL(x.URL), Attempt: x.Attempt, At: x.At.UTC().Format(time.RFC3339Nano),
		Outcome: x.Outcome.String(), Reason: string(x.Reason), Detail: redact.Credentials(x.Detail), Status: x.Status,
		Location: redact.URL(x.Location), Resolved: addressesForJSON(x.Resolved), TLSLeaf: x.TLSLeaf, Protocol: x.Protocol,
		ContentType: x.ContentType, Encoding: x.Encoding, WireBytes: x.WireBytes, Bytes: x.Bytes, SHA256: x.SHA256,
		ETag: x.ETag, LastModified: x.LastModified, CacheControl: x.CacheControl, Expires: x.Expires, Age: x.Age, Date: x.Date,
		Timings: jsonTimings{
			Wait: inMilliseconds(x.Timings.Wait), DNS: inMilliseconds(x.Timings.DNS), Connect: inMilliseconds(x.Timings.Connect),
			TLS: inMilliseconds(x.Timings.TLS), FirstByte: inMilliseconds(x.Timings.FirstByte), Total: inMilliseconds(x.Timings.Total),
		},
	}
	if x.Dialled.IsValid() {
		doc.Dialled = x.Dialled.String()
	}
	return doc
}

func addressesForJSON(list []netip.Addr) []string {
	texts := make([]string, 0, len(list))
	for _, addr := range list {
		texts = append(texts, addr.String())
	}
	return texts
}

// inMilliseconds keeps three decimals, which is what the clock is good for.
func inMilliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
