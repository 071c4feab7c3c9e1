package translog

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// MaxLeaf is how many bytes a leaf has at most: more than any that can be written, because
// names and numbers are bounded.
const MaxLeaf = 4096

// formatLine is the first line of every leaf.
const formatLine = "avow-leaf/1"

// None is the word for something that there is not: a place, a version, a date.
const None = "none"

// What a leaf can be about.
const (
	// SubjectPublisher is a publisher, by its domain: where its authority comes from.
	SubjectPublisher = "publisher"
	// SubjectFile is a file, by the hash of its URL: which version of it counts.
	SubjectFile = "file"
	// SubjectLog is the log itself.
	SubjectLog = "log"
)

// A Subject is what a leaf is about.
type Subject struct {
	// Kind is one of the constants.
	Kind string
	// Name is the canonical domain of a publisher, or the hash of a file's canonical URL in
	// hexadecimal. The log has none.
	Name string
}

// String returns the subject as it stands in a leaf.
func (s Subject) String() string {
	if s.Kind == SubjectLog {
		return s.Kind
	}
	return s.Kind + " " + s.Name
}

// Publisher returns the subject for a canonical domain.
func Publisher(domain string) Subject { return Subject{SubjectPublisher, domain} }

// File returns the subject for the file at a canonical URL.
func File(url string) Subject { return Subject{SubjectFile, HashOf([]byte(url))} }

// About reports whether it is a publisher, given by its canonical domain, or the file at its well-known path.
func (s Subject) About(domain string) bool {
	return s == Publisher(domain) || s == File("https://"+domain+"/.well-known/adagents.json")
}

// A Place is where a publisher's authority comes from: how it was reached, and the hash of
// the file's canonical URL. The Method of no place is None.
type Place struct{ Method, File string }

// A Document is a version that was seen.
type Document struct {
	// Hash is the SHA-256 of its bytes in hexadecimal.
	Hash  string
	Bytes int64
	// Dated is its last_updated; zero for none.
	Dated time.Time
	// Agents is the digest of the text that Agents.Text returns, and Revokes that of
	// RevokedText.
	Agents, Revokes Digest
}

// A Digest is a list by the number of its items and the hash of its text.
type Digest struct {
	Count int64
	Hash  string
}

// A Head is the checkpoint of another log, without its signatures.
type Head struct {
	Origin string
	Size   int64
	Root   string
}

// A Link leads to the subject's leaf before: its index, and its hash as a leaf.
type Link struct {
	Index int64
	Hash  string
}

// A Leaf is one entry of a log. Members that do not apply are empty.
type Leaf struct {
	// Kind is the code of what happened: file.adopted is one.
	Kind    string
	Subject Subject
	// Number is the event's in the history of the registry. Numbers rise along a log.
	Number int64
	// At is when it was decided, and Seen when something was asked for.
	At, Seen time.Time
	// Place is where the authority of a publisher comes from after the event.
	Place Place
	// Pointer is the hash of the pointer or the ads.txt that led there.
	Pointer string
	// To is where a move leads, and Signs are what speaks against it, sorted.
	To    Place
	Signs []string
	// Document is the version that the event is about; nil for none.
	Document *Document
	// From is the hash of the URL that answered in the end, after redirects.
	From string
	// Revokes has the publishers that an answer revokes which was not adopted.
	Revokes *Digest
	// Confirms is the version that an operator confirmed.
	Confirms string
	// Counts is the version of the file that counts after the event, or None.
	Counts string
	// Keys are those of the log after the event.
	Keys []string
	// Old is the last head of the log that this one follows; nil for none.
	Old *Head
	// Previous leads to the subject's leaf before this one; nil for its first.
	Previous *Link
}

// Text returns the leaf as it stands in a log. What cannot stand there is an error.
func (l *Leaf) Text() ([]byte, error) {
	body, err := l.Body()
	if err != nil {
		return nil, err
	}
	return Complete(body, l.Previous)
}

