package monitor

import (
	"maps"
	"slices"

	"github.com/avow-project/avow/internal/translog"
)

// A State is what is remembered of a log.
type State struct {
	// Checkpoint is the signed head that everything since was consistent with, and URL where it
	// came from.
	Checkpoint string `json:"checkpoint"`
	URL        string `json:"url"`
	// Next is the index of the first leaf that was not read, and Number the number of the one
	// before.
	Next   int64 `json:"next"`
	Number int64 `json:"number"`
	// All is the index up to which every leaf was checked, whomever it is about.
	All int64 `json:"all,omitzero"`
	// Ended is the size of a log that has ended; zero for one that has not.
	Ended int64 `json:"ended,omitzero"`
	// Newest are the newest leaves about watched subjects.
	Newest map[string]Newest `json:"newest"`
	// Files are the files that speak for the domains, by the hash of their URL.
	Files map[string]string `json:"files"`
	// Alarms are those that were told and are not over, each with the URL that it is about.
	Alarms []string `json:"alarms"`
}

// A Newest is the newest leaf about a subject.
type Newest struct {
	Index int64  `json:"index"`
	Hash  string `json:"hash"`
}

// noLeaf is for a subject that the log has nothing about.
var noLeaf = Newest{Index: -1}

// An About has the newest leaves about a domain: their indices, -1 for none.
type About struct {
	// Size is how many leaves the log has.
	Size int64
	// Publisher is about the domain itself, and File about the file that speaks for it.
	Publisher, File int64
}

// About returns what the log has about a domain that is watched. It reports false while the log was not read to
// the head that was seen last.
func (s *State) About(domain string) (About, bool) {
	head, err := translog.Read([]byte(s.Checkpoint))
	publisher, known := s.Newest[translog.Publisher(domain).String()]
	if err != nil || head.Size != s.Next || !known {
		return About{}, false
	}
	file := translog.File(wellKnown(domain))
	if s.Files[domain] != "" {
		file.Name = s.Files[domain]
	}
	return About{head.Size, publisher.Index, s.Newest[file.String()].Index}, true
}

func wellKnown(domain string) string { return "https://" + domain + "/.well-known/adagents.json" }

// copied returns a state that can be changed.
func (s *State) copied() *State {
	c := *s
	c.Newest, c.Files, c.Alarms = maps.Clone(s.Newest), maps.Clone(s.Files), slices.Clone(s.Alarms)
	if c.Newest == nil {
		c.Newest = map[string]Newest{}
	}
	if c.Files == nil {
		c.Files = map[string]string{}
	}
	return &c
}

// watched returns the subjects that leaves are told about, with the domains that they concern:
// each publisher, the file at its well-known path, the one that speaks for it, and the log itself.
func (s *State) watched(domains []string) map[string][]string {
	all := map[string][]string{translog.SubjectLog: {}}
	for _, d := range domains {
		add(all, translog.Publisher(d), d)
		add(all, translog.File(wellKnown(d)), d)
		if file := s.Files[d]; file != "" {
			add(all, translog.Subject{Kind: translog.SubjectFile, Name: file}, d)
		}
	}
	return all
}

func add(all map[string][]string, s translog.Subject, domain string) {
	name := s.String()
	if !slices.Contains(all[name], domain) {
		all[name] = append(all[name], domain)
	}
}

// forget drops what is not watched any more: its chain is not followed, and would seem broken
// if it were watched again.
func (s *State) forget(domains []string) {
	maps.DeleteFunc(s.Files, func(d, _ string) bool { return !slices.Contains(domains, d) })
	watched := s.watched(domains)
	maps.DeleteFunc(s.Newest, func(subject string, _ Newest) bool { return watched[subject] == nil })
}
