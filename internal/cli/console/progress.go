package console

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/std/textsafe"
)

// many is the number of targets on the web from which on a bar shows how far avow has come.
const many = 4

const (
	// widestBar and narrowestBar are the columns between the ends of a bar; in less space there
	// is only the text.
	widestBar, narrowestBar = 40, 10
	// usualWidth is the width of a terminal that does not tell it.
	usualWidth = 80
	// redraw is the time between two drawings of the bar.
	redraw = 100 * time.Millisecond
	// mostPending is how many bytes of lines wait for the next drawing.
	mostPending = 64 << 10
	// between is the time between two lines about how far avow has come, where there is no terminal.
	between = 10 * time.Second
)

// clearLine goes to the left, and clears the line.
const clearLine = "\r\x1b[K"

// A Progress is a bar at the bottom of the terminal. While it is there, what else is written to
// the terminal goes above it. Where there is no terminal, it is a line from time to time.
// The nil progress shows nothing.
type Progress struct {
	app      *App
	messages io.Writer // what Err of the app was
	above    []*aboveWriter
	// text is what is written before the bar: its parts, the least important last.
	text func() []string
	// lines says that there is no bar. begun is when it began, told when something was last told.
	lines       bool
	begun, told time.Time
	// end ends the drawing, and drawing waits for that.
	end     chan struct{}
	drawing sync.WaitGroup

	mu          sync.Mutex
	done, total int
	// failed is how many of those that are done have no answer.
	failed int
	// stopped: there is no bar any more, and what is written goes straight through.
	stopped bool
	// shown is the bar on the terminal; empty when there is none.
	shown string
	// pending are lines that go above the bar when it is drawn next, size is their length.
	pending []pendingLines
	size    int
	lost    error
}

// pendingLines are whole lines for a stream.
type pendingLines struct {
	to   io.Writer
	text []byte
}

// An aboveWriter writes whole lines above the bar.
type aboveWriter struct {
	p    *Progress
	to   io.Writer
	rest []byte // of a line that has no end yet
}

// writeAbove has what is written to w go above the bar.
func (p *Progress) writeAbove(w io.Writer) io.Writer {
	a := &aboveWriter{p: p, to: w}
	p.above = append(p.above, a)
	return a
}

// Write keeps whole lines until the bar is drawn again, which takes a moment. An error is
// that of an earlier write.
func (w *aboveWriter) Write(b []byte) (int, error) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	if w.p.stopped {
		return w.to.Write(b)
	}
	w.rest = append(w.rest, b...)
	end := bytes.LastIndexByte(w.rest, '\n') + 1
	if end > 0 {
		w.p.pending = append(w.p.pending, pendingLines{w.to, w.rest[:end:end]})
		w.p.size += end
		w.rest = append([]byte(nil), w.rest[end:]...)
	}
	if w.p.size > mostPending {
		w.p.writePending()
	}
	return len(b), w.p.lost
}

// writePending takes the bar away and writes the lines that wait. The caller holds mu.
func (p *Progress) writePending() {
	if len(p.pending) > 0 {
		p.clear()
	}
	for _, lines := range p.pending {
		_, err := lines.to.Write(lines.text)
		p.lost = cmp.Or(p.lost, err)
	}
	p.pending, p.size = nil, 0
}

// clear takes the bar away.
func (p *Progress) clear() {
	if p.shown != "" {
		fmt.Fprint(p.messages, clearLine)
		p.shown = ""
	}
}

// StartProgress shows a bar if a person waits for n targets on the web, and these are
// many; without a person, a line every ten seconds. The list of requests shows what goes on as
// well and does not go along with either.
func (a *App) StartProgress(n int, verbose bool) *Progress {
	if n < many || verbose {
		return nil
	}
	p := &Progress{app: a, messages: a.Err, total: n, begun: a.Env.Now()}
	p.told = p.begun
	p.text = p.pace
	if !a.Env.IsTerminal(Stderr) || a.Env.Getenv("TERM") == "dumb" {
		p.lines = true
		return p
	}
	p.start()
	return p
}

// StartBatchBar shows a bar to a person who waits for the answers to a file of so many
// bytes. Answers that are written to the terminal show by themselves how far avow is.
func (a *App) StartBatchBar(size int64, output string, verbose bool) *Progress {
	toTerminal := (output == "" || output == StdinName) && a.Env.IsTerminal(Stdout)
	if size <= 0 || toTerminal || verbose || !a.Env.IsTerminal(Stderr) || a.Env.Getenv("TERM") == "dumb" {
		return nil
	}
	p := &Progress{app: a, messages: a.Err, total: int(size)}
	p.text = func() []string { return []string{fmt.Sprintf("answering %3d%%", 100*p.done/p.total)} }
	p.start()
	return p
}

