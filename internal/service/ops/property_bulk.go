package ops

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
)

func (o *Set) propertyBulkOperations() []Operation {
	return []Operation{
		Define(Operation{
			HTTP: "POST /api/properties/check/bulk", Name: "check_identifiers", Tag: "directory", Class: edge.Create,
			Limit:   checkBytes,
			Example: `{"identifiers": ["publisher.example", "ROKU,12345", "com.publisher.app", "doubleclick.net", "# a comment"]}`, Summary: "Check a list of domains, apps and channels",
			Description: "Says of up to 10000 identifiers whether a publisher's file in effect lists them. A line is a " +
				"domain, the package of an Android app, the number of an app in Apple's store, or a store and an id with a comma " +
				"between: " +
				"GOOGLE_PLAY_STORE, APPLE_APP_STORE, ROKU, SAMSUNG or AMAZON. Empty lines, lines that begin with # and " +
				"everything else are skipped. Makes no requests. The report stays available like that of POST " +
				"/api/properties/check.",
		}, o.checkIdentifiers),
		Define(Operation{
			HTTP: "GET /api/properties/check/bulk/{report_id}", Name: "identifier_check_report", Tag: "directory",
			Class:    edge.Read,
			Statuses: []int{http.StatusNotFound}, Summary: "A report about identifiers again",
			Description: "The answer of POST /api/properties/check/bulk again, by its report_id.",
		}, o.identifierCheckReport),
	}
}

type checkIdentifiersInput struct {
	Body checkIdentifiersBody `body:""`
}

type checkIdentifiersBody struct {
	Identifiers []string `json:"identifiers" required:"true" missing:"identifiers array is required" maxItems:"10000" doc:"The lines, 10000 at most."`
}

type identifierCheckReply struct {
	Summary  identifierSummary   `json:"summary"`
	Entries  []checkedIdentifier `json:"entries" doc:"One for each line that was not skipped, in their order."`
	ReportID string              `json:"report_id,omitempty" format:"uuid"`
}

type identifierSummary struct {
	Total   int `json:"total" doc:"How many lines were given."`
	Ready   int `json:"ready"`
	Known   int `json:"known"`
	AdInfra int `json:"ad_infra"`
	Unknown int `json:"unknown"`
	Skipped int `json:"skipped" doc:"How many lines have no entry."`
}

type checkedIdentifier struct {
	Input          string             `json:"input" doc:"The line."`
	Identifier     propertyIdentifier `json:"identifier" doc:"What it was read as."`
	Verdict        string             `json:"verdict" enum:"ready,known,ad_infra,unknown" doc:"ready: a file in effect speaks for it; known: its publisher is known, and no file is in effect."`
	Classification *string            `json:"classification" doc:"property, ad_infra, or null."`
	Source         *string            `json:"source" doc:"authoritative: the publisher's file lists it; null otherwise."`
	PropertyRID    *string            `json:"property_rid" format:"uuid" doc:"Stands for the property in the catalog and in the feed, and authorizes nothing. Null when no file lists it; a call reads 2000 files at most."`
	Publisher      string             `json:"publisher_domain,omitempty" doc:"Whose file lists it."`
	Action         string             `json:"action" doc:"The verdict in words."`
}

// The verdicts about identifiers, and what clients show for them.
const (
	verdictReady   = "ready"
	verdictKnown   = "known"
	verdictInfra   = "ad_infra"
	verdictUnknown = "unknown"
)

var identifierActions = map[string]string{
	verdictReady: "Supports agent-based transactions", verdictKnown: "In catalog — publish adagents.json to enable",
	verdictInfra: "Ad infrastructure — excluded from direct buys", verdictUnknown: "Not in registry",
}

// identifierStores are the types of the ids in app stores.
var identifierStores = map[string]string{
	"GOOGLE_PLAY_STORE": "android_package", "APPLE_APP_STORE": "ios_bundle", "ROKU": "roku_store_id",
	"SAMSUNG": "samsung_app_id", "AMAZON": "fire_tv_asin",
}

// packageBegins are the top-level domains that the names of packages begin with.
var packageBegins = strings.Fields(
	"com org net io tv me co app dev ai us uk de fr jp cn ru br in au ca nl es it se no fi dk pl at ch be pt ie nz za " +
		"mx ar cl kr")

// isNumber reports whether a text, which is not empty, has digits alone.
func isNumber(text string) bool { return strings.Trim(text, "0123456789") == "" }

