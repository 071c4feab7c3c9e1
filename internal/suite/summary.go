package suite

import "slices"

// A Count counts outcomes.
type Count struct {
	Passed      int `json:"passed"`
	Failed      int `json:"failed"`
	Unsupported int `json:"unsupported"`
}

func (c *Count) add(o Outcome) {
	switch o {
	case Passed:
		c.Passed++
	case Failed:
		c.Failed++
	case Unsupported:
		c.Unsupported++
	}
}

// Percent returns how many of the answers are right, in tenths of a percent; cases that are not
// supported do not count. It is -1 if there is no answer.
func (c *Count) Percent() int {
	if c.Passed+c.Failed == 0 {
		return -1
	}
	return 1000 * c.Passed / (c.Passed + c.Failed)
}

// A Row counts the outcomes of a part of the suite.
type Row struct {
	Name string `json:"name"`
	Count
}

// A Summary counts results.
type Summary struct {
	// Grade counts normative cases alone.
	Grade Count `json:"grade"`
	// Kinds, Labels and Sections count all results; Sections are parts of the specification.
	Kinds    []Row `json:"kinds"`
	Labels   []Row `json:"labels"`
	Sections []Row `json:"sections"`
}

// Sum counts results.
func Sum(results []*Result) *Summary {
	s := &Summary{}
	for _, kind := range Kinds() {
		s.Kinds = appendRow(s.Kinds, kind, results, func(c *Case) bool { return c.Kind == kind })
	}
	for _, label := range Labels() {
		s.Labels = appendRow(s.Labels, string(label), results, func(c *Case) bool { return c.Label == label })
	}
	var areas []string
	for _, r := range results {
		areas = append(areas, r.Case.Basis.Area())
		if r.Case.Label == Normative {
			s.Grade.add(r.Outcome)
		}
	}
	slices.Sort(areas)
	for _, area := range slices.Compact(areas) {
		s.Sections = appendRow(s.Sections, area, results, func(c *Case) bool { return c.Basis.Area() == area })
	}
	return s
}

func appendRow(rows []Row, name string, results []*Result, counts func(*Case) bool) []Row {
	row := Row{Name: name}
	for _, r := range results {
		if counts(r.Case) {
			row.add(r.Outcome)
		}
	}
	if row.Count == (Count{}) {
		return rows
	}
	return append(rows, row)
}

// Failures returns the results that failed, normative ones first.
func Failures(results []*Result) []*Result {
	var out []*Result
	for _, label := range Labels() {
		for _, r := range results {
			if r.Outcome == Failed && r.Case.Label == label {
				out = append(out, r)
			}
		}
	}
	return out
}
