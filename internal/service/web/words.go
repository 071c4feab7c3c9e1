package web

import (
	"html/template"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
)

const (
	// longestText is where a text from outside is cut, and longestDomain the longest one that is taken for
	// a domain, a URL or an agent: people paste URLs.
	longestText, longestDomain = 400, 2048
	// mostItems is the number of items of a list within a row, and longestItem where each is cut.
	mostItems, longestItem = 5, 80
	// ellipsis stands for what was cut.
	ellipsis = "…"
)

// safe makes outside text fit to be shown.
func safe(s string) string { return shortened(s, longestText) }

// shortened is safe for a text of at most some characters. Every outside text on a page
// but pieces of redacted sources went through it.
func shortened(s string, most int) string { return textsafe.Line(redact.Credentials(s), most) }

// harmless reports whether a text has no characters that a browser would obey or hide.
func harmless(doc []byte) bool {
	if !utf8.Valid(doc) {
		return false
	}
	for line := range strings.SplitSeq(string(doc), "\n") {
		for part := range strings.SplitSeq(strings.TrimSuffix(line, "\r"), "\t") {
			if textsafe.Terminal(part) != part {
				return false
			}
		}
	}
	return true
}

// bytesInWords writes a size in the unit that people think in.
func bytesInWords(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " bytes"
	case n < 1_000_000:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + " kB"
	}
	return strconv.FormatFloat(float64(n)/1_000_000, 'f', 1, 64) + " MB"
}

// short is the beginning of a hash.
func short(hash string) string { return hash[:min(len(hash), 12)] + ellipsis }

// ago says how long something is past.
func ago(d time.Duration) string {
	if d < 2*time.Second {
		return "just now"
	}
	return span(d) + " ago"
}

// span writes a time in the unit that people think in.
func span(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return words.Plural(int(d/time.Second), "second", "seconds")
	case d < 2*time.Hour:
		return words.Plural(int(d/time.Minute), "minute", "minutes")
	case d < 48*time.Hour:
		return words.Plural(int(d/time.Hour), "hour", "hours")
	}
	return words.Plural(int(d/(24*time.Hour)), "day", "days")
}

// listed joins words as people do.
func listed(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// items lists the first of many texts.
func items(list []string) string {
	var shown []string
	for _, s := range list[:min(len(list), mostItems)] {
		shown = append(shown, shortened(s, longestItem))
	}
	text := strings.Join(shown, ", ")
	if len(list) > mostItems {
		text += " and " + words.Thousands(len(list)-mostItems) + " more"
	}
	return text
}

// capital begins a text with a capital letter, unless it begins with the name of a
// member of the file, whose case matters.
func capital(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if s == "" || strings.ContainsAny(strings.TrimSuffix(word, "."), "_$.\"") || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// sentence is that with a full stop, unless something ends it that may be copied
// and had none.
func sentence(s string) string {
	last := s[strings.LastIndexByte(s, ' ')+1:]
	if s == "" || strings.ContainsAny(last, "/\"_") || strings.ContainsAny(s[len(s)-1:], ".!?…") {
		return capital(s)
	}
	return capital(s) + "."
}

func timeText(t time.Time) string { return t.UTC().Format("2 Jan 2006 15:04:05") + " UTC" }

// stateClasses are the styles of the states of publishers.
var stateClasses = map[string]string{"fresh": "good", "stale": "warn", "held": "warn", "unusable": "bad",
	"failing": "bad", "gone": "bad"}

// wayWords say how a file was found.
var wayWords = map[custody.Method]string{
	custody.Direct: "its own file", custody.AuthoritativeLocation: "a pointer to another file",
	custody.ManagerDomain: "the manager in its ads.txt",
}

// roleWords say what a document is in an answer.
var roleWords = map[string]string{
	"file": "The file", "pointer": "The pointer to it", "ads_txt": "The ads.txt that names the manager",
	"manager": "The manager’s file", "replaced": "The file that was replaced",
	"successor": "The replacement, which was not used", "mirror": "A mirror",
}

// methodWords say how a file came to speak for a publisher.
func methodWords(method, publisher string) string {
	switch method {
	case discover.Direct.String():
		return publisher + " serves the file itself"
	case discover.AuthoritativeLocation.String():
		return publisher + " points to this file"
	case discover.ManagerDomain.String():
		return "the ads.txt of " + publisher + " names this manager"
	}
	return "asked at its well-known address"
}

// A pen copies outside text onto a page until there is enough of it: a page of many
// megabytes does not help, and makes the service do much for little.
type pen struct{ left int }

// How many bytes of outside text the parts of a page may have. Together they keep it below a megabyte.
const (
	trailBytes      = 50_000
	findingsBytes   = 450_000
	agentsBytes     = 120_000
	propertiesBytes = 150_000
	rawBytes        = 100_000
)

// overhead is about what the markup around one piece of text takes.
const overhead = 60

// line copies a text of at most some characters.
func (p *pen) line(s string, most int) string { return p.took(shortened(s, most)) }

// url copies a URL without credentials.
func (p *pen) url(s string) string { return p.line(redact.URL(s), longestText) }

// words copies a sentence.
func (p *pen) words(s string) string { return p.line(s, longestText) }

// took accounts for a text that is on the page.
func (p *pen) took(s string) string {
	p.left -= len(template.HTMLEscapeString(s)) + overhead
	return s
}

// dry reports whether nothing more should be copied.
func (p *pen) dry() bool { return p.left <= 0 }

// shownDomain is a domain as it is shown first, and its other form; Second is empty when there is one form.
type shownDomain struct{ First, Second string }

// showDomain shows names as people write them, unless they may be taken for another.
func showDomain(domain string) shownDomain {
	written, doubtful := hostname.Written(domain)
	switch {
	case written == "":
		return shownDomain{safe(domain), ""}
	case doubtful:
		return shownDomain{safe(domain), "looks like " + safe(written)}
	}
	return shownDomain{safe(written), safe(domain)}
}
