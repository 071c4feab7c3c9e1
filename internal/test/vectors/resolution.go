package vectors

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/tools/txtar"
)

// A Case is one vector about what files say: publishers with their files, a
// question, and the answer to give.
type Case struct {
	// Name is the file's without its ending. The part before the first underscore is
	// the group.
	Name string
	// Summary is the sentence that says what the case shows.
	Summary string
	// Sources say what is known of each publisher. A publisher that is not among
	// them has no file.
	Sources map[string]FileSource
	// Brand is the brand.json of the agent's operator; nil when there is none.
	Brand []byte
	Ask   Ask
	Want  Outcome
}

// Group returns the group that a case belongs to.
func (c *Case) Group() string {
	group, _, _ := strings.Cut(c.Name, "_")
	return group
}

// A FileSource is what is known of a publisher's file.
type FileSource struct {
	// State is absent, unreachable or file.
	State string
	// Method is direct, authoritative_location or ads_txt_managerdomain.
	Method string
	// URL is where the file came from in the end.
	URL string
	// JSON is the file, which may be unusable.
	JSON []byte
	// Held are canonical domains whose revocation still counts although the file does
	// not list them any longer.
	Held []string
	// Replaced: the file names another in superseded_by, which could not be had.
	Replaced bool
	// Mirror is the catalog of a mirror that the reader knows for the publisher, and
	// MirrorURL where it is.
	Mirror    []byte
	MirrorURL string
}

// An Ask is what is asked. Verb says which of the members count.
type Ask struct {
	// Verb is authorize, list, match, canonical, compare, formats, agreement or relationship.
	Verb string
	// Args are the words after the verb.
	Args []string

	Property, IdentifierType, IdentifierValue, PropertyType string
	Placements                                              []string
	// Collections are pairs of publisher domain and collection id.
	Collections     [][2]string
	Signal, Country string
	At              time.Time
	Inline          bool
}

// An Outcome is the answer to give. What is empty is not part of it.
type Outcome struct {
	Error   string
	Verdict string
	// Needs is what the question has to say first. Reasons are codes that must be
	// among those of the answer. Both are in alphabetical order.
	Needs, Reasons []string
	// Entries are the JSON Pointers of the entries that grant what was asked, or
	// would under a condition, in the order of the file.
	Entries []string
	// Placements has the verdict for each placement asked about.
	Placements map[string]string
	Exclusive  []string
	// Properties, Signals and Publishers are the lines of a listing.
	Properties, Signals, Publishers, Diverging []string
	// Match, Canonical, Same, Near, Formats and Agreement answer the other verbs.
	Match     string
	Canonical string
	Same      string
	Near      string
	Formats   []string
	Agreement string
	// Brand says what became of the brand.json, and Relationships has a line for each
	// property that the agent may sell: its id and how the two sides agree.
	Brand         string
	Relationships []string
}

// Cases returns every case, in the order of their names.
func Cases() ([]*Case, error) { return load("resolution", ParseCase) }

// ParseCase reads a case. The files in it are not looked at.
func ParseCase(name string, archive []byte) (*Case, error) {
	a := txtar.Parse(archive)
	c := &Case{Name: name, Ask: Ask{At: Now()}, Sources: map[string]FileSource{}}
	c.Summary, _, _ = strings.Cut(string(a.Comment), "\n")
	if c.Summary == "" {
		return nil, fmt.Errorf("%s: the first line does not say what the case shows", name)
	}
	err := c.readFiles(a)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	err = readSections(a, name, c.Ask.read, c.Want.read)
	if err != nil {
		return nil, err
	}
	return c, nil
}
