package report

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// GitHub writes GitHub workflow commands, which that service shows as
// annotations in the changed files.
type GitHub struct {
	W    io.Writer
	Base string // see ProjectFolder
}

var githubCommands = map[adagents.Severity]string{
	adagents.Error: "error", adagents.Warning: "warning", adagents.Info: "notice",
}

// Target writes the annotations of one result.
func (h *GitHub) Target(r *check.Result) error {
	if r.Err != nil {
		return Annotate(h.W, "error", h.fileOf(r.Target), "", console.AsError(r.Err).Message)
	}
	for _, i := range r.Ranked() {
		f := r.Findings[i]
		message := f.Message
		if f.Hint != "" {
			message += "\nhint: " + f.Hint
		}
		name, title := githubCommands[f.Severity], f.Code
		if r.IsKnown(i) {
			// It is shown on request, and fails nothing.
			name, title = "notice", title+" (known)"
		}
		file := f.URL
		if file == "" {
			file = h.fileOf(r.Target)
		}
		err := Annotate(h.W, name, file, lineProperties(f)+"title="+textsafe.AnnotationProperty(title), message)
		if err != nil {
			return err
		}
	}
	return nil
}

// Finish writes the sum as a notice.
func (h *GitHub) Finish(t *check.Summary) error {
	_, err := fmt.Fprintf(h.W, "avow: %s; %s\n", describeSummary(t), describeCounts(t.Counts))
	return err
}

// fileOf is the file to annotate; standard input has none.
func (h *GitHub) fileOf(t check.Target) string {
	switch {
	case t.Stdin:
		return ""
	case t.OnWeb():
		return t.Name
	}
	return FromBase(h.Base, t.Name)
}

// lineProperties are the place inside a file, if the finding has one.
func lineProperties(f check.Finding) string {
	switch {
	case f.Line == 0:
		return ""
	case f.Column == 0:
		return fmt.Sprintf("line=%d,", f.Line)
	}
	return fmt.Sprintf("line=%d,col=%d,", f.Line, f.Column)
}

// Annotate writes one workflow command: an error, a warning or a notice about a file, which may
// be "". position has further properties, such as line=1.
func Annotate(w io.Writer, name, file, position, message string) error {
	var properties []string
	if file != "" {
		properties = append(properties, "file="+textsafe.AnnotationProperty(file))
	}
	if position != "" {
		properties = append(properties, position)
	}
	space := ""
	if len(properties) > 0 {
		space = " "
	}
	_, err := fmt.Fprintf(w, "::%s%s%s::%s\n", name, space, strings.Join(properties, ","), textsafe.Annotation(message))
	return err
}

// ProjectFolder is the folder that build services take relative names to be
// relative to: the root of the repository around the current folder or, outside
// of one, the current folder. It is empty when that cannot be determined.
func ProjectFolder() string {
	here, err := filepath.Abs(".")
	if err != nil {
		return ""
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		_, err := os.Lstat(filepath.Join(dir, ".git"))
		if err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return here
		}
	}
}

// FromBase is the path of a file from a folder with forward slashes, as build
// services want it, or its full path when it lies elsewhere.
func FromBase(base, path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	rel, err := filepath.Rel(base, full)
	if err != nil || !filepath.IsLocal(rel) {
		return filepath.ToSlash(full)
	}
	return filepath.ToSlash(rel)
}
