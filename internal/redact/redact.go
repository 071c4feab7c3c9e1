// Package redact keeps secrets out of reports.
//
// A file may give away what it should not: a private key, a password in a URL. Reports
// about it end up in terminals, build logs, tickets and web pages, so everything that
// quotes a file passes through this package first: sentences through [Report] and
// [Credentials], URLs through [URL], the text of the file through [Of], values of the file
// through [JSON].
package redact

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/avow-project/avow/adagents"
)

// Credentials removes user names and passwords from the URLs in a text, the values of their
// parameters that are secret by name, such as token and key, and private keys.
func Credentials(s string) string {
	if !strings.ContainsAny(s, "@=") && !strings.Contains(s, "PRIVATE KEY") {
		return s
	}
	b := []byte(s)
	return string(replaceSpans(b, joined(append(urlSecrets(b), privatePEMs(b)...))).src)
}

// URL cuts user name and password out of a URL, and the values of parameters that are secret by
// name.
func URL(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@')
	if at >= 0 {
		url = scheme + "://" + rest[at+1:]
	}
	if !strings.Contains(url, "=") {
		return url
	}
	secrets := urlParameters([]byte(url))
	for i := len(secrets) - 1; i >= 0; i-- {
		url = url[:secrets[i].from] + url[secrets[i].to:]
	}
	return url
}

// A Source is the text of a file without its secrets. The zero value has nothing to
// hide and no source.
type Source struct {
	src      []byte // what is shown
	original []byte
	cuts     []span // of the original
	at       []int  // where the replacement of each cut begins in src
	// joined is set when a secret of several lines became one word.
	joined bool
}

// Of returns a source with every secret replaced: those that were reported
// and, because a file that cannot be parsed is not searched by the rules, those
// that look like one.
func Of(src []byte, report *adagents.Report) *Source {
	return replaceSpans(src, joined(append(reportedSecrets(src, report), likelySecrets(src, report.Tree())...)))
}

// Bytes returns the text without its secrets. It must not be changed.
func (r *Source) Bytes() []byte { return r.src }

// Hides reports whether there is a secret in the original.
func (r *Source) Hides() bool { return len(r.cuts) > 0 }

// SameLines reports whether lines have the numbers they have in the original.
func (r *Source) SameLines() bool { return !r.joined }

func replaceSpans(src []byte, cuts []span) *Source {
	if len(cuts) == 0 {
		return &Source{src: src, original: src}
	}
	r := &Source{original: src, cuts: cuts, src: make([]byte, 0, len(src))}
	done := 0
	for _, c := range cuts {
		r.src = append(r.src, src[done:c.from]...)
		r.at = append(r.at, len(r.src))
		r.src = append(r.src, hiddenText...)
		done = c.to
		r.joined = r.joined || bytes.IndexByte(src[c.from:c.to], '\n') >= 0
	}
	r.src = append(r.src, src[done:]...)
	return r
}

// Range turns a range of the original into one of Bytes. A range that begins inside a
// secret becomes the range of its replacement.
func (r *Source) Range(offset, length int) (int, int) {
	i := sort.Search(len(r.cuts), func(i int) bool { return r.cuts[i].to > offset })
	if i < len(r.cuts) && r.cuts[i].from <= offset {
		return r.at[i], len(hiddenText)
	}
	from := r.moved(offset)
	return from, r.moved(offset+length) - from
}

// Edits turns edits of the original into edits of Bytes. There are none for edits that write a secret
// anew, or that begin or end inside one.
func (r *Source) Edits(edits []adagents.Edit) []adagents.Edit {
	if !r.Hides() {
		return edits
	}
	out := slices.Clone(edits)
	for i := range out {
		e := &out[i]
		for _, c := range r.cuts {
			inside := c.from < e.Start && e.Start < c.to || c.from < e.End && e.End < c.to
			if inside || strings.Contains(e.New, strings.Trim(string(r.original[c.from:c.to]), `"`)) {
				return nil
			}
		}
		from, to := r.moved(e.Start), r.moved(e.End)
		e.Start, e.End = from, to
	}
	return out
}

// moved is the place of an offset; one inside a secret moves behind it.
func (r *Source) moved(offset int) int {
	i := sort.Search(len(r.cuts), func(i int) bool { return r.cuts[i].from >= offset })
	if i == 0 {
		return offset
	}
	return r.at[i-1] + len(hiddenText) + max(offset-r.cuts[i-1].to, 0)
}

// Tells reports whether the source around a place tells the reader anything.
func (r *Source) Tells(offset, length int) bool {
	return len(r.src) > 0 && !unreadable(r.src) && !wholeFile(r.src, offset, length)
}

// farthest is how far into a file its first brace is looked for.
const farthest = 1000

// wholeFile reports whether a finding is about the file as such; the brace it
// begins with tells the reader nothing.
func wholeFile(src []byte, offset, length int) bool {
	if length > 0 || offset >= len(src) || src[offset] != '{' || offset > farthest {
		return false
	}
	return len(bytes.TrimSpace(bytes.TrimPrefix(src[:offset], []byte("\uFEFF")))) == 0
}

// unreadable reports whether a source begins like UTF-16 or UTF-32 or is not text at
// all. Its bytes tell the reader nothing, and secrets are not found among them.
func unreadable(src []byte) bool {
	head := src[:min(len(src), 4)]
	return bytes.IndexByte(head, 0) >= 0 || bytes.HasPrefix(head, []byte("\xff\xfe")) ||
		bytes.HasPrefix(head, []byte("\xfe\xff"))
}
