package directory

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/avow-project/avow/resolve"
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

// GrantsOf returns what agents may sell by a document, by agent. It is what the directory has
// of a publisher, also where there is no room for it.
func GrantsOf(doc *resolve.Document, now time.Time) []Grant {
	p := &Publisher{subject: resolve.NewSubject(doc)}
	decision, _ := p.subject.Decide(&resolve.Question{Publisher: doc.Publisher, At: now})
	if decision.Code == codeRevoked {
		return nil
	}
	p.readGrants(doc, now)
	return p.Grants
}
