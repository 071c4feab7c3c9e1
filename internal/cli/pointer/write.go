package pointer

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/deploy"
	"github.com/avow-project/avow/internal/std/words"
)

const (
	readmeName = "README.txt"
	// mostFor is the number of domains that a heading names.
	mostFor = 5
)

// write writes the sets to standard output or into the folder.
func (f *flags) write(a *console.App, host deploy.Host, sets []deploy.Site) error {
	if f.out == "" {
		for i, s := range sets {
			if i > 0 {
				fmt.Fprintln(a.Out)
			}
			writeSteps(a.Out, host, s, a.TextWidth())
		}
		return nil
	}
	files := 0
	for _, s := range sets {
		folder := f.out
		if f.each {
			folder = filepath.Join(folder, s.Domains[0])
		}
		n, err := writeSet(host, s, folder)
		if err != nil {
			return err
		}
		files += n
	}
	a.Note("wrote %s into %s; %s says what to do with them", words.Plural(files, "file", "files"), f.out, readmeName)
	return nil
}

// writeSet writes the files of a set, and returns their number.
func writeSet(host deploy.Host, s deploy.Site, folder string) (int, error) {
	const readmeWidth = 80
	var readme bytes.Buffer
	writeSteps(&readme, host, s, readmeWidth)
	// The file lies in the folder itself as well, where the commands expect it.
	files := map[string]string{readmeName: readme.String(), deploy.FileName: string(s.Content)}
	for _, step := range host.Steps(s) {
		if step.Kind == deploy.Whole {
			files[filepath.FromSlash(strings.TrimPrefix(step.Path, "/"))] = step.Text
		}
	}
	for name, text := range files {
		path := filepath.Join(folder, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err != nil {
			return 0, console.Failure("", "cannot make the folder %s: %s", filepath.Dir(path), console.Reason(err))
		}
		err = console.WriteFile(path, []byte(text))
		if err != nil {
			return 0, err
		}
	}
	return len(files), nil
}

// writeSteps writes the steps for people.
func writeSteps(w io.Writer, host deploy.Host, s deploy.Site, width int) {
	const indent = "    "
	fmt.Fprintf(w, "%s, for %s\n", host.Title, domainWords(s.Domains))
	for i, step := range host.Steps(s) {
		number := fmt.Sprintf("%d. ", i+1)
		fmt.Fprintf(w, "\n%s%s\n", number,
			console.WrapHanging(strings.ToUpper(step.Do[:1])+step.Do[1:]+".", width, len(number)))
		if step.Path != "" {
			fmt.Fprintf(w, "   %s:\n", step.Path)
		}
		if step.Text != "" {
			text := strings.TrimSuffix(step.Text, "\n")
			fmt.Fprintf(w, "\n%s%s\n", indent, strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n"+indent), "\n"+indent+"\n",
				"\n\n"))
		}
	}
}

func domainWords(domains []string) string {
	text := strings.Join(domains[:min(len(domains), mostFor)], ", ")
	if more := len(domains) - mostFor; more > 0 {
		text += " and " + words.Plural(more, "other domain", "other domains")
	}
	return text
}
