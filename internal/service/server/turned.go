package server

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/service/edge"
)

const (
	// mostTurned is the number of clients beyond the limits that are told why at the same time, and
	// turnTime what each has to send its request and to read the answer. Others are cut off.
	mostTurned = 256
	turnTime   = time.Second
	// turnedBody is how much of a body is read so that its sender gets to read the answer.
	turnedBody = 8 << 20
)

// turnAway answers a client beyond the limit of connections with 503, while a few such answers are under way.
func (l *limitedListener) turnAway(conn net.Conn) {
	select {
	case l.turning <- struct{}{}:
	default:
		_ = conn.Close() // nothing was sent
		return
	}
	l.told.Go(func() {
		defer func() { <-l.turning }()
		defer func() { _ = conn.Close() }()
		_ = conn.SetDeadline(time.Now().Add(l.turn))
		if l.encryption != nil {
			conn = tls.Server(conn, l.encryption)
		}
		sayBusy(conn)
	})
}

// busyPage is what a browser shows: the pages of the service take more time and memory than there is.
const busyPage = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">` +
	`<title>%[1]s</title><h1>%[1]s</h1><p>%[2]s</p><p>Load this page again in %[3]d seconds.</p></html>`

// sayBusy answers the request that a connection brings. What else the client sends is read: a connection
// that is closed before that is reset, and the answer lost.
func sayBusy(conn net.Conn) {
	head := bufio.NewReader(io.LimitReader(conn, maxHeader))
	page := false
	for {
		line, err := head.ReadSlice('\n')
		if err != nil {
			return
		}
		if len(bytes.TrimSpace(line)) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		page = page || bytes.EqualFold(name, []byte("Accept")) && bytes.Contains(value, []byte("text/html"))
	}
	h := http.Header{"Content-Type": {"application/json"}, "Cache-Control": {"no-store"}, "Connection": {"close"}}
	status, body := edge.Answer(h, edge.Busy)
	text, err := json.Marshal(&body)
	if err != nil {
		return
	}
	if page {
		h.Set("Content-Type", "text/html; charset=utf-8")
		text = fmt.Appendf(nil, busyPage, body.Error, body.Message, body.RetryAfter)
	}
	h.Set("Content-Length", strconv.Itoa(len(text)))
	answer := bytes.NewBufferString("HTTP/1.1 " + strconv.Itoa(status) + " " + http.StatusText(status) + "\r\n")
	_ = h.Write(answer) // a buffer takes everything
	answer.WriteString("\r\n")
	answer.Write(text)
	_, err = conn.Write(answer.Bytes())
	end, ok := conn.(interface{ CloseWrite() error })
	if err == nil && ok && end.CloseWrite() == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(conn, turnedBody))
	}
}
