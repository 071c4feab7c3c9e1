package web

import (
	"net/http"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
)

// age says how old what a page shows is, and when its visitor may have it looked at again.
type age struct {
	Domain string
	Agents bool
	// CheckedAt is when the domain was asked, and Ago the same as people say it.
	CheckedAt, FreshUntil time.Time
	Ago                   string
	// Wait is how many seconds the visitor has to wait for a new check; TooSoon is set
	// when one was wanted before.
	Wait    int
	TooSoon bool
}

// ageOf returns the age of a check for the reader.
func (p *Pages) ageOf(r *http.Request, v *registry.Validation, form domainForm) *age {
	wait := p.service.RefreshWait(hostname.Domain(v.Domain), registry.ClientOf(r.Context()))
	seconds := int((wait + time.Second - 1) / time.Second)
	return &age{
		Domain: safe(v.Domain), Agents: form.Agents, CheckedAt: v.CheckedAt, FreshUntil: v.FreshUntil,
		Ago:  ago(p.now().Sub(v.CheckedAt)),
		Wait: seconds, TooSoon: seconds > 0 && r.URL.Query().Get(tooSoon) != "",
	}
}

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
