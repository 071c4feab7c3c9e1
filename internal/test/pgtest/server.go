package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// patience is how long a server may take to accept connections, and to end, on a machine that is
	// as slow and as busy as can be.
	patience = 10 * time.Minute
	// owner is the user of the database, not of the system.
	owner = "avow"
	// port is in the name of the socket. PGPORT does not decide about it.
	port = "5432"
	// objectInUse is the code of the server for a database in use.
	objectInUse = "55006"
)

// guard ends the server and removes its directory when its input ends without a word,
// which happens when the tests are ended from outside.
const guard = `read -r line || { kill -QUIT "$1"; sleep 1; rm -rf "$2"; }`

// Options are about a server.
type Options struct {
	// Sync makes the server write to the disk what it says it wrote. Without it the
	// server is faster, and loses data when the machine stops, but not when it does.
	Sync bool
	// Connections is how many it accepts; zero means 200.
	Connections int
}

// A Server is a running server, or one that was stopped and may be started again.
type Server struct {
	options   Options
	programs  programs
	account   *account
	dir       string
	password  string
	databases atomic.Int64

	process *os.Process   // nil while it is stopped
	ended   chan struct{} // closed when the process has ended
}

// Start makes and starts a server in a temporary directory. Close removes it.
func Start(o Options) (*Server, error) {
	if o.Connections == 0 {
		o.Connections = 200
	}
	p, err := find()
	if err != nil {
		return nil, err
	}
	a, err := serverAccount()
	if err != nil {
		return nil, err
	}
	s := &Server{options: o, programs: p, account: a, password: rand.Text()}
	err = s.initialize()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.dir))
	}
	err = s.Restart()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.dir))
	}
	return s, nil
}

// data is the directory of the databases.
func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// logFile is where the server writes what happens.
func (s *Server) logFile() string { return filepath.Join(s.dir, "log") }

// initialize makes the directory of a server. It is not below that of a test, whose name
// may be too long for a socket.
func (s *Server) initialize() error {
	dir, err := os.MkdirTemp("", "avow-pg-")
	if err != nil {
		return err
	}
	s.dir = dir
	passwordFile := filepath.Join(dir, "password")
	err = os.WriteFile(passwordFile, []byte(s.password), 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(s.account.own(dir), s.account.own(passwordFile))
	if err != nil {
		return err
	}
	cmd := exec.Command(s.programs.initdb, "--pgdata", s.data(), "--username", owner, "--pwfile", passwordFile, //nolint:noctx // it ends by itself
		"--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync")
	cmd.Dir = dir
	s.account.run(cmd)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("pgtest: initdb: %w\n%s", err, out)
	}
	return nil
}

// arguments are those of the server. It listens on a socket in its directory: another process could
// take a port while the server is stopped.
func (s *Server) arguments() []string {
	settings := []string{
		"listen_addresses=",
		"unix_socket_directories=" + s.dir,
		"port=" + port,
		"max_connections=" + strconv.Itoa(s.options.Connections),
	}
	if !s.options.Sync {
		settings = append(settings, "fsync=off", "full_page_writes=off", "synchronous_commit=off")
	}
	args := []string{"-D", s.data()}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}

// Restart starts a server that was stopped, in the same place and with the same data. It
// returns when the server answers.
func (s *Server) Restart() error {
	log, err := os.OpenFile(s.logFile(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(s.programs.postgres, s.arguments()...) //nolint:noctx // Stop and Close end it
	cmd.Dir = s.dir
	cmd.Stdout, cmd.Stderr = log, log
	s.account.run(cmd)
	err = cmd.Start()
	if err != nil {
		return err
	}
	leave, err := s.watch(cmd.Process.Pid)
	if err != nil {
		return errors.Join(err, cmd.Process.Kill())
	}
	s.process, s.ended = cmd.Process, make(chan struct{})
	go func(ended chan struct{}) {
		_ = cmd.Wait()
		leave()
		close(ended)
	}(s.ended)
	err = s.await()
	if err != nil {
		return errors.Join(err, s.Kill())
	}
	return nil
}

// watch starts the guard. The result ends it.
func (s *Server) watch(pid int) (func(), error) {
	cmd := exec.Command("sh", "-c", guard, "sh", strconv.Itoa(pid), s.dir) //nolint:noctx // it ends with its input
	s.account.run(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	err = cmd.Start()
	if err != nil {
		return nil, err
	}
	return func() {
		_, _ = io.WriteString(stdin, "done\n")
		_ = stdin.Close()
		_ = cmd.Wait()
	}, nil
}

// await waits until the server answers.
func (s *Server) await() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.url("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.ended:
			return fmt.Errorf("pgtest: the server does not start\n%s", s.log())
		case <-ctx.Done():
			return fmt.Errorf("pgtest: the server does not answer: %w\n%s", err, s.log())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// log is the end of what the server has written.
func (s *Server) log() string {
	b, err := os.ReadFile(s.logFile())
	if err != nil {
		return err.Error()
	}
	return string(b[max(0, len(b)-4000):])
}

// url is the URL of a database.
func (s *Server) url(database string) string {
	u := url.URL{
		Scheme: "postgres", User: url.UserPassword(owner, s.password), Path: "/" + database,
		RawQuery: url.Values{"host": {s.dir}, "port": {port}, "sslmode": {"disable"}}.Encode(),
	}
	return u.String()
}

// NewDatabase makes an empty database and returns its URL.
func (s *Server) NewDatabase(ctx context.Context) (string, error) {
	return s.newDatabase(ctx, "template1")
}

// newDatabase makes a copy of a database that is not in use, and returns its URL.
func (s *Server) newDatabase(ctx context.Context, of string) (string, error) {
	conn, err := pgx.Connect(ctx, s.url("postgres"))
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("test%d", s.databases.Add(1))
	for range 60 { // those who have just gone may still be there for the server, which waits for them for 5 s
		_, err = conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize()+" TEMPLATE "+pgx.Identifier{of}.Sanitize())
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != objectInUse {
			break
		}
	}
	return s.url(name), errors.Join(err, conn.Close(ctx))
}

// drop removes a database, also if it is in use.
func (s *Server) drop(ctx context.Context, name string) error {
	conn, err := pgx.Connect(ctx, s.url("postgres"))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "DROP DATABASE "+pgx.Identifier{name}.Sanitize()+" WITH (FORCE)")
	return errors.Join(err, conn.Close(ctx))
}

// PID returns the process of a server that is running.
func (s *Server) PID() int { return s.process.Pid }

// Stop stops the server as an operator would. It can be started again.
func (s *Server) Stop() error { return s.end(syscall.SIGINT) }

// Kill stops the server at once; it has to recover when it is started again.
func (s *Server) Kill() error { return s.end(syscall.SIGQUIT) }

// Close stops the server and removes its data.
func (s *Server) Close() error {
	return errors.Join(s.Kill(), os.RemoveAll(s.dir))
}

// end sends the server a signal, and waits until it has ended.
func (s *Server) end(signal os.Signal) error {
	if s.process == nil {
		return nil
	}
	err := s.process.Signal(signal)
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-s.ended:
		s.process = nil
		return nil
	case <-time.After(patience):
		return errors.New("pgtest: the server does not stop")
	}
}
