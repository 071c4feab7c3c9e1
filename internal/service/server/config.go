package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

// Limits on time. Each protects from clients that take long on purpose, or from waiting
// for what does not come.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second
	idleTimeout       = 60 * time.Second
	// writeTimeout also covers the time that a handler takes, which may be ten seconds.
	writeTimeout = 30 * time.Second
	// drainTimeout is for requests under way when the service ends, notice for those
	// that were cut off then, and farewell for connections to be given up.
	drainTimeout = 10 * time.Second
	notice       = 2 * time.Second
	farewell     = 250 * time.Millisecond
	// readyTimeout limits the question whether the service is ready; the answer counts
	// for readyMemory.
	readyTimeout = 2 * time.Second
	readyMemory  = time.Second
	// largeTimeout applies to a large answer, each writePiece of which has to be taken
	// within pieceTimeout: a slower client keeps memory from others.
	largeTimeout = 60 * time.Second
	pieceTimeout = 4 * time.Second
)

// Limits on size and number.
const (
	// maxHeader is the largest head of a request. Package http reads headerSlop more
	// than it is told.
	maxHeader  = 16 << 10
	headerSlop = 4 << 10
	// smallBody is the largest body of a request that carries no document.
	smallBody = 64 << 10
	// writePiece is how much of a large answer is written at once.
	writePiece = 128 << 10
	// sendBuffer is what the system keeps of an answer for each connection, which is not
	// counted; left alone it takes 4 MB for a client that does not read.
	sendBuffer = 64 << 10
	// maxStreams is the number of requests at once in one HTTP/2 connection.
	maxStreams = 100

	defaultConns          = 20_000
	defaultConnsPerClient = 128
	defaultRequests       = 2048
	defaultKeyFactor      = 10
	defaultMemory         = 72_000_000
)

// Config configures Run. Addrs, Handler and Route are required.
type Config struct {
	// Addrs are the addresses to listen on, as HOST:PORT. Port 0 is any free one.
	Addrs []string
	// MetricsAddr is the address for metrics and profiles; empty means there are none.
	// It must be on this machine unless MetricsPublic is set.
	MetricsAddr   string
	MetricsPublic bool
	// TLSCert and TLSKey are files; both empty means no encryption, for a proxy that
	// has taken care of it. They are read again when they change or Reload says so.
	TLSCert, TLSKey string
	Reload          <-chan struct{}
	// TrustedProxies are the networks whose X-Forwarded-For, X-Forwarded-Proto and
	// X-Request-Id are believed.
	TrustedProxies []netip.Prefix
	// BaseURL is where the service is reached from outside; empty means as it listens.
	// Its origin may change things.
	BaseURL string

	// Handler answers everything but the health checks.
	Handler http.Handler
	// Route describes a request.
	Route func(*http.Request) edge.Route
	// Authenticate returns the key of a secret, and an error when there is none; nil
	// means there are no keys.
	Authenticate func(ctx context.Context, secret string) (*registry.Key, error)
	// KnownKey returns the key of a secret if that costs little, and nil otherwise: it is
	// for clients that have presented too many secrets that are no keys. Nil means that
	// they have to wait.
	KnownKey func(ctx context.Context, secret string) *registry.Key
	// WithCaller puts a caller with a key into the context of a request, for handlers; nil
	// means they do not need it. Of others the Call in the context says all there is to know.
	WithCaller func(ctx context.Context, c registry.Caller) context.Context
	// Ready reports whether the service can do its work; nil means always.
	Ready func(ctx context.Context) error
	// Warnings returns what an operator has to see to; nil means nothing ever.
	Warnings func() []registry.Warning

	// Rates are those of anonymous callers; a class that is missing has none. Callers
	// with a key have KeyFactor times as much, except for Write; zero means 10.
	Rates     map[*edge.Class]edge.Rate
	KeyFactor int
	// MaxConns is the number of open connections, and MaxConnsPerClient those of one
	// client; zero means 20,000 and 128.
	MaxConns, MaxConnsPerClient int
	// MaxRequests is the number of requests under way, separately for those that may
	// ask the web and those that do not; zero means 2048.
	MaxRequests int
	// Memory has the bytes for what is large, see NewMemory; nil means 72 MB.
	Memory *budget.Budget
	// DrainDelay is the time between the moment the service says it is not ready and
	// the one it stops accepting connections, for load balancers that look every few
	// seconds.
	DrainDelay time.Duration

	// Page answers a visitor of a page who has to come back later: the error says when. With known it may
	// look up what is known about the request, within the limits of reading. Nil means that
	// visitors get text.
	Page func(w http.ResponseWriter, r *http.Request, e *registry.Error, known bool)
	// Named reports whether there may be something to look up; it goes with Page.
	Named func(r *http.Request) bool

	// Drain is called when the service is about to end, for answers that would go on for ever;
	// nil means that there are none.
	Drain func()

	// Metrics counts; nil for none.
	Metrics *Metrics
	// Log is for the operator; nil for none.
	Log *slog.Logger
	// Now is the clock of limits and timestamps; nil means time.Now.
	Now func() time.Time

	// lab replaces what a test cannot wait for or be.
	lab *lab
}

// A lab is a set of limits on time, whether clients on this machine are limited like
// others, and how to wait for DrainDelay to pass.
type lab struct {
	header, read, write, idle, drain time.Duration
	piece, large, patience, turn     time.Duration
	limitLocal                       bool
	sleep                            func(time.Duration)
}

func (c *Config) withDefaults() {
	setDefault(&c.KeyFactor, defaultKeyFactor)
	setDefault(&c.MaxConns, defaultConns)
	setDefault(&c.MaxConnsPerClient, defaultConnsPerClient)
	setDefault(&c.MaxRequests, defaultRequests)
	if c.Memory == nil {
		c.Memory = NewMemory(defaultMemory)
	}
	if c.Metrics == nil {
		c.Metrics = NewMetrics()
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.lab == nil {
		c.lab = &lab{
			header: readHeaderTimeout, read: readTimeout, write: writeTimeout, idle: idleTimeout, drain: drainTimeout,
			piece: pieceTimeout, large: largeTimeout, patience: gatePatience, turn: turnTime, sleep: time.Sleep,
		}
	}
	if c.Drain == nil {
		c.Drain = func() {}
	}
	if c.WithCaller == nil {
		c.WithCaller = func(ctx context.Context, _ registry.Caller) context.Context { return ctx }
	}
}

func setDefault(n *int, value int) {
	if *n <= 0 {
		*n = value
	}
}
