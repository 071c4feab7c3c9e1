//go:build unix

package pgtest

import (
	"errors"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// serverUsers are those that a server may run as when the tests run as root, which
// PostgreSQL refuses.
var serverUsers = []string{"postgres", "nobody"}

// An account is whom programs run as; nil stands for the user who runs the tests.
type account struct{ uid, gid int }

// serverAccount chooses whom the server runs as.
func serverAccount() (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range serverUsers {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUser := strconv.Atoi(u.Uid)
		gid, errGroup := strconv.Atoi(u.Gid)
		if errUser == nil && errGroup == nil {
			return &account{uid, gid}, nil
		}
	}
	return nil,
		errors.New("pgtest: PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody")
}

// own gives a file to the account.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, a.uid, a.gid)
}

// run makes a command run as the account, in a process group of its own: an interrupt
// at the terminal is for the tests, which then stop the server in order.
func (a *account) run(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if a != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
	}
}
