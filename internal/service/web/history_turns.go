package web

import (
	"cmp"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/changes"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/resolve"
)

// A turn is what happened to a publisher at one time: the events of one commit, with the version and the
// location that came with them.
type turn struct {
	at      time.Time
	events  []*custody.NumberedEvent
	version *custody.Version
	place   *custody.Place
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
			t.place = e.Place
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
			e.Place != nil && t.place == nil && (t.tells(e.Place.Location.URL) || e.Place.Absent && t.has("publisher.absent")):
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
		if e.After == after && took[e.Code] || e.Code == "move.undone" && e.Before != after &&
			strings.Contains(after, "://") {
			return true
		}
	}
	return false
}

// took are the events after which something else is in effect.
var took = map[string]bool{"file.adopted": true, "file.changed": true, "publisher.located": true, "move.adopted": true,
	"move.confirmed": true}

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
	Names   names
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
	case t.version != nil || t.place != nil:
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
			v.Text, v.Names = ink.words(changes.Sellers(doc.File)), names{}
			for i := range doc.File.Agents {
				v.Names.agent(doc.File.Agents[i].URL)
			}
		}
	case len(t.events) > 0:
		v.Title = capital(cmp.Or(catalogue.Lookup(t.events[0].Code).Title, t.events[0].Code))
	case t.version != nil:
		v.Title = "A version was adopted"
	case t.place.Absent:
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
	if t.place != nil && !t.place.Absent {
		fact("Address", ink.url(t.place.Location.URL))
		fact("Manager", ink.line(t.place.Location.Manager, longestItem))
	}
	for _, e := range t.events {
		fact("Publisher", ink.line(e.Domain, longestItem))
		if t.version == nil && t.place == nil {
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
