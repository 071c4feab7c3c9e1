package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/std/spell"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// prompter asks questions on standard error and reads the answers, a line
// each, from standard input.
type prompter struct {
	app   *app
	in    *bufio.Reader
	out   io.Writer
	paint style
}

// longestAnswer bounds one line of input.
const longestAnswer = 16 << 10

func newPrompter(a *app) *prompter {
	return &prompter{app: a, in: bufio.NewReaderSize(a.env.Stdin, longestAnswer), out: a.errw, paint: a.style(Stderr)}
}

// A question is asked until the answer is acceptable.
type question struct {
	text      string
	byDefault string
	optional  bool     // an empty answer is fine
	words     []string // the possible answers; nil means any text
	// accept takes the answer over, or says what is wrong with it. It may be
	// nil when the words say everything.
	accept func(answer string) error
}

// ask asks one question and returns the accepted answer.
func (p *prompter) ask(q question) (string, error) {
	for {
		fmt.Fprintf(p.out, "%s%s ", p.paint.bold(q.text), textsafe.Terminal(q.suffix()))
		line, err := p.line()
		if err != nil {
			return "", err
		}
		answer := strings.TrimSpace(line)
		if answer == "" {
			answer = q.byDefault
		}
		err = q.judge(&answer)
		if err == nil {
			return answer, nil
		}
		p.complain(err)
	}
}

// suffix shows the possible answers and the one Enter stands for.
func (q *question) suffix() string {
	s := ""
	if len(q.words) > 0 {
		s = " (" + strings.Join(q.words, ", ") + ")"
	}
	if q.byDefault != "" {
		s += " [" + q.byDefault + "]"
	}
	return s + ":"
}

// judge decides on an answer. A word may be shortened as long as it is clear.
func (q *question) judge(answer *string) error {
	switch {
	case *answer == "" && q.optional:
		return nil
	case *answer == "":
		return usageError("", "this one needs an answer")
	case !utf8.ValidString(*answer):
		return usageError("set the terminal to UTF-8", "the answer is not UTF-8 text")
	}
	if q.words != nil {
		word, ok := matchWord(*answer, q.words)
		if !ok {
			return usageError("answer "+strings.Join(q.words, " or "), "%q is not one of the answers", *answer)
		}
		*answer = word
	}
	if q.accept == nil {
		return nil
	}
	return q.accept(*answer)
}

func matchWord(answer string, words []string) (string, bool) {
	answer = strings.ToLower(answer)
	if slices.Contains(words, answer) {
		return answer, true
	}
	var starting []string
	for _, w := range words {
		if strings.HasPrefix(w, answer) {
			starting = append(starting, w)
		}
	}
	if len(starting) == 1 {
		return starting[0], true
	}
	return spell.Nearest(answer, words, 1)
}

// complain says what is wrong with an answer.
func (p *prompter) complain(err error) {
	fmt.Fprintf(p.out, "  %s %s\n", p.paint.red("no:"), textsafe.Terminal(err.Error()))
	var known *cliError
	if errors.As(err, &known) && known.hint != "" {
		fmt.Fprintf(p.out, "  %s %s\n", p.paint.dim("hint:"), textsafe.Terminal(known.hint))
	}
}

// remark tells something about an answer that was accepted.
func (p *prompter) remark(format string, args ...any) {
	fmt.Fprintf(p.out, "  %s\n", p.paint.dim(textsafe.Terminal(fmt.Sprintf(format, args...))))
}

// yes asks for a decision.
func (p *prompter) yes(text string, byDefault bool) (bool, error) {
	word := "no"
	if byDefault {
		word = "yes"
	}
	answer, err := p.ask(question{text: textsafe.Terminal(text), byDefault: word, words: []string{"yes", "no"}})
	return answer == "yes", err
}

// line reads one line. The end of the input ends the conversation, since the
// questions that are left would never be answered.
func (p *prompter) line() (string, error) {
	line, err := p.in.ReadSlice('\n')
	switch {
	case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
		return string(line), nil
	case errors.Is(err, io.EOF):
		fmt.Fprintln(p.out)
		return "", failure("", "the answers ended before the last question; nothing was written")
	case errors.Is(err, bufio.ErrBufferFull):
		return "", failure("", "an answer is longer than %d bytes", longestAnswer)
	}
	return "", failure("", "cannot read the answer: %v", err)
}
