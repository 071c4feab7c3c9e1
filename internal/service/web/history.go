package web

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/changes"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
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
	Past  pastView
	Days  daySlider
}

// daySlider is for choosing a day: From is the first one, and Last the number of the last.
type daySlider struct {
	From      string
	Last, Day int
}

// pastView is what was in effect at another time.
type pastView struct {
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
func (p *Pages) historyOf(ctx context.Context, domain, on string, doc *resolve.Document,
	record *registry.Record) (*historyView, error) {
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
		v := turns[i].viewOf(doc, ink)
		v.ID = "change-" + strconv.Itoa(len(turns)-i)
		v.URL = publisherAddress(domain, url.Values{"tab": {historyTab}, dayParam: {v.At.UTC().Format(time.DateOnly)}}) +
			"#" + v.ID
		view.Turns = append(view.Turns, v)
	}
	view.Pending = pendingOf(record, ink)
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
	view.Days = daySlider{From: first.Format(time.DateOnly), Last: number(now), Day: number(now)}
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

// pastOf says what was in effect on a day: at its end, or now where that has not come. Nothing is
// known from before a time that is not zero.
func (p *Pages) pastOf(ctx context.Context, domain, on string, begins time.Time) (pastView, error) {
	x := pastView{Action: publisherAddress(domain, nil), On: dayOf(on)}
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

// mostChanges is the number of changes that an entry has folded.
const mostChanges = 8

// A turn is what happened to a publisher at one time: the events of one commit, with the version and the
// location that came with them.
type turn struct {
	at       time.Time
	events   []*custody.NumberedEvent
	version  *custody.Version
	location *custody.Place
}

// turnsOf puts together the entries of a history that belong to one change. The latest is first in both.
func turnsOf(list []custody.Entry) []turn {
	var turns []turn
	for i := range list {
		e := &list[i]
		t := turnFor(turns, e)
		if t == nil {
			turns = append(turns, turn{at: e.At})
			t = &turns[len(turns)-1]
		}
		switch {
		case e.Event != nil:
			t.events = append(t.events, e.Event)
		case e.Version != nil:
			t.version = e.Version
		default:
			t.location = e.Place
		}
	}
	return turns
}

// turnFor returns the turn that an entry belongs to; nil for none. A version and a location are as old
// as what was seen, and the event about them is as old as the commit.
func turnFor(turns []turn, e *custody.Entry) *turn {
	for i := len(turns) - 1; i >= 0; i-- {
		t := &turns[i]
		switch {
		case e.Event != nil && i == len(turns)-1 && t.goesWith(e.Event),
			e.Version != nil && t.version == nil && t.tells(e.Version.Hash),
			e.Place != nil && t.location == nil &&
				(t.tells(e.Place.Location.URL) || e.Place.Absent && t.has("publisher.absent")):
			return t
		}
	}
	return nil
}

// goesWith reports whether an event is of the same commit: a commit brings one version of a file at most.
func (t *turn) goesWith(e *custody.NumberedEvent) bool {
	again := (e.Code == "file.adopted" || e.Code == "file.changed") && t.event("file.adopted", "file.changed") != nil
	return len(t.events) > 0 && t.at.Equal(e.At) && !again
}

// tells reports whether an event of the turn is about what came into effect.
func (t *turn) tells(after string) bool {
	for _, e := range t.events {
		if e.After == after && adoptingEvents[e.Code] || e.Code == "move.undone" && e.Before != after &&
			strings.Contains(after, "://") {
			return true
		}
	}
	return false
}

// adoptingEvents are the events after which something else is in effect.
var adoptingEvents = map[string]bool{"file.adopted": true, "file.changed": true, "publisher.located": true,
	"move.adopted": true, "move.confirmed": true}

func (t *turn) has(code string) bool { return t.event(code) != nil }

// event returns the event with one of some codes.
func (t *turn) event(codes ...string) *custody.NumberedEvent {
	for _, code := range codes {
		for _, e := range t.events {
			if e.Code == code {
				return e
			}
		}
	}
	return nil
}

// A turnView is an entry of the history: one for each change.
type turnView struct {
	ID   string
	At   time.Time
	URL  string // what was in effect then
	Mark string // held, in effect, or nothing
	// Title and Text say what changed for buyers, and Pieces one by one; More is how many are left out.
	Title, Text string
	Pieces      []pieceView
	More        int
	Word, Class string
	// Facts, Changes and Codes are folded.
	Facts   [][2]string
	Changes []changeView
	Codes   []string
	Names   linkedNames
}

// pieceView is one thing that changed.
type pieceView struct{ Sign, Class, Text string }

// mostPieces is how many changes an entry names.
const mostPieces = 4

var signClasses = map[string]string{"+": "plus", "−": "minus"}

// movedWords are the titles of entries about locations.
var movedWords = map[string]string{
	"move.held": "New location, held", "move.restarted": "Another new location, held", "move.adopted": "New location",
	"move.confirmed": "New location, confirmed by an operator",
}

// viewOf shows a turn. What an event says in words is for the operator, since it may tell why a request
// failed; its code says what happened. doc is what answers rest on now.
func (t *turn) viewOf(doc *resolve.Document, ink *pen) turnView {
	v := turnView{At: t.at, Class: "", Mark: t.mark()}
	worst := custody.Info
	for _, e := range t.events {
		worst = max(worst, e.Severity)
		v.Codes = append(v.Codes, e.Code)
	}
	if word := worst.String(); len(t.events) > 0 && word != "info" {
		v.Word, v.Class = word, severityClasses[word]
	}
	v.say(t, doc, ink)
	v.facts(t, ink)
	return v
}

// mark says how the turn stands on the line of time.
func (t *turn) mark() string {
	switch {
	case t.has("move.held") || t.has("move.restarted"):
		return "held"
	case t.version != nil || t.location != nil:
		return "set"
	}
	return ""
}

// say puts the turn into words.
func (v *turnView) say(t *turn, doc *resolve.Document, ink *pen) {
	changed := t.event("file.changed")
	moved := t.event("move.held", "move.restarted", "move.adopted", "move.confirmed")
	switch {
	case moved != nil:
		v.Title, v.Text = movedWords[moved.Code],
			ink.line(redact.Credentials(insteadOf(moved.After, moved.Before)), longestText)
	case changed != nil:
		pieces, more := changes.Summary(changed.Changes, mostPieces)
		v.Names = namesIn(changed.Changes)
		v.More = more + changed.More
		for _, p := range pieces {
			v.Pieces = append(v.Pieces, pieceView{p.Sign, signClasses[p.Sign], ink.words(p.Text)})
		}
		if len(pieces) == 0 {
			v.Title = "A version that means the same to buyers"
		}
	case t.has("publisher.located") || t.has("file.adopted"):
		v.Title = "First seen"
		if doc.File != nil && t.version != nil && t.version.Hash == doc.SHA256 {
			v.Text, v.Names = ink.words(changes.Sellers(doc.File)), linkedNames{}
			for i := range doc.File.Agents {
				v.Names.agent(doc.File.Agents[i].URL)
			}
		}
	case len(t.events) > 0:
		v.Title = capital(cmp.Or(catalogue.Lookup(t.events[0].Code).Title, t.events[0].Code))
	case t.version != nil:
		v.Title = "A version was adopted"
	case t.location.Absent:
		v.Title = "No file from then on"
	default:
		v.Title = "A location was adopted"
	}
}

// insteadOf names the host of a location and of the one before or, if it is the same, the whole.
func insteadOf(after, before string) string {
	a, b := changes.ShortName(after), changes.ShortName(before)
	if a == b {
		a, b = after, before
	}
	return a + " instead of " + b
}

// facts adds what is folded.
func (v *turnView) facts(t *turn, ink *pen) {
	fact := func(name, value string) {
		if value != "" {
			v.Facts = append(v.Facts, [2]string{name, value})
		}
	}
	if t.version != nil {
		fact("SHA-256", t.version.Hash)
		fact("Size", bytesInWords(t.version.Bytes))
		if !t.version.LastUpdated.IsZero() {
			fact("last_updated", timeText(t.version.LastUpdated))
		}
	}
	if t.location != nil && !t.location.Absent {
		fact("Address", ink.url(t.location.Location.URL))
		fact("Manager", ink.line(t.location.Location.Manager, longestItem))
	}
	for _, e := range t.events {
		fact("Publisher", ink.line(e.Domain, longestItem))
		if t.version == nil && t.location == nil {
			fact("Before", ink.line(redact.URL(e.Before), longestText))
			fact("After", ink.line(redact.URL(e.After), longestText))
		}
		for i := range e.Changes[:min(len(e.Changes), mostChanges)] {
			c := &e.Changes[i]
			v.Changes = append(v.Changes,
				changeView{v.Names.Link(sentence(ink.words(changes.Words(c)))), c.Code, severityClasses[c.Severity.String()]})
		}
	}
}

// Label is the change in a few words, for the line of time.
func (v *turnView) Label() string {
	if len(v.Pieces) == 0 {
		return v.Title
	}
	p := &v.Pieces[0]
	return strings.TrimSpace(p.Sign + " " + p.Text)
}
