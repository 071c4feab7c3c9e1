// Package question reads questions about authorizations from flags, and has the exit codes of
// the answers.
package question

import (
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/question"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/resolve"
)

// Flags are the parts of a question as they are written on the command line.
type Flags struct {
	values map[string]*flagValue
	inline bool
}

// A flagValue collects the texts of a flag. What is wrong with them is found when they are read
// as a question.
type flagValue struct {
	kind  string
	texts []string
}

// String returns the texts.
func (v *flagValue) String() string { return strings.Join(v.texts, " ") }

// Set adds a text.
func (v *flagValue) Set(s string) error {
	v.texts = append(v.texts, s)
	return nil
}

// Type is what the manual shows for the value.
func (v *flagValue) Type() string { return v.kind }

// kinds are the words for values in the manual.
var kinds = map[string]string{
	"agent": "URL", "identifier": "TYPE=VALUE", "property_type": "TYPE",
	"collection": "DOMAIN/ID", "country": "CODE", "at": "TIME",
}

// AddListFlags adds the flags that authorize and resolve have in common. inline says what
// that flag does.
func (f *Flags) AddListFlags(cmd *cobra.Command, inline string) { f.add(cmd, question.Listing, inline) }

// AddFlags adds the flags of a question.
func (f *Flags) AddFlags(cmd *cobra.Command) {
	f.add(cmd, question.Flags, "changes nothing here; see avow resolve")
}

func (f *Flags) add(cmd *cobra.Command, on question.Interface, inline string) {
	f.values = map[string]*flagValue{}
	for _, m := range question.Members(on) {
		if m.Name == "publisher" {
			continue // an argument
		}
		v := &flagValue{kind: kinds[m.Name]}
		if v.kind == "" {
			v.kind = "ID"
		}
		usage := strings.ToLower(m.Doc[:1]) + m.Doc[1:]
		if m.Kind == question.List {
			usage += "; may be repeated"
		}
		name := strings.ReplaceAll(m.Name, "_", "-")
		f.values[name] = v
		cmd.Flags().AddFlag(&pflag.Flag{Name: name, Usage: usage, Value: v})
	}
	cmd.Flags().BoolVar(&f.inline, "inline", false, inline)
}

// Agent returns the agent as it is written; empty when there is none.
func (f *Flags) Agent() string { return f.values["agent"].String() }

// Question turns the flags into a question. now is the time when none is given. One without a
// publisher or an agent is not in canonical form.
func (f *Flags) Question(publisher string, now time.Time) (resolve.Question, error) {
	values := url.Values{}
	if publisher != "" {
		values.Set("publisher", publisher)
	}
	for name, v := range f.values {
		if len(v.texts) > 0 {
			values["--"+name] = v.texts
		}
	}
	r := question.Reader{On: question.Flags, Now: now, Partial: true}
	q, err := r.Values(values)
	q.Inline = f.inline
	return q.Question, Error(err)
}

// Error turns the error of a question that cannot be answered as it is put into
// a usage error, and gives that of one which would take too long its hint.
func Error(err error) error {
	if err == nil {
		return nil // as nearly always
	}
	var written *question.Error
	if errors.As(err, &written) {
		if written.Code == question.Empty && strings.HasPrefix(written.Member, "--") {
			written.Hint += "; or is a variable of your script not set?"
		}
		return console.UsageError(written.Hint, "%s", written.Message)
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
	resolve.NoneAsserted: console.ExitUnknown, resolve.Unverified: console.ExitUnknown,
	resolve.UnusableFile: console.ExitUnknown,
}
