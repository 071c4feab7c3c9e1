package ops

import (
	"errors"
	"strings"

	"github.com/avow-project/avow/internal/service/registry"
)

// ErrorExtras are members of an error that only some operations know.
type ErrorExtras struct {
	Type     string         `json:"type,omitempty" doc:"entity.parse.failed when the body is not JSON."`
	Field    string         `json:"field,omitempty" doc:"The parameter or member concerned."`
	Line     int            `json:"line,omitzero" doc:"Where in the body, from 1."`
	Column   int            `json:"column,omitzero" doc:"Where in the line, from 1, in characters."`
	Domain   string         `json:"domain,omitempty" doc:"The domain asked about."`
	AgentURL string         `json:"agent_url,omitempty" doc:"The agent asked about."`
	Errors   []finding      `json:"errors,omitempty" doc:"What is wrong with the file that was to be made."`
	Warnings []finding      `json:"warnings,omitempty" doc:"What is doubtful about it."`
	Issues   []RequestIssue `json:"issues,omitempty" doc:"What is wrong with the request, for the operations that tell it this way."`
	// Unknown are the members that are not known.
	Unknown []string `json:"-"`
}

// A RequestIssue is something that is wrong with a request.
type RequestIssue struct {
	Code    string   `json:"code" doc:"A stable word for programs."`
	Path    []string `json:"path" doc:"The member concerned; empty for the whole request."`
	Message string   `json:"message" doc:"What is wrong."`
}

// WithIssues tells what is wrong with an input in the form of Operation.Issues. What has a code of
// its own stays as it is.
func WithIssues(err error) error {
	var shown *registry.Error
	if !errors.As(err, &shown) || shown.Kind != registry.Invalid || !strings.HasPrefix(shown.Code, "request.") {
		return err
	}
	issue := RequestIssue{shown.Code, []string{}, shown.Message}
	extras := ExtrasOf(err)
	if extras.Field != "" {
		issue.Path = append(issue.Path, extras.Field)
	}
	extras.Issues = []RequestIssue{issue}
	told := *shown
	told.Message, told.Explanation = "Invalid request", shown.Message
	return WithExtras(&told, extras)
}

// A failure is an error with more to say.
type failure struct {
	error
	extras ErrorExtras
}

func (f *failure) Unwrap() error { return f.error }

// WithExtras adds members to an error.
func WithExtras(err error, x ErrorExtras) error { return &failure{err, x} }

// ExtrasOf returns what was added to an error.
func ExtrasOf(err error) ErrorExtras {
	var more *failure
	if errors.As(err, &more) {
		return more.extras
	}
	return ErrorExtras{}
}

// invalid is the error of a call that cannot be answered as it is put.
func invalid(code, message, hint string) *registry.Error {
	return &registry.Error{Kind: registry.Invalid, Code: code, Message: message, Hint: hint}
}

// fieldError is the error about one parameter or member.
func fieldError(name, code, message, hint string) error {
	return WithExtras(invalid(code, message, hint), ErrorExtras{Field: name})
}
