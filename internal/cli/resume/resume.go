// Package resume keeps in a file what a run over a list has done, so that a run that was ended
// goes on where it was: what is finished is not asked again, and what was written is not written
// again, unless in another format.
//
// The file is a line about the run and a line for each target that is finished, each written at
// once. What a process that was killed has left of a line is cut off.
package resume

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/filelock"
	"github.com/avow-project/avow/internal/std/words"
)

// Help is what the help of a command says about the flag.
const Help = `--resume STATE records progress in the file STATE. If the run ends early, run the same
command again to continue: targets that are done are not checked again, and their results not
written again, so append to the output of the first run (>>). A killed process may repeat the
one result that it was writing; with -o FILE every result is there once, when all are done.
With another --format, the results so far are written in that format first. A state of
another list or of other options is refused. Remove the file to start over.`

// version is the version of the file's format.
const version = 1

// without are the flags that may differ when a run goes on: they do not change what is written.
var without = []string{"resume", "format", "output", "from", "column", "verbose", "timeout", "contact", "proxy",
	"color", "force"}

// A Flag is the flag --resume.
type Flag struct {
	Path string
	// free are further flags that may differ: what they change is made of the notes in the end.
	free []string
}

// AddFlag adds it to a command. free are the flags that decide only how what was found is written.
func AddFlag(cmd *cobra.Command, free ...string) *Flag {
	f := &Flag{free: free}
	cmd.Flags().StringVar(&f.Path, "resume", "", "note in the file `STATE` what is finished, and go on from there")
	return f
}

// A header says which run a state is of.
type header struct {
	Version int    `json:"avow_state"`
	Command string `json:"command"`
	// Options are the flags that were given, and what else decides about the results.
	Options map[string]string `json:"options"`
	Targets int               `json:"targets"`
	List    string            `json:"list"` // hash of the names of the targets
}

// A record is a target that is finished. One without a target says that all before it are written.
type record struct {
	Target string         `json:"target,omitempty"`
	Note   jsontext.Value `json:"note,omitempty"`
	// Texts are what there is to write about the target, by format.
	Texts map[string][]byte `json:"texts,omitempty"`
	// Written is the format in which that was written at once.
	Written string `json:"written,omitempty"`
}

// A State is what a run has done. The nil State is that of a run without one.
type State struct {
	path  string
	file  *os.File
	taken bool // no other run uses the file
	done  map[string]bool
	// notes are what was noted about the targets that an earlier run has finished.
	notes []jsontext.Value
	// written is how many of them were written, by format.
	written map[string]int
	total   int
}

// Open opens the state of a run over targets, or begins one. others are what decides about the
// results besides the flags, by name. Without the flag the state is nil.
func (f *Flag) Open(a *console.App, cmd *cobra.Command, targets []string, others map[string]string) (*State, error) {
	if f.Path == "" {
		return nil, nil
	}
	want := headerOf(cmd, f.free, targets, others)
	s := &State{path: f.Path, done: make(map[string]bool), written: make(map[string]int), total: len(targets)}
	err := s.begin(want)
	if errors.Is(err, filelock.ErrTaken) {
		return nil, errors.Join(console.Failure("wait for it, or name another state", "another run uses %s", f.Path),
			s.file.Close())
	}
	if err != nil {
		return nil, console.Failure("", "cannot use %s: %s", f.Path, console.Reason(err))
	}
	err = s.load(want)
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	if n := len(s.done); n > 0 && n < s.total {
		a.Note("%s: %s of %s are done; going on with the others", f.Path, words.Thousands(n), words.Thousands(s.total))
	} else if n > 0 {
		a.Note("%s: all targets are done; remove the file to start over", f.Path)
	}
	return s, nil
}

func headerOf(cmd *cobra.Command, free, targets []string, others map[string]string) *header {
	h := &header{Version: version, Command: cmd.Name(), Options: map[string]string{}, Targets: len(targets)}
	sum := sha256.New()
	for _, name := range targets {
		_, _ = io.WriteString(sum, name+"\n") // a hash takes everything
	}
	h.List = hex.EncodeToString(sum.Sum(nil))
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(without, flag.Name) && !slices.Contains(free, flag.Name) {
			h.Options["--"+flag.Name] = flag.Value.String()
		}
	})
	for name, value := range others {
		h.Options[name] = value
	}
	return h
}

