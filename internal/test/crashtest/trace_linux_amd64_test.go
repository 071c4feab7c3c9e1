package crashtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// A call is a system call of a traced process that changes something below a directory.
type call struct {
	// Number counts such calls from 1.
	Number int
	// Said is how many lines the process had said before.
	Said int
	// Name is that of the call, and File the name of what it changes. To is the new name
	// that a file gets.
	Name, File, To string
}

// String is the call as it is shown.
func (c call) String() string { return fmt.Sprintf("%d %s %s", c.Number, c.Name, c.File) }

// A fault is what happens to a call.
type fault struct {
	// Errno is the error that the call returns without having done anything.
	Errno syscall.Errno
	// Kill ends the process before the call; with Torn after the first half of a write.
	Kill, Torn bool
}

// A tracer runs a process and sees each of its system calls, of all threads, before and
// after. It needs no privilege, because the process is its own child.
type tracer struct {
	dir string
	// decide says what happens to a call; nil means nothing.
	decide func(call) *fault
	// done is called after a call that succeeded.
	done func(call) error

	pid    int
	calls  []call
	said   int
	inside map[int]*pending // by thread: in a call
	known  map[int]bool     // threads that were seen
}

// A pending call has begun. Without call it is none that matters.
type pending struct {
	call  *call
	fault *fault
}

const (
	// traceExitKill ends the process with its tracer.
	traceExitKill = 0x100000
	// callStop is the signal of a stop at a call.
	callStop = syscall.SIGTRAP | 0x80
	// noCall is the number of no call: the kernel refuses it, and nothing happens.
	noCall = ^uint64(0)
)

// descriptors are the calls that change a file by its descriptor, paths those that change
// a directory; the number says which argument is the path.
var (
	descriptors = map[uint64]string{
		syscall.SYS_WRITE: "write", syscall.SYS_PWRITE64: "pwrite", syscall.SYS_WRITEV: "writev", syscall.SYS_PWRITEV: "pwritev",
		syscall.SYS_FSYNC: "fsync", syscall.SYS_FDATASYNC: "fdatasync", syscall.SYS_FTRUNCATE: "ftruncate", syscall.SYS_FALLOCATE: "fallocate",
	}
	paths = map[uint64]struct {
		name     string
		argument int
	}{
		syscall.SYS_OPEN: {"open", 0}, syscall.SYS_OPENAT: {"open", 1}, syscall.SYS_UNLINK: {"unlink", 0}, syscall.SYS_UNLINKAT: {"unlink", 1},
		syscall.SYS_RENAME: {"rename", 0}, syscall.SYS_RENAMEAT: {"rename", 1}, syscall.SYS_TRUNCATE: {"truncate", 0},
	}
)

// run runs a program to its end.
func (t *tracer) run(program string, env []string, stdout *os.File) (syscall.WaitStatus, error) {
	// The thread that starts the process is the one that may trace it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	t.inside, t.known = map[int]*pending{}, map[int]bool{}
	p, err := os.StartProcess(program, []string{program}, &os.ProcAttr{
		Env: env, Files: []*os.File{nil, stdout, os.Stderr}, Sys: &syscall.SysProcAttr{Ptrace: true, Setpgid: true},
	})
	if err != nil {
		return 0, fmt.Errorf("a process cannot be traced, which this test needs (is ptrace forbidden here?): %w", err)
	}
	t.pid = p.Pid
	status, err := t.follow()
	if err != nil {
		_ = p.Kill()
		_, _ = syscall.Wait4(-t.pid, nil, syscall.WALL, nil)
	}
	return status, errors.Join(err, p.Release())
}

// follow lets the process go from stop to stop.
func (t *tracer) follow() (syscall.WaitStatus, error) {
	var status syscall.WaitStatus
	_, err := wait(t.pid, &status)
	if err == nil {
		err = syscall.PtraceSetOptions(t.pid, syscall.PTRACE_O_TRACESYSGOOD|syscall.PTRACE_O_TRACECLONE|traceExitKill)
	}
	if err == nil {
		t.known[t.pid] = true
		err = syscall.PtraceSyscall(t.pid, 0)
	}
	for err == nil {
		var tid int
		tid, err = wait(-t.pid, &status)
		switch {
		case err != nil:
		case status.Exited() || status.Signaled():
			if tid == t.pid {
				return status, nil
			}
		default:
			err = t.stopped(tid, status)
		}
	}
	return 0, err
}

