package edit

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/list"
	"github.com/avow-project/avow/internal/edit"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
)

// agentFlags are those of an agent to add.
type agentFlags struct {
	*Flags
	agent       edit.Agent
	publishers  []string
	list        *list.Flags
	until, keys string
	delegation  *console.Choice
}

func addAgentCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "add-agent [-w] FILE URL --for TEXT (--property-ids|--property-tags|--publishers|--from|--like)",
		Short: "authorize an agent",
		Long: `Add-agent adds an entry to authorized_agents. Exactly one flag says what the agent may sell:
properties of the file by their ids or tags, all that publishers have, or the scope of another
agent, which is copied. An agent that has an entry with the same scope stays as it is.`,
		Example: `  avow edit add-agent adagents.json https://agent.example/mcp --for "all sites" --property-tags all -w
  avow edit add-agent network.json https://agent.example/mcp --for "the network" --from publishers.txt --delegation ad_network
  avow edit add-agent network.json https://new.example/mcp --for "the network" --like https://old.example/mcp --keys new.jwk`,
		Args: fileAndAgent, DisableFlagsInUseLine: true,
	}
	f := &agentFlags{Flags: addFlags(cmd), list: list.AddFlags(cmd)}
	f.delegation = console.AddChoice(cmd, "delegation", "delegation_type of the entry",
		append([]string{"none"}, model.DelegationTypes...)...)
	set := cmd.Flags()
	set.StringVar(&f.agent.AuthorizedFor, "for", "", "`TEXT` for people about what the agent may sell")
	set.StringSliceVar(&f.agent.PropertyIDs, "property-ids", nil, "`IDS` of properties of the file, separated by commas")
	set.StringSliceVar(&f.agent.PropertyTags, "property-tags", nil,
		"`TAGS` of properties of the file, separated by commas")
	set.StringSliceVar(&f.publishers, "publishers", nil,
		"`DOMAINS` of publishers all of whose properties are meant, separated by commas; --from reads a list")
	set.StringVar(&f.agent.Like, "like", "", "the scope of the agent with this `URL`")
	set.StringSliceVar(&f.agent.Countries, "countries", nil,
		"`CODES` of countries to limit the entry to, separated by commas")
	set.StringVar(&f.until, "until", "", "let the entry end at `TIME`, for example 2026-12-31T00:00:00Z")
	set.StringVar(&f.keys, "keys", "", "pin the public keys in `FILE`")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		err := f.read(a, args[1])
		if err != nil {
			return err
		}
		return Run(a, f.Flags, args[0], func(d *edit.Draft) error { return d.AddAgent(f.agent) })
	}
	return cmd
}

// read fills in the agent.
func (f *agentFlags) read(a *console.App, url string) error {
	var err error
	f.agent.URL, err = agentURL(url)
	if err != nil {
		return err
	}
	if f.agent.AuthorizedFor == "" {
		return console.UsageError(`say it in a few words: --for "all sites of Example"`,
			"--for is needed: what the agent may sell, for people")
	}
	if f.delegation.Value != "none" {
		f.agent.Delegation = f.delegation.Value
	}
	f.agent.Until, err = instant("until", f.until, time.Time{})
	if err != nil {
		return err
	}
	if len(f.publishers) > 0 || f.list.From != "" {
		f.agent.Publishers, err = (&publishersFlags{list: f.list}).domains(a, f.publishers)
		if err != nil {
			return err
		}
	}
	scopes := 0
	for _, given := range []bool{len(f.agent.PropertyIDs) > 0, len(f.agent.PropertyTags) > 0, len(f.agent.Publishers) > 0,
		f.agent.Like != ""} {
		if given {
			scopes++
		}
	}
	if scopes != 1 {
		return console.UsageError("use one of --property-ids, --property-tags, --publishers, --from and --like",
			"what the agent may sell has to be said in one way, not in %d", scopes)
	}
	if f.keys != "" {
		f.agent.SigningKeys, err = ReadKeys(a, f.keys)
	}
	return err
}

