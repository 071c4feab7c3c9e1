package cli

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// junitHandler writes the XML that build services read as test results. A
// target is a suite and each rule that has something to say is a test case: it
// fails when a finding is an error and passes with output otherwise, so that
// the build service and the exit code agree.
type junitHandler struct {
	w     io.Writer
	begun bool
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string       `xml:"name,attr"`
	Classname string       `xml:"classname,attr"`
	Failure   *junitReason `xml:"failure"`
	Error     *junitReason `xml:"error"`
	Output    *junitOutput `xml:"system-out"`
}

type junitReason struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

type junitOutput struct {
	Text string `xml:",cdata"`
}

func (h *junitHandler) target(r *result) error {
	err := h.begin()
	if err != nil {
		return err
	}
	suite := junitSuite{Name: visibleXML(r.target.label())}
	switch {
	case r.err != nil:
		suite.unread("readable", asError(r.err).msg)
	case r.verdict() == noFile, r.verdict() == noAnswer:
		suite.add(r)
		suite.unread("found", answerSentence(r.found))
	default:
		suite.add(r)
	}
	suite.Tests = len(suite.Cases)
	b, err := xml.MarshalIndent(suite, "  ", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(h.w, "%s\n", b)
	return err
}

func (h *junitHandler) finish(*tally) error {
	err := h.begin()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(h.w, "</testsuites>")
	return err
}

func (h *junitHandler) begin() error {
	if h.begun {
		return nil
	}
	h.begun = true
	_, err := fmt.Fprint(h.w, xml.Header, "<testsuites name=\"avow\">\n")
	return err
}

// unread adds the case that says why there is no answer.
func (s *junitSuite) unread(name, message string) {
	s.Errors = 1
	s.Cases = append(s.Cases, junitCase{
		Name: name, Classname: s.Name,
		Error: &junitReason{Message: visibleXML(message), Type: "unreadable"},
	})
}

// add turns the findings into test cases, one per rule in the order of first
// appearance.
func (s *junitSuite) add(r *result) {
	groups := map[string][]int{}
	var codes []string
	for _, i := range r.shown {
		code := r.findings[i].Code
		if groups[code] == nil {
			codes = append(codes, code)
		}
		groups[code] = append(groups[code], i)
	}
	for _, code := range codes {
		s.addCase(r, code, groups[code])
	}
	if len(codes) == 0 && r.valid() {
		s.Cases = []junitCase{{Name: "valid", Classname: s.Name}}
	}
}

func (s *junitSuite) addCase(r *result, code string, which []int) {
	c := junitCase{Name: code, Classname: s.Name}
	var text strings.Builder
	first := -1
	for _, i := range which {
		f := r.findings[i]
		if first < 0 && f.Severity == adagents.Error && !r.isKnown(i) {
			first = i
		}
		fmt.Fprintf(&text, "%s %s: %s\n", visibleXML(placeOf(r.target, f)), f.Severity, visibleXML(f.Message))
		if f.Hint != "" {
			fmt.Fprintf(&text, "  hint: %s\n", visibleXML(f.Hint))
		}
	}
	if first < 0 {
		c.Output = &junitOutput{text.String()}
	} else {
		s.Failures++
		c.Failure = &junitReason{Message: visibleXML(r.findings[first].Message), Type: code, Text: text.String()}
	}
	s.Cases = append(s.Cases, c)
}

// visibleXML makes outside text fit for an XML report that people read in a
// browser or a build log.
func visibleXML(s string) string { return textsafe.XML(textsafe.Terminal(s)) }
