package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/avow-project/avow/internal/cli"
	"github.com/avow-project/avow/internal/netguard"
)

// The tasks of this program as a server.
const (
	serveTask = "serve" // avow serve, in a web whose every host is the origins
	bareTask  = "bare"  // a bare handler of package http
)

// runServer runs the task named by the environment, and reports whether there is one.
func runServer() (bool, error) {
	switch os.Getenv(webTaskVariable) {
	case serveTask:
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM([]byte(os.Getenv(webRootsVariable)))
		code := cli.Run(context.Background(), cli.Env{
			Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv,
			Network: netguard.Network{Resolver: everyHost{}, Roots: roots, Dial: dialOrigins},
		})
		if code != 0 {
			return true, fmt.Errorf("the service ended with %d", code)
		}
		return true, nil
	case bareTask:
		return true, serveBare()
	case directoryTask:
		return true, serveDirectory(os.Stderr)
	}
	return false, nil
}

// everyHost is a name server that knows every name.
type everyHost struct{}

// LookupNetIP gives each name a public address of its own: the service spares an address
// that it has just asked, and these are to be different servers.
func (everyHost) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	sum := sha256.Sum256([]byte(host))
	return []netip.Addr{netip.AddrFrom4([4]byte{93, sum[0], sum[1], sum[2]})}, nil
}

func dialOrigins(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", os.Getenv(webOriginVariable))
}

// serveBare says where it listens as avow does.
func serveBare() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "bare: serving on http://%s\n", l.Addr())
	// The limits on time are those of the service: each is a timer for every request.
	server := &http.Server{
		Handler:           http.HandlerFunc(answerBare),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute,
	}
	return server.Serve(l)
}

// content is what bare answers consist of. It is made on first use: a server that is
// measured is this program too, and its memory is its own.
var content = sync.OnceValue(func() []byte { return bytes.Repeat([]byte("x"), 2<<20) })

// answerBare reads the request and answers with as many bytes as its path says.
func answerBare(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
	if err != nil || n < 0 || n > len(content()) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(n))
	_, _ = w.Write(content()[:n])
}

// A serverProcess is a server that is measured.
type serverProcess struct {
	cmd  *exec.Cmd
	addr string // of its listener
	heap int64  // that it says its directory takes
	dir  string
}

var servingLine = regexp.MustCompile(`serving on http://([0-9.:]+)`)

// startServer starts a program that says where it listens.
func startServer(program, task string, o *origins) (*serverProcess, error) {
	dir, err := os.MkdirTemp("", "benchtable")
	if err != nil {
		return nil, err
	}
	s := &serverProcess{dir: dir}
	err = forgetPeak()
	if err == nil {
		err = s.start(program, task, o)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return s, nil
}

func (s *serverProcess) start(program, task string, o *origins) error {
	s.cmd = exec.Command(program)
	if task != bareTask {
		s.cmd.Args = append(s.cmd.Args, "serve", "--addr", "127.0.0.1:0", "--store", "sqlite:"+filepath.Join(s.dir, "registry.db"), "--log-level", "warn",
			"--rate-validate", "off", "--rate-create", "off", "--rate-read", "off")
	}
	s.cmd.Env = append(os.Environ(), webTaskVariable+"="+task, webOriginVariable+"="+o.listener.Addr().String(), webRootsVariable+"="+o.pem)
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return err
	}
	err = s.cmd.Start()
	if err != nil {
		return err
	}
	lines := bufio.NewReader(stderr)
	for {
		line, err := lines.ReadString('\n')
		m := servingLine.FindStringSubmatch(line)
		if m != nil {
			s.addr = m[1]
			_, _ = fmt.Sscanf(line[strings.LastIndex(line, m[1])+len(m[1]):], " heap %d", &s.heap) // most do not say
			go func() { _, _ = io.Copy(io.Discard, lines) }()
			return nil
		}
		if err != nil {
			return fmt.Errorf("the server ended: %s", line)
		}
	}
}

// stop ends the server and returns the most memory that it had.
func (s *serverProcess) stop() (int64, error) {
	err := s.cmd.Process.Signal(syscall.SIGTERM)
	if err != nil {
		return 0, err
	}
	_ = s.cmd.Wait() // the bare one does not know the signal
	return peakRSS(s.cmd.ProcessState), os.RemoveAll(s.dir)
}

// memory returns the physical memory of the server now; 0 when this system does not tell.
func (s *serverProcess) memory() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		var kilobytes int64
		_, err := fmt.Sscanf(line, "VmRSS: %d kB", &kilobytes)
		if err == nil {
			return kilobytes << 10
		}
	}
	return 0
}

// cpu returns the processor time that the server has used; 0 when this system does not
// tell.
func (s *serverProcess) cpu() time.Duration {
	_, own, _ := processTimes(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	return own
}

// familyCPU returns the processor time that a process and its children have used, also those that have
// ended; 0 when this system does not tell.
func familyCPU(pid int) time.Duration {
	_, own, ended := processTimes(fmt.Sprintf("/proc/%d/stat", pid))
	total := own + ended
	all, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
	for _, path := range all {
		parent, own, ended := processTimes(path)
		if parent == pid {
			total += own + ended
		}
	}
	return total
}

// processTimes reads the parent of a process, the processor time that it has used, and that of its children
// that have ended; zeros for one that is gone.
func processTimes(path string) (int, time.Duration, time.Duration) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, 0
	}
	// The name of the program comes first, in parentheses; times are in hundredths.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	parent, _ := strconv.Atoi(fields[1])
	ticks := func(i int) time.Duration {
		n, _ := strconv.ParseInt(fields[i], 10, 64)
		return time.Duration(n) * 10 * time.Millisecond
	}
	return parent, ticks(11) + ticks(12), ticks(13) + ticks(14)
}
