package web

import (
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/freshness"
	"github.com/avow-project/avow/internal/std/words"
)

// hop is one step of the way to a file.
type hop struct {
	Step, URL, Resolved, Result string
	// Facts are what is known about the answer: its type, size, time and how long caches may
	// keep it.
	Facts         []string
	Meaning, Next string
	// Short is the step in the strip, Class its colour: good, bad, warn or none, and Status how the
	// request ended in a word.
	Short, Class, Status string
}

// trailOf shows the way to a file.
func trailOf(d *discover.Discovery, p *pen) []hop {
	var list []hop
	for i := range d.Trail {
		h := &d.Trail[i]
		x := hop{
			Step: stepNames[h.Step], URL: p.url(h.URL), Result: "not asked", Meaning: sentence(p.words(h.Meaning)),
			Next:  sentence(p.words(h.Next)),
			Class: "none", Status: "not asked", Short: shortSteps[h.Step],
		}
		if h.Result != nil {
			x.Result = resultWords(h.Result)
			x.Facts, x.Class, x.Status = factsOf(h.Result, p), classOf(h.Result), statusOf(h.Result)
		}
		if h.Result != nil && h.Result.URL != h.URL {
			x.Resolved = p.url(h.Result.URL)
		}
		list = append(list, x)
	}
	return list
}

// stepNames name what is asked for in a step.
var stepNames = map[discover.Step]string{
	discover.WellKnown: "The publisher’s file", discover.Authoritative: "The file it points to",
	discover.AdsTxt:  "The publisher’s ads.txt",
	discover.Manager: "The manager’s file", discover.ManagerAuthoritative: "The file the manager points to",
	discover.Superseding: "The file that replaces it",
}

// shortSteps name the steps in the strip.
var shortSteps = map[discover.Step]string{
	discover.WellKnown: "Well-known file", discover.Authoritative: "Authoritative file", discover.AdsTxt: "ads.txt",
	discover.Manager:              "Manager’s file",
	discover.ManagerAuthoritative: "Manager’s other file", discover.Superseding: "Successor",
}

// outcomeWords is how a request ended, as far as strangers may know: why it could not
// connect is not told apart, since that would let anybody explore the network that
// the service runs in.
func outcomeWords(o fetch.Outcome) string {
	switch o.Public() {
	case fetch.PublicConnection:
		return "no connection"
	case fetch.PublicTimeout:
		return "no answer in time"
	}
	return strings.ReplaceAll(o.String(), "_", " ")
}

// resultWords says how a request ended, in a few words.
func resultWords(r *fetch.Result) string {
	last := r.Last()
	text := outcomeWords(r.Outcome)
	if r.Outcome == fetch.Found {
		text = "found"
	}
	if last.Status == 0 {
		return text
	}
	return "status " + strconv.Itoa(last.Status) + ", " + text
}

// statusOf is the same in a word.
func statusOf(r *fetch.Result) string {
	if status := r.Last().Status; status != 0 {
		return strconv.Itoa(status)
	}
	return outcomeWords(r.Outcome)
}

func classOf(r *fetch.Result) string {
	switch {
	case r.Outcome == fetch.Found:
		return "good"
	case r.Outcome == fetch.Absent:
		return "none"
	case r.Last().Status == 0:
		return "warn"
	}
	return "bad"
}

// factsOf is what is known about an answer; nothing when none came, since how long that took
// would tell strangers about the network that the service runs in.
func factsOf(r *fetch.Result, p *pen) []string {
	last := r.Last()
	if last.Status == 0 {
		return nil
	}
	kind, size := "no type", "no content"
	if last.MediaType != "" {
		kind = p.line(last.MediaType, longestItem)
	}
	if last.Bytes > 0 {
		size = bytesInWords(last.Bytes)
	}
	facts := []string{kind, size, milliseconds(last.Timings.Total)}
	life, why := freshness.Lifetime(last.Caching(), last.At, freshness.Policy{})
	switch {
	case why.Basis == freshness.Unstated:
		return append(facts, "no cache life")
	case life == 0:
		return append(facts, "not to be cached")
	}
	return append(facts, "cached for "+span(life))
}

func milliseconds(d time.Duration) string {
	return words.Thousands(int(d.Round(time.Millisecond)/time.Millisecond)) + " ms"
}
