package log

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/translog"
	"github.com/avow-project/avow/internal/webhook"
)

// An outgoing is something to tell. It is in the state from when it was found until it is told
// everywhere, so a process that ends in between loses nothing.
type outgoing struct {
	// Delivery is the same in every attempt, so that the other side notices when it gets it twice.
	Delivery string `json:"delivery_id"`
	// Shown: it was written to standard output.
	Shown bool             `json:"shown,omitzero"`
	Event *monitorDocument `json:"event"`
}

// A monitorHook is where everything is sent; nil for nowhere.
type monitorHook struct {
	url    *url.URL
	key    *webhook.Key
	client *http.Client
}

func newMonitorHook(a *console.App, target, key string) (*monitorHook, error) {
	switch {
	case target == "" && key == "":
		return nil, nil
	case target == "" || key == "":
		return nil, console.UsageError("give both or neither", "--webhook and --webhook-key belong together")
	}
	u, err := sources.WebhookTarget(target)
	if err != nil {
		return nil, err
	}
	k, err := sources.ReadWebhookKey(a, key)
	return &monitorHook{u, k, webhook.NewClient(nil)}, err // it is the operator's own, so any host will do
}

// errHook is about what is kept and could not be sent.
var errHook = errors.New("the webhook could not be told")

// tell keeps evidence and state with what is to be told, and then tells it.
func (m *monitoring) tell(events []monitor.Event) error {
	for _, e := range events {
		file := ""
		if e.Evidence != nil {
			file = fmt.Sprintf("%s.%s-%s.txt", m.flags.state, e.Alarm, translog.HashOf(e.Evidence)[:12])
			err := console.WriteFile(file, e.Evidence)
			if err != nil {
				return fmt.Errorf("%w: %w", errState, err)
			}
		}
		m.outbox = append(m.outbox, outgoing{Delivery: rand.Text(), Event: documentOf(&e, file)})
	}
	err := m.save()
	if err != nil {
		return err
	}
	return m.deliver(m.ctx)
}

// save writes the state.
func (m *monitoring) save() error {
	text, err := json.Marshal(&monitorState{monitorFormat, m.States, m.outbox}, json.Deterministic(true))
	if err == nil {
		err = console.WriteFile(m.flags.state, append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errState, err)
	}
	return nil
}

// deliver tells what is in the outbox, in order, and notes what was told.
func (m *monitoring) deliver(ctx context.Context) error {
	if len(m.outbox) == 0 {
		return nil
	}
	var err error
	for i := range m.outbox {
		if !m.outbox[i].Shown && err == nil {
			err = m.write(m.outbox[i].Event)
		}
	}
	err = errors.Join(err, m.app.Out.Flush())
	if err != nil {
		return fmt.Errorf("%w: %w", errState, err)
	}
	for i := range m.outbox {
		m.outbox[i].Shown = true
	}
	told, failed := len(m.outbox), error(nil)
	if m.hook != nil {
		told, failed = m.send(ctx)
	}
	m.outbox = slices.Clone(m.outbox[told:])
	err = m.save()
	if err == nil && failed != nil {
		err = fmt.Errorf("%w: %s: %w; %s kept and sent again", errHook, sources.WebhookHost(m.hook.url), failed,
			words.Plural(len(m.outbox), "event is", "events are"))
	}
	return err
}

// send posts what is in the outbox until something fails, and returns how much has arrived.
func (m *monitoring) send(ctx context.Context) (int, error) {
	for i, o := range m.outbox {
		body, err := console.EncodeJSON(&struct {
			Delivery string `json:"delivery_id"`
			*monitorDocument
		}{o.Delivery, o.Event})
		if err == nil {
			err = webhook.Post(ctx, m.hook.client, m.hook.url.String(), m.hook.key, body, m.app.Env.Now())
		}
		if err != nil {
			return i, err
		}
	}
	return len(m.outbox), nil
}

// write writes an event to standard output.
func (m *monitoring) write(d *monitorDocument) error {
	if m.flags.format.Value == "json" {
		return console.WriteJSONLine(m.app.Out, d)
	}
	style, width := m.app.Style(console.Stdout), m.app.TextWidth()
	var text string
	switch {
	case d.Event == "newest":
		text = console.Safe(d.Log + ": " + d.Message)
	case d.Alarm != "":
		where := d.Log
		if where == "" {
			where = d.URL
		}
		text = style.Red("alarm ("+d.Alarm+")") + ": " + console.Safe(where+": "+d.Message)
		if d.Evidence != "" {
			text += "; the evidence is in " + console.Safe(d.Evidence)
		}
	default:
		text = console.Safe(fmt.Sprintf("%s leaf %d: %s", d.At, *d.Index, d.Message))
		for _, domain := range d.Domains {
			if strings.HasPrefix(d.Subject, translog.SubjectFile+" ") {
				text += " [" + console.Safe(domain) + "]"
			}
		}
	}
	_, err := fmt.Fprintln(m.app.Out, console.WrapHanging(text, width, 2))
	return err
}
