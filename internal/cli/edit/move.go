package edit

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/edit"
	"github.com/avow-project/avow/internal/rollout"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
)

func moveCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use: "move [-w] FILE --to URL [--out FOLDER]", Short: "move the authoritative location",
		Long: `Move changes where the authoritative file of publishers is. A pointer gets the new URL. The
file of a network does not say where it is and stays as it is; what changes are the pointers of
the publishers that it names: the new one is printed and, with -w and --out, written for each
publisher to FOLDER/DOMAIN/.well-known/adagents.json, ready to be deployed. avow pointer has
the rules for web servers instead.

Serve the file at the new URL first, and go on serving it at the old one until avow network
says that all publishers lead to the new one. Buyers that keep files over time wait before they
follow a move.`,
		Example: `  avow edit move network.json --to https://cdn.example.net/adagents.json --out pointers -w
  avow edit move .well-known/adagents.json --to https://cdn.example.net/adagents.json -w`,
		Args: oneFile, DisableFlagsInUseLine: true,
	}
	f := addFlags(cmd)
	to := cmd.Flags().String("to", "", "the https `URL` at which the file will be")
	out := cmd.Flags().StringP("out", "o", "", "write the pointers into this `FOLDER`")
	cmd.PreRunE = console.NoEmptyFlag
	cmd.RunE = func(_ *cobra.Command, args []string) error { return move(a, f, args[0], *to, *out) }
	return cmd
}

func move(a *console.App, f *Flags, name, to, out string) error {
	url, info, err := hostname.CanonicalURL(to)
	if err != nil || info.Scheme != "https" || info.HasUserinfo {
		return console.UsageError("give the whole https URL, for example https://cdn.example.net/adagents.json",
			"--to: no https URL of a file")
	}
	s, err := open(a, f, name)
	if err != nil {
		return err
	}
	if s.report.Pointer != nil {
		if out != "" {
			return console.UsageError("leave it out", "--out is for the publishers of a network, and %s is a pointer", name)
		}
		return s.change(func(d *edit.Draft) error {
			d.MovePointer(url)
			return nil
		})
	}
	pointer, err := s.pointerTo(url)
	if err != nil {
		return err
	}
	var domains []hostname.Domain
	for _, domain := range rollout.New(s.report.File, s.src, url).Named() {
		if string(domain) != info.Host || info.Path != "/.well-known/adagents.json" {
			domains = append(domains, domain)
		}
	}
	if f.Format.Value == "json" {
		err = console.WriteJSONLine(a.Out, moveDocument{name, url, string(pointer), append([]hostname.Domain{}, domains...)})
	} else {
		_, err = a.Out.Write(pointer)
	}
	if err == nil {
		err = a.Out.Flush()
	}
	if err != nil {
		return err
	}
	a.Note("%s names %s, which this pointer is for; the file itself stays as it is", name,
		words.Plural(len(domains), "publisher", "publishers"))
	return s.writePointers(pointer, domains, out)
}

// A moveDocument is what to deploy, in JSON.
type moveDocument struct {
	File       string            `json:"file"`
	To         string            `json:"to"`
	Pointer    string            `json:"pointer"`
	Publishers []hostname.Domain `json:"publishers"`
}

// pointerTo makes the pointer to a URL.
func (s *subject) pointerTo(url string) ([]byte, error) {
	request, err := console.EncodeJSON(map[string]string{"authoritative_location": url})
	if err != nil {
		return nil, err
	}
	built, err := adagents.Build(request, adagents.BuildOptions{Now: s.now})
	if err != nil {
		return nil, console.UsageError("", "--to: %v", err)
	}
	return built.File, nil
}

// writePointers writes the pointer of each publisher, if that is asked for.
func (s *subject) writePointers(pointer []byte, domains []hostname.Domain, out string) error {
	switch {
	case out == "":
		s.app.Note("--out writes it for each publisher; avow pointer has the rules for web servers")
		return nil
	case !s.flags.Write:
		s.app.Note("nothing is written; -w writes %s into %s", words.Plural(len(domains), "pointer", "pointers"), out)
		return nil
	}
	for _, domain := range domains {
		// A domain in canonical form has letters, digits, hyphens and dots alone.
		folder := filepath.Join(out, string(domain), ".well-known")
		err := os.MkdirAll(folder, 0o755)
		if err != nil {
			return console.Failure("", "cannot make the folder %s: %s", folder, console.Reason(err))
		}
		err = console.WriteFile(filepath.Join(folder, console.FileName), pointer)
		if err != nil {
			return err
		}
	}
	s.app.Note("wrote %s into %s", words.Plural(len(domains), "pointer", "pointers"), out)
	return nil
}
