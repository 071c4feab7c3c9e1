package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// JUnit writes the XML that build services read as test results. A
// target is a suite and each rule that has something to say is a test case: it
// fails when a finding is an error and passes with output otherwise, so that
// the build service and the exit code agree.
type JUnit struct {
	W     io.Writer
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

// Target writes one suite of tests.
func (h *JUnit) Target(r *check.Result) error {
	err := h.begin()
	if err != nil {
		return err
	}
	suite := junitSuite{Name: visibleXML(r.Target.Label())}
	switch {
	case r.Err != nil:
		suite.unread("readable", console.AsError(r.Err).Message)
	case r.Verdict() == check.NoFile, r.Verdict() == check.NoAnswer:
		suite.add(r)
		suite.unread("found", AnswerSentence(r.Found))
	default:
		suite.add(r)
	}
	suite.Tests = len(suite.Cases)
	b, err := xml.MarshalIndent(suite, "  ", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(h.W, "%s\n", b)
	return err
}

// Finish ends the document.
func (h *JUnit) Finish(*check.Summary) error {
	err := h.begin()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(h.W, "</testsuites>")
	return err
}

func (h *JUnit) begin() error {
	if h.begun {
		return nil
	}
	h.begun = true
	_, err := fmt.Fprint(h.W, xml.Header, "<testsuites name=\"avow\">\n")
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

// add turns the findings into test cases, one per rule, the rule of the most important
// finding first.
func (s *junitSuite) add(r *check.Result) {
	groups := map[string][]int{}
	var codes []string
	for _, i := range r.Ranked() {
		code := r.Findings[i].Code
		if groups[code] == nil {
			codes = append(codes, code)
		}
		groups[code] = append(groups[code], i)
	}
	for _, code := range codes {
		s.addCase(r, code, groups[code])
	}
	if len(codes) == 0 && r.Valid() {
		s.Cases = []junitCase{{Name: "valid", Classname: s.Name}}
	}
}

func (s *junitSuite) addCase(r *check.Result, code string, which []int) {
	c := junitCase{Name: code, Classname: s.Name}
	var text strings.Builder
	first := -1
	for _, i := range which {
		f := r.Findings[i]
		if first < 0 && f.Severity == adagents.Error && !r.IsKnown(i) {
			first = i
		}
		fmt.Fprintf(&text, "%s %s: %s\n", visibleXML(positionOf(r.Target, f)), f.Severity, visibleXML(f.Message))
		if f.Hint != "" {
			fmt.Fprintf(&text, "  hint: %s\n", visibleXML(f.Hint))
		}
	}
	if first < 0 {
		c.Output = &junitOutput{text.String()}
	} else {
		s.Failures++
		c.Failure = &junitReason{Message: visibleXML(r.Findings[first].Message), Type: code, Text: text.String()}
	}
	s.Cases = append(s.Cases, c)
}

// visibleXML makes outside text fit for an XML report that people read in a
// browser or a build log.
func visibleXML(s string) string { return textsafe.XML(textsafe.Terminal(s)) }
