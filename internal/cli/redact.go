package cli

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
)

// hiddenText stands where a secret stood.
const hiddenText = "[hidden]"

// secretCodes are the rules that report a value which must not be repeated: a
// report ends up in terminals, build logs and tickets, and whoever reads those
// should not learn what the file gave away by mistake.
var secretCodes = map[string]bool{
	"signing_key.private_material":      true,
	"file.secret_exposed":               true,
	"placement.private_field":           true,
	"placement.private_field_suspected": true,
	"agent.url_userinfo":                true,
	"pointer.location_userinfo":         true,
}

// span is a range of bytes of a source.
type span struct{ from, to int }

// reportedSecrets returns the values that findings of a report call secret, in
// order and without overlaps.
func reportedSecrets(src []byte, report *adagents.Report) []span {
	var list []span
	for i := range report.Findings {
		f := &report.Findings[i]
		if secretCodes[f.Code] {
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

// concealMessages rewrites what findings say about a value that another one
// calls secret. Rules quote the value they object to, or the id of the entry it
// belongs to, so the general words of the rule take the place of the particular
// ones.
func concealMessages(src []byte, report *adagents.Report) *adagents.Report {
	secrets := reportedSecrets(src, report)
	if len(secrets) == 0 {
		return report
	}
	catalogue := ruleCatalogue()
	quoted := quotedForms(src, secrets)
	safe := *report
	safe.Findings = slices.Clone(report.Findings)
	safe.Skipped = slices.Clone(report.Skipped)
	for i := range safe.Findings {
		f := &safe.Findings[i]
		if quotes(f.Message+f.Hint, quoted) || !secretCodes[f.Code] && holding(secrets, f.Offset) >= 0 {
			f.Message, f.Hint = catalogue[f.Code].Title, catalogue[f.Code].Hint
		}
	}
	for i := range safe.Skipped {
		s := &safe.Skipped[i]
		if quotes(s.Reason, quoted) {
			s.Reason = catalogue[s.Code].Title
		}
	}
	return &safe
}

// quotedForms returns the texts that messages show for secret strings: the
// beginning of a long one, the whole of a short one.
func quotedForms(src []byte, secrets []span) map[string]bool {
	forms := map[string]bool{}
	for _, s := range secrets {
		text, err := jsontext.AppendUnquote(nil, src[s.from:s.to])
		if err == nil {
			forms[quotedForm(string(text))] = true
		}
	}
	delete(forms, "")
	return forms
}

// quotedForm is the text up to where messages may cut it.
func quotedForm(text string) string {
	const runes = 40
	n := 0
	for i := range text {
		if n == runes {
			return text[:i]
		}
		n++
	}
	return text
}

// quotes reports whether a message shows one of the texts between quotation
// marks. A message has few of those, and a text that holds some itself must be
// found all the same, so every pair is tried.
func quotes(message string, forms map[string]bool) bool {
	const most = 12
	var marks []int
	for i := range len(message) {
		if message[i] == '"' && len(marks) < most {
			marks = append(marks, i)
		}
	}
	for i, from := range marks {
		for _, to := range marks[i+1:] {
			if forms[quotedForm(message[from+1:to])] {
				return true
			}
		}
	}
	return false
}

// ruleCatalogue returns the rules by code, those about the way to a file
// included.
func ruleCatalogue() map[string]adagents.Rule {
	rules := map[string]adagents.Rule{}
	for _, r := range allRules() {
		rules[r.Code] = r
	}
	return rules
}

// hideCredentials removes user names and passwords from the URLs in a text.
func hideCredentials(s string) string {
	if !strings.Contains(s, "@") {
		return s
	}
	return string(replaceSpans([]byte(s), joined(urlCredentials([]byte(s), "://"))).src)
}

// A redaction is a source without its secrets. The zero value has nothing to
// hide and no source.
type redaction struct {
	src  []byte
	cuts []span // of the original
	at   []int  // where the replacement of each cut begins in src
}

// redact returns a source with every secret replaced: those that were reported
// and, because a file that cannot be parsed is not searched by the rules, those
// that look like one.
func redact(src []byte, report *adagents.Report) *redaction {
	return replaceSpans(src, joined(append(reportedSecrets(src, report), likelySecrets(src)...)))
}

func replaceSpans(src []byte, cuts []span) *redaction {
	if len(cuts) == 0 {
		return &redaction{src: src}
	}
	r := &redaction{cuts: cuts, src: make([]byte, 0, len(src))}
	done := 0
	for _, c := range cuts {
		r.src = append(r.src, src[done:c.from]...)
		r.at = append(r.at, len(r.src))
		r.src = append(r.src, hiddenText...)
		done = c.to
	}
	r.src = append(r.src, src[done:]...)
	return r
}

// place turns a range of the original into one of the redacted source. A range
// that begins inside a secret becomes that of the replacement.
func (r *redaction) place(offset, length int) (int, int) {
	i := sort.Search(len(r.cuts), func(i int) bool { return r.cuts[i].to > offset })
	if i < len(r.cuts) && r.cuts[i].from <= offset {
		return r.at[i], len(hiddenText)
	}
	from := r.moved(offset)
	return from, r.moved(offset+length) - from
}

// moved is the place of an offset; one inside a secret moves behind it.
func (r *redaction) moved(offset int) int {
	i := sort.Search(len(r.cuts), func(i int) bool { return r.cuts[i].from >= offset })
	if i == 0 {
		return offset
	}
	return r.at[i-1] + len(hiddenText) + max(offset-r.cuts[i-1].to, 0)
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

// valueEnd returns where the value that begins at i ends. A value without an
// end reaches to that of the source.
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
