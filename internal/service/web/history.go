package web

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/words"
)

// historyView is what happened to a publisher over time.
type historyView struct {
	Pending []string
	// Turns has an entry for each change, the latest first.
	Turns []turnView
	// Line are those after which something else was in effect or might be, the earliest first, and In is
	// the one in effect at the time asked about.
	Line []*turnView
	In   string
	// Older is set when there is more than is shown.
	Older bool
	Past  past
	Days  days
}

// days are those that a slider chooses from: From is the first one, and Last the number of the last.
type days struct {
	From      string
	Last, Day int
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

// mostPast is how many entries of a history are read, and mostOnLine how many changes stand on
// the line of time.
const mostPast, mostOnLine = 120, 7

// historyOf gathers what happened to a publisher, and what was in effect on a day if one is given.
func (p *Pages) historyOf(ctx context.Context, domain, on string, k *known) (*historyView, error) {
	history, err := p.service.History(ctx, domain, mostPast+1)
	if err != nil {
		return nil, err
	}
	view := &historyView{Older: len(history) > mostPast}
	ink := &pen{findingsBytes}
	var begins time.Time
	if !view.Older && len(history) > 0 {
		begins = history[len(history)-1].At
	}
	turns := turnsOf(history[:min(len(history), mostPast)])
	for i := range turns {
		if ink.dry() {
			view.Older = true
			break
		}
		v := turns[i].viewOf(k.doc, ink)
		v.ID = "change-" + strconv.Itoa(len(turns)-i)
		v.URL = publisherAddress(domain, url.Values{"tab": {historyTab}, dayParam: {v.At.UTC().Format(time.DateOnly)}}) +
			"#" + v.ID
		view.Turns = append(view.Turns, v)
	}
	view.Pending = pendingOf(k.record, ink)
	view.Past, err = p.pastOf(ctx, domain, on, begins)
	view.draw(begins, p.now())
	return view, err
}

// draw lays out the line of time.
func (view *historyView) draw(begins, now time.Time) {
	at := view.Past.At
	for i := range view.Turns {
		v := &view.Turns[i]
		if v.Mark == "" {
			continue
		}
		if view.In == "" && v.Mark == "set" && !at.IsZero() && !v.At.After(at) {
			view.In = v.ID
		}
		if len(view.Line) < mostOnLine {
			view.Line = append(view.Line, v)
		}
	}
	slices.Reverse(view.Line)
	if begins.IsZero() {
		return
	}
	first := begins.UTC().Truncate(24 * time.Hour)
	number := func(t time.Time) int { return int(t.Sub(first) / (24 * time.Hour)) }
	view.Days = days{From: first.Format(time.DateOnly), Last: number(now), Day: number(now)}
	if !at.IsZero() {
		view.Days.Day = min(max(0, number(at)), view.Days.Last)
	}
}

// chosenDay is the day that a request asks about: as it was written, or by a slider.
func chosenDay(q url.Values) string {
	if q.Has(dayParam) {
		return q.Get(dayParam)
	}
	from, ok := parseDay(q.Get("from"))
	n, err := strconv.Atoi(q.Get("day"))
	const most = 36_500
	if !ok || err != nil || n < 0 || n > most {
		return ""
	}
	return from.AddDate(0, 0, n).Format(time.DateOnly)
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
	ink := &pen{propertiesBytes}
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

// told returns what a visitor is told about an error about the question, and any other
// error.
func told(err error) (string, error) {
	var shown *registry.Error
	if errors.As(err, &shown) && (shown.Kind == registry.NotFound || shown.Kind == registry.Invalid) {
		return safe(shown.Message), nil
	}
	return "", err
}

// pendingOf says what is held. Until when, and what speaks against it, is for moderators:
// an attacker who tries to take a publisher over must not learn what the service waits
// for.
func pendingOf(s *registry.Record, p *pen) []string {
	if s == nil {
		return nil
	}
	var list []string
	if m := s.Publisher.Move; m != nil {
		list = append(list, "The publisher has led to "+p.url(m.To.URL)+" since "+timeText(m.Since)+
			". Answers rest on the address before until that is settled.")
	}
	if s.File != nil && s.File.Refused != nil {
		r := s.File.Refused
		list = append(list, "The version "+short(r.Hash)+" was seen on "+timeText(r.Since)+" and not adopted: "+
			catalogue.Lookup(r.Code).Title+".")
	}
	if len(s.Held) > 0 {
		list = append(list, words.Plural(len(s.Held), "publisher that the file does not list any more stays",
			"publishers that the file does not list any more stay")+" revoked for a while: "+p.took(items(s.Held))+".")
	}
	return list
}

// changeView is a difference between two versions.
type changeView struct {
	Message     []lead
	Code, Class string
}

// mostChanges is the number of changes that an entry has folded.
const mostChanges = 8

// severityClasses are the styles of severities by their names.
var severityClasses = map[string]string{"info": "", "warning": "warn", "alert": "bad"}