// Body returns the leaf without its last line, which only the log itself can write.
func (l *Leaf) Body() ([]byte, error) {
	err := l.check()
	if err != nil {
		return nil, err
	}
	w := &writer{}
	w.line(formatLine)
	w.line("kind", l.Kind)
	w.line("subject", l.Subject.String())
	w.line("number", decimal(l.Number))
	w.line("at", stamp(l.At))
	if !l.Seen.IsZero() {
		w.line("seen", stamp(l.Seen))
	}
	w.place("place", l.Place)
	w.optional("pointer", l.Pointer)
	w.place("to", l.To)
	w.list("signs", l.Signs)
	w.document(l.Document, l.From)
	if l.Revokes != nil {
		w.line("revokes", decimal(l.Revokes.Count), l.Revokes.Hash)
	}
	w.optional("confirms", l.Confirms)
	w.optional("counts", l.Counts)
	for _, k := range l.Keys {
		w.line("key", k)
	}
	if l.Old != nil {
		w.line("old", l.Old.Origin, decimal(l.Old.Size), l.Old.Root)
	}
	return w.Bytes(), nil
}

// Complete adds the last line to the body of a leaf.
func Complete(body []byte, previous *Link) ([]byte, error) {
	w := &writer{}
	w.Write(body)
	if previous == nil {
		w.line("previous", None)
	} else {
		err := checkLink(previous)
		if err != nil {
			return nil, err
		}
		w.line("previous", decimal(previous.Index), previous.Hash)
	}
	if w.Len() > MaxLeaf {
		return nil, fmt.Errorf("translog: a leaf has %d bytes, at most %d are allowed", w.Len(), MaxLeaf)
	}
	return w.Bytes(), nil
}

// errLeaf is about bytes that are no leaf.
var errLeaf = errors.New("translog: not a leaf")

// ParseLeaf reads a leaf. A text that is not exactly what Text would return is an error.
func ParseLeaf(text []byte) (*Leaf, error) {
	if len(text) > MaxLeaf {
		return nil, fmt.Errorf("%w: it has %d bytes, at most %d are allowed", errLeaf, len(text), MaxLeaf)
	}
	r, err := newReader(text)
	if err != nil {
		return nil, err
	}
	l := r.leaf()
	if r.err != nil {
		return nil, r.err
	}
	again, err := l.Text()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errLeaf, err)
	}
	if !bytes.Equal(again, text) {
		return nil, fmt.Errorf("%w: a line is written in another way, or stands in another order", errLeaf)
	}
	return l, nil
}

// LeafHash returns the hash of a leaf in the tree, in hexadecimal.
func LeafHash(leaf []byte) string { return hexOf(tlog.RecordHash(leaf)) }

// timeForm has six digits, as many as a registry keeps.
const timeForm = "2006-01-02T15:04:05.000000Z"

func stamp(t time.Time) string { return t.UTC().Format(timeForm) }

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

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

// An Agent is one that a file names, for the digest in a leaf.
type Agent struct {
	// URL is the canonical one, or the one in the file when it has none.
	URL       string
	Canonical bool
	// Keys are the thumbprints (RFC 7638) of its pinned keys, with an exclamation mark behind
	// one that is revoked.
	Keys []string
}

// maxURL is the length from which an agent stands in the text by the hash of its URL.
const maxURL = 500

// AgentsText returns the text whose hash is in a leaf: who is named in a file, each agent once, with all keys that
// are pinned for it. It depends on the file alone, so any reader of the file can make it again.
func AgentsText(agents []Agent) ([]byte, int) {
	keys := map[string][]string{}
	for _, a := range agents {
		name := a.URL
		if !a.Canonical || len(name) > maxURL || strings.ContainsAny(name, " \n") {
			name = "sha256:" + HashOf([]byte(a.URL))
		}
		keys[name] = append(keys[name], a.Keys...)
	}
	var b strings.Builder
	b.WriteString("avow-agents/1\n")
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		pinned := "-"
		if len(keys[name]) > 0 {
			pinned = strings.Join(slices.Compact(slices.Sorted(slices.Values(keys[name]))), ",")
		}
		b.WriteString("agent " + name + " " + pinned + "\n")
	}
	return []byte(b.String()), len(keys)
}

// RevokedText returns the text whose hash is in a leaf, and the number of its lines: the publishers
// that a file revokes, by their canonical domains.
func RevokedText(domains []string) ([]byte, int) {
	all := slices.Compact(slices.Sorted(slices.Values(domains)))
	var b strings.Builder
	for _, d := range all {
		b.WriteString(d + "\n")
	}
	return []byte(b.String()), len(all)
}

// DigestOf makes the digest of a text.
func DigestOf(text []byte, count int) Digest { return Digest{int64(count), HashOf(text)} }
