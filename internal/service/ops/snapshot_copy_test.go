package ops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A making is a snapshot that is written when a test says so.
type making struct {
	t     *testing.T
	all   copies
	now   time.Time
	made  int
	pages chan string
}

func newMaking(t *testing.T) *making {
	m := &making{t: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), pages: make(chan string)}
	m.all = copies{life: copyLife, now: func() time.Time { return m.now }, observe: func(_ string, hit bool) {
		if !hit {
			m.made++
		}
	}}
	return m
}

func (m *making) write(ctx context.Context, w io.Writer) (int, error) {
	for rows := 0; ; rows++ {
		select {
		case page, more := <-m.pages:
			if !more {
				return rows, nil
			}
			_, err := io.WriteString(w, page)
			if err != nil {
				return rows, err
			}
		case <-ctx.Done():
			return rows, ctx.Err()
		}
	}
}

func (m *making) take(tag string) *snapshotCopy {
	m.t.Helper()
	c, err := m.all.take(m.t.Context(), &snapshotReply{tag: tag}, m.write)
	if err != nil {
		m.t.Fatal(err)
	}
	return c
}

// read reads a copy and leaves it.
func (m *making) read(c *snapshotCopy) (string, int, error) {
	var got bytes.Buffer
	rows, err := c.send(m.t.Context(), &got, func() {})
	m.all.leave(m.t.Context(), c)
	return got.String(), rows, err
}

// has checks how many were made, and how many files there are.
func (m *making) has(made, files int) {
	m.t.Helper()
	if m.made != made || len(m.all.list) != files {
		m.t.Errorf("%d made and %d files, want %d and %d", m.made, len(m.all.list), made, files)
	}
}

// TestCopies checks who shares which copy, and how long each is there.
func TestCopies(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	first, same := m.take("a"), m.take("a")
	m.pages <- "one "
	newer := m.take("b") // while a is being made
	m.pages <- "two"
	close(m.pages)
	for _, c := range []*snapshotCopy{first, same, newer} {
		got, rows, err := m.read(c)
		if got != "one two" || rows != 2 || err != nil {
			t.Errorf("%q, %d rows, %v", got, rows, err)
		}
	}
	m.has(1, 1)
	again := m.take("a")
	m.has(1, 1)
	b := m.take("b")
	m.has(2, 2) // again is being read
	_, _, _ = m.read(b)
	m.has(2, 2)
	_, _, _ = m.read(again)
	m.has(2, 1)
	m.now = m.now.Add(copyLife)
	_, _, _ = m.read(m.take("b"))
	m.has(3, 1)
	var slow []*snapshotCopy
	for _, tag := range []string{"c", "d", "e", "f", "g", "h"} {
		c := m.take(tag)
		<-c.call.Done()
		slow = append(slow, c)
	}
	m.has(3+mostCopies, mostCopies)
	for _, c := range slow {
		_, _, _ = m.read(c)
	}
	m.has(3+mostCopies, 1)
}

// TestCopyGivenUp checks that a copy that nobody waits for any more is not made to its end, and that
// those who come later get all of another.
func TestCopyGivenUp(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	one, two := m.take("a"), m.take("a")
	m.pages <- "one "
	m.all.leave(t.Context(), one)
	m.pages <- "two "
	m.all.leave(t.Context(), two)
	m.has(1, 0)
	c := m.take("a")
	m.pages <- "all"
	close(m.pages)
	got, _, err := m.read(c)
	if got != "all" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	m.has(2, 1)
}

// TestCopyFails checks that whoever reads a copy that could not be made sees that, and that it is
// not given again.
func TestCopyFails(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	broken := errors.New("broken")
	c, err := m.all.take(t.Context(), &snapshotReply{tag: "a"}, func(_ context.Context, w io.Writer) (int, error) {
		_, _ = io.WriteString(w, "a part")
		return 1, broken
	})
	if err != nil {
		t.Fatal(err)
	}
	<-c.call.Done()
	next := m.take("a")
	_, _, err = m.read(c)
	if !errors.Is(err, broken) {
		t.Errorf("a part is taken for everything: %v", err)
	}
	close(m.pages)
	got, _, err := m.read(next)
	if got != "" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	m.has(2, 1)
}

// A client takes what is sent. It notes how long it has for that.
type client struct {
	http.ResponseWriter
	until time.Time
	all   []string
}

func (c *client) SetWriteDeadline(until time.Time) error {
	c.until = until
	return nil
}

func (c *client) FlushError() error { return nil }

func (c *client) Write(b []byte) (int, error) {
	if left := time.Until(c.until); left <= 0 || left > snapshotPiece {
		return 0, fmt.Errorf("a piece has to be taken in %v", left)
	}
	c.all = append(c.all, string(b))
	return len(b), nil
}

// TestPaced checks that the time for a piece has nothing to do with how long all of them take, and
// that making the next one may take any time.
func TestPaced(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	c := &client{ResponseWriter: httptest.NewRecorder(), until: time.Now().Add(-time.Hour)}
	out := paced{c, http.NewResponseController(c)}
	pages := []string{"one", "two", ""}
	_, err := m.take("a").send(t.Context(), out, func() {
		out.rest()
		if !c.until.IsZero() {
			t.Errorf("the next piece has to be there at %v", c.until)
		}
		if pages[0] == "" {
			close(m.pages)
		} else {
			m.pages <- pages[0]
		}
		pages = pages[1:]
	})
	if err != nil || strings.Join(c.all, " ") != "one two" {
		t.Errorf("%q, %v", c.all, err)
	}
}
