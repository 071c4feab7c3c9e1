package portable

import (
	"strconv"

	"github.com/avow-project/avow/adagents"
)

// An object is written as JSON with its members in order.
type object []member

type member struct {
	name  string
	value any // a string, bool, int, []string, object, []object or nil
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
	return append(dst, "null"...)
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
