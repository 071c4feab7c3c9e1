package lsp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
)

// Config says who is at the other end, and how files are checked.
type Config struct {
	In  io.Reader
	Out io.Writer
	// Now is the clock that files are judged by.
	Now     func() time.Time
	Profile adagents.Profile
	Version string
	// Log is told what went wrong here, a line each.
	Log func(format string, args ...any)
}

// mostWaiting is how many messages are read before they are answered.
const mostWaiting = 256

// server is a conversation with one client.
type server struct {
	config Config
	// What the client told about itself; only the goroutine that answers uses it.
	initialized, shutdown bool
	snippets, documents   bool
	profile               adagents.Profile

	mu   sync.Mutex // guards what follows, and writing
	docs map[string]*document
	// dirty are the documents to be checked, the oldest change first.
	dirty []string
	wake  chan struct{}
	// waiting are the requests that were read and not answered; true when cancelled.
	waiting map[string]bool
}

// Run serves a client until it says that it is done, is gone, or the context ends. It reports
// whether the client took its leave as the protocol wants it.
func Run(ctx context.Context, c Config) (bool, error) {
	s := &server{config: c, profile: c.Profile, docs: map[string]*document{}, wake: make(chan struct{}, 1),
		waiting: map[string]bool{}}
	ctx, stop := context.WithCancel(ctx)
	checking := make(chan struct{})
	go func() {
		defer close(checking)
		s.check(ctx)
	}()
	defer func() {
		stop()
		<-checking
	}()
	messages := make(chan *message, mostWaiting)
	broken := make(chan error, 1)
	go func() {
		defer close(messages)
		broken <- s.read(ctx, messages)
	}()
	for {
		select {
		case <-ctx.Done():
			return false, nil
		case m, ok := <-messages:
			if !ok {
				return false, <-broken
			}
			if m.Method == "exit" {
				return s.shutdown, nil
			}
			err := s.answer(m)
			if err != nil {
				return false, err
			}
		}
	}
}

// read reads messages, and notes which requests the client does not want any more. The end of
// the input is not an error.
func (s *server) read(ctx context.Context, messages chan<- *message) error {
	r := bufio.NewReaderSize(s.config.In, 64<<10)
	for {
		content, err := readFrame(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		m := new(message)
		err = json.Unmarshal(content, m, readOptions)
		if err != nil {
			m = &message{Method: "", Params: nil}
		}
		if m.Method == "$/cancelRequest" {
			s.cancel(m.Params)
			continue
		}
		s.expect(m.ID)
		select {
		case messages <- m:
		case <-ctx.Done():
			return nil
		}
	}
}

// expect notes a request.
func (s *server) expect(id jsontext.Value) {
	if len(id) > 0 {
		s.mu.Lock()
		s.waiting[string(id)] = false
		s.mu.Unlock()
	}
}

// cancel notes that a request need not be answered, if it is one that waits.
func (s *server) cancel(params jsontext.Value) {
	in, err := decode[cancelParams](params)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.waiting[string(in.ID)]; ok {
		s.waiting[string(in.ID)] = true
	}
}

// taken reports whether a request was cancelled, and takes it from those that wait.
func (s *server) taken(id jsontext.Value) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	gone := s.waiting[string(id)]
	delete(s.waiting, string(id))
	return gone
}

// answer does what a message asks for. The error is that of writing.
func (s *server) answer(m *message) error {
	if len(m.ID) == 0 && m.Method != "" {
		if s.initialized || m.Method == "initialized" {
			_, err := s.safely(m, s.notified)
			if err != nil {
				s.config.Log("%s: %v", m.Method, err)
			}
		}
		return nil
	}
	var result any
	var err error
	switch {
	case m.Method == "" && len(m.ID) == 0:
		err = &failure{parseError, "the message is not JSON-RPC"}
	case s.taken(m.ID):
		err = &failure{cancelled, "cancelled"}
	case m.Method == "":
		return nil // an answer, and we asked nothing
	case s.shutdown:
		err = &failure{invalidRequest, "the server is shut down"}
	case !s.initialized && m.Method != "initialize":
		err = &failure{notInitialized, "initialize comes first"}
	default:
		result, err = s.safely(m, s.requested)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		return writeFrame(s.config.Out, &success{"2.0", m.ID, result})
	}
	var f *failure
	if !errors.As(err, &f) {
		f = &failure{internalError, err.Error()}
	}
	id := m.ID
	if len(id) == 0 {
		id = jsontext.Value("null")
	}
	return writeFrame(s.config.Out, &refusal{"2.0", id, f})
}

// safely calls a function for a message. A mistake of ours must not take the client's editor
// along.
func (s *server) safely(m *message, f func(*message) (any, error)) (_ any, err error) {
	defer func() {
		p := recover()
		if p != nil {
			s.config.Log("%s: %v", m.Method, p)
			err = &failure{internalError, fmt.Sprintf("avow has a bug in %s; please report it", m.Method)}
		}
	}()
	return f(m)
}

// say sends a notification; the caller holds the lock.
func (s *server) say(method string, params any) {
	err := writeFrame(s.config.Out, &notification{"2.0", method, params})
	if err != nil {
		s.config.Log("%v", err)
	}
}

// options are those of a check.
func (s *server) options() adagents.Options {
	return adagents.Options{Profile: s.profile, Now: s.config.Now()}
}

// put makes a document the newest of its name, and has it checked.
func (s *server) put(d *document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs[d.URI] = d
	for _, uri := range s.dirty {
		if uri == d.URI {
			return
		}
	}
	s.dirty = append(s.dirty, d.URI)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// document returns the newest version of a document that is open and concerns us; nil for
// others.
func (s *server) document(uri string) *document {
	s.mu.Lock()
	d := s.docs[uri]
	s.mu.Unlock()
	if d == nil || !d.concerns() {
		return nil
	}
	return d
}

// check checks what has changed, until the context ends.
func (s *server) check(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		for d := s.next(); d != nil && ctx.Err() == nil; d = s.next() {
			s.publish(d)
		}
	}
}

// next returns the document that waits longest; nil for none.
func (s *server) next() *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.dirty) > 0 {
		d := s.docs[s.dirty[0]]
		s.dirty = s.dirty[1:]
		if d != nil {
			return d
		}
	}
	return nil
}

// publish checks a document and sends what was found, unless there is a newer one.
func (s *server) publish(d *document) {
	defer func() {
		p := recover()
		if p != nil {
			s.config.Log("check: %v", p)
		}
	}()
	found := d.findings()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.docs[d.URI] == d {
		s.say("textDocument/publishDiagnostics", &publishParams{d.URI, &d.Version, found})
	}
}
