package web

import (
	"strconv"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/fetch"
)

// hop is one step of the way to a file.
type hop struct {
	Step, URL, Resolved, Result string
	Meaning, Next               string
}

// trailOf shows the way to a file.
func trailOf(d *discover.Discovery, p *pen) []hop {
	var list []hop
	for i := range d.Trail {
		h := &d.Trail[i]
		x := hop{Step: steps[h.Step], URL: p.url(h.URL), Result: "not asked", Meaning: sentence(p.words(h.Meaning)), Next: sentence(p.words(h.Next))}
		if h.Result != nil {
			x.Result = resultWords(h.Result)
		}
		if h.Result != nil && h.Result.URL != h.URL {
			x.Resolved = p.url(h.Result.URL)
		}
		list = append(list, x)
	}
	return list
}

// resultWords says how a request ended, in a few words.
func resultWords(r *fetch.Result) string {
	last := r.Last()
	words := outcomeWords(r.Outcome)
	if r.Outcome == fetch.Found {
		words = "found, " + bytesInWords(last.Bytes)
	}
	if last.Status == 0 {
		return words
	}
	return "status " + strconv.Itoa(last.Status) + ", " + words
}
