// Package witness cosigns the heads of transparency logs (C2SP tlog-witness): it signs that a head
// contains everything it has signed of that log before, and with what time. What it signed is on
// the disk before anybody gets the signature, so it never signs two histories.
package witness

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/translog"
)

// A Witness cosigns the logs of a policy. Only one process may use its state.
type Witness struct {
	key   *translog.Signer
	logs  map[string][]*translog.Key
	path  string
	write func(path string, text []byte) error
	now   func() time.Time

	mu sync.Mutex
	// signed are the last cosigned checkpoints, by origin, and number how many there were.
	signed map[string]string
	number int64
}

// A Config is what a witness is made of.
type Config struct {
	Key *translog.Signer
	// Policy names the logs; witnesses and quorum in it mean nothing here.
	Policy *translog.Policy
	// State is the file with what was signed. It has to be there: New makes none, because a witness
	// that has forgotten what it signed would sign another history.
	State string
	// Write replaces a file, so that it is the old one or the new one whatever happens.
	Write func(path string, text []byte) error
	Now   func() time.Time
}

// stateFormat is the file's.
const stateFormat = "avow-witness/1"

// state is the file.
type state struct {
	Format string `json:"format"`
	// Key is the public key: what another witness has signed is none of ours.
	Key string `json:"key"`
	// Number is how many heads were signed.
	Number int64             `json:"number"`
	Logs   map[string]string `json:"logs"`
}

// GuardEnding is what the name of the file with the number alone ends with. It is written after
// the state and before a signature is given out, so the state can be ahead of it, and is
// behind it only when an old copy was put back.
const GuardEnding = ".seen"

// Empty returns the state of a witness that has signed nothing.
func Empty(k *translog.Signer) ([]byte, error) { return stateText(k, 0, map[string]string{}) }

func stateText(k *translog.Signer, number int64, signed map[string]string) ([]byte, error) {
	text, err := json.Marshal(&state{stateFormat, k.String(), number, signed}, json.Deterministic(true))
	return append(text, '\n'), err
}

// New returns a witness with what it has signed before.
func New(c Config) (*Witness, error) {
	if c.Key.Type != translog.Timed {
		return nil, errors.New("the key of a witness has type 4, because it signs the time, too")
	}
	text, err := os.ReadFile(c.State)
	if err != nil {
		return nil, err
	}
	var s state
	err = json.Unmarshal(text, &s)
	switch {
	case err != nil || s.Format != stateFormat || s.Logs == nil:
		return nil, fmt.Errorf("%s is not the state of a witness", c.State)
	case s.Key != c.Key.String():
		return nil, fmt.Errorf("%s is the state of another witness: %s", c.State, s.Key)
	}
	w := &Witness{key: c.Key, logs: map[string][]*translog.Key{}, path: c.State, write: c.Write, now: c.Now, signed: s.Logs, number: s.Number}
	err = w.checkGuard()
	if err != nil {
		return nil, err
	}
	for _, l := range c.Policy.Logs {
		w.logs[l.Key.Name] = append(w.logs[l.Key.Name], l.Key)
	}
	for origin, note := range s.Logs {
		head, _, err := translog.Open([]byte(note), &c.Key.Key)
		if err != nil || head.Origin != origin {
			return nil, fmt.Errorf("%s: what was signed for %s cannot be verified", c.State, origin)
		}
	}
	return w, nil
}

// checkGuard compares the state with the number beside it, which is made before anything is signed.
func (w *Witness) checkGuard() error {
	text, err := os.ReadFile(w.path + GuardEnding)
	if errors.Is(err, fs.ErrNotExist) && w.number == 0 {
		return w.note()
	}
	if err != nil {
		return err
	}
	seen, err := strconv.ParseInt(string(text), 10, 64)
	switch {
	case err != nil:
		return fmt.Errorf("%s is not a number", w.path+GuardEnding)
	case w.number < seen:
		return fmt.Errorf("%s is an old copy: %d heads were signed, and it knows of %d", w.path, seen, w.number)
	}
	return nil
}

