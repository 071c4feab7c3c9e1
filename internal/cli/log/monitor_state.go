package log

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/std/filelock"
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

// monitorDocument is the JSON output: a line for each leaf and alarm.
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
}

func documentOf(e *monitor.Event, evidence string) *monitorDocument {
	doc := &monitorDocument{Event: "alarm", Alarm: e.Alarm, Message: e.Message, Log: e.Origin, URL: e.URL, Evidence: evidence}
	if e.Leaf == nil {
		return doc
	}
	l := e.Leaf
	doc.Event, doc.Domains, doc.Index, doc.Kind, doc.Subject, doc.At = "leaf", e.Domains, &e.Index, l.Kind, l.Subject.String(), wire.Time(l.At)
	doc.Counts, doc.Method, doc.Place = l.Counts, l.Place.Method, l.Place.File
	if l.Document != nil {
		doc.Document = l.Document.Hash
	}
	return doc
}
