package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/resolve"
)

const historyHelp = `History shows what was kept about a publisher over time, the latest first: the places that
its authority came from, the versions of the file, and the events about them, such as a
move that waited, a version that was refused or a revocation. What counts now comes
before.

--at TIME says instead what counted at a time: the place, the version, and the publishers
that stayed revoked although that version did not list them any more. --print writes the
exact bytes of the version that counts, or counted at that time. Nothing is asked on the
web.

Exit codes: 0 there is something, 2 avow was called wrongly, 3 nothing was kept, or it
could not be read.`

const historyExamples = `  avow history example.com
  avow history example.com --at 2026-01-02T00:00:00Z
  avow history example.com --at 2026-01-02T00:00:00Z --print > adagents.json
  avow history example.com --limit 1000 --format json | jq 'select(.severity == "alert")'`

// historyFlags are the values of the command's flags.
type historyFlags struct {
	state  *stateFlags
	format *choice
	at     string
	print  bool
	limit  int
	output string
}

func (a *app) historyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:               "history [flags] DOMAIN",
		Short:             "show what was kept about a publisher over time",
		Long:              historyHelp,
		Example:           historyExamples,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args:              oneDomain,
	}
	f := &historyFlags{format: addChoice(cmd, "format", "output format", "text", "json")}
	flags := cmd.Flags()
	flags.StringVar(&f.at, "at", "", "say what counted at `TIME`, for example 2026-01-02T00:00:00Z")
	flags.BoolVar(&f.print, "print", false, "write the exact bytes of the version that counts")
	flags.IntVar(&f.limit, "limit", 50, "most `NUMBER` of entries to show")
	flags.StringVarP(&f.output, "output", "o", "", "write to `FILE` instead of standard output")
	f.state = addReadFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := noEmptyFlag(cmd)
		if err != nil {
			return err
		}
		return a.history(cmd, f, args[0])
	}
	return cmd
}

func oneDomain(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) != 1:
		return usageError("name the publisher's domain: "+cmd.CommandPath()+" example.com", "%s takes one domain, got %d", cmd.CommandPath(), len(args))
	case args[0] == "":
		return usageError("is a variable of your script not set?", "the name of a domain is empty")
	}
	return nil
}

func (a *app) history(cmd *cobra.Command, f *historyFlags, written string) error {
	domain, err := keptDomain(written)
	if err != nil {
		return err
	}
	if f.limit < 1 {
		return usageError("leave it out for the default", "--limit must be 1 at least")
	}
	at := time.Time{}
	if f.at != "" {
		at, err = parseInstant(f.at)
		if err != nil {
			return flagFault("at", err)
		}
	}
	return a.withKeeper(cmd.Context(), f.state, func(ctx context.Context, k *kept) error {
		switch {
		case f.print:
			return a.printVersion(ctx, k, f, domain, at)
		case !at.IsZero():
			return a.showMoment(ctx, k, f, domain, at)
		}
		return a.showHistory(ctx, k, f, domain)
	})
}

// A momentary is what counted for a publisher at a time.
type momentary struct {
	domain  string
	at      time.Time
	place   custodian.Place
	version *custodian.Version
	doc     *resolve.Document
}

// momentOf returns what counted at a time.
func (k *kept) momentOf(ctx context.Context, domain string, at time.Time) (*momentary, error) {
	m := &momentary{domain: domain, at: at}
	places, err := k.Places(ctx, domain, at, 1)
	if err != nil {
		return nil, err
	}
	if len(places) > 0 {
		m.place = places[0]
	}
	m.doc, m.version, err = k.keeper.DocumentAt(ctx, domain, at)
	var input *discover.InputError
	switch {
	case errors.Is(err, custodian.ErrFuture):
		return nil, usageError("leave --at out for the present", "--at %s: the time has not come yet", timeForJSON(at))
	case errors.Is(err, custodian.ErrNotFound):
		return nil, failure("avow history "+domain+" shows since when it is", "nothing was known about %s at %s", domain, timeForJSON(at))
	case errors.As(err, &input):
		return nil, failure(input.Hint, "%s", input.Message)
	}
	return m, err
}

// printVersion writes the bytes of the version that counts.
func (a *app) printVersion(ctx context.Context, k *kept, f *historyFlags, domain string, at time.Time) error {
	if at.IsZero() {
		at = a.env.Now()
	}
	m, err := k.momentOf(ctx, domain, at)
	if err != nil {
		return err
	}
	if m.version == nil {
		return failure("avow history "+domain+" shows what happened", "no version counted for %s at %s", domain, timeForJSON(at))
	}
	src, err := k.Document(ctx, m.version.Hash)
	if err != nil {
		return err
	}
	out, err := a.openOutput(f.output)
	if err != nil {
		return err
	}
	_, err = out.w.Write(src)
	return out.close(err)
}

