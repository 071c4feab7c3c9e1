package fakeweb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// errStopped ends an answer at the place where its section says so.
var errStopped = errors.New("the answer ends here")

// errClosed ends an answer because the web is being closed.
var errClosed = errors.New("the web is closed")

// respond sends an answer in HTTP/1.1 and tells whether the connection can be
// used for another request.
func (c *exchange) respond(r *http.Request, a *answer) bool {
	err := c.send(r, a)
	if errors.Is(err, errStopped) {
		c.stop(a.stop.kind)
	}
	return err == nil && a.reusable()
}

// reusable tells whether the client knows where the answer ended.
func (a *answer) reusable() bool {
	return a.framing == framingLength || a.framing == framingChunked
}

// stop does what the section wants at the place of the stop.
func (c *exchange) stop(kind stopKind) {
	switch kind {
	case stopStall:
		_, _ = io.Copy(io.Discard, c.conn)
	case stopReset:
		reset(c.tcp)
	}
}

func (c *exchange) send(r *http.Request, a *answer) error {
	err := c.web.sleep(a.delay)
	if err != nil {
		return err
	}
	if a.stop.kind != stopNever && a.stop.at == beforeHead {
		return errStopped
	}
	if a.framing == framingRaw {
		return c.drip(crlfHead(a.body), a.drip)
	}
	if a.unchanged(r.Header) {
		return c.drip(a.notModified(), 0)
	}
	for range a.informational {
		_, err := io.WriteString(c.conn, "HTTP/1.1 103 Early Hints\r\nX-Early: yes\r\n\r\n")
		if err != nil {
			return err
		}
	}
	err = c.drip(a.head(), a.dripHead)
	if err != nil || r.Method == http.MethodHead {
		return err
	}
	return c.sendBody(a)
}

// sleep waits, but not longer than the web lives.
func (w *Web) sleep(d time.Duration) error {
	if d == 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-w.ctx.Done():
		return errClosed
	}
}

// drip sends data byte by byte with pauses, or at once if there are none.
func (c *exchange) drip(data []byte, pause time.Duration) error {
	if pause == 0 {
		_, err := c.conn.Write(data)
		return err
	}
	for i := range data {
		_, err := c.conn.Write(data[i : i+1])
		if err != nil {
			return err
		}
		err = c.web.sleep(pause)
		if err != nil {
			return err
		}
	}
	return nil
}

// crlfHead gives the lines of a head the ends they have on the wire.
func crlfHead(message []byte) []byte {
	head, body, found := bytes.Cut(message, []byte("\n\n"))
	if !found || bytes.Contains(head, []byte("\r")) {
		return message
	}
	head = bytes.ReplaceAll(head, []byte("\n"), []byte("\r\n"))
	return append(append(head, "\r\n\r\n"...), body...)
}

func (a *answer) notModified() []byte {
	var b bytes.Buffer
	b.WriteString("HTTP/1.1 304 Not Modified\r\n")
	for _, f := range a.header {
		if !strings.EqualFold(f.name, "Content-Type") {
			fmt.Fprintf(&b, "%s: %s\r\n", f.name, f.value)
		}
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// head is everything up to the body.
func (a *answer) head() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", a.status, http.StatusText(a.status))
	for _, f := range a.allHeaders() {
		fmt.Fprintf(&b, "%s: %s\r\n", f.name, f.value)
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// allHeaders adds to the headers of the section those that go with its words.
func (a *answer) allHeaders() []field {
	all := a.commonHeaders()
	if a.fold {
		all = append(all, field{"X-Folded", "first\r\n second"})
	}
	if a.nul {
		all = append(all, field{"X-Nul", "before\x00after"})
	}
	return append(all, a.framingHeaders()...)
}

// commonHeaders are those that exist in every version of HTTP.
func (a *answer) commonHeaders() []field {
	all := append([]field(nil), a.header...)
	if a.coding != codingNone && !a.has("Content-Encoding") {
		all = append(all, field{"Content-Encoding", a.codingHeader()})
	}
	return append(all, fillerHeaders("X-Filler", a.headers)...)
}

// fillerLine is the length of the lines that make a head large.
const fillerLine = 1000

// fillerHeaders are n bytes of header lines, counted with their ends.
func fillerHeaders(name string, n int64) []field {
	var all []field
	for i := 0; n > 0; i++ {
		f := field{name: fmt.Sprintf("%s-%d", name, i)}
		f.value = strings.Repeat("x", max(1, int(min(n, fillerLine))-len(f.name)-4))
		all = append(all, f)
		n -= fillerLine
	}
	return all
}

func (a *answer) framingHeaders() []field {
	n := a.wire().size()
	length := func(n int64) field { return field{"Content-Length", fmt.Sprint(n)} }
	chunked := field{"Transfer-Encoding", "chunked"}
	switch a.framing {
	case framingClose:
		return []field{{"Connection", "close"}}
	case framingChunked:
		return []field{chunked}
	case framingBoth:
		return []field{length(n), chunked}
	case framingTwo:
		return []field{length(n), length(n + 1)}
	case framingTwoEqual:
		return []field{length(n), length(n)}
	case framingLie:
		if a.length == shortBy {
			return []field{length(n + 10)}
		}
		return []field{length(a.length)}
	}
	bodiless := a.status == http.StatusNoContent || a.status == http.StatusNotModified
	if a.has("Content-Length") || a.has("Transfer-Encoding") || bodiless && n == 0 {
		return nil
	}
	return []field{length(n)}
}

// sendBody sends the body up to the place of a stop.
func (c *exchange) sendBody(a *answer) error {
	body := a.wire()
	limit := body.size()
	stopped := a.stop.kind != stopNever
	if stopped {
		limit = min(limit, a.stop.at)
	}
	chunked := a.framing == framingChunked || a.framing == framingBoth
	err := body.pieces(limit, func(data []byte) error {
		if chunked {
			return c.chunk(data, a)
		}
		return c.drip(data, a.drip)
	})
	switch {
	case err != nil:
		return err
	case stopped:
		return errStopped
	case chunked:
		return c.lastChunk(a)
	}
	return nil
}

// chunk sends data as one chunk, or as a chunk for every byte if it drips.
func (c *exchange) chunk(data []byte, a *answer) error {
	step := len(data)
	if a.drip > 0 {
		step = 1
	}
	for len(data) > 0 {
		var b bytes.Buffer
		fmt.Fprintf(&b, "%x", step)
		if a.chunkExt > 0 {
			b.WriteString(";ext=" + strings.Repeat("x", int(a.chunkExt)))
		}
		fmt.Fprintf(&b, "\r\n%s\r\n", data[:step])
		_, err := c.conn.Write(b.Bytes())
		if err != nil {
			return err
		}
		err = c.web.sleep(a.drip)
		if err != nil {
			return err
		}
		data = data[step:]
	}
	return nil
}

func (c *exchange) lastChunk(a *answer) error {
	var b bytes.Buffer
	b.WriteString("0\r\n")
	for _, f := range fillerHeaders("X-Trailer", a.trailers) {
		fmt.Fprintf(&b, "%s: %s\r\n", f.name, f.value)
	}
	b.WriteString("\r\n")
	_, err := c.conn.Write(b.Bytes())
	return err
}
