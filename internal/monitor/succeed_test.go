package monitor_test

import (
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/translog"
)

func ofLog(kind string, old *translog.Head) translog.Leaf {
	return translog.Leaf{Kind: kind, Subject: translog.Subject{Kind: translog.SubjectLog}, Old: old}
}

// TestEnd: a log that goes on after its end is an alarm, once.
func TestEnd(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.add(ofLog("log.begin", nil))
	l.fill(3, "p")
	w := newWatch(t, l, "me.example")
	w.expect(false, "0")
	l.add(ofLog("log.end", nil))
	w.expect(false, "4")
	w.expect(false, "")
	l.add(absent("me.example"))
	w.expect(true, "ended 5")
	if got := w.events[0].Message; got != "the log goes on with leaf 5, and its last one was leaf 4: its keys were stolen" {
		t.Errorf("told %q", got)
	}
	l.fill(1, "p")
	w.expect(true, "")
}

// TestSuccessor: more of a log was seen than its successor takes over, or something else.
func TestSuccessor(t *testing.T) {
	t.Parallel()
	root := tlog.RecordHash([]byte("root"))
	for name, c := range map[string]struct {
		size  int64
		root  string
		alarm bool
	}{
		"what was seen":  {5, "root", false},
		"more":           {6, "other", false},
		"less":           {4, "root", true},
		"something else": {5, "other", true},
	} {
		l := newLog(t)
		l.add(ofLog("log.begin", &translog.Head{Origin: "old.example/log", Size: c.size, Root: translog.LeafHash([]byte(c.root))}))
		w := newWatch(t, l)
		note, err := translog.Sign(&translog.Checkpoint{Origin: "old.example/log", Size: 5, Root: root}, start, signer(t, translog.Plain))
		ok(t, err)
		w.States["old.example/log"] = &monitor.State{Checkpoint: string(note), URL: "old"}
		told := "0"
		if c.alarm {
			told = "disowned 0"
		}
		alarmed, got := w.look("a")
		if alarmed != c.alarm || got != told {
			t.Errorf("%s: told %q", name, got)
		}
		if c.alarm && !strings.Contains(string(w.events[0].Evidence), string(note)) {
			t.Errorf("%s: the evidence is %q", name, w.events[0].Evidence)
		}
	}
}
