package translog

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A reader reads the lines of a leaf in their order. Its first error stays.
type reader struct {
	lines []string
	err   error
}

func newReader(text []byte) (*reader, error) {
	whole, ok := strings.CutSuffix(string(text), "\n")
	if !ok {
		return nil, fmt.Errorf("%w: the last line does not end", errLeaf)
	}
	r := &reader{lines: strings.Split(whole, "\n")}
	if r.lines[0] != formatLine {
		return nil, fmt.Errorf("%w: it does not begin with the line %q", errLeaf, formatLine)
	}
	r.lines = r.lines[1:]
	return r, nil
}

// leaf reads everything. What is missing or too much is noticed when the leaf is written
// again.
func (r *reader) leaf() *Leaf {
	l := &Leaf{}
	l.Kind = r.one("kind")
	subject := strings.SplitN(r.one("subject"), " ", 2)
	l.Subject.Kind = subject[0]
	if len(subject) == 2 {
		l.Subject.Name = subject[1]
	}
	l.Number = r.number(r.one("number"))
	l.At, l.Seen = r.time(r.one("at")), r.time(r.one("seen"))
	l.Place = r.place("place")
	l.Pointer = r.one("pointer")
	l.To = r.place("to")
	if signs := r.one("signs"); signs != "" {
		l.Signs = strings.Split(signs, ",")
	}
	r.document(l)
	l.Confirms, l.Counts = r.one("confirms"), r.one("counts")
	for k := r.one("key"); k != ""; k = r.one("key") {
		l.Keys = append(l.Keys, k)
	}
	if old := r.words("old", 3); old != nil {
		l.Old = &Head{old[0], r.number(old[1]), old[2]}
	}
	l.Previous = r.previous()
	if len(r.lines) > 0 && r.err == nil {
		r.err = fmt.Errorf("%w: the line %.40q is not known, or not in its place", errLeaf, r.lines[0])
	}
	return l
}

func (r *reader) document(l *Leaf) {
	if d := r.words("document", 2); d != nil {
		l.Document = &Document{Hash: d[0], Bytes: r.number(d[1])}
	}
	l.From = r.one("from")
	if l.Document != nil {
		dated := r.one("dated")
		if dated != None {
			l.Document.Dated = r.time(dated)
		}
		l.Document.Agents = r.digest("agents")
		l.Document.Revokes = r.digest("revokes")
		return
	}
	if d := r.digest("revokes"); d.Hash != "" {
		l.Revokes = &d
	}
}

func (r *reader) digest(name string) Digest {
	w := r.words(name, 2)
	if w == nil {
		return Digest{}
	}
	return Digest{r.number(w[0]), w[1]}
}

func (r *reader) place(name string) Place {
	text := r.one(name)
	if text == "" || text == None {
		return Place{Method: text}
	}
	method, file, _ := strings.Cut(text, " ")
	return Place{method, file}
}

func (r *reader) previous() *Link {
	text := r.one("previous")
	if text == None {
		return nil
	}
	index, hash, _ := strings.Cut(text, " ")
	return &Link{r.number(index), hash}
}

// one returns the rest of the next line if it has a name, and takes it; otherwise nothing.
func (r *reader) one(name string) string {
	if len(r.lines) == 0 {
		return ""
	}
	rest, ok := strings.CutPrefix(r.lines[0], name+" ")
	if !ok || rest == "" {
		return ""
	}
	r.lines = r.lines[1:]
	return rest
}

// words is one for lines of n words.
func (r *reader) words(name string, n int) []string {
	text := r.one(name)
	if text == "" {
		return nil
	}
	words := strings.Split(text, " ")
	if len(words) != n {
		r.fail(text)
		return make([]string, n)
	}
	return words
}

func (r *reader) number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.fail(text)
	}
	return n
}

func (r *reader) time(text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	t, err := time.Parse(timeForm, text)
	if err != nil {
		r.fail(text)
	}
	return t
}

func (r *reader) fail(text string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %.40q cannot be read", errLeaf, text)
	}
}
