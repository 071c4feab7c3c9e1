package freshness

import (
	"strings"
	"time"
)

const (
	// MaxValidator is the longest validator that is sent back. Real ones have a
	// few dozen bytes; the limit keeps a stranger from choosing the size of our
	// requests.
	MaxValidator = 1_000
	// WholeAfter is how long answers without a body may confirm a stored file before it
	// is asked for as a whole. Otherwise a server, or a proxy in front of it, could
	// freeze a file forever by answering "not modified".
	WholeAfter = 7 * day
)

// Conditional returns what to send as If-None-Match or as If-Modified-Since to
// ask whether a stored answer still holds. At most one is not empty; the entity
// tag is preferred, because dates miss two changes within a second. A validator
// that is malformed is not sent: what a server makes of it is anybody's guess.
func Conditional(h Headers) (string, string) {
	tag := trim(h.ETag)
	if len(tag) <= MaxValidator && isEntityTag(tag) {
		return tag, ""
	}
	date := trim(h.LastModified)
	// The century of the date does not matter here, so any time will do.
	_, ok := parseDate(date, time.Time{})
	if ok {
		return "", date
	}
	return "", ""
}

// WholeDue reports whether a request has to be made without a condition,
// because the last complete body came too long ago.
func WholeDue(lastWhole, now time.Time) bool {
	return !now.Before(lastWhole.Add(WholeAfter))
}

// Confirms reports whether the headers of a "not modified" answer confirm the
// stored one. They do not when nothing was stored that could be compared, or
// when they carry another value of the validator that was sent.
func Confirms(stored, answer Headers) bool {
	tag, date := Conditional(stored)
	switch {
	case tag != "":
		got := trim(answer.ETag)
		return got == "" || strings.TrimPrefix(got, "W/") == strings.TrimPrefix(tag, "W/")
	case date != "":
		got := trim(answer.LastModified)
		return got == "" || got == date
	}
	return false
}

// Update returns the headers of a stored answer after a "not modified" answer:
// what that answer carries replaces what was stored. Age and Date are those of
// the newer answer even when it lacks them, since they describe it alone.
func Update(stored, answer Headers) Headers {
	h := Headers{
		CacheControl: answer.CacheControl,
		Age:          answer.Age,
		Date:         answer.Date,
		Expires:      newer(stored.Expires, answer.Expires),
		ETag:         newer(stored.ETag, answer.ETag),
		LastModified: newer(stored.LastModified, answer.LastModified),
	}
	if len(answer.CacheControl) == 0 {
		h.CacheControl = stored.CacheControl
	}
	return h
}

// newer returns the value of the newer answer if it has one.
func newer(stored, answer string) string {
	if answer == "" {
		return stored
	}
	return answer
}

// isEntityTag checks the grammar of an entity tag: a quoted text, with W/ before
// it for a weak one. Backslashes do not escape in it.
func isEntityTag(text string) bool {
	text = strings.TrimPrefix(text, "W/")
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return false
	}
	for _, c := range []byte(text[1 : len(text)-1]) {
		if c <= ' ' || c == '"' || c == 0x7f {
			return false
		}
	}
	return true
}
