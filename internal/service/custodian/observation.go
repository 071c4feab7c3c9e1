package custodian

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
)

// unusable begins what is said about a file that came and must not be used.
const unusable = custody.UnusablePrefix

// maxURL is how long the URL of a place may be. It is in every record and event about the
// place, and a file that names one may have megabytes.
const maxURL = 8_000

// A fileObservation is what one request said about the file at a URL.
type fileObservation struct {
	url  string
	role adagents.Role
	// known: the caller's copy is fresh and nothing was sent; observation is then empty.
	known bool
	// other: the file is not an adagents.json, so that its versions are not compared.
	other       bool
	observation custody.Observation
	// body and report are those of a file that came.
	body   []byte
	report *adagents.Report
}

// A publisherObservation is what a discovery says about a publisher, before anything is compared with
// what was known.
type publisherObservation struct {
	domain hostname.Domain
	// unasked: nothing is known, for reasons of our own.
	unasked bool
	outcome custody.Outcome // of the well-known path
	at      time.Time
	headers custody.Headers
	detail  string
	// refused: an answer came that could be used, and is not followed.
	refused bool
	// firm: the answer itself says that there is nothing for good.
	firm bool
	// reply is what is shown of the answer.
	reply custody.Reply
	// to is where the file is, and file what is there; nil when none was found.
	to   custody.Location
	file *fileObservation
	// via is the URL of the file that names the place in superseded_by; empty for none.
	via string
	// next is what is at the place that the file of a newcomer names; nil when that is known,
	// or was not asked for.
	next *fileObservation
	// admitted is whether the newcomer is kept; nil while undecided.
	admitted *bool
	// replaced: the file names another one in its place that could not be had, so it does
	// not speak for the publisher.
	replaced bool
	// shaky: on the way to a manager something could not be determined.
	shaky bool
	// manager is the file of a manager that does not speak for the publisher; nil for none.
	manager *fileObservation
	// lead is the document that leads to the file elsewhere: a pointer, or ads.txt.
	lead     []byte
	leadHash string
	// dated is when the pointer was last changed, as it says; zero for not said.
	dated time.Time
}

// files returns what the observation says about files.
func (r *publisherObservation) files() []*fileObservation {
	return slices.DeleteFunc([]*fileObservation{r.file, r.manager}, func(g *fileObservation) bool { return g == nil })
}

// names returns those of the records that the observation is about.
func (r *publisherObservation) names() []string {
	names := []string{string(r.domain)}
	for _, g := range r.files() {
		names = append(names, g.url)
	}
	return names
}

// A reader turns discoveries into readings. since converts the time of an exchange to the
// keeper's clock.
type reader struct {
	d     *discover.Discovery
	since func(time.Time) time.Time
}

// when returns the time of an exchange. It is the time of the question, as far as the
// two clocks agree: how long an answer took does not matter.
func (r reader) when(t time.Time) time.Time {
	at := r.since(t)
	if at.After(r.d.At.Add(-time.Second)) && at.Before(r.d.At.Add(2*time.Minute)) {
		return r.d.At.UTC()
	}
	return at
}

// publisherObservation looks at a discovery for a publisher.
func (r reader) publisherObservation() *publisherObservation {
	out := &publisherObservation{domain: hostname.Domain(r.d.Domain)}
	first := r.hop(discover.WellKnown)
	if first == nil || first.Result == nil {
		out.unasked = true
		return out
	}
	out.outcome, out.unasked = outcomeOf(first, true)
	last := first.Result.Last()
	out.at, out.headers = r.when(last.At), last.Caching()
	out.detail, out.firm = r.detail(first), last.Status == http.StatusGone
	out.reply = r.reply(last)
	switch out.outcome {
	case custody.Whole:
		r.found(out, first)
	case custody.Invalid:
		out.detail = unusable + out.detail
	case custody.Gone:
		r.elsewhere(out)
	}
	return out
}

