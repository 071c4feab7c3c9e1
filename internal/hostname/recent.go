package hostname

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// Mapping a name with letters outside ASCII takes a hundred times as long as
// looking at a plain one, and a file is asked about the same name by several
// rules in a row. The answers for the last few names are therefore kept. They
// depend on nothing but the name, so it does not matter who asked first.

// mapping is what IDNA makes of a host.
type mapping struct {
	host, name string
	ok         bool
}

var (
	recent     [64]atomic.Pointer[mapping]
	recentSeed = maphash.MakeSeed()
)

// toASCII maps a host to A-labels and reports whether that is possible.
func toASCII(host string) (string, bool) {
	slot := &recent[maphash.String(recentSeed, host)%uint64(len(recent))]
	if m := slot.Load(); m != nil && m.host == host {
		return m.name, m.ok
	}
	name, err := lookupProfile.ToASCII(host)
	// The host may be a part of a large file, which must not be held for it.
	m := &mapping{strings.Clone(host), strings.Clone(name), err == nil}
	slot.Store(m)
	return m.name, m.ok
}
