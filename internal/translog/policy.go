package translog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// MaxPolicy is how many bytes a policy has at most, and maxNames how many logs,
	// witnesses and groups together.
	MaxPolicy = 256 << 10
	maxNames  = 1000
)

// A Policy says whose signatures a checkpoint needs: that of one of the logs, and the
// cosignatures of a quorum of witnesses.
type Policy struct {
	Logs      []PolicyLog
	Witnesses []PolicyWitness
	Groups    []PolicyGroup
	// Quorum is the name of a witness or a group, or None.
	Quorum string
}

// A PolicyLog is a log that is trusted, with the URL where it can be had.
type PolicyLog struct {
	Key *Key
	URL string
}

// A PolicyWitness cosigns on request at its URL.
type PolicyWitness struct {
	Name string
	Key  *Key
	URL  string
}

// A PolicyGroup is satisfied when at least Least of its members are.
type PolicyGroup struct {
	Name    string
	Least   int
	Members []string
}

var errPolicy = errors.New("translog: not a policy")

// ParsePolicy reads a policy in the form of C2SP. The error names the line.
func ParsePolicy(text []byte) (*Policy, error) {
	if len(text) > MaxPolicy {
		return nil, fmt.Errorf("%w: it has %d bytes, at most %d are allowed", errPolicy, len(text), MaxPolicy)
	}
	r := &policyReader{policy: &Policy{}, names: map[string]bool{None: true}, grouped: map[string]bool{},
		keys: map[string]bool{}}
	s := bufio.NewScanner(bytes.NewReader(text))
	s.Buffer(nil, MaxPolicy+1)
	s.Split(splitLF)
	for n := 1; s.Scan(); n++ {
		err := r.line(s.Text())
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", errPolicy, n, err)
		}
	}
	switch {
	case r.policy.Quorum == "":
		return nil, fmt.Errorf("%w: it has no quorum line; write \"quorum none\" if no witness is needed", errPolicy)
	case len(r.policy.Logs) == 0:
		return nil, fmt.Errorf("%w: it has no log line", errPolicy)
	}
	return r.policy, nil
}

// splitLF is bufio.ScanLines without its indulgence for CR.
func splitLF(data []byte, end bool) (int, []byte, error) {
	i := bytes.IndexByte(data, '\n')
	switch {
	case i >= 0:
		return i + 1, data[:i], nil
	case end && len(data) > 0:
		return len(data), data, nil
	}
	return 0, nil, nil
}

// A policyReader reads lines.
type policyReader struct {
	policy *Policy
	// names are those that are taken, grouped those in a group, and keys the public keys.
	names, grouped, keys map[string]bool
}

func (r *policyReader) line(text string) error {
	words := strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == '\t' })
	if len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return nil
	}
	if len(r.names)+len(r.policy.Logs) > maxNames {
		return fmt.Errorf("more than %d names", maxNames)
	}
	switch words[0] {
	case "log":
		return r.log(words[1:])
	case "witness":
		return r.witness(words[1:])
	case "group":
		return r.group(words[1:])
	case "quorum":
		return r.quorum(words[1:])
	}
	return fmt.Errorf("%.20q is not log, witness, group or quorum", words[0])
}

func (r *policyReader) log(words []string) error {
	if len(words) < 1 || len(words) > 2 {
		return errors.New("a log has a key, and a URL if you like")
	}
	k, err := r.key(words[0])
	if err != nil {
		return err
	}
	if k.Type != Plain {
		return errors.New("the key of a log has type 1; one of type 4 is that of a witness")
	}
	r.policy.Logs = append(r.policy.Logs, PolicyLog{k, wordAt(words, 1)})
	return nil
}

func (r *policyReader) witness(words []string) error {
	if len(words) < 2 || len(words) > 3 {
		return errors.New("a witness has a name and a key, and a URL if you like")
	}
	k, err := r.key(words[1])
	if err != nil {
		return err
	}
	if k.Type != Timed {
		return errors.New("the key of a witness has type 4, because it signs the time, too")
	}
	r.policy.Witnesses = append(r.policy.Witnesses, PolicyWitness{words[0], k, wordAt(words, 2)})
	return r.name(words[0])
}

