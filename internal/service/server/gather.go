package server

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// mostGathered is the size, in bytes, up to which an answer is sent in one piece.
const mostGathered = 8 << 10

// gathered are buffers for answers on their way.
var gathered = sync.Pool{New: func() any { return new([mostGathered]byte) }}

// A gatheringConn can put what is written together. Package http writes 4 KB at a time, so
// that an answer of 4 KB with its head would be sent in two pieces: twice the work for the
// system, and for the client, who wakes up for each.
//
// Only the goroutine that answers a request calls gather, Write and send.
type gatheringConn struct {
	net.Conn
	held *[mostGathered]byte // nil unless something is gathered
	n    int
}

// gather has what is written from now on kept until send is called, or until it is too
// much.
func (c *gatheringConn) gather() {
	if c.held == nil {
		c.held, c.n = gathered.Get().(*[mostGathered]byte), 0
	}
}

// Write sends b or keeps it.
func (c *gatheringConn) Write(b []byte) (int, error) {
	if c.held == nil {
		return c.Conn.Write(b)
	}
	if c.n+len(b) <= len(c.held) {
		c.n += copy(c.held[c.n:], b)
		return len(b), nil
	}
	err := c.send()
	if err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// send sends what was kept.
func (c *gatheringConn) send() error {
	if c.held == nil {
		return nil
	}
	held := c.held
	c.held = nil
	defer gathered.Put(held)
	if c.n == 0 {
		return nil
	}
	_, err := c.Conn.Write(held[:c.n])
	return err
}

type gatheringKey struct{}

// withConn lets the requests of a connection find it. One with encryption has records in
// the place of pieces, and is left alone.
func withConn(ctx context.Context, conn net.Conn) context.Context {
	c, ok := conn.(*countedConn)
	if !ok {
		return ctx
	}
	return context.WithValue(ctx, gatheringKey{}, &c.gatheringConn)
}

// connOf returns the connection of a request, nil when it is left alone.
func connOf(r *http.Request) *gatheringConn {
	c, _ := r.Context().Value(gatheringKey{}).(*gatheringConn)
	return c
}

// gather has the answer sent in one piece. Its length must be known: that of another is
// found out by package http when the handler has returned, and finish is called before.
func (x *exchange) gather() {
	if x.conn != nil && x.Header().Get("Content-Length") != "" {
		x.conn.gather()
	}
}

// finish sends an answer that was gathered.
func (x *exchange) finish() {
	if x.conn == nil || x.conn.held == nil {
		return
	}
	// What package http still has comes first. An error is one of the connection: the
	// client is gone, and there is nobody to tell.
	_ = http.NewResponseController(x.ResponseWriter).Flush()
	_ = x.conn.send()
}
