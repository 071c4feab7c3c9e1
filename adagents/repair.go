package adagents

import (
	"cmp"
	"slices"

	"github.com/avow-project/avow/internal/std/textedit"
)

// RepairOptions tell Repair what the file is and what may be done to it.
type RepairOptions struct {
	Options
	// Choose returns which of a finding's fixes is to be applied, or -1 for none. It is
	// given the text that the finding is about, in which earlier fixes may have been
	// applied. Nil applies the safe fixes.
	Choose func(text []byte, f *Finding) int
}

// Safely chooses the first safe fix.
func Safely(_ []byte, f *Finding) int {
	return slices.IndexFunc(f.Fixes, func(x Fix) bool { return x.Kind == Safe })
}

// Probably chooses the first fix that is safe or likely.
func Probably(_ []byte, f *Finding) int {
	return probably(f.Fixes)
}

func probably(fixes []Fix) int {
	return slices.IndexFunc(fixes, func(x Fix) bool { return x.Kind == Safe || x.Kind == Likely })
}

// Repaired is what Repair made of a file.
type Repaired struct {
	Text    []byte
	Before  *Report // of the file as it was, with its fixes
	After   *Report // of Text, with the fixes that are left
	Applied []Applied
	// Changes are the differences from the file as it was, in ascending order.
	Changes []Change
}

// Applied is a fix that was applied, and what it was for.
type Applied struct {
	Finding *Finding // as found in the text that the fix was applied to
	Fix     *Fix     // one of the finding's
}

// A Change is an edit of the file as it was, and the fixes that it comes from: indexes of
// Applied.
type Change struct {
	Edit
	Fixes []int
}

// Repair applies fixes until there is nothing left that Choose wants. What was applied is
// checked again: a fix that would bring a new error is left out. Repairing the result
// again changes nothing.
func Repair(src []byte, opt RepairOptions) *Repaired {
	if opt.Choose == nil {
		opt.Choose = Safely
	}
	opt.Fixes = true
	if opt.MaxFindings == 0 {
		opt.MaxFindings = repairFindings
	}
	r := &repair{opt: opt, refused: make(map[fixKey]bool), checks: fewestChecks + checkedBytes/(len(src)+1)}
	before := Check(src, opt.Options)
	r.done = Repaired{Text: src, Before: before, After: before}
	r.pieces = []piece{{end: len(src)}}
	for r.checks > 0 {
		batch, edits := r.choose()
		if len(batch) == 0 {
			break
		}
		r.apply(batch, edits)
	}
	r.done.Changes = changes(r.pieces, len(src))
	return &r.done
}

const (
	// repairFindings is how many findings of one rule are fixed at once.
	repairFindings = 100_000
	// A file is checked again after each round of fixes, and more often when some of them
	// bring errors. A large one is not checked for ever.
	fewestChecks = 30
	checkedBytes = 4 << 20
)

// repair is one repair of one file.
type repair struct {
	opt     RepairOptions
	done    Repaired
	pieces  []piece
	refused map[fixKey]bool
	checks  int // how many more there may be
}

// fixKey tells fixes that were tried and left out.
type fixKey struct{ code, pointer, title string }

func (a *Applied) key() fixKey { return fixKey{a.Finding.Code, a.Finding.Pointer, a.Fix.Title} }

// choose returns the fixes to be applied next and their edits: none touches another. Those
// that let readers see more come first, since what they show may have to be fixed in turn.
func (r *repair) choose() ([]Applied, []numberedEdit) {
	var wanted, revealing []Applied
	for i := range r.done.After.Findings {
		f := &r.done.After.Findings[i]
		if len(f.Fixes) == 0 {
			continue
		}
		k := r.opt.Choose(r.done.Text, f)
		if k < 0 || k >= len(f.Fixes) {
			continue
		}
		a := Applied{f, &f.Fixes[k]}
		switch {
		case len(r.refused) > 0 && r.refused[a.key()]:
		case a.Fix.reveals:
			revealing = append(revealing, a)
		default:
			wanted = append(wanted, a)
		}
	}
	if len(revealing) > 0 {
		wanted = revealing
	}
	return apart(wanted)
}

