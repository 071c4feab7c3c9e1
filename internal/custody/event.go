package custody

import "time"

// say adds an event with the severity of its code and returns it, to be completed.
func say(events *[]Event, e Event) *Event {
	e.Severity = severityOf(e.Code)
	*events = append(*events, e)
	return &(*events)[len(*events)-1]
}

// changed adds the changes of a version, as many as an event takes.
func (e *Event) changed(changes []Change) {
	e.Changes = changes[:min(len(changes), MaxChanges):min(len(changes), MaxChanges)]
	e.More = len(changes) - len(e.Changes)
}

func withDetail(message, detail string) string {
	if detail == "" {
		return message
	}
	return message + ": " + cut(detail)
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
