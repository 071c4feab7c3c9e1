package ops

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
)

// catalogStatus is the status of all properties here.
const catalogStatus = "active"

func (o *Set) catalogOperations() []Operation {
	return []Operation{
		Define(Operation{
			HTTP: "GET /api/registry/catalog", Name: "catalog", Tag: "directory", Class: edge.Read, Cache: aMinute,
			Example: "limit=2",
			Summary: "All properties",
			Description: "Lists the properties of all files in effect, publisher by publisher in alphabetical order, with an " +
				"id that is the same in the feed. The id joins records and authorizes nothing. A page reads 1000 files at most, " +
				"so it may have fewer entries than its limit and still a next one.",
		}, o.catalog),
		Define(Operation{
			HTTP: "GET /api/registry/catalog/sync", Name: "catalog_sync", Tag: "directory", Class: edge.Read,
			Example: "since=2026-01-01T00:00:00Z&limit=2",
			Summary: "The properties of new versions of files",
			Description: "Lists the properties of the files that were adopted after a time. Properties that were removed are " +
				"not reported; use GET /api/registry/feed for them.",
		}, o.catalogSync),
		Define(Operation{
			HTTP: "POST /api/registry/resolve", Name: "registry_resolve", Tag: "directory", Class: edge.Create,
			Limit: checkBytes, Issues: true,
			Example: `{"mode": "lookup", "identifiers": [{"type": "domain", "value": "publisher.example"}, {"type": "ios_bundle", "value": "example.none"}], "provenance": {"type": "agency_allowlist"}}`,
			Summary: "The ids of properties",
			Description: "Finds the properties of up to 10000 identifiers, from what is known. The mode must be lookup: " +
				"properties come from the files of publishers alone, so nothing is made for an identifier that no file lists.",
		}, o.registryResolve),
	}
}

// catalogPage is where a page of the catalog begins.
type catalogPage struct {
	Cursor string `query:"cursor" maxLength:"512" doc:"next_cursor of the page before."`
}

type catalogInput struct {
	Classification string `query:"classification" maxLength:"64" doc:"Only property matches: every entry is one."`
	Source         string `query:"source" maxLength:"64" doc:"Only authoritative matches: every entry is."`
	Status         string `query:"status" maxLength:"64" doc:"Only active matches: every entry is."`
	IdentifierType string `query:"identifier_type" maxLength:"64" doc:"Only properties with an identifier of this type."`
	Search         string `query:"search" maxLength:"253" doc:"Only properties with an identifier that contains this text."`
	MinResolves    string `query:"min_resolves" maxLength:"20" doc:"Has no effect: what clients ask for is not counted."`
	ActiveSince    string `query:"active_since" maxLength:"64" doc:"Has no effect."`
	Limit          int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many to list."`
	catalogPage
}

type catalogReply struct {
	Gap        `json:"-"`
	Entries    []catalogEntry `json:"entries"`
	Total      int            `json:"total" doc:"How many properties there are from this page on; with identifier_type or search, how many this page has."`
	NextCursor *string        `json:"next_cursor" doc:"Where the next page begins; null after the last."`
}

// CatalogHead is what all lists say about a property.
type CatalogHead struct {
	PropertyRID    string  `json:"property_rid" format:"uuid" doc:"The same at any time, and in the feed."`
	PropertyID     *string `json:"property_id" doc:"Its id in the file; null for none."`
	Classification string  `json:"classification" doc:"property."`
	Source         string  `json:"source" doc:"authoritative."`
	Status         string  `json:"status" doc:"active."`
	Publisher      string  `json:"publisher_domain"`
}

type catalogEntry struct {
	CatalogHead
	Identifiers []propertyIdentifier `json:"identifiers"`
}