// reply is what is shown of the answer at the well-known path.
func (r reader) reply(last *fetch.Exchange) custody.Reply {
	out := custody.Reply{Status: last.Status, Bytes: last.Bytes, Flawed: r.d.Pointer != nil && !r.d.Pointer.Valid()}
	for i := range r.d.Findings {
		out.Flawed = out.Flawed || r.d.Findings[i].Severity == adagents.Error
	}
	ended := r.d.Answer != discover.Usable && r.d.Answer != discover.Unchanged
	if ended && r.d.ResolvedURL != "" && len(r.d.ResolvedURL) <= maxURL {
		out.Place = custody.Location{Method: custody.Method(r.d.Method.String()), URL: r.d.ResolvedURL,
			Manager: r.d.ManagerDomain}
	}
	return out
}

// found reads what the well-known path has: a file, or a pointer to one.
func (r reader) found(out *publisherObservation, first *discover.Hop) {
	out.leadHash = hashOf(first)
	if first.Report.Pointer == nil {
		out.to = custody.Location{Method: custody.Direct, URL: first.URL}
		out.file = r.observe(first, adagents.Direct)
		return
	}
	out.lead = first.Result.Body
	out.dated, _ = first.Report.Pointer.LastUpdated.Time()
	target := r.hop(discover.Authoritative)
	switch {
	case target == nil:
		out.outcome, out.detail = custody.Invalid, unusable+"its pointer leads nowhere"
		return
	case len(target.URL) > maxURL:
		out.outcome, out.detail = custody.Invalid, unusable+"its pointer has a URL that is too long"
		return
	}
	out.to = custody.Location{Method: custody.AuthoritativeLocation, URL: target.URL}
	out.file = r.observe(target, adagents.Authoritative)
}

// elsewhere reads the way to a manager, if the well-known path has nothing.
func (r reader) elsewhere(out *publisherObservation) {
	out.headers = custody.Headers{}
	ads := r.hop(discover.AdsTxt)
	hop, role := r.hop(discover.ManagerAuthoritative), adagents.Authoritative
	if hop == nil {
		hop, role = r.hop(discover.Manager), adagents.Manager
	}
	for _, h := range []*discover.Hop{ads, r.hop(discover.Manager), hop} {
		if h == nil || h.Result == nil {
			continue
		}
		outcome, unasked := outcomeOf(h, false)
		out.shaky = out.shaky || outcome == custody.Failed
		out.unasked = out.unasked || unasked
	}
	if hop == nil || hop.Report != nil && hop.Report.Pointer != nil || len(hop.URL) > maxURL {
		return
	}
	g := r.observe(hop, role)
	if r.d.Method != discover.ManagerDomain {
		out.manager = g
		return
	}
	out.outcome, out.file = custody.Whole, g
	out.to = custody.Location{Method: custody.ManagerDomain, URL: hop.URL, Manager: r.d.ManagerDomain}
	if ads != nil && ads.Result != nil {
		out.lead, out.leadHash = ads.Result.Body, hashOf(ads)
	}
}

// located reads the answer to a question about a place alone; nil when it says nothing
// about the file there.
func (r reader) located(role adagents.Role) *fileObservation {
	if len(r.d.Trail) == 0 || r.d.Pointer != nil && r.d.Report == nil {
		return nil
	}
	hop := &r.d.Trail[0]
	if hop.Result == nil {
		return nil
	}
	_, unasked := outcomeOf(hop, false)
	if unasked {
		return nil
	}
	return r.observe(hop, role)
}

func (r reader) hop(step discover.Step) *discover.Hop {
	i := slices.IndexFunc(r.d.Trail, func(h discover.Hop) bool { return h.Step == step })
	if i < 0 {
		return nil
	}
	return &r.d.Trail[i]
}

