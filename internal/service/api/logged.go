package api

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A logHead is the head of the transparency log beside events or rows. State is always there, so
// that silence never means anything.
type logHead struct {
	State      string `json:"state" enum:"included,pending,none" doc:"included: checkpoint has the signed head of the log. pending: it will be signed in a moment. none: there is no log, or it cannot be read, and reason says so."`
	Reason     string `json:"reason,omitempty" doc:"Why there is no checkpoint."`
	Checkpoint string `json:"checkpoint,omitempty" doc:"A signed note (C2SP tlog-checkpoint), as /log/checkpoint had it."`
}

func headOf(h *notary.Head) logHead { return logHead{h.State, h.Reason, string(h.Signed.Note)} }

// Logged is how an event or a row stands to the transparency log. It is empty when nobody asks.
type Logged struct {
	State string `json:"log_state,omitempty" enum:"included,pending,none" doc:"included: the newest leaves about the publisher and its file are in the log of the checkpoint. pending: something newer will be in a moment. none: the log has nothing about them, or the event is about no publisher. Only with proofs."`
	Index *int64 `json:"log_index,omitempty" doc:"The index of the newest leaf about the publisher, when it is included; GET /log/leaf/{index} has it."`
	File  *int64 `json:"file_log_index,omitempty" doc:"The index of the newest leaf about the file that speaks for the publisher, if one does."`
}

func loggedOf(f *notary.Found) Logged { return Logged{f.State, f.Publisher, f.File} }

// addLog adds to a page how its events stand to the log. The events are read before the head, and the
// head before the leaves: an event that is included is covered by leaves under the head.
func (a *API) addLog(ctx context.Context, p *feedPage) error {
	head := a.translog.Head(ctx)
	list, err := a.speaking(ctx, p.Publishers)
	if err != nil {
		return err
	}
	found, err := a.translog.Find(ctx, head, list)
	if err != nil {
		head = a.translog.Unreadable(ctx, err)
	}
	logged := map[string]Logged{}
	for i := range found {
		logged[list[i].Publisher] = loggedOf(&found[i])
	}
	doc := headOf(head)
	p.log = &doc
	for i, e := range p.Events {
		one, ok := logged[p.Publishers[i]]
		if !ok { // it is about an agent, or the log cannot be read
			one.State = notary.NotLogged
		}
		text, _ := json.Marshal(one, encodeOptions) // strings and numbers can be written
		p.Events[i] = slices.Concat(e[:len(e)-1], comma, text[1:])
	}
	return nil
}

// speaking returns publishers with their files, each once; an event about an agent has none.
func (a *API) speaking(ctx context.Context, publishers []string) ([]notary.Speaking, error) {
	v, err := a.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	publishers = slices.Compact(slices.Sorted(slices.Values(publishers)))
	var list []notary.Speaking
	for _, domain := range publishers {
		if domain != "" {
			e, _ := v.Publisher(hostname.Domain(domain))
			list = append(list, notary.Speaking{Publisher: domain, File: e.Standing.Location.URL})
		}
	}
	return list, nil
}
