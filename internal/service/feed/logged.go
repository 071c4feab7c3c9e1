package feed

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/service/notary"
)

// A LogHead is the head of the transparency log beside events or rows. State is always there, so
// that silence never means anything.
type LogHead struct {
	State      string `json:"state" enum:"included,pending,none" doc:"included: checkpoint has the signed head of the log. pending: it will be signed in a moment. none: there is no log, or it cannot be read, and reason says so."`
	Reason     string `json:"reason,omitempty" doc:"Why there is no checkpoint."`
	Checkpoint string `json:"checkpoint,omitempty" doc:"A signed note (C2SP tlog-checkpoint), as /log/checkpoint had it."`
}

// LogHeadOf returns a head as it is shown.
func LogHeadOf(h *notary.Head) *LogHead { return &LogHead{h.State, h.Reason, string(h.Signed.Note)} }

// Logged is how an event or a row stands to the transparency log. It is empty unless requested.
type Logged struct {
	State string `json:"log_state,omitempty" enum:"included,pending,none" doc:"included: the newest leaves about the publisher and its file are in the log of the checkpoint. pending: something newer will be in a moment. none: the log has nothing about them, or the event is about no publisher. Only with proofs."`
	Index *int64 `json:"log_index,omitempty" doc:"The index of the newest leaf about the publisher, when it is included; GET /log/leaf/{index} has it."`
	File  *int64 `json:"file_log_index,omitempty" doc:"The index of the newest leaf about the file that speaks for the publisher, if one does."`
}

// LoggedOf returns what was found as it is shown.
func LoggedOf(f *notary.Found) Logged { return Logged{f.State, f.Publisher, f.File} }

// AddLog adds to a page of at most notary.MaxFind events how they stand to the log, which may be
// nil. Speaking returns publishers with their files. The events were read before the head, and the
// head is read before the files and leaves: an event that is included is covered by leaves under
// the head.
func (p *Page) AddLog(ctx context.Context, log *notary.Handler,
	speaking func(ctx context.Context, publishers []string) ([]notary.Speaking, error)) error {
	head := log.Head(ctx)
	about := slices.Compact(slices.Sorted(slices.Values(p.Publishers)))
	about = slices.DeleteFunc(about, func(domain string) bool { return domain == "" })
	list, err := speaking(ctx, about)
	if err != nil {
		return err
	}
	found, err := log.Find(ctx, head, list)
	if err != nil {
		head = log.Unreadable(ctx, err)
	}
	logged := map[string]Logged{}
	for i := range found {
		logged[list[i].Publisher] = LoggedOf(&found[i])
	}
	p.Log = LogHeadOf(head)
	for i, e := range p.Events {
		one, ok := logged[p.Publishers[i]]
		if !ok { // it is about an agent, or the log cannot be read
			one.State = notary.NotLogged
		}
		p.Pending = p.Pending || one.State == notary.Pending
		text, err := json.Marshal(one)
		if err != nil {
			return err
		}
		p.varying = append(p.varying, text...)
		p.Events[i] = slices.Concat(e[:len(e)-1], []byte(","), text[1:])
	}
	return nil
}
