package ops

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
)

const (
	mostChecked = 10_000
	checkBytes  = 3_000_000
	// reportLife is how long a report is kept at most, and reportBytes how large all of them
	// may get, about.
	reportLife  = 7 * 24 * time.Hour
	reportBytes = 16_000_000
)

// reports are the answers of checks, by their id.
type reports = flight.Cache[string, any]

func newReports(now func() time.Time) *reports {
	return flight.NewCache(flight.Limits[string, any]{Name: "reports", Weight: reportBytes, Life: reportLife, Now: now})
}

// reportOf returns a report of one kind of check.
func reportOf[T any](o *Set, id string) (T, error) {
	kept, _ := o.reports.Get(id)
	report, ok := kept.(T)
	if !ok {
		return report, &registry.Error{Kind: registry.NotFound, Code: "report", Message: "Report not found or expired",
			Hint: "check the list again"}
	}
	return report, nil
}

func (o *Set) propertyCheckOperations() []Operation {
	return []Operation{
		Define(Operation{
			HTTP: "POST /api/properties/check", Name: "check_properties", Tag: "directory", Class: edge.Create,
			Limit:   checkBytes,
			Example: `{"domains": ["publisher.example", "www.publisher.example", "doubleclick.net", "nobody.example"]}`,
			Summary: "Check a list of domains",
			Description: "Sorts up to 10000 domains by what is known about them: those to take off the list, because they are " +
				"there twice or are no inventory; those to write in another way; those that nothing is in effect about; and " +
				"those with a file in effect. " +
				"Makes no requests. The report stays available for seven days, while this process runs and has memory for it.",
		}, o.checkProperties),
		Define(Operation{
			HTTP: "GET /api/properties/check/{report_id}", Name: "property_check_report", Tag: "directory", Class: edge.Read,
			Statuses: []int{http.StatusNotFound}, Summary: "A report again",
			Description: "The answer of POST /api/properties/check again, by its report_id.",
		}, o.propertyCheckReport),
	}
}

type checkPropertiesInput struct {
	Body checkPropertiesBody `body:""`
}

type checkPropertiesBody struct {
	Domains []string `json:"domains" required:"true" missing:"domains array is required" maxItems:"10000" doc:"The domains, as they are in the list; 10000 at most."`
}

type propertyCheckReply struct {
	Summary  checkSummary   `json:"summary"`
	Remove   []checkRemove  `json:"remove" doc:"What does not belong in the list."`
	Modify   []checkModify  `json:"modify" doc:"What should be written in another way. These are in one of the other lists, too."`
	Assess   []checkAssess  `json:"assess" doc:"Domains of which no file is in effect, which is not a no."`
	OK       []checkOK      `json:"ok" doc:"Domains with a file in effect."`
	ReportID string         `json:"report_id,omitempty" format:"uuid"`
	States   map[string]int `json:"states" doc:"How many domains to assess are in which state."`
}

type checkSummary struct {
	Total  int `json:"total" doc:"How many were given."`
	Remove int `json:"remove"`
	Modify int `json:"modify"`
	Assess int `json:"assess"`
	OK     int `json:"ok"`
}

type checkRemove struct {
	Input         string `json:"input"`
	Canonical     string `json:"canonical"`
	Reason        string `json:"reason" enum:"duplicate,blocked"`
	DomainType    string `json:"domain_type,omitempty" enum:"ad_server,intermediary,cdn,tracker"`
	BlockedReason string `json:"blocked_reason,omitempty"`
}

type checkModify struct {
	Input     string `json:"input"`
	Canonical string `json:"canonical"`
	Reason    string `json:"reason" enum:"www_stripped,m_stripped"`
}

type checkAssess struct {
	Domain   string         `json:"domain"`
	State    string         `json:"state" doc:"State in one word; invalid when the text is not a domain name."`
	Standing *wire.Standing `json:"standing,omitzero" doc:"Freshness and state of its record; absent when the text is not a domain name, and in lists of more than 4000."`
}

type checkOK struct {
	Domain   string         `json:"domain"`
	Source   string         `json:"source" doc:"adagents_json."`
	Standing *wire.Standing `json:"standing,omitzero" doc:"How it stands; absent in lists of more than 4000."`
}

// infrastructure are sites of advertising technology and content delivery, which are not
// inventory.
var infrastructure = map[string]string{
	"doubleclick.net": "ad_server", "googlesyndication.com": "ad_server", "googleadservices.com": "ad_server",
	"amazon-adsystem.com": "ad_server", "adform.net": "ad_server",
	"flashtalking.com": "ad_server", "serving-sys.com": "ad_server", "smartadserver.com": "ad_server",
	"adnxs.com": "intermediary", "rubiconproject.com": "intermediary", "pubmatic.com": "intermediary",
	"openx.net": "intermediary", "casalemedia.com": "intermediary",
	"criteo.com": "intermediary", "adsrvr.org": "intermediary", "3lift.com": "intermediary",
	"sharethrough.com": "intermediary",
	"cloudfront.net":   "cdn", "akamaihd.net": "cdn", "akamaized.net": "cdn", "fastly.net": "cdn", "jsdelivr.net": "cdn",
	"gstatic.com":          "cdn",
	"google-analytics.com": "tracker", "googletagmanager.com": "tracker", "scorecardresearch.com": "tracker",
	"moatads.com": "tracker", "quantserve.com": "tracker", "doubleverify.com": "tracker",
	"adsafeprotected.com": "tracker",
}

