package console

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// many is the number of targets on the web from which on a bar shows how far
// avow has come.
const many = 4

// barWidth is the number of columns between the ends of a bar.
const barWidth = 40

// between is the time between two lines about how far avow has come, where there is no terminal.
const between = 10 * time.Second

// A Progress is a bar at the bottom of the terminal. While it is there, what else is written to
// the terminal goes above it. Where there is no terminal, it is a line from time to time.
// The nil progress shows nothing.
type Progress struct {
	app      *App
	messages io.Writer // what Err of the app was
	above    []*aboveWriter

	mu          sync.Mutex
	done, total int
	// stopped: there is no bar any more, and what is written goes straight through.
	stopped bool
	// failed is how many of those that are done have no answer.
	failed int
	// lines says that there is no bar. begun is when it began, told when something was last told.
	lines       bool
	begun, told time.Time
	// text is what stands before the bar; shown is what was drawn last.
	text  func(done, total int) string
	shown string
}

// clearLine goes to the left, and clears the line.
const clearLine = "\r\x1b[K"

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

// Write takes the bar away while lines are written.
func (w *aboveWriter) Write(b []byte) (int, error) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	if w.p.stopped {
		return w.to.Write(b)
	}
	w.rest = append(w.rest, b...)
	end := bytes.LastIndexByte(w.rest, '\n') + 1
	if end == 0 {
		return len(b), nil
	}
	fmt.Fprint(w.p.messages, clearLine)
	_, err := w.to.Write(w.rest[:end])
	w.rest = append([]byte(nil), w.rest[end:]...)
	w.p.shown = ""
	w.p.draw()
	return len(b), err
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
	p.text = func(done, total int) string { return fmt.Sprintf("asking %d of %d", done, total) + p.pace() }
	if !a.Env.IsTerminal(Stderr) || a.Env.Getenv("TERM") == "dumb" {
		p.lines = true
		return p
	}
	p.draw()
	a.Err = p.writeAbove(a.Err)
	if a.Env.IsTerminal(Stdout) {
		// A failure to flush is kept by the writer only until it is reset.
		err := a.Out.Flush()
		if err == nil {
			a.Out.Reset(p.writeAbove(a.Env.Stdout))
		}
	}
	return p
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
	if !p.lines {
		p.draw()
		return
	}
	now := p.app.Env.Now()
	if now.Sub(p.told) >= between {
		p.told = now
		fmt.Fprintf(p.messages, "avow: %s\n", p.text(p.done, p.total))
	}
}

// Messages returns a writer to what Err is at the time of writing, which a bar changes.
func (a *App) Messages() io.Writer { return messageWriter{a} }

type messageWriter struct{ app *App }

// Write writes to standard error, above the bar if there is one.
func (w messageWriter) Write(b []byte) (int, error) { return w.app.Err.Write(b) }

// pace says how many failed, how many are done in a second and how long the rest takes, as far as
// that can be told.
func (p *Progress) pace() string {
	text := ""
	if p.failed > 0 {
		text += fmt.Sprintf(", %d failed", p.failed)
	}
	spent := p.app.Env.Now().Sub(p.begun)
	if spent < time.Second || p.done == 0 {
		return text
	}
	rate := float64(p.done) / spent.Seconds()
	left := time.Duration(float64(p.total-p.done) / rate * float64(time.Second)).Round(time.Second)
	return text + fmt.Sprintf(", %.1f a second, %s left", rate, left)
}

// Reached takes note of how far a batch has come.
func (p *Progress) Reached(done int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = min(done, p.total)
	p.draw()
}

// draw writes the bar over the line that the cursor is on, if it changes.
func (p *Progress) draw() {
	full := barWidth * p.done / p.total
	bar := fmt.Sprintf("\r%s [%s%s]\x1b[K", p.text(p.done, p.total), strings.Repeat("=", full), strings.Repeat("-", barWidth-full))
	if bar != p.shown {
		p.shown = bar
		fmt.Fprint(p.messages, bar)
	}
}

// StartBatchBar shows a bar to a person who waits for the answers to a file of so many
// bytes. Answers that are written to the terminal show by themselves how far avow is.
func (a *App) StartBatchBar(size int64, output string, verbose bool) *Progress {
	toTerminal := (output == "" || output == StdinName) && a.Env.IsTerminal(Stdout)
	if size <= 0 || toTerminal || verbose || !a.Env.IsTerminal(Stderr) || a.Env.Getenv("TERM") == "dumb" {
		return nil
	}
	p := &Progress{
		app: a, messages: a.Err, total: int(size),
		text: func(done, total int) string { return fmt.Sprintf("answering %3d%%", 100*done/total) },
	}
	p.draw()
	a.Err = p.writeAbove(a.Err)
	return p
}

// Stop removes the bar. Others may go on writing meanwhile, so Err of the app stays what it is,
// and lets through what they write.
func (p *Progress) Stop() error {
	if p == nil || p.lines {
		return nil
	}
	err := p.app.Out.Flush() // above the bar, which takes the lock
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	fmt.Fprint(p.messages, clearLine)
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
