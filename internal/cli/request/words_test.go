package request

import (
	"net/netip"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/fetch"
)

func TestRequestLine(t *testing.T) {
	t.Parallel()
	x := &fetch.Exchange{
		Method: "GET", URL: "https://me:hunter2@pub.example/\x1b", Attempt: 2, Outcome: fetch.Unreachable,
		Detail: "dial https://a:hunter2@b\n", Timings: fetch.Timings{Total: 1500 * time.Microsecond},
	}
	got := requestLine(x)
	want := `GET https://pub.example/\u{1b} - 0 B 2 ms - unreachable (attempt 2): dial https://[hidden]@b\n`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	x = &fetch.Exchange{
		Method: "POST", URL: "https://pub.example/", Attempt: 1, Status: 200, Bytes: 41_300, Outcome: fetch.Found,
		Dialled: netip.MustParseAddrPort("[2606:2800:220:1::1]:443"), Detail: "not shown",
	}
	if got, want := requestLine(x), "POST https://pub.example/ 200 41 kB 0 ms [2606:2800:220:1::1]:443 found"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
