package adagents

import "github.com/avow-project/avow/internal/format/conform"

// signalIndex is what the signal rules need to know of the other signals and
// of the tag map. It is filled when the first signal is checked.
type signalIndex struct {
	byID  map[string]int    // first signal with the id
	texts map[string]string // canonical text of first signals that have doubles
	tags  map[string]bool   // tags explained in signal_tags, or already reported
}

func (c *content) signals() *signalIndex {
	x := &c.index.signal
	if x.byID != nil {
		return x
	}
	x.byID = make(map[string]int, len(c.file.Signals))
	for i := range c.file.Signals {
		first(x.byID, c.file.Signals[i].ID, i)
	}
	x.texts = make(map[string]string)
	x.tags = make(map[string]bool, len(c.file.SignalTags))
	for i := range c.file.SignalTags {
		x.tags[c.file.SignalTags[i].Key] = true
	}
	return x
}

// firstText returns the canonical text of the first signal with the id. It is
// kept, so that a thousand doubles of a large signal cost no more than one.
func (c *content) firstText(id string) string {
	x := c.signals()
	text, ok := x.texts[id]
	if !ok {
		text = conform.CanonicalText(c.file.Signals[x.byID[id]].Raw)
		x.texts[id] = text
	}
	return text
}
