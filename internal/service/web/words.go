package web

import (
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// longestText is where a text from outside is cut.
const longestText = 400

// safe makes outside text fit to be shown.
func safe(s string) string { return shortened(s, longestText) }

// shortened is safe for a text of at most some characters. Every outside text on a page
// but pieces of redacted sources went through it.
func shortened(s string, most int) string { return textsafe.Line(redact.Credentials(s), most) }

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

// listed joins words as people do.
func listed(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
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

// steps name what is asked for in a step.
var steps = map[discover.Step]string{
	discover.WellKnown: "The publisher’s file", discover.Authoritative: "The file it points to",
	discover.AdsTxt:  "The publisher’s ads.txt",
	discover.Manager: "The manager’s file", discover.ManagerAuthoritative: "The file the manager points to",
	discover.Superseding: "The file that replaces it",
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

// reaches say whether an agent answers.
var reaches = map[discover.Reach]string{
	discover.AgentUnchecked: "Not asked", discover.AgentReachable: "Answers",
	discover.AgentNeedsCredentials: "Answers, and asks for credentials",
	discover.AgentUnreachable:      "Does not answer", discover.AgentRefused: "Cannot be asked",
}

// timeWords writes a time of the file as people do, or as it is.
func timeWords(t adagents.Timestamp) string {
	at, ok := t.Time()
	if !ok {
		return safe(string(t))
	}
	return at.UTC().Format("2 Jan 2006 15:04") + " UTC"
}

// stateClasses are the styles of the states of publishers.
var stateClasses = map[string]string{"fresh": "good", "stale": "warn", "held": "warn", "unusable": "bad",
	"failing": "bad", "gone": "bad"}

// wayWords say how a file was found.
var wayWords = map[custody.Method]string{
	custody.Direct: "its own file", custody.AuthoritativeLocation: "a pointer to another file",
	custody.ManagerDomain: "the manager in its ads.txt",
}
