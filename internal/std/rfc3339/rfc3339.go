// Package rfc3339 reads the timestamps of a declaration file: the date-time
// production of RFC 3339 section 5.6, with its offset, and nothing else.
//
// The standard library's parser is near but not the same. It refuses the lower case t
// and z and the leap second :60 that the RFC allows, and accepts a comma before the
// fraction, one-digit hours and offsets of 24 hours that the RFC does not. A rule must
// not depend on which parser read the file, so this package reads the grammar itself:
//
//   - four-digit years 0000 to 9999, two digits for every other field, and the
//     day checked against the month and the leap year;
//   - T or t between date and time, never a space;
//   - any number of fraction digits, of which nine are kept;
//   - Z, z or an offset of at most 23:59 in either direction; -00:00 counts as
//     UTC;
//   - the second 60 only in the minute that is 23:59 in UTC, the one place a
//     leap second can be. Go has no such instant, so it reads as 00:00:00 of
//     the following day.
//
// A value that is refused yields an [Error] whose kind and hint name the common
// mistakes, such as a date without a time.
package rfc3339

import "time"

// Parse reads s as an RFC 3339 date-time. The result is in UTC whatever the
// offset in s, because rules compare instants; that also keeps the successful
// path free of allocation. At the two ends of the range that can carry the year
// to -1 or 10000. The error is always an [*Error].
func Parse(s string) (time.Time, error) {
	f, kind := scan(s)
	if kind == 0 {
		kind = f.check()
	}
	if kind == Malformed {
		kind = diagnose(s)
	}
	if kind != 0 {
		return time.Time{}, &Error{Kind: kind}
	}
	return f.time(), nil
}

// Valid reports whether [Parse] accepts s. It does not allocate.
func Valid(s string) bool {
	f, kind := scan(s)
	return kind == 0 && f.check() == 0
}

// fields holds the numbers of a date-time before their ranges are checked.
type fields struct {
	year, month, day     int
	hour, minute, second int
	nanos                int
	negative             bool
	offHour, offMinute   int
}

// minLength is the length of the shortest date-time, 2026-01-02T03:04:05Z.
const minLength = 20

// scan splits s by the grammar alone.
func scan(s string) (fields, Kind) {
	var f fields
	if len(s) < minLength || s[4] != '-' || s[7] != '-' || s[10]|0x20 != 't' || s[13] != ':' || s[16] != ':' {
		return f, Malformed
	}
	f = fields{
		year: number(s[0:4]), month: number(s[5:7]), day: number(s[8:10]),
		hour: number(s[11:13]), minute: number(s[14:16]), second: number(s[17:19]),
	}
	if f.year < 0 || f.month < 0 || f.day < 0 || f.hour < 0 || f.minute < 0 || f.second < 0 {
		return f, Malformed
	}
	rest, ok := f.fraction(s[19:])
	if !ok || !f.offset(rest) {
		return f, Malformed
	}
	return f, 0
}

// fraction reads an optional fraction from the head of s and returns what
// follows it.
func (f *fields) fraction(s string) (string, bool) {
	if s == "" || s[0] != '.' {
		return s, true
	}
	s = s[1:]
	n, unit := 0, 100_000_000
	for n < len(s) && isDigit(s[n]) {
		f.nanos += int(s[n]-'0') * unit
		unit /= 10 // zero from the tenth digit on, which drops the rest
		n++
	}
	return s[n:], n > 0
}

// offset reads all of s as Z or a numeric offset.
func (f *fields) offset(s string) bool {
	if len(s) == 1 {
		return s[0]|0x20 == 'z'
	}
	if len(s) != 6 || s[0] != '+' && s[0] != '-' || s[3] != ':' {
		return false
	}
	f.negative = s[0] == '-'
	f.offHour, f.offMinute = number(s[1:3]), number(s[4:6])
	return f.offHour >= 0 && f.offMinute >= 0
}

// check tests the range of every field.
func (f *fields) check() Kind {
	switch {
	case f.month < 1 || f.month > 12:
		return BadMonth
	case f.day < 1 || f.day > daysIn(f.year, f.month):
		return BadDay
	case f.hour > 23 || f.minute > 59 || f.second > 60:
		return BadTime
	case f.offHour > 23 || f.offMinute > 59:
		return BadOffset
	case f.second == 60 && !f.lastMinute():
		return BadLeapSecond
	}
	return 0
}

// offsetMinutes is the signed distance from UTC.
func (f *fields) offsetMinutes() int {
	m := f.offHour*60 + f.offMinute
	if f.negative {
		return -m
	}
	return m
}

// lastMinute reports whether the time is in the last minute of a day in UTC.
func (f *fields) lastMinute() bool {
	const day = 24 * 60
	utc := f.hour*60 + f.minute - f.offsetMinutes()
	return (utc+day)%day == day-1
}

func (f *fields) time() time.Time {
	// time.Date carries minutes below zero or above 59, and second 60, over.
	return time.Date(f.year, time.Month(f.month), f.day,
		f.hour, f.minute-f.offsetMinutes(), f.second, f.nanos, time.UTC)
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// number reads a run of digits, or gives -1 when there is anything else in s.
func number(s string) int {
	n := 0
	for i := range len(s) {
		if !isDigit(s[i]) {
			return -1
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