// lineIdentifier returns what a line names, in canonical form; false for nothing.
func lineIdentifier(line string) (registry.Identifier, bool) {
	const appleNumber = "apple_app_store_id"
	if line == "" || strings.HasPrefix(line, "#") {
		return registry.Identifier{}, false
	}
	store, value, _ := strings.Cut(line, ",")
	store, value = strings.ToUpper(strings.TrimSpace(store)), strings.TrimSpace(value)
	if kind := identifierStores[store]; kind != "" && value != "" {
		if kind == "ios_bundle" && isNumber(value) {
			kind = appleNumber
		}
		return registry.Identifier{Type: kind, Value: value}, true
	}
	first, _, dotted := strings.Cut(line, ".")
	switch {
	case isNumber(line):
		return registry.Identifier{Type: appleNumber, Value: line}, true
	case dotted && slices.Contains(packageBegins, strings.ToLower(first)):
		return registry.Identifier{Type: "android_package", Value: strings.ToLower(line)}, true
	case dotted:
		return wellWritten(registry.Identifier{Type: typeDomain, Value: line}), true
	}
	return registry.Identifier{}, false
}

const typeDomain = "domain"

// wellWritten returns an identifier in the form in which it is looked for. A domain may be written as
// people do; other text stays as it is.
func wellWritten(id registry.Identifier) registry.Identifier {
	if id.Type != typeDomain {
		return registry.CanonicalIdentifier(id)
	}
	name, _, ok := nameOf(id.Value)
	if ok {
		id.Value = name
	}
	return id
}

// isInfrastructure reports whether an identifier is of advertising technology or content delivery.
func isInfrastructure(id registry.Identifier) bool {
	return id.Type == typeDomain && infrastructure[directory.Site(hostname.Domain(id.Value))] != ""
}

// checkIdentifiers answers POST /api/properties/check/bulk.
func (o *Set) checkIdentifiers(ctx context.Context, in *checkIdentifiersInput) (*identifierCheckReply, error) {
	v, err := o.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	reply, weight := &identifierCheckReply{Entries: []checkedIdentifier{}}, 512
	reply.Summary.Total = len(in.Body.Identifiers)
	var ids []registry.Identifier
	for _, line := range in.Body.Identifiers {
		line = strings.TrimSpace(line)
		id, ok := lineIdentifier(line)
		if !ok {
			reply.Summary.Skipped++
			continue
		}
		ids = append(ids, id)
		reply.Entries = append(reply.Entries,
			checkedIdentifier{Input: line, Identifier: propertyIdentifier{id.Type, id.Value}})
		weight += 3*len(line) + 256
	}
	found, err := o.service.Identified(ctx, v, ids)
	if err != nil {
		return nil, err
	}
	for i := range reply.Entries {
		reply.Entries[i].judge(v, ids[i], found)
		reply.Summary.count(reply.Entries[i].Verdict)
	}
	reply.ReportID = registry.NewUUID()
	kept := *reply
	kept.ReportID = "" // as clients know it
	o.reports.Put(reply.ReportID, &kept, weight)
	return reply, nil
}

// judge says what is known about an identifier.
func (e *checkedIdentifier) judge(v *directory.View, id registry.Identifier,
	found map[registry.Identifier]registry.Identified) {
	listed, ok := found[id]
	e.Verdict = verdictUnknown
	switch {
	case isInfrastructure(id):
		e.Verdict, e.Classification = verdictInfra, new(verdictInfra)
	case ok:
		e.Verdict, e.Publisher = verdictReady, string(listed.Publisher)
		e.Classification, e.Source = new(projection.ClassProperty), new(projection.Authoritative)
		if listed.RID != "" {
			e.PropertyRID = &listed.RID
		}
	case id.Type == typeDomain:
		domain, err := custodian.ParseDomain(id.Value)
		if err != nil {
			break
		}
		publisher, _ := v.Publisher(domain)
		switch {
		case publisher.Standing.InEffect:
			e.Verdict, e.Classification = verdictReady, new(projection.ClassProperty)
		case publisher.Looked:
			e.Verdict, e.Classification = verdictKnown, new(projection.ClassProperty)
		}
	}
	e.Action = identifierActions[e.Verdict]
}

func (s *identifierSummary) count(verdict string) {
	switch verdict {
	case verdictReady:
		s.Ready++
	case verdictKnown:
		s.Known++
	case verdictInfra:
		s.AdInfra++
	default:
		s.Unknown++
	}
}

// identifierCheckReport answers GET /api/properties/check/bulk/{report_id}.
func (o *Set) identifierCheckReport(_ context.Context, in *propertyCheckReportInput) (*identifierCheckReply, error) {
	return reportOf[*identifierCheckReply](o, in.ID)
}
