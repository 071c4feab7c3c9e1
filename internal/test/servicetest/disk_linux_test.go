package servicetest

import (
	"bytes"
	"errors"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/avow-project/avow/internal/cli"
	"github.com/avow-project/avow/internal/test/pgtest"
)

var disk = flag.String("disk", "", "directory of a small file system of its own that is filled with SQLite and PostgreSQL on it; empty means that a limit on the size of files stands in for it, with SQLite")

// A fullDisk is what TestDiskIsFilled has a store on.
type fullDisk struct {
	store string
	// fill fills it to the last byte, and free makes room again and does what an operator does then.
	fill, free func(t *testing.T, s *process)
	// told: /readyz says so. A server that still has room in a page takes what /readyz writes.
	told bool
}

// fullDisks are those with each database that the flags allow.
func fullDisks() map[string]func(t *testing.T) fullDisk {
	if *disk == "" {
		return map[string]func(*testing.T) fullDisk{"a limit on sizes": func(t *testing.T) fullDisk {
			t.Helper()
			limit := func(size uint64) func(*testing.T, *process) {
				return func(t *testing.T, s *process) {
					t.Helper()
					err := limitFiles(s.cmd.Process.Pid, size)
					if err != nil {
						t.Fatal(err)
					}
				}
			}
			return fullDisk{stores()["sqlite"](t), limit(1), limit(^uint64(0)), true}
		}}
	}
	return map[string]func(*testing.T) fullDisk{
		"sqlite": func(t *testing.T) fullDisk {
			t.Helper()
			t.Setenv("TMPDIR", *disk)
			return fullDisk{stores()["sqlite"](t), fillDisk, freeDisk, true}
		},
		"postgres": onFullPostgres,
	}
}

// onFullPostgres has a server on the disk. It ends when it cannot write its log, and is started again.
func onFullPostgres(t *testing.T) fullDisk {
	t.Helper()
	t.Setenv("TMPDIR", *disk)
	server, err := pgtest.Start(pgtest.Options{Sync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	url, err := server.NewDatabase(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	restart := func(t *testing.T, s *process) {
		t.Helper()
		freeDisk(t, s)
		_ = server.Kill() // it may have ended by itself
		err := server.Restart()
		if err != nil {
			t.Fatal(err)
		}
	}
	return fullDisk{url, fillDisk, restart, false}
}

// filling is the file that fills the disk.
func filling() string { return filepath.Join(*disk, "filling") }

// fillDisk fills the disk to the last byte.
func fillDisk(t *testing.T, _ *process) {
	t.Helper()
	f, err := os.OpenFile(filling(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for piece := bytes.Repeat([]byte("x"), 1<<20); len(piece) > 0; {
		n, err := f.Write(piece)
		switch {
		case errors.Is(err, syscall.ENOSPC) && n == 0:
			piece = piece[:len(piece)/2]
		case err != nil && !errors.Is(err, syscall.ENOSPC):
			t.Fatal(err)
		}
	}
}

func freeDisk(t *testing.T, _ *process) {
	t.Helper()
	err := os.Remove(filling())
	if err != nil {
		t.Fatal(err)
	}
}

// TestDiskIsFilled fills the disk of a service under load to the last byte and makes room again, twice.
// Meanwhile callers are told to come back later; nothing that was confirmed is lost, and the store is in order.
func TestDiskIsFilled(t *testing.T) { //nolint:paralleltest // the disk is its own, and so is TMPDIR
	for name, on := range fullDisks() {
		t.Run(name, func(t *testing.T) {
			d := on(t)
			p := newPlace(t, d.store)
			s := p.serve()
			const question = "/api/registry/publisher/authorization?domain=publisher.example&agent=" + agentURL
			s.must(200, "GET", question, "")
			load := newOutageLoad(s, question)
			for range 2 {
				load.await(t, http.StatusOK)
				d.fill(t, s)
				load.await(t, http.StatusServiceUnavailable)
				d.fill(t, s) // what was given back meanwhile as well
				if d.told {
					awaitAnswer(t, s, "/readyz", http.StatusServiceUnavailable)
				}
				s.must(200, "GET", "/healthz", "")
				d.free(t, s)
				awaitReady(t, s)
			}
			load.await(t, http.StatusOK)
			load.stop()
			statuses := load.statuses()
			t.Logf("answers: %v; confirmed: %v", statuses, load.said)
			for status, number := range statuses {
				if status != http.StatusOK && status != http.StatusServiceUnavailable {
					t.Errorf("%d answers with status %d", number, status)
				}
			}
			load.check(t)
			s.kill()
			checkStore(t, d.store)
		})
	}
}

// checkStore has the whole store checked.
func checkStore(t *testing.T, store string) {
	t.Helper()
	var out, problems bytes.Buffer
	code := cli.Run(t.Context(), cli.Env{
		Args: []string{"state", "check", "--store", store}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &problems, Getenv: func(string) string { return "" },
	})
	if code != 0 {
		t.Errorf("state check ends with %d: %s%s", code, &out, &problems)
	}
}
