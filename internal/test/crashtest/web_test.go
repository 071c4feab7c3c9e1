package crashtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
)

// A web is an internet at one step of the history of a network. Its publishers take turns:
// each step is a look at one of them.
//
//	step, modulo turns   what has happened
//	leaves               the publisher leads to another place, which is held
//	returns              that publisher leads to the network again
//	same                 nothing
//	others               the network has a new version with one more revocation
type web struct {
	network string
	// base is the date of the first version. Each is a second later than the one before.
	base time.Time
	step int
}

// base is a date that leaves room for a day of steps before the present.
func base() time.Time { return time.Now().Add(-24 * time.Hour).Truncate(time.Second).UTC() }

// dated is the date of a version.
func (w web) dated(version int) time.Time { return w.base.Add(time.Duration(version) * time.Second) }

const (
	turns   = 8
	leaves  = 5
	returns = 6
	same    = 7
	// publishers is how many a network has.
	publishers = 3
	// listed is for how many steps a revocation stays in the file. Afterwards it is held.
	listed = 3
)

func (w web) url() string   { return "https://" + w.network + ".example/adagents.json" }
func (w web) other() string { return "https://elsewhere-" + w.network + ".example/adagents.json" }

// publisher is the one that the step is about. Who leaves is who returns.
func (w web) publisher() string {
	turn := w.step
	if w.step%turns == returns {
		turn--
	}
	return fmt.Sprintf("p%d-%s.example", turn%publishers, w.network)
}

// version is the step that the present version of the network's file is from.
func (w web) version() int {
	v := w.step
	for v%turns >= leaves {
		v--
	}
	return v
}

// revokes is the domain that a version is the first to list.
func (w web) revokes(version int) string { return fmt.Sprintf("r%d-%s.example", version, w.network) }

// place is where the publisher leads.
func (w web) place() string {
	if w.step%turns == leaves {
		return w.other()
	}
	return w.url()
}

// file is a file with the revocations of a version. It is large enough to take several
// pages of a database, and no two versions pack alike.
func (w web) file(version int) []byte {
	var revoked, properties []string
	for v := max(0, version-listed+1); v <= version; v++ {
		if v%turns < leaves {
			revoked = append(revoked, fmt.Sprintf(`{"publisher_domain":%q,"revoked_at":%q}`, w.revokes(v), w.dated(v).Format(time.RFC3339)))
		}
	}
	for i := range 40 {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d", w.network, version, i))
		host := hex.EncodeToString(sum[:]) + ".example"
		properties = append(properties, fmt.Sprintf(
			`{"property_id":"p%d","property_type":"website","name":"Site","identifiers":[{"type":"domain","value":%q}],"publisher_domain":"p0-%s.example"}`,
			i, "w"+host[:60]+".example", w.network))
	}
	return fmt.Appendf(nil, `{"properties":[%s],"authorized_agents":[{"url":"https://agent.example","authorized_for":"Everything",`+
		`"authorization_type":"property_ids","property_ids":["p1"]}],"revoked_publisher_domains":[%s],"last_updated":%q}`,
		strings.Join(properties, ","), strings.Join(revoked, ","), w.dated(version).Format(time.RFC3339))
}

// Get answers a request.
func (w web) Get(_ context.Context, r fetch.Request) *fetch.Result {
	switch r.URL {
	case w.url(), w.other():
		return found(r.URL, w.file(w.version()))
	}
	return found(r.URL, fmt.Appendf(nil, `{"authoritative_location":%q}`, w.place()))
}

// found is an answer with a body.
func found(url string, body []byte) *fetch.Result {
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])
	return &fetch.Result{Outcome: fetch.Found, URL: url, Body: body, Exchanges: []fetch.Exchange{{
		URL: url, Method: http.MethodGet, Attempt: 1, At: time.Now(), Protocol: "HTTP/2.0", Status: http.StatusOK,
		MediaType: "application/json", ContentType: "application/json", Bytes: int64(len(body)), WireBytes: int64(len(body)),
		SHA256: hash, ETag: `"` + hash[:16] + `"`, CacheControl: []string{"max-age=3600"}, Outcome: fetch.Found,
	}}}
}

// finder asks this web. It has no memory of another step.
func (w web) finder() *discover.Finder { return discover.New(discover.Config{Client: w}) }

// look finds out about the publisher whose turn it is.
func (w web) look(ctx context.Context) (*discover.Discovery, error) {
	d, err := w.finder().Domain(ctx, w.publisher(), discover.Options{})
	if err == nil && d.Answer != discover.Usable {
		err = fmt.Errorf("step %d is %v, not usable: %v", w.step, d.Answer, d.Findings)
	}
	return d, err
}
