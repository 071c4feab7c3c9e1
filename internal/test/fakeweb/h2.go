package fakeweb

import (
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// serveH2 speaks HTTP/2 on a connection whose handshake is done, with a server
// of net/http that has this one connection.
func (c *exchange) serveH2() {
	h := &h2Handler{exchange: c}
	l := &single{conn: c.conn, done: make(chan struct{})}
	server := &http.Server{
		Handler:           h,
		ErrorLog:          log.New(io.Discard, "", 0), // faults are not worth a line
		ReadHeaderTimeout: time.Minute,
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateClosed {
				close(l.done)
			}
		},
	}
	_ = server.Serve(l)
	h.running.Wait()
}

// single is a listener with one connection. It ends when that has ended.
type single struct {
	conn net.Conn
	done chan struct{}
	once sync.Once
}

// Accept returns the connection, and an error when it has ended.
func (l *single) Accept() (net.Conn, error) {
	var conn net.Conn
	l.once.Do(func() { conn = l.conn })
	if conn != nil {
		return conn, nil
	}
	<-l.done
	return nil, net.ErrClosed
}

// Close does nothing: the connection has its own end.
func (l *single) Close() error { return nil }

// Addr returns where the connection arrived.
func (l *single) Addr() net.Addr { return l.conn.LocalAddr() }

// An h2Handler answers the requests of a connection.
type h2Handler struct {
	*exchange
	running sync.WaitGroup
}

// ServeHTTP answers one request. A panic with http.ErrAbortHandler is how
// net/http is told to reset the stream.
func (h *h2Handler) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	h.running.Add(1)
	defer h.running.Done()
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequestBody))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	a := h.web.choose(r, body, h.exchange)
	err = h.web.sleep(a.delay)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if a.stop.kind != stopNever && a.stop.at == beforeHead {
		h.stopStream(r, a.stop.kind)
	}
	h.answer(out, r, a)
}

// stopStream ends a stream early. A stall lasts until the client gives up.
func (h *h2Handler) stopStream(r *http.Request, kind stopKind) {
	switch kind {
	case stopStall:
		select {
		case <-r.Context().Done():
		case <-h.web.ctx.Done():
		}
	case stopReset:
		reset(h.tcp)
	}
	panic(http.ErrAbortHandler)
}

func (h *h2Handler) answer(out http.ResponseWriter, r *http.Request, a *answer) {
	for _, f := range a.commonHeaders() {
		out.Header().Add(f.name, f.value)
	}
	quiet(out.Header())
	if a.unchanged(r.Header) {
		out.WriteHeader(http.StatusNotModified)
		return
	}
	// Before the informational answers: net/http may still be writing those when the
	// next line is reached, and reads the header meanwhile.
	body := a.wire()
	if !a.has("Content-Length") && body.size() > 0 {
		out.Header().Set("Content-Length", strconv.FormatInt(body.size(), 10))
	}
	for range a.informational {
		out.WriteHeader(http.StatusEarlyHints)
	}
	out.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		h.body(out, r, a)
	}
}

// quiet keeps net/http from adding headers that the section does not have.
func quiet(header http.Header) {
	for _, name := range []string{"Date", "Content-Type"} {
		if _, ok := header[name]; !ok {
			header[name] = nil
		}
	}
}

func (h *h2Handler) body(out http.ResponseWriter, r *http.Request, a *answer) {
	body := a.wire()
	limit := body.size()
	stopped := a.stop.kind != stopNever
	if stopped {
		limit = min(limit, a.stop.at)
	}
	flusher := http.NewResponseController(out)
	err := body.pieces(limit, func(data []byte) error {
		if a.drip == 0 {
			_, err := out.Write(data)
			return err
		}
		return h.dripStream(out, flusher, data, a.drip)
	})
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if stopped {
		_ = flusher.Flush()
		h.stopStream(r, a.stop.kind)
	}
}

func (h *h2Handler) dripStream(out io.Writer, flusher *http.ResponseController, data []byte,
	pause time.Duration) error {
	for i := range data {
		_, err := out.Write(data[i : i+1])
		if err != nil {
			return err
		}
		err = flusher.Flush()
		if err != nil {
			return err
		}
		err = h.web.sleep(pause)
		if err != nil {
			return err
		}
	}
	return nil
}
