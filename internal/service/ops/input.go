package ops

import (
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// A Plan says how the input struct of an operation is filled. It is made from the
// tags of the struct's fields:
//
//	path:"platform"              a wildcard of the path
//	query:"agent_url,agent"      a query parameter, by the first of its names that
//	                             is documented or by another that clients use
//	body:""                      the body: a struct for an object of known members,
//	                             or a type of bytes for JSON that is passed on as it
//	                             is; an absent body is an empty object
//	body:"unread"                such a body whose reader finds out what is wrong with it
//	required:"true"              it must be there and not empty
//	filled:"true"                it may be left out, but not be given without a text,
//	                             which would make a question wider than it was meant
//	missing:"..."                what is said when it is not
//	enum, minimum, maximum, maxLength, minItems, maxItems, default
//	                             limits, in the words of the OpenAPI document; default
//	                             is for query parameters
//	also:"agent"                 other names of a member, for clients that use them
//	doc:"..."                    what it means
//
// Parameters are strings, whole numbers, booleans, or lists of strings, which are given
// more than once. Members of a body may be structs and other lists, too. The fields of an
// embedded struct count as the struct's own.
type Plan struct {
	Of     reflect.Type
	Params []Param
	Body   *BodyPlan
	// closed plans refuse parameters that they do not know.
	closed bool
	// arguments are those of a tool.
	arguments []Argument
}

// A Param is a part of the path or a query parameter.
type Param struct {
	// Names are those it is read by, the documented one first.
	Names []string
	// In is path or query.
	In string
	// Required tells whether it must be there, Default what counts when it is not.
	Required bool
	Default  string
	field    []int // as reflect.Value.FieldByIndex takes it
	limits   limits
}

// Field returns the field that it fills.
func (p *Plan) Field(q *Param) reflect.StructField { return p.Of.FieldByIndex(q.field) }

// A selfReader is an input that reads a query string by itself. What it takes is described by a
// struct that is never filled.
type selfReader interface {
	read(query url.Values) error
	object(arguments jsontree.Value) error
	described() reflect.Type
}

// planInput makes the plan of an input type. The types are those of the route table, so
// whatever is wrong with one is a mistake in the program.
func planInput(t reflect.Type, limit int64) *Plan {
	self, ok := reflect.New(t).Interface().(selfReader)
	if ok {
		t = self.described()
	}
	plan := &Plan{Of: t}
	for _, f := range reflect.VisibleFields(t) {
		for _, in := range []string{"path", "query"} {
			names, ok := f.Tag.Lookup(in)
			if ok {
				l := limitsOf(f)
				plan.Params = append(plan.Params, Param{strings.Split(names, ","), in, in == "path" || l.required, l.fallback,
					f.Index, l})
			}
		}
		how, ok := f.Tag.Lookup("body")
		if ok {
			if limit == 0 {
				limit = SmallBody
			}
			plan.Body = &BodyPlan{Field: f, Limit: limit, object: planObject(f.Type), unread: how == "unread"}
		}
	}
	plan.planArguments()
	return plan
}

// Fallible reports whether there is anything in the input that can be wrong.
func (p *Plan) Fallible() bool { return len(p.Params) > 0 || p.Body != nil }

// Query fills an input from the wildcards of a path and a query string.
func (p *Plan) Query(in any, path func(name string) string, rawQuery string) error {
	if len(p.Params) == 0 {
		return nil
	}
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return invalid("request.query", "The query string is not well-formed", "escape reserved characters in parameters")
	}
	self, ok := in.(selfReader)
	if ok {
		return self.read(query)
	}
	err = p.refuseUnknown(query)
	if err != nil {
		return err
	}
	to := reflect.ValueOf(in).Elem()
	for i := range p.Params {
		err := p.Params[i].read(path, query, to.FieldByIndex(p.Params[i].field))
		if err != nil {
			return err
		}
	}
	return nil
}

// refuseUnknown returns the error of a parameter that a closed plan does not know.
func (p *Plan) refuseUnknown(query url.Values) error {
	if !p.closed {
		return nil
	}
	var unknown []string
	for name := range query {
		if !slices.ContainsFunc(p.Params, func(q Param) bool { return q.In == "query" && slices.Contains(q.Names, name) }) {
			unknown = append(unknown, name)
		}
	}
	if unknown == nil {
		return nil
	}
	name := slices.Min(unknown)
	return fieldError(name, "request.unknown", "Query parameter "+quoted(name)+" is not known",
		"leaving it out would ask something else; GET /docs lists the parameters")
}

// read fills the field of a parameter.
func (q *Param) read(path func(string) string, query url.Values, v reflect.Value) error {
	if v.Kind() == reflect.Slice {
		return q.setList(v, q.values(query))
	}
	text, given, err := q.text(path, query)
	if err != nil {
		return err
	}
	return q.set(v, text, given)
}

// values returns what was sent for a query parameter.
func (q *Param) values(query url.Values) []string {
	var values []string
	for _, name := range q.Names {
		given := query[name]
		if values == nil {
			values = given
		} else {
			values = append(slices.Clip(values), given...)
		}
	}
	return values
}

// setList stores a parameter that may be repeated.
func (q *Param) setList(v reflect.Value, values []string) error {
	name := q.Names[0]
	for _, text := range values {
		switch {
		case strings.TrimSpace(text) == "":
			return q.blank()
		case !utf8.ValidString(text):
			return fieldError(name, "request.utf8", "Query parameter "+name+" is not UTF-8", "")
		}
		if problem := q.limits.checkText(text); problem != "" {
			return fieldError(name, "request.value", name+" "+problem, "")
		}
	}
	v.Set(reflect.ValueOf(values))
	return q.limits.check(name, v)
}

