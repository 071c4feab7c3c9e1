// Package iso3166 knows the two-letter country codes of ISO 3166-1 and what
// people write in their place.
//
// A file lists countries as assigned alpha-2 codes in upper case. The shape
// alone (two capital letters) lets through codes that no country holds, such as
// UK or EU, and a validator that only says "invalid" leaves the publisher
// guessing. [Assigned] is the strict test; [Suggest] names the likely intent of
// a value that fails it.
//
// The table holds the 249 codes assigned at the time of writing. Codes that are
// reserved, withdrawn or set aside for private use are not assigned.
package iso3166

// letters is the size of the Latin alphabet; codes index a letters*letters grid.
const letters = 'Z' - 'A' + 1

// slots maps a code's grid position to one more than its index in countries, so
// that zero means unassigned. One byte is enough for 249 entries.
var slots = buildSlots()

func buildSlots() [letters * letters]uint8 {
	var grid [letters * letters]uint8
	for i, c := range countries {
		grid[position(c.alpha2)] = uint8(i + 1)
	}
	return grid
}

// position gives the grid position of a two-letter code, or -1 when code is not
// exactly two capital ASCII letters.
func position(code string) int {
	if len(code) != 2 {
		return -1
	}
	hi, lo := code[0]-'A', code[1]-'A'
	if hi >= letters || lo >= letters {
		return -1
	}
	return int(hi)*letters + int(lo)
}

// Assigned reports whether code is an assigned alpha-2 code, in upper case and
// without surrounding space. It does not allocate.
func Assigned(code string) bool {
	at := position(code)
	return at >= 0 && slots[at] != 0
}

// Name gives the English short name of an assigned code, or "" for any other
// text. The names are for messages; no rule compares them.
func Name(code string) string {
	at := position(code)
	if at < 0 || slots[at] == 0 {
		return ""
	}
	return countries[slots[at]-1].name
}

// InEEAOrUK reports whether code is a country where the GDPR or its United
// Kingdom twin applies: the 27 members of the European Union, Iceland,
// Liechtenstein, Norway, and GB. Signals about special categories of data need a
// stated legal basis there.
func InEEAOrUK(code string) bool {
	if code == "GB" {
		return true
	}
	for _, member := range eea {
		if member == code {
			return true
		}
	}
	return false
}
