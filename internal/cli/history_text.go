package cli

import (
	"time"

	"fmt"
	"slices"
	"strings"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// historyText writes a history for people.
type historyText struct{ answerText }

func (a *app) historyText(out *output, f *historyFlags) *historyText {
	t := &historyText{answerText{w: out.w, width: a.textWidth()}}
	if f.output == "" {
		t.paint = a.style(Stdout)
	}
	return t
}

// moment writes what counted at a time.
func (t *historyText) moment(m *momentary) {
	fmt.Fprintf(t.w, "%s at %s\n\n", safe(m.domain), timeForJSON(m.at))
	switch {
	case m.place.Absent:
		t.line("place:", "none since "+timeForJSON(m.place.AdoptedAt)+": the publisher had no file")
	default:
		t.line("place:", safe(locationWords(m.place.Location))+", since "+timeForJSON(m.place.AdoptedAt))
	}
	if m.version != nil {
		t.line("version:", safe(versionWords(m.version)))
	}
	if m.doc.State != resolve.Usable && m.doc.Detail != "" {
		t.line("but:", safe(redact.Credentials(m.doc.Detail)))
	}
	t.revoked(m.doc.Revoked)
}

// revoked writes the revocations that are held.
func (t *historyText) revoked(list []string) {
	if len(list) == 0 {
		return
	}
	text := strings.Join(capped(list), ", ")
	if more := len(list) - mostShown; more > 0 {
		text += " and " + words.Thousands(more) + " more"
	}
	t.line("revoked:", safe(text)+", although the file did not list them any more")
}

func versionWords(v *custodian.Version) string {
	text := "SHA-256 " + shortHash(v.Hash) + " of " + redact.URL(v.URL) + ", adopted " + timeForJSON(v.AdoptedAt)
	if !v.LastUpdated.IsZero() {
		text += ", dated " + timeForJSON(v.LastUpdated)
	}
	return text + ", " + bytesInWords(v.Bytes)
}

// confirmedWords say when a version was last confirmed, which it was not since an old copy
// of the store was put back.
func confirmedWords(t time.Time) string {
	if t.IsZero() {
		return "not confirmed"
	}
	return "confirmed " + timeForJSON(t)
}

// present writes what counts now.
func (t *historyText) present(s *custodian.State) {
	p, f := s.Publisher, s.File
	fmt.Fprintf(t.w, "%s, %s\n\n", safe(p.Domain), servedWords(s))
	if p.Location.URL != "" && !p.Absent {
		t.line("place:", safe(locationWords(p.Location))+", since "+timeForJSON(p.AdoptedAt)+", "+p.Standing(s.At).String())
	}
	if f != nil && f.Hash != "" {
		t.line("version:", safe(versionWords(&custodian.Version{
			URL: f.URL, Hash: f.Hash, AdoptedAt: f.AdoptedAt, LastUpdated: f.LastUpdated, Bytes: f.Bytes,
		}))+", "+confirmedWords(f.ConfirmedAt)+", "+s.FileStanding.String())
	}
	if s.Detail != "" {
		t.line("but:", safe(redact.Credentials(s.Detail)))
	}
	if p.Move != nil {
		t.line("held:", safe(moveWords(p))+"; see avow hold list")
	}
	if f != nil && f.Refused != nil {
		t.line("refused:", safe(refusalWords(f))+"; see avow hold list")
	}
	t.held(s)
	t.section()
}

// held writes the revocations that are held now.
func (t *historyText) held(s *custodian.State) {
	if len(s.Held) == 0 {
		return
	}
	text := words.Plural(len(s.Held), "publisher stays", "publishers stay") + " revoked although the file does not list them any more"
	if slices.Contains(s.Held, s.Publisher.Domain) {
		text += ", this one among them"
	}
	t.line("revoked:", text)
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
func (t *historyText) entry(e *custodian.Entry) {
	var kind, text string
	switch {
	case e.Place != nil && e.Place.Absent:
		kind, text = "place", "none, there is no file"
	case e.Place != nil:
		kind, text = "place", safe(locationWords(e.Place.Location))
	case e.Version != nil:
		kind, text = "version", "SHA-256 "+shortHash(e.Version.Hash)+" of "+safe(redact.URL(e.Version.URL))+", "+bytesInWords(e.Version.Bytes)
	default:
		kind, text = e.Event.Severity.String(), eventWords(e.Event)+" "+t.paint.dim("["+e.Event.Code+"]")
	}
	fmt.Fprintf(t.w, "%s  %s %s\n", timeForJSON(e.At), t.paint.custody(severityOfEntry(e), padded(kind, len("version"))), text)
}

// eventWords are the message of an event with what it is about, safe to show.
func eventWords(e *custodian.Event) string {
	text := safe(redact.Credentials(e.Message))
	if e.Domain != "" && !strings.Contains(e.Message, e.Domain) {
		text = safe(e.Domain) + ": " + text
	}
	if n := len(e.Changes) + e.More; n > 0 {
		text += " (" + words.Plural(n, "change", "changes") + ", " + strongest(e.Changes) + ")"
	}
	return text
}

// strongest names the gravest of some changes.
func strongest(list []custody.Change) string { return "at most " + custody.Worst(list).String() }
