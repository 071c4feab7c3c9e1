package hostname

// Kind says what is wrong with a host name or URL. Callers branch on it to
// pick the rule they report; people read its String.
type Kind uint8

// The kinds of fault. A name or URL gets the first one found, and the order
// of the checks puts the more telling kind first.
const (
	// Empty is an empty name, or one that is empty once decoration is removed.
	Empty Kind = iota + 1
	// SingleLabel is a name without a dot, which cannot host a publisher file.
	SingleLabel
	// IPLiteral is an address where a name belongs, in any spelling that some
	// resolver reads as an address (127.1, 0x7f.1, 2130706433).
	IPLiteral
	// Wildcard is a name that holds an asterisk.
	Wildcard
	// Underscore is a name with an underscore, legal in DNS but not in host names.
	Underscore
	// Space is white space or an invisible separator.
	Space
	// Control is a control character.
	Control
	// LabelTooLong is a label of more than MaxLabel octets.
	LabelTooLong
	// TooLong is a name of more than MaxName octets.
	TooLong
	// EmptyLabel is two dots in a row, a leading dot, or a second trailing dot.
	EmptyLabel
	// BadCharacter is any other character that host names do not allow.
	BadCharacter
	// Hyphen is a label that starts or ends with a hyphen, or carries one in
	// both third and fourth place without being an A-label.
	Hyphen
	// TopLevel is a last label that no registry could delegate.
	TopLevel
	// Userinfo is a user name or password in front of the host.
	Userinfo
	// Port is a port in a domain, other than the default one of its scheme.
	Port
	// Scheme is a scheme other than http and https in front of a domain.
	Scheme
	// Backslash is a backslash, which parsers disagree about.
	Backslash
	// Percent is percent-encoding in a host name.
	Percent
	// IDNA is a name the internationalised domain name rules refuse.
	IDNA
	// NotAbsolute is a URL without a scheme and authority.
	NotAbsolute
	// NoHost is a URL whose authority names no host.
	NoHost
	// Bracket is an unclosed or misplaced square bracket.
	Bracket
	// BareIPv6 is an IPv6 address without its square brackets.
	BareIPv6
	// BadAddress is a URL host that looks like an IP address and is not a
	// plainly written one.
	BadAddress
	// Zone is an IPv6 address with a zone identifier.
	Zone
	// BadPercent is a percent sign in a path without two hexadecimal digits.
	BadPercent
	// BadPort is a port that is not a number from 1 to 65535.
	BadPort
)

// kindText holds the words for each Kind, phrased to follow a field name.
var kindText = [...]string{
	Empty:        "is empty",
	SingleLabel:  "has no dot",
	IPLiteral:    "is an IP address, not a domain",
	Wildcard:     "contains a wildcard",
	Underscore:   "contains an underscore",
	Space:        "contains white space",
	Control:      "contains a control character",
	LabelTooLong: "has a label longer than 63 octets",
	TooLong:      "is too long",
	EmptyLabel:   "has an empty label",
	BadCharacter: "contains a character not allowed in a host name",
	Hyphen:       "has a misplaced hyphen",
	TopLevel:     "does not end in a possible top-level domain",
	Userinfo:     "contains a user name or password",
	Port:         "contains a port",
	Scheme:       "has a scheme other than http or https",
	Backslash:    "contains a backslash",
	Percent:      "contains percent-encoding",
	IDNA:         "is not a valid internationalised domain name",
	NotAbsolute:  "is not an absolute URL",
	NoHost:       "has no host",
	Bracket:      "has an unmatched square bracket",
	BareIPv6:     "has an IPv6 address without square brackets",
	BadAddress:   "has a malformed IP address",
	Zone:         "has an IPv6 zone identifier",
	BadPercent:   "has a percent sign without two hexadecimal digits",
	BadPort:      "has a port that is not a number from 1 to 65535",
}

// String returns a short lower-case phrase that reads on from the name of the
// faulty value, such as "contains a wildcard".
func (k Kind) String() string {
	if int(k) >= len(kindText) || kindText[k] == "" {
		return "is malformed"
	}
	return kindText[k]
}

// Error is the error of Canonical and CanonicalURL.
type Error struct {
	// Kind is the fault.
	Kind Kind
	// Input is the value as the caller gave it. It is outside text: escape it
	// before showing it. Error leaves it out for that reason.
	Input string
}

// Error returns the text of the Kind alone, so that it is safe to print.
func (e *Error) Error() string {
	return e.Kind.String()
}

// Change is a set of corrections Canonical had to make. Each is worth a
// warning to the author even though the name is usable.
type Change uint16

// The corrections, one bit each.
const (
	// ChangeCase means upper-case letters were folded.
	ChangeCase Change = 1 << iota
	// ChangeTrailingDot means one trailing dot was removed.
	ChangeTrailingDot
	// ChangeScheme means an http or https scheme was removed.
	ChangeScheme
	// ChangeSlash means a single slash after the name was removed.
	ChangeSlash
	// ChangePath means a path, query or fragment was removed.
	ChangePath
	// ChangePort means the default port of the scheme was removed.
	ChangePort
	// ChangeIDN means letters outside ASCII were converted to A-labels.
	ChangeIDN
	// ChangeSpace means white space around the name was removed.
	ChangeSpace
)

// changeText holds the words for each bit of a Change, lowest bit first.
var changeText = [...]string{
	"upper case", "trailing dot", "scheme", "trailing slash", "path",
	"port", "non-ASCII letters", "surrounding space",
}

// Has reports whether c includes every bit of x.
func (c Change) Has(x Change) bool {
	return c&x == x
}

// String names the corrections in a fixed order, separated by commas. It is
// empty for no change.
func (c Change) String() string {
	var text string
	for i, name := range changeText {
		if c&(1<<i) == 0 {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += name
	}
	return text
}
