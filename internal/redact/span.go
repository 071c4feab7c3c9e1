package redact

import (
	"bytes"
	"cmp"
	"slices"
	"sort"

	"github.com/avow-project/avow/adagents"
)

// hiddenText stands where a secret stood.
const hiddenText = "[hidden]"

// secretCodes are the rules that report a value which must not be repeated: a report
// ends up in terminals, build logs and tickets, whose readers should not learn what the
// file gave away by mistake.
var secretCodes = map[string]bool{
	"signing_key.private_material":      true,
	"file.secret_exposed":               true,
	"file.private_field":                true,
	"file.private_field_suspected":      true,
	"placement.private_field":           true,
	"placement.private_field_suspected": true,
	"agent.url_userinfo":                true,
	"pointer.location_userinfo":         true,
}

// span is a range of bytes of a source.
type span struct{ from, to int }

// reportedSecrets returns the values that findings of a report call secret, in order
// and without overlaps. It is the whole source when there are more of them than the
// report lists: their locations are unknown.
func reportedSecrets(src []byte, report *adagents.Report) []span {
	var list []span
	for i := range report.Findings {
		f := &report.Findings[i]
		switch {
		case secretCodes[f.Code] && f.More > 0:
			return []span{{0, len(src)}}
		case secretCodes[f.Code]:
			list = append(list, valueSpan(src, f.Offset))
		}
	}
	return joined(list)
}

// joined sorts spans and makes one of those that touch.
func joined(list []span) []span {
	slices.SortFunc(list, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	out := list[:0]
	for _, s := range list {
		last := len(out) - 1
		switch {
		case s.to <= s.from:
		case last >= 0 && s.from <= out[last].to:
			out[last].to = max(out[last].to, s.to)
		default:
			out = append(out, s)
		}
	}
	return out
}

// holding returns the index of the span that holds an offset, or -1.
func holding(list []span, offset int) int {
	i := sort.Search(len(list), func(i int) bool { return list[i].to > offset })
	if i < len(list) && list[i].from <= offset {
		return i
	}
	return -1
}

// valueSpan returns the extent of the JSON value at an offset. When a member
// name stands there, it is the extent of the member's value.
func valueSpan(src []byte, offset int) span {
	offset = min(max(offset, 0), len(src))
	end := valueEnd(src, offset)
	if offset < len(src) && src[offset] == '"' {
		after := skipSpace(src, end)
		if after < len(src) && src[after] == ':' {
			offset = skipSpace(src, after+1)
			end = valueEnd(src, offset)
		}
	}
	return span{offset, end}
}

func skipSpace(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\t' || lineEnd(src[i])) {
		i++
	}
	return i
}

// valueEnd returns where the value that begins at i ends. A value without an end
// reaches to the end of the source.
func valueEnd(src []byte, i int) int {
	depth := 0
	for i < len(src) {
		switch src[i] {
		case '"':
			i = stringEnd(src, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		default:
			i++
			if depth == 0 && (i == len(src) || bytes.IndexByte([]byte(",]} \t\r\n"), src[i]) >= 0) {
				return i
			}
			continue
		}
		if depth <= 0 {
			return i
		}
	}
	return i
}

// stringEnd returns where the string that begins at i ends.
func stringEnd(src []byte, i int) int {
	for i++; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(src)
}

func lineEnd(c byte) bool { return c == '\n' || c == '\r' }
