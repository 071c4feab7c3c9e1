package portable

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
)

// An object is written as JSON with its members in order.
type object []member

type member struct {
	name  string
	value any // an object, a list of them, or what the tags of its type describe
}

// append writes the object.
func (o object) append(dst []byte) []byte {
	dst = append(dst, '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = adagents.AppendString(dst, m.name)
		dst = append(dst, ':')
		dst = appendValue(dst, m.value)
	}
	return append(dst, '}')
}

func appendValue(dst []byte, value any) []byte {
	switch v := value.(type) {
	case string:
		return adagents.AppendString(dst, v)
	case bool:
		return strconv.AppendBool(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case object:
		return v.append(dst)
	case []string:
		return appendList(dst, v, adagents.AppendString)
	case []object:
		return appendList(dst, v, func(dst []byte, o object) []byte { return o.append(dst) })
	}
	return appendReflected(dst, reflect.ValueOf(value))
}

// appendReflected writes what is described by the tags of its type. A JSON package would make the
// module an eighth larger.
func appendReflected(dst []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return adagents.AppendString(dst, v.String())
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case reflect.Int:
		return strconv.AppendInt(dst, v.Int(), 10)
	case reflect.Pointer:
		if !v.IsNil() {
			return appendReflected(dst, v.Elem())
		}
	case reflect.Slice:
		dst = append(dst, '[')
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendReflected(dst, v.Index(i))
		}
		return append(dst, ']')
	case reflect.Map:
		o := object{}
		for _, key := range v.MapKeys() {
			o = append(o, member{key.String(), v.MapIndex(key).Interface()})
		}
		slices.SortFunc(o, func(a, b member) int { return strings.Compare(a.name, b.name) })
		return o.append(dst)
	case reflect.Struct:
		return membersOf(v).append(dst)
	}
	return append(dst, "null"...)
}

// membersOf lists the members of a struct, those of embedded ones included.
func membersOf(v reflect.Value) object {
	o := object{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			o = append(o, membersOf(v.Field(i))...)
		case strings.HasPrefix(options, "omit") &&
			(v.Field(i).IsZero() || v.Field(i).Kind() == reflect.Map && v.Field(i).Len() == 0):
		default:
			o = append(o, member{name, v.Field(i).Interface()})
		}
	}
	return o
}

func appendList[T any](dst []byte, list []T, one func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = one(dst, v)
	}
	return append(dst, ']')
}
