package ops

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/avow-project/avow/internal/question"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// questionInput is a question in a query string.
type questionInput struct{ question.Question }

func (in *questionInput) read(query url.Values) error {
	r := question.Reader{On: question.HTTP}
	q, err := r.Values(query)
	in.Question = q
	return questionError(err)
}

func (in *questionInput) object(arguments jsontree.Value) error {
	r := question.Reader{On: question.HTTP}
	q, err := r.Object(arguments)
	in.Question = q
	return questionError(err)
}

func (*questionInput) described() reflect.Type { return questionType(question.HTTP) }

// toolInput is a question in the arguments of a tool.
type toolInput struct{ questionInput }

func (in *toolInput) object(arguments jsontree.Value) error {
	r := question.Reader{On: question.Tool}
	q, err := r.Object(arguments)
	in.Question = q
	return questionError(err)
}

func (*toolInput) described() reflect.Type { return questionType(question.Tool) }

// questionType returns a struct that describes the questions of an interface, with the tags of a
// Plan. It is made from the table of package question, so that documents say what is read.
func questionType(on question.Interface) reflect.Type {
	var fields []reflect.StructField
	for i, m := range question.Members(on) {
		f := reflect.StructField{Name: "F" + strconv.Itoa(i), Type: reflect.TypeFor[string]()}
		tag := fmt.Sprintf(`json:"%s,omitempty" tool:"%s" query:"%s" doc:%q`, m.Name, m.Tool,
			strings.Join(append([]string{m.Name}, m.Aliases...), ","), documented(&m))
		switch m.Kind {
		case question.Bool:
			f.Type = reflect.TypeFor[bool]()
		case question.List:
			f.Type = reflect.TypeFor[[]string]()
			tag += fmt.Sprintf(` maxItems:"%d"`, question.MaxItems)
		case question.Text:
			tag += fmt.Sprintf(` maxLength:"%d"`, m.Max)
		}
		if m.Name == "publisher" || m.Name == "agent" {
			tag += ` required:"true"`
		}
		f.Tag = reflect.StructTag(tag)
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}

// documented is the sentence about a member, with its other names.
func documented(m *question.Member) string {
	doc := m.Doc + "."
	if len(m.Aliases) > 0 {
		doc += " Also accepted as " + strings.Join(m.Aliases, ", ") + "."
	}
	return doc
}

// questionError is what is wrong with a question, for the caller.
func questionError(err error) error {
	var known *question.Error
	if errors.As(err, &known) {
		return fieldError(known.Member, known.Code, known.Message, known.Hint)
	}
	return err
}

// Narrowing are the parameters that narrow a question, whatever it is about.
type Narrowing struct {
	PropertyType string   `query:"property_type" filled:"true" maxLength:"64" doc:"The type of the property, for example website."`
	Placements   []string `query:"placement" maxItems:"100" maxLength:"255" doc:"The placement_id of a placement. Several are answered one by one as well, and the verdict is authorized only if all are covered."`
	Collections  []string `query:"collection" maxItems:"100" maxLength:"510" doc:"A content program as DOMAIN/ID. Several are the programs that one piece of inventory belongs to: one that an entry lists is enough."`
	Country      string   `query:"country" filled:"true" maxLength:"64" doc:"ISO 3166-1 alpha-2 code of the country; without it, entries that are limited to countries give the verdict conditional."`
	At           string   `query:"at" filled:"true" maxLength:"64" doc:"The instant asked about, RFC 3339; now when it is not given."`
}

func (n *Narrowing) narrowing() (registry.Narrowing, error) {
	values := url.Values{}
	for name, texts := range map[string][]string{
		"property_type": {n.PropertyType}, "placement": n.Placements, "collection": n.Collections, "country": {n.Country},
		"at": {n.At},
	} {
		if strings.Join(texts, "") != "" {
			values[name] = texts
		}
	}
	r := question.Reader{On: question.HTTP, Partial: true}
	q, err := r.Values(values)
	return registry.Narrowing{PropertyType: q.PropertyType, Placements: q.Placements, Collections: q.Collections,
		Country: q.Country, At: q.At}, questionError(err)
}
