package fakeweb

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// A ParseError says where an archive is wrong.
type ParseError struct {
	// Line counts from 1 at the beginning of the archive.
	Line int
	// Section is the name between the dashes.
	Section string
	// Err says what is wrong there.
	Err error
}

// Error names the line, the section and the problem.
func (e *ParseError) Error() string {
	return fmt.Sprintf("line %d, section %q: %v", e.Line, e.Section, e.Err)
}

// Unwrap returns the problem without its place.
func (e *ParseError) Unwrap() error { return e.Err }

// A section is a file of the archive with the line of its first line of text.
type section struct {
	name string
	text []byte
	line int
}

func (s section) errorf(line int, format string, args ...any) error {
	return &ParseError{Line: line, Section: s.name, Err: fmt.Errorf(format, args...)}
}

// Parse reads an archive in the format described in the package comment. Its
// error is a *ParseError.
func Parse(archive []byte) (*Spec, error) {
	p := &parser{
		spec: &Spec{origins: map[string]*origin{}, names: map[string]*name{}},
		once: map[string]bool{},
	}
	for _, s := range sections(archive) {
		err := p.section(s)
		if err != nil {
			return nil, err
		}
	}
	err := p.checkHosts()
	if err != nil {
		return nil, err
	}
	p.finish()
	p.spec.index()
	return p.spec, nil
}

// sections splits an archive and counts lines, which txtar does not.
func sections(archive []byte) []section {
	a := txtar.Parse(archive)
	line := 1 + bytes.Count(a.Comment, []byte("\n"))
	var all []section
	for _, f := range a.Files {
		line++
		all = append(all, section{f.Name, f.Data, line})
		line += bytes.Count(f.Data, []byte("\n"))
	}
	return all
}

// A parser collects what the sections say.
type parser struct {
	spec *Spec
	once map[string]bool // dns and tls sections seen
	// order lists the hosts as they appear, so that addresses given to them do
	// not change from run to run.
	order   []string
	answers []placed
}

// placed is an answer with its section, for checks that need the whole host.
type placed struct {
	section section
	origin  *origin
	answer  *answer
}

func (p *parser) section(s section) error {
	switch {
	case s.name == "dns" || s.name == "tls":
		if p.once[s.name] {
			return s.errorf(s.line-1, "there is already a section of this name")
		}
		p.once[s.name] = true
		if s.name == "dns" {
			return p.eachLine(s, p.dnsLine)
		}
		return p.eachLine(s, p.tlsLine)
	case strings.HasPrefix(s.name, "http://") || strings.Contains(s.name, " http://"):
		return s.errorf(s.line-1, "only https is served; the fault http answers in the clear")
	case strings.HasPrefix(s.name, "https:") || strings.Contains(s.name, " https://"):
		return p.answer(s)
	}
	return nil
}

// eachLine calls f with the words of every line that is not empty or a comment.
func (p *parser) eachLine(s section, f func(words []string) error) error {
	line := s.line - 1
	for text := range strings.Lines(string(s.text)) {
		line++
		text, _, _ = strings.Cut(text, "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		err := f(words)
		if err != nil {
			return s.errorf(line, "%w", err)
		}
	}
	return nil
}

// origin returns the host, new if need be.
func (p *parser) origin(host string) *origin {
	o := p.spec.origins[host]
	if o == nil {
		o = &origin{host: host, routes: map[route][]*answer{}}
		p.spec.origins[host] = o
		p.order = append(p.order, host)
	}
	return o
}

// answer reads a section that is named by a URL.
func (p *parser) answer(s section) error {
	method, host, r, err := parseName(s.name)
	if err != nil {
		return s.errorf(s.line-1, "%w", err)
	}
	a, line, err := parseAnswer(s)
	if err != nil {
		return s.errorf(line, "%w", err)
	}
	r.method = method
	o := p.origin(host)
	if !slices.Contains(o.ports, r.port) {
		o.ports = append(o.ports, r.port)
	}
	o.routes[r] = append(o.routes[r], a)
	o.h2 = o.h2 || a.h2
	if a.http && o.plain == nil {
		o.plain = a
	}
	p.answers = append(p.answers, placed{s, o, a})
	return nil
}

// parseName takes the name of a section apart.
func parseName(name string) (string, string, route, error) {
	method, raw, ok := strings.Cut(name, " ")
	if !ok {
		method, raw = "", name
	}
	if strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return "", "", route{}, fmt.Errorf("%q is not a method", method)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return "", "", route{}, errors.New("not a URL")
	}
	if u.Scheme != "https" || u.User != nil || u.Fragment != "" || u.Opaque != "" {
		return "", "", route{}, errors.New("the URL must be https://host[:port]/path[?query]")
	}
	host := u.Hostname()
	err = checkName(host)
	if err != nil {
		return "", "", route{}, err
	}
	port, err := parsePort(u.Port())
	if err != nil {
		return "", "", route{}, err
	}
	return method, host, route{port: port, target: target(raw)}, nil
}

// target is what a client sends as the target of a request for the URL. It is
// cut out of the text, so that an odd spelling stays as it was written.
func target(raw string) string {
	_, rest, _ := strings.Cut(raw, "//")
	i := strings.IndexAny(rest, "/?")
	if i < 0 {
		return "/"
	}
	if rest[i] == '?' {
		return "/" + rest[i:]
	}
	return rest[i:]
}

func parsePort(text string) (uint16, error) {
	if text == "" {
		return httpsPort, nil
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%q is not a port", text)
	}
	return uint16(n), nil
}

// checkName accepts host names in the form in which they are looked up. It is
// wider than what a publisher may have: tests need bad names too.
func checkName(host string) error {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-_."
	bad := host == "" || len(host) > 253 || strings.Trim(host, letters) != ""
	for label := range strings.SplitSeq(host, ".") {
		bad = bad || label == "" || len(label) > 63
	}
	if bad {
		return fmt.Errorf("%q is not a host name in lower case, with xn-- for other alphabets", host)
	}
	return nil
}

// checkHosts applies the rules that concern all sections of a host.
func (p *parser) checkHosts() error {
	for _, at := range p.answers {
		err := at.answer.checkOn(at.origin)
		if err != nil {
			return at.section.errorf(at.section.line, "%w", err)
		}
	}
	return nil
}

// finish fills in what follows from all sections together: the answer of hosts
// that do not speak TLS, the port of those without a URL section, and a public
// address for those without a dns line.
func (p *parser) finish() {
	used := map[netip.Addr]bool{}
	for _, n := range p.spec.names {
		for _, r := range n.replies {
			for _, a := range r.addrs {
				used[a] = true
			}
		}
	}
	next := netip.AddrFrom4([4]byte{45, 60, 0, 1})
	for _, host := range p.order {
		o := p.spec.origins[host]
		if o.tls.hello == helloPlain {
			o.plain = plainAnswer(http.StatusBadRequest)
		}
		if len(o.ports) == 0 {
			o.ports = []uint16{httpsPort}
		}
		if p.spec.names[host] != nil {
			continue
		}
		for used[next] {
			next = next.Next()
		}
		p.spec.names[host] = &name{replies: []reply{{addrs: []netip.Addr{next}}}}
		next = next.Next()
	}
}
