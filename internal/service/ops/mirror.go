package ops

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
)

type mirrorInput struct {
	Platform string `path:"platform" doc:"The platform: lower-case letters, digits, hyphens and underscores."`
}

type mirrorsInput struct {
	Limit  int `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"How many to list."`
	Offset int `query:"offset" minimum:"0" maximum:"1000000" default:"0" doc:"How many to leave out."`
}

// MirrorHead is what every answer says about a mirror.
type MirrorHead struct {
	Platform     string   `json:"platform"`
	CatalogETag  *string  `json:"catalog_etag" doc:"The version of the catalog; null when it has none."`
	SupersededBy *string  `json:"superseded_by" doc:"The platform's own file, once the mirror names it; null before."`
	UpdatedAt    string   `json:"updated_at" format:"date-time"`
	State        string   `json:"state" enum:"serving,superseded,removable" doc:"Where the mirror is in its life: served for want of a file of the platform's own; superseded, and served on for a while; superseded for long enough to be removed."`
	URL          string   `json:"url" doc:"Where the file is served."`
	OwnFile      *ownFile `json:"own_file,omitzero" doc:"A file that the platform publishes itself, when one was noticed. Whether it supersedes the mirror is for a moderator to say."`
}

// ownFile is a file of a platform's own.
type ownFile struct {
	URL       string `json:"url"`
	NoticedAt string `json:"noticed_at" format:"date-time"`
	CheckedAt string `json:"checked_at" format:"date-time"`
}

// mirrorReply is the answer of GET /api/registry/mirrors/{platform}.
type mirrorReply struct {
	MirrorHead
	AdagentsJSON     jsontext.Value    `json:"adagents_json" doc:"The file, as an object."`
	PublisherDomains []hostname.Domain `json:"publisher_domains" doc:"The publishers of its properties."`
	CreatedAt        string            `json:"created_at" format:"date-time"`
}

type mirrorsReply struct {
	Mirrors []MirrorHead `json:"mirrors"`
	Total   int          `json:"total" doc:"How many there are in all."`
}

type putMirrorInput struct {
	Platform string     `path:"platform" doc:"The platform: lower-case letters, digits, hyphens and underscores."`
	Body     mirrorBody `body:"" doc:"The catalog members of the file: at least one of formats, properties, placements, collections and signals."`
}

// mirrorBody is the catalog of a mirror. The code that checks files reads it.
type mirrorBody jsontext.Value

// Schema describes the request in the OpenAPI document.
func (mirrorBody) Schema(huma.Registry) *huma.Schema {
	objects := &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeObject}}
	object := &huma.Schema{Type: huma.TypeObject}
	return &huma.Schema{
		Type: huma.TypeObject,
		Description: "The catalog, in the members of the file. authorized_agents is always empty, $schema and last_updated " +
			"are made anew.",
		Properties: map[string]*huma.Schema{
			"formats": objects, "properties": objects, "placements": objects, "collections": objects, "signals": objects,
			"catalog_etag": {Type: huma.TypeString}, "superseded_by": {Type: huma.TypeString, Format: "uri"},
			"placement_tags": object, "signal_tags": object, "tags": object, "contact": object,
		},
	}
}

// putMirrorReply says that a mirror is published, or that a moderator has to decide.
type putMirrorReply struct {
	Success          bool              `json:"success" doc:"True."`
	Platform         string            `json:"platform"`
	CatalogETag      *string           `json:"catalog_etag" doc:"Null when it has none."`
	SupersededBy     *string           `json:"superseded_by" doc:"Null when it names none."`
	PublisherDomains []hostname.Domain `json:"publisher_domains"`
	UpdatedAt        string            `json:"updated_at,omitempty" format:"date-time" doc:"For a published mirror."`
	URL              string            `json:"url,omitempty" doc:"Where a published mirror is served."`
	Warnings         []string          `json:"warnings" doc:"What is doubtful about the file, one line each."`
	Status           string            `json:"status,omitempty" enum:"pending" doc:"For a proposal."`
	ProposalID       string            `json:"proposal_id,omitempty"`
	ProposalDigest   string            `json:"proposal_digest,omitempty" doc:"What a decision has to name."`
	StatusURL        string            `json:"status_url,omitempty" doc:"Where the proposal can be followed."`
	SubmittedAt      string            `json:"submitted_at,omitempty" format:"date-time"`
}

