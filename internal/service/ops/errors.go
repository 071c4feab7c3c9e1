package ops

import (
	"errors"

	"github.com/avow-project/avow/internal/service/registry"
)

// ErrorExtras are members of an error that only some operations know.
type ErrorExtras struct {
	Type     string    `json:"type,omitempty" doc:"entity.parse.failed when the body is not JSON."`
	Field    string    `json:"field,omitempty" doc:"The parameter or member concerned."`
	Line     int       `json:"line,omitzero" doc:"Where in the body, from 1."`
	Column   int       `json:"column,omitzero" doc:"Where in the line, from 1, in characters."`
	Domain   string    `json:"domain,omitempty" doc:"The domain asked about."`
	AgentURL string    `json:"agent_url,omitempty" doc:"The agent asked about."`
	Errors   []finding `json:"errors,omitempty" doc:"What is wrong with the file that was to be made."`
	Warnings []finding `json:"warnings,omitempty" doc:"What is doubtful about it."`
	// Unknown are the members that are not known.
	Unknown []string `json:"-"`
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
