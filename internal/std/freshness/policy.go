package freshness

import "time"

const day = 24 * time.Hour

// A Policy says how long an answer is used for one purpose. Zero for Cap means
// none; where Floor and Cap contradict each other the cap wins, because a floor
// saves requests and a cap limits damage.
type Policy struct {
	// Name is stable and used in logs; Why gives the reason for the values.
	Name, Why string
	// Floor is the shortest lifetime, whatever the origin says.
	Floor time.Duration
	// Cap is the longest, whatever the origin says.
	Cap time.Duration
	// Default is the lifetime when the origin says nothing.
	Default time.Duration
	// MaxAgeOnly means that a date in Expires may shorten the default and never lengthen it:
	// only max-age can.
	MaxAgeOnly bool
}

// The policies, one for each purpose. A file can serve several purposes and is
// then judged once for each.
var (
	// PointerPolicy is for the pointer file at a publisher's well-known path.
	PointerPolicy = Policy{
		Name: "pointer",
		Why: "a pointer hardly ever changes, and the specification has it kept for 24 hours or more; after 7 days " +
			"nothing is trusted without asking",
		Floor:   day,
		Cap:     7 * day,
		Default: day,
	}
	// AuthoritativePolicy is for a file that authorizes agents.
	AuthoritativePolicy = Policy{
		Name:    "authoritative",
		Why:     "a revocation in the file has to be seen within 24 hours, however long the origin lets caches keep it",
		Cap:     day,
		Default: day,
	}
	// KeyPolicy is for the signing keys in such a file.
	KeyPolicy = Policy{
		Name: "keys",
		Why: "a pinned key is used no longer than max-age allows, one hour without one, and never longer than the " +
			"file it is from",
		Cap:        AuthoritativePolicy.Cap,
		Default:    time.Hour,
		MaxAgeOnly: true,
	}
	// DecisionPolicy is for an answer to the question whether an agent is
	// authorized.
	DecisionPolicy = Policy{
		Name:    "decision",
		Why:     "an answer depends on the moment it is given at, and after 5 minutes the question is asked again",
		Cap:     5 * time.Minute,
		Default: 5 * time.Minute,
	}
)
