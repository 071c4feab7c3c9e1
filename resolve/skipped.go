package resolve

import "github.com/avow-project/avow/adagents"

// A Skipped has the entries of one file that nothing was taken from, because something is
// wrong with them. The rest of the file was used.
type Skipped struct {
	// Publisher is whom the file speaks for, the first of several that share it, and URL
	// and SHA256 are those of the file.
	Publisher, URL, SHA256 string
	// Entries are in the order of the file; the pointer of each has its index.
	Entries []adagents.Skip
}

// skippedIn returns what was left out of documents, each file once.
func skippedIn(docs ...*Document) []Skipped {
	var out []Skipped
	var seen map[bookKey]bool
	for _, d := range docs {
		if d == nil || d.State != Usable || len(d.Skipped) == 0 {
			continue
		}
		key := keyOf(d)
		key.held = heldKey{}
		if seen[key] {
			continue
		}
		if seen == nil {
			seen = make(map[bookKey]bool)
		}
		seen[key] = true
		out = append(out, Skipped{Publisher: d.Publisher, URL: d.URL, SHA256: d.SHA256, Entries: d.Skipped})
	}
	return out
}
