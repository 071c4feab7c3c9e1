// Package words writes numbers and addresses the way people read them.
package words

import (
	"strconv"
	"strings"
)

// Pieces splits an address where a line may end: after slashes, and before dots.
func Pieces(address string) []string {
	var list []string
	begin := 0
	for i := 1; i < len(address); i++ {
		after := address[i-1] == '/' && address[i] != '/'
		before := strings.IndexByte(".?&", address[i]) >= 0 && address[i-1] != '/'
		if after || before {
			list = append(list, address[begin:i])
			begin = i
		}
	}
	return append(list, address[begin:])
}

// Plural writes a number with the right form of its noun.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}

// Thousands writes a number with commas, because seven digits in a row are hard to read.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	if n < 0 {
		return s
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Some names the first of a list, at most so many, and says how many more there are.
func Some(list []string, most int) string {
	text := strings.Join(list[:min(len(list), most)], ", ")
	if more := len(list) - most; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}
