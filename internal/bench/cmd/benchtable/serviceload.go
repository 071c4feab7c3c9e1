package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"
)

// The load comes from a process of its own, which is this program once more. It speaks
// HTTP with as little work as possible: what it takes is taken from the server, which
// shares the processors.
const (
	loadTask     = "load"
	loadAddress  = "BENCHTABLE_LOAD_ADDRESS"
	loadRequest  = "BENCHTABLE_LOAD_REQUEST" // the name of a file
	loadConns    = "BENCHTABLE_LOAD_CONNECTIONS"
	loadDuration = "BENCHTABLE_LOAD_DURATION" // zero: a few requests on each connection
	loadAlone    = "BENCHTABLE_LOAD_ALONE"    // true: all connections have the address of one client
	fewRequests  = 3
	loadOpeners  = 64
	// loadReadBuffers are, in bytes, shared by the connections, each of which has one of
	// leastReadBuffer to mostReadBuffer: a large answer is read in few pieces.
	loadReadBuffers = 16 << 20
	leastReadBuffer = 16 << 10
	mostReadBuffer  = 256 << 10
)

// A loadReport is what the process prints: how many answers there were in how long, how
// large one is, and the time within which 99 of 100 came.
type loadReport struct {
	answers, size int
	took, p99     time.Duration
	cpu           time.Duration // of the server for an answer
}

// rate is the number of answers in a second.
func (r loadReport) rate() float64 { return float64(r.answers) / r.took.Seconds() }

// runLoad makes load when the environment says so, and reports whether it does.
func runLoad(out io.Writer) (bool, error) {
	if os.Getenv(webTaskVariable) != loadTask {
		return false, nil
	}
	request, err := os.ReadFile(os.Getenv(loadRequest))
	if err != nil {
		return true, err
	}
	n, err := strconv.Atoi(os.Getenv(loadConns))
	if err != nil {
		return true, err
	}
	d, err := time.ParseDuration(os.Getenv(loadDuration))
	if err != nil {
		return true, err
	}
	alone, err := strconv.ParseBool(os.Getenv(loadAlone))
	if err != nil {
		return true, err
	}
	conns, err := openConns(os.Getenv(loadAddress), n, alone)
	if err != nil {
		return true, err
	}
	for _, c := range conns {
		c.spread = bytes.Contains(request, []byte(publisherMark))
	}
	r, err := load(conns, request, d)
	if err != nil {
		return true, err
	}
	_, err = fmt.Fprintln(out, r.answers, r.size, int64(r.took), int64(r.p99))
	return true, err
}

// A loadConn is a connection to the server.
type loadConn struct {
	conn    net.Conn
	read    *bufio.Reader
	size    int
	times   []time.Duration
	failure error
	spread  bool // requests have marks
}

// openConns opens connections, some at once: those of one client, or each of another.
func openConns(address string, n int, alone bool) ([]*loadConn, error) {
	conns, errs := make([]*loadConn, n), make([]error, loadOpeners)
	buffer := min(max(loadReadBuffers/n, leastReadBuffer), mostReadBuffer)
	var done sync.WaitGroup
	for i := range loadOpeners {
		done.Go(func() {
			for k := i; k < n; k += loadOpeners {
				client := k
				if alone {
					client = 0
				}
				c, err := dialFrom(client, address)
				if err != nil {
					errs[i] = err
					return
				}
				conns[k] = &loadConn{conn: c, read: bufio.NewReaderSize(c, buffer)}
			}
		})
	}
	done.Wait()
	return conns, errors.Join(errs...)
}

// dialFrom connects as one of many clients: the service limits what each may do at once.
// Where loopback has one address only, they are one client.
func dialFrom(client int, address string) (net.Conn, error) {
	var d net.Dialer
	if runtime.GOOS == "linux" {
		d.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 1, byte(client/250), byte(client%250+1))}
	}
	return d.Dial("tcp", address)
}

