package create

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/model"
)

// contentFlags are the flags that describe a file.
type contentFlags struct {
	domains      []string
	www          bool
	tags         []string
	name         string
	properties   []string
	contactName  string
	contactEmail string
	mirror       bool
	supersededBy string

	agents           []string
	authorizedFor    string
	propertyIDs      []string
	propertyTags     []string
	publisherDomains []string
	delegation       *console.Choice
	countries        []string
	exclusive        bool
	from, until      string
	signingKeys      string
}

// agentFlagNames need --agent.
var agentFlagNames = []string{
	"authorized-for", "property-ids", "property-tags", "publisher-domains", "delegation-type",
	"countries", "exclusive", "effective-from", "effective-until", "signing-keys",
}

// contentFlagNames describe the file, so they and a request file exclude each
// other.
var contentFlagNames = append([]string{
	"domain", "www", "name", "property", "tag", "contact-name", "contact-email", "mirror", "superseded-by", "agent",
}, agentFlagNames...)

func (c *contentFlags) add(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringArrayVar(&c.domains, "domain", nil,
		"a `DOMAIN` of the publisher: adds a website property for it; may be repeated")
	set.BoolVar(&c.www, "www", false, "cover the www form of each --domain as well: buyers take it for another publisher")
	set.StringVar(&c.name, "name", "", "`NAME` of the site given with --domain")
	set.StringArrayVar(&c.properties, "property", nil,
		"a property as `KEY=VALUE,...`, for example \"id=app,type=mobile_app,name=Our App,ios_bundle=com.example.app\"; "+
			"may be repeated")
	set.StringArrayVar(&c.tags, "tag", nil, "what a tag of properties means, as `NAME=MEANING`; may be repeated")
	set.StringVar(&c.contactName, "contact-name", "", "`NAME` of who manages the file")
	set.StringVar(&c.contactEmail, "contact-email", "", "`ADDRESS` for questions about the file")
	set.StringArrayVar(&c.agents, "agent", nil, "`URL` of the agent that may sell; the agent flags below describe it")
	set.StringVar(&c.authorizedFor, "authorized-for", "", "what the agent may sell, as a `TEXT` for people")
	set.StringSliceVar(&c.propertyIDs, "property-ids", nil,
		"`IDS` of the properties the agent may sell; without a selector: all given here")
	set.StringSliceVar(&c.propertyTags, "property-tags", nil, "`TAGS` of the properties the agent may sell")
	set.StringSliceVar(&c.publisherDomains, "publisher-domains", nil,
		"`DOMAINS` of other publishers whose every property the agent may sell")
	c.delegation = &console.Choice{Words: model.DelegationTypes}
	set.Var(c.delegation, "delegation-type", "path to the inventory: "+strings.Join(model.DelegationTypes, ", "))
	completeWords(cmd, "delegation-type", model.DelegationTypes)
	set.StringSliceVar(&c.countries, "countries", nil, "`CODES` of the countries the agent may sell in, for example DE,AT")
	set.BoolVar(&c.exclusive, "exclusive", false, "the agent is the only authorized path")
	set.StringVar(&c.from, "effective-from", "", "`TIME` the authorization begins, for example 2026-01-01T00:00:00Z")
	set.StringVar(&c.until, "effective-until", "", "`TIME` the authorization ends")
	set.StringVar(&c.signingKeys, "signing-keys", "",
		"`FILE` with the agent's public keys to pin: a JWK, a list of them, a key set, or what avow pin --format json prints")
	set.BoolVar(&c.mirror, "mirror", false, "make a catalog-only file: no agent, and no sales authorization asserted")
	set.StringVar(&c.supersededBy, "superseded-by", "",
		"`URL` of the platform's own file, for a mirror that has had its day")
}

// completeWords offers words for a flag that exists.
func completeWords(cmd *cobra.Command, flag string, words []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic("cli: " + err.Error())
	}
}

// given returns the first of the named flags that was set.
func given(cmd *cobra.Command, names []string) (string, bool) {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return name, true
		}
	}
	return "", false
}

