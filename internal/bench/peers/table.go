package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// write prints the times of both sides and, for each kind of question, how many of
// their answers are right.
func write(out io.Writer, name string, questions []question, theirs, ours *result) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\t%s %s\tavow\n", name, peerPackage, peerVersion)
	fmt.Fprintf(w, "read the file\t%s\t%s\n", short(theirs.parse), short(ours.parse))
	fmt.Fprintf(w, "build the index\t%s\t%s\n", short(theirs.index), short(ours.index))
	each := time.Duration(max(1, len(questions)))
	fmt.Fprintf(w, "answer a question\t%s\t%s\n", short(theirs.ask/each), short(ours.ask/each))
	all := func(*question) bool { return true }
	fmt.Fprintf(w, "right answers\t%s\t%s\n", score(questions, theirs, all), score(questions, ours, all))
	for _, kind := range kinds(questions) {
		only := func(q *question) bool { return q.kind == kind }
		fmt.Fprintf(w, "  %s\t%s\t%s\n", kind, score(questions, theirs, only), score(questions, ours, only))
	}
	fmt.Fprintln(w)
	return w.Flush()
}

// kinds returns the kinds of questions in alphabetical order, with what is right.
func kinds(questions []question) []string {
	var all []string
	for i := range questions {
		all = append(all, questions[i].kind)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// score says how many answers to some questions are right.
func score(questions []question, r *result, counts func(*question) bool) string {
	right, asked := 0, 0
	for i := range questions {
		if !counts(&questions[i]) {
			continue
		}
		asked++
		if r.answers[i] == questions[i].yes {
			right++
		}
	}
	return fmt.Sprintf("%d of %d", right, asked)
}

// short rounds a time to three digits.
func short(d time.Duration) string {
	unit := time.Nanosecond
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}
