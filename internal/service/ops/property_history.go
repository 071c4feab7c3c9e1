package ops

import (
	"context"
	"net/http"
	"slices"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

func (o *Set) propertyHistoryOperation() Operation {
	return Define(Operation{
		HTTP: "GET /api/properties/history", Name: "property_history", Tag: "directory", Class: edge.Read, Cache: aMinute,
		Example:  "domain=publisher.example",
		Statuses: []int{http.StatusNotFound}, Summary: "The versions of a publisher's file",
		Description: "Lists the versions of the files that spoke for a publisher, the latest first, as far as the history " +
			"is kept. A domain that nothing is known about is 404.",
	}, o.propertyHistory)
}

type propertyHistoryInput struct {
	Domain string `query:"domain" required:"true" missing:"domain parameter required" maxLength:"2048" doc:"The publisher, as people write it."`
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"How many to list."`
	Offset int    `query:"offset" minimum:"0" maximum:"1000" default:"0" doc:"How many to leave out."`
}

type propertyHistoryReply struct {
	Domain    string             `json:"domain"`
	Total     int                `json:"total" doc:"How many are known."`
	Revisions []propertyRevision `json:"revisions"`
	Standing  wire.Standing      `json:"standing"`
}

type propertyRevision struct {
	Number      int    `json:"revision_number" doc:"Counts from 1 with the oldest that is known."`
	EditorName  string `json:"editor_name" doc:"system."`
	EditSummary string `json:"edit_summary"`
	Source      string `json:"source" doc:"adagents_json."`
	IsRollback  bool   `json:"is_rollback" doc:"Always false: a file that goes back is not adopted."`
	CreatedAt   string `json:"created_at" format:"date-time" doc:"When it was adopted."`
	SHA256      string `json:"sha256" doc:"Of the bytes."`
	Bytes       int64  `json:"bytes"`
}

// mostRevisions is how far back the history is read.
const mostRevisions = 1100

// propertyHistory answers GET /api/properties/history.
func (o *Set) propertyHistory(ctx context.Context, in *propertyHistoryInput) (*propertyHistoryReply, error) {
	e, known, err := o.directoryEntry(ctx, in.Domain)
	if err != nil {
		return nil, err
	}
	domain := e.Domain
	if !known {
		return nil, WithExtras(&registry.Error{Kind: registry.NotFound, Code: "property.unknown",
			Message: "Property not found", Hint: "no client has asked about the domain yet"},
			ErrorExtras{Domain: string(domain)})
	}
	reply := &propertyHistoryReply{Domain: string(domain), Revisions: []propertyRevision{},
		Standing: standingOf(&e.Standing)}
	if !e.Looked || e.Standing.State == wire.OptedOut {
		return reply, nil
	}
	list, err := o.service.History(ctx, string(domain), mostRevisions)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if version := list[i].Version; version != nil {
			reply.Revisions = append(reply.Revisions, propertyRevision{
				EditorName: "system", EditSummary: "A new version of the file was adopted", Source: fromFile,
				CreatedAt: wire.API.Time(version.AdoptedAt), SHA256: version.Hash, Bytes: version.Bytes,
			})
		}
	}
	reply.Total = len(reply.Revisions)
	for i := range reply.Revisions {
		reply.Revisions[i].Number = reply.Total - i
	}
	from := min(in.Offset, reply.Total)
	reply.Revisions = slices.Clone(reply.Revisions[from:min(from+in.Limit, reply.Total)])
	return reply, nil
}
