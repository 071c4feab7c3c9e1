package vectors

import (
	"fmt"
	"path"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/conformance"
)

// Now returns the time at which every question is asked.
func Now() time.Time { return time.Date(2026, time.June, 1, 12, 0, 0, 0, time.UTC) }

// A Scenario is one vector about discovery.
type Scenario struct {
	// Name is the file's without its ending. The part before the first underscore is
	// the group.
	Name string
	// Summary is the sentence that says what the scenario shows.
	Summary string
	// Archive is the whole file, which describes the internet.
	Archive  []byte
	Question Question
	Want     Want
}

// Group returns the group that a scenario belongs to.
func (s *Scenario) Group() string {
	group, _, _ := strings.Cut(s.Name, "_")
	return group
}

// A Question is what is asked.
type Question struct {
	// Target is a domain as a person would type it, or the URL of a file when
	// File is set.
	Target                       string
	File                         bool
	FollowSuperseded             bool
	IfNoneMatch, IfModifiedSince string
	// Attempts is at least 1, and HopTimeout is more than zero.
	Attempts   int
	HopTimeout time.Duration
}

// A Want is the answer to give.
type Want struct {
	Error                                         string
	Answer, Method                                string
	Found, Valid                                  bool
	URL, ResolvedURL, ManagerDomain, SupersededBy string
	Usable                                        Usable
	Reason                                        string
	// Findings and FileErrors are sets in alphabetical order; FileWarnings is a
	// part of one.
	Findings, FileErrors, FileWarnings []string
	Hops                               []Hop
	Requests, NotLookedUp, NotDialled  []string
}

// Usable counts what can be used of a file.
type Usable struct {
	Agents, Properties int
}

// A Hop is a step with its outcome.
type Hop struct {
	Step, Outcome string
}

// Scenarios returns every scenario, in the order of their names.
func Scenarios() ([]*Scenario, error) { return load("discovery", Parse) }

// load parses every archive of a folder.
func load[T any](folder string, parse func(name string, archive []byte) (T, error)) ([]T, error) {
	entries, err := conformance.Files.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	all := make([]T, 0, len(entries))
	for _, e := range entries {
		archive, err := conformance.Files.ReadFile(path.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		one, err := parse(strings.TrimSuffix(e.Name(), ".txtar"), archive)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// Parse reads a scenario. What it says about the internet is not looked at.
func Parse(name string, archive []byte) (*Scenario, error) {
	a := txtar.Parse(archive)
	s := &Scenario{
		Name: name, Archive: archive,
		Question: Question{Attempts: 1, HopTimeout: 10 * time.Second},
	}
	s.Summary, _, _ = strings.Cut(string(a.Comment), "\n")
	if s.Summary == "" {
		return nil, fmt.Errorf("%s: the first line does not say what the scenario shows", name)
	}
	err := readSections(a, name, s.Question.read, s.Want.read)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// readSections reads the two sections that every archive has.
func readSections(a *txtar.Archive, name string, question, want func(string) error) error {
	for section, read := range map[string]func(string) error{"question": question, "want": want} {
		text, err := only(a, section)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		err = read(text)
		if err != nil {
			return fmt.Errorf("%s: section %s: %w", name, section, err)
		}
	}
	return nil
}

// only returns the text of a section that must be there once.
func only(a *txtar.Archive, section string) (string, error) {
	var found []string
	for _, f := range a.Files {
		if f.Name == section {
			found = append(found, string(f.Data))
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("there are %d sections %s instead of one", len(found), section)
	}
	return found[0], nil
}