func catalogHeadOf(p *adagents.Property, publisher hostname.Domain) CatalogHead {
	head := CatalogHead{PropertyRID: projection.PropertyRID(p, publisher), Classification: projection.ClassProperty,
		Source: projection.Authoritative, Status: catalogStatus, Publisher: string(publisher)}
	if p.ID != "" {
		head.PropertyID = &p.ID
	}
	return head
}

// catalog answers GET /api/registry/catalog.
func (o *Set) catalog(ctx context.Context, in *catalogInput) (*catalogReply, error) {
	w, err := o.catalogWalk(ctx, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	reply := &catalogReply{Gap: gapOf(w.view), Entries: []catalogEntry{}}
	none := func(asked, have string) bool { return asked != "" && asked != have }
	if none(in.Classification, projection.ClassProperty) || none(in.Source, projection.Authoritative) ||
		none(in.Status, catalogStatus) {
		return reply, nil
	}
	text := strings.ToLower(strings.TrimSpace(in.Search))
	err = w.walk(ctx, func(e *directory.Entry) bool {
		return e.Standing.InEffect
	}, func(p *adagents.Property, of *registry.Catalogued) bool {
		fits := func(id adagents.Identifier) bool {
			return (in.IdentifierType == "" || id.Type == in.IdentifierType) && strings.Contains(strings.ToLower(id.Value), text)
		}
		if (text != "" || in.IdentifierType != "") && !slices.ContainsFunc(p.Identifiers, fits) {
			return false
		}
		reply.Entries = append(reply.Entries, catalogEntry{catalogHeadOf(p, of.Publisher), identifiersOf(p)})
		return true
	})
	reply.Total = len(reply.Entries)
	if text == "" && in.IdentifierType == "" {
		reply.Total = max(reply.Total, w.view.Stats().Properties-w.passed)
	}
	reply.NextCursor = w.next()
	return reply, err
}

type catalogSyncInput struct {
	Since string `query:"since" required:"true" missing:"Missing required parameter: since" maxLength:"64" doc:"server_timestamp of an earlier answer, RFC 3339."`
	Limit int    `query:"limit" minimum:"1" maximum:"10000" default:"2000" doc:"How many to list."`
	catalogPage
}

type catalogSyncReply struct {
	Gap             `json:"-"`
	Entries         []catalogSyncEntry `json:"entries"`
	ServerTimestamp string             `json:"server_timestamp" format:"date-time" doc:"For since, after the last page. It lies a minute back, so that nothing is missed; some entries may come again."`
	NextCursor      *string            `json:"next_cursor" doc:"Where the next page begins, with the same since; null after the last."`
}

type catalogSyncEntry struct {
	CatalogHead
	AdagentsURL     *string `json:"adagents_url" doc:"The file."`
	CreatedBy       *string `json:"created_by" doc:"system."`
	CreatedAt       string  `json:"created_at" format:"date-time" doc:"When this version of the file was adopted."`
	UpdatedAt       string  `json:"updated_at" format:"date-time" doc:"The same."`
	SourceUpdatedAt string  `json:"source_updated_at" format:"date-time" doc:"The same."`
}

// syncOverlap is how far server_timestamp lies back: what is being stored while an answer is made
// comes with the next.
const syncOverlap = time.Minute

// catalogSync answers GET /api/registry/catalog/sync.
func (o *Set) catalogSync(ctx context.Context, in *catalogSyncInput) (*catalogSyncReply, error) {
	since, err := time.Parse(time.RFC3339, in.Since)
	if err != nil {
		return nil, fieldError("since", "request.value", "Invalid `since`: write a time like 2026-03-01T12:00:00Z", "")
	}
	w, err := o.catalogWalk(ctx, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	reply := &catalogSyncReply{Gap: gapOf(w.view), Entries: []catalogSyncEntry{},
		ServerTimestamp: wire.API.Time(w.view.At.Early.Add(-syncOverlap))}
	// What is fresh has been so since the version was adopted; others have to be read.
	mayBeNew := func(e *directory.Entry) bool {
		return e.Standing.InEffect && (e.Standing.State != wire.Fresh || e.Standing.Since.After(since))
	}
	system := "system"
	err = w.walk(ctx, mayBeNew, func(p *adagents.Property, of *registry.Catalogued) bool {
		if !of.Adopted.After(since) {
			return false
		}
		url, at := redact.URL(of.URL), wire.API.Time(of.Adopted)
		reply.Entries = append(reply.Entries, catalogSyncEntry{catalogHeadOf(p, of.Publisher), &url, &system, at, at, at})
		return true
	})
	reply.NextCursor = w.next()
	return reply, err
}

// mostCatalogFiles is how many files a page of the catalog is made from.
const mostCatalogFiles = 1000

// A catalogWalk goes through the properties of all publishers.
type catalogWalk struct {
	set   *Set
	view  *directory.View
	limit int
	// after is the publisher that the page before ended with, and index the property of it to go on
	// with; 0 for the next publisher. passed is how many properties came before the page.
	after  string
	index  int
	passed int
	// listed is how many properties the page has, and more that others follow.
	listed, files int
	more          bool
}

// catalogWalk begins where a cursor says.
func (o *Set) catalogWalk(ctx context.Context, cursor string, limit int) (*catalogWalk, error) {
	v, position, err := o.directoryPage(ctx, cursor)
	if err != nil || position == "" {
		return &catalogWalk{set: o, view: v, limit: limit}, err
	}
	written, rest, _ := strings.Cut(position, "/")
	at, before, _ := strings.Cut(rest, "/")
	name, wrongName := custodian.ParseDomain(written)
	index, wrongIndex := strconv.Atoi(at)
	passed, wrongCount := strconv.Atoi(before)
	if errors.Join(wrongName, wrongIndex, wrongCount) != nil || index < 0 || passed < 0 {
		return nil, badCursor()
	}
	return &catalogWalk{set: o, view: v, limit: limit, after: string(name), index: index, passed: passed}, nil
}

// next is the cursor of the next page; nil when there is none.
func (w *catalogWalk) next() *string {
	if !w.more {
		return nil
	}
	return cursorAfter(w.after + "/" + strconv.Itoa(w.index) + "/" + strconv.Itoa(w.passed+w.listed))
}

// walk tells add of properties until it has taken as many as a page has, or enough files were read.
// It leaves out publishers that do not fit.
func (w *catalogWalk) walk(ctx context.Context, fits func(*directory.Entry) bool,
	add func(*adagents.Property, *registry.Catalogued) bool) error {
	if w.index > 0 {
		e, _ := w.view.Publisher(hostname.Domain(w.after))
		if fits(&e) {
			err := w.publisher(ctx, &e, add)
			if err != nil || w.more {
				return err
			}
		}
	}
	for range mostCatalogFiles {
		list, next := w.view.All(w.after, min(w.limit, 100), fits)
		for i := range list {
			if w.files == mostCatalogFiles || w.listed == w.limit {
				w.more = true
				return w.view.Err()
			}
			w.index = 0
			err := w.publisher(ctx, &list[i], add)
			if err != nil || w.more {
				return err
			}
		}
		if next == "" {
			return w.view.Err()
		}
		w.after, w.index, w.more = next, 0, w.files == mostCatalogFiles || w.listed == w.limit || len(list) == 0
		if w.more {
			break
		}
	}
	return w.view.Err()
}

// publisher tells of the properties of one publisher, from w.index on.
func (w *catalogWalk) publisher(ctx context.Context, e *directory.Entry,
	add func(*adagents.Property, *registry.Catalogued) bool) error {
	ctx, h := budget.Part(ctx)
	defer h.End()
	of, err := w.set.service.Catalogue(ctx, e.Domain)
	if err != nil {
		return err
	}
	w.files++
	from := w.index
	w.after, w.index = string(e.Domain), 0
	for i := min(from, len(of.Properties)); i < len(of.Properties); i++ {
		if w.listed == w.limit {
			w.index, w.more = i, true
			return nil
		}
		if add(of.Properties[i], of) {
			w.listed++
		}
	}
	return nil
}

type resolveInput struct {
	Body resolveBody `body:""`
}

type resolveBody struct {
	Identifiers []propertyIdentifier `json:"identifiers" required:"true" minItems:"1" maxItems:"10000" doc:"The identifiers, 10000 at most."`
	Mode        string               `json:"mode" enum:"resolve,lookup" doc:"Must be lookup. No properties are created for unknown identifiers."`
	Provenance  resolveProvenance    `json:"provenance" doc:"Has no effect: nothing is kept of a question."`
}

type resolveProvenance struct {
	Type    string `json:"type" maxLength:"64" doc:"How the caller came by the identifiers."`
	Context string `json:"context" maxLength:"5000" doc:"More about it."`
}

type resolveReply struct {
	Resolved        []resolvedIdentifier `json:"resolved" doc:"One for each identifier, in their order."`
	Summary         resolveSummary       `json:"summary"`
	ServerTimestamp string               `json:"server_timestamp" format:"date-time"`
}

type resolvedIdentifier struct {
	Identifier     propertyIdentifier `json:"identifier" doc:"In the form in which it is looked for."`
	PropertyRID    *string            `json:"property_rid" format:"uuid" doc:"Stands for the property in the catalog and in the feed, and authorizes nothing; null when no file lists it. A call reads 2000 files at most."`
	Classification string             `json:"classification" enum:"property,ad_infra,unknown"`
	Status         string             `json:"status" enum:"existing,excluded" doc:"existing or excluded; also excluded when the identifier is unknown."`
	Source         *string            `json:"source" doc:"authoritative: a publisher's file lists it; null otherwise."`
	Publisher      string             `json:"publisher_domain,omitempty" doc:"Whose file lists it."`
}

type resolveSummary struct {
	Total    int `json:"total"`
	Resolved int `json:"resolved"`
	Created  int `json:"created" doc:"Always 0."`
	Excluded int `json:"excluded" doc:"Advertising technology and content delivery."`
	NotFound int `json:"not_found"`
}

// registryResolve answers POST /api/registry/resolve.
func (o *Set) registryResolve(ctx context.Context, in *resolveInput) (*resolveReply, error) {
	if in.Body.Mode != "lookup" {
		return nil, fieldError("mode", "request.value", "The mode must be lookup: no properties are made here",
			`send "mode": "lookup"`)
	}
	v, err := o.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]registry.Identifier, len(in.Body.Identifiers))
	for i, id := range in.Body.Identifiers {
		ids[i] = wellWritten(registry.Identifier{Type: strings.TrimSpace(id.Type), Value: strings.TrimSpace(id.Value)})
	}
	found, err := o.service.Identified(ctx, v, ids)
	if err != nil {
		return nil, err
	}
	reply := &resolveReply{Resolved: make([]resolvedIdentifier, 0, len(ids)), ServerTimestamp: wire.API.Time(v.At.Early)}
	reply.Summary.Total = len(ids)
	for _, id := range ids {
		one := resolvedIdentifier{Identifier: propertyIdentifier{id.Type, id.Value}, Classification: "unknown",
			Status: "excluded"}
		listed, ok := found[id]
		switch {
		case isInfrastructure(id):
			one.Classification = verdictInfra
			reply.Summary.Excluded++
		case ok:
			one.Classification, one.Status, one.Source, one.Publisher = projection.ClassProperty, "existing",
				new(projection.Authoritative), string(listed.Publisher)
			if listed.RID != "" {
				one.PropertyRID = &listed.RID
			}
			reply.Summary.Resolved++
		default:
			reply.Summary.NotFound++
		}
		reply.Resolved = append(reply.Resolved, one)
	}
	return reply, nil
}
