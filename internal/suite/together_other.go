//go:build !unix

package suite

import "os/exec"

// together does nothing: there are no groups of processes here.
func together(*exec.Cmd) {}
