package foreign

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/adstxt"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
)

// Text recognises a file that is not JSON.
func Text(src []byte) (Match, bool) {
	src = bytes.TrimSpace(bytes.TrimPrefix(src, []byte("\ufeff")))
	if len(src) == 0 || src[0] == '{' || src[0] == '[' {
		return Match{}, false
	}
	start := strings.ToLower(string(src[:min(len(src), 32)]))
	for _, m := range markup {
		if strings.HasPrefix(start, m.start) {
			return Match{Name: m.name, Why: "it begins with " + m.start}, true
		}
	}
	lines, whole := contentLines(src)
	for _, recognise := range []func([]line) (Match, bool){asAdsTxt, asRobots, asSecurityTxt} {
		if match, ok := recognise(lines); ok {
			if !whole {
				match.Todo = append(match.Todo, "the text was too long to be read to its end")
			}
			return match, true
		}
	}
	return Match{}, false
}

// markup is how documents begin that are written in tags.
var markup = []struct{ start, name string }{
	{"<!doctype html", "a web page"}, {"<html", "a web page"}, {"<head", "a web page"}, {"<body", "a web page"},
	{"<?xml", "an XML document"}, {"<rss", "an XML document"}, {"<svg", "an XML document"},
}

// A line is one that is neither empty nor a comment.
type line struct {
	number int
	text   string // without a comment at its end
}

// contentLines returns the lines of a text that say something, and whether these are all.
func contentLines(src []byte) ([]line, bool) {
	var lines []line
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(src))
	number := 0
	for s := range strings.SplitSeq(text, "\n") {
		number++
		if number > adstxt.MaxLines {
			return lines, false
		}
		s, _, _ = strings.Cut(s[:min(len(s), adstxt.MaxLine)], "#")
		if s = strings.TrimSpace(s); s != "" {
			lines = append(lines, line{number, s})
		}
	}
	return lines, true
}

// mostly reports whether so many lines of a text are enough to tell its format: files that
// people keep by hand have some that are wrong.
func mostly(fit int, lines []line) bool { return fit > 0 && 4*fit >= 3*len(lines) }

// record is a line of ads.txt about a seller.
type record struct {
	line            int
	system, account string
	direct          bool
}

// asRecord reads a line about a seller.
func asRecord(l line) (record, bool) {
	fields := strings.Split(l.text, ",")
	if len(fields) < 3 {
		return record{}, false
	}
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	system, _, err := hostname.Canonical(fields[0])
	kind, _, _ := strings.Cut(strings.ToUpper(fields[2]), ";")
	kind = strings.TrimSpace(kind)
	return record{l.number, system, fields[1], kind == "DIRECT"},
		err == nil && fields[1] != "" && (kind == "DIRECT" || kind == "RESELLER")
}

// variables are the names that ads.txt gives values to.
var variables = []string{"CONTACT", "SUBDOMAIN", "INVENTORYPARTNERDOMAIN", "OWNERDOMAIN", "MANAGERDOMAIN"}

// adsTxt is what an ads.txt says.
type adsTxt struct {
	sellers []record
	values  map[string][]string
	lines   map[string][]int
}

// asAdsTxt recognises ads.txt and app-ads.txt.
func asAdsTxt(lines []line) (Match, bool) {
	a := adsTxt{values: map[string][]string{}, lines: map[string][]int{}}
	fit := 0
	for _, l := range lines {
		name, value, assigned := strings.Cut(l.text, "=")
		name = strings.ToUpper(strings.TrimSpace(name))
		if r, ok := asRecord(l); ok {
			a.sellers = append(a.sellers, r)
			fit++
		} else if assigned && slices.Contains(variables, name) {
			a.values[name] = append(a.values[name], strings.TrimSpace(value))
			a.lines[name] = append(a.lines[name], l.number)
			fit++
		}
	}
	if !mostly(fit, lines) {
		return Match{}, false
	}
	match := Match{Name: "an ads.txt", Home: "/ads.txt", Owner: a.owner(), Todo: a.undecided()}
	if len(a.sellers) > 0 {
		match.Why = fmt.Sprintf("line %d is about a seller", a.sellers[0].line)
		return match, true
	}
	for _, name := range variables {
		if at := a.lines[name]; len(at) > 0 {
			match.Why = fmt.Sprintf("line %d gives a value to %s", at[0], name)
		}
	}
	return match, true
}

