// Package question is the one parser of questions about authorizations. A client asks with a
// JSON object, a query string, a form, a row of a table or flags; each is reduced to names with
// texts, and one table says what they mean.
//
// A member that is unknown, empty, repeated or of the wrong type is an error that names it as
// the client wrote it. It is never ignored: a question without the part that was meant would be
// a wider one. Null is empty, too.
package question

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/rfc3339"
	"github.com/avow-project/avow/internal/std/spell"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/resolve"
)

// A Question is what a client asks, with how it wants the answer.
type Question struct {
	resolve.Question
	// ID is the client's label of a question in a batch.
	ID    string
	Brand string
	// Proofs and Refresh are options of the service.
	Proofs, Refresh bool
	// PropertyTags and PlacementTags stand for what carries one of them.
	PropertyTags, PlacementTags []string
	// given has the name that each member was given by, and bare whether ids of collections
	// may stand alone.
	given []string
	bare  bool
}

// The codes of errors.
const (
	Unknown  = "request.unknown"
	Empty    = "request.empty"
	Repeated = "request.repeated"
	Type     = "request.type"
	Value    = "request.value"
	Missing  = "request.missing"
	Syntax   = "request.parse"
)

// An Error says what is wrong with a question.
type Error struct {
	// Member is the name of the member as the client wrote it; empty for the question as a whole.
	Member, Code  string
	Message, Hint string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// A Reader reads the questions of one interface. The zero value of the other fields is fine.
type Reader struct {
	On Interface
	// Base has what questions leave out.
	Base resolve.Question
	// Now is the time of questions that name none; zero leaves it open.
	Now time.Time
	// Skip are names that belong to the interface and not to the question.
	Skip []string
	// Partial lets a question lack its publisher or its agent; it is not in canonical form then.
	Partial bool
}

// Parse reads a question from the text of a JSON object.
func (r *Reader) Parse(src []byte, most int) (Question, error) {
	tree, err := jsontree.Parse(src, jsontree.Options{MaxBytes: most, Names: JSONNames})
	if err != nil {
		return Question{}, &Error{Code: Syntax, Message: "the question is not valid JSON: " + err.Error(),
			Hint: "write one JSON object"}
	}
	return r.Object(tree.Root())
}

// Object reads a question from a JSON object.
func (r *Reader) Object(v jsontree.Value) (Question, error) {
	q := r.start()
	if !v.Is(jsontree.Object) {
		return q, &Error{Code: Syntax, Message: "the question is not a JSON object", Hint: "write one JSON object"}
	}
	// The answer to a question that cannot be read should still say which one it was.
	if id := v.Get("id"); r.On&(Lines|Table) != 0 && (id.Is(jsontree.String) || id.Is(jsontree.Number)) {
		q.ID = id.Text()
		if id.Is(jsontree.String) {
			q.ID = id.Str()
		}
	}
	var buffer [4]string
	var fault error
	for m := range v.Members() {
		name := m.Name()
		if slices.Contains(r.Skip, name) || fault != nil && !says(name) {
			continue
		}
		row, err := r.find(name)
		var texts []string
		if err == nil {
			texts, err = textsOf(&members[row], name, m.Value(), buffer[:0])
		}
		if err == nil {
			err = q.take(row, name, texts)
		}
		fault = cmp.Or(fault, err)
	}
	if fault != nil {
		return q, fault
	}
	err := r.finish(&q)
	return q, err
}

// says reports whether a member says which question it is. Those are read of a question with a fault,
// too: the answer repeats them.
func says(name string) bool {
	row, ok := rows[name]
	return ok && (row == rows["publisher"] || row == rows["agent"])
}

// Values reads a question from the parameters of a query or a form.
func (r *Reader) Values(values url.Values) (Question, error) {
	q := r.start()
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if slices.Contains(r.Skip, name) {
			continue
		}
		row, err := r.find(name)
		if err == nil && members[row].Kind != List && len(values[name]) > 1 {
			err = repeated(name)
		}
		if err == nil {
			err = q.take(row, name, values[name])
		}
		if err != nil {
			return q, err
		}
	}
	err := r.finish(&q)
	return q, err
}

// Columns are the members of a table, one for each column.
type Columns struct {
	rows  []int
	names []string
}

// Names are the members of the columns, each by its own name.
func (c *Columns) Names() []string {
	names := make([]string, 0, len(c.rows))
	for _, row := range c.rows {
		names = append(names, members[row].Name)
	}
	return names
}

// Header reads the names above a table.
func (r *Reader) Header(names []string) (Columns, error) {
	var c Columns
	for i, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		if i == 0 {
			name = strings.TrimPrefix(name, "\ufeff")
		}
		row, err := r.find(name)
		if err == nil && slices.Contains(c.rows, row) {
			err = repeated(name)
		}
		if err != nil {
			return c, err
		}
		c.rows, c.names = append(c.rows, row), append(c.names, name)
	}
	return c, nil
}

