package cli

import (
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/custody"
)

// style paints text for a terminal, or leaves it alone. Its arguments must be
// safe already: it only adds around them.
type style struct {
	on bool
}

func (s style) paint(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) bold(text string) string   { return s.paint("1", text) }
func (s style) dim(text string) string    { return s.paint("2", text) }
func (s style) red(text string) string    { return s.paint("1;31", text) }
func (s style) green(text string) string  { return s.paint("1;32", text) }
func (s style) yellow(text string) string { return s.paint("1;33", text) }
func (s style) blue(text string) string   { return s.paint("1;34", text) }

// severity paints text in the colour of a severity.
func (s style) severity(sev adagents.Severity, text string) string {
	switch sev {
	case adagents.Error:
		return s.red(text)
	case adagents.Warning:
		return s.yellow(text)
	default:
		return s.blue(text)
	}
}

// custody paints text in the colour of the severity of an event or a change.
func (s style) custody(sev custody.Severity, text string) string {
	switch sev {
	case custody.Alert:
		return s.red(text)
	case custody.Warning:
		return s.yellow(text)
	default:
		return s.blue(text)
	}
}