// apart returns the fixes that can be applied together, with their edits; the others have to
// wait for the next round.
func apart(wanted []Applied) ([]Applied, []numberedEdit) {
	edits := numbered(wanted)
	if !touching(edits) {
		return wanted, edits
	}
	late := make([]bool, len(wanted))
	var kept []numberedEdit // the last one reaches furthest
	for _, e := range edits {
		for len(kept) > 0 && late[kept[len(kept)-1].fix] {
			kept = kept[:len(kept)-1]
		}
		if len(kept) > 0 && kept[len(kept)-1].touches(e) {
			late[e.fix] = true
			continue
		}
		kept = append(kept, e)
	}
	var out []Applied
	for i := range wanted {
		if !late[i] {
			out = append(out, wanted[i])
		}
	}
	return out, numbered(out)
}

// touching reports whether some fix has an edit that touches one of another.
func touching(edits []numberedEdit) bool {
	for i := 1; i < len(edits); i++ {
		if edits[i-1].touches(edits[i]) {
			return true
		}
	}
	return false
}

// touches reports whether an edit reaches into one of another fix that starts no earlier.
func (e numberedEdit) touches(next numberedEdit) bool {
	return e.fix != next.fix && (next.Start < e.End || next.Start == e.Start)
}

// numberedEdit is an edit with the number of its fix.
type numberedEdit struct {
	Edit
	fix int
}

// numbered returns the edits of fixes in the order of the text.
func numbered(fixes []Applied) []numberedEdit {
	edits := make([]numberedEdit, 0, len(fixes))
	for i := range fixes {
		for _, e := range fixes[i].Fix.Edits {
			edits = append(edits, numberedEdit{e, i})
		}
	}
	byOffset := func(a, b numberedEdit) int { return cmp.Or(a.Start-b.Start, a.End-b.End) }
	if !slices.IsSortedFunc(edits, byOffset) {
		slices.SortStableFunc(edits, byOffset)
	}
	return edits
}

// apply applies fixes and reports whether some were. When they make the file worse, half
// of them is tried, down to the one that does it.
func (r *repair) apply(batch []Applied, edits []numberedEdit) bool {
	plain := make([]Edit, len(edits))
	for i := range edits {
		plain[i] = edits[i].Edit
	}
	text, err := textedit.Apply(r.done.Text, plain)
	if err == nil && r.checks > 0 {
		r.checks--
		after := Check(text, r.opt.Options)
		if better(r.done.After, after, batch) {
			for i := range edits {
				edits[i].fix += len(r.done.Applied)
			}
			r.pieces = replace(r.pieces, edits)
			r.done.Applied = append(r.done.Applied, batch...)
			r.done.Text, r.done.After = text, after
			return true
		}
	}
	if len(batch) == 1 || r.checks == 0 {
		for i := range batch {
			r.refused[batch[i].key()] = true
		}
		return false
	}
	first, second := batch[:len(batch)/2], batch[len(batch)/2:]
	return r.apply(first, numbered(first)) || r.apply(second, numbered(second))
}

// better reports whether what fixes were for is gone, and no new error is there. Safe ones
// do not bring a file into effect of which nothing counted: a member that stands twice may be
// in what they remove.
func better(before, after *Report, batch []Applied) bool {
	if after.Unusable != nil && before.Unusable == nil {
		return false
	}
	safe := !slices.ContainsFunc(batch, func(a Applied) bool { return a.Fix.Kind != Safe })
	if safe && before.Unusable != nil && after.Unusable == nil {
		return false
	}
	if batch[0].Fix.reveals {
		return !stillThere(after, batch)
	}
	was, is := countCodes(before), countCodes(after)
	for i := range batch {
		code := batch[i].Finding.Code
		if is[code].all >= was[code].all {
			return false
		}
	}
	for code, n := range is {
		if n.errors > was[code].errors {
			return false
		}
	}
	return true
}

