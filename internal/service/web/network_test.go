package web

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// surveyor takes note of what it is asked, and refuses it.
type surveyor struct {
	checker
	requests []registry.RolloutRequest
}

func (s *surveyor) StartRollout(r registry.RolloutRequest) (*registry.Rollout, error) {
	s.requests = append(s.requests, r)
	return nil, &registry.Error{Kind: registry.Limited, Code: "rollout_running", Message: "A run of yours is still <b>under way</b>", Hint: "wait until it is over"}
}

func (s *surveyor) Rollout(string) *registry.Rollout { return nil }

func (s *surveyor) BeforeDeploy(context.Context, string, []byte, registry.Caller) (*registry.Deployment, error) {
	return nil, nil
}

// TestNetworkForm: what is wrong with a list is said on the form, and nothing is asked.
func TestNetworkForm(t *testing.T) {
	t.Parallel()
	lines := strings.Repeat("a.example\n", 4*registry.MaxRollout+1)
	tests := []struct {
		name         string
		form         url.Values
		status, asks int
		want         string
	}{
		{"run refused", url.Values{"network": {"net.example"}, "list": {"a.example\nB.example # two\n\n"}}, 429, 1, "A run of yours is still &lt;b&gt;under way"},
		{"bad line", url.Values{"list": {"a.example\n<script>alert(1)</script>"}}, 400, 0, "1 line is not a domain name; line 2: &#34;&lt;script&gt;"},
		{"columns", url.Values{"list": {"x,y\n1,2"}}, 400, 0, "which one has the domains is not clear; write the column’s name or number below; the first line has: x, y"},
		{"no such column", url.Values{"list": {"x,y\n1,2"}, "column": {"7"}}, 400, 0, "there is no column 7"},
		{"column", url.Values{"list": {"x,y\n1,a.example"}, "column": {"y"}}, 429, 1, ""},
		{"too many", url.Values{"list": {lines}}, 400, 0, "the list has more than 80,000 lines"},
		{"the file itself", url.Values{"list": {` {"authorized_agents": []}`}}, 400, 0, "this is the file itself"},
		{"too long", url.Values{"network": {strings.Repeat("x", 3000)}}, 400, 0, "this is too long for the address of a file"},
		{"not text", url.Values{"list": {"\x00\x1b[2J\xff"}}, 400, 0, "1 line is not a domain name"},
	}
	for _, test := range tests {
		s := new(surveyor)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/network", strings.NewReader(test.form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		got, page := call(t, s, r)
		if got.StatusCode != test.status || len(s.requests) != test.asks || !strings.Contains(page, test.want) || strings.Contains(page, "<script>alert") || strings.Contains(page, "\x1b") {
			t.Errorf("%s: %d, %d asked\n%s", test.name, got.StatusCode, len(s.requests), page)
		}
		if test.name == "run refused" && len(s.requests[0].List) != 2 {
			t.Errorf("%v", s.requests)
		}
	}
}

// TestNetworkUpload: a list may be a file, and too large.
func TestNetworkUpload(t *testing.T) {
	t.Parallel()
	for size, status := range map[int]int{1: 429, 6 << 20: 413, 9 << 20: 413} {
		var b bytes.Buffer
		m := multipart.NewWriter(&b)
		part, err := m.CreateFormFile("file", "list.csv")
		if err != nil {
			t.Fatal(err)
		}
		_, err = part.Write([]byte("domain\na.example\n" + strings.Repeat("#", size)))
		if err != nil {
			t.Fatal(err)
		}
		err = m.Close()
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/network", &b)
		r.Header.Set("Content-Type", m.FormDataContentType())
		got, page := call(t, new(surveyor), r)
		if got.StatusCode != status {
			t.Errorf("%d: %d\n%s", size, got.StatusCode, page)
		}
	}
	for _, path := range []string{"/network/x", "/network/x/progress", "/network/x/publishers.csv", "/network/x/messages.txt"} {
		got, page := get(t, new(surveyor), path)
		if got.StatusCode != http.StatusNotFound || !strings.Contains(page, "not known any more") {
			t.Errorf("%s: %d", path, got.StatusCode)
		}
	}
}

// TestNetworkProgress: the page says how many were asked and failed, the rate and the time left.
func TestNetworkProgress(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	run := &registry.Rollout{Started: began}
	for _, tc := range []struct {
		spent time.Duration
		state registry.RolloutState
		want  string
	}{
		{0, registry.RolloutState{}, "Reading the file."},
		{500 * time.Millisecond, registry.RolloutState{Total: 2000, Done: 3}, "3 of 2,000 publishers were asked."},
		{10 * time.Second, registry.RolloutState{Total: 2000, Done: 400, Failed: 2}, "400 of 2,000 publishers were asked, of which 2 gave no answer; 40.0 a second, about 40s left."},
		{time.Minute, registry.RolloutState{Total: 1, Done: 1}, "1 of 1 publisher was asked; 0.0 a second, about 0s left."},
	} {
		p := &Pages{now: func() time.Time { return began.Add(tc.spent) }}
		if got := p.progressWords(run, &tc.state); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}