// blank is the error of a parameter without a value.
func (q *Param) blank() error {
	return fieldError(q.Names[0], "request.value", "Query parameter "+q.Names[0]+" is empty",
		"leave it out if nothing is meant")
}

// text returns the value of a parameter as it was sent.
func (q *Param) text(path func(string) string, query url.Values) (string, bool, error) {
	if q.In == "path" {
		return path(q.Names[0]), true, nil
	}
	values := q.values(query)
	switch {
	case len(values) == 0:
		return "", false, nil
	case len(values) > 1:
		return "", false, fieldError(q.Names[0], "request.repeated", "Query parameter "+q.Names[0]+" is given more than once",
			"give it once")
	}
	return values[0], true, nil
}

// set stores a parameter in its field.
func (q *Param) set(v reflect.Value, text string, given bool) error {
	name := q.Names[0]
	if strings.TrimSpace(text) == "" {
		if q.limits.required {
			return fieldError(name, "request.missing", q.limits.missingOr("Missing required query param: "+name), "")
		}
		if given && q.limits.filled {
			return q.blank()
		}
		text = q.limits.fallback
		if text == "" {
			return nil
		}
	}
	if !utf8.ValidString(text) {
		return fieldError(name, "request.utf8", "Query parameter "+name+" is not UTF-8", "")
	}
	err := parse(v, "Query parameter "+name, text)
	if err != nil {
		return WithExtras(err, ErrorExtras{Field: name})
	}
	if !given {
		return nil
	}
	return q.limits.check(name, v)
}

// parse stores a text in a field.
func parse(v reflect.Value, what, text string) error {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return invalid("request.type", what+" must be true or false", "")
		}
		v.SetBool(b)
	default:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return invalid("request.type", what+" must be a whole number", "")
		}
		v.SetInt(n)
	}
	return nil
}

// limits are what a parameter or member must keep to.
type limits struct {
	required, filled   bool
	missing, fallback  string
	enum, also         []string
	minimum, maximum   *int64
	maxLength          int
	minItems, maxItems int
}

func limitsOf(f reflect.StructField) limits {
	l := limits{required: f.Tag.Get("required") == "true", filled: f.Tag.Get("filled") == "true",
		missing: f.Tag.Get("missing"), fallback: f.Tag.Get("default")}
	if enum := f.Tag.Get("enum"); enum != "" {
		l.enum = strings.Split(enum, ",")
	}
	if also := f.Tag.Get("also"); also != "" {
		l.also = strings.Split(also, ",")
	}
	number := func(tag string) (int64, bool) {
		n, err := strconv.ParseInt(f.Tag.Get(tag), 10, 64)
		return n, err == nil
	}
	if n, ok := number("minimum"); ok {
		l.minimum = &n
	}
	if n, ok := number("maximum"); ok {
		l.maximum = &n
	}
	for _, row := range []struct {
		tag string
		to  *int
	}{{"maxLength", &l.maxLength}, {"minItems", &l.minItems}, {"maxItems", &l.maxItems}} {
		n, _ := number(row.tag)
		*row.to = int(n)
	}
	return l
}

// ofTool returns the limits of a tool.
func (l limits) ofTool(f reflect.StructField) limits {
	if text := f.Tag.Get("toolDefault"); text != "" {
		l.fallback = text
	}
	n, err := strconv.ParseInt(f.Tag.Get("toolMaximum"), 10, 64)
	if err == nil {
		l.maximum = &n
	}
	return l
}

// preset stores the default.
func (l *limits) preset(v reflect.Value) error {
	if l.fallback == "" {
		return nil
	}
	return parse(v, "", l.fallback)
}

// missingOr returns what is said when the value is missing.
func (l *limits) missingOr(general string) string {
	if l.missing != "" {
		return l.missing
	}
	return general
}

// check compares a value with its limits.
func (l *limits) check(name string, v reflect.Value) error {
	problem := ""
	switch v.Kind() {
	case reflect.String:
		problem = l.checkText(v.String())
	case reflect.Int, reflect.Int64:
		problem = l.checkNumber(v.Int())
	case reflect.Slice:
		problem = l.checkLength(v)
	}
	if problem == "" {
		return nil
	}
	return fieldError(name, "request.value", name+" "+problem, "")
}

func (l *limits) checkText(s string) string {
	switch {
	case len(l.enum) > 0 && !slices.Contains(l.enum, s):
		return "must be one of: " + strings.Join(l.enum, ", ")
	case l.maxLength > 0 && utf8.RuneCountInString(s) > l.maxLength:
		return "must have at most " + strconv.Itoa(l.maxLength) + " characters"
	}
	return ""
}

func (l *limits) checkNumber(n int64) string {
	switch {
	case l.minimum != nil && n < *l.minimum:
		return "must be at least " + strconv.FormatInt(*l.minimum, 10)
	case l.maximum != nil && n > *l.maximum:
		return "must be at most " + strconv.FormatInt(*l.maximum, 10)
	}
	return ""
}

func (l *limits) checkLength(v reflect.Value) string {
	switch {
	case v.Type().Elem().Kind() == reflect.Uint8:
		return ""
	case v.Len() < l.minItems:
		return "has fewer entries than " + strconv.Itoa(l.minItems)
	case l.maxItems > 0 && v.Len() > l.maxItems:
		return "has more entries than " + strconv.Itoa(l.maxItems)
	}
	return ""
}
