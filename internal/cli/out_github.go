package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// githubHandler writes GitHub workflow commands, which that service shows as
// annotations in the changed files.
type githubHandler struct {
	w    io.Writer
	base string // see projectFolder
}

var githubCommands = map[adagents.Severity]string{
	adagents.Error: "error", adagents.Warning: "warning", adagents.Info: "notice",
}

func (h *githubHandler) target(r *result) error {
	if r.err != nil {
		return h.command("error", h.fileOf(r.target), "", asError(r.err).msg)
	}
	for _, i := range r.shown {
		f := r.findings[i]
		message := f.Message
		if f.Hint != "" {
			message += "\nhint: " + f.Hint
		}
		name, title := githubCommands[f.Severity], f.Code
		if r.isKnown(i) {
			// It is shown because somebody asked, and fails nothing.
			name, title = "notice", title+" (known)"
		}
		file := f.url
		if file == "" {
			file = h.fileOf(r.target)
		}
		err := h.command(name, file, lineProperties(f)+"title="+textsafe.AnnotationProperty(title), message)
		if err != nil {
			return err
		}
	}
	return nil
}

func (h *githubHandler) finish(t *tally) error {
	_, err := fmt.Fprintf(h.w, "avow: %s; %s\n", describeTally(t), describeCounts(t.counts))
	return err
}

// fileOf is the file to annotate; standard input has none.
func (h *githubHandler) fileOf(t target) string {
	switch {
	case t.stdin:
		return ""
	case t.onWeb():
		return t.name
	}
	return fromBase(h.base, t.name)
}

// lineProperties are the place inside a file, if the finding has one.
func lineProperties(f finding) string {
	switch {
	case f.Line == 0:
		return ""
	case f.Column == 0:
		return fmt.Sprintf("line=%d,", f.Line)
	}
	return fmt.Sprintf("line=%d,col=%d,", f.Line, f.Column)
}

// command writes one workflow command.
func (h *githubHandler) command(name, file, place, message string) error {
	var properties []string
	if file != "" {
		properties = append(properties, "file="+textsafe.AnnotationProperty(file))
	}
	if place != "" {
		properties = append(properties, place)
	}
	space := ""
	if len(properties) > 0 {
		space = " "
	}
	_, err := fmt.Fprintf(h.w, "::%s%s%s::%s\n", name, space, strings.Join(properties, ","), textsafe.Annotation(message))
	return err
}

// projectFolder is the folder that build services take relative names to be
// relative to: the root of the repository around the current folder or, outside
// of one, the current folder. It is empty when that cannot be found out.
func projectFolder() string {
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

// fromBase is the path of a file from a folder with forward slashes, as build
// services want it, or its full path when it lies elsewhere.
func fromBase(base, path string) string {
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
