package cli

import (
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/rfc3339"
	"github.com/avow-project/avow/resolve"
)

// questionFlags are the parts of a question as they are written on the command line.
type questionFlags struct {
	agent, property, identifier, propertyType string
	signal, country, at                       string
	placements, collections                   []string
	inline                                    bool
}

// addListFlags adds the flags that authorize and resolve have in common. inline says what
// that flag does.
func (f *questionFlags) addListFlags(cmd *cobra.Command, inline string) {
	flags := cmd.Flags()
	flags.StringVar(&f.agent, "agent", "", "`URL` of the agent's endpoint")
	flags.StringVar(&f.country, "country", "", "`CODE` of the country the ad is shown in, for example DE")
	flags.StringVar(&f.at, "at", "", "the `TIME` asked about, for example 2026-01-02T00:00:00Z, instead of now")
	flags.BoolVar(&f.inline, "inline", false, inline)
}

// addQuestionFlags adds the flags that narrow a question.
func (f *questionFlags) addQuestionFlags(cmd *cobra.Command) {
	f.addListFlags(cmd, "changes nothing here; see avow resolve")
	flags := cmd.Flags()
	flags.StringVar(&f.property, "property", "", "`ID` of the property")
	flags.StringVar(&f.identifier, "identifier", "", "the property as the market names it, `TYPE=VALUE`, for example domain=www.example.com")
	flags.StringVar(&f.propertyType, "property-type", "", "`TYPE` of the property, for example website")
	flags.StringArrayVar(&f.placements, "placement", nil, "`ID` of a placement; may be repeated")
	flags.StringArrayVar(&f.collections, "collection", nil, "a content program as `DOMAIN/ID`; may be repeated, and one that is listed is enough")
	flags.StringVar(&f.signal, "signal", "", "`ID` of a signal, asked about instead of properties")
}

// question turns the flags into a question. now is the time when none is given.
func (f *questionFlags) question(publisher string, now time.Time) (resolve.Question, error) {
	q := resolve.Question{
		Publisher: publisher, Agent: f.agent, Property: f.property, PropertyType: f.propertyType,
		Placements: f.placements, Signal: f.signal, Country: f.country, At: now, Inline: f.inline,
	}
	var err error
	if f.identifier != "" {
		q.Identifier, err = parseIdentifier(f.identifier)
		if err != nil {
			return q, flagFault("identifier", err)
		}
	}
	for _, text := range f.collections {
		c, err := parseCollection(text)
		if err != nil {
			return q, flagFault("collection", err)
		}
		q.Collections = append(q.Collections, c)
	}
	if f.at != "" {
		q.At, err = parseInstant(f.at)
		if err != nil {
			return q, flagFault("at", err)
		}
	}
	return q, nil
}

// flagFault names the flag that a fault is about.
func flagFault(name string, err error) error {
	known := asError(err)
	return usageError(known.hint, "--%s: %s", name, known.msg)
}

// parseIdentifier reads TYPE=VALUE.
func parseIdentifier(text string) (resolve.Identifier, error) {
	kind, value, ok := strings.Cut(text, "=")
	if !ok || kind == "" || value == "" {
		return resolve.Identifier{}, usageError("write TYPE=VALUE, for example domain=www.example.com", "%q is no identifier", text)
	}
	return resolve.Identifier{Type: kind, Value: value}, nil
}

// parseCollection reads DOMAIN/ID. A domain has no slash, an id may.
func parseCollection(text string) (resolve.CollectionRef, error) {
	domain, id, ok := strings.Cut(text, "/")
	if !ok || domain == "" || id == "" {
		return resolve.CollectionRef{}, usageError("write DOMAIN/ID, for example example.com/morning_show", "%q is no collection", text)
	}
	return resolve.CollectionRef{PublisherDomain: domain, ID: id}, nil
}

func parseInstant(text string) (time.Time, error) {
	at, err := rfc3339.Parse(text)
	if err != nil {
		return at, usageError("write it as 2026-01-02T00:00:00Z", "%s: %v", text, err)
	}
	return at, nil
}

// questionFault turns the error of a question that cannot be answered as it is put into
// a usage error, and gives that of one which would take too long its hint.
func questionFault(err error) error {
	var fault *resolve.QuestionError
	if errors.As(err, &fault) {
		return usageError(redact.Credentials(fault.Hint), "%s", redact.Credentials(fault.Error()))
	}
	var limit *resolve.LimitError
	if errors.As(err, &limit) {
		return failure(limit.Hint, "%s", limit.Problem)
	}
	return err
}
