// Package buildinfo tells which build of avow is running, so that a bug report
// or a report written by the tool can name the exact code behind it.
//
// A release build stamps the values with the linker. Other builds fall back to
// what the Go toolchain records by itself: `go install` of a module version
// leaves the version, a build inside a checkout leaves the commit.
package buildinfo

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// Set by the Makefile with -ldflags -X; empty in every other build.
var (
	version string
	commit  string
	date    string
)

// unversioned is what the Go toolchain reports for the main module of a build
// that has no version; it is replaced by devel, which reads better in a sentence.
const (
	unversioned = "(devel)"
	devel       = "devel"
)

// shortCommit is the number of hexadecimal digits of a commit shown to people.
// Twelve is what Go uses in pseudo-versions.
const shortCommit = 12

// Info describes one build. Fields other than Version and Go are empty when
// neither the linker stamp nor the toolchain knows them.
type Info struct {
	// Version is a module version such as v1.2.3, or "devel".
	Version string
	// Commit is the full revision the build was made from, with the suffix
	// "-dirty" when the working tree had changes.
	Commit string
	// Date is the time of that commit (not of the build, so that the same
	// commit gives the same binary), in RFC 3339 form.
	Date string
	// Go is the toolchain version.
	Go string
	// Platform is the operating system and architecture, as in linux/amd64.
	Platform string
}

// Get returns the description of the running binary.
func Get() Info {
	stamped := Info{
		Version:  version,
		Commit:   commit,
		Date:     date,
		Go:       runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	recorded, ok := debug.ReadBuildInfo()
	if !ok {
		recorded = &debug.BuildInfo{}
	}
	return complete(stamped, recorded)
}

// complete fills what the linker did not stamp from the toolchain's own record.
func complete(info Info, recorded *debug.BuildInfo) Info {
	if info.Version == "" {
		info.Version = recorded.Main.Version
	}
	if info.Version == "" || info.Version == unversioned {
		info.Version = devel
	}
	if info.Commit != "" {
		return info
	}
	// Commit and date belong together: a stamped commit with a recorded date
	// could describe two different builds.
	settings := make(map[string]string, len(recorded.Settings))
	for _, s := range recorded.Settings {
		settings[s.Key] = s.Value
	}
	info.Commit = settings["vcs.revision"]
	info.Date = settings["vcs.time"]
	if info.Commit != "" && settings["vcs.modified"] == "true" {
		info.Commit += "-dirty"
	}
	return info
}

// String gives the one-line form printed by the version command, for example
// "v1.2.3 (commit 0123456789ab, 2026-01-02T03:04:05Z, go1.26.8 linux/amd64)".
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