// showMoment writes what counted at a time.
func (a *app) showMoment(ctx context.Context, k *kept, f *historyFlags, domain string, at time.Time) error {
	m, err := k.momentOf(ctx, domain, at)
	if err != nil {
		return err
	}
	out, err := a.openOutput(f.output)
	if err != nil {
		return err
	}
	if f.format.value == "json" {
		err = writeJSONLine(out.w, m.document())
	} else {
		a.historyText(out, f).moment(m)
	}
	return out.close(err)
}

// showHistory writes what counts now, and the entries of the past.
func (a *app) showHistory(ctx context.Context, k *kept, f *historyFlags, domain string) error {
	state, err := k.keeper.State(ctx, domain)
	if err != nil {
		return err
	}
	if state.Publisher.TriedAt.IsZero() {
		return neverKept(domain)
	}
	entries, err := k.keeper.History(ctx, domain, f.limit)
	if err != nil {
		return err
	}
	out, err := a.openOutput(f.output)
	if err != nil {
		return err
	}
	if f.format.value == "json" {
		for i := range entries {
			err = writeJSONLine(out.w, entryForJSON(&entries[i]))
			if err != nil {
				break
			}
		}
	} else {
		t := a.historyText(out, f)
		t.present(state)
		for i := range entries {
			t.entry(&entries[i])
		}
		if len(entries) == f.limit {
			t.line("", "there may be more; --limit shows them")
		}
	}
	return out.close(err)
}

// jsonMoment is what counted at a time, in JSON.
type jsonMoment struct {
	Publisher string     `json:"publisher"`
	At        string     `json:"at"`
	State     string     `json:"state"`
	Place     *jsonPlace `json:"place"`
	PlaceFrom *string    `json:"place_adopted_at"`
	// Version is null when there was none.
	Version *jsonVersion `json:"version"`
	// Held are the domains that stayed revoked although the version did not list them.
	Held   []string `json:"revocations_held"`
	Detail string   `json:"detail,omitempty"`
}

func (m *momentary) document() *jsonMoment {
	doc := &jsonMoment{
		Publisher: m.domain, At: timeForJSON(m.at), State: m.doc.State.String(), PlaceFrom: instantForJSON(m.place.AdoptedAt),
		Held: notNil(m.doc.Revoked), Detail: redact.Credentials(m.doc.Detail),
	}
	if !m.place.Absent {
		doc.Place = placeForJSON(m.place.Location)
	}
	if m.version != nil {
		doc.Version = versionForJSON(m.version)
	}
	return doc
}

// jsonEntry is an entry of a history in JSON: a place, a version or an event.
type jsonEntry struct {
	At   string `json:"at"`
	Kind string `json:"kind"`
	// Place is null for a place event when the publisher had no file from then on.
	Place   *jsonPlace   `json:"place,omitempty"`
	Absent  bool         `json:"absent,omitzero"`
	Version *jsonVersion `json:"version,omitempty"`
	jsonEvent
}

// jsonEvent is an event in JSON.
type jsonEvent struct {
	ID        int64        `json:"id,omitzero"`
	Code      string       `json:"code,omitempty"`
	Severity  string       `json:"severity,omitempty"`
	Publisher string       `json:"publisher,omitempty"`
	URL       string       `json:"url,omitempty"`
	Domain    string       `json:"domain,omitempty"`
	Before    string       `json:"before,omitempty"`
	After     string       `json:"after,omitempty"`
	Changes   []jsonChange `json:"changes,omitempty"`
	More      int          `json:"more,omitzero"`
	Message   string       `json:"message,omitempty"`
}

func eventForJSON(e *custodian.Event) jsonEvent {
	return jsonEvent{
		ID: e.ID, Code: e.Code, Severity: e.Severity.String(), Publisher: e.Publisher, URL: redact.Credentials(e.URL), Domain: e.Domain,
		Before: redact.Credentials(e.Before), After: redact.Credentials(e.After), Changes: changesForJSON(e.Changes), More: e.More, Message: redact.Credentials(e.Message),
	}
}

func entryForJSON(e *custodian.Entry) *jsonEntry {
	doc := &jsonEntry{At: timeForJSON(e.At)}
	switch {
	case e.Place != nil:
		doc.Kind, doc.Absent = "place", e.Place.Absent
		if !e.Place.Absent {
			doc.Place = placeForJSON(e.Place.Location)
		}
	case e.Version != nil:
		doc.Kind, doc.Version = "version", versionForJSON(e.Version)
	default:
		doc.Kind, doc.jsonEvent = "event", eventForJSON(e.Event)
	}
	return doc
}

// severityOfEntry is the severity of an event, and that of the record for the rest.
func severityOfEntry(e *custodian.Entry) custody.Severity {
	if e.Event == nil {
		return custody.Info
	}
	return e.Event.Severity
}
