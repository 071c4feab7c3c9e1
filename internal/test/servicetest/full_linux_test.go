package servicetest

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// sizeVariable tells a service how large its files may get, as if its disk were full then.
const sizeVariable = "SERVICETEST_FSIZE"

// limitSize keeps a service to the size that its environment names.
func limitSize() {
	size, err := strconv.ParseUint(os.Getenv(sizeVariable), 10, 64)
	if err != nil {
		return
	}
	signal.Ignore(syscall.SIGXFSZ) // the write fails, which is enough
	err = limitFiles(os.Getpid(), size)
	if err != nil {
		panic(err)
	}
}

// limitFiles says how large the files of a process may get.
func limitFiles(pid int, size uint64) error {
	limit := syscall.Rlimit{Cur: size, Max: ^uint64(0)}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_FSIZE, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// TestFullDisk: a service whose disk is full starts, answers from what it has, says what is
// wrong, and goes on by itself when there is room again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	p := newPlace(t, stores()["sqlite"](t))
	const question = "/api/registry/publisher/authorization?domain=publisher.example&agent=" + agentURL
	s := p.serve()
	s.must(200, "GET", question, "")
	awaitRecord(t, p.store, "publisher.example")
	s.kill() // what it wrote last is in the log of the database, which must not grow

	// The index of the log is smaller than this, the log is larger.
	s = p.serve(sizeVariable + "=33000")
	if !strings.Contains(s.log.String(), "the disk of the store is full") {
		t.Errorf("the log does not say so: %s", s.log)
	}
	a := s.must(503, "GET", "/readyz", "")
	if !bytes.Contains(a.body, []byte(`"code":"store.read_only"`)) {
		t.Errorf("/readyz: %s", a.body)
	}
	s.must(200, "GET", question, "")
	a = s.must(503, "PUT", mirrors+"full", fmt.Sprintf(catalog, "1", ""), bearer(p.moderate)...)
	if !bytes.Contains(a.body, []byte(`"store_read_only"`)) || a.header.Get("Retry-After") == "" {
		t.Errorf("%v %s", a.header, a.body)
	}
	err := limitFiles(s.cmd.Process.Pid, ^uint64(0))
	if err != nil {
		t.Fatal(err)
	}
	awaitReady(t, s)
	s.must(200, "GET", question, "")
}

// TestStoreIsTakenAway: a database file that is removed or replaced is noticed.
func TestStoreIsTakenAway(t *testing.T) {
	t.Parallel()
	p := newPlace(t, stores()["sqlite"](t))
	s := p.serve()
	s.must(200, "GET", "/readyz", "")
	path := strings.TrimPrefix(p.store, "sqlite:")
	move := func(from, to string) {
		t.Helper()
		err := os.Rename(from, to)
		if err != nil {
			t.Fatal(err)
		}
	}
	move(path, path+".away")
	end := time.Now().Add(patience)
	for {
		a, err := s.call("GET", "/readyz", "")
		if err == nil && a.status == 503 && bytes.Contains(a.body, []byte(`"code":"store.swapped"`)) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("it is not noticed: %d %s, %v", a.status, a.body, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	move(path+".away", path)
	awaitReady(t, s)
}
