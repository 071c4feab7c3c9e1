package buildinfo

import (
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
			stamped:  Info{Version: "v1.2.3", Commit: "feed", Date: "2026-01-02T03:04:05Z"},
			recorded: recorded("v9.9.9", vcs...),
			want:     Info{Version: "v1.2.3", Commit: "feed", Date: "2026-01-02T03:04:05Z"},
		},
		{
			name:     "a stamped commit is never joined with a recorded date",
			stamped:  Info{Version: "v1.2.3", Commit: "feed"},
			recorded: recorded("v9.9.9", vcs...),
			want:     Info{Version: "v1.2.3", Commit: "feed"},
		},
		{
			name:     "go install of a version",
			recorded: recorded("v0.4.0"),
			want:     Info{Version: "v0.4.0"},
		},
		{
			name:     "go build in a checkout",
			recorded: recorded("(devel)", vcs...),
			want:     Info{Version: "devel", Commit: revision, Date: "2026-03-04T05:06:07Z"},
		},
		{
			name:     "changed working tree",
			recorded: recorded("(devel)", "vcs.revision", revision, "vcs.modified", "true"),
			want:     Info{Version: "devel", Commit: revision + "-dirty"},
		},
		{
			name:     "nothing known",
			recorded: recorded(""),
			want:     Info{Version: "devel"},
		},
		{
			name:     "modified without a revision says nothing",
			recorded: recorded("", "vcs.modified", "true"),
			want:     Info{Version: "devel"},
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
			info: Info{Version: "v1.2.3", Commit: revision, Date: "2026-01-02T03:04:05Z", Go: "go1.26.8", Platform: "linux/amd64"},
			want: "v1.2.3 (commit 0123456789ab, 2026-01-02T03:04:05Z, go1.26.8 linux/amd64)",
		},
		{
			name: "changed working tree",
			info: Info{Version: "devel", Commit: revision + "-dirty", Go: "go1.26.8", Platform: "darwin/arm64"},
			want: "devel (commit 0123456789ab-dirty, go1.26.8 darwin/arm64)",
		},
		{
			name: "short commit is kept whole",
			info: Info{Version: "devel", Commit: "feed", Go: "go1.26.8", Platform: "linux/arm64"},
			want: "devel (commit feed, go1.26.8 linux/arm64)",
		},
		{
			name: "go install",
			info: Info{Version: "v0.4.0", Go: "go1.26.8", Platform: "linux/amd64"},
			want: "v0.4.0 (go1.26.8 linux/amd64)",
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
	if got.Version == "" {
		t.Error("Version is empty; it must always say something")
	}
	if got.Go != runtime.Version() {
		t.Errorf("Go = %q, want %q", got.Go, runtime.Version())
	}
	if got.Platform != runtime.GOOS+"/"+runtime.GOARCH {
		t.Errorf("Platform = %q", got.Platform)
	}
	if strings.Contains(got.String(), unversioned) {
		t.Errorf("String() = %q shows the toolchain's placeholder", got)
	}
}
