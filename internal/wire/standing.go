package wire

// A PublisherState says in a word what is known about a publisher. That nothing is known is
// a state of its own: it is never shown as an empty result.
type PublisherState string

// The states.
const (
	// NeverLooked: a caller or a file has named the publisher, and it has not been fetched yet.
	NeverLooked PublisherState = "never"
	// Absent: it was looked at, and never had a file.
	Absent PublisherState = "absent"
	// Failing: it cannot be determined whether it has a file, and nothing that was known
	// before is in effect any more.
	Failing PublisherState = "failing"
	// Unusable: it has a file that must not be used.
	Unusable PublisherState = "unusable"
	// Held: what it publishes now is pending. An earlier version may be in effect.
	Held PublisherState = "held"
	// Fresh: its file is in effect, and was confirmed as often as it has to be.
	Fresh PublisherState = "fresh"
	// Stale: its file is in effect, and should have been confirmed again by now.
	Stale PublisherState = "stale"
	// Gone: it had a file, which was taken away.
	Gone PublisherState = "gone"
	// OptedOut: its owner wants nothing to do with the service, so it is not fetched.
	OptedOut PublisherState = "opted_out"
)

// A StateMeaning is a state with what it means, for people.
type StateMeaning struct {
	State   PublisherState
	Meaning string
}

// PublisherStates are all states, the best first.
var PublisherStates = []StateMeaning{
	{Fresh, "its file is in effect, and was confirmed as often as it has to be"},
	{Stale, "its file is in effect, and should have been confirmed again by now"},
	{Held, "what it publishes now is pending; an earlier version may be in effect"},
	{Unusable, "it has a file that must not be used"},
	{Failing, "it cannot be reached, and nothing that was known before is in effect any more"},
	{Gone, "it had a file, which was taken away"},
	{Absent, "it was looked at, and never had a file"},
	{NeverLooked, "a client has named it, and it has not been checked yet"},
	{OptedOut, "its owner has opted out, so this service does not check it"},
}

// Standing is what is known about a publisher, and since when.
type Standing struct {
	State       PublisherState `json:"state" enum:"fresh,stale,held,unusable,failing,gone,absent,never,opted_out" doc:"What is known about the publisher, in a word."`
	InEffect    bool           `json:"in_effect" doc:"Answers rest on a file of the publisher. Otherwise nothing is known about who may sell for it, which is not a no."`
	Since       *string        `json:"since,omitempty" format:"date-time" doc:"Since when it is in this state, if that is known."`
	ConfirmedAt *string        `json:"confirmed_at,omitempty" format:"date-time" doc:"When the file in effect was last obtained or confirmed."`
	LastLook    *string        `json:"last_look,omitempty" format:"date-time" doc:"When the publisher was last looked at."`
	NextLook    *string        `json:"next_look,omitempty" format:"date-time" doc:"Time of the next check, unless a client asks earlier; absent when no check is planned."`
	Source      *CustodyPlace  `json:"source,omitempty" doc:"Where the file comes from."`
}

// PublisherStanding is a publisher with how it stands.
type PublisherStanding struct {
	PublisherDomain string   `json:"publisher_domain"`
	Standing        Standing `json:"standing"`
}
