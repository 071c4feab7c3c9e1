// Command pack writes what packages have besides the program: the manual pages of the
// commands, man/avow.1, man/avow-validate.1 and so on, and completions for shells,
// completions/avow.bash and so on:
//
//	go run ./internal/gen/pack -dir FOLDER -date 2026-01-02
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/cli"
	"github.com/avow-project/avow/internal/cli/console"
)

func main() {
	dir := flag.String("dir", ".", "write to this `folder`")
	date := flag.String("date", "", "`date` of the pages")
	flag.Parse()
	err := writeAll(*dir, *date)
	if err != nil {
		fmt.Fprintf(os.Stderr, "pack: %v\n", err)
		os.Exit(1)
	}
}

func writeAll(dir, date string) error {
	files, err := completions()
	if err != nil {
		return err
	}
	maps.Copy(files, pages(date))
	for name, content := range files {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, content, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// completions returns the same scripts as avow completion.
func completions() (map[string][]byte, error) {
	root := cli.Commands()
	all := map[string][]byte{}
	for shell, generate := range map[string]func(io.Writer) error{
		"bash":       func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"fish":       func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		"powershell": root.GenPowerShellCompletionWithDesc,
		"zsh":        root.GenZshCompletion,
	} {
		var b bytes.Buffer
		err := generate(&b)
		if err != nil {
			return nil, err
		}
		all["completions/avow."+shell] = b.Bytes()
	}
	return all, nil
}

// pages returns the pages by the names of their files.
func pages(date string) map[string][]byte {
	all := map[string][]byte{}
	root := cli.Commands()
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		all["man/"+pageName(c)+".1"] = page(c, date)
		for _, sub := range console.Subcommands(c) {
			walk(sub)
		}
	}
	walk(root)
	return all
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// page writes the page of a command in the language of man(7).
func page(c *cobra.Command, date string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH %s 1 %q %q %q\n", strings.ToUpper(escape(pageName(c))), date, "avow "+buildinfo.Get().Version,
		"avow")
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", escape(pageName(c)), escape(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.nf\n%s\n.fi\n", line(c.UseLine()))
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s", prose(c.Long))
	commands(&b, c)
	options(&b, "OPTIONS", c.NonInheritedFlags())
	options(&b, "OPTIONS OF EVERY COMMAND", c.InheritedFlags())
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n%s", block(c.Example))
	}
	also := []string{buildinfo.Home()}
	if c.HasParent() {
		also = []string{"\\fB" + escape(pageName(c.Parent())) + "\\fR(1)"}
	}
	fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(also, ",\n"))
	return b.Bytes()
}

// commands lists the commands below another, in their groups.
func commands(b *bytes.Buffer, c *cobra.Command) {
	subs := console.Subcommands(c)
	if len(subs) > 0 {
		fmt.Fprint(b, ".SH COMMANDS\n")
	}
	group := ""
	for _, sub := range subs {
		if sub.GroupID != group {
			group = sub.GroupID
			fmt.Fprintf(b, ".SS %s\n", group)
		}
		fmt.Fprintf(b, ".TP\n\\fB%s\\fR(1)\n%s\n", escape(pageName(sub)), line(sub.Short))
	}
}

// options writes a list of flags.
func options(b *bytes.Buffer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		names := "\\fB\\-\\-" + escape(f.Name) + "\\fR"
		if f.Shorthand != "" {
			names = "\\fB\\-" + f.Shorthand + "\\fR, " + names
		}
		if value != "" {
			names += " \\fI" + escape(value) + "\\fR"
		}
		if text := console.DefaultOf(f); text != "" {
			usage += " (default " + text + ")"
		}
		fmt.Fprintf(b, ".TP\n%s\n%s\n", names, line(usage))
	})
}

// prose writes paragraphs; lines that begin with spaces are kept as they are.
func prose(text string) string {
	var b strings.Builder
	for i, part := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		var plain, kept []string
		flush := func() {
			for _, l := range plain {
				b.WriteString(line(l) + "\n")
			}
			if len(kept) > 0 {
				b.WriteString(block(strings.Join(kept, "\n")))
			}
			plain, kept = nil, nil
		}
		for _, l := range strings.Split(part, "\n") {
			indented := strings.HasPrefix(l, "  ")
			if !indented && len(kept) > 0 {
				flush()
			}
			if indented {
				kept = append(kept, l)
			} else {
				plain = append(plain, l)
			}
		}
		flush()
	}
	return b.String()
}

// block writes lines that are not filled.
func block(text string) string {
	var b strings.Builder
	b.WriteString(".RS 4\n.nf\n")
	for _, l := range strings.Split(text, "\n") {
		b.WriteString(line(strings.TrimPrefix(l, "  ")) + "\n")
	}
	b.WriteString(".fi\n.RE\n")
	return b.String()
}

var escapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

func escape(text string) string { return escapes.Replace(text) }

// line is escape for a whole line, which must not begin like a request.
func line(text string) string {
	text = escape(text)
	if strings.HasPrefix(text, ".") {
		return `\&` + text
	}
	return text
}
