package sources

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/service/store/highwater"
	"github.com/avow-project/avow/internal/service/witness"
	"github.com/avow-project/avow/internal/std/filelock"
	"github.com/avow-project/avow/internal/translog"
)

// ReadPolicy reads a file with a policy.
func ReadPolicy(a *console.App, name string) (*translog.Policy, []byte, error) {
	text, err := a.Read(name)
	if err != nil {
		return nil, nil, err
	}
	p, err := translog.ParsePolicy(text)
	if err != nil {
		return nil, nil, console.UsageError("it has the lines log, witness, group and quorum", "%s: %v", name, err)
	}
	return p, text, nil
}

// WitnessFiles are those of a witness.
type WitnessFiles struct{ Key, Policy, State string }

// Open returns the witness, with the lock that keeps others from its state.
func (f *WitnessFiles) Open(a *console.App) (*witness.Witness, *translog.Signer, io.Closer, error) {
	text, err := console.ReadFile(f.Key, maxKeys)
	if err != nil {
		return nil, nil, nil, err
	}
	key, err := translog.ParseSigner(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, nil, nil, console.Failure("give the file that avow witness init made", "%s: %v", f.Key, err)
	}
	policy, _, err := ReadPolicy(a, f.Policy)
	if err != nil {
		return nil, nil, nil, err
	}
	state, err := filepath.Abs(f.State)
	if err != nil {
		return nil, nil, nil, err
	}
	lock, err := filelock.Lock(state)
	if err != nil {
		return nil, nil, nil, console.Failure("", "%v", err)
	}
	w, err := witness.New(witness.Config{Key: key, Policy: policy, State: state, Write: highwater.WriteFile, Now: a.Env.Now})
	if err != nil {
		_ = lock.Close() // nothing was written to it
		return nil, nil, nil, console.Failure("give the files that avow witness init made; a state that is lost cannot be made again", "cannot begin: %v", err)
	}
	return w, key, lock, nil
}
