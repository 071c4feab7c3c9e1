package discover

import (
	"slices"
	"sync"

	"github.com/avow-project/avow/adagents"
)

// Codes returns the catalogue of findings about the way to a file, in the order
// of the way.
func Codes() []adagents.Rule {
	return slices.Concat(inputCodes, discoveryCodes, adsTxtCodes, connectionCodes, statusCodes, redirectCodes, bodyCodes)
}

// codes returns the catalogue by code.
var codes = sync.OnceValue(func() map[string]adagents.Rule {
	all := make(map[string]adagents.Rule)
	for _, c := range Codes() {
		all[c.Code] = c
	}
	return all
})

// publicConnection is what an untrusted caller learns about any failure to
// connect.
const publicConnection = "fetch.connection"

// Public returns the finding as an untrusted caller may see it. Whether a name
// does not exist, a port is closed, a certificate is wrong or an address is guarded
// is one and the same finding there: the difference would let anyone explore the
// network that avow runs in.
func (f *Finding) Public() Finding {
	public := *f
	public.Detail = ""
	if isPrivate(f.Code) {
		c := publicCause(f.URL)
		general := codes()[c.code]
		public.Code, public.Severity, public.Spec = general.Code, general.Severity, general.Spec
		public.Message, public.Hint = c.message, general.Hint
	}
	return public
}

// isPrivate reports whether a code tells more than an untrusted caller may learn.
func isPrivate(code string) bool {
	return slices.ContainsFunc(connectionCodes, func(c adagents.Rule) bool { return c.Code == code })
}

func publicCause(url string) cause {
	return cause{code: publicConnection, message: "could not connect to " + hostOf(url)}
}

// within returns a cause as part of another finding, which Public does not change.
func (c cause) within(h *Hop) cause {
	if !isPrivate(c.code) {
		return c
	}
	public := publicCause(h.URL)
	public.hint, public.detail = codes()[publicConnection].Hint, c.detail
	return public
}

// inputCodes are about what was asked for. That is an InputError here, and a finding in the
// answers of the service.
var inputCodes = []adagents.Rule{
	{
		Code: "input.domain", Severity: adagents.Error, Spec: "avow docs/rules.md",
		Title: "this is not a public domain name",
		Why: "The text is not the name of a host on the public Internet, so it has no well-known path to check. This " +
			"says nothing about any publisher.",
		Hint: "give a domain such as example.com",
	},
}

// discoveryCodes are about the decisions on the way.
var discoveryCodes = []adagents.Rule{
	{
		Code: "discovery.no_file", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, discovery",
		Title: "the publisher has no file",
		Why: "The well-known path answers 404 and no manager's file is in effect. This says nothing about any agent: " +
			"without a file nothing is verified and nothing is denied.",
		Hint: "serve adagents.json at the well-known path, or a pointer with authoritative_location to where it is",
	},
	{
		Code: "discovery.other_form", Severity: adagents.Info, Spec: "avow docs/rules.md",
		Title: "the file may be on the other name of the site",
		Why: "A domain and its www form are two publishers. Often only one of them serves the file, and buyers ask the " +
			"one that inventory is sold under.",
		Hint: "serve the file on both, or redirect the well-known path of one to the other",
	},
	{
		Code: "discovery.pointer_loop", Severity: adagents.Error,
		Spec:  "AdCP adagents.json Tech Spec, authoritative_location",
		Title: "the pointer leads back",
		Why:   "The pointer leads to a URL that was already requested on the way to it.",
		Hint:  "point to the authoritative file, or publish the declaration here",
	},
	{
		Code: "discovery.nothing_for_publisher", Severity: adagents.Error,
		Spec:  "AdCP adagents.json Tech Spec, authoritative_location",
		Title: "the file behind the pointer declares nothing for the publisher",
		Why: "Buyers find nothing for the domain in this file. Behind a pointer a property is the publisher's when its " +
			"publisher_domain says so; without one, when the publisher's domain identifies it, or when nothing in the file " +
			"names another publisher. A publisher in revoked_publisher_domains has nothing in the file at all.",
		Hint: "give the publisher's properties its publisher_domain in that file, remove the revocation if it is a " +
			"mistake, or let the pointer lead to another file",
	},
	{
		Code: "discovery.manager_used", Severity: adagents.Warning, Spec: "AdCP adagents.json Tech Spec, ads.txt fallback",
		Title: "the file was found through ads.txt",
		Why: "The publisher serves no file; the one of the manager that its ads.txt names was used. This method is meant " +
			"for legacy set-ups, and some consumers do not support it.",
		Hint: "serve a pointer with authoritative_location at the well-known path",
	},
	{
		Code: "discovery.manager_unscoped", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, ads.txt fallback",
		Title: "the manager's file does not name the publisher",
		Why: "Anyone can name any manager in an ads.txt. The manager's file speaks for a publisher only when one of its " +
			"usable agent entries names that publisher.",
		Hint: "ask the manager to name the publisher in an agent entry of its file",
	},
	{
		Code: "discovery.manager_revoked", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, ads.txt fallback",
		Title: "the manager has revoked the publisher",
		Why:   "A domain in revoked_publisher_domains is not authorized by that file, wherever else it appears in it.",
		Hint:  "ask the manager to remove the entry, or remove the MANAGERDOMAIN line",
	},
	{
		Code: "discovery.manager_invalid", Severity: adagents.Error, Spec: "AdCP adagents.json Tech Spec, ads.txt fallback",
		Title: "the manager's file is not valid",
		Why: "A manager's file is used only when it has no error other than properties that are left out. In case of " +
			"doubt it does not speak for the publisher.",
		Hint: "ask the manager to fix its file",
	},
	{
		Code: "discovery.superseded", Severity: adagents.Warning, Spec: "AdCP adagents.json Tech Spec, superseded_by",
		Title: "the file has been replaced by another",
		Why: "superseded_by names the file that is current. Consumers read that one, once, in place of the file that " +
			"names it.",
		Hint: "serve or point to the current file, and remove the old one when no client requests it any more",
	},
	{
		Code: "discovery.superseded_failed", Severity: adagents.Warning, Spec: "AdCP adagents.json Tech Spec, superseded_by",
		Title: "the replacement could not be used",
		Why: "The file that superseded_by names could not be fetched or used. The first file still describes the " +
			"inventory, but authorizes no agent.",
		Hint: "fix the file that superseded_by names, or take superseded_by out of the first file",
	},
	{
		Code: "discovery.superseded_loop", Severity: adagents.Warning, Spec: "AdCP adagents.json Tech Spec, superseded_by",
		Title: "superseded_by leads back",
		Why: "The replacement leads to a file that was already read. Neither is newer than the other, so the first one " +
			"stays in use.",
		Hint: "remove superseded_by from the file that is current",
	},
	{
		Code: "discovery.superseded_again", Severity: adagents.Warning, Spec: "AdCP adagents.json Tech Spec, superseded_by",
		Title: "the replacement has been replaced, too",
		Why:   "superseded_by is followed once. The file that was reached names yet another one, which was not read.",
		Hint:  "let superseded_by of the first file name the last one",
	},
}

