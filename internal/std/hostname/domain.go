package hostname

import (
	"math/bits"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/avow-project/avow/internal/std/ipclass"
)

// A Domain is a publisher domain, or another registered name, in canonical form: lower-case
// A-labels without a trailing dot. It is made where a name comes in, from a request, a flag
// or a file, and of a record that has one; its receivers need not check it again.
type Domain string

// ParseDomain returns the domain written in s, with the corrections of Canonical.
func ParseDomain(s string) (Domain, error) {
	name, _, err := Canonical(s)
	return Domain(name), err
}

const (
	// MaxName is the longest host name DNS can carry in text, without its
	// trailing dot.
	MaxName = 253
	// MaxLabel is the longest label DNS can carry.
	MaxLabel = 63

	// maxUnicodeName bounds what is handed to the IDNA mapper, whose work
	// grows faster than its input. No name within MaxName needs this much: an
	// A-label has at least one octet per letter, and a letter at most four.
	maxUnicodeName = 4 * MaxName
)

// lookupProfile maps names as a browser would for lookup, but with every check
// of UTS 46 on: a name that only some resolvers accept must not be a match.
var lookupProfile = idna.New(
	idna.MapForLookup(),
	idna.Transitional(false),
	idna.StrictDomainName(true),
	idna.CheckHyphens(true),
	idna.CheckJoiners(true),
	idna.BidiRule(),
)

// Canonical returns the publisher domain written in s as lower-case A-labels
// without a trailing dot, and the set of corrections that took.
//
// It corrects what leaves no doubt about the domain meant: case, one trailing
// dot, surrounding white space, an http or https scheme, a default port,
// whatever follows the name, and letters outside ASCII. Everything else is an
// *Error. A name that is already canonical comes back as it is, at no cost.
func Canonical(s string) (string, Change, error) {
	if scan(s) == shapePlain {
		return s, 0, nil
	}
	name, change, kind := canonical(s)
	if kind != 0 {
		return "", change, &Error{Kind: kind, Input: s}
	}
	return name, change, nil
}

// IsCanonical reports whether Canonical would return s unchanged and without
// error.
func IsCanonical(s string) bool {
	switch scan(s) {
	case shapePlain:
		return true
	case shapeEncoded:
		return encodedFault(s) == 0
	default:
		return false
	}
}

// shape is what a single pass over a name can tell about it.
type shape uint8

const (
	// shapeOther is anything that needs correction or is an error.
	shapeOther shape = iota
	// shapePlain is a canonical name that IDNA has no say in.
	shapePlain
	// shapeEncoded looks canonical, but has a label with hyphens in third and
	// fourth place that IDNA must judge.
	shapeEncoded
)

// Classes of octets in a canonical name.
const (
	classLetter = iota + 1
	classDigit
	classHyphen
	classDot
)

// classes maps an octet to its class, zero for octets outside canonical names.
var classes = func() [256]uint8 {
	var t [256]uint8
	for c := 'a'; c <= 'z'; c++ {
		t[c] = classLetter
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = classDigit
	}
	t['-'] = classHyphen
	t['.'] = classDot
	return t
}()

// scan classifies s in one pass without allocating. Nearly every name in a
// file is plain, so this is all the work most names get.
func scan(s string) shape {
	if plain(s) {
		return shapePlain
	}
	return scanOctets(s)
}

// scanOctets is scan for names that are not seen to be plain at once.
func scanOctets(s string) shape {
	if len(s) > MaxName {
		return shapeOther
	}
	start, notLetter, encoded := 0, -1, false
	for i := range len(s) {
		switch classes[s[i]] {
		case classLetter:
		case classDigit, classHyphen:
			notLetter = i
		case classDot:
			if !labelOK(s[start:i]) {
				return shapeOther
			}
			encoded = encoded || hyphens34(s[start:i])
			start = i + 1
		default:
			return shapeOther
		}
	}
	last := s[start:]
	if start == 0 || !labelOK(last) {
		return shapeOther
	}
	if notLetter >= start && !strings.HasPrefix(last, "xn--") {
		return shapeOther
	}
	if encoded || hyphens34(last) {
		return shapeEncoded
	}
	return shapePlain
}

// labelOK checks the length and the hyphens at both ends of a label.
func labelOK(label string) bool {
	n := len(label)
	return n > 0 && n <= MaxLabel && label[0] != '-' && label[n-1] != '-'
}

// hyphens34 reports whether a label has hyphens in third and fourth place, as
// A-labels do.
func hyphens34(label string) bool {
	return len(label) >= 4 && label[2] == '-' && label[3] == '-'
}

// canonical is Canonical for names that are not plain. It returns a Kind of
// zero on success.
func canonical(s string) (string, Change, Kind) {
	var change Change
	text := strings.TrimFunc(s, unicode.IsSpace)
	if len(text) != len(s) {
		change |= ChangeSpace
	}
	kind := textFault(text)
	if kind != 0 {
		return "", change, kind
	}
	host, cut, kind := undecorate(text)
	change |= cut
	if kind != 0 {
		return "", change, kind
	}
	if hasUpper(host) {
		change |= ChangeCase
	}
	if !isASCII(host) {
		change |= ChangeIDN
	}
	name, dot, kind := asciiName(host, false)
	if dot {
		change |= ChangeTrailingDot
	}
	if kind != 0 {
		return "", change, kind
	}
	kind = domainFault(name)
	if kind != 0 {
		return "", change, kind
	}
	return name, change, 0
}