// Row reads a question from a row of a table. A table has a cell for every column, so an empty
// cell is what a row leaves out. Items of a list are separated by spaces.
func (r *Reader) Row(c Columns, cells []string) (Question, error) {
	q := r.start()
	if i := slices.Index(c.rows, rows["id"]); i >= 0 && i < len(cells) {
		q.ID = strings.TrimSpace(cells[i])
	}
	var fault error
	if len(cells) != len(c.rows) {
		fault = &Error{
			Code: Syntax, Message: "the row has " + strconv.Itoa(len(cells)) + " cells, and the first line " +
				strconv.Itoa(len(c.rows)) + " names",
			Hint: "put cells with commas into quotation marks",
		}
	}
	for i, cell := range cells[:min(len(cells), len(c.rows))] {
		cell = strings.TrimSpace(cell)
		if cell == "" || fault != nil && !says(c.names[i]) {
			continue
		}
		texts := []string{cell}
		if members[c.rows[i]].Kind == List {
			texts = strings.Fields(cell)
		}
		fault = cmp.Or(fault, q.take(c.rows[i], c.names[i], texts))
	}
	if fault != nil {
		return q, fault
	}
	err := r.finish(&q)
	return q, err
}

func (r *Reader) start() Question {
	return Question{Question: r.Base, given: make([]string, len(members))}
}

// find returns the row of a name. Flags have hyphens.
func (r *Reader) find(name string) (int, error) {
	plain, ok := strings.CutPrefix(name, "--")
	if ok && r.On == Flags {
		plain = strings.ReplaceAll(plain, "-", "_")
	}
	row, ok := rows[plain]
	if ok && members[row].On&r.On != 0 {
		return row, nil
	}
	e := &Error{Member: textsafe.Line(name, 60), Code: Unknown, Message: "unknown member " + quote(name)}
	names := Names(r.On, true)
	near, found := spell.Nearest(strings.ToLower(plain), names, spell.MaxDistance)
	switch {
	case ok:
		e.Message, e.Hint = quote(name)+" cannot be used here", "leave it out"
	case found:
		e.Hint = "did you mean " + near + "?"
	default:
		e.Hint = "the names are " + strings.Join(append(Names(r.On, false), r.Skip...), ", ")
	}
	return 0, e
}

// textsOf returns the texts of a value in JSON.
func textsOf(m *Member, name string, v jsontree.Value, buffer []string) ([]string, error) {
	switch {
	case v.Is(jsontree.Null):
		return nil, empty(name)
	case m.Kind == Bool && v.IsBool():
		return append(buffer, strconv.FormatBool(v.Bool())), nil
	case m.Kind != Bool && v.Is(jsontree.String):
		return append(buffer, v.Str()), nil
	case m.Name == "id" && v.Is(jsontree.Number):
		return append(buffer, v.Text()), nil
	case m.Kind == List && v.Is(jsontree.Array):
		for _, e := range v.Elems() {
			if !e.Is(jsontree.String) {
				return nil, wrongType(m, name, e)
			}
			buffer = append(buffer, e.Str())
		}
		return buffer, nil
	}
	return nil, wrongType(m, name, v)
}

// take sets a member.
func (q *Question) take(row int, name string, texts []string) error {
	m := &members[row]
	if q.given[row] != "" {
		return repeated(name)
	}
	q.given[row] = name
	switch {
	case len(texts) == 0:
		return empty(name)
	case len(texts) > MaxItems:
		return invalid(name, quote(name)+" has more than "+strconv.Itoa(MaxItems)+" items", "ask several questions")
	}
	for _, s := range texts {
		switch {
		case strings.TrimSpace(s) == "":
			return empty(name)
		case !utf8.ValidString(s):
			return invalid(name, quote(name)+" is not valid UTF-8", "encode it in UTF-8")
		case m.Max > 0 && len(s) > m.Max && utf8.RuneCountInString(s) > m.Max:
			return invalid(name, quote(name)+" has more than "+strconv.Itoa(m.Max)+" characters", "shorten it")
		}
	}
	q.bare = q.bare || strings.HasSuffix(name, "_ids") || strings.HasSuffix(name, "-ids")
	err := m.set(q, texts)
	if err != nil {
		return named(err, name)
	}
	return nil
}

// finish looks at what the members say together, and puts the question into canonical form.
func (r *Reader) finish(q *Question) error {
	kind, value, whole := rows["identifier_type"], rows["identifier_value"], rows["identifier"]
	switch {
	case q.given[kind] == "" && q.given[value] == "":
	case q.given[whole] != "":
		return repeated(q.given[whole])
	case q.given[kind] == "":
		return &Error{Member: "identifier_type", Code: Missing, Message: `"identifier_type" is missing`,
			Hint: "give it with identifier_value"}
	case q.given[value] == "":
		return &Error{Member: "identifier_value", Code: Missing, Message: `"identifier_value" is missing`,
			Hint: "give it with identifier_type"}
	}
	open := q.At.IsZero()
	if open {
		q.At = r.Now
	}
	if r.Partial && (q.Publisher == "" || q.Agent == "") {
		return nil
	}
	if q.At.IsZero() {
		q.At = time.Unix(0, 0) // for the check alone
	}
	done, err := q.Canonical()
	if err != nil {
		return q.fault(r.On, err)
	}
	q.Question = done
	if open {
		q.At = r.Now
	}
	return nil
}

