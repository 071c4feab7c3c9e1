package cli

import (
	"strings"
	"time"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/words"
)

// jsonVersion is a version that was adopted.
type jsonVersion struct {
	URL         string  `json:"url"`
	SHA256      string  `json:"sha256"`
	AdoptedAt   string  `json:"adopted_at"`
	ConfirmedAt *string `json:"confirmed_at,omitempty"`
	LastUpdated *string `json:"last_updated"`
	CatalogETag string  `json:"catalog_etag,omitempty"`
	Bytes       int64   `json:"bytes"`
}

func versionForJSON(v *custodian.Version) *jsonVersion {
	return &jsonVersion{
		URL: redact.URL(v.URL), SHA256: v.Hash, AdoptedAt: timeForJSON(v.AdoptedAt), LastUpdated: instantForJSON(v.LastUpdated),
		CatalogETag: v.CatalogETag, Bytes: v.Bytes,
	}
}

// jsonPlace is where authority comes from.
type jsonPlace struct {
	Method  string `json:"method"`
	URL     string `json:"url"`
	Manager string `json:"manager,omitempty"`
}

func placeForJSON(l custody.Location) *jsonPlace {
	if l.URL == "" {
		return nil
	}
	return &jsonPlace{Method: string(l.Method), URL: redact.URL(l.URL), Manager: l.Manager}
}

// jsonMove is a change of place that waits.
type jsonMove struct {
	To    *jsonPlace `json:"to"`
	Since string     `json:"since"`
	// Until is when it is adopted if nothing speaks against it; null if something does.
	Until    *string  `json:"until"`
	LastSeen string   `json:"last_seen"`
	Signs    []string `json:"signs"`
	Rejected bool     `json:"rejected"`
}

func moveForJSON(p *custody.Publisher) *jsonMove {
	m := p.Move
	if m == nil {
		return nil
	}
	doc := &jsonMove{To: placeForJSON(m.To), Since: timeForJSON(m.Since), LastSeen: timeForJSON(m.LastSeen), Signs: signsOf(m), Rejected: m.Rejected}
	if byItself(m) {
		doc.Until = instantForJSON(m.Until())
	}
	return doc
}

// byItself reports whether a move is adopted when it has stayed the same for long enough.
func byItself(m *custody.Move) bool { return !m.Rejected && len(m.Signs) == 0 }

func signsOf(m *custody.Move) []string {
	list := make([]string, len(m.Signs))
	for i, s := range m.Signs {
		list[i] = string(s)
	}
	return list
}

// jsonRefusal is a version that was refused.
type jsonRefusal struct {
	SHA256      string  `json:"sha256"`
	Code        string  `json:"code"`
	Since       string  `json:"since"`
	LastUpdated *string `json:"last_updated"`
	Confirmed   bool    `json:"confirmed"`
}

func refusalForJSON(f *custody.File) *jsonRefusal {
	r := f.Refused
	if r == nil {
		return nil
	}
	return &jsonRefusal{SHA256: r.Hash, Code: r.Code, Since: timeForJSON(r.Since), LastUpdated: instantForJSON(r.LastUpdated), Confirmed: r.Confirmed}
}

// moveWords say what waits and for how long. The text is not escaped.
func moveWords(p *custody.Publisher) string {
	m := p.Move
	text := p.Domain + " leads to " + locationWords(m.To) + " since " + timeForJSON(m.Since)
	if p.Location.URL != "" {
		text += ", instead of " + locationWords(p.Location)
	}
	switch {
	case m.Rejected:
		return text + "; it was rejected"
	case len(m.Signs) > 0:
		return text + "; it waits until somebody confirms it, because " + signWords(m.Signs)
	}
	return text + "; it counts when it is still so at " + timeForJSON(m.Until())
}

// locationWords name a place.
func locationWords(l custody.Location) string {
	switch l.Method {
	case custody.Direct:
		return "its own file " + redact.URL(l.URL)
	case custody.ManagerDomain:
		return redact.URL(l.URL) + " of the manager " + l.Manager
	}
	return redact.URL(l.URL)
}

var signTexts = map[custody.Sign]string{
	custody.SignRegression: "the file there is older than what counted",
	custody.SignNewAgent:   "the file there has an agent that was never seen",
	custody.SignDowngrade:  "the file there delegates less directly",
	custody.SignBrand:      "the publisher's brand.json contradicts it",
	custody.SignUnusable:   "there is no file there that can be used",
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

// refusalWords say which version was refused and why. The text is not escaped.
func refusalWords(f *custody.File) string {
	r := f.Refused
	text := "the version " + shortHash(r.Hash) + " of " + redact.URL(f.URL)
	if !r.LastUpdated.IsZero() {
		text += ", dated " + timeForJSON(r.LastUpdated)
	}
	why := refusalTexts[r.Code]
	if why == "" {
		why = r.Code
	}
	text += ", is refused since " + timeForJSON(r.Since) + " because " + why
	if r.Confirmed {
		text += "; it was confirmed and counts when it is seen again"
	}
	return text
}

// shortHash is the beginning of a hash, for people.
func shortHash(hash string) string {
	const digits = 12
	if len(hash) <= digits {
		return hash
	}
	return hash[:digits] + ellipsis
}

// holdWords write a time in whole days or hours.
func holdWords(d time.Duration) string {
	const day = 24 * time.Hour
	if d >= day {
		return words.Plural(int(d/day), "day", "days")
	}
	return words.Plural(int(d/time.Hour), "hour", "hours")
}
