package fetch

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/http/httpguts"
)

// request builds the request. It carries what the caller asked for and nothing
// that would tell one caller from another.
func (a *attempt) request(ctx context.Context) *http.Request {
	header := http.Header{
		"Accept":          {strings.Join(a.want.MediaTypes, ", ")},
		"Accept-Encoding": {"gzip"},
		"User-Agent":      {a.client.agent},
	}
	set(header, "If-None-Match", a.want.IfNoneMatch)
	set(header, "If-Modified-Since", a.want.IfModifiedSince)
	if a.want.NoCache {
		set(header, "Cache-Control", "no-cache")
	}
	u := a.target.url()
	r := &http.Request{
		Method: a.Method, URL: u, Host: u.Host, Header: header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Close: true,
	}
	if a.want.Post != nil {
		set(header, "Content-Type", jsonType)
		set(header, "Mcp-Session-Id", a.want.Session)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(a.want.Post)), int64(len(a.want.Post))
	}
	return r.WithContext(ctx)
}

func set(header http.Header, name, value string) {
	if value != "" {
		header[name] = []string{value}
	}
}

// withoutBadConditions drops what no header can carry. It comes from earlier answers, by
// way of a store.
func withoutBadConditions(r *Request) {
	if !httpguts.ValidHeaderFieldValue(r.IfNoneMatch) {
		r.IfNoneMatch = ""
	}
	if !httpguts.ValidHeaderFieldValue(r.IfModifiedSince) {
		r.IfModifiedSince = ""
	}
	if !httpguts.ValidHeaderFieldValue(r.Session) {
		r.Session = ""
	}
}

// send sends the request over conn and returns the answer with its body still to
// be read. The returned function ends the exchange.
func (a *attempt) send(ctx context.Context, conn *tls.Conn) (*http.Response, func(), error) {
	if conn.ConnectionState().NegotiatedProtocol == "h2" {
		return a.sendHTTP2(ctx, conn)
	}
	a.Protocol = "HTTP/1.1"
	b := buffersPool.Get().(*buffers)
	resp, err := a.sendHTTP1(ctx, conn, b)
	return resp, b.release, err
}

// buffersPool keeps buffers for HTTP/1.1, which one exchange after the other can use.
var buffersPool = sync.Pool{New: func() any {
	return &buffers{out: bufio.NewWriter(nil), in: bufio.NewReader(nil), message: bufio.NewReader(nil)}
}}

// buffers are those of one exchange: for the request, for what comes over the connection,
// and for the answer whose head was looked at.
type buffers struct {
	out         *bufio.Writer
	in, message *bufio.Reader
}

// release hands the buffers back. The answer must not be read any more.
func (b *buffers) release() {
	b.out.Reset(nil)
	b.in.Reset(nil)
	b.message.Reset(nil)
	buffersPool.Put(b)
}

// sendHTTP1 speaks HTTP/1.1 itself, because http.Transport does not show the head
// of an answer as it came, and adds two goroutines to each connection.
func (a *attempt) sendHTTP1(ctx context.Context, conn net.Conn, b *buffers) (*http.Response, error) {
	b.out.Reset(conn)
	b.in.Reset(conn)
	request := a.request(ctx)
	err := request.Write(b.out)
	if err == nil {
		err = b.out.Flush()
	}
	if err != nil {
		return nil, fail(Unreachable, err)
	}
	stop := a.within(a.client.limits.header, errHeaderTime)
	defer stop()
	start := time.Now()
	_, err = b.in.Peek(1)
	if err != nil {
		return nil, answerFailure(err)
	}
	a.Timings.FirstByte = time.Since(start)
	head, err := readHead(b.in, maxHead)
	if err != nil {
		return nil, answerFailure(err)
	}
	b.message.Reset(io.MultiReader(bytes.NewReader(head), b.in))
	resp, err := http.ReadResponse(b.message, request)
	if err != nil {
		return nil, fail(BadMessage, err)
	}
	return resp, nil
}

// connection is the key under which a context carries the connection that
// HTTP/2 is to use.
type connection struct{}

// newHTTP2 returns the transport whose HTTP/2 part is used. It never connects by
// itself: it is handed connections that passed guard and handshake.
func newHTTP2() *http.Transport {
	return &http.Transport{
		DialTLSContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return ctx.Value(connection{}).(*tls.Conn), nil
		},
		DisableKeepAlives:      true,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
		MaxResponseHeaderBytes: maxHead,
		HTTP2:                  &http.HTTP2Config{MaxReceiveBufferPerStream: http2Window},
	}
}

// http2Window is how much of a body a server may send ahead. It bounds memory
// while a body is decompressed.
const http2Window = 1 << 20

const errFraming messageError = "the header of the answer contradicts the framing of http/2"

// sendHTTP2 speaks HTTP/2 on one connection for one request.
func (a *attempt) sendHTTP2(ctx context.Context, conn *tls.Conn) (*http.Response, func(), error) {
	a.Protocol = "HTTP/2.0"
	stop := a.within(a.client.limits.header, errHeaderTime)
	defer stop()
	address := net.JoinHostPort(a.target.host, strconv.Itoa(int(a.target.port)))
	single, err := a.client.http2.NewClientConn(context.WithValue(ctx, connection{}, conn), "https", address)
	if err != nil {
		return nil, func() {}, fail(Unreachable, err)
	}
	end := func() { _ = single.Close() }
	start := time.Now()
	resp, err := single.RoundTrip(a.request(ctx))
	if err != nil {
		return nil, end, http2Failure(err)
	}
	a.Timings.FirstByte = time.Since(start)
	err = checkHTTP2(resp)
	if err != nil {
		return resp, end, fail(BadMessage, err)
	}
	return resp, end, nil
}

// checkHTTP2 looks for what net/http lets pass in HTTP/2: other readers may see
// another status or length in it.
func checkHTTP2(resp *http.Response) error {
	lengths := resp.Header["Content-Length"]
	if len(lengths) > 1 || resp.Header["Transfer-Encoding"] != nil {
		return errFraming
	}
	if len(lengths) == 1 {
		_, err := strconv.ParseUint(lengths[0], 10, 63)
		if err != nil {
			return errLengthValue
		}
	}
	// The text of the status begins with the digits as they came.
	digits, _, _ := strings.Cut(resp.Status, " ")
	if len(digits) != 3 || resp.StatusCode < 100 {
		return errStatusValue
	}
	return nil
}