// checkProperties answers POST /api/properties/check.
func (o *Set) checkProperties(ctx context.Context, in *checkPropertiesInput) (*propertyCheckReply, error) {
	v, err := o.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	reply := &propertyCheckReply{Remove: []checkRemove{}, Modify: []checkModify{}, Assess: []checkAssess{},
		OK: []checkOK{}, States: map[string]int{}}
	seen, weight := map[string]bool{}, 0
	brief := len(in.Body.Domains) > mostStandings
	v.Prefetch(namesOf(in.Body.Domains))
	for _, input := range in.Body.Domains {
		input = strings.TrimSpace(input)
		if input != "" {
			reply.check(v, input, seen, brief)
			weight += 3 * (len(input) + 64)
		}
	}
	if !brief {
		weight += standingSize * (len(reply.Assess) + len(reply.OK))
	}
	reply.Summary = checkSummary{len(in.Body.Domains), len(reply.Remove), len(reply.Modify), len(reply.Assess),
		len(reply.OK)}
	reply.ReportID = registry.NewUUID()
	kept := *reply
	kept.ReportID = "" // as clients know it
	o.reports.Put(reply.ReportID, &kept, weight+512)
	return reply, nil
}

// nameOf returns the publisher that is meant by a line, why it is another than written, and whether
// there is one.
func nameOf(input string) (string, string, bool) {
	written := input
	if _, rest, found := strings.Cut(written, "://"); found {
		written = rest
	}
	if i := strings.IndexAny(written, "/?#"); i >= 0 {
		written = written[:i]
	}
	domain, err := custodian.ParseDomain(strings.TrimSuffix(written, "."))
	if err != nil {
		return "", "", false
	}
	for prefix, why := range map[string]string{"www.": "www_stripped", "m.": "m_stripped"} {
		rest, found := strings.CutPrefix(string(domain), prefix)
		_, whole := hostname.Registrable(rest)
		if found && whole {
			return rest, why, true
		}
	}
	return string(domain), "", true
}

// namesOf returns the publishers that are meant.
func namesOf(inputs []string) []hostname.Domain {
	var out []hostname.Domain
	for _, input := range inputs {
		if name, _, ok := nameOf(strings.TrimSpace(input)); ok {
			out = append(out, hostname.Domain(name))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// check sorts one domain.
func (reply *propertyCheckReply) check(v *directory.View, input string, seen map[string]bool, brief bool) {
	name, reason, ok := nameOf(input)
	if !ok {
		reply.Assess = append(reply.Assess, checkAssess{Domain: input, State: "invalid"})
		reply.States["invalid"]++
		return
	}
	if reason != "" {
		reply.Modify = append(reply.Modify, checkModify{input, name, reason})
	}
	kind := infrastructure[directory.Site(hostname.Domain(name))]
	e, _ := v.Publisher(hostname.Domain(name))
	switch {
	case seen[name]:
		reply.Remove = append(reply.Remove, checkRemove{Input: input, Canonical: name, Reason: "duplicate"})
	case kind != "":
		reply.Remove = append(reply.Remove,
			checkRemove{input, name, "blocked", kind, "the site is advertising technology or content delivery, not inventory"})
	case e.Standing.InEffect:
		reply.OK = append(reply.OK, checkOK{name, fromFile, standingUnless(brief, &e)})
	default:
		reply.Assess = append(reply.Assess, checkAssess{name, string(e.Standing.State), standingUnless(brief, &e)})
		reply.States[string(e.Standing.State)]++
	}
	seen[name] = true
}

// mostStandings is how long a list may be whose rows say how publishers stand: clients read two
// megabytes. standingSize is what that takes in memory, about.
const (
	mostStandings = 4000
	standingSize  = 600
)

// standingUnless returns how a publisher stands, for lists that are not too long for that.
func standingUnless(brief bool, e *directory.Entry) *wire.Standing {
	if brief {
		return nil
	}
	s := standingOf(&e.Standing)
	return &s
}

type propertyCheckReportInput struct {
	ID string `path:"report_id" doc:"report_id of the check."`
}

// propertyCheckReport answers GET /api/properties/check/{report_id}.
func (o *Set) propertyCheckReport(_ context.Context, in *propertyCheckReportInput) (*propertyCheckReply, error) {
	return reportOf[*propertyCheckReply](o, in.ID)
}