// observe reads what a hop says about the file at its URL.
func (r reader) observe(h *discover.Hop, role adagents.Role) *fileObservation {
	g := &fileObservation{url: h.URL, role: role}
	switch {
	case h.Result == nil && r.d.Answer == discover.Unchanged:
		g.known = true
		return g
	case h.Result == nil:
		// The way was refused, as for a pointer that leads back.
		g.observation = custody.Observation{Outcome: custody.Invalid, At: r.when(r.d.At), Detail: unusable + r.detail(h)}
		return g
	}
	last := h.Result.Last()
	g.observation = custody.Observation{At: r.when(last.At), Headers: last.Caching(), Detail: r.detail(h)}
	if h.Result.URL != h.URL {
		g.observation.From = h.Result.URL
	}
	g.observation.Outcome, _ = outcomeOf(h, false)
	switch {
	case g.observation.Outcome == custody.Whole && (h.Report == nil || h.Report.File == nil):
		g.observation.Outcome, g.observation.Detail = custody.Invalid, unusable+g.observation.Detail
	case g.observation.Outcome == custody.Invalid:
		g.observation.Detail = unusable + g.observation.Detail
	case g.observation.Outcome == custody.Whole:
		g.body, g.report = h.Result.Body, h.Report
		g.observation.Detail = ""
		g.observation.Hash, g.observation.Bytes = hashOf(h), int64(len(g.body))
		g.observation.Facts = custody.FactsOf(h.Report.File)
	}
	return g
}

// detail says what was wrong with a hop, as far as anybody may know.
func (r reader) detail(h *discover.Hop) string {
	for i := range r.d.Findings {
		f := &r.d.Findings[i]
		if f.URL == h.URL && f.Severity == adagents.Error {
			return f.Public().Message
		}
	}
	if h.Report != nil && h.Report.Unusable != nil {
		return h.Report.Unusable.Findings[0].Message
	}
	return h.Meaning
}

// outcomeOf says what a request means for custody, and whether it was not made at all.
// The first one is that for the well-known path.
func outcomeOf(h *discover.Hop, first bool) (custody.Outcome, bool) {
	switch h.Result.Outcome {
	case fetch.Found:
		return custody.Whole, false
	case fetch.NotModified:
		return custody.NotModified, false
	case fetch.Absent, fetch.AccessDeniedObjectStore:
		return custody.Gone, false
	case fetch.Forbidden:
		return custody.Denied, false
	case fetch.ClientError:
		return clientError(h.Result.Last().Status, first), false
	case fetch.BadContentType, fetch.TooLarge, fetch.BadEncoding:
		return custody.Invalid, false
	case fetch.RedirectRefused:
		if first {
			return custody.Failed, false
		}
		return custody.Invalid, false
	case fetch.Unasked, fetch.NoTurn, fetch.Cancelled:
		return custody.Failed, true
	}
	return custody.Failed, false
}

func clientError(status int, first bool) custody.Outcome {
	switch {
	case status == http.StatusRequestTimeout || status == http.StatusTooEarly:
		return custody.Failed
	case status == http.StatusGone && !first:
		return custody.Gone
	}
	return custody.Denied
}

// hashOf returns the hash of what a hop brought.
func hashOf(h *discover.Hop) string {
	if sum := h.Result.Last().SHA256; sum != "" {
		return sum
	}
	sum := sha256.Sum256(h.Result.Body)
	return hex.EncodeToString(sum[:])
}

// roleOf returns what the file at a place is checked as.
func roleOf(l custody.Location) adagents.Role {
	switch {
	case l.Method == custody.Direct:
		return adagents.Direct
	case l.Method == custody.ManagerDomain && l.URL == wellKnown(hostname.Domain(l.Manager)):
		return adagents.Manager
	}
	return adagents.Authoritative
}

// wellKnown returns the URL of a publisher's own file.
func wellKnown(domain hostname.Domain) string {
	return "https://" + string(domain) + "/.well-known/adagents.json"
}

// ownPlace reports whether the adopted place is the publisher's own well-known path.
func ownPlace(p *custody.Publisher) bool { return p.Location.Method == custody.Direct }

// hostOf returns the host of a canonical URL without its port.
func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, ":")
	return host
}
