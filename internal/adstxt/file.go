package adstxt

const (
	// MaxLines is the number of lines a file may have. Real files have some
	// thousand; beyond this a file is not a list that anybody maintains.
	MaxLines = 10_000
	// MaxLine is the number of bytes a line may have, without its end. A host
	// name needs 253.
	MaxLine = 4_000
)

// A File is what an ads.txt file says about managers. The zero value is that of
// an empty file.
type File struct {
	// Managers are the lines that name a manager, in file order. Entries may
	// repeat each other.
	Managers []Manager
	// Ignored are the lines that were probably meant to name a manager and do
	// not, in file order.
	Ignored []Ignored
	// Lines is the number of lines, those beyond MaxLines included.
	Lines int
	// Truncated is set when the file has more than MaxLines lines. Lines beyond were
	// not read, so the last entry is unknown.
	Truncated bool
}

// A Manager is one line that names a manager.
type Manager struct {
	// Domain is in canonical form: lower case, A-labels, no trailing dot.
	Domain string
	// Line counts from 1.
	Line int
	// NoAgents is set when the comment on the line holds the word noagents: the
	// manager is named for sellers of the older kind and not for agents.
	NoAgents bool
}

// An Ignored is a line without effect although it looks as if it had one.
type Ignored struct {
	// Line counts from 1.
	Line int
	// Text is the line as it came, cut at MaxLine bytes. It is outside text:
	// escape it before showing it.
	Text string
	// Reason says why it is ignored.
	Reason Reason
}

// Last returns the entry that decides: the last one without noagents. There is
// none in a truncated file, whose last entry is not known.
func (f *File) Last() (Manager, bool) {
	if f.Truncated {
		return Manager{}, false
	}
	for i := len(f.Managers) - 1; i >= 0; i-- {
		if !f.Managers[i].NoAgents {
			return f.Managers[i], true
		}
	}
	return Manager{}, false
}