// begin opens the file for this run alone, and begins one that is new or empty.
func (s *State) begin(h *header) error {
	info, err := os.Stat(s.path)
	if err == nil && !info.Mode().IsRegular() {
		return errors.New("it is not a regular file")
	}
	s.file, err = os.OpenFile(s.path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	err = filelock.Take(s.file)
	if errors.Is(err, filelock.ErrTaken) {
		return err
	}
	s.taken = err == nil // without locks in the file system, go on
	info, err = s.file.Stat()
	if err != nil || info.Size() > 0 {
		return err
	}
	line, err := json.Marshal(h, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	_, err = s.file.Write(append(line, '\n'))
	if err == nil {
		_, err = s.file.Seek(0, io.SeekStart)
	}
	return err
}

// load reads the file, and cuts off what is left of a last line.
func (s *State) load(want *header) error {
	in := bufio.NewReaderSize(s.file, 64<<10)
	whole := int64(0)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		switch {
		case errors.Is(err, io.EOF) && number > 1:
			if len(line) > 0 {
				err = s.file.Truncate(whole)
				if err != nil {
					return console.Failure("", "cannot write %s: %s", s.path, console.Reason(err))
				}
			}
			return nil
		case err != nil && !errors.Is(err, io.EOF):
			return console.Failure("", "cannot read %s: %s", s.path, console.Reason(err))
		}
		if number == 1 {
			err = s.compare(line, want)
		} else {
			err = s.read(line, number)
		}
		if err != nil {
			return err
		}
		whole += int64(len(line))
	}
}

// compare refuses the state of another run.
func (s *State) compare(line []byte, want *header) error {
	var got header
	err := json.Unmarshal(line, &got)
	if err != nil || got.Version == 0 {
		return console.UsageError("name another file; this one is left as it is", "%s is not a --resume state file", s.path)
	}
	const hint = "repeat the command of the first run, or remove the file to begin again"
	switch {
	case got.Version != version:
		return console.UsageError("remove the file to begin again", "%s is of another version of avow", s.path)
	case got.Command != want.Command:
		return console.UsageError(hint, "%s is the state of avow %s, and this is avow %s", s.path, got.Command, want.Command)
	case got.List != want.List:
		return console.UsageError(hint, "%s is the state of another list: that one had %s, this one has %s", s.path,
			words.Plural(got.Targets, "target", "targets"), words.Thousands(want.Targets))
	}
	for _, name := range optionNames(got.Options, want.Options) {
		was, had := got.Options[name]
		is, has := want.Options[name]
		if was != is || had != has {
			return console.UsageError(hint, "%s is the state of a run with other options: %s, now %s", s.path,
				optionWords(name, was, had), optionWords(name, is, has))
		}
	}
	return nil
}

// optionNames are the names of both, sorted.
func optionNames(maps ...map[string]string) []string {
	var names []string
	for _, m := range maps {
		for name := range m {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func optionWords(name, value string, given bool) string {
	switch {
	case !given:
		return "without " + name
	case !strings.HasPrefix(name, "-"):
		return "another " + name
	}
	return name + " " + value
}

// read takes note of a target that is finished.
func (s *State) read(line []byte, number int) error {
	var r struct { // the texts are read when they are written
		Target  string         `json:"target"`
		Note    jsontext.Value `json:"note"`
		Written string         `json:"written"`
	}
	err := json.Unmarshal(line, &r)
	if err != nil || r.Target == "" && r.Written == "" {
		return console.Failure("remove it to begin again", "%s is damaged in line %d", s.path, number)
	}
	if r.Target != "" {
		s.done[r.Target] = true
		s.notes = append(s.notes, r.Note)
	}
	if r.Written != "" {
		s.written[r.Written] = len(s.notes)
	}
	return nil
}

// Done reports whether a target is finished.
func (s *State) Done(target string) bool { return s != nil && s.done[target] }

// Begun is the number of targets that an earlier run has finished.
func (s *State) Begun() int {
	if s == nil {
		return 0
	}
	return len(s.notes)
}

// Notes calls f with what was noted about each target that an earlier run has finished.
func (s *State) Notes(f func(note []byte) error) error {
	if s == nil {
		return nil
	}
	for _, note := range s.notes {
		err := f(note)
		if err != nil {
			return console.Failure("remove it to begin again", "%s cannot be used: %v", s.path, err)
		}
	}
	return nil
}

// Add takes note that a target is finished.
func (s *State) Add(target string, note any) error {
	if s == nil {
		return nil
	}
	return s.add(&record{Target: target}, note)
}

func (s *State) add(r *record, note any) error {
	raw, err := json.Marshal(note, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	r.Note = raw
	return s.append(r)
}

func (s *State) append(r *record) error {
	line, err := json.Marshal(r, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	_, err = s.file.Write(append(line, '\n'))
	if err != nil {
		return console.Failure("", "cannot write %s: %s", s.path, console.Reason(err))
	}
	return nil
}

// texts writes what there is to write in a format about the targets from the given one up to
// another.
func (s *State) texts(w io.Writer, format string, from, to int) error {
	f, err := os.Open(s.path)
	if err != nil {
		return console.Failure("", "cannot read %s: %s", s.path, console.Reason(err))
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 64<<10)
	for number, target := 0, 0; target < to; number++ {
		line, err := in.ReadBytes('\n')
		var r record
		if err == nil && number > 0 { // the first is about the run
			err = json.Unmarshal(line, &r)
		}
		if err != nil {
			return console.Failure("", "cannot read %s: %s", s.path, console.Reason(err))
		}
		if r.Target == "" {
			continue
		}
		if target >= from {
			_, err = w.Write(r.Texts[format])
			if err != nil {
				return err
			}
		}
		target++
	}
	return nil
}

// Close ends the use of the file. An error that says that the user ended the run is told how to
// go on.
func (s *State) Close(err error) error {
	if s == nil {
		return err
	}
	var known *console.Error
	if errors.As(err, &known) && known.Hint == "" {
		known.Hint = "the same command goes on where this one ended"
	}
	return errors.Join(err, s.file.Sync(), s.close())
}

// close gives the file up.
func (s *State) close() error {
	var err error
	if s.taken {
		err = filelock.Free(s.file)
	}
	return errors.Join(err, s.file.Close())
}
