package translog

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A writer writes the lines of a leaf.
type writer struct{ bytes.Buffer }

func (w *writer) line(words ...string) {
	w.WriteString(strings.Join(words, " "))
	w.WriteByte('\n')
}

func (w *writer) optional(name, value string) {
	if value != "" {
		w.line(name, value)
	}
}

func (w *writer) list(name string, words []string) { w.optional(name, strings.Join(words, ",")) }

func (w *writer) place(name string, p Place) {
	switch p.Method {
	case "":
	case None:
		w.line(name, None)
	default:
		w.line(name, p.Method, p.File)
	}
}

func (w *writer) document(d *Document, from string) {
	if d == nil {
		w.optional("from", from)
		return
	}
	w.line("document", d.Hash, decimal(d.Bytes))
	w.optional("from", from)
	dated := None
	if !d.Dated.IsZero() {
		dated = stamp(d.Dated)
	}
	w.line("dated", dated)
	w.line("agents", decimal(d.Agents.Count), d.Agents.Hash)
	w.line("revokes", decimal(d.Revokes.Count), d.Revokes.Hash)
}

// check says what of a leaf cannot be written.
func (l *Leaf) check() error {
	for _, check := range []func() error{l.checkHead, l.checkSubject, l.checkHashes, l.checkDocument, l.checkLists} {
		err := check()
		if err != nil {
			return fmt.Errorf("translog: %w", err)
		}
	}
	return nil
}

func (l *Leaf) checkHead() error {
	switch {
	case !isCode(l.Kind):
		return fmt.Errorf("kind %q is not a code", l.Kind)
	case l.Number < 0:
		return fmt.Errorf("number %d is negative", l.Number)
	case !isTime(l.At):
		return fmt.Errorf("at cannot be written with six digits")
	case !l.Seen.IsZero() && !isTime(l.Seen):
		return fmt.Errorf("seen cannot be written with six digits")
	}
	return nil
}

// checkSubject also looks for the lines that say what is so after the event, which depend on
// the subject.
func (l *Leaf) checkSubject() error {
	publisher, file := l.Subject.Kind == SubjectPublisher, l.Subject.Kind == SubjectFile
	switch {
	case publisher && !isDomain(l.Subject.Name):
		return fmt.Errorf("publisher %q is not a canonical domain", l.Subject.Name)
	case file && !isHash(l.Subject.Name):
		return fmt.Errorf("file %q is not a hash", l.Subject.Name)
	case !publisher && !file && l.Subject != Subject{Kind: SubjectLog}:
		return fmt.Errorf("subject %q is not known", l.Subject.Kind)
	case publisher != (l.Place.Method != ""):
		return fmt.Errorf("leaves of a publisher have its place, and others have none")
	case file != (l.Counts != ""):
		return fmt.Errorf("leaves of a file have the version that counts, and others have none")
	case l.To.Method != "" && !publisher:
		return fmt.Errorf("only a publisher moves")
	case (len(l.Keys) > 0 || l.Old != nil) && l.Subject.Kind != SubjectLog:
		return fmt.Errorf("only leaves of the log have its keys")
	}
	return nil
}

func (l *Leaf) checkHashes() error {
	for _, p := range []Place{l.Place, l.To} {
		none := p.Method == "" || p.Method == None
		if none != (p.File == "") || !none && (!isWord(p.Method) || !isHash(p.File)) {
			return fmt.Errorf("place %q is not a method with a hash", p.Method)
		}
	}
	if l.To.Method == None {
		return fmt.Errorf("a move leads somewhere")
	}
	for _, h := range []string{l.Pointer, l.From, l.Confirms} {
		if h != "" && !isHash(h) {
			return fmt.Errorf("%q is not a hash", h)
		}
	}
	if l.Counts != "" && l.Counts != None && !isHash(l.Counts) {
		return fmt.Errorf("counts %q is not a hash", l.Counts)
	}
	return nil
}

func (l *Leaf) checkDocument() error {
	digests := []*Digest{l.Revokes}
	if d := l.Document; d != nil {
		if !isHash(d.Hash) || d.Bytes < 0 {
			return fmt.Errorf("document %q is not a hash with a size", d.Hash)
		}
		if !d.Dated.IsZero() && !isTime(d.Dated) {
			return fmt.Errorf("dated cannot be written with six digits")
		}
		if l.Revokes != nil {
			return fmt.Errorf("revocations stand in the document or alone")
		}
		digests = append(digests, &d.Agents, &d.Revokes)
	}
	for _, d := range digests {
		if d != nil && (d.Count < 0 || !isHash(d.Hash)) {
			return fmt.Errorf("%q is not a hash with a number", d.Hash)
		}
	}
	return nil
}

func (l *Leaf) checkLists() error {
	if !slices.IsSorted(l.Signs) || len(slices.Compact(slices.Clone(l.Signs))) != len(l.Signs) || !all(l.Signs, isWord) {
		return fmt.Errorf("signs %q are not words in their order, each once", l.Signs)
	}
	for _, k := range l.Keys {
		_, err := ParseKey(k)
		if err != nil {
			return err
		}
	}
	if l.Old != nil && (!isOrigin(l.Old.Origin) || l.Old.Size < 0 || !isHash(l.Old.Root)) {
		return fmt.Errorf("old %q is not the head of a log", l.Old.Origin)
	}
	return nil
}

func checkLink(p *Link) error {
	if p.Index < 0 || !isHash(p.Hash) {
		return fmt.Errorf("translog: previous %d is not an index with a hash", p.Index)
	}
	return nil
}

func all(words []string, ok func(string) bool) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !ok(w) })
}

// isTime reports whether a time can be written, and is the same when it is read.
func isTime(t time.Time) bool {
	again, err := time.Parse(timeForm, stamp(t))
	return err == nil && again.Equal(t)
}

func only(text string, ok func(byte) bool) bool {
	for i := range len(text) {
		if !ok(text[i]) {
			return false
		}
	}
	return text != ""
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// maxWord is more than a code or the name of a method has.
const maxWord = 64

// isWord reports whether a text is a word as it stands in codes.
func isWord(text string) bool {
	return len(text) <= maxWord && only(text, func(c byte) bool { return isLower(c) || isDigit(c) || c == '_' })
}

func isCode(text string) bool {
	object, event, ok := strings.Cut(text, ".")
	return ok && isWord(object) && isWord(event)
}

// isHash reports whether a text is a SHA-256 in lower-case hexadecimal.
func isHash(text string) bool {
	return len(text) == 64 && only(text, func(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' })
}

// isDomain reports whether a text can be a canonical domain; whether it is one that exists
// does not matter here.
func isDomain(text string) bool {
	if len(text) > 253 {
		return false
	}
	for label := range strings.SplitSeq(text, ".") {
		if len(label) > 63 || !only(label, func(c byte) bool { return isLower(c) || isDigit(c) || c == '-' || c == '_' }) {
			return false
		}
	}
	return true
}

// isOrigin reports whether a text can be the name of a log: a URL without its scheme.
func isOrigin(text string) bool {
	return len(text) <= 255 && only(text, func(c byte) bool { return '!' <= c && c <= '~' && c != '+' })
}
