package watch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/diff"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
)

// An eventPrinter prints events as they happen and hands them on.
type eventPrinter struct {
	app    *console.App
	format string
	least  custody.Severity
	hook   *hook
	// failed ends the watch when its output cannot be written.
	failed context.CancelCauseFunc
	table  *console.Table
	// silent: nothing is printed. ordered: events are held until the end.
	silent, ordered bool

	mu    sync.Mutex
	held  []custody.NumberedEvent
	alert bool
	lost  error
}

// eventColumns are those of the table of events. They are a contract: new ones may come at the end.
var eventColumns = []string{"at", "severity", "code", "publisher", "url", "domain", "before", "after", "changes",
	"message"}

// begin writes what comes before all events.
func (t *eventPrinter) begin() error {
	if t.format != "csv" || t.silent {
		return nil
	}
	err := t.table.Write()
	if err == nil {
		err = t.app.Out.Flush()
	}
	if err != nil {
		return console.Failure("", "cannot write the output: %s", console.Reason(err))
	}
	return nil
}

// end prints the events that were held, in the order of publishers. Those about a file that
// several share, and those of publishers not named on the command line, come last.
func (t *eventPrinter) end(publishers []hostname.Domain) {
	t.mu.Lock()
	defer t.mu.Unlock()
	order := make(map[string]int, len(publishers))
	for i, domain := range publishers {
		order[string(domain)] = i - len(publishers)
	}
	slices.SortStableFunc(t.held, func(a, b custody.NumberedEvent) int {
		ofA, ofB := ownerOf(&a), ownerOf(&b)
		return cmp.Or(cmp.Compare(order[ofA], order[ofB]), cmp.Compare(ofA, ofB), cmp.Compare(fileOf(&a), fileOf(&b)))
	})
	for i := range t.held {
		if t.lost != nil {
			return
		}
		t.note(t.print(&t.held[i]))
	}
	t.note(t.app.Out.Flush())
}

// ownerOf is the publisher that an event is about, or whose own file it is about.
func ownerOf(e *custody.NumberedEvent) string { return cmp.Or(e.Publisher, custodian.OwnerOf(e.URL)) }

// fileOf is the file that an event is about, if it is about no publisher.
func fileOf(e *custody.NumberedEvent) string {
	if e.Publisher != "" {
		return ""
	}
	return e.URL
}

// tell is called with the events of one commit.
func (t *eventPrinter) tell(events []custody.NumberedEvent) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range events {
		e := &events[i]
		t.alert = t.alert || e.Severity == custody.Alert
		if e.Severity < t.least || t.lost != nil {
			continue
		}
		t.hook.send(e)
		switch {
		case t.silent:
		case t.ordered:
			t.held = append(t.held, *e)
		default:
			t.note(t.print(e))
		}
	}
	t.note(t.app.Out.Flush())
}

// note keeps the first error. The caller holds mu.
func (t *eventPrinter) note(err error) {
	if err != nil && t.lost == nil {
		t.lost = console.Failure("", "cannot write the output: %s", console.Reason(err))
		t.failed(t.lost)
	}
}

// print writes one event.
func (t *eventPrinter) print(e *custody.NumberedEvent) error {
	switch t.format {
	case "json", "ndjson":
		return console.WriteJSONLine(t.app.Out, wire.CLI.Event(e))
	case "csv":
		return t.table.Write(wire.Time(e.At), e.Severity.String(), e.Code, e.Publisher, redact.URL(e.URL), e.Domain,
			redact.Credentials(e.Before), redact.Credentials(e.After), strconv.Itoa(len(e.Changes)+e.More),
			redact.Credentials(e.Message))
	}
	text := &diff.Text{W: t.app.Out, Paint: t.app.Style(console.Stdout), Width: t.app.TextWidth()}
	_, err := fmt.Fprintf(t.app.Out, "%s  %s %s: %s %s\n", wire.Time(e.At), text.Severity(e.Severity),
		console.Safe(eventSubject(e)), console.Safe(redact.Credentials(e.Message)), text.Paint.Dim("["+e.Code+"]"))
	text.Changes(console.Capped(e.Changes), "    ")
	if more := len(e.Changes) + e.More - console.MostListed; more > 0 {
		fmt.Fprintf(t.app.Out, "    %s more; --format json has more of them\n", words.Thousands(more))
	}
	return err
}

// eventSubject is what an event is about.
func eventSubject(e *custody.NumberedEvent) string {
	text := e.Publisher
	if text == "" {
		text = redact.URL(e.URL)
	}
	if e.Domain != "" {
		text += ", " + e.Domain
	}
	if text == "" {
		return "this machine"
	}
	return text
}

func (t *eventPrinter) alerted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.alert
}

func (t *eventPrinter) err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lost
}
