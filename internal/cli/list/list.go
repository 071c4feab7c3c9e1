// Package list has the flags of commands that take a list of domains.
package list

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/domainlist"
	"github.com/avow-project/avow/internal/draft"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Flags are the flags of commands that take a list.
type Flags struct{ From, Column string }

// AddFlags adds them to a command.
func AddFlags(cmd *cobra.Command) *Flags {
	f := new(Flags)
	cmd.Flags().StringVar(&f.From, "from", "",
		"read domains from `FILE`, one in each line or in a column of a CSV file; - is standard input")
	cmd.Flags().StringVar(&f.Column, "column", "",
		"the `COLUMN` of the CSV file that has the domains, by its name or its number")
	return f
}

// A List is what was read.
type List struct {
	// Domains are in the order of the file, each once.
	Domains []hostname.Domain
	// Bad is the number of lines without a domain that can be read.
	Bad int

	ids, names map[hostname.Domain]string
}

// A Website is the property of a publisher that has a site and nothing else.
type Website struct{ Domain, ID, Name string }

// Websites returns a website for each of these domains, with the id and the name that the list has for
// it, and else with the domain as its name. Ids that are made avoid those that are taken.
func (l List) Websites(domains []string, taken map[string]bool) []Website {
	for _, id := range l.ids {
		taken[id] = true
	}
	sites := make([]Website, 0, len(domains))
	for _, domain := range domains {
		id := l.ids[hostname.Domain(domain)]
		for n := 1; id == ""; n++ {
			made := draft.PropertyID(domain)
			if n > 1 {
				made += "_" + strconv.Itoa(n)
			}
			if !taken[made] {
				id, taken[made] = made, true
			}
		}
		sites = append(sites, Website{domain, id, cmp.Or(l.names[hostname.Domain(domain)], domain)})
	}
	return sites
}

// Targets returns the domains as targets of a check.
func (l List) Targets() []check.Target {
	var targets []check.Target
	for _, domain := range l.Domains {
		targets = append(targets, check.Target{Name: string(domain), Web: string(domain)})
	}
	return targets
}

// Read reads the list that --from names; an empty one without the flag. Lines that are no
// domain, repeat one, or name it in another spelling are told about, with their numbers.
func (f *Flags) Read(a *console.App) (List, error) {
	if f.From == "" {
		if f.Column != "" {
			return List{}, console.UsageError("--from names the file", "--column is for a list")
		}
		return List{}, nil
	}
	src, err := a.ReadInput(f.From)
	if err != nil {
		return List{}, err
	}
	l, err := domainlist.Read(src, domainlist.Options{Column: f.Column})
	if err != nil {
		return List{}, f.explain(err)
	}
	for _, n := range l.Notes {
		a.Note("%s:%d: %s", f.name(), n.Line, n.Text)
	}
	if l.More > 0 {
		a.Note("%s: %d more lines like these", f.name(), l.More)
	}
	if l.Comma == ';' {
		a.Comma = l.Comma
	}
	return List{Domains: l.Domains, Bad: l.Bad, ids: l.IDs, names: l.Names}, nil
}

// name is what the list is called in messages.
func (f *Flags) name() string {
	if f.From == console.StdinName {
		return "standard input"
	}
	return f.From
}

// explain says what is wrong with a list.
func (f *Flags) explain(err error) error {
	var column *domainlist.ColumnError
	switch {
	case !errors.As(err, &column):
		return console.Failure("", "%s is not a CSV file: %v", f.name(), err)
	case column.Number != 0:
		return console.UsageError("", "--column %d: %s has %d columns", column.Number, f.name(), len(column.First))
	}
	return console.UsageError("name one with --column, by its name or its number; the first line has: "+
		strings.Join(column.First, ", "),
		"%s has several columns, and which one has the domains is not clear", f.name())
}
