// Package pin has the commands about keys of agents: pin, which shows and writes those that an
// agent publishes, and keygen, which makes one.
package pin

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/console"
	cliedit "github.com/avow-project/avow/internal/cli/edit"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/edit"
	"github.com/avow-project/avow/internal/redact"
)

const help = `Pin asks an agent for the keys that it publishes, shows their fingerprints, and prints the
member signing_keys for the agent's entry. With it, buyers accept messages from the agent only
if they are signed with one of these keys.

The fingerprint of a key is its thumbprint by RFC 7638. Compare it with what the operator
of the agent tells you by another channel, such as the phone: an attacker who has taken over
the agent's host can publish any key. With --fingerprint only the keys that were confirmed in
this way are pinned, and it is an error if one of them is not published.

The keys are asked for at /.well-known/jwks.json of the agent's host, or at --jwks URL.
With --keys no request is sent: the keys are in a file that the operator gave you.

With -w FILE the keys are written into the entries of that agent. Every other byte of the file
stays as it is, except for last_updated. Entries that pin other keys already are changed only with
--add, which keeps the old ones until all messages are signed with the new, or --replace.
--dry-run shows the change, and what it means for buyers, and writes nothing.
To revoke the old keys from a certain time on, use avow edit rotate.

Exit codes: 0 there are keys to pin, 1 a fingerprint is not among them, or the file pins
others, 2 wrong usage, 3 the keys or the file could not be read.`

const examples = `  avow pin https://agent.example/mcp
  avow pin https://agent.example/mcp --fingerprint kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k -w adagents.json
  avow pin https://agent.example/mcp --add -w adagents.json
  avow pin https://agent.example/mcp --keys agent.jwk -w adagents.json
  avow pin https://agent.example/mcp --format json > keys.json
  avow create --domain example.com --agent https://agent.example/mcp --signing-keys keys.json --authorized-for "All display inventory"`

// flags are the values of the command's flags.
type flags struct {
	web          *request.Flags
	format       *console.Choice
	jwks, keys   string
	fingerprints []string
	file, domain string
	add, replace bool
	dry          bool
}

// Command returns the command pin.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "pin [flags] AGENT-URL",
		Short:   "show an agent's keys, and pin them in a file",
		Long:    help,
		Example: examples,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return console.UsageError("for example: "+cmd.CommandPath()+" https://agent.example/mcp",
					"%s needs the URL of one agent", cmd.CommandPath())
			}
			return nil
		},
	}
	f := &flags{web: request.AddRequestFlags(cmd),
		format: console.AddChoice(cmd, "format", "output format", "text", "json")}
	set := cmd.Flags()
	set.StringVar(&f.jwks, "jwks", "", "the https `URL` of the key set, if it is not at /.well-known/jwks.json")
	set.StringSliceVar(&f.fingerprints, "fingerprint", nil, "pin the key with this `THUMBPRINT` only; may be repeated")
	set.StringVar(&f.keys, "keys", "", "with -w: pin the public keys in `FILE`, and send no request; - is standard input")
	set.StringVarP(&f.file, "write", "w", "", "write the keys into the agent's entries in this `FILE`")
	set.BoolVar(&f.add, "add", false, "with -w: add to the keys that are pinned already")
	set.BoolVar(&f.replace, "replace", false, "with -w: replace the keys that are pinned already")
	set.BoolVar(&f.dry, "dry-run", false, "with -w: show the change, and write nothing")
	set.StringVar(&f.domain, "as", "", "with -w: check the file as the one served for `DOMAIN`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := f.check(cmd)
		if err != nil {
			return err
		}
		return f.run(cmd.Context(), a, args[0])
	}
	return cmd
}

func (f *flags) check(cmd *cobra.Command) error {
	err := console.NoEmptyFlag(cmd, nil)
	switch {
	case err != nil:
		return err
	case f.add && f.replace:
		return console.UsageError("--add keeps the old keys, --replace does not", "--add and --replace exclude each other")
	case f.keys != "" && f.jwks != "":
		return console.UsageError("--jwks names a URL, --keys a file", "--jwks and --keys exclude each other")
	}
	for _, name := range []string{"keys", "add", "replace", "dry-run", "as"} {
		if f.file == "" && cmd.Flags().Changed(name) {
			return console.UsageError("name the file with -w", "--%s is about a file", name)
		}
	}
	return nil
}

