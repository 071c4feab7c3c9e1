package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/textsafe"
)

// githubHandler writes GitHub workflow commands, which that service shows as
// annotations in the changed files.
type githubHandler struct {
	w io.Writer
}

var githubCommands = map[adagents.Severity]string{
	adagents.Error: "error", adagents.Warning: "warning", adagents.Info: "notice",
}

func (h *githubHandler) target(r *result) error {
	if r.err != nil {
		return h.command("error", r.target, "", asError(r.err).msg)
	}
	for _, i := range r.shown {
		f := &r.report.Findings[i]
		message := f.Message
		if f.Hint != "" {
			message += "\nhint: " + f.Hint
		}
		place := fmt.Sprintf("line=%d,col=%d,title=%s", f.Line, f.Column, textsafe.AnnotationProperty(f.Code))
		err := h.command(githubCommands[f.Severity], r.target, place, message)
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

// command writes one workflow command. Standard input has no file to annotate.
func (h *githubHandler) command(name string, t target, place, message string) error {
	var properties []string
	if !t.stdin {
		properties = append(properties, "file="+textsafe.AnnotationProperty(fromHere(t.name)))
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

// fromHere is the path of a file from the current folder with forward slashes,
// as build services want it, or its full path when it lies elsewhere.
func fromHere(path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return filepath.ToSlash(full)
	}
	rel, err := filepath.Rel(here, full)
	if err != nil || !filepath.IsLocal(rel) {
		return filepath.ToSlash(full)
	}
	return filepath.ToSlash(rel)
}
