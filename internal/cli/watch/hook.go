package watch

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/clock"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/webhook"
	"github.com/avow-project/avow/internal/wire"
)

// Limits of a webhook.
const (
	// hookQueue is the number of events that wait to be delivered. More are dropped: the
	// watch goes on, and the store has them.
	hookQueue = 1_000
	// hookAttempts and hookPause are how often an event is sent, and how long it takes
	// until the second time; every further pause is twice as long.
	hookAttempts = 5
	hookPause    = time.Second
	// hookDrain is how long the end of a watch waits for what is still to be delivered.
	hookDrain = 30 * time.Second
)

// hookFlags say where events are sent.
type hookFlags struct{ url, key string }

func (f *hookFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.url, "webhook", "", "send each event to `URL`, https or on this machine, by POST")
	cmd.Flags().StringVar(&f.key, "webhook-key", "",
		"`FILE` with the Ed25519 private key, JWK or PEM, that signs what is sent")
}

// A hook delivers events, one after the other. A nil hook delivers nothing.
type hook struct {
	app    *console.App
	url    *url.URL
	client *http.Client
	key    *webhook.Key
	pause  time.Duration

	queue chan *custody.NumberedEvent
	ended chan struct{}
	end   context.CancelFunc
	once  sync.Once

	mu      sync.Mutex
	dropped int
}

// startHook starts to deliver; nil if no URL is given.
func startHook(a *console.App, f *hookFlags) (*hook, error) {
	switch {
	case f.url == "" && f.key == "":
		return nil, nil
	case f.url == "" || f.key == "":
		return nil, console.UsageError("give both or neither", "--webhook and --webhook-key belong together")
	}
	target, err := sources.WebhookTarget(f.url)
	if err != nil {
		return nil, err
	}
	key, err := sources.ReadWebhookKey(a, f.key)
	if err != nil {
		return nil, err
	}
	return newHook(a, target, key), nil
}

// newHook starts to deliver to a URL.
func newHook(a *console.App, target *url.URL, key *webhook.Key) *hook {
	ctx, cancel := context.WithCancel(context.Background())
	h := &hook{
		app: a, url: target, key: key, pause: hookPause,
		client: webhook.NewClient(nil), // it is the operator's own, so any host will do
		queue:  make(chan *custody.NumberedEvent, hookQueue), ended: make(chan struct{}), end: cancel,
	}
	go h.run(ctx)
	return h
}

// send hands an event over. It never waits.
func (h *hook) send(e *custody.NumberedEvent) {
	if h == nil {
		return
	}
	event := *e
	select {
	case h.queue <- &event:
	default:
		h.drop("too many events wait to be delivered", &event)
	}
}

// drop gives an event up. The first one, and then every hundredth, is worth a word.
func (h *hook) drop(why string, e *custody.NumberedEvent) {
	h.mu.Lock()
	h.dropped++
	n := h.dropped
	h.mu.Unlock()
	const often = 100
	if n%often == 1 {
		h.app.Note("the event %s was not delivered to %s: %s", e.Code, sources.WebhookHost(h.url), why)
	}
}

// stop waits for what is still to be delivered, within limits.
func (h *hook) stop() {
	if h == nil {
		return
	}
	h.once.Do(func() {
		close(h.queue)
		timer := time.AfterFunc(hookDrain, h.end)
		<-h.ended
		timer.Stop()
		h.end()
		if h.dropped > 0 {
			h.app.Note("%s not delivered; avow history has all", words.Plural(h.dropped, "event was", "events were"))
		}
	})
}

// run delivers events in their order.
func (h *hook) run(ctx context.Context) {
	defer close(h.ended)
	for e := range h.queue {
		err := h.deliver(ctx, e)
		if err != nil {
			h.drop(err.Error(), e)
		}
	}
}

// hookEvent is the document that is sent. The id is the same in every attempt, so that
// the other side notices when it gets an event twice.
type hookEvent struct {
	Delivery string `json:"delivery_id"`
	*wire.CustodyEvent
}

// deliver sends an event until it arrives, or gives up.
func (h *hook) deliver(ctx context.Context, e *custody.NumberedEvent) error {
	body, err := console.EncodeJSON(&hookEvent{rand.Text(), wire.CLI.Event(e)})
	if err != nil {
		return err
	}
	pause := h.pause
	for attempt := 1; ; attempt++ {
		err := webhook.Post(ctx, h.client, h.url.String(), h.key, body, time.Now())
		if err == nil || !webhook.Passing(err) || attempt == hookAttempts {
			return err
		}
		if !clock.Pause(ctx, pause) {
			return errors.Join(err, ctx.Err())
		}
		pause *= 2
	}
}