func (f *flags) run(ctx context.Context, a *console.App, agent string) error {
	if f.keys != "" {
		return f.pinGiven(a, agent)
	}
	asker, err := request.NewAsker(a, f.web, adagents.Options{Now: a.Env.Now()})
	if err != nil {
		return err
	}
	ctx, stop := console.Interruptible(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, asker.Timeout)
	defer cancel()
	set := asker.Finder.KeySet(ctx, agent, f.jwks)
	if len(set.Keys) == 0 || set.Message != "" {
		hint := set.Hint
		if f.jwks == "" {
			hint += "; --jwks URL names it"
		}
		return console.Failure(hint, "no keys of %s: %s", redact.URL(agent), redact.Credentials(set.Message))
	}
	chosen, err := f.choose(set)
	if err != nil {
		return err
	}
	if f.file == "" {
		return show(a, f, agent, set, chosen)
	}
	if f.format.Value == "text" {
		writeKeys(a, agent, set, chosen)
		fmt.Fprintln(a.Out)
	}
	if len(chosen) == 0 {
		return errNone()
	}
	text, err := console.EncodeJSON(publicKeys(chosen))
	if err != nil {
		return err
	}
	keys, err := edit.Keys(text)
	if err != nil {
		return err
	}
	return f.write(a, agent, keys)
}

// errNone is the error of an agent none of whose keys will do.
func errNone() error {
	return console.Failure("ask the operator of the agent to publish an Ed25519 or P-256 key",
		"none of the keys can be pinned")
}

// pinGiven pins the keys of a file.
func (f *flags) pinGiven(a *console.App, agent string) error {
	keys, err := cliedit.ReadKeys(a, f.keys)
	if err != nil {
		return err
	}
	for _, print := range f.fingerprints {
		if !slices.ContainsFunc(keys, func(k edit.Key) bool { return k.Print == print }) {
			return &console.Error{Code: console.ExitNo, Message: "no key with the fingerprint " + print + " is in " + f.keys}
		}
	}
	keys = slices.DeleteFunc(keys, func(k edit.Key) bool {
		return len(f.fingerprints) > 0 && !slices.Contains(f.fingerprints, k.Print)
	})
	for i := range keys {
		a.Note("key %s, fingerprint %s", keys[i].Kid, keys[i].Print)
	}
	a.Note("AdCP 3.3 verifiers accept a pinned key only if the agent publishes it, too; avow validate --agents compares")
	return f.write(a, agent, keys)
}

// write pins keys in the file.
func (f *flags) write(a *console.App, agent string, keys []edit.Key) error {
	o := &cliedit.Flags{Write: !f.dry, Writes: "the same without --dry-run", Domain: f.domain, Format: f.format}
	return cliedit.Run(a, o, f.file, func(d *edit.Draft) error {
		if f.replace {
			return d.Rotate(agent, keys, a.Env.Now(), true)
		}
		return d.Pin(agent, keys, f.add)
	})
}

// choose returns the keys to pin: those that can be, or those whose fingerprints were confirmed.
func (f *flags) choose(set *discover.KeySet) ([]discover.AgentKey, error) {
	var chosen []discover.AgentKey
	for _, k := range set.Keys {
		if k.Fault == "" && (len(f.fingerprints) == 0 || slices.Contains(f.fingerprints, k.Thumbprint)) {
			chosen = append(chosen, k)
		}
	}
	for _, print := range f.fingerprints {
		i := slices.IndexFunc(set.Keys, func(k discover.AgentKey) bool { return k.Thumbprint == print })
		switch {
		case i < 0:
			return nil, &console.Error{
				Code: console.ExitNo, Message: "no key with the fingerprint " + print + " is published at " + redact.URL(set.URL),
				Hint: "ask the operator again; if the fingerprint is right, the agent's host may have been taken over",
			}
		case set.Keys[i].Fault != "":
			return nil, &console.Error{Code: console.ExitNo, Message: "the key with the fingerprint " + print +
				" cannot be pinned: " + set.Keys[i].Fault}
		}
	}
	kids := make(map[string]bool)
	for _, k := range chosen {
		if kids[k.Kid] {
			return nil, &console.Error{Code: console.ExitNo, Message: "two keys are published under the name " + k.Kid,
				Hint: "name the right one with --fingerprint"}
		}
		kids[k.Kid] = true
	}
	return chosen, nil
}
