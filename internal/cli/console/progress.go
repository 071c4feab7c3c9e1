package console

import (
	"fmt"
	"io"
	"slices"
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

// A Progress is a bar at the bottom of the terminal. While it is there, nothing
// else is written to the terminal. Where there is no terminal, it is a line from time to time.
// The nil progress shows nothing.
type Progress struct {
	app      *App
	messages io.Writer // what errw of the app was
	held     []heldText

	mu          sync.Mutex
	done, total int
	// failed is how many of those that are done have no answer.
	failed int
	// lines says that there is no bar. begun is when it began, told when something was last told.
	lines       bool
	begun, told time.Time
	// text is what stands before the bar; shown is what was drawn last.
	text  func(done, total int) string
	shown string
}

// heldText is something to write when the bar is gone.
type heldText struct {
	to   io.Writer
	text []byte
}

// holder is a writer that holds back what is written.
type holder struct {
	p  *Progress
	to io.Writer
}

// Write keeps a copy.
func (h holder) Write(b []byte) (int, error) {
	h.p.held = append(h.p.held, heldText{h.to, slices.Clone(b)})
	return len(b), nil
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
	a.Err = holder{p, a.Err}
	if a.Env.IsTerminal(Stdout) {
		// A failure to flush is kept by the writer only until it is reset.
		err := a.Out.Flush()
		if err == nil {
			a.Out.Reset(holder{p, a.Env.Stdout})
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
	a.Err = holder{p, a.Err}
	return p
}

// Stop removes the bar and writes what was held back.
func (p *Progress) Stop() error {
	if p == nil || p.lines {
		return nil
	}
	fmt.Fprint(p.messages, "\r\x1b[K") // to the left, and clear the line
	err := p.app.Out.Flush()
	if err != nil {
		return err
	}
	p.app.Err = p.messages
	if p.app.Env.IsTerminal(Stdout) {
		p.app.Out.Reset(p.app.Env.Stdout)
	}
	for _, h := range p.held {
		_, err := h.to.Write(h.text)
		if err != nil {
			return err
		}
	}
	return nil
}
