package adagents

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
)

// shapes are ways in which an object misses what the model says of it. A rule that is about
// nothing else lists them, with what its findings say, and has no function of its own.
type shapes []struct {
	fault fault
	at    int    // the member, by its place in the model
	msg   string // what the fault puts into it stands with the fault
}

type fault uint8

// The faults, with what they put into the message.
const (
	notObject    fault = iota + 1 // what the entry is; the member does not matter
	absent                        // the name of the entry, if the message has a place for it
	unstated                      // the same; absent or blank, and another type is reported elsewhere
	noText                        // the same; absent, blank or of another type
	wrongKind                     // what the member is
	empty                         // nothing
	tooLong                       // how many characters there are, and how many are allowed
	unknownWord                   // the word
	wrongItem                     // what the item is
	repeatedItem                  // the item
)

// A subject is an object of the model as shapes see it.
type subject struct {
	described
	Value
	fields  []model.Field
	members []uint32 // their nodes, 0 for those that are absent
}

// described is what every type of the model has.
type described interface {
	subject() subject
	// who is the name of the entry with a space before it, or nothing.
	who() string
}

func (e *entry) who() string { return "" }

// reportShapes reports the rule for those of its shapes that the object has. words are what
// people write for the known words of a member.
func (r reporter) reportShapes(x *subject, list shapes, words map[string]string) {
	if !x.Is(Object) {
		if list[0].fault == notObject {
			r.say(x.Value, list[0].msg, x.Kind())
		}
		return
	}
	for i := range list {
		s := &list[i]
		node := x.members[s.at]
		switch s.fault {
		case notObject:
		case absent, unstated, noText:
			if v := memberAt(x.Value, node); s.fault.lacks(v) {
				r.sayOf(x.Value, v, x.fields[s.at].Name, "%s", strings.Replace(s.msg, "%s", x.who(), 1))
			}
		default:
			if node != 0 {
				r.memberShape(memberAt(x.Value, node), s.fault, s.msg, &x.fields[s.at], words)
			}
		}
	}
}

// lacks reports whether a member is missing, by what counts as that.
func (k fault) lacks(v Value) bool {
	switch k {
	case absent:
		return !v.Exists()
	case unstated:
		return absentOrBlank(v)
	}
	return !v.Is(String) || blank(v.Str())
}

// memberShape reports what is wrong with a member that is there.
func (r reporter) memberShape(v Value, k fault, msg string, f *model.Field, words map[string]string) {
	switch k {
	case wrongKind:
		if !conform.KindFits(v, f.Type.Kind) {
			r.say(v, msg, v.Kind())
		}
	case empty:
		if conform.KindFits(v, f.Type.Kind) && v.Str() == "" && v.Len() == 0 {
			r.say(v, "%s", msg)
		}
	case tooLong:
		if n := len(v.Str()); n > f.Type.MaxLen { // in bytes, which is no less than in characters
			if n = utf8.RuneCountInString(v.Str()); n > f.Type.MaxLen {
				r.say(v, msg, n, f.Type.MaxLen)
			}
		}
	case unknownWord:
		// Where there has to be a word, a blank one is missing.
		if word := v.Str(); v.Is(String) && !slices.Contains(f.Type.Enum, word) && (!f.Required || !blank(word)) {
			r.say(v, msg, quote(word)).withHint("%s", suggestWith(words, word, f.Type.Enum))
		}
	case wrongItem:
		for _, e := range v.Elems() {
			if !conform.KindFits(e, f.Type.Elem.Kind) {
				r.say(e, msg, e.Kind())
			}
		}
	case repeatedItem:
		for e := range secondMentions(v) {
			r.say(e, msg, quote(e.Str()))
		}
	}
}
