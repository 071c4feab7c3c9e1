package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // for changes behind the back of a store

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store/highwater"
	"github.com/avow-project/avow/internal/test/pgtest"
	"github.com/avow-project/avow/internal/test/storetest"
)

// advance makes events, each in a commit of its own.
func advance(ctx context.Context, s *Store, n int) error {
	for range n {
		err := s.Custody().Commit(ctx, &custodian.Change{Events: []custody.Event{{Code: "clock.back", At: time.Unix(1, 0).UTC(), Message: "m"}}})
		if err != nil {
			return err
		}
	}
	return nil
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused ends the test unless a store is refused with a text.
func refused(t *testing.T, url string, o Options, text string) {
	t.Helper()
	s, err := OpenFor(t.Context(), url, o)
	if err == nil {
		_ = s.Close()
	}
	var restored *RestoredError
	if !errors.As(err, &restored) || !strings.Contains(err.Error(), text) {
		t.Fatalf("the store opens with %v, want %q", err, text)
	}
}

// copyStore copies a database with the log that it may have, as somebody would who makes a
// copy of the directory, and removes a log that is not part of the copy.
func copyStore(t *testing.T, from, to string) {
	t.Helper()
	for _, ending := range []string{"", "-wal", "-shm"} {
		text, err := os.ReadFile(from + ending)
		if errors.Is(err, os.ErrNotExist) {
			err = os.Remove(to + ending)
			if errors.Is(err, os.ErrNotExist) {
				err = nil
			}
		} else if err == nil {
			err = os.WriteFile(to+ending, text, 0o600)
		}
		ok(t, err)
	}
}

// TestOldCopyIsRefused puts copies back that were made of a closed store and of one in use.
func TestOldCopyIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, url := filepath.Join(dir, "store.db"), "sqlite:"+filepath.Join(dir, "store.db")
	closed, used, newest := filepath.Join(dir, "closed.db"), filepath.Join(dir, "used.db"), filepath.Join(dir, "newest.db")

	s := opens(t, url)
	storetest.FillCustody(t, s.Custody())
	ok(t, s.Close())
	copyStore(t, path, closed)
	s = opens(t, url)
	ok(t, advance(t.Context(), s, 1))
	copyStore(t, path, used)
	info, err := os.Stat(used + "-wal")
	if err != nil || info.Size() == 0 {
		t.Fatalf("the copy has no log: %v", err)
	}
	ok(t, advance(t.Context(), s, 1))
	ok(t, s.Close())
	copyStore(t, path, newest)

	for _, old := range []string{closed, used} {
		copyStore(t, old, path)
		refused(t, url, Options{}, "it is older than what was seen of it before")
		refused(t, url, Options{}, "it is older") // a refusal changes nothing
	}
	copyStore(t, newest, path)
	ok(t, opens(t, url).Close())
	link := filepath.Join(t.TempDir(), "link.db")
	ok(t, os.Symlink(path, link))
	copyStore(t, closed, path)
	refused(t, "sqlite:"+link, Options{}, "it is older")
}

// TestKeyRevocationIsCounted: an old copy in which a key is still good is one.
func TestKeyRevocationIsCounted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := opens(t, "sqlite:"+path)
	storetest.Fill(t, s)
	keys, err := s.Keys(t.Context())
	ok(t, err)
	ok(t, s.Close())
	copyStore(t, path, path+".copy")
	s = opens(t, "sqlite:"+path)
	ok(t, s.RevokeKey(t.Context(), keys[0].ID, time.Unix(1, 0)))
	ok(t, s.Close())
	copyStore(t, path+".copy", path)
	refused(t, "sqlite:"+path, Options{}, "it is older")
}

