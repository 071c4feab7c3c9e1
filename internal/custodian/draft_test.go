package custodian_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custodian"
)

// second process: another keeper whose store works, on the same records.
func (l *lab) beside() *custodian.Keeper {
	l.Helper()
	own := l.store
	defer func() { l.store = own }()
	l.store = &faulty{Store: own.Store}
	return l.keeper()
}

// TestOvertakenRevocation: what one process could not save is saved later, although
// another one has adopted the next version since, which revokes nobody.
func TestOvertakenRevocation(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	other := l.beside()
	l.pass(25 * time.Hour)
	l.web.set(pub, tagged(file("v2", 24*time.Hour, "pub.example")))
	l.store.fail(errDisk, nil)
	l.want("pub.example", "unreachable")
	l.pass(10 * time.Minute)
	l.web.set(pub, tagged(file("v3", 25*time.Hour)))
	d, err := other.Document(t.Context(), "pub.example")
	if err != nil || told(d) != "usable v3" {
		t.Fatal(d, err)
	}
	l.store.fail(nil, nil)
	l.pass(time.Minute)
	err = l.k.Ready(t.Context())
	if err != nil {
		t.Error(err)
	}
	l.want("pub.example", "usable v3 held pub.example")
}

// TestLargeUpdate: a changed file is adopted although there is not enough memory for both
// versions.
func TestLargeUpdate(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.config.Memory = 1_000_000
	l.k = l.keeper()
	for i := range 3 {
		note := `"x_note": "` + strings.Repeat("a", 200_000) + `", "catalog_etag"`
		l.web.set(pub, tagged(replace(file(fmt.Sprint("v", i), time.Duration(i)*time.Hour), `"catalog_etag"`, note)))
		l.want("pub.example", fmt.Sprint("usable v", i))
		err := l.k.Ready(t.Context())
		if err != nil {
			t.Error(err)
		}
		l.pass(25 * time.Hour)
	}
}
