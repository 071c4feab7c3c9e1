package directory

import (
	"encoding/base64"
	"iter"
	"strings"

	"github.com/avow-project/avow/internal/std/hostname"
)

// mostScanned is how many publishers a page looks at, mostRowsScanned is the same for the rows of
// an agent, each of which takes longer, and mostRead is about how many of them it reads, if they are
// unread. A page that has found few by then ends there, and the next begins after it.
const (
	mostScanned     = 50_000
	mostRowsScanned = 5_000
	mostRead        = 1024
)

// A walk goes over the names of a page.
type walk struct {
	v     *View
	limit int
	most  int    // how many names it looks at
	last  string // the last name that belongs to the page
	more  bool   // there may be names after it
	seen  int
	// unread are the first that were not read, as far as the page would go, and passed is how
	// many that were read are between them.
	unread []hostname.Domain
	passed int
}

// page makes a page of limit names at most after one, looking at most of them, and returns where to go on; empty when
// there are no more. make is called with the directory locked, and again when publishers had to
// be read.
func (v *View) page(after string, limit, most int, make func(*walk)) string {
	for read := 0; ; {
		w := &walk{v: v, limit: limit, most: most, last: after}
		v.d.mu.RLock()
		make(w)
		if v.read != nil {
			v.Missing = v.d.missing // others may have read some, too
		}
		v.d.mu.RUnlock()
		if len(w.unread) == 0 || read >= mostRead && w.last != after {
			return w.next()
		}
		v.read(w.unread)
		read += len(w.unread)
	}
}

// over returns the names that the page looks at; found is how many that has found of them. From the
// first name on that is unread it goes on only to see which others are: then the page is made
// again, or ends before that name.
func (w *walk) over(names iter.Seq[string], found func() int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range names {
			n := found()
			if n == w.limit || w.seen == w.most {
				w.more = true
				return
			}
			p := w.v.d.publishers[hostname.Domain(name)]
			switch {
			case p != nil && p.unread:
				w.unread = append(w.unread, p.Domain)
			case len(w.unread) > 0:
				w.passed++
			default:
				w.last, w.seen = name, w.seen+1
				if !yield(name) {
					return
				}
				continue
			}
			if len(w.unread)+w.passed >= min(readTogether, w.limit-n) {
				return
			}
		}
	}
}

func (w *walk) next() string {
	if w.more || len(w.unread) > 0 {
		return w.last
	}
	return ""
}

// Cursor writes the name that a page ended with, for whoever wants the next one; empty for
// the end.
func Cursor(name string) string { return base64.RawURLEncoding.EncodeToString([]byte(name)) }

// ParseCursor reads a cursor, and reports whether it is one.
func ParseCursor(text string) (string, bool) {
	name, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || strings.ContainsFunc(string(name), func(r rune) bool { return r <= ' ' || r == '\ufffd' }) {
		return "", false
	}
	return string(name), true
}

// mostSummed is how many publishers of an agent an Inventory counts.
const mostSummed = 200

// An Inventory is what an agent may sell, of its first 200 publishers.
type Inventory struct {
	Domains []string
	// Properties counts properties that it may sell, perhaps under conditions, and Types the properties of
	// those publishers by type.
	Properties int
	Types      map[string]int
}

// Inventory sums up what an agent may sell.
func (v *View) Inventory(agent string) Inventory {
	out := Inventory{Types: map[string]int{}}
	rows, _ := v.Rows(RowQuery{Agent: agent, Limit: mostSummed, Authorized: true})
	for i := range rows {
		out.Domains = append(out.Domains, string(rows[i].Domain))
		out.Properties += rows[i].Sold.AuthorizedCount + rows[i].Sold.ConditionalCount
		for _, c := range rows[i].Types {
			out.Types[c.Type] += c.Count
		}
	}
	return out
}
