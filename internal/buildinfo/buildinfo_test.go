package buildinfo

import (
	"net/url"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const revision = "0123456789abcdef0123456789abcdef01234567"

func recorded(mainVersion string, settings ...string) *debug.BuildInfo {
	info := &debug.BuildInfo{Main: debug.Module{Version: mainVersion}}
	for i := 0; i+1 < len(settings); i += 2 {
		info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
	}
	return info
}

func TestComplete(t *testing.T) {
	t.Parallel()
	vcs := []string{"vcs.revision", revision, "vcs.time", "2026-03-04T05:06:07Z", "vcs.modified", "false"}
	tests := []struct {
		name     string
		stamped  Info
		recorded *debug.BuildInfo
		want     Info
	}{
		{
			name:     "the stamp wins over the toolchain's record",
			stamped:  Info{Commit: "feed", Date: "2026-01-02T03:04:05Z"},
			recorded: recorded("v9.9.9", vcs...),
			want:     Info{Commit: "feed", Date: "2026-01-02T03:04:05Z"},
		},
		{
			name:     "a stamped commit is never joined with a recorded date",
			stamped:  Info{Commit: "feed"},
			recorded: recorded("v9.9.9", vcs...),
			want:     Info{Commit: "feed"},
		},
		{
			name:     "go install of a version",
			recorded: recorded("v0.4.0"),
		},
		{
			name:     "go install of a commit",
			recorded: recorded("v0.4.1-0.20260304050607-0123456789ab"),
			want:     Info{Commit: "0123456789ab"},
		},
		{
			name:     "go build in a checkout",
			recorded: recorded("v0.0.0-20260304050607-fedcba987654", vcs...),
			want:     Info{Commit: revision, Date: "2026-03-04T05:06:07Z"},
		},
		{
			name:     "changed working tree",
			recorded: recorded("(devel)", "vcs.revision", revision, "vcs.modified", "true"),
			want:     Info{Commit: revision + "-dirty"},
		},
		{
			name:     "nothing known",
			recorded: recorded(""),
		},
		{
			name:     "modified without a revision says nothing",
			recorded: recorded("", "vcs.modified", "true"),
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := complete(tc.stamped, tc.recorded)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("complete (-want +got):\n%s", diff)
			}
		})
	}
}

func TestString(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		info Info
		want string
	}{
		{
			name: "release",
			info: Info{Version: "1.2.3", Commit: revision, Date: "2026-01-02T03:04:05Z", Go: "go1.26.8", Platform: "linux/amd64"},
			want: "1.2.3 (commit 0123456789ab, 2026-01-02T03:04:05Z, go1.26.8 linux/amd64)",
		},
		{
			name: "changed working tree",
			info: Info{Version: "1.2.3", Commit: revision + "-dirty", Go: "go1.26.8", Platform: "darwin/arm64"},
			want: "1.2.3 (commit 0123456789ab-dirty, go1.26.8 darwin/arm64)",
		},
		{
			name: "short commit is kept whole",
			info: Info{Version: "1.2.3", Commit: "feed", Go: "go1.26.8", Platform: "linux/arm64"},
			want: "1.2.3 (commit feed, go1.26.8 linux/arm64)",
		},
		{
			name: "without a commit",
			info: Info{Version: "0.4.0", Go: "go1.26.8", Platform: "linux/amd64"},
			want: "0.4.0 (go1.26.8 linux/amd64)",
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := tc.info.String()
			if got != tc.want {
				t.Errorf("String() = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestGetDescribesThisBinary(t *testing.T) {
	t.Parallel()
	got := Get()
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(got.Version) {
		t.Errorf("Version = %q, which is not a release", got.Version)
	}
	if got.Go != runtime.Version() {
		t.Errorf("Go = %q, want %q", got.Go, runtime.Version())
	}
	if got.Platform != runtime.GOOS+"/"+runtime.GOARCH {
		t.Errorf("Platform = %q", got.Platform)
	}
	home, err := url.Parse(Home())
	if err != nil || home.Scheme != "https" || home.Host == "" || strings.HasSuffix(Home(), "/") {
		t.Errorf("Home() = %q: %v", Home(), err)
	}
}
