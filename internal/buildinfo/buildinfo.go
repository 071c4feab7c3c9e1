// Package buildinfo says which build of avow is running, so that a bug report
// or a report written by the tool can name the exact code behind it. It is the
// only place that has the version and the home of the project; what builds the
// packages reads the same two files.
package buildinfo

import (
	_ "embed"
	"runtime"
	"runtime/debug"
	"strings"
)

//go:embed VERSION
var versionFile string

//go:embed HOME
var homeFile string

// Set with -ldflags -X by the Makefile and where packages are built, as the
// toolchain's own record depends on the tags of the clone; empty in other builds.
var (
	commit string
	date   string
)

// shortCommit is the number of hexadecimal digits of a commit shown to people.
// Twelve is what Go uses in pseudo-versions.
const shortCommit = 12

// Info describes one build. Commit and Date are empty when neither the linker
// nor the toolchain knows them.
type Info struct {
	// Version is the release, such as 1.2.3. Commits after it have the same.
	Version string
	// Commit is the revision the build was made from, with the suffix "-dirty"
	// when the working tree had changes.
	Commit string
	// Date is the time of that commit (not of the build, so that the same
	// commit gives the same binary), in RFC 3339 form.
	Date string
	// Go is the toolchain version.
	Go string
	// Platform is the operating system and architecture, as in linux/amd64.
	Platform string
}

// Home returns the URL of the project.
func Home() string { return strings.TrimSpace(homeFile) }

// Source returns the URL of a file of the repository.
func Source(name string) string { return Home() + "/blob/main/" + name }

// Get returns the description of the running binary.
func Get() Info {
	info := Info{
		Version:  strings.TrimSpace(versionFile),
		Commit:   commit,
		Date:     date,
		Go:       runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	recorded, ok := debug.ReadBuildInfo()
	if !ok {
		recorded = &debug.BuildInfo{}
	}
	return complete(info, recorded)
}

// complete fills what the linker did not set from the toolchain's own record:
// a build inside a checkout leaves the commit, `go install` of a commit leaves a
// version that names it.
func complete(info Info, recorded *debug.BuildInfo) Info {
	if info.Commit != "" {
		return info // a recorded date could be the date of another build
	}
	settings := make(map[string]string, len(recorded.Settings))
	for _, s := range recorded.Settings {
		settings[s.Key] = s.Value
	}
	info.Commit = settings["vcs.revision"]
	info.Date = settings["vcs.time"]
	if info.Commit != "" && settings["vcs.modified"] == "true" {
		info.Commit += "-dirty"
	}
	// A commit without a version is called v1.2.4-0.20260102030405-0123456789ab.
	parts := strings.Split(recorded.Main.Version, "-")
	if last := parts[len(parts)-1]; info.Commit == "" && len(parts) > 2 && len(last) == shortCommit {
		info.Commit = last
	}
	return info
}

// String gives the one-line form printed by the version command, for example
// "1.2.3 (commit 0123456789ab, 2026-01-02T03:04:05Z, go1.26.8 linux/amd64)".
func (i Info) String() string {
	parts := make([]string, 0, 3)
	if i.Commit != "" {
		parts = append(parts, "commit "+short(i.Commit))
	}
	if i.Date != "" {
		parts = append(parts, i.Date)
	}
	parts = append(parts, strings.TrimSpace(i.Go+" "+i.Platform))
	return i.Version + " (" + strings.Join(parts, ", ") + ")"
}

// short cuts the revision but keeps the mark of a changed working tree.
func short(commit string) string {
	revision, dirty := strings.CutSuffix(commit, "-dirty")
	if len(revision) > shortCommit {
		revision = revision[:shortCommit]
	}
	if dirty {
		revision += "-dirty"
	}
	return revision
}
