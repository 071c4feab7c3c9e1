package rollout

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// Codes returns the catalogue of the codes of rows. Rows about a request that failed have codes
// of package discover.
func Codes() []adagents.Rule { return slices.Clone(rowCodes) }

var rowCodes = []adagents.Rule{
	{
		Code: "network.is_here", Title: "the file itself is at the publisher's well-known path",
		Why:  "The network serves its file at the domain of one of its publishers. A pointer there would lead to itself.",
		Hint: "nothing has to be done",
	},
	{
		Code: "network.nothing_here", Title: "the publisher leads to the file, which has no property of the publisher",
		Why: "An entry selects the publisher, and there is nothing to select: buyers who arrive at the file find no " +
			"property whose publisher_domain is the publisher's, and buy nothing.",
		Hint: "add the properties of the publisher to the file; avow edit add --properties makes one website for each domain",
	},
	{
		Code: "network.points_here", Title: "the publisher points to the file",
		Why:  "Its well-known path has a pointer that names the file of the network.",
		Hint: "nothing has to be done",
	},
	{
		Code: "network.other_spelling", Title: "the pointer of the publisher spells the URL in another way",
		Why:  "Buyers arrive at the file. Programs that compare URLs byte for byte may take the two for different files.",
		Hint: "ask the publisher to write the URL in its pointer exactly as you do",
	},
	{
		Code: "network.other_address", Title: "the pointer of the publisher leads to the same file at another address",
		Why:  "The bytes there are those of the file. When only one of the two is renewed, the publisher is left behind.",
		Hint: "ask the publisher to point to the address that you keep up to date",
	},
	{
		Code: "network.superseded", Title: "the publisher leads to an older address that names the file as its replacement",
		Why:  "Buyers follow superseded_by once. It ends when the old address does.",
		Hint: "ask the publisher to point to the new address",
	},
	{
		Code: "network.manager_line", Title: "the publisher leads to the file by a line in its ads.txt",
		Why:  "MANAGERDOMAIN is the fallback for publishers without a file, and any file at the well-known path overrides it.",
		Hint: "ask the publisher to serve a pointer at its well-known path",
	},
	{
		Code: "network.redirect", Title: "the publisher's well-known path answers with a redirect",
		Why:  "Buyers arrive at the file. Those who do not follow redirects find nothing.",
		Hint: "ask the publisher to answer with the pointer itself instead of a redirect",
	},
	{
		Code: "network.revoked_pointing", Title: "the file revokes the publisher, which still points to it",
		Why:  "Buyers find that the publisher has no agents, so no agent may sell its inventory.",
		Hint: "tell the publisher to serve a file of its own, or take it out of revoked_publisher_domains",
	},
	{
		Code: "network.orphan", Title: "the publisher leads to the file, which does not name it",
		Why:  "Nothing in the file belongs to the publisher, so no agent may sell its inventory.",
		Hint: "add the publisher to the file, or tell it to remove the pointer",
	},
	{
		Code: "network.copy", Title: "the publisher serves a copy of the file instead of a pointer",
		Why:  "The copy does not change when the file does, and revocations do not reach it.",
		Hint: "ask the publisher to replace the copy with a pointer",
	},
	{
		Code: "network.old_copy", Title: "the publisher serves an old copy of the file",
		Why: "It is an inline file that names other publishers of the network and differs from the file. Buyers use what " +
			"it says.",
		Hint: "ask the publisher to replace the copy with a pointer",
	},
	{
		Code: "network.elsewhere", Title: "the publisher leads to another file",
		Why:  "Buyers use the other file, in which the network's entries have no effect.",
		Hint: "ask the publisher whether it has moved to another network, and take it out of the file if so",
	},
	{
		Code: "network.claimed", Title: "the publisher leads to another file that names it, too",
		Why:  "Two networks name the publisher, and the publisher's own pointer decides for the other one.",
		Hint: "ask the publisher which network it is with, and take it out of the file if it has left",
	},
	{
		Code: "network.own_file", Title: "the publisher has a file of its own, with the same agents",
		Why:  "Buyers use the publisher's own file. It lists the agents that the file of the network names for it.",
		Hint: "nothing has to be done, unless the publisher wants the network to maintain its file",
	},
	{
		Code: "network.own_file_differs", Title: "the publisher has a file of its own, without agents of the network",
		Why:  "Buyers use the publisher's own file, and the network's agents are not in it.",
		Hint: "ask the publisher to add the agents to its file, or to serve a pointer instead",
	},
	{
		Code: "network.absent", Title: "the publisher has no file",
		Why:  "Nothing is at its well-known path, and its ads.txt leads nowhere. Buyers learn nothing about any agent.",
		Hint: "ask the publisher to serve a pointer",
	},
}
