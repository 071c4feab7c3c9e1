package web

import (
	"net/http"
	"testing"

	"github.com/avow-project/avow/internal/service/ops"
)

// TestDrawAges: the bars are in proportion, and what is there is seen however small it is.
func TestDrawAges(t *testing.T) {
	t.Parallel()
	pic := drawAges([]ops.LookAge{{Publishers: 1_000_000}, {Publishers: 500_000}, {Publishers: 1}, {}, {}, {Publishers: 7}})
	want := []int{barLong, barLong / 2, 2, 0, 0, 2}
	for i, bar := range pic.Bars {
		if bar.Width != want[i] || bar.Y+bar.Height > pic.Height {
			t.Errorf("bar %d: %+v", i, bar)
		}
	}
	if len(pic.Bars) != len(ageWords) || drawAges(make([]ops.LookAge, len(ageWords))).Bars[0].Width != 0 {
		t.Error("no bars, or one of nothing")
	}
	const phone = 320
	if pic.Width > phone {
		t.Errorf("the picture is %d pixels wide", pic.Width)
	}
}

// TestAgentOf: the URL of an agent is read from a path as people and browsers write it.
func TestAgentOf(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"https://a.example/mcp": "https://a.example/mcp", "https:/a.example/mcp": "https://a.example/mcp", "a.example/mcp": "https://a.example/mcp",
		"HTTPS://A.example:443/mcp": "https://a.example/mcp", "": "", "https://": "", "https://a b/": "",
	} {
		got, err := agentOf(written)
		if (err != nil) != (want == "") || err == nil && got != want {
			t.Errorf("%q: %q, %v", written, got, err)
		}
	}
}

// TestDirectoryLoading: while the directory is read, its pages say so.
func TestDirectoryLoading(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/agent/https:%2F%2Fa.example%2Fmcp", "/find?q=abc", "/stats"} {
		got, _ := get(t, new(checker), path)
		if got.StatusCode != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %v", path, got.StatusCode, got.Header)
		}
	}
}
