package adagents

import (
	"cmp"
	"slices"

	"github.com/avow-project/avow/textedit"
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
	return slices.IndexFunc(f.Fixes, func(x Fix) bool { return x.Kind == Safe || x.Kind == Likely })
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
	Finding Finding // as found in the text that the fix was applied to
	Fix     Fix
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
		batch := r.choose()
		if len(batch) == 0 {
			break
		}
		r.apply(batch)
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

// choose returns the fixes to be applied next: none touches another. Those that let
// readers see more come first, since what they show may have to be fixed in turn.
func (r *repair) choose() []Applied {
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
		a := Applied{*f, f.Fixes[k]}
		switch {
		case r.refused[a.key()]:
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

// apart returns the fixes that can be applied together; the others have to wait for the
// next round.
func apart(wanted []Applied) []Applied {
	edits := numbered(wanted)
	late := make([]bool, len(wanted))
	var kept []numberedEdit // the last one reaches furthest
	for _, e := range edits {
		for len(kept) > 0 && late[kept[len(kept)-1].fix] {
			kept = kept[:len(kept)-1]
		}
		if len(kept) > 0 {
			last := kept[len(kept)-1]
			if last.fix != e.fix && (e.Start < last.End || e.Start == last.Start) {
				late[e.fix] = true
				continue
			}
		}
		kept = append(kept, e)
	}
	var out []Applied
	for i := range wanted {
		if !late[i] {
			out = append(out, wanted[i])
		}
	}
	return out
}

// numberedEdit is an edit with the number of its fix.
type numberedEdit struct {
	Edit
	fix int
}

// numbered returns the edits of fixes in the order of the text.
func numbered(fixes []Applied) []numberedEdit {
	var edits []numberedEdit
	for i := range fixes {
		for _, e := range fixes[i].Fix.Edits {
			edits = append(edits, numberedEdit{e, i})
		}
	}
	slices.SortStableFunc(edits, func(a, b numberedEdit) int {
		return cmp.Or(a.Start-b.Start, a.End-b.End)
	})
	return edits
}

// apply applies fixes and reports whether some were. When they make the file worse, half
// of them is tried, down to the one that does it.
func (r *repair) apply(batch []Applied) bool {
	edits := numbered(batch)
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
	half := len(batch) / 2
	return r.apply(batch[:half]) || r.apply(batch[half:])
}

// better reports whether what fixes were for is gone, and no new error is there.
func better(before, after *Report, batch []Applied) bool {
	if after.Unusable != nil && before.Unusable == nil {
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
	type place struct{ code, pointer string }
	there := make(map[place]bool, len(after.Findings))
	for i := range after.Findings {
		there[place{after.Findings[i].Code, after.Findings[i].Pointer}] = true
	}
	return slices.ContainsFunc(batch, func(a Applied) bool { return there[place{a.Finding.Code, a.Finding.Pointer}] })
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
	rest := slices.Clone(pieces)
	at := 0
	for _, e := range edits {
		var before, gone []piece
		before, rest = take(rest, e.Start-at)
		gone, rest = take(rest, e.End-e.Start)
		by := []int{e.fix}
		for i := range gone {
			by = append(by, gone[i].fixes...)
		}
		out = append(append(out, before...), piece{text: e.New, fixes: by})
		at = e.End
	}
	return append(out, rest...)
}

// take splits pieces after n bytes, and returns what is before and after.
func take(pieces []piece, n int) ([]piece, []piece) {
	for i := range pieces {
		p := pieces[i]
		switch length := p.length(); {
		case n == 0 && length > 0:
			return pieces[:i], pieces[i:]
		case n < length:
			pieces[i] = p.part(n, length)
			return append(slices.Clone(pieces[:i]), p.part(0, n)), pieces[i:]
		default:
			n -= length
		}
	}
	return pieces, nil
}

// changes returns what the pieces replace of a file.
func changes(pieces []piece, size int) []Change {
	var list []Change
	var open Change
	flush := func(end int) {
		if open.Fixes != nil {
			open.End = end
			slices.Sort(open.Fixes)
			open.Fixes = slices.Compact(open.Fixes)
			list = append(list, open)
		}
		open = Change{}
	}
	at := 0
	for i := range pieces {
		p := &pieces[i]
		if p.fixes != nil {
			if open.Fixes == nil {
				open.Start = at
			}
			open.New += p.text
			open.Fixes = append(open.Fixes, p.fixes...)
			continue
		}
		flush(p.start)
		at = p.end
	}
	flush(size)
	return list
}
