package edit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/list"
	"github.com/avow-project/avow/internal/edit"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/words"
)

// publishersFlags are those of edits of many publishers.
type publishersFlags struct {
	*Flags
	list            *list.Flags
	agent, selector string
	all, properties bool
	listed          list.List
}

func addPublishersFlags(cmd *cobra.Command) *publishersFlags {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 || len(args) == 1 && !cmd.Flags().Changed("from") {
			return console.UsageError("for example: "+cmd.CommandPath()+" network.json example.com, or --from publishers.txt",
				"%s needs a file and publishers", cmd.CommandPath())
		}
		return nil
	}
	cmd.DisableFlagsInUseLine = true
	return &publishersFlags{Flags: addFlags(cmd), list: list.AddFlags(cmd)}
}

// addSelection adds the flags that say which selector is meant.
func (f *publishersFlags) addSelection(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.agent, "agent", "", "the `URL` of the agent whose selector is meant")
	cmd.Flags().StringVar(&f.selector, "selector", "", "the JSON `POINTER` of the selector, where there are several")
	cmd.Flags().BoolVar(&f.all, "all", false,
		"make a selector for all properties of the publishers, where the agent has none with a list")
}

func (f *publishersFlags) selection() edit.Selection {
	return edit.Selection{Agent: f.agent, Pointer: f.selector, All: f.all}
}

// domains returns the publishers of the arguments and of the list. An invalid line stops the
// edit, because applying half of a list is never wanted.
func (f *publishersFlags) domains(a *console.App, args []string) ([]string, error) {
	var domains []string
	for _, arg := range args {
		domain, ok := check.AsDomain(arg)
		if !ok {
			return nil, check.NotDomain(arg, "--from")
		}
		domains = append(domains, domain)
	}
	listed, err := f.list.Read(a)
	if err != nil {
		return nil, err
	}
	f.listed = listed
	if listed.Bad > 0 {
		return nil, console.UsageError("fix the list, and try again", "%s, and nothing is changed",
			words.Plural(listed.Bad, "line of the list is not a domain name", "lines of the list are not domain names"))
	}
	for _, domain := range listed.Domains {
		domains = append(domains, string(domain))
	}
	slices.Sort(domains)
	domains = slices.Compact(domains)
	if len(domains) == 0 {
		return nil, console.UsageError("write one domain in each line", "the list has no domain")
	}
	return domains, nil
}

// edits runs an edit with the publishers that are named.
func (f *publishersFlags) edits(a *console.App, args []string,
	change func(d *edit.Draft, domains []string) error) error {
	domains, err := f.domains(a, args[1:])
	if err != nil {
		return err
	}
	return Run(a, f.Flags, args[0], func(d *edit.Draft) error { return change(d, domains) })
}

func addCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use: "add [-w] FILE [DOMAIN...] [--from LIST]", Short: "add publishers to the selector of an agent",
		Long: `Add puts publishers into the list publisher_domains of a selector. If the file has several
selectors with a list, --agent or --selector says which one. Publishers that are in it already
stay as they are, and a revoked one is refused.

A publisher that points to the file needs a property in it, or nothing of it can be bought. With
--properties, one website is added for each publisher that has none in the file: its id and
its name are in the columns property_id (or id) and name of the list, and else are made of the
domain.`,
		Example: `  avow edit add network.json --from publishers.csv --properties -w
  avow edit add network.json example.com example.org
  avow edit add network.json --from new.csv --column domain -w
  avow edit add network.json example.com --selector /authorized_agents/0/publisher_properties/0`,
	}
	f := addPublishersFlags(cmd)
	f.addSelection(cmd)
	cmd.Flags().BoolVar(&f.properties, "properties", false,
		"add a website property for each publisher that has no property in the file")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		return f.edits(a, args, func(d *edit.Draft, domains []string) error {
			err := d.AddPublishers(domains, f.selection())
			if err != nil {
				return err
			}
			bare := d.WithoutProperty(domains)
			switch {
			case f.properties:
				for _, site := range f.listed.Websites(bare, d.PropertyIDs()) {
					d.AddWebsite(site.Domain, site.ID, site.Name)
				}
			case len(bare) > 0:
				d.Notes = append(d.Notes,
					fmt.Sprintf(
						"%s no property in %s, so that nothing of theirs can be bought if they point to it: %s; --properties adds a "+
							"website for each",
						words.Plural(len(bare), "publisher has", "publishers have"), args[0], words.Some(bare, 3)))
			}
			return nil
		})
	}
	return cmd
}

func removeCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use: "remove [-w] FILE [DOMAIN...] [--from LIST]", Short: "remove publishers from selectors",
		Long: `Remove takes publishers out of the selectors of all agents, or of one. A selector without
publishers goes as well, and so does an entry without selectors. A publisher that has left the
network is better revoked: a revocation also holds for those who still have an older file.`,
		Example: `  avow edit remove network.json example.com -w
  avow edit remove network.json --from leaving.txt --agent https://agent.example/mcp`,
	}
	f := addPublishersFlags(cmd)
	cmd.Flags().StringVar(&f.agent, "agent", "", "remove them from the selectors of the agent with this `URL` alone")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		return f.edits(a, args, func(d *edit.Draft, domains []string) error { return d.RemovePublishers(domains, f.agent) })
	}
	return cmd
}

// noReason is the word for a revocation without a reason.
const noReason = "none"

func revokeCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use: "revoke [-w] FILE [DOMAIN...] [--from LIST]", Short: "revoke publishers",
		Long: `Revoke adds publishers to revoked_publisher_domains, takes them out of all selectors, and
renews catalog_etag and last_updated. From then on nothing in the file applies to them,
wherever else they appear. Keep the entries for a while: buyers who come later have to see
them.`,
		Example: `  avow edit revoke network.json example.com -w
  avow edit revoke network.json --from left.txt --reason publisher_request --at 2026-01-02T00:00:00Z`,
	}
	f := addPublishersFlags(cmd)
	reason := console.AddChoice(cmd, "reason", "why", append([]string{noReason}, model.RevocationReasons...)...)
	at := cmd.Flags().String("at", "", "since `TIME`, for example 2026-01-02T00:00:00Z, instead of now")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		since, err := instant("at", *at, a.Env.Now())
		if err != nil {
			return err
		}
		why := strings.TrimPrefix(reason.Value, noReason)
		return f.edits(a, args, func(d *edit.Draft, domains []string) error {
			d.Revoke(domains, since, why)
			return nil
		})
	}
	return cmd
}

func reinstateCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use: "reinstate [-w] FILE [DOMAIN...] [--from LIST]", Short: "undo revocations",
		Long: `Reinstate removes the entries of publishers from revoked_publisher_domains. With --agent,
--selector or --all they are added to a selector as well, as avow edit add does it. Buyers
that keep files over time may treat a publisher as revoked for another week.`,
		Example: `  avow edit reinstate network.json example.com --agent https://agent.example/mcp -w`,
	}
	f := addPublishersFlags(cmd)
	f.addSelection(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		return f.edits(a, args, func(d *edit.Draft, domains []string) error {
			if f.agent == "" && f.selector == "" && !f.all {
				return d.Reinstate(domains, nil)
			}
			where := f.selection()
			return d.Reinstate(domains, &where)
		})
	}
	return cmd
}
