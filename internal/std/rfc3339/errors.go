package rfc3339

import "strings"

// Kind says what is wrong with a timestamp.
type Kind uint8

// The kinds of mistake. The first group concerns the form, the second a field
// out of range.
const (
	// Malformed is any text that none of the other kinds describes.
	Malformed Kind = iota + 1
	// Empty is the empty string.
	Empty
	// SurroundingSpace is a valid timestamp with space before or after it.
	SurroundingSpace
	// DateOnly is a calendar date without a time.
	DateOnly
	// MissingOffset is a date and time without Z or an offset.
	MissingOffset
	// MissingSeconds is a time written as hours and minutes only.
	MissingSeconds
	// SpaceSeparator is a space where the T belongs.
	SpaceSeparator
	// CommaFraction is a comma before the fraction of a second.
	CommaFraction
	// OffsetColon is an offset without a colon, such as +0100.
	OffsetColon
	// Epoch is a count of seconds or milliseconds since 1970.
	Epoch
	// LocalFormat is another date format, such as 02/01/2026 or an e-mail date.
	LocalFormat

	// BadMonth is a month outside 01 to 12.
	BadMonth
	// BadDay is a day the month does not have.
	BadDay
	// BadTime is an hour above 23, a minute above 59 or a second above 60.
	BadTime
	// BadOffset is an offset above 23:59.
	BadOffset
	// BadLeapSecond is the second 60 anywhere but 23:59 UTC.
	BadLeapSecond
)

const example = "2026-01-02T00:00:00Z"

// explanations holds the message and the hint of each kind.
var explanations = [...]struct{ message, hint string }{
	Malformed:        {"not an rfc 3339 date-time", "write it like " + example},
	Empty:            {"empty timestamp", "write it like " + example + ", or leave the member out"},
	SurroundingSpace: {"space around the timestamp", "remove the space"},
	DateOnly:         {"a date without a time", "add a time and offset, for example " + example},
	MissingOffset:    {"a time without an offset", "add Z for utc or an offset such as +01:00"},
	MissingSeconds:   {"a time without seconds", "add the seconds, for example " + example},
	SpaceSeparator:   {"a space between date and time", "write a T between date and time, for example " + example},
	CommaFraction:    {"a comma before the fraction of a second", "write a period before the fraction"},
	OffsetColon:      {"an offset without a colon", "write the offset as +hh:mm, for example +01:00"},
	Epoch:            {"a number instead of a date-time", "write the moment as text, for example " + example},
	LocalFormat: {"a date format other than rfc 3339", "write year, month, day, time and offset, for example " +
		example},
	BadMonth: {"month out of range", "months run from 01 to 12"},
	BadDay: {"day out of range for the month",
		"check the number of days in the month and whether the year is a leap year"},
	BadTime: {"time out of range",
		"times run from 00:00:00 to 23:59:59; write midnight as 00:00:00 of the next day"},
	BadOffset:     {"offset out of range", "offsets run from -23:59 to +23:59"},
	BadLeapSecond: {"second 60 where no leap second can be", "seconds run from 00 to 59"},
}

// Error is the reason a timestamp was refused. It does not carry the text that
// was refused, so it can be printed as it is.
type Error struct {
	// Kind says what is wrong.
	Kind Kind
}

// Error says what is wrong, in lower case.
func (e *Error) Error() string { return explanations[e.Kind].message }

// Hint says how to put it right.
func (e *Error) Hint() string { return explanations[e.Kind].hint }

// maxDiagnosed bounds the work spent on explaining a value that is wrong anyway.
const maxDiagnosed = 128

// diagnose finds the mistake in text that does not follow the grammar. It tries
// one repair at a time and names the first that makes the text read.
func diagnose(s string) Kind {
	if s == "" {
		return Empty
	}
	if len(s) > maxDiagnosed {
		return Malformed
	}
	if trimmed := strings.TrimSpace(s); trimmed != s && Valid(trimmed) {
		return SurroundingSpace
	}
	repairs := []struct {
		kind Kind
		text string
	}{
		{DateOnly, s + "T00:00:00Z"},
		{MissingOffset, s + "Z"},
		{SpaceSeparator, strings.Replace(s, " ", "T", 1)},
		{SpaceSeparator, strings.Replace(s, " ", "T", 1) + "Z"},
		{CommaFraction, strings.Replace(s, ",", ".", 1)},
		{OffsetColon, withOffsetColon(s)},
		{MissingSeconds, withSeconds(s)},
		{MissingSeconds, withSeconds(s) + "Z"},
	}
	for _, r := range repairs {
		if _, kind := scan(r.text); kind == 0 {
			return r.kind
		}
	}
	return otherFormat(s)
}

// withOffsetColon turns a final +0100 or +01 into +01:00.
func withOffsetColon(s string) string {
	at := strings.LastIndexAny(s, "+-")
	switch {
	case at < 0:
		return s
	case len(s)-at == 5:
		return s[:at+3] + ":" + s[at+3:]
	case len(s)-at == 3:
		return s + ":00"
	}
	return s
}

// withSeconds puts :00 after the minutes of a time that has none.
func withSeconds(s string) string {
	const upToMinutes = len("2026-01-02T03:04")
	if len(s) < upToMinutes {
		return s
	}
	return s[:upToMinutes] + ":00" + s[upToMinutes:]
}

// otherFormat tells numbers and foreign date formats from plain nonsense.
func otherFormat(s string) Kind {
	if number(strings.Replace(strings.TrimPrefix(s, "-"), ".", "", 1)) >= 0 && len(s) >= 9 {
		return Epoch
	}
	if strings.Count(s, "/") == 2 || strings.Count(s, ".") == 2 && isDigit(s[0]) {
		return LocalFormat
	}
	lower := strings.ToLower(s)
	for _, month := range []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"} {
		if strings.Contains(lower, month) && strings.ContainsAny(s, "0123456789") {
			return LocalFormat
		}
	}
	return Malformed
}