// HTTPStatus tells a proposal, which waits for a moderator, from a change.
func (r *putMirrorReply) HTTPStatus() int {
	if r.ProposalID != "" {
		return http.StatusAccepted
	}
	return http.StatusOK
}

type deleteMirrorInput struct {
	Platform string `path:"platform" doc:"The platform."`
	Force    bool   `query:"force" doc:"Remove it whatever its state."`
}

type deleteMirrorReply struct {
	Success  bool   `json:"success" doc:"True."`
	Platform string `json:"platform"`
}

func (o *Set) mirrorOperations() []Operation {
	return append([]Operation{
		Define(Operation{
			HTTP: "GET /api/registry/mirrors", Name: "mirrors", Tag: "mirrors", Class: edge.Read,
			Summary: "List community mirrors",
			Description: "Lists the catalogs that the community keeps for platforms without a file of their own, without the " +
				"files.",
		}, o.mirrors),
		Define(Operation{
			HTTP: "GET /api/registry/mirrors/{platform}", Name: "mirror", Tag: "mirrors", Class: edge.Read,
			Statuses: []int{http.StatusNotFound}, Summary: "One community mirror",
			Description: "Returns a mirror with its file, and whether the platform was seen to publish a file of its own.",
		}, o.mirror),
		Define(Operation{
			HTTP: "PUT /api/registry/mirrors/{platform}", Name: "put_mirror", Tag: "mirrors", Class: edge.Write,
			Scope: registry.ScopeWrite,
			Limit: FileBody, Success: []int{http.StatusOK, http.StatusAccepted}, Statuses: []int{http.StatusConflict},
			Example: `{"properties": [{"property_id": "video", "property_type": "website", "name": "Video", "publisher_domain": "platform.example", "identifiers": [{"type": "domain", "value": "platform.example"}]}]}`,
			Summary: "Publish or propose a mirror",
			Description: "With the key of a moderator the mirror is served at once. Any other key makes a proposal of at most " +
				"1 MiB and 2000 items, which a moderator approves or rejects: the answer is then 202, and 429 while 100 " +
				"proposals of the key wait. " +
				"A mirror authorizes no agent and must not carry presentation_ref or preview_provider. superseded_by names the " +
				"platform's own file once there is one; the mirror stays available for a while.",
		}, o.putMirror),
		Define(Operation{
			HTTP: "DELETE /api/registry/mirrors/{platform}", Name: "delete_mirror", Tag: "mirrors", Class: edge.Write,
			Scope:    registry.ScopeModerate,
			Statuses: []int{http.StatusNotFound, http.StatusConflict}, Summary: "Remove a mirror",
			Description: "Removes a mirror that has named its successor for long enough, or any with force=true. Otherwise " +
				"the answer is 409 and says until when.",
		}, o.deleteMirror),
		Define(Operation{
			HTTP: "GET " + registry.MirrorPath("{platform}"), Name: "translated", Tag: "mirrors", Class: edge.Read,
			Media: "application/json", Cache: "public, max-age=300", Success: []int{http.StatusOK, http.StatusNotModified},
			Statuses: []int{http.StatusNotFound},
			Summary:  "The file of a mirror",
			Description: "Serves the file itself, byte for byte, with an entity tag. A superseded mirror names its successor " +
				"in the header Link, too.",
		}, o.translated),
	}, o.proposalOperations()...)
}