// textFault looks for characters that have no place anywhere in a domain or
// URL, because parsers disagree about where they end one.
func textFault(s string) Kind {
	for i := 0; i < len(s); {
		c := s[i]
		if c > ' ' && c < 0x7f && c != '\\' {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			return asciiFault(c)
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return BadCharacter
		case unicode.IsSpace(r):
			return Space
		case unicode.IsControl(r):
			return Control
		}
		i += size
	}
	return 0
}

// asciiFault names what is wrong with a faulty ASCII character.
func asciiFault(c byte) Kind {
	switch {
	case c == ' ' || c >= '\t' && c <= '\r':
		return Space
	case c == '\\':
		return Backslash
	default:
		return Control
	}
}

// undecorate strips the scheme, the default port and everything after the
// authority from a domain written like a URL.
func undecorate(text string) (string, Change, Kind) {
	var change Change
	port := "443"
	scheme, rest, found := strings.Cut(text, "://")
	if found && !strings.ContainsAny(scheme, "/?#@") {
		switch {
		case strings.EqualFold(scheme, "http"):
			port = "80"
		case !strings.EqualFold(scheme, "https"):
			return "", 0, Scheme
		}
		change, text = ChangeScheme, rest
	}
	host := text
	end := strings.IndexAny(text, "/?#")
	if end >= 0 {
		host = text[:end]
		change |= tailChange(text[end:])
	}
	host, cut, kind := cutPort(host, port)
	return host, change | cut, kind
}

// tailChange tells a lone slash, which is harmless, from a longer tail.
func tailChange(tail string) Change {
	if tail == "/" {
		return ChangeSlash
	}
	return ChangePath
}

// cutPort splits the authority of a domain written like a URL. Only the
// default port may go: any other names a different service.
func cutPort(authority, standard string) (string, Change, Kind) {
	if strings.Contains(authority, "@") {
		return "", 0, Userinfo
	}
	if strings.HasPrefix(authority, "[") || isIPv6(authority) {
		return "", 0, IPLiteral
	}
	host, port, found := strings.Cut(authority, ":")
	if !found {
		return host, 0, 0
	}
	if port != "" && port != standard {
		return "", 0, Port
	}
	return host, ChangePort, 0
}

// isIPv6 reports whether s is an IPv6 address without brackets.
func isIPv6(s string) bool {
	if strings.IndexByte(s, ':') < 0 {
		return false // the usual case, without the error that the parser would make
	}
	addr, err := netip.ParseAddr(s)
	return err == nil && addr.Is6()
}

// domainFault applies what publisher domains must satisfy beyond host names:
// they are registered names, with a top-level domain, and not addresses.
func domainFault(name string) Kind {
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case numeric(last):
		return IPLiteral
	case len(last) == len(name):
		return SingleLabel
	case strings.HasPrefix(last, "xn--"):
		return 0
	case strings.ContainsAny(last, "-0123456789"):
		return TopLevel
	}
	return 0
}

// numeric reports whether a label is a number to a lenient address parser,
// decimal, octal or hexadecimal. A name that ends in one is an address to some
// resolver, whatever comes before it.
func numeric(label string) bool {
	if strings.HasPrefix(label, "0x") {
		return strings.Trim(label[2:], "0123456789abcdef") == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}

// hasUpper reports whether s has an upper-case ASCII letter.
func hasUpper(s string) bool {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			return true
		}
	}
	return false
}

// isASCII reports whether s has no octet beyond ASCII.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// ReservedAddr reports whether an address is unusable for a public service:
// loopback, private, documentation and the like. An IPv4 address mapped into
// IPv6 is judged as the IPv4 address, and the zero Addr is reserved.
func ReservedAddr(addr netip.Addr) bool { return ipclass.Of(addr).Reserved() }

// Eight octets in one number, the first in the lowest place.
const (
	ones = 0x0101010101010101
	tops = 0x80 * ones // the highest bit of each octet
)

// plain reports that a name is plain, if that can be seen from eight octets at a time:
// it has 8 to 63 of them and nowhere two dots or hyphens in a row. A file may have
// hundreds of thousands of names, and nearly all are like that.
func plain(s string) bool {
	if len(s) < 8 || len(s) > MaxLabel {
		return false
	}
	lastDot, lastOther, before := -1, 0, uint64(0x80) // as if there was a dot before the name
	for at := 0; at < len(s); at += 8 {
		x := octets(s, at)
		if x&tops != 0 {
			return false
		}
		beyond := from(x, '.'+1)
		dots := from(x, '.') &^ beyond & tops
		marks := from(x, '-') &^ beyond & tops // dots and hyphens
		letters := from(x, 'a') &^ from(x, 'z'+1) & tops
		digits := from(x, '0') &^ from(x, '9'+1) & tops
		if letters|digits|marks != tops || marks&(marks<<8|before) != 0 {
			return false
		}
		before = marks >> 56
		if dots != 0 {
			lastDot = at + bits.Len64(dots)/8
		}
		if letters|dots != tops {
			lastOther = at + bits.Len64(^(letters|dots)&tops)/8
		}
	}
	return lastDot > lastOther && lastDot < len(s)
}

// octets returns up to eight octets of a name of at least so many, from a place on.
// Behind its end there are letters.
func octets(s string, at int) uint64 {
	if at+8 <= len(s) {
		return eight(s[at:])
	}
	missing := at + 8 - len(s)
	return eight(s[len(s)-8:])>>(8*missing&63) | 'a'*ones&^(1<<((64-8*missing)&63)-1)
}

// eight returns the first eight octets of s. The compiler makes one load of it.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// from sets the highest bit of the octets of x, all of them ASCII, that are not below
// one, and of no others. The other bits mean nothing.
func from(x, least uint64) uint64 { return x + (0x80-least)*ones }
