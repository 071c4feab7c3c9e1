//go:build unix

package suite

import (
	"os/exec"
	"syscall"
)

// together has what a command starts end with it: many commands are started by a shell or a package
// manager, which would leave them behind.
func together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
