package adagents

import "time"

// A Role says how the file was reached, which changes what it may contain.
type Role uint8

// The roles.
const (
	// Direct: served at the publisher's own well-known path, or not known.
	Direct Role = iota
	// Authoritative: reached through a pointer.
	Authoritative
	// Manager: reached through an ads.txt MANAGERDOMAIN line.
	Manager
	// Mirror: a community mirror of a platform's catalog.
	Mirror
)

// Options tell the check what it cannot know from the bytes. The zero value
// checks a file on its own.
type Options struct {
	Profile Profile
	// Now is the time the file is judged at. The zero time leaves out the
	// rules that compare with the present.
	Now time.Time
	// Domain is the publisher the file is served for, as an A-label host
	// name. Empty leaves out the rules that compare with it.
	Domain string
	// URL is where the file was obtained. Empty leaves out the rules that
	// compare with it.
	URL  string
	Role Role
	// Scopes are the tasks the listed agents may perform, for example
	// "create_media_buy". Any mutating one makes pinned keys mandatory.
	Scopes []string
	// Relationships are the relationships that the operators' brand.json
	// files state, by agent URL.
	Relationships map[string]string
	// MaxBytes limits the size; zero means 20 MiB.
	MaxBytes int
	// MaxValues limits the number of JSON values; zero means 2,000,000.
	MaxValues int
	// MaxFindings limits the findings of one rule that are listed; zero means
	// 10,000. The last one listed says in More how many there are besides.
	// Verdict, counts and usable content do not depend on it.
	MaxFindings int
	// Fixes asks for the fixes of findings.
	Fixes bool

	// comparisons lowers the limit of comparisons of agents' slices, which a short
	// example could not reach. Zero means the default.
	comparisons int
	// longList lowers the number of property_ids from which tags are advised, likewise.
	longList int
	// inferred are the agent entries, in ascending order, whose scope Build worked out.
	inferred []int
}

// A Profile chooses the severities.
type Profile uint8

// The profiles.
const (
	// Default accepts what a newer protocol version may add.
	Default Profile = iota
	// Strict holds the file to the letter of the published schema.
	Strict
)

// String returns "default" or "strict".
func (p Profile) String() string {
	if p == Strict {
		return "strict"
	}
	return "default"
}
