package lenient

import (
	"cmp"
	"slices"

	"github.com/avow-project/avow/internal/std/words"
)

// A kind is a kind of edit.
type kind int

const (
	bom kind = iota
	comment
	surplusComma
	missingComma
	otherComma
	missingColon
	surplusColon
	otherColon
	otherQuotes
	bareName
	bareText
	missingQuote
	innerQuote
	control
	badEscape
	badEncoding
	literal
	number
	noValue
	missingBracket
	missingOpening
	surplusBracket
	otherBracket
	severalValues
	programCode
	codeFence
	otherText
	placeholder
	invisible
	kinds
)

// phrases say what was done once, and before and after the number what was done several times.
var phrases = [kinds]struct{ once, before, after string }{
	bom:          {once: "removed the byte order mark"},
	comment:      {"removed a comment", "removed ", " comments"},
	surplusComma: {"removed a surplus comma", "removed ", " surplus commas"},
	missingComma: {"added a missing comma", "added ", " missing commas"},
	otherComma:   {"wrote a comma for another separator", "wrote commas for ", " other separators"},
	missingColon: {"added a missing colon", "added ", " missing colons"},
	surplusColon: {"removed a surplus colon", "removed ", " surplus colons"},
	otherColon: {"wrote a colon for another sign between name and value", "wrote colons for ",
		" other signs between name and value"},
	otherQuotes: {"wrote double quotes for the other quotes around a text",
		"wrote double quotes for the other quotes around ", " texts"},
	bareName:     {"put quotes around a name", "put quotes around ", " names"},
	bareText:     {"put quotes around a text", "put quotes around ", " texts"},
	missingQuote: {"added a missing quote", "added ", " missing quotes"},
	innerQuote:   {"put a backslash before a quote inside a text", "put backslashes before ", " quotes inside texts"},
	control: {"wrote a line break or tab inside a text as an escape", "wrote ",
		" line breaks or tabs inside texts as escapes"},
	badEscape: {"rewrote a backslash sequence that JSON does not have", "rewrote ",
		" backslash sequences that JSON does not have"},
	badEncoding: {"read a character that is not UTF-8 as Windows-1252", "read ",
		" characters that are not UTF-8 as Windows-1252"},
	literal: {"wrote true, false or null for a word of another language", "wrote true, false or null for ",
		" words of another language"},
	number:         {"rewrote a number as JSON has it", "rewrote ", " numbers as JSON has them"},
	noValue:        {"wrote null for a missing value", "wrote null for ", " missing values"},
	missingBracket: {"added a missing closing bracket", "added ", " missing closing brackets"},
	missingOpening: {once: "added the missing opening bracket"},
	surplusBracket: {"removed a surplus closing bracket", "removed ", " surplus closing brackets"},
	otherBracket:   {"replaced a bracket by one of the other kind", "replaced ", " brackets by those of the other kind"},
	severalValues:  {once: "put several values into one list"},
	programCode:    {"removed program code around the JSON", "removed program code around the JSON in ", " places"},
	codeFence:      {"removed the Markdown code fence", "removed ", " marks of a Markdown code fence"},
	otherText:      {"removed text that is not JSON", "removed text that is not JSON in ", " places"},
	placeholder: {"removed dots in the place of something left out", "removed dots in ",
		" places where something is left out"},
	invisible: {"replaced an invisible character by a space", "replaced ", " invisible characters by spaces"},
}

// notes are the edits so far by kind.
type notes [kinds]struct{ count, first int }

func (n *notes) add(k kind, offset int) {
	e := &n[k]
	if e.count == 0 || offset < e.first {
		e.first = offset
	}
	e.count++
}

// list puts the notes into words, in the order of their first positions.
func (n *notes) list() []Assumption {
	var list []Assumption
	for k, e := range n {
		if e.count == 0 {
			continue
		}
		p := phrases[k]
		text := p.once
		if e.count > 1 && p.before != "" {
			text = p.before + words.Thousands(e.count) + p.after
		}
		list = append(list, Assumption{Offset: e.first, Count: e.count, Text: text})
	}
	slices.SortStableFunc(list, func(a, b Assumption) int { return cmp.Compare(a.Offset, b.Offset) })
	return list
}
