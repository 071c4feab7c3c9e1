package textedit

// A Row is a line of two texts side by side. Old and New are numbers of lines from 1; zero where the
// other text has a line and this one has none.
type Row struct {
	Old, New int
	// Same: both texts have the line.
	Same bool
}

// mostPaired bounds the work of Sides: the lines of one text times those of the other, between
// what they have in common at both ends. Beyond it the whole of them counts as replaced.
const mostPaired = 4_000_000

// Sides puts two texts side by side so that the lines that they have in common, in their order, are in
// the same rows.
func Sides(old, next []string) []Row {
	lead := 0
	for lead < len(old) && lead < len(next) && old[lead] == next[lead] {
		lead++
	}
	trail := 0
	for trail < len(old)-lead && trail < len(next)-lead && old[len(old)-1-trail] == next[len(next)-1-trail] {
		trail++
	}
	s := &sideWriter{rows: make([]Row, 0, max(len(old), len(next)))}
	s.same(0, 0, lead)
	s.between(old[lead:len(old)-trail], next[lead:len(next)-trail], lead)
	s.same(len(old)-trail, len(next)-trail, trail)
	return s.rows
}

type sideWriter struct{ rows []Row }

// same adds n lines that both have after i and j lines.
func (s *sideWriter) same(i, j, n int) {
	for k := range n {
		s.rows = append(s.rows, Row{i + k + 1, j + k + 1, true})
	}
}

// replaced adds lines of one text beside those of the other.
func (s *sideWriter) replaced(i, old, j, next int) {
	for k := range max(old, next) {
		var r Row
		if k < old {
			r.Old = i + k + 1
		}
		if k < next {
			r.New = j + k + 1
		}
		s.rows = append(s.rows, r)
	}
}

// between adds what begins after lead lines and has nothing in common at its ends: the longest
// common subsequence decides which lines belong together.
func (s *sideWriter) between(old, next []string, lead int) {
	if len(old)*len(next) > mostPaired {
		s.replaced(lead, len(old), lead, len(next))
		return
	}
	width := len(next) + 1
	common := make([]int32, (len(old)+1)*width) // of what follows a pair of lines
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(next) - 1; j >= 0; j-- {
			at := i*width + j
			common[at] = max(common[at+width], common[at+1])
			if old[i] == next[j] {
				common[at] = common[at+width+1] + 1
			}
		}
	}
	i, j, fromOld, fromNext := 0, 0, 0, 0
	for i < len(old) && j < len(next) {
		at := i*width + j
		switch {
		case old[i] == next[j]:
			s.replaced(lead+fromOld, i-fromOld, lead+fromNext, j-fromNext)
			s.same(lead+i, lead+j, 1)
			i, j = i+1, j+1
			fromOld, fromNext = i, j
		case common[at+width] >= common[at+1]:
			i++
		default:
			j++
		}
	}
	s.replaced(lead+fromOld, len(old)-fromOld, lead+fromNext, len(next)-fromNext)
}