// owner returns whom an ads.txt names as the owner.
func (a *adsTxt) owner() Owner {
	var o Owner
	for _, value := range a.values["OWNERDOMAIN"] {
		if o.Domain == "" {
			o.Domain = domain(value)
		}
	}
	for _, value := range a.values["CONTACT"] {
		if address := email(value); address != "" && o.Email == "" {
			o.Email = address
		} else if o.Name == "" && !strings.ContainsAny(value, "@:") && len(value) <= 255 {
			o.Name = value
		}
	}
	return o
}

// mostTodo is how many sellers are listed one by one.
const mostTodo = 100

// undecided returns what has to be decided about managers and sellers.
func (a *adsTxt) undecided() []string {
	var list []string
	for i, value := range a.values["MANAGERDOMAIN"] {
		name, _, _ := strings.Cut(value, ",")
		if manager := domain(strings.TrimSpace(name)); manager != "" {
			list = append(list,
				fmt.Sprintf(
					"ads.txt names %s as manager (line %d): if it keeps an adagents.json for you, serve a pointer to that "+
						"(authoritative_location), or add its agent to authorized_agents",
					manager, a.lines["MANAGERDOMAIN"][i]))
		}
	}
	resellers, direct := 0, 0
	for _, r := range a.sellers {
		if !r.direct {
			resellers++
			continue
		}
		direct++
		if direct <= mostTodo {
			list = append(list,
				fmt.Sprintf(
					"ads.txt lists account %s at %s as DIRECT (line %d): if %s has an agent that may sell your inventory, ask for "+
						"its URL and keys, and add it to authorized_agents",
					clip(r.account), r.system, r.line, r.system))
		}
	}
	if direct > mostTodo {
		list = append(list, fmt.Sprintf("ads.txt has %s more DIRECT lines", words.Thousands(direct-mostTodo)))
	}
	if resellers > 0 {
		list = append(list, "ads.txt has "+words.Plural(resellers, "RESELLER line", "RESELLER lines")+
			", of which nothing was taken over")
	}
	return list
}

// fields counts the lines of the form "name: value" by their names.
func fields(lines []line, known []string) (map[string]int, int) {
	seen, fit := map[string]int{}, 0
	for _, l := range lines {
		name, _, ok := strings.Cut(l.text, ":")
		name = strings.ToLower(strings.TrimSpace(name))
		if ok && slices.Contains(known, name) {
			seen[name]++
			fit++
		}
	}
	return seen, fit
}

// asRobots recognises robots.txt, and ai.txt, which has the same form.
func asRobots(lines []line) (Match, bool) {
	seen, fit := fields(lines, []string{"user-agent", "allow", "disallow", "sitemap", "crawl-delay", "host",
		"content-signal", "license", "noindex", "disallowaitraining"})
	return Match{Name: "a policy for crawlers (robots.txt or ai.txt)", Home: "/robots.txt",
			Why: "it has lines with User-agent and Allow or Disallow"},
		seen["user-agent"] > 0 && seen["allow"]+seen["disallow"]+seen["disallowaitraining"] > 0 && mostly(fit, lines)
}

// asSecurityTxt recognises security.txt.
func asSecurityTxt(lines []line) (Match, bool) {
	seen, fit := fields(lines, []string{"contact", "expires", "encryption", "acknowledgments", "preferred-languages",
		"canonical", "policy", "hiring", "csaf"})
	return Match{Name: "a security.txt", Home: "/.well-known/security.txt", Why: "it has lines with Contact and Expires"},
		seen["contact"] > 0 && seen["expires"] > 0 && mostly(fit, lines)
}
