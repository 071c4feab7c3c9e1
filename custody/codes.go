package custody

// A Code explains an event or a change. Codes are stable: scripts name them.
type Code struct {
	Code string
	// Severity is the usual one.
	Severity Severity
	Title    string
	// Why says what it means, Fix who can do what.
	Why, Fix string
}

// Codes returns the catalogue of events and changes.
func Codes() []Code { return nil }

func severityOf(code string) Severity { return Info }
