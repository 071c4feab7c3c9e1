package console

import (
	"fmt"
	"io"

	"github.com/avow-project/avow/internal/std/words"
)

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
