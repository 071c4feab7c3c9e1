package explain

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
)

// VersionCommand returns the command version.
func VersionCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "print the version and the build",
		Long: `Version prints what a bug report needs: the version, the commit, the Go version, the
AdCP release that the rules follow, and the date of the built-in Public Suffix List,
which decides where one publisher's domain ends and another's begins.

Exit codes: 0 it was printed, 2 wrong usage.`,
		Example: `  avow version
  avow version --format json`,
		Args: console.NoArguments,
	}
	format := console.AddChoice(cmd, "format", "output format", "text", "json")
	cmd.RunE = func(*cobra.Command, []string) error {
		return WriteVersion(a, format.Value)
	}
	return cmd
}

// versionDocument is the JSON output of the version command.
type versionDocument struct {
	Version          string `json:"version"`
	Commit           string `json:"commit,omitempty"`
	Date             string `json:"date,omitempty"`
	Go               string `json:"go"`
	Platform         string `json:"platform"`
	AdCP             string `json:"adcp"` // the release that the rules follow
	PublicSuffixList string `json:"public_suffix_list"`
}

// WriteVersion prints the version as text or JSON.
func WriteVersion(a *console.App, format string) error {
	info := buildinfo.Get()
	if format == "json" {
		return console.WriteJSONLine(a.Out, versionDocument{
			Version: info.Version, Commit: info.Commit, Date: info.Date,
			Go: info.Go, Platform: info.Platform, AdCP: model.AdCPRelease, PublicSuffixList: hostname.ListDate(),
		})
	}
	fmt.Fprintf(a.Out, "avow %s\nAdCP %s (schemas %s)\nPublic Suffix List of %s\n",
		info, model.AdCPRelease, model.AdCPSchemas, hostname.ListDate())
	return nil
}
