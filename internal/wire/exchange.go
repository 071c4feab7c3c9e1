package wire

import (
	"net/netip"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/redact"
)

// Exchange is the evidence of one request.
type Exchange struct {
	Method       string   `json:"method"`
	URL          string   `json:"url"`
	Attempt      int      `json:"attempt"`
	At           string   `json:"at"`
	Outcome      string   `json:"outcome"`
	Reason       string   `json:"reason,omitempty"`
	Detail       string   `json:"detail,omitempty"`
	Status       int      `json:"status"`
	Location     string   `json:"location,omitempty"`
	Resolved     []string `json:"resolved"`
	Dialled      string   `json:"dialled,omitempty"`
	TLSLeaf      string   `json:"tls_leaf_sha256,omitempty"`
	Protocol     string   `json:"protocol,omitempty"`
	ContentType  string   `json:"content_type,omitempty"`
	Encoding     string   `json:"content_encoding,omitempty"`
	WireBytes    int64    `json:"wire_bytes"`
	Bytes        int64    `json:"bytes"`
	SHA256       string   `json:"sha256,omitempty"`
	ETag         string   `json:"etag,omitempty"`
	LastModified string   `json:"last_modified,omitempty"`
	CacheControl []string `json:"cache_control,omitempty"`
	Expires      string   `json:"expires,omitempty"`
	Age          string   `json:"age,omitempty"`
	Date         string   `json:"date,omitempty"`
	Timings      Timings  `json:"ms"`
}

// Timings are in milliseconds.
type Timings struct {
	Wait      float64 `json:"wait"`
	DNS       float64 `json:"dns"`
	Connect   float64 `json:"connect"`
	TLS       float64 `json:"tls"`
	FirstByte float64 `json:"first_byte"`
	Total     float64 `json:"total"`
}

// ExchangeOf returns a request and its answer in JSON.
func ExchangeOf(x *fetch.Exchange) Exchange {
	doc := Exchange{
		Method: x.Method, URL: redact.URL(x.URL), Attempt: x.Attempt, At: x.At.UTC().Format(time.RFC3339Nano),
		Outcome: x.Outcome.String(), Reason: string(x.Reason), Detail: redact.Credentials(x.Detail), Status: x.Status,
		Location: redact.URL(x.Location), Resolved: addressesOf(x.Resolved), TLSLeaf: x.TLSLeaf, Protocol: x.Protocol,
		ContentType: x.ContentType, Encoding: x.Encoding, WireBytes: x.WireBytes, Bytes: x.Bytes, SHA256: x.SHA256,
		ETag: x.ETag, LastModified: x.LastModified, CacheControl: x.CacheControl, Expires: x.Expires, Age: x.Age,
		Date: x.Date,
		Timings: Timings{
			Wait: milliseconds(x.Timings.Wait), DNS: milliseconds(x.Timings.DNS), Connect: milliseconds(x.Timings.Connect),
			TLS: milliseconds(x.Timings.TLS), FirstByte: milliseconds(x.Timings.FirstByte), Total: milliseconds(x.Timings.Total),
		},
	}
	if x.Dialled.IsValid() {
		doc.Dialled = x.Dialled.String()
	}
	return doc
}

// Reach is what is known about an agent's endpoint.
type Reach struct {
	Reach   string      `json:"reach" doc:"reachable, reachable_with_credentials, unreachable, refused or unchecked."`
	Card    string      `json:"card" doc:"What became of asking for its A2A card: spoken, credentials_required, not_spoken, no_reply, refused or not_asked."`
	MCP     string      `json:"mcp" doc:"The same for an MCP initialize."`
	Message Opt[string] `json:"message,omitzero" doc:"What is known about the agent, for people."`
	Hint    string      `json:"hint,omitempty" doc:"What to do about it."`
	// Operator is there when the agent's operator was asked too.
	Operator *answer.Operator `json:"operator,omitzero" doc:"How the operator of the agent describes its paths; absent unless check_brand is set."`
}

// Reach returns what is known about an agent's endpoint in JSON. both may be nil.
func (f *Form) Reach(c *discover.AgentCheck, both *operator.Comparison) Reach {
	return Reach{
		Reach: c.Reach.String(), Card: c.Card.String(), MCP: c.MCP.String(),
		Message: optional(f, redact.Credentials(c.Message)),
		Hint:    redact.Credentials(c.Hint), Operator: answer.OperatorOf(both),
	}
}

// Agent is the same with the requests that were made, for commands.
type Agent struct {
	URL string `json:"url"`
	Reach
	Name  string     `json:"name,omitempty"`
	Took  float64    `json:"ms"`
	Asked []Exchange `json:"exchanges"`
	// Keys is there when the file pins keys of the agent and it was reached.
	Keys *AgentKeys `json:"keys,omitzero"`
}

// AgentKeys says how the pins of an agent compare with the keys that it publishes.
type AgentKeys struct {
	URL string `json:"url"`
	// Compared is false when the published keys could not be had; Message says why.
	Compared bool   `json:"compared"`
	Agrees   bool   `json:"agrees"`
	Message  string `json:"message,omitempty"`
	// The lists have the names of keys.
	Unpinned    []string `json:"unpinned"`
	Unpublished []string `json:"unpublished"`
	Replaced    []string `json:"replaced"`
}

// AgentOf returns an agent in JSON. both may be nil.
func AgentOf(c *discover.AgentCheck, both *operator.Comparison) Agent {
	doc := Agent{URL: redact.URL(c.URL), Reach: CLI.Reach(c, both), Name: c.Name, Took: milliseconds(c.Took),
		Asked: []Exchange{}}
	for i := range c.Exchanges {
		doc.Asked = append(doc.Asked, ExchangeOf(&c.Exchanges[i]))
	}
	return doc
}

func addressesOf(list []netip.Addr) []string {
	texts := make([]string, 0, len(list))
	for _, addr := range list {
		texts = append(texts, addr.String())
	}
	return texts
}

// milliseconds keeps three decimals, which is what the clock is good for.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
