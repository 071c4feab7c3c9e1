package history

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// historyText writes a history for people.
type historyText struct{ console.Lines }

func newHistoryText(a *console.App, out *console.Output, f *historyFlags) *historyText {
	t := &historyText{console.Lines{W: out.W, Width: a.TextWidth()}}
	if f.output == "" {
		t.Paint = a.Style(console.Stdout)
	}
	return t
}

// moment writes what was in effect at a time.
func (t *historyText) moment(m *snapshot) {
	fmt.Fprintf(t.W, "%s at %s\n\n", console.Safe(string(m.domain)), wire.Time(m.at))
	switch {
	case m.place.Absent:
		t.Line("location:", "none since "+wire.Time(m.place.AdoptedAt)+": the publisher had no file")
	default:
		t.Line("location:", console.Safe(sources.LocationWords(m.place.Location))+", since "+wire.Time(m.place.AdoptedAt))
	}
	if m.version != nil {
		t.Line("version:", console.Safe(versionWords(m.version)))
	}
	if m.doc.State != resolve.Usable && m.doc.Detail != "" {
		t.Line("but:", console.Safe(redact.Credentials(m.doc.Detail)))
	}
	t.revoked(m.doc.Revoked)
}

// revoked writes the revocations that are held.
func (t *historyText) revoked(list []string) {
	if len(list) == 0 {
		return
	}
	text := strings.Join(console.Capped(list), ", ")
	if more := len(list) - console.MostListed; more > 0 {
		text += " and " + words.Thousands(more) + " more"
	}
	t.Line("revoked:", console.Safe(text)+", although the file did not list them any more")
}

func versionWords(v *custody.Version) string {
	text := "SHA-256 " + sources.ShortHash(v.Hash) + " of " + redact.URL(v.URL) + ", adopted " + wire.Time(v.AdoptedAt)
	if !v.LastUpdated.IsZero() {
		text += ", dated " + wire.Time(v.LastUpdated)
	}
	return text + ", " + console.Bytes(v.Bytes)
}

// confirmedWords say when a version was last confirmed, which it was not since an old copy
// of the store was put back.
func confirmedWords(t time.Time) string {
	if t.IsZero() {
		return "not confirmed"
	}
	return "confirmed " + wire.Time(t)
}

// present writes what is in effect now.
func (t *historyText) present(s *custodian.State) {
	p, f := s.Publisher, s.File
	fmt.Fprintf(t.W, "%s, %s\n\n", console.Safe(string(p.Domain)), servedWords(s))
	if p.Location.URL != "" && !p.Absent {
		t.Line("location:", console.Safe(sources.LocationWords(p.Location))+", since "+wire.Time(p.AdoptedAt)+", "+
			p.Standing(s.At).String())
	}
	if f != nil && f.Hash != "" {
		t.Line("version:", console.Safe(versionWords(&custody.Version{
			URL: f.URL, Hash: f.Hash, AdoptedAt: f.AdoptedAt, LastUpdated: f.LastUpdated, Bytes: f.Bytes,
		}))+", "+confirmedWords(f.ConfirmedAt)+", "+s.FileStanding.String())
	}
	if s.Detail != "" {
		t.Line("but:", console.Safe(redact.Credentials(s.Detail)))
	}
	if p.Move != nil {
		t.Line("held:", console.Safe(sources.MoveWords(p))+"; see avow hold list")
	}
	if f != nil && f.Refused != nil {
		t.Line("refused:", console.Safe(sources.RefusalWords(f))+"; see avow hold list")
	}
	t.held(s)
	t.Section()
}

// held writes the revocations that are held now.
func (t *historyText) held(s *custodian.State) {
	if len(s.Held) == 0 {
		return
	}
	text := words.Plural(len(s.Held), "publisher stays", "publishers stay") +
		" revoked although the file does not list them any more"
	if slices.Contains(s.Held, string(s.Publisher.Domain)) {
		text += ", this one among them"
	}
	t.Line("revoked:", text)
}

// servedWords say what questions are answered from.
func servedWords(s *custodian.State) string {
	switch s.Served {
	case resolve.Usable:
		return "answered from its file"
	case resolve.Absent:
		return "has no file"
	case resolve.Unusable:
		return "has no file that can be used"
	}
	return "not answered for at present"
}

// entry writes a line of a history.
func (t *historyText) entry(e *custody.Entry) {
	var kind, text string
	switch {
	case e.Place != nil && e.Place.Absent:
		kind, text = "location", "none, there is no file"
	case e.Place != nil:
		kind, text = "location", console.Safe(sources.LocationWords(e.Place.Location))
	case e.Version != nil:
		kind, text = "version", "SHA-256 "+sources.ShortHash(e.Version.Hash)+" of "+console.Safe(redact.URL(e.Version.URL))+
			", "+console.Bytes(e.Version.Bytes)
	default:
		kind, text = e.Event.Severity.String(), eventWords(e.Event)+" "+t.Paint.Dim("["+e.Event.Code+"]")
	}
	fmt.Fprintf(t.W, "%s  %s %s\n", wire.Time(e.At),
		t.Paint.Custody(severityOfEntry(e), console.Padded(kind, len("location"))), text)
}

// eventWords are the message of an event with what it is about, safe to show.
func eventWords(e *custody.NumberedEvent) string {
	text := console.Safe(redact.Credentials(e.Message))
	if e.Domain != "" && !strings.Contains(e.Message, e.Domain) {
		text = console.Safe(e.Domain) + ": " + text
	}
	if n := len(e.Changes) + e.More; n > 0 {
		text += " (" + words.Plural(n, "change", "changes") + ", " + strongest(e.Changes) + ")"
	}
	return text
}

// strongest names the most serious of some changes.
func strongest(list []custody.Change) string { return "at most " + custody.Worst(list).String() }

// severityOfEntry is the severity of an event, or of the record for other entries.
func severityOfEntry(e *custody.Entry) custody.Severity {
	if e.Event == nil {
		return custody.Info
	}
	return e.Event.Severity
}
