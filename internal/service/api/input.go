package api

import (
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An inputPlan says how the input struct of a route is filled. It is made from the
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
//	filled:"true"                it may be left out, but not be given without a value,
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
type inputPlan struct {
	of     reflect.Type
	params []param
	body   *bodyPlan
	// closed plans refuse parameters that they do not know.
	closed bool
}

// A param is a part of the path or a query parameter.
type param struct {
	field  []int  // as reflect.Value.FieldByIndex takes it
	in     string // path or query
	names  []string
	limits limits
}

// planInput makes the plan of an input type. The types are those of the route table, so
// whatever is wrong with one is a mistake in the program.
func planInput(t reflect.Type, limit int64) *inputPlan {
	plan := &inputPlan{of: t}
	for _, f := range reflect.VisibleFields(t) {
		for _, in := range []string{"path", "query"} {
			names, ok := f.Tag.Lookup(in)
			if ok {
				plan.params = append(plan.params, param{f.Index, in, strings.Split(names, ","), limitsOf(f)})
			}
		}
		how, ok := f.Tag.Lookup("body")
		if ok {
			if limit == 0 {
				limit = smallBody
			}
			plan.body = &bodyPlan{field: f.Index[0], limit: limit, object: planObject(f.Type), unread: how == "unread"}
		}
	}
	return plan
}

// fallible reports whether there is anything in the input that can be wrong.
func (p *inputPlan) fallible() bool { return len(p.params) > 0 || p.body != nil }

// read fills an input struct from a request.
func (p *inputPlan) read(w http.ResponseWriter, r *http.Request, in reflect.Value) error {
	err := p.readParams(r, in)
	if err != nil || p.body == nil {
		return err
	}
	return p.body.read(w, r, in.Field(p.body.field))
}

func (p *inputPlan) readParams(r *http.Request, in reflect.Value) error {
	if len(p.params) == 0 {
		return nil
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return invalid("request.query", "The query string is not well-formed", "escape reserved characters in parameters")
	}
	err = p.refuseUnknown(query)
	if err != nil {
		return err
	}
	for i := range p.params {
		err := p.params[i].read(r, query, in.FieldByIndex(p.params[i].field))
		if err != nil {
			return err
		}
	}
	return nil
}

// refuseUnknown returns the error of a parameter that a closed plan does not know.
func (p *inputPlan) refuseUnknown(query url.Values) error {
	if !p.closed {
		return nil
	}
	var unknown []string
	for name := range query {
		if !slices.ContainsFunc(p.params, func(q param) bool { return q.in == "query" && slices.Contains(q.names, name) }) {
			unknown = append(unknown, name)
		}
	}
	if unknown == nil {
		return nil
	}
	name := slices.Min(unknown)
	return fieldError(name, "request.unknown", "Query parameter "+quoted(name)+" is not known", "leaving it out would ask something else; GET /docs lists the parameters")
}

// read fills the field of a parameter.
func (q *param) read(r *http.Request, query url.Values, v reflect.Value) error {
	if v.Kind() == reflect.Slice {
		return q.setList(v, q.values(query))
	}
	text, given, err := q.text(r, query)
	if err != nil {
		return err
	}
	return q.set(v, text, given)
}

// values returns what was sent for a query parameter.
func (q *param) values(query url.Values) []string {
	var values []string
	for _, name := range q.names {
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
func (q *param) setList(v reflect.Value, values []string) error {
	name := q.names[0]
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
func (q *param) blank() error {
	return fieldError(q.names[0], "request.value", "Query parameter "+q.names[0]+" is empty", "leave it out if nothing is meant")
}

// text returns the value of a parameter as it was sent.
func (q *param) text(r *http.Request, query url.Values) (string, bool, error) {
	if q.in == "path" {
		return r.PathValue(q.names[0]), true, nil
	}
	values := q.values(query)
	switch {
	case len(values) == 0:
		return "", false, nil
	case len(values) > 1:
		return "", false, fieldError(q.names[0], "request.repeated", "Query parameter "+q.names[0]+" is given more than once", "give it once")
	}
	return values[0], true, nil
}

// set stores a parameter in its field.
func (q *param) set(v reflect.Value, text string, given bool) error {
	name := q.names[0]
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
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fieldError(name, "request.type", "Query parameter "+name+" must be true or false", "")
		}
		v.SetBool(b)
	default:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fieldError(name, "request.type", "Query parameter "+name+" must be a whole number", "")
		}
		v.SetInt(n)
	}
	if !given {
		return nil
	}
	return q.limits.check(name, v)
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
	l := limits{required: f.Tag.Get("required") == "true", filled: f.Tag.Get("filled") == "true", missing: f.Tag.Get("missing"), fallback: f.Tag.Get("default")}
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

// fieldError is the error about one parameter or member.
func fieldError(name, code, message, hint string) error {
	return withExtras(invalid(code, message, hint), ErrorExtras{Field: name})
}
