package batch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/question"
)

// TestReadAll: lines that are read together say what each says by itself, whatever the
// lines beside it are.
func TestReadAll(t *testing.T) {
	t.Parallel()
	lines := []string{
		`{"id":"a","publisher":"example.com"}`, `{"id":1,"placements":["x","y"]}`, `{"id":"a","id":"b"}`, `{"publishr":"x"}`,
		`{"id":"b"},{"id":"c"}`, `[{"id":"d"}`, `{"id":"e"}]`, `{"id":"f`, `"}`, `{"id":"g"`, `}`, `[]`, `7`, ``, `,`, `]`, `],[`,
		`{"placement":[{"a":1,"a":2}]}`, "\uFEFF" + `{"id":"h"}`, `{"\u0069d":"i"}`, `{"at":"\ud800"}`, "{\"id\":\"\xff\"}", `{"id":"j"} `,
		strings.Repeat("[", 63) + strings.Repeat("]", 63), strings.Repeat("[", 64) + strings.Repeat("]", 64),
	}
	for i := range lines {
		for k := range lines {
			for _, picked := range [][]string{{lines[i], lines[k]}, {lines[0], lines[i], lines[k]}, {lines[i], lines[k], lines[1]}} {
				compareLines(t, picked)
			}
		}
	}
	compareLines(t, []string{lines[0], `{"id":"` + strings.Repeat("x", 21<<20) + `"}`, lines[1]})
}

func compareLines(t *testing.T, lines []string) {
	t.Helper()
	r := question.Reader{On: question.Table, Partial: true}
	together, alone := make([]written, len(lines)), make([]written, len(lines))
	for i, line := range lines {
		together[i].raw = []byte(line)
		alone[i].q, alone[i].err = r.Parse([]byte(line), longestQuestion)
	}
	readAll(&r, question.Columns{}, together)
	for i := range lines {
		if got, want := shown(&together[i]), shown(&alone[i]); got != want {
			t.Errorf("%.200q, line %d: %.200s, alone %.200s", lines, i, got, want)
		}
	}
}

// shown writes what was read of a question.
func shown(w *written) string { return fmt.Sprintf("%+v %v", w.q, w.err) }
