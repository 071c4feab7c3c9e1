package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
)

// shared is the server of this process.
var shared struct {
	mu      sync.Mutex
	running bool // Main is on the stack and will stop the server
	server  *Server
	err     error
}

// Main runs the tests of a package and stops the server they used. The result is for
// os.Exit.
func Main(m *testing.M) int {
	shared.mu.Lock()
	shared.running = true
	shared.mu.Unlock()
	code := m.Run()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.server == nil {
		return code
	}
	err := shared.server.Close()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pgtest:", err)
		return max(code, 1)
	}
	return code
}

// URL returns the URL of a new, empty database on the server of this process. It is
// gone when the process ends.
func URL(t testing.TB) string {
	t.Helper()
	return newURL(t, "template1")
}

// Copy returns the URL of a new database that has what another one has, which must not be
// in use meanwhile.
func Copy(t testing.TB, of string) string {
	t.Helper()
	u, err := url.Parse(of)
	if err != nil {
		t.Fatal(err)
	}
	return newURL(t, strings.TrimPrefix(u.Path, "/"))
}

// BriefCopy is Copy for one of many: the database is gone when the test ends.
func BriefCopy(t testing.TB, of string) string {
	t.Helper()
	made := Copy(t, of)
	u, err := url.Parse(made)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s, err := start()
		if err == nil {
			err = s.drop(context.Background(), strings.TrimPrefix(u.Path, "/"))
		}
		if err != nil {
			t.Error(err)
		}
	})
	return made
}

// patient makes the limits of connections long: the machine may be busy.
const patient = "&connect_timeout=3600&statement_timeout=1h&lock_timeout=1h&idle_in_transaction_session_timeout=1h"

func newURL(t testing.TB, template string) string {
	t.Helper()
	s, err := start()
	if err != nil {
		t.Fatal(err)
	}
	made, err := s.newDatabase(t.Context(), template)
	if err != nil {
		t.Fatal(err)
	}
	return made + patient
}

// start starts the server of this process, or says again why it did not start.
func start() (*Server, error) {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if !shared.running {
		return nil, errors.New("pgtest: TestMain of the package has to call pgtest.Main, which stops the server")
	}
	if shared.server == nil && shared.err == nil {
		shared.server, shared.err = Start(Options{})
	}
	return shared.server, shared.err
}
