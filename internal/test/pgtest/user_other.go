//go:build !unix

package pgtest

import "os/exec"

// An account is the user who runs the tests; only Unix tells root apart.
type account struct{}

func serverAccount() (*account, error) { return nil, nil }

func (*account) own(string) error { return nil }

func (*account) run(*exec.Cmd) {}
