package custodian_test

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	_ "modernc.org/sqlite" // for changes behind the back of a store

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
)

// behind changes the store behind its back.
func (l *lab) behind(statement string) {
	l.Helper()
	db, err := sql.Open("sqlite", "file:"+l.path)
	if err == nil {
		_, err = db.ExecContext(l.Context(), statement)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		l.Fatal(err)
	}
}

// TestStoreWentBack: a keeper stops answering from a store that went back, and goes on when
// it is put right.
func TestStoreWentBack(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, page{body: file("v1", 0)})
	l.want("pub.example", "usable v1")
	l.behind(`UPDATE custody_store SET last = last - 1`)
	l.pass(time.Minute)
	var restored *store.RestoredError
	for range 2 {
		_, err := l.k.Document(t.Context(), "pub.example")
		if !errors.Is(err, custodian.ErrUnavailable) || !errors.As(err, &restored) {
			t.Errorf("it answers with %v", err)
		}
		err = l.k.Ready(t.Context())
		if !errors.As(err, &restored) {
			t.Errorf("it is ready with %v", err)
		}
	}
	l.behind(`UPDATE custody_store SET last = last + 1`)
	l.want("pub.example", "usable v1")
	err := l.k.Ready(t.Context())
	if err != nil {
		t.Error(err)
	}
}

// TestAcceptedStore: nothing is in effect until it was seen again, and all of it is due.
func TestAcceptedStore(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set(network, tagged(file("v1", 0, "gone.example")))
	l.want("pub.example", "usable v1")
	l.close()
	s, err := store.OpenFor(t.Context(), "sqlite:"+l.path, store.Options{Purpose: store.Mend})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.AcceptRestored(t.Context(), l.clock(), 0)
	err = errors.Join(err, s.Close())
	if err != nil {
		t.Fatal(err)
	}
	l.restart()
	l.pass(2 * time.Minute) // far from a day: the file would be fresh
	l.web.set(network, page{status: 503})
	l.want("pub.example", "unreachable")
	l.pass(2 * time.Hour)
	l.web.set(network, tagged(file("v2", time.Hour, "gone.example")))
	err = l.k.Watch(t.Context(), custodian.WatchOptions{Once: true})
	if err != nil {
		t.Fatal(err)
	}
	before := l.web.requests("")
	l.want("pub.example", "usable v2")
	if l.web.requests("") != before {
		t.Error("the watch did not ask")
	}
}