// start draws the bar, now and again until it is stopped.
func (p *Progress) start() {
	a := p.app
	a.bar, p.end = p, make(chan struct{})
	p.draw()
	a.Err = p.writeAbove(a.Err)
	if a.Env.IsTerminal(Stdout) {
		// A failure to flush is kept by the writer only until it is reset.
		err := a.Out.Flush()
		if err == nil {
			a.Out.Reset(p.writeAbove(a.Env.Stdout))
		}
	}
	p.drawing.Go(func() {
		ticker := time.NewTicker(redraw)
		defer ticker.Stop()
		for {
			select {
			case <-p.end:
				return
			case <-ticker.C:
			}
			p.mu.Lock()
			p.writePending()
			p.draw()
			p.mu.Unlock()
		}
	})
}

// Step takes note that a target is done, or that it failed. It may be called at the same time
// from several goroutines.
func (p *Progress) Step(failed bool) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.total = max(p.total, p.done) // what is due may become more
	if failed {
		p.failed++
	}
	now := p.app.Env.Now()
	if p.lines && now.Sub(p.told) >= between {
		p.told = now
		fmt.Fprintf(p.messages, "avow: %s\n", strings.Join(p.text(), ", "))
	}
}

// Reached takes note of how far a batch has come.
func (p *Progress) Reached(done int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = min(done, p.total)
}

// Messages returns a writer to what Err is at the time of writing, which a bar changes.
func (a *App) Messages() io.Writer { return messageWriter{a} }

type messageWriter struct{ app *App }

// Write writes to standard error, above the bar if there is one.
func (w messageWriter) Write(b []byte) (int, error) { return w.app.Err.Write(b) }

// pace says how many are done and have failed, how long the rest takes and how many are done in a
// second, as far as that can be told.
func (p *Progress) pace() []string {
	parts := []string{fmt.Sprintf("checked %d of %d", p.done, p.total)}
	if p.failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", p.failed))
	}
	spent := p.app.Env.Now().Sub(p.begun)
	if spent < time.Second || p.done == 0 {
		return parts
	}
	rate := float64(p.done) / spent.Seconds()
	left := time.Duration(float64(p.total-p.done) / rate * float64(time.Second)).Round(time.Second)
	return append(parts, fmt.Sprintf("%s left", left), fmt.Sprintf("%.1f per second", rate))
}

// draw writes the bar over the line that the cursor is on, if it changes. The caller holds mu.
func (p *Progress) draw() {
	bar := p.bar(p.app.Env.Width(Stderr))
	if bar != p.shown {
		p.shown = bar
		fmt.Fprintf(p.messages, "\r%s\x1b[K", bar)
	}
}

// bar is the bar for a terminal of a width. The last column stays free: a terminal whose line is
// full goes to the next one.
func (p *Progress) bar(width int) string {
	if width < 1 {
		width = usualWidth
	}
	parts := p.text()
	text := textsafe.Line(parts[0], width-1)
	for _, part := range parts[1:] {
		if len(text)+len(", ")+len(part) >= width {
			break
		}
		text += ", " + part
	}
	space := min(width-1-len(text)-len(" []"), widestBar)
	if space < narrowestBar {
		return text
	}
	full := space * p.done / p.total
	return fmt.Sprintf("%s [%s%s]", text, strings.Repeat("=", full), strings.Repeat("-", space-full))
}

// Stop removes the bar. Others may go on writing meanwhile, so Err of the app stays what it is,
// and lets through what they write.
func (p *Progress) Stop() error {
	if p == nil || p.lines {
		return nil
	}
	p.app.bar = nil
	close(p.end)
	p.drawing.Wait()
	err := p.app.Out.Flush() // above the bar, which takes the lock
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writePending()
	p.clear()
	p.stopped = true
	err = cmp.Or(err, p.lost)
	if err != nil {
		return err
	}
	if p.app.Env.IsTerminal(Stdout) {
		p.app.Out.Reset(p.app.Env.Stdout)
	}
	for _, w := range p.above {
		_, err = w.to.Write(w.rest)
		if err != nil {
			return err
		}
	}
	return nil
}

// DropBar removes the bar that a command which ended in a panic has left.
func (a *App) DropBar() {
	_ = a.bar.Stop() // there is a worse error to tell
}