// TestOldCopyIsAccepted: nothing of it is in effect, no number is given out twice, and the same
// copy is refused the next time.
func TestOldCopyIsAccepted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, old, url := filepath.Join(dir, "store.db"), filepath.Join(dir, "old.db"), "sqlite:"+filepath.Join(dir, "store.db")
	s := opens(t, url)
	storetest.FillCustody(t, s.Custody())
	ok(t, s.Close())
	copyStore(t, path, old)
	s = opens(t, url)
	ok(t, advance(t.Context(), s, 10))
	ok(t, s.Close())
	seen := highwater.Open(path + markEnding).Seen()

	copyStore(t, old, path)
	accepts(t, url, Options{}, seen.Last)
	copyStore(t, old, path)
	refused(t, url, Options{}, "it is older")
}

// accepts goes on with an old copy that FillCustody has filled, of a store that had got to a
// number.
func accepts(t *testing.T, url string, o Options, last int64) {
	t.Helper()
	o.Purpose = Mend
	s, err := OpenFor(t.Context(), url, o)
	ok(t, err)
	_, err = s.Custody().Publisher(t.Context(), "a.example")
	if err == nil || advance(t.Context(), s, 1) == nil {
		t.Error("a store that is not accepted answers or takes changes")
	}
	accepted, err := s.AcceptRestored(t.Context(), time.Unix(1, 0), 0)
	ok(t, err)
	if accepted.Publishers != 1 || accepted.Files != 1 {
		t.Errorf("accepted %+v", accepted)
	}
	ok(t, s.Close())

	o.Purpose = Use
	s, err = OpenFor(t.Context(), url, o)
	ok(t, err)
	sound(t, s)
	after, err := s.Custody().Publisher(t.Context(), "a.example")
	ok(t, err)
	if after.Revision != 2 || !after.ConfirmedAt.IsZero() || after.Location.URL == "" {
		t.Errorf("the publisher is %+v", after)
	}
	files, err := s.Custody().Holds(t.Context(), 9)
	if err != nil || len(files) != 1 || files[0].File.Refused.Confirmed {
		t.Errorf("what waits is %+v, %v", files, err)
	}
	revoked, err := s.Custody().Revocations(t.Context(), files[0].File.URL, "")
	if err != nil || len(revoked) != 2 {
		t.Errorf("the revocations are %v, %v", revoked, err)
	}
	tasks, err := s.Custody().Due(t.Context(), time.Unix(0, 0), 9)
	if err != nil || len(tasks) != 2 {
		t.Errorf("due are %v, %v", tasks, err)
	}
	events, err := s.Custody().Events(t.Context(), custodian.EventFilter{Least: custody.Alert}, last, 9)
	if err != nil || len(events) != 1 || events[0].Code != "state.restored" {
		t.Errorf("the events after %d are %v, %v", last, events, err)
	}
	ok(t, advance(t.Context(), s, 1))
	ok(t, s.Close()) // the file is going to be replaced
}

// TestAnotherStore: a store in the place of another is refused, an empty one included.
func TestAnotherStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := opens(t, "sqlite:"+path)
	ok(t, advance(t.Context(), s, 3))
	stream := exported(t, s)
	ok(t, s.Close())
	ok(t, os.Remove(path))
	refused(t, "sqlite:"+path, Options{}, "it is not the store that was there before")
	// What was exported is the same store, as far as it goes.
	s, err := OpenFor(t.Context(), "sqlite:"+path, Options{Purpose: Mend})
	ok(t, err)
	ok(t, Import(t.Context(), s, strings.NewReader(stream)))
	ok(t, s.Restored(t.Context()))
	ok(t, s.Close())
	ok(t, opens(t, "sqlite:"+path).Close())
}

// TestImportWhileInUse: whoever has an empty store open goes on with what is imported.
func TestImportWhileInUse(t *testing.T) {
	t.Parallel()
	from := sqliteStore(t)
	ok(t, advance(t.Context(), from, 3))
	path := filepath.Join(t.TempDir(), "store.db")
	service, command := opens(t, "sqlite:"+path), opens(t, "sqlite:"+path)
	ok(t, Import(t.Context(), command, strings.NewReader(exported(t, from))))
	ok(t, command.Close())
	ok(t, advance(t.Context(), service, 1))
	ok(t, service.Restored(t.Context()))
	ok(t, service.Close())
	if got := highwater.Open(path + markEnding).Seen().Last; got != 4 {
		t.Errorf("the mark is %d", got)
	}
	ok(t, opens(t, "sqlite:"+path).Close())
}

