// Package pointer has the command pointer: what publishers have to put where so that their
// domains lead to a file elsewhere.
package pointer

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/list"
	"github.com/avow-project/avow/internal/deploy"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
)

const help = `Pointer makes a pointer: a small file that a publisher serves at its own domain, and that
leads to the file at another URL. It sends no requests.

Without --for it prints the pointer. With --for it prints deployment instructions for those
publishers: the pointer, the rule for the web server or hosting service (--host), and the
command that checks whether it worked. Name domains separated by commas, a file with one
domain per line, or a CSV file with a column of domains (--column); - is standard input.

The pointer is the same for all publishers, so that one rule can serve all domains of a
server or an account. With --each there is a set for each publisher, to hand out. With
--out the files are written into a folder, laid out as on the server, beside a README.txt
that says what to do with them.

Exit codes: 0 it was written, 1 the pointer would not be valid, 2 wrong usage,
3 a list could not be read, a line of it is not a domain, or a file could not be written.`

const examples = `  avow pointer --to https://cdn.network.example/adagents.json
  avow pointer --to https://cdn.network.example/adagents.json --for example.com --host nginx
  avow pointer --to https://cdn.network.example/adagents.json --for publishers.txt --host cloudflare --out deploy
  avow pointer --to https://cdn.network.example/adagents.json --for publishers.csv --column site --host wordpress --each --out handouts
  avow network https://cdn.network.example/adagents.json --from publishers.txt`

// flags are the values of the command's flags.
type flags struct {
	to, domains, out string
	list             list.Flags
	host             *console.Choice
	each             bool
}

// Command returns the command pointer.
func Command(a *console.App) *cobra.Command {
	f := &flags{}
	cmd := &cobra.Command{
		Use:     "pointer --to URL [--for LIST] [flags]",
		Short:   "make a pointer file, with deployment instructions",
		Long:    help,
		Example: examples,
		Args:    console.NoArguments,
	}
	set := cmd.Flags()
	set.StringVar(&f.to, "to", "", "the https `URL` of the authoritative file")
	set.StringVar(&f.domains, "for", "", "the publishers: domains with commas between them, or a `LIST` in a file")
	set.StringVar(&f.list.Column, "column", "",
		"the `COLUMN` of a CSV file that has the domains, by its name or its number")
	f.host = console.AddChoice(cmd, "host", "where the domains are served", deploy.Names()...)
	set.BoolVar(&f.each, "each", false, "a set for each publisher, in place of one for all")
	set.StringVarP(&f.out, "out", "o", "", "write the files into this `FOLDER`")
	cmd.PreRunE = console.NoEmptyFlag
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return f.run(cmd, a) }
	return cmd
}

func (f *flags) run(cmd *cobra.Command, a *console.App) error {
	if f.to == "" {
		return console.UsageError("for example: avow pointer --to https://cdn.example.net/adagents.json",
			"--to is missing: the URL of the file")
	}
	if f.domains == "" {
		return f.alone(cmd, a)
	}
	domains, bad, err := f.publishers(a)
	if err != nil {
		return err
	}
	content, err := f.content(a, domains)
	if err != nil {
		return err
	}
	host, _ := deploy.Lookup(f.host.Value)
	sets := []deploy.Site{{Content: content, Domains: domains}}
	if f.each {
		sets = sets[:0]
		for _, domain := range domains {
			sets = append(sets, deploy.Site{Content: content, Domains: []string{domain}})
		}
	}
	err = f.write(a, host, sets)
	if err == nil && bad > 0 {
		return console.ExitStatus(console.ExitUnknown)
	}
	return err
}

// alone prints the pointer.
func (f *flags) alone(cmd *cobra.Command, a *console.App) error {
	for _, name := range []string{"host", "each", "out", "column"} {
		if cmd.Flags().Changed(name) {
			return console.UsageError("add --for example.com", "--%s needs --for", name)
		}
	}
	content, err := f.content(a, nil)
	if err != nil {
		return err
	}
	_, err = a.Out.Write(content)
	return err
}

// publishers returns the domains in canonical form, and the number of lines without one.
func (f *flags) publishers(a *console.App) ([]string, int, error) {
	if f.domains != console.StdinName && !console.IsFile(f.domains) {
		return f.named()
	}
	f.list.From = f.domains
	read, err := f.list.Read(a)
	if err != nil {
		return nil, 0, err
	}
	var domains []string
	for _, domain := range read.Domains {
		domains = append(domains, string(domain))
	}
	if len(domains) == 0 {
		return nil, 0, console.Failure("write one domain in each line", "%s has no domain", f.domains)
	}
	return domains, read.Bad, nil
}

// named reads domains with commas between them.
func (f *flags) named() ([]string, int, error) {
	if f.list.Column != "" {
		return nil, 0, console.UsageError("--for names the file",
			"--column is for a list in a file, and there is no file %s", f.domains)
	}
	var domains []string
	for part := range strings.SplitSeq(f.domains, ",") {
		domain, ok := check.AsDomain(strings.TrimSpace(part))
		if !ok {
			return nil, 0, console.UsageError("name domains with commas between them, or a file with one in each line",
				"--for: %q is not a domain name, and there is no file %s", part, f.domains)
		}
		if !slices.Contains(domains, domain) {
			domains = append(domains, domain)
		}
	}
	return domains, 0, nil
}

// content makes the pointer.
func (f *flags) content(a *console.App, domains []string) ([]byte, error) {
	url, info, err := hostname.CanonicalURL(f.to)
	switch {
	case err != nil:
		return nil, console.UsageError("give the whole https URL of the file", "--to: the URL %v", err)
	case info.Path == deploy.Path && info.Port == "" && slices.Contains(domains, info.Host):
		return nil, console.UsageError("leave "+info.Host+" out of --for",
			"%s serves the file itself: a pointer there would lead back to itself", info.Host)
	}
	request, err := console.EncodeJSON(map[string]string{"authoritative_location": url})
	if err != nil {
		return nil, err
	}
	built, err := adagents.Build(request, adagents.BuildOptions{Now: a.Env.Now()})
	if err != nil {
		for _, finding := range built.Report.Findings {
			if finding.Severity == adagents.Error {
				return nil, &console.Error{Code: console.ExitNo, Message: "--to: " + finding.Message, Hint: finding.Hint}
			}
		}
		return nil, err
	}
	return built.File, nil
}

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
