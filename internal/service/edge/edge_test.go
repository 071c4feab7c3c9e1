package edge

import (
	"net/http"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

func TestParseRate(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"off", "20/min", "1/s", "60/h", "1000/day"} {
		r, err := ParseRate(s)
		if err != nil || r.String() != s {
			t.Errorf("%s: got %s, %v", s, r, err)
		}
	}
	for _, s := range []string{"", "20", "0/min", "-1/min", "20/month", "20/", "/min", "1e3/s", "99999999999/s"} {
		r, err := ParseRate(s)
		if err == nil {
			t.Errorf("%q: got %s", s, r)
		}
	}
	if got := (Rate{N: 3, Per: 90 * time.Second}).String(); got != "3/1m30s" {
		t.Errorf("got %s", got)
	}
}

// TestEach: a rate that is set limits something, however large it is.
func TestEach(t *testing.T) {
	t.Parallel()
	for _, rate := range []Rate{{N: 500_000_000, Per: time.Second}, {N: 1_000_000_000, Per: time.Second}} {
		if got := rate.Times(16).Each(); got != 1 {
			t.Errorf("%s: %d", rate, got)
		}
	}
	if got := (Rate{}).Each(); got != 0 {
		t.Errorf("no limit: %d", got)
	}
}

// TestStatuses: every kind of error has a status, and an error of no kind is internal.
func TestStatuses(t *testing.T) {
	t.Parallel()
	for kind := registry.Invalid; kind <= registry.Expired; kind++ {
		if statuses[kind] < 400 {
			t.Errorf("kind %d has no status", kind)
		}
	}
	status, body := Answer(http.Header{"X-Request-Id": {"r1"}}, Internal)
	if status != http.StatusInternalServerError || body.RequestID != "r1" {
		t.Errorf("%d %+v", status, body)
	}
}
