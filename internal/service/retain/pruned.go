package retain

import "time"

// A Removal is how much was removed of one kind, or would be. The bytes are those of the
// bodies and records, as far as they are known.
type Removal struct {
	Rows, Bytes int64
}

// Pruned is what a Prune removed, or would remove.
type Pruned struct {
	// Guests are the bodies of publishers that only anonymous callers named, Names those
	// of them that were forgotten: they never had a file, or no caller asked in a long
	// time.
	Guests, Names Removal
	// Versions, Places and Events are old history.
	Versions, Places, Events Removal
	// Documents are bytes that nothing refers to any more.
	Documents Removal
	// Tables has how many rows each table is left with, after a sweep.
	Tables map[string]int64
	// Before is the size of the store when pruning began, After its size now; nil when that could not be found out.
	Before Usage
	After  *Usage
}

// Kinds returns what was removed by the name of its kind.
func (p *Pruned) Kinds() map[string]Removal {
	return map[string]Removal{
		"guests": p.Guests, "names": p.Names, "versions": p.Versions, "places": p.Places, "events": p.Events,
		"documents": p.Documents,
	}
}

// Total is the sum of what was removed.
func (p *Pruned) Total() Removal {
	var t Removal
	for _, r := range p.Kinds() {
		t.Rows, t.Bytes = t.Rows+r.Rows, t.Bytes+r.Bytes
	}
	return t
}

// Options say how to prune.
type Options struct {
	Limits Limits
	Now    time.Time
	// DryRun changes nothing.
	DryRun bool
	// Sweep looks at every document for those that nothing refers to. Without it only those
	// are looked at that something was removed from.
	Sweep bool
}
