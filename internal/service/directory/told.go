package directory

import (
	"crypto/sha256"
	"fmt"
)

// Fingerprint stands for what can be told about a publisher: it is another one when something
// else is in effect. It is nil when nothing is.
func (e *Entry) Fingerprint() []byte {
	p := e.Publisher
	if p == nil || p.optedOut || !p.Missing && !e.Standing.InEffect {
		return nil
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "1 %s %s %s %t\n", e.Standing.Location.Method, e.Standing.Location.Manager, e.Standing.Location.URL, p.Missing)
	switch {
	case p.shared != nil:
		fmt.Fprintln(sum, p.shared.key)
	case p.record != nil:
		fmt.Fprintln(sum, p.record.Revision)
	}
	for _, g := range p.Grants {
		fmt.Fprintln(sum, g.Live, g.Agent)
	}
	return sum.Sum(nil)[:16]
}
