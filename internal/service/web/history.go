package web

import (
	"context"
	"time"

	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/words"
)

// historyView is what happened to a publisher over time.
type historyView struct {
	Pending  []string
	Timeline []moment
	// Older is set when there is more than the timeline shows.
	Older bool
	Past  past
}

// past is what was in effect at another time.
type past struct {
	// Action is where the form for a day leads, and On the day asked about; At is the instant
	// that stands for it.
	Action, On string
	At         time.Time
	Error      string
	// State is empty if the agent was not fetched.
	State, Hash, URL, Method string
	Adopted                  time.Time
	// Held are publishers that stayed revoked.
	Held   string
	Matrix *matrix
}

// mostMoments is the length of a timeline.
const mostMoments = 40

// historyOf gathers what happened to a publisher, and what was in effect on a day if one is given.
func (p *Pages) historyOf(ctx context.Context, domain, on string, state *registry.Record) (*historyView, error) {
	history, err := p.service.History(ctx, domain, mostMoments+1)
	if err != nil {
		return nil, err
	}
	view := &historyView{Older: len(history) > mostMoments}
	ink := &pen{roomForFindings}
	for i := range history[:min(len(history), mostMoments)] {
		if ink.dry() {
			view.Older = true
			break
		}
		view.Timeline = append(view.Timeline, momentOf(&history[i], ink))
	}
	view.Pending = pendingOf(state, ink)
	view.Past, err = p.pastOf(ctx, domain, on, view.begins())
	return view, err
}

// begins is when the first thing happened that is known of the publisher; zero when the timeline
// does not go back so far.
func (view *historyView) begins() time.Time {
	if view.Older || len(view.Timeline) == 0 {
		return time.Time{}
	}
	return view.Timeline[len(view.Timeline)-1].Entry.At
}

// dayOf returns a day if it is one: browsers show nothing else in a field for days.
func dayOf(s string) string {
	day, ok := parseDay(s)
	if !ok {
		return ""
	}
	return day.Format(time.DateOnly)
}

// parseDay reads a day, which begins at 00:00 UTC.
func parseDay(s string) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, s)
	return day, err == nil
}

// pastOf says what was in effect on a day: at its end, or now where that has not come. Nothing is
// known from before a time that is not zero.
func (p *Pages) pastOf(ctx context.Context, domain, on string, begins time.Time) (past, error) {
	x := past{Action: publisherAddress(domain, nil), On: dayOf(on)}
	if on == "" {
		return x, nil
	}
	day, ok := parseDay(on)
	now := p.now().UTC()
	if !ok || day.After(now) {
		x.Error = "write a day that has come, like " + now.Format(time.DateOnly)
		return x, nil
	}
	x.At = day.Add(24*time.Hour - time.Second)
	if x.At.After(now) {
		x.At = now
	}
	if x.At.Before(begins) {
		x.Error = "what this service knows of " + safe(domain) + " begins on " + begins.UTC().Format("2 January 2006")
		return x, nil
	}
	doc, version, err := p.service.Replay(ctx, domain, x.At)
	if err != nil {
		x.Error, err = told(err)
		return x, err
	}
	ink := &pen{roomForProperties}
	x.State, x.Method = doc.State.String(), methodWords(doc.Method, safe(domain))
	if version != nil {
		x.Hash, x.URL, x.Adopted = version.Hash, ink.url(version.URL), version.AdoptedAt
	}
	if len(doc.Revoked) > 0 {
		x.Held = ink.took(items(doc.Revoked))
	}
	x.Matrix = matrixOf(doc, x.At, ink)
	return x, nil
}

// pendingOf says what is held. Until when, and what speaks against it, is for moderators:
// an attacker who tries to take a publisher over must not learn what the service waits
// for.
func pendingOf(s *registry.Record, p *pen) []string {
	var list []string
	if m := s.Publisher.Move; m != nil {
		list = append(list, "The publisher has led to "+p.url(m.To.URL)+" since "+timeText(m.Since)+". Answers rest on the address before until that is settled.")
	}
	if s.File != nil && s.File.Refused != nil {
		r := s.File.Refused
		list = append(list, "The version "+short(r.Hash)+" was seen on "+timeText(r.Since)+" and not adopted: "+catalogue.Lookup(r.Code).Title+".")
	}
	if len(s.Held) > 0 {
		list = append(list, words.Plural(len(s.Held), "publisher that the file does not list any more stays", "publishers that the file does not list any more stay")+" revoked for a while: "+p.took(items(s.Held))+".")
	}
	return list
}

// moment is a line of the timeline.
type moment struct {
	Title, Code, Class, Word string
	Entry                    custody.Entry
	Facts                    [][2]string
	Changes                  []changeView
	More                     int
}

// changeView is a difference between two versions.
type changeView struct{ Message, Code, Class string }

// mostChanges is the number of changes that a moment shows.
const mostChanges = 8

// severityClasses are the styles of severities by their names.
var severityClasses = map[string]string{"info": "", "warning": "warn", "alert": "bad"}

// momentOf shows an entry of a history. What an event says in words is for the operator,
// since it may tell why a request failed; its code says what happened.
func momentOf(e *custody.Entry, p *pen) moment {
	m := moment{Entry: *e}
	fact := func(name, value string) {
		if value != "" {
			m.Facts = append(m.Facts, [2]string{name, value})
		}
	}
	switch {
	case e.Version != nil:
		m.Title = "A version was adopted"
		fact("SHA-256", e.Version.Hash)
		fact("Size", bytesInWords(e.Version.Bytes))
		if !e.Version.LastUpdated.IsZero() {
			fact("last_updated", timeText(e.Version.LastUpdated))
		}
	case e.Place != nil && e.Place.Absent:
		m.Title = "The publisher had no file, from then on"
	case e.Place != nil:
		m.Title = "The authority came from here, from then on"
		fact("Address", p.url(e.Place.Location.URL))
		fact("Manager", p.line(e.Place.Location.Manager, longestItem))
	case e.Event != nil:
		m.event(e.Event, p, fact)
	}
	return m
}

func (m *moment) event(e *custody.NumberedEvent, p *pen, fact func(name, value string)) {
	m.Code, m.Title = e.Code, capital(orElse(catalogue.Lookup(e.Code).Title, e.Code))
	m.Word = e.Severity.String()
	m.Class = severityClasses[m.Word]
	fact("Publisher", p.line(e.Domain, longestItem))
	fact("Before", p.line(redact.URL(e.Before), longestText))
	fact("After", p.line(redact.URL(e.After), longestText))
	for i := range e.Changes[:min(len(e.Changes), mostChanges)] {
		c := &e.Changes[i]
		m.Changes = append(m.Changes, changeView{sentence(p.words(c.Message)), c.Code, severityClasses[c.Severity.String()]})
	}
	m.More = len(e.Changes) - len(m.Changes) + e.More
}
