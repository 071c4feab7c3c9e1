package log

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/std/filelock"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
)

// monitorFormat is the version of the file's format.
const monitorFormat = "avow-monitor/1"

// maxStates is more than a file has that was written here.
const maxStates = 64 << 20

// monitorState is the file in which a monitor remembers what it has seen.
type monitorState struct {
	Format string                    `json:"format"`
	Logs   map[string]*monitor.State `json:"logs"`
	// Outbox is what is not told yet, or not everywhere.
	Outbox []outgoing `json:"outbox,omitempty"`
}

// lockStates takes the file for this process alone: another one would forget what this one sees.
func lockStates(path string) (io.Closer, error) {
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err != nil {
		return nil, console.Failure("name another file with --state", "cannot remember what is seen: %v", err)
	}
	lock, err := filelock.Lock(path)
	if err != nil {
		return nil, console.Failure("name another file with --state, or give that process all URLs", "%v", err)
	}
	return lock, nil
}

// readStates reads the file. One that is not there is an empty one; one that cannot be read is
// an error, because a log that is seen for the first time is believed.
func readStates(path string) (*monitorState, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &monitorState{Logs: map[string]*monitor.State{}}, nil
	}
	text, err := console.ReadFile(path, maxStates)
	if err != nil {
		return nil, err
	}
	var s monitorState
	err = json.Unmarshal(text, &s)
	if err != nil || s.Format != monitorFormat || s.Logs == nil {
		return nil, console.Failure("name another file with --state to begin anew", "%s is not the state of a monitor", path)
	}
	return &s, nil
}

// monitorDocument is the JSON output: a line for each leaf and alarm, and with --once at the end one for the newest
// leaves about each domain.
type monitorDocument struct {
	Event    string   `json:"event"`
	Alarm    string   `json:"alarm,omitempty"`
	Message  string   `json:"message"`
	Log      string   `json:"log,omitempty"`
	URL      string   `json:"url"`
	Evidence string   `json:"evidence,omitempty"`
	Domains  []string `json:"domains,omitempty"`
	Index    *int64   `json:"index,omitempty"`
	Kind     string   `json:"kind,omitempty"`
	Subject  string   `json:"subject,omitempty"`
	At       string   `json:"at,omitempty"`
	Document string   `json:"document,omitempty"`
	Counts   string   `json:"counts,omitempty"`
	Method   string   `json:"method,omitempty"`
	Place    string   `json:"place,omitempty"`
	// File is the index of the newest leaf about the domain's file, and Size how many leaves the log has.
	File *int64 `json:"file_index,omitempty"`
	Size int64  `json:"size,omitempty"`
}

// newestDocument says which leaves about a domain are the newest.
func newestDocument(origin, url, domain string, about monitor.About) *monitorDocument {
	doc := &monitorDocument{Event: "newest", Log: origin, URL: url, Domains: []string{domain}, Size: about.Size}
	which := func(index int64, member **int64) string {
		if index < 0 {
			return "none"
		}
		*member = &index
		return "leaf " + strconv.FormatInt(index, 10)
	}
	doc.Message = fmt.Sprintf("newest of %s about %s: %s; about its file: %s",
		words.Plural(int(about.Size), "leaf", "leaves"), domain, which(about.Publisher, &doc.Index),
		which(about.File, &doc.File))
	return doc
}

func documentOf(e *monitor.Event, evidence string) *monitorDocument {
	doc := &monitorDocument{Event: "alarm", Alarm: e.Alarm, Message: e.Message, Log: e.Origin, URL: e.URL,
		Evidence: evidence}
	if e.Leaf == nil {
		return doc
	}
	l := e.Leaf
	doc.Event, doc.Domains, doc.Index, doc.Kind, doc.Subject, doc.At = "leaf", e.Domains, &e.Index, l.Kind,
		l.Subject.String(), wire.Time(l.At)
	doc.Counts, doc.Method, doc.Place = l.Counts, l.Place.Method, l.Place.File
	if l.Document != nil {
		doc.Document = l.Document.Hash
	}
	return doc
}
