package cli

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/bench/press"
	"github.com/avow-project/avow/internal/cli/console"
)

// batchFolder writes files of n publishers to a folder of the test.
func batchFolder(tb testing.TB, n int) string {
	tb.Helper()
	dir := tb.TempDir()
	err := press.BatchFolder(dir, n)
	if err != nil {
		tb.Fatal(err)
	}
	return dir
}

// BenchmarkBatch answers a million questions over files of a thousand publishers. The
// figure to watch is questions/s; answers in JSON have reasons, entries and evidence.
func BenchmarkBatch(b *testing.B) {
	const questions, publishers = 1_000_000, 1000
	dir := batchFolder(b, publishers)
	for format, output := range map[string]string{"csv": "csv", "ndjson": "json"} {
		in := press.BatchQuestions(questions, publishers, format)
		b.Run(format, func(b *testing.B) {
			began := time.Now()
			for range b.N {
				code := Run(context.Background(), console.Env{
					Args: []string{"authorize", "--batch", "-", "--file", dir, "--format", output}, Stdin: bytes.NewReader(in), Stdout: io.Discard, Stderr: io.Discard,
				})
				if code != console.ExitUnknown {
					b.Fatalf("exit code %d", code)
				}
			}
			b.ReportMetric(float64(questions*b.N)/time.Since(began).Seconds(), "questions/s")
		})
	}
}