// wait waits for a thread, or for any of a group.
func wait(pid int, status *syscall.WaitStatus) (int, error) {
	for {
		tid, err := syscall.Wait4(pid, status, syscall.WALL, nil)
		if !errors.Is(err, syscall.EINTR) {
			return tid, err
		}
	}
}

// stopped deals with a thread that has stopped, and lets it go on.
func (t *tracer) stopped(tid int, status syscall.WaitStatus) error {
	signal := status.StopSignal()
	var err error
	switch {
	case signal == callStop:
		signal = 0
		err = t.atCall(tid)
	case signal == syscall.SIGTRAP:
		signal = 0 // a new thread was made
	case signal == syscall.SIGSTOP && !t.known[tid]:
		signal = 0 // the new thread itself
	}
	t.known[tid] = true
	if err == nil {
		err = syscall.PtraceSyscall(tid, int(signal))
	}
	if errors.Is(err, syscall.ESRCH) {
		return nil // it was killed in the meantime
	}
	return err
}

// atCall is called before and after each call.
func (t *tracer) atCall(tid int) error {
	var regs syscall.PtraceRegs
	err := syscall.PtraceGetRegs(tid, &regs)
	if err != nil {
		return err
	}
	p := t.inside[tid]
	if p == nil {
		p = &pending{}
		t.inside[tid] = p
		return t.before(tid, p, &regs)
	}
	delete(t.inside, tid)
	return t.after(tid, p, &regs)
}

// before looks at a call that begins.
func (t *tracer) before(tid int, p *pending, regs *syscall.PtraceRegs) error {
	p.call = t.callOf(tid, regs)
	if p.call == nil {
		return nil
	}
	p.call.Number, p.call.Said = len(t.calls)+1, t.said
	t.calls = append(t.calls, *p.call)
	p.fault = t.decide(*p.call)
	switch {
	case p.fault == nil:
		return nil
	case p.fault.Torn && strings.HasPrefix(p.call.Name, "pwrite"):
		regs.Rdx /= 2
		return syscall.PtraceSetRegs(tid, regs)
	case p.fault.Kill:
		return syscall.Kill(t.pid, syscall.SIGKILL)
	}
	regs.Orig_rax = noCall
	return syscall.PtraceSetRegs(tid, regs)
}

// after looks at a call that has ended.
func (t *tracer) after(tid int, p *pending, regs *syscall.PtraceRegs) error {
	switch {
	case p.call == nil:
		return nil
	case p.fault == nil && int64(regs.Rax) >= 0:
		return t.done(*p.call)
	case p.fault == nil:
		return nil
	case p.fault.Kill:
		return syscall.Kill(t.pid, syscall.SIGKILL)
	}
	regs.Rax = uint64(-int64(p.fault.Errno))
	return syscall.PtraceSetRegs(tid, regs)
}

// callOf returns the call if it changes something below the directory.
func (t *tracer) callOf(tid int, regs *syscall.PtraceRegs) *call {
	name, ok := descriptors[regs.Orig_rax]
	if name == "write" && regs.Rdi == 1 {
		t.said++
	}
	if ok {
		target, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", t.pid, regs.Rdi))
		if err != nil {
			return nil
		}
		return t.below(name, target)
	}
	path, ok := paths[regs.Orig_rax]
	if !ok {
		return nil
	}
	flags := []uint64{regs.Rsi, regs.Rdx}
	if path.name == "open" && flags[path.argument]&syscall.O_CREAT == 0 {
		return nil
	}
	c := t.below(path.name, text(tid, []uint64{regs.Rdi, regs.Rsi}[path.argument]))
	if c != nil && c.Name == "rename" {
		to := t.below(c.Name, text(tid, []uint64{regs.Rsi, regs.R10}[path.argument]))
		if to != nil {
			c.To = to.File
		}
	}
	return c
}

// below returns a call whose file is below the directory, or is the directory itself.
func (t *tracer) below(name, path string) *call {
	path = strings.TrimSuffix(path, " (deleted)")
	rel, err := filepath.Rel(t.dir, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return nil
	}
	return &call{Name: name, File: rel}
}

// text reads a string of the process.
func text(tid int, address uint64) string {
	var all []byte
	for len(all) < 4096 {
		word := make([]byte, 8)
		n, err := syscall.PtracePeekData(tid, uintptr(address)+uintptr(len(all)), word)
		end := bytes.IndexByte(word[:n], 0)
		if end >= 0 {
			return string(append(all, word[:end]...))
		}
		if err != nil || n == 0 {
			return ""
		}
		all = append(all, word[:n]...)
	}
	return ""
}
