package freshness

import (
	"strings"
	"time"
)

// The three forms of a date in HTTP. The zone is always GMT and therefore part of
// the layout: an abbreviation in its place would be taken for GMT in silence.
const (
	fixdate = "Mon, 02 Jan 2006 15:04:05 GMT"
	rfc850  = "Monday, 02-Jan-06 15:04:05 GMT"
	asctime = "Mon Jan _2 15:04:05 2006"
)

// parseDate reads a date in one of the forms of HTTP. now serves to tell the
// century of a year with two digits.
func parseDate(text string, now time.Time) (time.Time, bool) {
	text = trim(text)
	for _, layout := range []string{fixdate, asctime} {
		t, err := time.Parse(layout, text)
		if err == nil {
			return t, true
		}
	}
	t, err := time.Parse(rfc850, text)
	if err != nil {
		return time.Time{}, false
	}
	return nearCentury(t, now), true
}

// nearCentury moves a date by whole centuries to the last year with the same two
// digits that is at most 50 years after now, as RFC 9110 asks.
func nearCentury(t, now time.Time) time.Time {
	limit := now.AddDate(50, 0, 0)
	century := limit.Year() - limit.Year()%100
	t = t.AddDate(century+t.Year()%100-t.Year(), 0, 0)
	if t.After(limit) {
		return t.AddDate(-100, 0, 0)
	}
	return t
}

// Sent returns the present by the clock of an answer's sender: its date, and the time
// that it has spent in caches since. It is false for an answer without a date.
func Sent(h Headers, received time.Time) (time.Time, bool) {
	made, ok := parseDate(h.Date, received)
	if !ok {
		return time.Time{}, false
	}
	first, _, _ := strings.Cut(h.Age, ",")
	seconds, ok := parseSeconds(trim(first))
	if !ok {
		return made, true
	}
	return made.Add(time.Duration(seconds) * time.Second), true
}
