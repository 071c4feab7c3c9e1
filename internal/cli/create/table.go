package create

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/list"
	"github.com/avow-project/avow/internal/std/words"
)

// isTable reports whether a source is a table of publishers, by its name.
func isTable(source string) bool {
	ext := strings.ToLower(filepath.Ext(source))
	return ext == ".csv" || ext == ".tsv"
}

// fromTable makes the file of a network: a website for each publisher of a list, and an agent that may
// sell all of them.
func (c *creator) fromTable(cmd *cobra.Command) error {
	for _, name := range []string{"file", "domain", "property", "mirror", "property-ids", "property-tags",
		"publisher-domains"} {
		if cmd.Flags().Changed(name) {
			return console.UsageError("avow edit changes the file afterwards",
				"--%s and --from with a list of publishers exclude each other", name)
		}
	}
	opt, err := c.output.options(c.app.Env.Now)
	if err != nil {
		return err
	}
	listed, err := (&list.Flags{From: c.source, Column: c.column}).Read(c.app)
	if err != nil {
		return err
	}
	switch {
	case listed.Bad > 0:
		return console.UsageError("fix the list, and try again", "%s no domain, and no file is made",
			words.Plural(listed.Bad, "line of the list is", "lines of the list are"))
	case len(listed.Domains) == 0:
		return console.UsageError("write one domain in each line", "the list has no domain")
	}
	domains := make([]string, 0, len(listed.Domains))
	for _, domain := range listed.Domains {
		domains = append(domains, string(domain))
	}
	c.content.publisherDomains = domains
	err = c.content.check(cmd, c.app.Env.Args)
	if err == nil {
		err = c.content.missingContent()
	}
	if err != nil {
		return err
	}
	var sites []declaredProperty
	for _, site := range listed.Websites(domains, map[string]bool{}) {
		p := website(site.Domain, site.Name)
		p.ID = site.ID
		sites = append(sites, p)
	}
	return c.fromFlags(opt, sites...)
}
