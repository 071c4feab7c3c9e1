package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// object is a JSON object that keeps the order in which it was written.
type object []member

type member struct {
	name  string
	value any
}

// set adds a member, or replaces the one of that name.
func (o *object) set(name string, value any) {
	for i := range *o {
		if (*o)[i].name == name {
			(*o)[i].value = value
			return
		}
	}
	*o = append(*o, member{name, value})
}

// write appends a value as indented JSON. Values are objects, lists, strings,
// numbers and booleans that this command made itself.
func write(b *bytes.Buffer, v any, indent string) {
	inner := indent + "  "
	switch v := v.(type) {
	case object:
		if len(v) == 0 {
			b.WriteString("{}")
			return
		}
		for i, m := range v {
			b.WriteString(separator(i, "{") + "\n" + inner + quote(m.name) + ": ")
			write(b, m.value, inner)
		}
		b.WriteString("\n" + indent + "}")
	case []any:
		for i, e := range v {
			b.WriteString(separator(i, "[") + "\n" + inner)
			write(b, e, inner)
		}
		b.WriteString("\n" + indent + "]")
	case []string:
		writeStrings(b, v, indent)
	case string:
		b.WriteString(quote(v))
	case float64:
		b.WriteString(strconv.FormatFloat(v, 'f', -1, 64))
	default:
		fmt.Fprint(b, v)
	}
}

func separator(i int, open string) string {
	if i == 0 {
		return open
	}
	return ","
}

// writeStrings keeps short lists on one line.
func writeStrings(b *bytes.Buffer, list []string, indent string) {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quote(s)
	}
	line := "[" + strings.Join(quoted, ", ") + "]"
	if len(line) <= 100 {
		b.WriteString(line)
		return
	}
	b.WriteString("[\n" + indent + "  " + strings.Join(quoted, ",\n"+indent+"  ") + "\n" + indent + "]")
}

// quote writes a JSON string; the texts are plain printable ones.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
