package resume

import (
	"bytes"
	"io"

	"github.com/avow-project/avow/internal/cli/console"
)

// A Sink is where the output about targets goes. With a state, the text about a target is written
// when it is whole: to standard output at once, and to a file in the end.
type Sink struct {
	app   *console.App
	state *State
	out   io.Writer
	// late: what is written about targets is given in the end, from the state.
	late  bool
	text  bytes.Buffer
	ended bool
}

// NewSink returns where the output of a run goes that is written to out, which is the target
// of the flag -o.
func NewSink(a *console.App, s *State, out io.Writer, flag string) *Sink {
	return &Sink{app: a, state: s, out: out, late: flag != "" && flag != console.StdinName}
}

// Write takes a piece of the output.
func (k *Sink) Write(b []byte) (int, error) {
	if k.state == nil || k.ended {
		return k.out.Write(b)
	}
	return k.text.Write(b)
}

// Done gives what was written about a target, and takes note that it is finished.
func (k *Sink) Done(target string, note any) error {
	defer k.text.Reset()
	if k.state != nil && k.late {
		return k.state.Add(target, note, k.text.Bytes())
	}
	_, err := k.out.Write(k.text.Bytes())
	if err == nil {
		err = k.app.Out.Flush()
	}
	if err != nil {
		return err
	}
	return k.state.Add(target, note, nil)
}

// End is called after the last target. What is written from now on is the end of the output.
func (k *Sink) End() error {
	k.ended = true
	if k.state == nil || !k.late {
		return nil
	}
	return k.state.texts(k.out)
}
