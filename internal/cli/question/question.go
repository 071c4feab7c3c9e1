// Package question reads questions about authorizations from flags, and has the exit codes of
// the answers.
package question

import (
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/resolve"
)

// Flags are the parts of a question as they are written on the command line.
type Flags struct {
	Agent, property, identifier, propertyType string
	signal, country, at                       string
	placements, collections                   []string
	inline                                    bool
}

// AddListFlags adds the flags that authorize and resolve have in common. inline says what
// that flag does.
func (f *Flags) AddListFlags(cmd *cobra.Command, inline string) {
	flags := cmd.Flags()
	flags.StringVar(&f.Agent, "agent", "", "`URL` of the agent's endpoint")
	flags.StringVar(&f.country, "country", "", "`CODE` of the country the ad is shown in, for example DE")
	flags.StringVar(&f.at, "at", "", "the `TIME` asked about, for example 2026-01-02T00:00:00Z, instead of now")
	flags.BoolVar(&f.inline, "inline", false, inline)
}

// AddFlags adds the flags that narrow a question.
func (f *Flags) AddFlags(cmd *cobra.Command) {
	f.AddListFlags(cmd, "changes nothing here; see avow resolve")
	flags := cmd.Flags()
	flags.StringVar(&f.property, "property", "", "`ID` of the property")
	flags.StringVar(&f.identifier, "identifier", "", "the property as the market names it, `TYPE=VALUE`, for example domain=www.example.com")
	flags.StringVar(&f.propertyType, "property-type", "", "`TYPE` of the property, for example website")
	flags.StringArrayVar(&f.placements, "placement", nil, "`ID` of a placement; may be repeated")
	flags.StringArrayVar(&f.collections, "collection", nil, "a content program as `DOMAIN/ID`; may be repeated, and one that is listed is enough")
	flags.StringVar(&f.signal, "signal", "", "`ID` of a signal, asked about instead of properties")
}

// Question turns the flags into a question. now is the time when none is given.
func (f *Flags) Question(publisher string, now time.Time) (resolve.Question, error) {
	q := resolve.Question{
		Publisher: publisher, Agent: f.Agent, Property: f.property, PropertyType: f.propertyType,
		Placements: f.placements, Signal: f.signal, Country: f.country, At: now, Inline: f.inline,
	}
	var err error
	if f.identifier != "" {
		q.Identifier, err = ParseIdentifier(f.identifier)
		if err != nil {
			return q, console.FlagError("identifier", err)
		}
	}
	for _, text := range f.collections {
		c, err := ParseCollection(text)
		if err != nil {
			return q, console.FlagError("collection", err)
		}
		q.Collections = append(q.Collections, c)
	}
	if f.at != "" {
		q.At, err = console.ParseInstant(f.at)
		if err != nil {
			return q, console.FlagError("at", err)
		}
	}
	return q, nil
}

// ParseIdentifier reads TYPE=VALUE.
func ParseIdentifier(text string) (resolve.Identifier, error) {
	kind, value, ok := strings.Cut(text, "=")
	if !ok || kind == "" || value == "" {
		return resolve.Identifier{}, console.UsageError("write TYPE=VALUE, for example domain=www.example.com", "%q is no identifier", text)
	}
	return resolve.Identifier{Type: kind, Value: value}, nil
}

// ParseCollection reads DOMAIN/ID. A domain has no slash, an id may.
func ParseCollection(text string) (resolve.CollectionRef, error) {
	domain, id, ok := strings.Cut(text, "/")
	if !ok || domain == "" || id == "" {
		return resolve.CollectionRef{}, console.UsageError("write DOMAIN/ID, for example example.com/morning_show", "%q is no collection", text)
	}
	return resolve.CollectionRef{PublisherDomain: domain, ID: id}, nil
}

// Error turns the error of a question that cannot be answered as it is put into
// a usage error, and gives that of one which would take too long its hint.
func Error(err error) error {
	if err == nil {
		return nil // as nearly always
	}
	var fault *resolve.QuestionError
	if errors.As(err, &fault) {
		return console.UsageError(redact.Credentials(fault.Hint), "%s", redact.Credentials(fault.Error()))
	}
	var limit *resolve.LimitError
	if errors.As(err, &limit) {
		return console.Failure(limit.Hint, "%s", limit.Problem)
	}
	return err
}

// ExitCodes are the exit codes.
var ExitCodes = map[resolve.Verdict]int{
	resolve.Authorized: console.ExitYes, resolve.NotAuthorized: console.ExitNo, resolve.Conditional: console.ExitUnknown,
	resolve.NoneAsserted: console.ExitUnknown, resolve.Unverified: console.ExitUnknown, resolve.UnusableFile: console.ExitUnknown,
}
