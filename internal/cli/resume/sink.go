package resume

import (
	"bytes"
	"io"

	"github.com/avow-project/avow/internal/cli/console"
)

// A Sink is where the output about targets goes. With a state, the text about a target is written
// when it is whole: to standard output at once, and to a file in the end.
type Sink struct {
	app    *console.App
	state  *State
	out    io.Writer
	format string
	// late: what is written about targets is given in the end, from the state.
	late bool
	// pieces are what was written about the present target, by format.
	pieces map[string]*piece
	// begun: what earlier runs found is written in the format of this one.
	begun, ended bool
	added        int
}

// NewSink returns where the output of a run in a format goes that is written to out, which is the
// target of the flag -o.
func NewSink(a *console.App, s *State, out io.Writer, flag, format string) *Sink {
	return &Sink{
		app: a, state: s, out: out, format: lines(format), late: flag != "" && flag != console.StdinName,
		pieces: make(map[string]*piece),
	}
}

// lines is the format itself, or the one of two words for it.
func lines(format string) string {
	if format == "ndjson" {
		return "json"
	}
	return format
}

// Formats are those of the given ones in which each target has to be written, the format of the run first:
// a state has all, so that a later run may have another.
func (k *Sink) Formats(all ...string) []string {
	list := []string{k.format}
	for _, format := range all {
		if k.state != nil && format != k.format {
			list = append(list, format)
		}
	}
	return list
}

// In is where a target is written in a format.
func (k *Sink) In(format string) io.Writer {
	p := k.pieces[format]
	if p == nil {
		p = &piece{sink: k}
		k.pieces[format] = p
	}
	return p
}

// A piece is what was written about a target in one format.
type piece struct {
	sink *Sink
	text bytes.Buffer
}

// Write takes some of it.
func (p *piece) Write(b []byte) (int, error) {
	if p.sink.state == nil || p.sink.ended {
		return p.sink.out.Write(b)
	}
	return p.text.Write(b)
}

// Done gives what was written about a target, and takes note that it is finished.
func (k *Sink) Done(target string, note any) error {
	if k.state == nil {
		return k.app.Out.Flush()
	}
	err := k.begin()
	if err != nil {
		return err
	}
	r := &record{Target: target, Texts: make(map[string][]byte)}
	for format, p := range k.pieces {
		r.Texts[format] = bytes.Clone(p.text.Bytes())
		p.text.Reset()
	}
	if !k.late {
		err = k.give(func() error { _, err := k.out.Write(r.Texts[k.format]); return err })
		r.Written = k.format
	}
	if err != nil {
		return err
	}
	k.added++
	return k.state.add(r, note)
}

// give writes to standard output at once.
func (k *Sink) give(write func() error) error {
	err := write()
	if err == nil {
		err = k.app.Out.Flush()
	}
	return err
}

// begin writes what earlier runs have found and not written in this format.
func (k *Sink) begin() error {
	from, to := k.state.written[k.format], k.state.Begun()
	if k.begun || k.late || from == to {
		return nil
	}
	k.begun = true
	err := k.give(func() error { return k.state.texts(k.out, k.format, from, to) })
	if err != nil {
		return err
	}
	return k.state.append(&record{Written: k.format})
}

// End is called after the last target. What is written from now on is the end of the output.
func (k *Sink) End() error {
	k.ended = true
	switch {
	case k.state == nil:
		return nil
	case k.late:
		return k.state.texts(k.out, k.format, 0, k.state.Begun()+k.added)
	}
	return k.begin()
}
