package server

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

// An exchange is a request on its way through the server, with what is known about it.
// It is also the ResponseWriter of the handlers inside, so that the end knows what was
// answered.
type exchange struct {
	http.ResponseWriter
	server  *server
	request *http.Request
	began   time.Time
	id      string
	client  string // the name of the address
	secure  bool
	route   edge.Route
	key     *registry.Key
	status  int
	bytes   int64
	// refused is why the server answered itself; empty when a handler did. instead is what a page
	// says in the place of the handler; nil when the handler answers.
	refused string
	instead *registry.Error
	// weight is the memory that the request has. gate is where it has a slot until there is
	// an answer, and holding what it holds until that is written; both are nil before the
	// request is let in.
	weight  int64
	gate    *gate
	holding *budget.Holding
	// weighed is set when memory for the answer of the handler was looked for, and dropped when
	// there was too little: what the handler writes then is not sent.
	weighed, dropped bool
}

// WriteHeader notes the status. A large answer that there is no memory for is refused.
func (x *exchange) WriteHeader(status int) {
	if x.dropped {
		return
	}
	if x.status != 0 || status < http.StatusOK {
		x.ResponseWriter.WriteHeader(status)
		return
	}
	x.leaveGate()
	if x.holding != nil && !x.weighed {
		x.weighed = true
		x.dropped = !x.weigh()
	}
	if x.dropped {
		return
	}
	x.status = status
	x.ResponseWriter.WriteHeader(status)
}

// begin makes an exchange ready for the answer of a handler, whatever another one made of it.
func (x *exchange) begin(header http.Header, h *budget.Holding) {
	x.holding, x.weighed, x.dropped = h, false, false
	if x.status == 0 {
		clear(x.Header())
		maps.Copy(x.Header(), header.Clone())
	}
}

// weigh keeps memory for an answer as far as it is made for this request alone, which those that
// the program carries along are not. It reports false if there is too little.
func (x *exchange) weigh() bool {
	if x.holding.Short() {
		return false
	}
	size, err := strconv.ParseInt(x.Header().Get("Content-Length"), 10, 64)
	if err != nil {
		return true // it is written as it is made
	}
	if size <= smallBody || x.route.Class == edge.Static {
		size = 0
	}
	return x.holding.Answer(size) == nil
}

// leaveGate gives the slot of the request back, if it has one.
func (x *exchange) leaveGate() {
	if x.gate != nil {
		x.gate.Release(x.payer(), 1)
		x.gate = nil
	}
}

// Write notes the size. What is large is written in pieces, and who does not take each in
// time is cut off.
func (x *exchange) Write(b []byte) (int, error) {
	if x.status == 0 {
		x.WriteHeader(http.StatusOK)
	}
	if x.dropped {
		return 0, errNoMemory
	}
	if len(b) <= writePiece {
		return x.write(b)
	}
	done := 0
	for piece := range slices.Chunk(b, writePiece) {
		x.hurry()
		n, err := x.write(piece)
		done += n
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

func (x *exchange) write(b []byte) (int, error) {
	n, err := x.ResponseWriter.Write(b)
	x.bytes += int64(n)
	return n, err
}

// hurry sets the time until the next piece has to be written. An error means that the
// connection cannot have one, and that the limit of the whole answer holds.
func (x *exchange) hurry() {
	until, end := time.Now().Add(x.server.config.lab.piece), x.began.Add(x.server.config.lab.large)
	if end.Before(until) {
		until = end
	}
	_ = http.NewResponseController(x.ResponseWriter).SetWriteDeadline(until)
}

// errNoMemory is for a handler whose answer was refused.
var errNoMemory = errors.New("there is no memory for the answer")

// Unwrap is for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// payer is who a request is counted for: the key, or else the address.
func (x *exchange) payer() string {
	if x.key != nil {
		return x.key.ID
	}
	return x.client
}

// payers are the same with the networks around the address.
func (x *exchange) payers() []registry.Block {
	if x.key != nil {
		return []registry.Block{{Name: x.key.ID, Factor: 1}}
	}
	return registry.BlocksOf(x.client)
}

// requestID returns the id of a request. Only a trusted proxy may bring one along: ids
// of a stranger's choice would make the log tell stories.
func requestID(r *http.Request, trusted bool) string {
	if trusted {
		id := r.Header.Get("X-Request-Id")
		if wellFormedID(id) {
			return id
		}
	}
	var b [12]byte
	_, _ = rand.Read(b[:]) // it never fails; see package rand
	return hex.EncodeToString(b[:])
}

func wellFormedID(id string) bool {
	odd := func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune("-_.", r)
	}
	return len(id) >= 8 && len(id) <= 64 && !strings.ContainsFunc(id, odd)
}

// levelOf returns how important the line of a request is. Health checks come every few
// seconds and say nothing as long as all is well.
func levelOf(x *exchange) slog.Level {
	switch {
	case x.status >= http.StatusInternalServerError && x.refused != edge.Busy.Code:
		return slog.LevelWarn
	case x.route.Pattern == healthPattern && x.status < http.StatusInternalServerError:
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// lineOf is what the log says about a request. It has no query, no headers but one and
// no body: these hold what callers ask about, and keys.
func lineOf(x *exchange, r *http.Request, key string, took time.Duration) []slog.Attr {
	line := []slog.Attr{
		slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", x.status),
		slog.Int64("bytes", x.bytes), slog.Float64("ms", float64(took.Microseconds())/1000), slog.String("client", x.client),
		slog.String("user_agent", r.UserAgent()),
	}
	if key != "" {
		line = append(line, slog.String("key", key))
	}
	if x.refused != "" {
		line = append(line, slog.String("refused", x.refused))
	}
	return line
}
