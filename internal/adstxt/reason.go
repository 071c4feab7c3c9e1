package adstxt

// A Reason says why a line is ignored. The text of each is stable and used
// in JSON and logs.
type Reason uint8

// The reasons. A line gets the first one that applies.
const (
	// TooManyLines marks the first line beyond MaxLines, whatever it says.
	TooManyLines Reason = iota + 1
	// Markup: the file is an HTML or XML page, in which no line counts.
	Markup
	// LineTooLong: the line has more than MaxLine bytes.
	LineTooLong
	// OddKey: the key has control characters or characters outside ASCII.
	OddKey
	// NotDirective: the key is not followed by an equals sign.
	NotDirective
	// NoValue: nothing follows the equals sign.
	NoValue
	// CountrySuffix: a country follows the domain. Such an entry is for one
	// country, and agents have no way to ask for one.
	CountrySuffix
	// URLValue: the value has a scheme, a path, a query or user information.
	URLValue
	// PortValue: the value has a port.
	PortValue
	// AddressValue: the value is an IP address in some spelling.
	AddressValue
	// NoDot: the value is a single label, such as localhost.
	NoDot
	// NotHost: the value is not a host name for another reason.
	NotHost
)

// reasonText has the stable name of each reason and a phrase that reads on from
// "the line is ignored: ".
var reasonText = [...]struct{ name, phrase string }{
	0:             {"unknown", "the reason is not known"},
	TooManyLines:  {"too_many_lines", "the file has too many lines to be read"},
	Markup:        {"markup", "the file is a web page"},
	LineTooLong:   {"line_too_long", "the line is too long"},
	OddKey:        {"odd_key", "the key contains invisible or foreign characters"},
	NotDirective:  {"not_a_directive", "the key is not followed by an equals sign"},
	NoValue:       {"no_value", "there is no domain after the equals sign"},
	CountrySuffix: {"country_suffix", "it is limited to one country"},
	URLValue:      {"url", "the value is a URL and not a domain"},
	PortValue:     {"port", "the value contains a port"},
	AddressValue:  {"ip_address", "the value is an IP address and not a domain"},
	NoDot:         {"no_dot", "the value has no dot"},
	NotHost:       {"not_a_host", "the value is not a host name"},
}

// row returns the texts of a reason; those of zero for a value out of range.
func (r Reason) row() struct{ name, phrase string } {
	if int(r) >= len(reasonText) {
		r = 0
	}
	return reasonText[r]
}

// String returns the stable name.
func (r Reason) String() string { return r.row().name }

// MarshalText returns the stable name.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Phrase says the reason in words, to follow a colon.
func (r Reason) Phrase() string { return r.row().phrase }
