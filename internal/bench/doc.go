// Package bench makes the declaration files that speed, memory and scaling are
// measured on.
//
// Every generator is a pure function of its arguments: the same call gives the
// same bytes on every machine and in every year, so two figures taken months
// apart describe the same input. There are two groups. Files stand for what is
// really published, from an ordinary publisher to the largest file a consumer
// has to accept, and are meant to be free of errors and warnings. Families are
// shaped to hurt an implementation that does more than linear work, and take a
// size so that doubling can be measured.
package bench

// File is one fixed input that resembles a published declaration file.
type File struct {
	// Name is a file name without directory, unique among all inputs.
	Name string
	// Make builds the bytes; the caller owns the result.
	Make func() []byte
	// Domain is the publisher that the file is measured for, as in a request for it.
	// Shared is set when that one only points to the file.
	Domain string
	Shared bool
}

// Files lists the fixed inputs, smallest first.
func Files() []File {
	return []File{
		{Name: "small.json", Make: Small, Domain: "example.com"},
		{Name: "publisher500.json", Make: Publisher500, Domain: "example-media.com"},
		{Name: "network3mb.json", Make: Network3MB, Domain: "example-network.com", Shared: true},
		{Name: "large19mb.json", Make: Large19MB, Domain: "example-exchange.com", Shared: true},
	}
}

// Family is an input that can be made in any size.
type Family struct {
	// Name is a file name without directory, unique among all inputs.
	Name string
	// N is the argument at which the family is usually measured. It is chosen so
	// that a run takes milliseconds, long enough to time and short enough to repeat.
	N int
	// Square is true when the file grows with the square of N. Doubling N then
	// quadruples the bytes, so linear work means four times the time.
	Square bool
	// Make builds the bytes for a size; the caller owns the result.
	Make func(n int) []byte
}

// Families lists the inputs that are used to look for more than linear work.
func Families() []Family {
	return []Family{
		{"large.json", 6000, false, Large},
		{"object_members.json", 50000, false, ObjectMembers},
		{"unknown_members.json", 20000, false, UnknownMembers},
		{"many_findings.json", 10000, false, ManyFindings},
		{"duplicate_ids.json", 10000, false, DuplicateIDs},
		{"many_agents.json", 4000, false, ManyAgents},
		{"hostile_array.json", 20_000_000, false, HostileArray},
		{"deep_nesting.json", 60, false, DeepNesting},
		{"many_domains_selectors.json", 200, false, ManyDomainsSelectors},
		{"tag_matrix.json", 250, true, TagMatrix},
		{"escaped_strings.json", 5000, false, EscapedStrings},
		{"long_string.json", 2_000_000, false, LongString},
		{"distinct_keys.json", 5000, false, DistinctKeys},
		{"international_domains.json", 5000, false, InternationalDomains},
		{"wrong_items.json", 5000, false, WrongItems},
		{"short_entries.json", 20000, false, ShortEntries},
	}
}
