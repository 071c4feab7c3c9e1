package hostname

// A Domain is a publisher domain, or another registered name, in canonical form: lower-case
// A-labels without a trailing dot. It is made where a name comes in, from a request, a flag
// or a file, and of a record that has one; its receivers need not check it again.
type Domain string

// ParseDomain returns the domain written in s, with the corrections of Canonical.
func ParseDomain(s string) (Domain, error) {
	name, _, err := Canonical(s)
	return Domain(name), err
}
