package registry

import (
	"strconv"
	"time"
)

// defaultMirrorKeep is how long a superseded mirror is served at least: a quarter of a
// year is more than the time between two minor releases of the protocol.
const defaultMirrorKeep = 90 * 24 * time.Hour

// A MirrorState is where a mirror is in its life.
type MirrorState string

// The states.
const (
	// MirrorAbsent: there is no mirror.
	MirrorAbsent MirrorState = "absent"
	// MirrorServing: the platform has no file that the mirror names.
	MirrorServing MirrorState = "serving"
	// MirrorSuperseded: the mirror names the platform's own file, and is served on so
	// that those who know it find the other.
	MirrorSuperseded MirrorState = "superseded"
	// MirrorRemovable: it has been served on for long enough.
	MirrorRemovable MirrorState = "removable"
)

// A mirrorEvent is a requested change of a mirror.
type mirrorEvent uint8

const (
	// publishMirror: a catalog without superseded_by is published.
	publishMirror mirrorEvent = iota
	// supersedeMirror: a catalog with superseded_by is published.
	supersedeMirror
	// removeMirror and forceMirror: the mirror is to go, the second whatever its state.
	removeMirror
	forceMirror
)

// mirrorMoves is the life of a mirror: what each event leads to from each state. An
// event that is not listed is refused. Time leads from superseded to removable, see
// State.
var mirrorMoves = map[MirrorState]map[mirrorEvent]MirrorState{
	MirrorAbsent: {publishMirror: MirrorServing, supersedeMirror: MirrorSuperseded},
	// A platform that takes its file back gets its mirror back.
	MirrorServing:    {publishMirror: MirrorServing, supersedeMirror: MirrorSuperseded, forceMirror: MirrorAbsent},
	MirrorSuperseded: {publishMirror: MirrorServing, supersedeMirror: MirrorSuperseded, forceMirror: MirrorAbsent},
	MirrorRemovable: {publishMirror: MirrorServing, supersedeMirror: MirrorRemovable, removeMirror: MirrorAbsent,
		forceMirror: MirrorAbsent},
}

// State returns where a mirror is in its life at a moment, if superseded ones are
// served on for the time keep. A nil mirror is absent.
func (m *Mirror) State(now time.Time, keep time.Duration) MirrorState {
	switch {
	case m == nil:
		return MirrorAbsent
	case m.SupersededBy == "":
		return MirrorServing
	case now.Before(m.SupersededAt.Add(keep)):
		return MirrorSuperseded
	}
	return MirrorRemovable
}

// refusedMove is the error of an event that a state does not allow.
func (s *Service) refusedMove(m *Mirror, state MirrorState) *Error {
	switch state {
	case MirrorAbsent:
		return noMirror()
	case MirrorServing:
		return &Error{
			Kind: Conflict, Code: "mirror_serving", Message: "The mirror is not superseded",
			Hint: "publish it with superseded_by first, so that its readers find the platform's own file; a moderator may add " +
				"force=true",
		}
	}
	until := m.SupersededAt.Add(s.mirrorKeep())
	return &Error{
		Kind: Conflict, Code: "mirror_kept", RetryAfter: max(until.Sub(s.config.Now()), time.Second),
		Message: "The mirror is superseded and has to be served until " + until.UTC().Format(time.RFC3339),
		Hint: "superseded mirrors are kept for " + strconv.Itoa(int(s.mirrorKeep().Hours()/24)) +
			" days; a moderator may add force=true",
	}
}

func (s *Service) mirrorKeep() time.Duration {
	if s.config.MirrorKeep <= 0 {
		return defaultMirrorKeep
	}
	return s.config.MirrorKeep
}

func noMirror() *Error {
	return &Error{Kind: NotFound, Code: "mirror_not_found", Message: "Community mirror not found",
		Hint: "GET /api/registry/mirrors lists what there is"}
}
