package console

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

// Prompter asks questions on standard error and reads the answers, a line
// each, from standard input.
type Prompter struct {
	in    *bufio.Reader
	Out   io.Writer
	paint Style
}

// longestAnswer bounds one line of input.
const longestAnswer = 16 << 10

// NewPrompter asks the person at the terminal.
func NewPrompter(a *App) *Prompter {
	return &Prompter{in: bufio.NewReaderSize(a.Env.Stdin, longestAnswer), Out: a.Err, paint: a.Style(Stderr)}
}

// A Question is asked until the answer is acceptable.
type Question struct {
	Text      string
	ByDefault string
	Optional  bool     // an empty answer is fine
	Words     []string // the possible answers; nil means any text
	// Accept takes the answer over, or says what is wrong with it. It may be
	// nil when the words say everything.
	Accept func(answer string) error
}

// Ask asks one question and returns the accepted answer.
func (p *Prompter) Ask(q Question) (string, error) {
	for {
		fmt.Fprintf(p.Out, "%s%s ", p.paint.Bold(q.Text), textsafe.Terminal(q.suffix()))
		line, err := p.line()
		if err != nil {
			return "", err
		}
		answer := strings.TrimSpace(line)
		if answer == "" {
			answer = q.ByDefault
		}
		err = q.judge(&answer)
		if err == nil {
			return answer, nil
		}
		p.complain(err)
	}
}

// suffix shows the possible answers and the one Enter stands for.
func (q *Question) suffix() string {
	s := ""
	if len(q.Words) > 0 {
		s = " (" + strings.Join(q.Words, ", ") + ")"
	}
	if q.ByDefault != "" {
		s += " [" + q.ByDefault + "]"
	}
	return s + ":"
}

// judge decides on an answer. A word may be shortened as long as it is clear.
func (q *Question) judge(answer *string) error {
	switch {
	case *answer == "" && q.Optional:
		return nil
	case *answer == "":
		return UsageError("", "this one needs an answer")
	case !utf8.ValidString(*answer):
		return UsageError("set the terminal to UTF-8", "the answer is not UTF-8 text")
	}
	if q.Words != nil {
		word, ok := matchWord(*answer, q.Words)
		if !ok {
			return UsageError("answer "+strings.Join(q.Words, " or "), "%q is not one of the answers", *answer)
		}
		*answer = word
	}
	if q.Accept == nil {
		return nil
	}
	return q.Accept(*answer)
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
func (p *Prompter) complain(err error) {
	fmt.Fprintf(p.Out, "  %s %s\n", p.paint.Red("no:"), textsafe.Terminal(err.Error()))
	var known *Error
	if errors.As(err, &known) && known.Hint != "" {
		fmt.Fprintf(p.Out, "  %s %s\n", p.paint.Dim("hint:"), textsafe.Terminal(known.Hint))
	}
}

// Remark tells something about an answer that was accepted.
func (p *Prompter) Remark(format string, args ...any) {
	fmt.Fprintf(p.Out, "  %s\n", p.paint.Dim(textsafe.Terminal(fmt.Sprintf(format, args...))))
}

// Yes asks for a decision.
func (p *Prompter) Yes(text string, byDefault bool) (bool, error) {
	word := "no"
	if byDefault {
		word = "yes"
	}
	answer, err := p.Ask(Question{Text: textsafe.Terminal(text), ByDefault: word, Words: []string{"yes", "no"}})
	return answer == "yes", err
}

// line reads one line. The end of the input ends the conversation, since the
// questions that are left would never be answered.
func (p *Prompter) line() (string, error) {
	line, err := p.in.ReadSlice('\n')
	switch {
	case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
		return string(line), nil
	case errors.Is(err, io.EOF):
		fmt.Fprintln(p.Out)
		return "", Failure("", "the answers ended before the last question; nothing was written")
	case errors.Is(err, bufio.ErrBufferFull):
		return "", Failure("", "an answer is longer than %d bytes", longestAnswer)
	}
	return "", Failure("", "cannot read the answer: %v", err)
}
