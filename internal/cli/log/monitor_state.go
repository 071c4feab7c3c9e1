package log

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/std/filelock"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/translog"
)

// monitorFormat is that of the file.
const monitorFormat = "avow-monitor/1"

// maxStates is more than a file has that was written here.
const maxStates = 64 << 20

// monitorState is the file in which a monitor remembers what it has seen.
type monitorState struct {
	Format string                    `json:"format"`
	Logs   map[string]*monitor.State `json:"logs"`
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
func readStates(path string) (map[string]*monitor.State, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]*monitor.State{}, nil
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
	return s.Logs, nil
}

// tell keeps evidence and state, and then tells what was found.
func (m *monitoring) tell(events []monitor.Event) error {
	files := make([]string, len(events))
	for i, e := range events {
		if e.Evidence == nil {
			continue
		}
		files[i] = fmt.Sprintf("%s.%s-%s.txt", m.flags.state, e.Alarm, translog.HashOf(e.Evidence)[:12])
		err := console.WriteFile(files[i], e.Evidence)
		if err != nil {
			return fmt.Errorf("%w: %w", errState, err)
		}
	}
	text, err := json.Marshal(&monitorState{monitorFormat, m.States}, json.Deterministic(true))
	if err == nil {
		err = console.WriteFile(m.flags.state, append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errState, err)
	}
	for i, e := range events {
		err = m.write(&e, files[i])
		if err != nil {
			return fmt.Errorf("%w: %w", errState, err)
		}
	}
	return m.app.Out.Flush()
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

func (m *monitoring) write(e *monitor.Event, evidence string) error {
	if m.flags.format.Value == "json" {
		return console.WriteJSONLine(m.app.Out, documentOf(e, evidence))
	}
	style, width := m.app.Style(console.Stdout), m.app.TextWidth()
	var text string
	if e.Alarm != "" {
		where := e.Origin
		if where == "" {
			where = e.URL
		}
		text = style.Red("alarm ("+e.Alarm+")") + ": " + console.Safe(where+": "+e.Message)
		if evidence != "" {
			text += "; the evidence is in " + console.Safe(evidence)
		}
	} else {
		text = console.Safe(fmt.Sprintf("%s leaf %d: %s", e.Leaf.At.Format(time.RFC3339), e.Index, e.Message))
		for _, d := range e.Domains {
			if e.Leaf.Subject.Kind == translog.SubjectFile {
				text += " [" + console.Safe(d) + "]"
			}
		}
	}
	_, err := fmt.Fprintln(m.app.Out, console.WrapHanging(text, width, 2))
	return err
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
