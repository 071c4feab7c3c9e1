package console

import (
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
)

// Style paints text for a terminal, or leaves it alone. Its arguments must be
// safe already: it only adds around them.
type Style struct {
	on bool
}

func (s Style) paint(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bold paints what a line is about.
func (s Style) Bold(text string) string { return s.paint("1", text) }

// Dim paints what is of less interest.
func (s Style) Dim(text string) string { return s.paint("2", text) }

// Red paints a no or an error.
func (s Style) Red(text string) string { return s.paint("1;31", text) }

// Green paints a yes.
func (s Style) Green(text string) string { return s.paint("1;32", text) }

// Yellow paints what needs a look.
func (s Style) Yellow(text string) string { return s.paint("1;33", text) }

func (s Style) blue(text string) string { return s.paint("1;34", text) }

// Severity paints text in the colour of a severity.
func (s Style) Severity(sev adagents.Severity, text string) string {
	switch sev {
	case adagents.Error, adagents.Alert:
		return s.Red(text)
	case adagents.Warning:
		return s.Yellow(text)
	default:
		return s.blue(text)
	}
}

// Custody paints text in the colour of the severity of an event or a change.
func (s Style) Custody(sev custody.Severity, text string) string {
	switch sev {
	case custody.Alert:
		return s.Red(text)
	case custody.Warning:
		return s.Yellow(text)
	default:
		return s.blue(text)
	}
}