// load sends the request on every connection again and again. Without a duration it
// sends a few on each, some connections at once.
func load(conns []*loadConn, request []byte, d time.Duration) (loadReport, error) {
	start := time.Now()
	if d > 0 {
		keepBusy(conns, request, start.Add(d))
	} else {
		goRound(conns, request)
	}
	r := loadReport{took: time.Since(start)}
	var times []time.Duration
	for _, c := range conns {
		if c.failure != nil {
			return r, c.failure
		}
		times, r.size = append(times, c.times...), max(r.size, c.size)
	}
	slices.Sort(times)
	r.answers, r.p99 = len(times), times[len(times)*99/100]
	return r, nil
}

// keepBusy sends on every connection as soon as the answer before has come.
func keepBusy(conns []*loadConn, request []byte, end time.Time) {
	var done sync.WaitGroup
	for _, c := range conns {
		done.Go(func() {
			for c.failure == nil && time.Now().Before(end) {
				c.failure = c.exchange(request)
			}
		})
	}
	done.Wait()
}

// goRound sends on each connection in turn: most of them only stay open meanwhile.
func goRound(conns []*loadConn, request []byte) {
	for range fewRequests {
		var done sync.WaitGroup
		for i := range loadOpeners {
			done.Go(func() {
				for k := i; k < len(conns) && conns[k].failure == nil; k += loadOpeners {
					conns[k].failure = conns[k].exchange(request)
				}
			})
		}
		done.Wait()
	}
}

var (
	endOfHead    = []byte("\r\n\r\n")
	statusOK     = []byte("HTTP/1.1 200 ")
	lengthHeader = []byte("\r\nContent-Length: ")
)

// Marks in a request that numbers are put in the place of, each time others.
const (
	publisherMark   = "NNNN"
	agentMark       = "AAAAAA"
	knownPublishers = 1_000
	usualAgents     = 4
)

// spread puts numbers in the place of the marks. They are as long as the marks.
func spread(request []byte) []byte {
	agent := rand.IntN(usualAgents)
	if rand.IntN(10) == 0 {
		agent = rand.IntN(1_000_000)
	}
	request = bytes.Replace(request, []byte(publisherMark), fmt.Appendf(nil, "%04d", rand.IntN(knownPublishers)), 1)
	return bytes.Replace(request, []byte(agentMark), fmt.Appendf(nil, "%06d", agent), 1)
}

// exchange sends the request and reads the answer, which must be a good one.
func (c *loadConn) exchange(request []byte) error {
	if c.spread {
		request = spread(request)
	}
	began := time.Now()
	err := c.ask(request)
	if err != nil {
		return err
	}
	_, err = c.read.Discard(c.size)
	c.times = append(c.times, time.Since(began))
	return err
}

// ask sends the request and reads the head of the answer, which must be a good one with
// its length in the head.
func (c *loadConn) ask(request []byte) error {
	_, err := c.conn.Write(request)
	if err != nil {
		return err
	}
	head, err := c.head()
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(head, statusOK) {
		rest, _ := c.read.Peek(min(c.read.Buffered(), 500))
		return fmt.Errorf("the answer is %s%s", head, rest)
	}
	_, after, _ := bytes.Cut(head, lengthHeader)
	digits, _, _ := bytes.Cut(after, endOfHead[:2])
	c.size, err = strconv.Atoi(string(digits))
	return err
}

// head reads up to the end of the head. It is valid until the next read.
func (c *loadConn) head() ([]byte, error) {
	for {
		_, err := c.read.Peek(c.read.Buffered() + 1)
		if err != nil {
			return nil, err
		}
		seen, _ := c.read.Peek(c.read.Buffered())
		i := bytes.Index(seen, endOfHead)
		if i >= 0 {
			head := bytes.Clone(seen[:i+len(endOfHead)])
			_, err = c.read.Discard(len(head))
			return head, err
		}
	}
}
