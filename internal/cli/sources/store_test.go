package sources

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/service/store"
)

// told passes on what is written.
type told chan string

func (c told) Write(p []byte) (int, error) {
	c <- string(p)
	return len(p), nil
}

// TestOpeningTakesLong: who waits for a store is told so, and gets it in the end.
func TestOpeningTakesLong(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "registry.db")
	other, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	other.SetMaxOpenConns(1)
	_, err = other.ExecContext(t.Context(), `BEGIN EXCLUSIVE`)
	if err != nil {
		t.Fatal(err)
	}
	notes, opened := make(told, 10), make(chan error, 1)
	go func() {
		a := console.New(console.Env{Stderr: notes, Getenv: func(string) string { return "" }})
		st, err := openURL(t.Context(), a, "sqlite:"+path, store.Use, OtherStore)
		if err == nil {
			err = st.Close()
		}
		opened <- err
	}()
	select {
	case note := <-notes:
		if !strings.Contains(note, "still opening the store sqlite:"+path) {
			t.Errorf("told %q", note)
		}
	case err := <-opened:
		t.Fatalf("a locked store was opened: %v", err)
	}
	_, err = other.ExecContext(t.Context(), `ROLLBACK`)
	if err != nil {
		t.Fatal(err)
	}
	err = <-opened
	if err != nil {
		t.Error(err)
	}
}
