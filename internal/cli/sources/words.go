package sources

import (
	"strings"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
)

// MoveWords say what waits and for how long. The text is not escaped.
func MoveWords(p *custody.Publisher) string {
	m := p.Move
	text := string(p.Domain) + " leads to " + LocationWords(m.To) + " since " + wire.Time(m.Since)
	if p.Location.URL != "" {
		text += ", instead of " + LocationWords(p.Location)
	}
	switch {
	case m.Rejected:
		return text + "; it was rejected"
	case len(m.Signs) > 0:
		return text + "; it is pending until an operator confirms it, because " + signWords(m.Signs)
	}
	return text + "; it takes effect if it is still so at " + wire.Time(m.Until())
}

// LocationWords name a place.
func LocationWords(l custody.Location) string {
	switch l.Method {
	case custody.Direct:
		return "its own file " + redact.URL(l.URL)
	case custody.ManagerDomain:
		return redact.URL(l.URL) + " of the manager " + l.Manager
	}
	return redact.URL(l.URL)
}

var signTexts = map[custody.Sign]string{
	custody.SignRegression:   "the file there is older than what counted",
	custody.SignNewAgent:     "the file there has an agent that was never seen",
	custody.SignDowngrade:    "the file there delegates less directly",
	custody.SignIncomparable: "the file that counted is not kept, so the two cannot be compared",
	custody.SignBrand:        "the publisher's brand.json contradicts it",
	custody.SignUnusable:     "there is no file there that can be used",
}

func signWords(signs []custody.Sign) string {
	var parts []string
	for _, s := range signs {
		text := signTexts[s]
		if text == "" {
			text = string(s)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", and ")
}

// refusalTexts say why a version was refused.
var refusalTexts = map[string]string{
	"file.rollback":     "it is older than one that counted",
	"file.date_missing": "it has no date",
	"file.future":       "its date lies in the future",
}

// RefusalWords say which version was refused and why. The text is not escaped.
func RefusalWords(f *custody.File) string {
	r := f.Refused
	text := "the version " + ShortHash(r.Hash) + " of " + redact.URL(f.URL)
	if !r.LastUpdated.IsZero() {
		text += ", dated " + wire.Time(r.LastUpdated)
	}
	why := refusalTexts[r.Code]
	if why == "" {
		why = r.Code
	}
	text += ", is refused since " + wire.Time(r.Since) + " because " + why
	if r.Confirmed {
		text += "; it was confirmed and takes effect when it is seen again"
	}
	return text
}

// ShortHash is the beginning of a hash, for people.
func ShortHash(hash string) string {
	const digits = 12
	if len(hash) <= digits {
		return hash
	}
	return hash[:digits] + console.Ellipsis
}

// holdWords write a time in whole days or hours.
func holdWords(d time.Duration) string {
	const day = 24 * time.Hour
	if d >= day {
		return words.Plural(int(d/day), "day", "days")
	}
	return words.Plural(int(d/time.Hour), "hour", "hours")
}