// note writes the number beside the state.
func (w *Witness) note() error {
	return w.write(w.path+GuardEnding, strconv.AppendInt(nil, w.number, 10))
}

// Why a head is not cosigned.
var (
	errMalformed = errors.New("the request is malformed")
	errUnknown   = errors.New("the log is not one that this witness signs for")
	errUntrusted = errors.New("the checkpoint is not signed by the log")
	errProof     = errors.New("the head does not contain what was signed before")
)

// A conflictError says which size was signed last.
type conflictError struct{ size int64 }

// Error says so.
func (e *conflictError) Error() string { return fmt.Sprintf("%d leaves were signed last", e.size) }

// A request asks for a cosignature.
type request struct {
	old   int64
	proof tlog.TreeProof
	note  []byte
}

// cosign signs a head, and returns the line with the signature.
func (w *Witness) cosign(r *request) ([]byte, error) {
	head, err := translog.Read(r.note)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errMalformed, err)
	}
	keys := w.logs[head.Origin]
	if len(keys) == 0 {
		return nil, errUnknown
	}
	note, err := translog.Trim(r.note, keys...)
	if err != nil {
		return nil, errUntrusted
	}
	if r.old > head.Size {
		return nil, fmt.Errorf("%w: old is greater than the size", errMalformed)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	last, at, err := w.last(head.Origin)
	if err != nil {
		return nil, err
	}
	if r.old != last.Size {
		return nil, &conflictError{last.Size}
	}
	err = consistent(last, head, r.proof)
	if err != nil {
		return nil, err
	}
	if now := w.now(); now.After(at) {
		at = now // a clock that went back does not take the signature along
	}
	signed, err := translog.Cosign(note, at, w.key)
	if err != nil {
		return nil, err
	}
	err = w.keep(head.Origin, string(signed))
	if err != nil {
		return nil, err
	}
	line := bytes.TrimSuffix(signed, []byte("\n"))
	return signed[bytes.LastIndexByte(line, '\n')+1:], nil
}

// last returns the head that was signed last, and when; an empty log before the first.
func (w *Witness) last(origin string) (*translog.Checkpoint, time.Time, error) {
	note, ok := w.signed[origin]
	if !ok {
		empty, _ := tlog.TreeHash(0, nil) // it reads nothing
		return &translog.Checkpoint{Origin: origin, Root: empty}, time.Time{}, nil
	}
	head, by, err := translog.Open([]byte(note), &w.key.Key)
	if err != nil {
		return nil, time.Time{}, err
	}
	return head, by[0].At, nil
}

// consistent checks that a head contains another.
func consistent(last, head *translog.Checkpoint, proof tlog.TreeProof) error {
	switch {
	case last.Size == head.Size && (last.Root != head.Root || len(proof) > 0):
		return errProof
	case last.Size == 0 && len(proof) > 0:
		return errProof
	case last.Size == 0 || last.Size == head.Size:
		return nil
	case tlog.CheckTree(proof, head.Size, head.Root, last.Size, last.Root) != nil:
		return errProof
	}
	return nil
}

// keep has a signature on the disk before it is given out. What could not be kept was never
// given out, and is forgotten; its number is not used again.
func (w *Witness) keep(origin, note string) error {
	before, had := w.signed[origin]
	w.signed[origin] = note
	w.number++
	text, err := stateText(w.key, w.number, w.signed)
	if err == nil {
		err = w.write(w.path, text)
	}
	if err == nil {
		err = w.note()
	}
	if err == nil {
		return nil
	}
	delete(w.signed, origin)
	if had {
		w.signed[origin] = before
	}
	return err
}

// checkpoint returns what was cosigned last, by the hash of the origin.
func (w *Witness) checkpoint(hash string) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for origin, note := range w.signed {
		if translog.HashOf([]byte(origin)) == hash {
			return note, true
		}
	}
	return "", false
}

// Origins returns the logs that are cosigned.
func (w *Witness) Origins() []string {
	var all []string
	for origin := range w.logs {
		all = append(all, origin)
	}
	slices.Sort(all)
	return all
}