// adsTxtCodes are about the ads.txt of a publisher without a file.
var adsTxtCodes = []adagents.Rule{
	{
		Code: "adstxt.absent", Severity: adagents.Info, Spec: "AdCP adagents.json Tech Spec, ads.txt fallback",
		Title: "there is no ads.txt",
		Why:   "A publisher without a file may name a manager in ads.txt. This one has neither.",
		Hint: "if a manager publishes the file for the publisher, name it in ads.txt with a MANAGERDOMAIN line; otherwise " +
			"no ads.txt is needed",
	},
	{
		Code: "adstxt.unavailable", Severity: adagents.Warning, Spec: "AdCP adagents.json Tech Spec, ads.txt fallback",
		Title: "ads.txt could not be read",
		Why: "It is not known whether ads.txt names a manager. Since the publisher has no file of its own, it is treated " +
			"as having none.",
		Hint: "make ads.txt available over https, or serve adagents.json",
	},
	{
		Code: "adstxt.content_type", Severity: adagents.Warning, Spec: "AdCP adagents.json Tech Spec, ads.txt fallback",
		Title: "ads.txt is not served as text/plain",
		Why: "A page that a web server sends for every unknown path must not be taken for a list of sellers, so ads.txt " +
			"is read as text/plain only.",
		Hint: "set the header Content-Type: text/plain on ads.txt, or let the server answer 404 if there is none",
	},
	{
		Code: "adstxt.too_long", Severity: adagents.Warning, Spec: "IAB Tech Lab ads.txt",
		Title: "ads.txt has too many lines",
		Why:   "The last MANAGERDOMAIN line decides. A file that is not read to its end does not show which one that is.",
		Hint:  "shorten ads.txt, or serve adagents.json",
	},
	{
		Code: "adstxt.no_manager", Severity: adagents.Info, Spec: "AdCP adagents.json Tech Spec, ads.txt fallback",
		Title: "ads.txt names no manager",
		Why:   "Only a line MANAGERDOMAIN=domain can lead to the file of a manager.",
		Hint: "if a manager publishes the file for the publisher, add a MANAGERDOMAIN line for it; otherwise ads.txt can " +
			"stay as it is",
	},
	{
		Code: "adstxt.noagents", Severity: adagents.Info, Spec: "AdCP adagents.json Tech Spec, ads.txt fallback",
		Title: "ads.txt hides its managers from agents",
		Why:   "A comment with the word noagents hides a MANAGERDOMAIN line from agents. Here every such line has one.",
		Hint:  "if a manager should be found, remove noagents from its line",
	},
	{
		Code: "adstxt.country_suffix", Severity: adagents.Info, Spec: "IAB Tech Lab ads.txt",
		Title: "a MANAGERDOMAIN line is for one country",
		Why: "Only the plain form MANAGERDOMAIN=domain leads to a file. A manager for one country cannot speak for the " +
			"publisher everywhere.",
		Hint: "serve adagents.json with countries on the agent's entry, or remove the country from the line",
	},
	{
		Code: "adstxt.line_ignored", Severity: adagents.Info, Spec: "IAB Tech Lab ads.txt",
		Title: "a MANAGERDOMAIN line is ignored",
		Why:   "The line looks as if it named a manager, but does not have the form MANAGERDOMAIN=domain.",
		Hint:  "write MANAGERDOMAIN=manager.example, with the domain alone",
	},
	{
		Code: "adstxt.manager_cycle", Severity: adagents.Warning, Spec: "AdCP adagents.json Tech Spec, ads.txt fallback",
		Title: "ads.txt leads back to the publisher",
		Why: "The manager in effect is a domain that was already checked. Earlier lines are not tried: only the last one " +
			"counts.",
		Hint: "let the last MANAGERDOMAIN line name the manager, or serve adagents.json",
	},
}
