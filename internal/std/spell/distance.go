package spell

// distance computes the optimal string alignment distance of a and b, letter
// case aside, or returns limit+1 as soon as it must exceed limit. Both words
// have at most MaxLength bytes, so three rows on the stack hold the whole state.
func distance(a, b string, limit int) int {
	var rows [3][MaxLength + 1]uint8
	beforeLast, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = uint8(j)
	}
	for i := range len(a) {
		row[0] = uint8(i + 1)
		lowest := row[0]
		for j := range len(b) {
			row[j+1] = cell(a, b, i, j, beforeLast, last, row)
			lowest = min(lowest, row[j+1])
		}
		// A swap reaches back over one row, and the lowest values of
		// neighbouring rows differ by at most one; hence the spare edit.
		if int(lowest) > limit+1 {
			return limit + 1
		}
		beforeLast, last, row = last, row, beforeLast
	}
	return min(int(last[len(b)]), limit+1)
}

// cell is the cheapest way to turn a[:i+1] into b[:j+1].
func cell(a, b string, i, j int, beforeLast, last, row *[MaxLength + 1]uint8) uint8 {
	ca, cb := lower(a[i]), lower(b[j])
	if ca == cb {
		return last[j]
	}
	best := min(last[j], last[j+1], row[j]) + 1
	if i > 0 && j > 0 && ca == lower(b[j-1]) && lower(a[i-1]) == cb {
		best = min(best, beforeLast[j-1]+1)
	}
	return best
}

// signature sets a bit for each letter in s. Other bytes share the bits that
// the 26 letters leave, which only makes the test weaker, never wrong.
func signature(s string) uint32 {
	var set uint32
	for i := range len(s) {
		set |= 1 << (lower(s[i]) & 31)
	}
	return set
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// lower folds ASCII capitals only: member names are ASCII, and folding more
// would make look-alikes from other scripts equal.
func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
