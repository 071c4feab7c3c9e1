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
	// class is the picture's: good, bad, warn or none; status stands in it, too.
	class, status string
	// short is the step in the picture, and link how the one before leads to it.
	short, link string
}

// trailOf shows the way to a file.
func trailOf(d *discover.Discovery, p *pen) []hop {
	var list []hop
	for i := range d.Trail {
		h := &d.Trail[i]
		x := hop{
			Step: steps[h.Step], URL: p.url(h.URL), Result: "not asked", Meaning: sentence(p.words(h.Meaning)), Next: sentence(p.words(h.Next)),
			class: "none", status: "not asked", short: shortSteps[h.Step], link: stepLinks[h.Step],
		}
		if h.Result != nil {
			x.Result = resultWords(h.Result)
			x.Facts, x.class, x.status = factsOf(h.Result, p), classOf(h.Result), statusOf(h.Result)
		}
		if h.Result != nil && h.Result.URL != h.URL {
			x.Resolved = p.url(h.Result.URL)
		}
		list = append(list, x)
	}
	return list
}

// stepLinks say how one step leads to the next.
var stepLinks = map[discover.Step]string{
	discover.WellKnown: "is asked", discover.Authoritative: "points to", discover.AdsTxt: "no file, so", discover.Manager: "names",
	discover.ManagerAuthoritative: "points to", discover.Superseding: "replaced by",
}

// shortSteps name the steps in a picture.
var shortSteps = map[discover.Step]string{
	discover.WellKnown: "Well-known file", discover.Authoritative: "Authoritative file", discover.AdsTxt: "ads.txt", discover.Manager: "Manager’s file",
	discover.ManagerAuthoritative: "Manager’s other file", discover.Superseding: "Successor",
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

// wayPicture is the way to a file as a drawing.
type wayPicture struct {
	Down          bool
	Width, Height int
	Nodes         []pictureNode
	Links         []pictureLink
	// Words say the same as the drawing.
	Words string
}

type pictureNode struct {
	X, Y, W, H int
	Class      string
	Lines      []pictureLine
}

// FrameWidth is the width of the line around the node, within it.
func (n pictureNode) FrameWidth() int { return n.W - margin }

// FrameHeight is the height of that.
func (n pictureNode) FrameHeight() int { return n.H - margin }

// pictureLine is a text at a height within its node.
type pictureLine struct {
	Y           int
	Class, Text string
}

// pictureLink is an arrow from one node to the next, with a word beside it. Across, From and To are
// to the right; down, they are below.
type pictureLink struct {
	Down           bool
	From, To, Side int
	Label          string
}

// Middle is half way.
func (l pictureLink) Middle() int { return (l.From + l.To) / 2 }

// Sizes of a picture, in pixels, and of the texts in it, in characters.
const (
	startWidth, nodeWidth, nodeHeight, nodeGap, margin = 160, 216, 128, 78, 2
	startHeight, downGap, downSide                     = 66, 44, 40
	longestMono, longestSans                           = 26, 30
)

// pictureOf draws the way from a publisher to its file: across, or down for narrow screens.
func pictureOf(domain string, trail []hop, down bool) wayPicture {
	pic := wayPicture{Down: down}
	start := pictureNode{W: startWidth, H: nodeHeight, Class: "start", Lines: []pictureLine{{26, "title", "Publisher"}, {50, "mono", cut(domain, longestMono-8)}}}
	if down {
		start.W, start.H, start.Lines[1].Text = nodeWidth, startHeight, cut(domain, longestMono)
	}
	pic.add(start, "")
	said := []string{domain}
	for i := range trail {
		h := &trail[i]
		host, path := hostAndPath(h.URL)
		lines := []pictureLine{{26, "title", h.short}, {26, "status", cut(h.status, 14)}, {50, "mono", cut(host, longestMono)}, {67, "mono", cut(path, longestMono)}}
		if len(h.status) > 4 {
			lines[1].Y = 86
		}
		for j, pair := range pairs(h.Facts) {
			lines = append(lines, pictureLine{93 + 18*j, "fact", cut(pair, longestSans+2)})
		}
		pic.add(pictureNode{W: nodeWidth, H: nodeHeight, Class: h.class, Lines: lines}, h.link)
		said = append(said, h.link+" "+h.URL+" ("+h.Result+")")
	}
	pic.Words = "The way to the file: " + strings.Join(said, ", ")
	return pic
}

// add puts a node behind the others, with an arrow from the last of them.
func (pic *wayPicture) add(n pictureNode, link string) {
	n.X, n.Y = margin, margin
	if len(pic.Nodes) > 0 {
		last := pic.Nodes[len(pic.Nodes)-1]
		l := pictureLink{Down: pic.Down, From: last.X + last.W + 4, To: last.X + last.W + nodeGap - 5, Side: margin + nodeHeight/2, Label: link}
		n.X = last.X + last.W + nodeGap
		if pic.Down {
			l.From, l.To, l.Side = last.Y+last.H+4, last.Y+last.H+downGap-5, downSide
			n.X, n.Y = margin, last.Y+last.H+downGap
		}
		pic.Links = append(pic.Links, l)
	}
	pic.Nodes = append(pic.Nodes, n)
	pic.Width, pic.Height = n.X+n.W+margin, n.Y+n.H+margin
}

// pairs joins facts by two.
func pairs(facts []string) []string {
	var list []string
	for i := 0; i < len(facts); i += 2 {
		list = append(list, strings.Join(facts[i:min(i+2, len(facts))], " · "))
	}
	return list
}

// hostAndPath divides a URL that is shown.
func hostAndPath(u string) (string, string) {
	_, rest, ok := strings.Cut(u, "://")
	if !ok {
		rest = u
	}
	host, path, _ := strings.Cut(rest, "/")
	return host, "/" + path
}

// cut shortens a text that has passed a pen already.
func cut(s string, most int) string {
	list := []rune(s)
	if len(list) <= most {
		return s
	}
	return string(list[:most-1]) + ellipsis
}
