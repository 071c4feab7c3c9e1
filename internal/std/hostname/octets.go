package hostname

import "math/bits"

// Eight octets in one number, the first in the lowest place.
const (
	ones = 0x0101010101010101
	tops = 0x80 * ones // the highest bit of each octet
)

// plain reports that a name is plain, if that can be seen from eight octets at a time:
// it has 8 to 63 of them and nowhere two dots or hyphens in a row. A file may have
// hundreds of thousands of names, and nearly all are like that.
func plain(s string) bool {
	if len(s) < 8 || len(s) > MaxLabel {
		return false
	}
	lastDot, lastOther, before := -1, 0, uint64(0x80) // as if there was a dot before the name
	for at := 0; at < len(s); at += 8 {
		x := octets(s, at)
		if x&tops != 0 {
			return false
		}
		beyond := from(x, '.'+1)
		dots := from(x, '.') &^ beyond & tops
		marks := from(x, '-') &^ beyond & tops // dots and hyphens
		letters := from(x, 'a') &^ from(x, 'z'+1) & tops
		digits := from(x, '0') &^ from(x, '9'+1) & tops
		if letters|digits|marks != tops || marks&(marks<<8|before) != 0 {
			return false
		}
		before = marks >> 56
		if dots != 0 {
			lastDot = at + bits.Len64(dots)/8
		}
		if letters|dots != tops {
			lastOther = at + bits.Len64(^(letters|dots)&tops)/8
		}
	}
	return lastDot > lastOther && lastDot < len(s)
}

// octets returns up to eight octets of a name of at least so many, from a place on.
// Behind its end there are letters.
func octets(s string, at int) uint64 {
	if at+8 <= len(s) {
		return eight(s[at:])
	}
	missing := at + 8 - len(s)
	return eight(s[len(s)-8:])>>(8*missing&63) | 'a'*ones&^(1<<((64-8*missing)&63)-1)
}

// eight returns the first eight octets of s. The compiler makes one load of it.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// from sets the highest bit of the octets of x, all of them ASCII, that are not below
// one, and of no others. The other bits mean nothing.
func from(x, least uint64) uint64 { return x + (0x80-least)*ones }
