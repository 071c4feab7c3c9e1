package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/bench"
)

// TestQuestions checks that the questions have the answers they are said to have:
// avow gives them.
func TestQuestions(t *testing.T) {
	t.Parallel()
	for name, src := range map[string][]byte{"network": bench.Network3MB(), "large": bench.Large(3000)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := adagents.Parse(src)
			if err != nil {
				t.Fatal(err)
			}
			questions := questionsOf(f)
			if len(questions) < 1000 || len(kinds(questions)) < 8 {
				t.Fatalf("%d questions of the kinds %q", len(questions), kinds(questions))
			}
			r := askAvow(src, questions)
			for i := range questions {
				if r.answers[i] != questions[i].yes {
					t.Fatalf("avow answers %v to %+v", r.answers[i], questions[i])
				}
			}
		})
	}
}

func TestRunWithoutNPM(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := run(t.Context(), io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "npm not found; install Node.js") {
		t.Errorf("got %v", err)
	}
}

func TestReadPeer(t *testing.T) {
	t.Parallel()
	r, err := readPeer("1.5\t2\t0.25\t101\n", 3)
	if err != nil {
		t.Fatal(err)
	}
	if r.parse != 1500*time.Microsecond || r.ask != 250*time.Microsecond || !r.answers[0] || r.answers[1] || !r.answers[2] {
		t.Errorf("read %+v", r)
	}
	for _, line := range []string{"", "1\t2\t3", "1\t2\t3\t10", "a\t2\t3\t101"} {
		_, err := readPeer(line, 3)
		if err == nil {
			t.Errorf("%q is accepted", line)
		}
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	questions := []question{{kind: "a", yes: true}, {kind: "b"}}
	var out strings.Builder
	err := write(&out, "file", questions,
		&result{parse: time.Second, answers: []bool{false, false}}, &result{ask: 2 * 123456 * time.Nanosecond, answers: []bool{true, false}})
	if err != nil {
		t.Fatal(err)
	}
	want := `file               @adcp/sdk 6.11.0  avow
read the file      1s                0s
build the index    0s                0s
answer a question  0s                123µs
right answers      1 of 2            2 of 2
  a                0 of 1            1 of 1
  b                1 of 1            1 of 1

`
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}
