// Package history has the commands history and hold: what was kept of a publisher over time,
// and what is pending.
package history

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/diff"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
)

const historyHelp = `History shows what was kept about a publisher over time, latest first: the locations of
its file, the versions of the file, and events such as a pending move, a refused version or a
revocation. What is in effect now
comes first.

--at TIME says instead what was in effect at a time: the location, the version, and the
publishers that stayed revoked although that version did not list them any more. --print
writes the exact bytes of the version in effect, or of the one in effect at that time. Nothing
is asked on the web.

Exit codes: 0 there is something, 2 wrong usage, 3 nothing was kept, or it
could not be read.`

const historyExamples = `  avow history example.com
  avow history example.com --at 2026-01-02T00:00:00Z
  avow history example.com --at 2026-01-02T00:00:00Z --print > adagents.json
  avow history example.com --limit 1000 --format json | jq 'select(.severity == "alert")'`

// Command returns the command history.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "history [flags] DOMAIN",
		Short:             "show the versions and events of a publisher's file",
		Long:              historyHelp,
		Example:           historyExamples,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args:              oneDomain,
	}
	f := &historyFlags{format: console.AddChoice(cmd, "format", "output format", "text", "json")}
	flags := cmd.Flags()
	flags.StringVar(&f.at, "at", "", "say what counted at `TIME`, for example 2026-01-02T00:00:00Z")
	flags.BoolVar(&f.print, "print", false, "write the exact bytes of the version in effect")
	flags.IntVar(&f.limit, "limit", 50, "most `NUMBER` of entries to show")
	flags.StringVarP(&f.output, "output", "o", "", "write to `FILE` instead of standard output")
	f.state = sources.AddOperatorFlags(cmd)
	cmd.PreRunE = console.NoEmptyFlag
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return history(a, cmd, f, args[0]) }
	return cmd
}

func oneDomain(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) != 1:
		return console.UsageError("name the publisher's domain: "+cmd.CommandPath()+" example.com",
			"%s takes one domain, got %d", cmd.CommandPath(), len(args))
	case args[0] == "":
		return console.UsageError("is a variable of your script not set?", "the name of a domain is empty")
	}
	return nil
}

func history(a *console.App, cmd *cobra.Command, f *historyFlags, written string) error {
	if f.limit < 1 {
		return console.UsageError("leave it out for the default", "--limit must be 1 at least")
	}
	var at time.Time
	var err error
	if f.at != "" {
		at, err = console.ParseInstant(f.at)
		if err != nil {
			return console.FlagError("at", err)
		}
	}
	domain, err := sources.ParseDomain(written)
	if err != nil {
		return err
	}
	return withKeeper(cmd.Context(), a, f.state, func(ctx context.Context, k *kept) error {
		switch {
		case f.print:
			return printVersion(ctx, a, k, f, domain, at)
		case !at.IsZero():
			return showMoment(ctx, a, k, f, domain, at)
		}
		return showHistory(ctx, a, k, f, domain)
	})
}

// printVersion writes the bytes of the version in effect.
func printVersion(ctx context.Context, a *console.App, k *kept, f *historyFlags, domain hostname.Domain,
	at time.Time) error {
	if at.IsZero() {
		at = a.Env.Now()
	}
	m, err := k.snapshotAt(ctx, domain, at)
	if err != nil {
		return err
	}
	if m.version == nil {
		return console.Failure("avow history "+string(domain)+" shows what happened", "no version counted for %s at %s",
			domain, wire.Time(at))
	}
	src, err := k.Document(ctx, m.version.Hash)
	if err != nil {
		return err
	}
	out, err := a.OpenOutput(f.output)
	if err != nil {
		return err
	}
	_, err = out.W.Write(src)
	return out.Close(err)
}

// showMoment writes what was in effect at a time.
func showMoment(ctx context.Context, a *console.App, k *kept, f *historyFlags, domain hostname.Domain,
	at time.Time) error {
	m, err := k.snapshotAt(ctx, domain, at)
	if err != nil {
		return err
	}
	out, err := a.OpenOutput(f.output)
	if err != nil {
		return err
	}
	if f.format.Value == "json" {
		err = console.WriteJSONLine(out.W, m.document())
	} else {
		newHistoryText(a, out, f).moment(m)
	}
	return out.Close(err)
}

// showHistory writes what is in effect now, and the entries of the past.
func showHistory(ctx context.Context, a *console.App, k *kept, f *historyFlags, domain hostname.Domain) error {
	state, err := k.keeper.State(ctx, domain)
	if err != nil {
		return err
	}
	if state.Publisher.TriedAt.IsZero() {
		return diff.NeverKept(domain)
	}
	entries, err := k.keeper.History(ctx, domain, f.limit)
	if err != nil {
		return err
	}
	out, err := a.OpenOutput(f.output)
	if err != nil {
		return err
	}
	if f.format.Value == "json" {
		for i := range entries {
			err = console.WriteJSONLine(out.W, entryForJSON(&entries[i]))
			if err != nil {
				break
			}
		}
	} else {
		t := newHistoryText(a, out, f)
		t.present(state)
		for i := range entries {
			t.entry(&entries[i])
		}
		if len(entries) == f.limit {
			t.Line("", "there may be more; --limit shows them")
		}
	}
	return out.Close(err)
}

// jsonSnapshot is what was in effect at a time, in JSON.
type jsonSnapshot struct {
	Publisher string             `json:"publisher"`
	At        string             `json:"at"`
	State     string             `json:"state"`
	Place     *wire.CustodyPlace `json:"place"`
	PlaceFrom *string            `json:"place_adopted_at"`
	// Version is null when there was none.
	Version *wire.CustodyVersion `json:"version"`
	// Held are the domains that stayed revoked although the version did not list them.
	Held   []string `json:"revocations_held"`
	Detail string   `json:"detail,omitempty"`
}

func (m *snapshot) document() *jsonSnapshot {
	doc := &jsonSnapshot{
		Publisher: string(m.domain), At: wire.Time(m.at), State: m.doc.State.String(),
		PlaceFrom: wire.OptionalTime(m.place.AdoptedAt),
		Version:   wire.CLI.Version(m.version), Held: wire.NotNil(m.doc.Revoked), Detail: redact.Credentials(m.doc.Detail),
	}
	if !m.place.Absent {
		doc.Place = wire.CLI.Location(m.place.Location)
	}
	return doc
}

// jsonEntry is an entry of a history in JSON: a place, a version or an event.
type jsonEntry struct {
	At   string `json:"at"` // of either
	Kind string `json:"kind"`
	wire.CustodyEntry
	*wire.CustodyEvent
}

func entryForJSON(e *custody.Entry) *jsonEntry {
	doc := &jsonEntry{Kind: "event", CustodyEntry: wire.CLI.Entry(e)}
	doc.At = doc.CustodyEntry.At
	switch {
	case e.Place != nil:
		doc.Kind = "place"
	case e.Version != nil:
		doc.Kind = "version"
	default:
		doc.CustodyEvent = wire.CLI.Event(e.Event)
	}
	return doc
}