// optional returns a text, or nil for none.
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// mirrorHead shows a mirror.
func (o *Set) mirrorHead(v *registry.MirrorView) MirrorHead {
	h := MirrorHead{
		Platform: v.Platform, CatalogETag: optional(v.CatalogETag), SupersededBy: optional(v.SupersededBy),
		UpdatedAt: wire.API.Time(v.UpdatedAt), State: string(v.State), URL: o.mirrorURL(v.Platform),
	}
	if v.OwnFileURL != "" {
		h.OwnFile = &ownFile{v.OwnFileURL, wire.API.Time(v.OwnFileAt), wire.API.Time(v.CheckedAt)}
	}
	return h
}

func (o *Set) mirrorURL(platform string) string { return o.baseURL + registry.MirrorPath(platform) }

// mirrors answers GET /api/registry/mirrors.
func (o *Set) mirrors(ctx context.Context, in *mirrorsInput) (*mirrorsReply, error) {
	list, total, err := o.service.Mirrors(ctx, in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	reply := &mirrorsReply{Mirrors: []MirrorHead{}, Total: total}
	for i := range list {
		reply.Mirrors = append(reply.Mirrors, o.mirrorHead(&list[i]))
	}
	return reply, nil
}

// mirror answers GET /api/registry/mirrors/{platform}.
func (o *Set) mirror(ctx context.Context, in *mirrorInput) (*mirrorReply, error) {
	v, err := o.service.Mirror(ctx, in.Platform)
	if err != nil {
		return nil, err
	}
	return &mirrorReply{
		MirrorHead: o.mirrorHead(v), AdagentsJSON: v.Body, PublisherDomains: v.PublisherDomains,
		CreatedAt: wire.API.Time(v.CreatedAt),
	}, nil
}

// putMirror answers PUT /api/registry/mirrors/{platform}.
func (o *Set) putMirror(ctx context.Context, in *putMirrorInput) (*putMirrorReply, error) {
	r, err := o.service.PublishMirror(ctx, registry.CallerOf(ctx), in.Platform, in.Body)
	if err != nil {
		return nil, err
	}
	m := &r.Mirror
	reply := &putMirrorReply{
		Success: true, Platform: m.Platform, CatalogETag: optional(m.CatalogETag), SupersededBy: optional(m.SupersededBy),
		PublisherDomains: m.PublisherDomains, Warnings: r.Warnings,
	}
	if r.Proposal == nil {
		reply.UpdatedAt, reply.URL = wire.API.Time(m.UpdatedAt), o.mirrorURL(m.Platform)
		return reply, nil
	}
	reply.Status, reply.ProposalID, reply.ProposalDigest = string(r.Proposal.State), r.Proposal.ID,
		string(r.Proposal.Digest)
	reply.StatusURL, reply.SubmittedAt = o.proposalURL(r.Proposal.ID), wire.API.Time(r.Proposal.SubmittedAt)
	return reply, nil
}

// deleteMirror answers DELETE /api/registry/mirrors/{platform}.
func (o *Set) deleteMirror(ctx context.Context, in *deleteMirrorInput) (*deleteMirrorReply, error) {
	err := o.service.DeleteMirror(ctx, registry.CallerOf(ctx), in.Platform, in.Force)
	if err != nil {
		return nil, err
	}
	return &deleteMirrorReply{true, in.Platform}, nil
}

// translated answers GET /translated/{platform}/adagents.json.
func (o *Set) translated(ctx context.Context, in *mirrorInput) (*Document, error) {
	v, err := o.service.MirrorRecord(ctx, in.Platform)
	if err != nil {
		return nil, err
	}
	d := &Document{
		Load: func() ([]byte, error) { return o.service.MirrorBody(ctx, v) },
		ETag: `"` + string(v.Document) + `"`, Header: http.Header{},
	}
	d.Header.Set("X-Content-Type-Options", "nosniff")
	d.Header.Set("Access-Control-Allow-Origin", "*")
	d.Header.Set("Last-Modified", v.UpdatedAt.UTC().Format(http.TimeFormat))
	successor, ok := registry.SafeURL(v.SupersededBy)
	if ok {
		d.Header.Set("Link", "<"+successor+`>; rel="successor-version"`)
	}
	return d, nil
}