// agentURL refuses what cannot be the URL of an agent.
func agentURL(text string) (string, error) {
	_, info, err := hostname.CanonicalURL(text)
	if err != nil || info.Scheme != "https" || info.HasUserinfo {
		return "", console.UsageError("give the whole https URL, for example https://agent.example/mcp",
			"%q is not the URL of an agent", text)
	}
	return text, nil
}

func retireAgentCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use: "retire-agent [-w] FILE URL [--until TIME]", Short: "end the authorization of an agent",
		Long: `Retire-agent removes all entries of an agent. With --until they stay, and end at that time, so
that campaigns can run out.`,
		Example: `  avow edit retire-agent adagents.json https://old.example/mcp -w
  avow edit retire-agent adagents.json https://old.example/mcp --until 2026-12-31T00:00:00Z`,
		Args: fileAndAgent, DisableFlagsInUseLine: true,
	}
	f := addFlags(cmd)
	until := cmd.Flags().String("until", "", "let the entries end at `TIME`, for example 2026-12-31T00:00:00Z")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		end, err := instant("until", *until, time.Time{})
		if err != nil {
			return err
		}
		url, err := agentURL(args[1])
		if err != nil {
			return err
		}
		return Run(a, f, args[0], func(d *edit.Draft) error {
			d.RetireAgent(url, end)
			return nil
		})
	}
	return cmd
}

// ReadKeys reads public keys from a file.
func ReadKeys(a *console.App, name string) ([]edit.Key, error) {
	src, err := a.ReadInput(name)
	if err != nil {
		return nil, err
	}
	keys, err := edit.Keys(src)
	var problem *edit.Problem
	if errors.As(err, &problem) {
		return nil, console.UsageError(problem.Hint, "%s: %s", name, problem.Message)
	}
	return keys, err
}

const keysUsage = "the public keys in `FILE`: a JWK, a set of them, or a signing_keys member as avow pin prints it; " +
	"- is standard input"

func rotateCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use: "rotate [-w] FILE URL --keys KEYS", Short: "replace the pinned keys of an agent",
		Long: `Rotate pins new keys of an agent and revokes its other keys: they get revoked_at, and
signatures made at or after that time are refused. --at gives the agent time to change over.
With --drop the other keys are removed, as after the change.`,
		Example: `  avow edit rotate adagents.json https://agent.example/mcp --keys new.jwk --at 2026-02-01T00:00:00Z -w
  avow edit rotate adagents.json https://agent.example/mcp --keys new.jwk --drop`,
		Args: fileAndAgent, DisableFlagsInUseLine: true,
	}
	f := addFlags(cmd)
	name := cmd.Flags().String("keys", "", keysUsage)
	at := cmd.Flags().String("at", "", "revoke the other keys at `TIME`, for example 2026-02-01T00:00:00Z, instead of now")
	drop := cmd.Flags().Bool("drop", false, "remove the other keys")
	cmd.MarkFlagsMutuallyExclusive("at", "drop")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		since, err := instant("at", *at, a.Env.Now())
		if err != nil {
			return err
		}
		return withKeys(a, f, args, *name, func(d *edit.Draft, keys []edit.Key) error {
			return d.Rotate(args[1], keys, since, *drop)
		})
	}
	return cmd
}

// withKeys runs an edit with the keys of a file.
func withKeys(a *console.App, f *Flags, args []string, name string, change func(*edit.Draft, []edit.Key) error) error {
	if name == "" {
		return console.UsageError("--keys names a file with them", "the keys are missing")
	}
	keys, err := ReadKeys(a, name)
	if err != nil {
		return err
	}
	for i := range keys {
		a.Note("key %s, thumbprint %s", keys[i].Kid, keys[i].Print)
	}
	return Run(a, f, args[0], func(d *edit.Draft) error { return change(d, keys) })
}
