package server

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// writesListener counts how often is written to its connections.
type writesListener struct {
	net.Listener
	writes atomic.Int64
}

func (l *writesListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return &writesConn{conn, &l.writes}, err
}

type writesConn struct {
	net.Conn
	writes *atomic.Int64
}

func (c *writesConn) Write(b []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(b)
}

// gatherHandler answers with what the query wants: a body of so many bytes, in so many
// parts, with its length in the head or not, or with a fault.
func gatherHandler(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	size, _ := strconv.Atoi(q.Get("size"))
	parts, _ := strconv.Atoi(q.Get("parts"))
	if q.Get("length") != "" {
		w.Header().Set("Content-Length", q.Get("length"))
	}
	switch q.Get("fault") {
	case "panic":
		panic("before anything")
	case "status":
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.WriteHeader(http.StatusOK)
	for i := range max(parts, 1) {
		_, _ = io.WriteString(w, strings.Repeat("x", size/max(parts, 1)))
		if q.Get("fault") == "late" && i == 0 {
			panic("in the middle")
		}
		if q.Get("fault") == "abort" {
			panic(http.ErrAbortHandler)
		}
	}
}

// gatherServer runs the server on a listener that counts.
func gatherServer(t *testing.T) *writesListener {
	t.Helper()
	rates := DefaultRates()
	for class := range rates {
		rates[class] = Rate{}
	}
	s, err := newServer(Config{Handler: http.HandlerFunc(gatherHandler), Route: testRoute, Rates: rates, Log: NewLogger(io.Discard, "json", 0), lab: labOf(nil)})
	if err != nil {
		t.Fatal(err)
	}
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l, v := &writesListener{Listener: tcp}, newService(s, nil)
	ended := make(chan error)
	go func() { ended <- v.main.Serve(&limitedListener{Listener: l, connections: v.connections}) }()
	t.Cleanup(func() {
		_ = v.main.Close()
		err := <-ended
		if !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return l
}

// gatherClient is one connection.
type gatherClient struct {
	*testing.T
	conn net.Conn
	read *bufio.Reader
}

func dialGather(t *testing.T, l net.Listener) *gatherClient {
	t.Helper()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &gatherClient{t, conn, bufio.NewReader(conn)}
}

func (c *gatherClient) send(method, query string) {
	c.Helper()
	_, err := fmt.Fprintf(c.conn, "%s /api/read?%s HTTP/1.1\r\nHost: a.example\r\n\r\n", method, query)
	if err != nil {
		c.Fatal(err)
	}
}

// receive reads an answer: its status, the length that its head says, and that of its body
// with the error of reading it.
func (c *gatherClient) receive(method string) gatherAnswer {
	c.Helper()
	resp, err := http.ReadResponse(c.read, &http.Request{Method: method})
	if err != nil {
		c.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	return gatherAnswer{resp.StatusCode, resp.ContentLength, len(body), err}
}

type gatherAnswer struct {
	status int
	length int64
	n      int
	err    error
}

// TestGather: answers of every size arrive whole on one connection, in one piece if they
// are short and their length is known.
func TestGather(t *testing.T) {
	t.Parallel()
	l := gatherServer(t)
	c := dialGather(t, l)
	sizes := []int{0, 1, 100, 2047, 2048, 2049, 7000, 8191, 8192, 8193, 20_000, 100_000}
	for size := 3400; size < 4200; size += 7 {
		sizes = append(sizes, size)
	}
	for _, size := range sizes {
		for _, query := range []string{
			fmt.Sprintf("size=%d&length=%d", size, size), fmt.Sprintf("size=%d", size),
			fmt.Sprintf("size=%d&length=%d&parts=2", size/2*2, size/2*2),
		} {
			before := l.writes.Load()
			c.send("GET", query)
			a := c.receive("GET")
			if a.err != nil || a.n != size && a.n != size/2*2 || a.status != http.StatusOK {
				t.Fatalf("%s: %+v", query, a)
			}
			pieces := l.writes.Load() - before
			if strings.Contains(query, "length") && size < 7500 && pieces != 1 {
				t.Errorf("%s: %d pieces", query, pieces)
			}
		}
	}
}

// TestGatherWithout: what has no body, or less than was said, neither hangs nor spoils
// what comes next.
func TestGatherWithout(t *testing.T) {
	t.Parallel()
	l := gatherServer(t)
	c := dialGather(t, l)
	c.send("HEAD", "size=4000&length=4000")
	a := c.receive("HEAD")
	if a.err != nil || a.n != 0 || a.length != 4000 {
		t.Errorf("HEAD: %+v", a)
	}
	c.send("GET", "fault=status")
	a = c.receive("GET")
	if a.err != nil || a.status != http.StatusNoContent {
		t.Errorf("no content: %+v", a)
	}
	c.send("GET", "fault=panic")
	a = c.receive("GET")
	if a.err != nil || a.status != http.StatusInternalServerError || a.n == 0 {
		t.Errorf("panic: %+v", a)
	}
	// Three at once on one connection.
	for range 3 {
		c.send("GET", "size=4000&length=4000")
	}
	for range 3 {
		a = c.receive("GET")
		if a.err != nil || a.n != 4000 {
			t.Errorf("one of three: %+v", a)
		}
	}
	// The head says more than there is: the connection ends, after what there is.
	c.send("GET", "size=4000&length=5000")
	a = c.receive("GET")
	if !errors.Is(a.err, io.ErrUnexpectedEOF) || a.n != 4000 {
		t.Errorf("too little: %+v", a)
	}
	for _, fault := range []string{"late", "abort"} {
		c = dialGather(t, l)
		c.send("GET", "size=4000&parts=2&length=4000&fault="+fault)
		a = c.receive("GET")
		if !errors.Is(a.err, io.ErrUnexpectedEOF) || a.n > 2000 {
			t.Errorf("%s: %+v", fault, a)
		}
	}
}

// TestGatherGone: a client that has gone away is no fault.
func TestGatherGone(t *testing.T) {
	t.Parallel()
	here, there := net.Pipe()
	_ = there.Close()
	c := &gatheringConn{Conn: here}
	c.gather()
	n, err := c.Write(make([]byte, mostGathered))
	if n != mostGathered || err != nil {
		t.Errorf("kept %d, %v", n, err)
	}
	_, err = c.Write([]byte{0})
	if err == nil {
		t.Error("sent to nobody")
	}
	err = c.send()
	if err != nil {
		t.Errorf("sent what was gone: %v", err)
	}
}