// check refuses combinations that cannot be meant, and text that could get
// into a file only after being changed.
func (c *contentFlags) check(cmd *cobra.Command, args []string) error {
	name, hasAgentFlag := given(cmd, agentFlagNames)
	selectors := 0
	for _, list := range [][]string{c.propertyIDs, c.propertyTags, c.publisherDomains} {
		if len(list) > 0 {
			selectors++
		}
	}
	for _, domain := range slices.Concat(c.domains, c.publisherDomains) {
		if check.LooksLikeFile(domain) {
			return check.NotDomain(domain, "--from")
		}
	}
	switch {
	case slices.ContainsFunc(args, func(s string) bool { return !utf8.ValidString(s) }):
		return console.UsageError("set the terminal to UTF-8, or write a request file", "the command line is not UTF-8 text")
	case len(c.agents) > 1:
		return console.UsageError("put them in a request file: avow create -f request.json",
			"flags can describe one agent, got %d", len(c.agents))
	case hasAgentFlag && len(c.agents) == 0:
		return console.UsageError("name the agent with --agent https://...", "--%s needs --agent", name)
	case c.mirror && len(c.agents) > 0:
		return console.UsageError("leave out one of them", "--mirror asserts no sales authorization, --agent does")
	case selectors > 1:
		return console.UsageError("choose one; for several scopes write a request file with one entry for each",
			"--property-ids, --property-tags and --publisher-domains exclude each other")
	case c.www && len(c.domains) == 0:
		return console.UsageError("add --domain example.com", "--www is about the domains of --domain")
	case c.name != "" && len(c.domains) != 1:
		return console.UsageError("use --property for a name of each", "--name goes with one --domain")
	}
	return nil
}

// declaration turns the flags into a request. read reads a file.
func (c *contentFlags) declaration(read func(string) ([]byte, error), more ...declaredProperty) (*declaration, error) {
	d := &declaration{SupersededBy: c.supersededBy, Properties: more}
	if c.contactName != "" || c.contactEmail != "" {
		d.Contact = &declaredContact{Name: c.contactName, Email: c.contactEmail}
	}
	for _, domain := range c.domains {
		d.Properties = append(d.Properties, website(domain, c.name))
		other, ok := otherForm(domain)
		if c.www && ok && !slices.Contains(c.domains, other) {
			d.Properties = append(d.Properties, website(other, c.name))
		}
	}
	for _, text := range c.tags {
		tag, err := parseTag(text)
		if err != nil {
			return nil, err
		}
		d.describe(tag.id, tag.description)
	}
	for _, text := range c.properties {
		p, err := parseProperty(text)
		if err != nil {
			return nil, err
		}
		d.Properties = append(d.Properties, p)
	}
	if c.mirror {
		d.addAgent()
	}
	for _, url := range c.agents {
		a := c.agent(url, d)
		if c.signingKeys != "" {
			keys, err := readKeys(c.signingKeys, read)
			if err != nil {
				return nil, err
			}
			a.SigningKeys = keys
		}
		d.addAgent(a)
	}
	return d, nil
}

func (c *contentFlags) agent(url string, d *declaration) declaredAgent {
	a := declaredAgent{
		URL: url, AuthorizedFor: c.authorizedFor, PropertyIDs: c.propertyIDs, PropertyTags: c.propertyTags,
		Delegation: c.delegation.Value, Countries: c.countries, From: c.from, Until: c.until, Exclusive: c.exclusive,
	}
	if len(c.publisherDomains) > 0 {
		a.Selectors = []declaredSelector{{Domains: c.publisherDomains, SelectionType: "all"}}
	}
	if len(a.PropertyIDs)+len(a.PropertyTags)+len(a.Selectors) == 0 {
		a.PropertyIDs = d.propertyIDs()
	}
	return a
}

// missingContent says what flags still lack for a file, if anything.
func (c *contentFlags) missingContent() error {
	switch {
	case len(c.agents) == 0 && !c.mirror:
		return console.UsageError("add --agent URL, or --mirror for a catalog without sales authorization",
			"no agent is named")
	case len(c.agents) > 0 && c.authorizedFor == "":
		return console.UsageError(`say what the agent may sell, for example --authorized-for "All display inventory"`,
			"--agent needs --authorized-for")
	case len(c.domains)+len(c.properties)+len(c.publisherDomains) == 0:
		return console.UsageError("add --domain example.com, or --property, or --publisher-domains", "no property is named")
	}
	return nil
}
