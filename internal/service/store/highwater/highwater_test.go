package highwater

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	a := func(n int64) State { return State{"a", n} }
	for _, tc := range []struct {
		name         string
		before, have State
		want         string
	}{
		{"first time", State{}, a(0), ""},
		{"first time of one that was used", State{}, a(5), ""},
		{"the same", a(5), a(5), ""},
		{"further", a(5), a(6), ""},
		{"behind by one", a(5), a(4), "it has got to number 4, and had got to 5"},
		{"behind, and empty", a(5), a(0), "it has got to number 0, and had got to 5"},
		{"another", a(5), State{"b", 9}, "it is not the store that was there before"},
		{"another, and empty", a(5), State{"b", 0}, "it is not the store that was there before"},
		{"filled since", a(0), State{"b", 9}, ""},
	} {
		err := Open("").Check(tc.before, tc.have)
		var restored *RestoredError
		switch {
		case tc.want == "" && err != nil:
			t.Errorf("%s: %v", tc.name, err)
		case tc.want != "" && (!errors.As(err, &restored) || !strings.Contains(err.Error(), tc.want)):
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
}

// TestFileOnlyAdvances: whatever is noted, the file never goes back and never changes to
// another store by itself.
func TestFileOnlyAdvances(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sub", "store.seen")
	for _, step := range []struct{ note, want State }{
		{State{"a", 0}, State{}},
		{State{"a", 3}, State{"a", 3}},
		{State{"a", 2}, State{"a", 3}},
		{State{"b", 9}, State{"a", 3}},
		{State{"a", 4}, State{"a", 4}},
	} {
		m := Open(path)
		m.Note(step.note)
		ok(t, m.Close())
		have, err := read(path)
		ok(t, err)
		if have != step.want {
			t.Errorf("after %v the file says %v, want %v", step.note, have, step.want)
		}
	}
	m := Open(path)
	ok(t, m.Replace(State{"b", 1}))
	ok(t, m.Close())
	if got := Open(path).Seen(); got != (State{"b", 1}) {
		t.Errorf("replaced by %v", got)
	}
}

func TestFileIsLeftAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.seen")
	m := Open(path)
	m.Freeze()
	m.Note(State{"a", 3})
	ok(t, m.Close())
	_, err := os.Stat(path)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a frozen mark was written: %v", err)
	}
}

func TestFileCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "{}", "nothing", `{"avow_seen":2,"identity":"a","last":3}`, `{"avow_seen":1,"identity":"","last":3}`,
		`{"avow_seen":1,"identity":"a","last":-3}`, `{"avow_seen":1,"identity":"a","last":3}{}`, `{"avow_seen":1,"identity":"a","last":3,"more":1}`,
	} {
		path := filepath.Join(t.TempDir(), "store.seen")
		ok(t, os.WriteFile(path, []byte(text), 0o600))
		m := Open(path)
		err := m.Check(m.Seen(), State{"a", 100})
		if err == nil || !strings.Contains(err.Error(), "is not a file of this release") {
			t.Errorf("%q: %v", text, err)
		}
		m.Note(State{"a", 100})
		ok(t, m.Close())
		have, err := os.ReadFile(path)
		ok(t, err)
		if string(have) != text {
			t.Errorf("%q was written over: %q", text, have)
		}
		ok(t, Open(path).Replace(State{"a", 100}))
		if got := Open(path).Seen(); got != (State{"a", 100}) {
			t.Errorf("%q was replaced by %v", text, got)
		}
	}
}

// TestNoAccess: without a place for the file the mark works in memory, and says so.
func TestNoAccess(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	ok(t, os.WriteFile(file, nil, 0o600))
	m := Open(filepath.Join(file, "store.seen"))
	ok(t, m.Check(m.Seen(), State{"a", 3}))
	m.Note(State{"a", 3})
	ok(t, m.Save())
	if m.Failure() == nil {
		t.Error("nobody is told")
	}
	if m.Check(m.Seen(), State{"a", 2}) == nil {
		t.Error("it is not noticed in the same process")
	}
	m = Open(filepath.Join("/proc/none", "store.seen"))
	m.Note(State{"a", 3})
	if m.Close() == nil || m.Failure() == nil {
		t.Error("nobody is told")
	}
}

// TestConcurrent: many note at once; what is saved in the end is the furthest.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.seen")
	m := Open(path)
	var all sync.WaitGroup
	for i := range int64(8) {
		all.Go(func() {
			for n := range int64(200) {
				m.Note(State{"a", 1 + n*8 + i})
			}
		})
	}
	all.Wait()
	ok(t, m.Close())
	if got := Open(path).Seen(); got != (State{"a", 1600}) {
		t.Errorf("saved %v", got)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
	ok(t, err)
	if len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