// behind changes a database behind the back of its stores.
func behind(t *testing.T, url, statement string) {
	t.Helper()
	db, err := sql.Open("pgx", url)
	ok(t, err)
	_, err = db.ExecContext(t.Context(), statement)
	ok(t, errors.Join(err, db.Close()))
}

// TestPostgresGoesBack: the database is put back to an earlier time, once while a store is
// in use and once between two.
func TestPostgresGoesBack(t *testing.T) {
	t.Parallel()
	url, o := pgtest.URL(t), Options{Dir: filepath.Join(t.TempDir(), "state", "avow")}
	s, err := OpenFor(t.Context(), url, o)
	ok(t, err)
	storetest.FillCustody(t, s.Custody())
	ok(t, advance(t.Context(), s, 5))
	const back = `DELETE FROM custody_events WHERE number > 4; UPDATE custody_store SET last = 4`
	behind(t, url, back)
	var restored *RestoredError
	err = advance(t.Context(), s, 1)
	if !errors.As(err, &restored) {
		t.Errorf("a change of a database that went back says %v", err)
	}
	_, err = s.Custody().Clock(t.Context(), time.Unix(5, 0))
	if !errors.As(err, &restored) {
		t.Errorf("the clock of a database that went back says %v", err)
	}
	_, err = s.Custody().Publisher(t.Context(), "a.example")
	if !errors.As(err, &restored) {
		t.Errorf("a publisher of a database that went back says %v", err)
	}
	behind(t, url, `UPDATE custody_store SET last = 12`)
	ok(t, s.Restored(t.Context())) // it was put right, or accepted
	_, err = s.Custody().Publisher(t.Context(), "a.example")
	ok(t, err)
	behind(t, url, back)
	ok(t, s.Close())

	refused(t, url, o, "it is older than what was seen of it before: it has got to number 4, and had got to 12")
	refused(t, strings.Replace(url, "postgres:", "postgresql:", 1)+"&connect_timeout=7", o, "it is older")
	accepts(t, url, o, 12)
	behind(t, url, back)
	refused(t, url, o, "it is older")
	// A machine that has not seen it cannot know.
	o.Dir = t.TempDir()
	s, err = OpenFor(t.Context(), url, o)
	ok(t, err)
	ok(t, s.Close())
}

// TestNoPlaceForTheMark: it is told, and no reason to stop.
func TestNoPlaceForTheMark(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	ok(t, os.WriteFile(file, nil, 0o600))
	s, err := OpenFor(t.Context(), pgtest.URL(t), Options{Dir: file})
	ok(t, err)
	if s.MarkFailure() == nil {
		t.Error("nobody is told")
	}
	ok(t, advance(t.Context(), s, 1))
	ok(t, s.Close())
}

// TestManyAreAccepted: more records than a page has, in both databases.
func TestManyAreAccepted(t *testing.T) {
	t.Parallel()
	for _, s := range []*Store{sqliteStore(t), opens(t, pgtest.URL(t))} {
		storetest.FillMany(t, s.Custody())
		accepted, err := s.AcceptRestored(t.Context(), time.Unix(1, 0), 0)
		ok(t, err)
		sound(t, s)
		n := int64(0)
		ok(t, s.Custody().Publishers(t.Context(), "", func(p *custody.Publisher) error {
			n++
			if !p.ConfirmedAt.IsZero() || p.Move != nil {
				t.Errorf("%s is confirmed", p.Domain)
			}
			return nil
		}))
		if accepted.Publishers != n || accepted.Files != 1_100 {
			t.Errorf("%+v of %d publishers were accepted", accepted, n)
		}
	}
}
