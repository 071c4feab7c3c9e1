package notary

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/avow-project/avow/translog"
)

// Keys are the private keys of a log: one that signs its heads, and one that signs the time
// with them.
type Keys struct{ Log, Clock *translog.Signer }

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
	return &Keys{log, clock}, err
}

// Text returns the keys as a file has them, a line each.
func (k *Keys) Text() []byte { return []byte(k.Log.Private() + "\n" + k.Clock.Private() + "\n") }

// Public returns the public halves as leaves name them.
func (k *Keys) Public() []string { return []string{k.Log.String(), k.Clock.String()} }

// ParseKeys reads such a file.
func ParseKeys(text []byte) (*Keys, error) {
	lines := strings.Fields(string(text))
	if len(lines) != 2 {
		return nil, errors.New("it has to have two lines, the key of the log and that of its clock")
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
	return &Keys{log, clock}, nil
}

// Policy returns the text of a policy that asks for both signatures. With the URL of the
// log, programs find it.
func (k *Keys) Policy(url string) string {
	return PolicyText(k.Log.String(), k.Clock.String(), url)
}

// PolicyText is the policy for two public keys.
func PolicyText(log, clock, url string) string {
	if url != "" {
		log += " " + url
	}
	return fmt.Sprintf("# whose word counts for proofs of this log: its own, with the time that it signs\nlog %s\nwitness %s %s\nquorum %s\n", log, translog.ClockName, clock, translog.ClockName)
}

// First returns the first leaf of a log with these keys.
func (k *Keys) First() *translog.Leaf {
	return &translog.Leaf{Kind: "log.begin", Subject: translog.Subject{Kind: translog.SubjectLog}, Keys: k.Public()}
}
