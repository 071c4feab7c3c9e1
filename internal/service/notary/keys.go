package notary

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/avow-project/avow/internal/translog"
)

// Keys are the private keys of a log: one that signs its heads, and one that signs the time
// with them.
type Keys struct {
	Log, Clock *translog.Signer
	// Old are the keys before, which sign as well until everybody knows the new ones; nil for none.
	Old *Keys
}

// NewKeys makes the keys of a log.
func NewKeys(origin string) (*Keys, error) {
	var seeds [2][32]byte
	for i := range seeds {
		_, _ = rand.Read(seeds[i][:]) // it does not fail
	}
	log, err := translog.NewSigner(origin, translog.Plain, seeds[0][:])
	if err != nil {
		return nil, err
	}
	clock, err := translog.NewSigner(origin, translog.Timed, seeds[1][:])
	return &Keys{Log: log, Clock: clock}, err
}

// signers returns all keys, the newest first.
func (k *Keys) signers() []*translog.Signer {
	if k == nil {
		return nil
	}
	return append([]*translog.Signer{k.Log, k.Clock}, k.Old.signers()...)
}

// heads returns the keys that sign heads, the newest first.
func (k *Keys) heads() []*translog.Signer {
	if k == nil {
		return nil
	}
	return append([]*translog.Signer{k.Log}, k.Old.heads()...)
}

// Text returns the keys as a file has them, a line each, the newest first.
func (k *Keys) Text() []byte {
	var text []byte
	for _, s := range k.signers() {
		text = append(text, s.Private()+"\n"...)
	}
	return text
}

// Public returns the public halves as leaves name them.
func (k *Keys) Public() []string {
	var all []string
	for _, s := range k.signers() {
		all = append(all, s.String())
	}
	return all
}

// ParseKeys reads such a file.
func ParseKeys(text []byte) (*Keys, error) {
	lines := strings.Fields(string(text))
	if len(lines) != 2 && len(lines) != 4 {
		return nil,
			errors.New("it has to have two lines, the key of the log and that of its clock, or four with those before")
	}
	log, err := translog.ParseSigner(lines[0])
	if err != nil {
		return nil, err
	}
	clock, err := translog.ParseSigner(lines[1])
	if err != nil {
		return nil, err
	}
	if log.Type != translog.Plain || clock.Type != translog.Timed || log.Name != clock.Name {
		return nil, errors.New("the first key has to be of type 1, the second of type 4, and both have to have the same name")
	}
	k := &Keys{Log: log, Clock: clock}
	if len(lines) == 4 {
		k.Old, err = ParseKeys([]byte(lines[2] + "\n" + lines[3]))
		if err == nil && k.Old.Log.Name != log.Name {
			err = errors.New("all keys have to have the same name")
		}
	}
	return k, err
}

// Policy returns the text of a policy that asks for both signatures. With the URL of the
// log, programs find it.
func (k *Keys) Policy(url string) string { return PolicyText(k.Public(), url) }

// PolicyText is the policy for the public keys of a log: pairs of the log and its clock. With two
// pairs the signatures of one are enough.
func PolicyText(keys []string, url string) string {
	if url != "" {
		url = " " + url
	}
	text := "# whose word counts for proofs of this log: its own, with the time that it signs\n"
	var clocks []string
	for i := 0; i+1 < len(keys); i += 2 {
		name := translog.ClockName
		if i > 0 {
			name = fmt.Sprintf("%s-%d", translog.ClockName, i/2+1)
		}
		clocks = append(clocks, name)
		text += fmt.Sprintf("log %s%s\nwitness %s %s\n", keys[i], url, name, keys[i+1])
	}
	if len(clocks) == 1 {
		return text + "quorum " + translog.ClockName + "\n"
	}
	return text + "group clocks any " + strings.Join(clocks, " ") + "\nquorum clocks\n"
}

// First returns the first leaf of a log with these keys.
func (k *Keys) First() *translog.Leaf { return k.leaf("log.begin") }

// leaf returns a leaf that names the keys.
func (k *Keys) leaf(kind string) *translog.Leaf {
	return &translog.Leaf{Kind: kind, Subject: translog.Subject{Kind: translog.SubjectLog}, Keys: k.Public()}
}
