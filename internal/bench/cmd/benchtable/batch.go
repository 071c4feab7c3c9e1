package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/avow-project/avow/internal/bench/press"
	"github.com/avow-project/avow/internal/cli"
)

const (
	// batchName is what -only matches for the figures about questions in files.
	batchName       = "batch"
	batchQuestions  = 1_000_000
	batchPublishers = 1000
	// maxBatch is the time that a million questions may take: 400,000 are
	// answered in a second.
	maxBatch = 2500 * time.Millisecond
)

// batchFigures is how long avow authorize --batch takes for a million questions over
// local files, in each format. The verdicts are rows of CSV.
type batchFigures struct{ csv, ndjson time.Duration }

func measureBatch(runs int) (*batchFigures, error) {
	dir, err := os.MkdirTemp("", "benchtable")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is in the folder for such things
	err = press.BatchFolder(dir, batchPublishers)
	if err != nil {
		return nil, err
	}
	found := new(batchFigures)
	found.csv, err = runBatch(dir, "csv", runs)
	if err != nil {
		return nil, err
	}
	found.ndjson, err = runBatch(dir, "ndjson", runs)
	return found, err
}

func runBatch(dir, format string, runs int) (time.Duration, error) {
	in := press.BatchQuestions(batchQuestions, batchPublishers, format)
	var samples []time.Duration
	for range runs {
		var stderr bytes.Buffer
		var out lineCounter
		samples = append(samples, sample(1, func() {
			cli.Run(context.Background(), cli.Env{
				Args:  []string{"authorize", "--batch", "-", "--file", dir, "--format", "csv"},
				Stdin: bytes.NewReader(in), Stdout: &out, Stderr: &stderr,
			})
		}))
		if out != 1+batchQuestions { // with the names above them
			return 0, fmt.Errorf("%d answers, want %d: %s", out-1, batchQuestions, stderr.Bytes())
		}
	}
	return median(samples), nil
}

// lineCounter counts what is written to it.
type lineCounter int

var _ io.Writer = (*lineCounter)(nil)

// Write counts the lines.
func (n *lineCounter) Write(b []byte) (int, error) {
	*n += lineCounter(bytes.Count(b, []byte("\n")))
	return len(b), nil
}

func (found *batchFigures) limits() []limit {
	if found == nil {
		return nil
	}
	return []limit{
		{name: "a million questions in CSV", allowed: milliseconds(maxBatch), have: milliseconds(found.csv), unit: " ms"},
		{name: "a million questions in NDJSON", allowed: milliseconds(maxBatch), have: milliseconds(found.ndjson), unit: " ms"},
	}
}

func (found *batchFigures) table() table {
	t := table{head: []string{"batch", "questions", "publishers", "ms", "questions/s"}}
	if found == nil {
		return t
	}
	add := func(format string, took time.Duration) {
		t.add("batch in "+format, fmt.Sprint(batchQuestions), fmt.Sprint(batchPublishers),
			number(milliseconds(took)), number(batchQuestions/took.Seconds()))
	}
	add("CSV", found.csv)
	add("NDJSON", found.ndjson)
	return t
}