// fault names the member that an error of the resolver is about: as it was given or, if it was
// not, as the interface documents it.
func (q *Question) fault(on Interface, err error) error {
	var known *resolve.QuestionError
	if !errors.As(err, &known) {
		return err
	}
	name, code := strings.TrimSuffix(known.Field, "s"), Value // placements, collections
	row, ok := rows[name]
	if ok && on == Tool && members[row].Tool != "" {
		name = members[row].Tool
	}
	switch {
	case ok && q.given[row] != "":
		name = q.given[row]
	case known.Field == "publisher" && q.Publisher == "", known.Field == "agent" && q.Agent == "":
		code = Missing
	}
	return &Error{Member: name, Code: code, Message: redact.Credentials(name + ": " + known.Problem),
		Hint: redact.Credentials(known.Hint)}
}

// Given reports whether a member was given, by any of its names.
func (q *Question) Given(name string) bool { return len(q.given) > 0 && q.given[rows[name]] != "" }

func text(of func(*Question) *string) func(*Question, []string) error {
	return func(q *Question, texts []string) error {
		*of(q) = texts[0]
		return nil
	}
}

func list(of func(*Question) *[]string) func(*Question, []string) error {
	return func(q *Question, texts []string) error {
		*of(q) = slices.Clone(texts)
		return nil
	}
}

func flag(of func(*Question) *bool) func(*Question, []string) error {
	return func(q *Question, texts []string) error {
		b, err := strconv.ParseBool(texts[0])
		if err != nil {
			return &Error{Code: Type, Message: " must be true or false"}
		}
		*of(q) = b
		return nil
	}
}

// setIdentifier reads TYPE=VALUE.
func setIdentifier(q *Question, texts []string) error {
	kind, value, ok := strings.Cut(texts[0], "=")
	if !ok || kind == "" || value == "" {
		return &Error{Code: Value, Message: ": " + quote(texts[0]) + " is not an identifier",
			Hint: "write TYPE=VALUE, for example domain=www.example.com"}
	}
	q.Identifier = resolve.Identifier{Type: kind, Value: value}
	return nil
}

// setCollections reads DOMAIN/ID. A domain has no slash, an id may. Under the name that other
// registries use, the id of a program of the publisher itself may stand alone.
func setCollections(q *Question, texts []string) error {
	q.Collections = nil
	for _, s := range texts {
		domain, id, ok := strings.Cut(s, "/")
		if !ok && q.bare {
			domain, id, ok = "", s, true
		} else if domain == "" {
			ok = false
		}
		if !ok || id == "" {
			return &Error{Code: Value, Message: ": " + quote(s) + " is not a collection",
				Hint: "write DOMAIN/ID, for example example.com/morning_show"}
		}
		q.Collections = append(q.Collections, resolve.CollectionRef{PublisherDomain: domain, ID: id})
	}
	return nil
}

func setAt(q *Question, texts []string) error {
	at, err := rfc3339.Parse(texts[0])
	if err != nil {
		return &Error{Code: Value, Message: ": " + quote(texts[0]) + " is not a time: " + err.Error(),
			Hint: "write it like 2026-01-02T00:00:00Z"}
	}
	q.At = at
	return nil
}

// named completes the error of a value with the name of its member.
func named(err error, name string) error {
	known := *err.(*Error) //nolint:errorlint,forcetypeassert // of a set function
	known.Member, known.Message = name, name+known.Message
	return &known
}

func empty(name string) error {
	return &Error{Member: name, Code: Empty, Message: quote(name) + " is empty",
		Hint: "leave it out if it is not part of the question"}
}

func repeated(name string) error {
	return &Error{Member: name, Code: Repeated, Message: quote(name) + " is given more than once, perhaps under two names",
		Hint: "give it once"}
}

func invalid(name, message, hint string) error {
	return &Error{Member: name, Code: Value, Message: message, Hint: hint}
}

func wrongType(m *Member, name string, v jsontree.Value) error {
	want := [...]string{Text: "a string", List: "a string or a list of strings", Bool: "true or false"}[m.Kind]
	return &Error{Member: name, Code: Type, Message: quote(name) + " must be " + want + ", not " + v.Kind().String()}
}

// quote shows a text from outside, shortened.
func quote(s string) string { return strconv.Quote(textsafe.Line(redact.Credentials(s), 60)) }
