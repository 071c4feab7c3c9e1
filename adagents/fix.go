package adagents

import (
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/std/textedit"
)

// A FixKind says how certain it is that a fix is what the author wants.
type FixKind uint8

// The kinds of fixes.
const (
	// NoFix: findings of the rule usually have no fix; see Rule.MayFix.
	NoFix FixKind = iota
	// Safe: the meaning is certain, and no agent may sell more than before.
	Safe
	// Likely: what the author most probably meant. It may let an agent sell more.
	Likely
	// Choice: one of several that the author has to pick from.
	Choice
)

// String returns "safe", "likely", "choice", or "" for NoFix.
func (k FixKind) String() string { return [...]string{"", "safe", "likely", "choice"}[k] }

// An Edit replaces a part of the source.
type Edit = textedit.Edit

// A Fix is a way to repair what a finding is about.
type Fix struct {
	Title string // what is done: "write the url with https"
	Kind  FixKind
	// Edits are in ascending order and do not overlap. Everything else in the file stays
	// as it is.
	Edits []Edit

	// reveals says that readers did not see what the fix puts right, so that it may well
	// have errors of its own.
	reveals bool
}

// remedy is how the findings of a rule are fixed.
type remedy struct {
	kind FixKind // the usual one
	make func(x fixing) []Fix
}

// FixKind returns which kind of fix findings of the rule usually have.
func (r *Rule) FixKind() FixKind { return r.fix.kind }

// MayFix reports whether findings of the rule may have a fix at all.
func (r *Rule) MayFix() bool { return r.fix.make != nil }

// fixing is one finding for which a fix is made: what the rules know of the file, and the
// text to be edited.
type fixing struct {
	*content
	*jsonedit.Editor
	kind    FixKind
	at      Value  // the value concerned, or the owner of the missing member
	spot    Value  // the value whose location is shown
	missing string // the name of the missing member, or ""
	names   *nameUses
}

// fixes returns the fixes of each finding.
func (c *checker) fixes() [][]Fix {
	list := make([][]Fix, len(c.findings.list))
	editor := jsonedit.New(c.tree)
	for i := range list {
		list[i] = c.fixesOf(&c.findings.list[i], editor)
	}
	return list
}

// fixesOf returns the fixes of a finding.
func (c *checker) fixesOf(f *rawFinding, editor *jsonedit.Editor) []Fix {
	if f.rule.fix.make == nil {
		return nil
	}
	if _, ok := c.standsFor(f); ok {
		return nil // what is missing has to be renamed
	}
	return f.rule.fix.make(fixing{
		content: &c.content, Editor: editor, kind: f.rule.fix.kind,
		at: c.tree.At(f.node), spot: c.tree.At(f.shown()), missing: f.missing, names: &c.names,
	})
}

// one returns a single fix, of the kind that is usual for the rule. Edits have to be in
// ascending order.
func (x fixing) one(title string, edits ...Edit) []Fix { return x.as(x.kind, title, edits...) }

// as returns a single fix of another kind than the usual.
func (x fixing) as(kind FixKind, title string, edits ...Edit) []Fix {
	return []Fix{{Title: title, Kind: kind, Edits: edits}}
}

// revealing marks fixes that let readers see what they did not see before.
func revealing(fixes []Fix) []Fix {
	for i := range fixes {
		fixes[i].reveals = true
	}
	return fixes
}

// The remedies that many rules share.

// removeIt removes the member or element that the finding is about.
func removeIt(kind FixKind, title string) remedy {
	return remedy{kind, func(x fixing) []Fix {
		if x.missing != "" || !x.Parent(x.at).Exists() {
			return nil
		}
		return x.one(title, x.Remove(x.at))
	}}
}

// rewriteText replaces a text by what a function makes of it. There is no fix when the
// function says so, or when the text would stay as it is.
func rewriteText(kind FixKind, rewrite func(x fixing, text string) (string, bool)) remedy {
	return remedy{kind, func(x fixing) []Fix {
		text, ok := x.at.AsString()
		if !ok || x.missing != "" {
			return nil
		}
		better, ok := rewrite(x, text)
		if !ok || better == text {
			return nil
		}
		title := "write " + whole(better) + " instead of " + quote(text)
		if conform.WithoutUser(text) != text { // a password is not repeated
			title = "write " + whole(better)
		}
		return x.one(title, x.Replace(x.at, jsonedit.String(better)))
	}}
}

// addMember adds the missing member with the text of a value that a function knows.
func addMember(kind FixKind, text func(x fixing) (string, bool)) remedy {
	return remedy{kind, func(x fixing) []Fix {
		if x.missing == "" || !x.at.Is(Object) {
			return nil
		}
		value, ok := text(x)
		if !ok {
			return nil
		}
		return x.one(valued("add "+x.missing, value), x.AddMember(x.at, x.missing, value))
	}}
}

// asList makes a list of a value where one is expected: of its parts when it is a text with
// commas. A list stays as it is, and so does null, which says nothing.
func (x fixing) asList(v Value) []Edit {
	if v.Is(Array) || v.Is(Null) {
		return nil
	}
	if text := v.Str(); strings.Contains(text, ",") {
		var parts []string
		for part := range strings.SplitSeq(text, ",") {
			if !blank(part) {
				parts = append(parts, strings.TrimSpace(part))
			}
		}
		return []Edit{x.Replace(v, x.List(jsonedit.Strings(parts)...))}
	}
	return x.Wrap(v)
}

// whole shows a text that a fix writes. It is what the author has to write, so it is not
// shortened like a text that a message quotes.
func whole(s string) string { return conform.QuoteWhole(s) }

// valued adds the text of a JSON value to a title, unless it is too long to be read.
func valued(title, text string) string {
	const limit = 200
	if len(text) > limit {
		return title
	}
	return title + ": " + text
}

// advice is what to do about a finding that has fixes: the best one, unless the author has to
// choose.
func advice(fixes []Fix) string {
	k := probably(fixes)
	if k < 0 {
		return ""
	}
	return fixes[k].Title
}