func (r *policyReader) group(words []string) error {
	if len(words) < 3 {
		return errors.New("a group has a name, a number and members")
	}
	g := PolicyGroup{Name: words[0], Members: words[2:]}
	for _, m := range g.Members {
		switch {
		case m == None || !r.names[m]:
			return fmt.Errorf("member %.40q is not defined above", m)
		case r.grouped[m]:
			return fmt.Errorf("%.40q is a member already", m)
		}
		r.grouped[m] = true
	}
	switch words[1] {
	case "any":
		g.Least = 1
	case "all":
		g.Least = len(g.Members)
	default:
		n, err := strconv.Atoi(words[1])
		if err != nil || strconv.Itoa(n) != words[1] || n < 1 || n > len(g.Members) {
			return fmt.Errorf("%.20q is not any, all or a number from 1 to %d", words[1], len(g.Members))
		}
		g.Least = n
	}
	r.policy.Groups = append(r.policy.Groups, g)
	return r.name(g.Name)
}

func (r *policyReader) quorum(words []string) error {
	switch {
	case len(words) != 1:
		return errors.New("a quorum is one name")
	case r.policy.Quorum != "":
		return errors.New("there is a quorum already")
	case !r.names[words[0]]:
		return fmt.Errorf("%.40q is not defined above", words[0])
	}
	r.policy.Quorum = words[0]
	return nil
}

// key reads a key that was not there before, under whatever name.
func (r *policyReader) key(text string) (*Key, error) {
	k, err := ParseKey(text)
	if err != nil {
		return nil, err
	}
	if r.keys[string(k.Public)] {
		return nil, errors.New("the same key is there twice")
	}
	r.keys[string(k.Public)] = true
	return k, nil
}

func (r *policyReader) name(name string) error {
	if r.names[name] {
		return fmt.Errorf("the name %.40q is taken", name)
	}
	r.names[name] = true
	return nil
}

func wordAt(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}

// A Witnessed is a witness of a policy and when it cosigned.
type Witnessed struct {
	Name string
	At   time.Time
	// Own: it is a key of the log itself, whatever the policy calls it.
	Own bool
}

// A Checked is a checkpoint that a policy is satisfied with.
type Checked struct {
	Head      *Checkpoint
	Log       *Key
	Witnesses []Witnessed
}

// Errors of Check.
var (
	// ErrUnknownLog: no log of the policy has signed it.
	ErrUnknownLog = errors.New("translog: no log of the policy has signed the checkpoint")
	// ErrQuorum: it was signed, and too few witnesses have cosigned it.
	ErrQuorum = errors.New("translog: too few witnesses have cosigned the checkpoint")
)

// Check verifies a signed checkpoint.
func (p *Policy) Check(signed []byte) (*Checked, error) {
	head, by, err := Open(signed, p.keys()...)
	if err != nil {
		return nil, err
	}
	c := &Checked{Head: head}
	satisfied := map[string]bool{None: true}
	for _, s := range by {
		if s.Key.Type == Plain {
			if s.Key.Name == head.Origin {
				c.Log = s.Key
			}
			continue
		}
		i := slices.IndexFunc(p.Witnesses, func(w PolicyWitness) bool { return w.Key == s.Key })
		c.Witnesses = append(c.Witnesses, Witnessed{p.Witnesses[i].Name, s.At, s.Key.Name == head.Origin})
		satisfied[p.Witnesses[i].Name] = true
	}
	if c.Log == nil {
		return nil, ErrUnknownLog
	}
	for _, g := range p.Groups {
		n := 0
		for _, m := range g.Members {
			if satisfied[m] {
				n++
			}
		}
		satisfied[g.Name] = n >= g.Least
	}
	if !satisfied[p.Quorum] {
		return nil, ErrQuorum
	}
	return c, nil
}

func (p *Policy) keys() []*Key {
	var all []*Key
	for _, l := range p.Logs {
		all = append(all, l.Key)
	}
	for _, w := range p.Witnesses {
		all = append(all, w.Key)
	}
	return all
}