// stillThere reports whether some finding that was fixed is there as before.
func stillThere(after *Report, batch []Applied) bool {
	type mistake struct{ code, pointer string }
	there := make(map[mistake]bool, len(after.Findings))
	for i := range after.Findings {
		there[mistake{after.Findings[i].Code, after.Findings[i].Pointer}] = true
	}
	return slices.ContainsFunc(batch, func(a Applied) bool { return there[mistake{a.Finding.Code, a.Finding.Pointer}] })
}

// codeCount is how often a rule has something to say.
type codeCount struct{ all, errors int }

func countCodes(r *Report) map[string]codeCount {
	counts := make(map[string]codeCount)
	for i := range r.Findings {
		f := &r.Findings[i]
		n := counts[f.Code]
		n.all += 1 + f.More
		if f.Severity == Error {
			n.errors += 1 + f.More
		}
		counts[f.Code] = n
	}
	return counts
}

// A piece is a part of the repaired text: a part of the file as it was, or a text that
// fixes have put there, which is empty where they removed something.
type piece struct {
	start, end int
	text       string
	fixes      []int
}

func (p *piece) length() int { return p.end - p.start + len(p.text) }

// part returns a part of a piece.
func (p *piece) part(from, to int) piece {
	if p.fixes != nil {
		return piece{text: p.text[from:to], fixes: p.fixes}
	}
	return piece{start: p.start + from, end: p.start + to}
}

// replace applies edits to a text in pieces.
func replace(pieces []piece, edits []numberedEdit) []piece {
	out := make([]piece, 0, len(pieces)+2*len(edits))
	numbers := make([]int, len(edits))
	rest := cursor{pieces: pieces}
	at := 0
	for i, e := range edits {
		out = rest.take(out, e.Start-at)
		numbers[i] = e.fix
		by := numbers[i : i+1 : i+1]
		from := len(out)
		out = rest.take(out, e.End-e.Start)
		for k := range out[from:] {
			by = append(by, out[from+k].fixes...)
		}
		out = append(out[:from], piece{text: e.New, fixes: by})
		at = e.End
	}
	return rest.take(out, -1)
}

// cursor is a place in a text in pieces.
type cursor struct {
	pieces []piece
	at     int // in the first piece
}

// take appends the pieces of the next n bytes, or of all that are left when n is negative.
// Empty pieces that follow go with them.
func (c *cursor) take(out []piece, n int) []piece {
	for len(c.pieces) > 0 {
		p := &c.pieces[0]
		left := p.length() - c.at
		switch {
		case n == 0 && left > 0:
			return out
		case n >= 0 && n < left:
			out = append(out, p.part(c.at, c.at+n))
			c.at += n
			return out
		}
		out = append(out, p.part(c.at, c.at+left))
		if n > 0 {
			n -= left
		}
		c.pieces, c.at = c.pieces[1:], 0
	}
	return out
}

// changes returns what the pieces replace of a file.
func changes(pieces []piece, size int) []Change {
	list := make([]Change, 0, len(pieces)/2)
	var open Change
	flush := func(end int) {
		if open.Fixes != nil {
			open.End = end
			if len(open.Fixes) > 1 {
				open.Fixes = slices.Compact(slices.Sorted(slices.Values(open.Fixes)))
			}
			list = append(list, open)
		}
		open = Change{}
	}
	at := 0
	for i := range pieces {
		p := &pieces[i]
		if p.fixes != nil {
			if open.Fixes == nil {
				open.Start, open.Fixes = at, slices.Clip(p.fixes)
			} else {
				open.Fixes = append(open.Fixes, p.fixes...)
			}
			open.New += p.text
			continue
		}
		flush(p.start)
		at = p.end
	}
	flush(size)
	return list
}
