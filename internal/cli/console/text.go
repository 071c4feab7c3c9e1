package console

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
)

// longestText cuts a message or pointer that holds a text without end.
const longestText = 1000

// Safe makes outside text fit for one line of a terminal.
func Safe(s string) string { return textsafe.Line(s, longestText) }

// ShellQuote makes an argument safe to paste into a shell.
func ShellQuote(s string) string {
	const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%,+"
	if s != "" && strings.Trim(s, harmless) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Padded fills a text up with spaces.
func Padded(text string, width int) string {
	return text + strings.Repeat(" ", max(width-textsafe.Width(text), 0))
}

// Wrap breaks a text into lines of at most width columns.
func Wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		switch {
		case column == 0:
		case column+1+len(word) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

// WrapHanging breaks a text into lines that begin at a column.
func WrapHanging(text string, width, column int) string {
	return strings.ReplaceAll(Wrap(text, width-column), "\n", "\n"+strings.Repeat(" ", column))
}

// definition is a line of a list of words and what they mean.
var definition = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ +\S+ {2,}`) })

// reflow fits paragraphs into width columns. Lines that begin with a space are
// examples and stay as they are, but for lists of words and what they mean.
func reflow(text string, width int) string {
	var out, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, Wrap(strings.Join(paragraph, " "), width))
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		word := definition().FindString(line)
		switch {
		case word != "":
			flush()
			out = append(out, word+WrapHanging(line[len(word):], width, len(word)))
		case line != "" && line[0] != ' ':
			paragraph = append(paragraph, line)
		default:
			flush()
			out = append(out, line)
		}
	}
	flush()
	return strings.Join(out, "\n")
}

// MostListed is the number of things of one kind that a text lists.
const MostListed = 20

// Capped is the beginning of a list, as much of it as a text lists.
func Capped[T any](list []T) []T { return list[:min(len(list), MostListed)] }

// Bytes writes a size in the unit that people think in.
func Bytes(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " B"
	case n < 10_000:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + " kB"
	case n < 1_000_000:
		return strconv.FormatInt((n+500)/1000, 10) + " kB"
	}
	return strconv.FormatFloat(float64(n)/1_000_000, 'f', 1, 64) + " MB"
}

// Milliseconds writes how long something took.
func Milliseconds(d time.Duration) string {
	return strconv.FormatInt(d.Round(time.Millisecond).Milliseconds(), 10) + " ms"
}

// Lines writes an answer for people: the verdict, then why, then what to do.
type Lines struct {
	W     io.Writer
	Paint Style
	Width int
}

// Section writes an empty line.
func (t *Lines) Section() { fmt.Fprintln(t.W) }

// More says how many things of a kind are not shown.
func (t *Lines) More(n int) {
	if n > MostListed {
		t.Line("", words.Thousands(n-MostListed)+" more; --format json has all")
	}
}

// answerLabels is the room for the labels of lines.
const answerLabels = 11

// Line writes a labelled text, broken into lines that are indented alike.
func (t *Lines) Line(label, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(t.W, "%s%s\n", t.Paint.Dim(Padded(label, answerLabels)), WrapHanging(text, t.Width, answerLabels))
}
