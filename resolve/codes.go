package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// Codes returns the catalogue of reason codes, from the file down to the detail.
func Codes() []adagents.Rule {
	return slices.Concat(fileCodes, entryCodes, propertyCodes, placementCodes, signalCodes, selectorCodes, formatCodes)
}

var fileCodes = []adagents.Rule{
	{
		Code: "file.absent", Title: "the publisher has no file",
		Why: "Publishing the file is voluntary. Without one there is nothing to verify against, which is not a denial: " +
			"the verdict is unverified.",
		Hint: "proceed without verification, or ask the publisher to publish a file",
	},
	{
		Code: "file.unreachable", Title: "it is not known whether the publisher has a file",
		Why:  "The request failed in a way that says nothing about the file. The verdict is unverified.",
		Hint: "ask again later; avow discover shows each request",
	},
	{
		Code: "file.withheld", Title: "the publisher's file is not used at present",
		Why: "The publisher answered, but its answer is not used for now: a decision is pending, a version was refused, " +
			"or the clock or the store of this machine is in the way. A second reason names the cause. The verdict is " +
			"unverified.",
		Hint: "follow the second reason; avow explain describes its code",
	},
	{
		Code: "publisher.unsettled", Title: "the publisher names another location again and again",
		Why: "It named more new locations within a day than avow follows, so the last one was not requested. The verdict " +
			"is unverified.",
		Hint: "ask again a day later, or ask the publisher where its file is",
	},
	{
		Code: "file.pointer_not_followed", Title: "the file at hand only points to another one",
		Why:  "A file that you supply is used as it is; avow makes no request. The verdict is unverified.",
		Hint: "give the file that it points to, or ask about the publisher without a file",
	},
	{
		Code: "file.unusable", Title: "the publisher's file must not be used",
		Why:  "The file as a whole cannot be understood, so no part of it is used. The verdict is unusable.",
		Hint: "ask the publisher to fix the file; avow validate shows what is wrong",
	},
	{
		Code: "file.none_asserted", Title: "the file authorizes no agent at all",
		Why: "A file with an empty list of agents is a catalog. It neither authorizes nor denies nor revokes anything: " +
			"the verdict is none_asserted.",
		Hint: "use the catalog, and look for authorization elsewhere",
	},
	{
		Code: "file.replaced", Title: "the file has been replaced by one that could not be fetched",
		Why: "superseded_by names the file that is current. It could not be fetched or used, so the old one describes " +
			"inventory and decides nothing: the verdict is none_asserted, which is not a no.",
		Hint: "ask again later; --no-follow-superseded answers from the old file alone",
	},
	{
		Code: "file.mirror_only", Title: "there is a mirror, and no file of the publisher",
		Why: "A mirror is a catalog that a third party keeps for a platform without a file. It may describe inventory but " +
			"authorizes no agent: the verdict is none_asserted.",
		Hint: "use the catalog, and look for authorization elsewhere",
	},
	{
		Code: "mirror.unavailable", Title: "the mirror cannot be used",
		Why: "The question named a mirror for the publisher. It could not be fetched, or must not be used, so the answer " +
			"is the same as without a mirror.",
		Hint: "ask again later, or name another mirror",
	},
	{
		Code: "mirror.replaced", Title: "the mirror names a replacement that is not used",
		Why: "superseded_by of a mirror is followed once. Its target could not be fetched, forms a loop, or names yet " +
			"another file, which is not requested.",
		Hint: "use the catalog with care, and ask the mirror's maintainer to correct superseded_by",
	},
	{
		Code: "publisher.revoked", Title: "the file revokes the publisher asked about",
		Why: "A publisher in revoked_publisher_domains is not authorized, wherever else in the file it appears. " +
			"Where files are kept over time that holds for a week after it was first seen, also when the file no longer lists " +
			"it; the message then says so.",
		Hint: "ask the publisher where its file is now",
	},
	{
		Code: "agent.not_listed", Title: "the file has no entry for the agent",
		Why:  "The file lists agents, and this one is not among them. The verdict is not_authorized.",
		Hint: "check the address of the agent, or ask the publisher to add it",
	},
	{
		Code: "agent.listed_under_other_name", Title: "the file names the agent where readers do not look",
		Why: "The address is in a member that the format does not have, such as agent_url for url, or agents for " +
			"authorized_agents. " +
			"Readers ignore such members, so the agent is not listed: the verdict is not_authorized.",
		Hint: "ask the publisher to write the member under its own name; avow fix --likely does",
	},
	{
		Code: "agent.near_miss", Title: "the file lists almost the same address",
		Why: "An address that differs in its scheme, a trailing slash or the case of its path is another agent. Usually " +
			"it is a typo.",
		Hint: "ask about the address as it is listed, or have the publisher correct it",
	},
	{
		Code: "agent.same_host", Title: "the file lists another address at the agent's host",
		Why: "Agents are told apart by their whole address. One at another path of the same host, or at the host with or " +
			"without www, is another agent, and often the one that is meant.",
		Hint: "ask about the address as it is listed, or have the publisher list the other",
	},
	{
		Code: "exclusive.other_agent", Title: "another agent is called the only one",
		Why: "The file marks another agent's entry over the same inventory as exclusive, perhaps in some countries only. " +
			"That does not change the verdict; the publisher contradicts itself.",
		Hint: "ask the publisher which of the two is meant",
	},
}

var entryCodes = []adagents.Rule{
	{
		Code: "entry.covers", Title: "an entry covers what was asked",
		Why:  "All conditions of the entry hold. One such entry is enough.",
		Hint: "nothing to do",
	},
	{
		Code: "entry.inert", Title: "the entry has no effect",
		Why: "A member that decides about the entry's scope is faulty or comes to nothing. Such an entry is never read as " +
			"wider than it is written: it authorizes nothing.",
		Hint: "ask the publisher to fix the entry; avow validate shows what is wrong",
	},
	{
		Code: "entry.outside_window", Title: "the entry does not hold at that time",
		Why:  "The instant asked about lies before effective_from or after effective_until. Both ends belong to the window.",
		Hint: "ask about another instant, or ask the publisher to change the window",
	},
	{
		Code: "entry.country_needed", Title: "the entry depends on the country",
		Why:  "The entry holds in some countries only, and the question names none. The verdict is conditional.",
		Hint: "name the country",
	},
	{
		Code: "entry.country_not_listed", Title: "the entry does not hold in the country",
		Why:  "The entry lists countries, and the one asked about is not among them.",
		Hint: "ask the publisher to add the country",
	},
	{
		Code: "entry.collection_needed", Title: "the entry depends on the collection",
		Why:  "The entry covers some content programs only, and the question names none. The verdict is conditional.",
		Hint: "name the collection with its publisher",
	},
	{
		Code: "entry.collection_not_listed", Title: "the entry does not cover the collection",
		Why: "The entry lists collections, and the question names none of them. Of several that one piece of inventory " +
			"belongs to, one that is listed is enough. A collection is known by publisher and id together.",
		Hint: "ask the publisher to add the collection",
	},
	{
		Code: "entry.collections_revoked", Title: "the entry's collections are of revoked publishers",
		Why:  "The entry is limited to collections whose publishers the file revokes, so it covers nothing.",
		Hint: "ask the file's maintainer to correct the entry",
	},
	{
		Code: "entry.placement_needed", Title: "the entry depends on the placement",
		Why: "The entry covers some placements only, and the question names none. The verdict is conditional; the grant " +
			"lists the placements.",
		Hint: "name the placement",
	},
	{
		Code: "entry.placement_not_listed", Title: "the entry does not cover the placement",
		Why: "The entry is limited to placements by id, by tag or by both, and this one does not satisfy every list. Each " +
			"placement is judged by itself.",
		Hint: "ask the publisher to add the placement or to tag it",
	},
	{
		Code: "entry.no_placement", Title: "none of the entry's placements can be used",
		Why:  "The entry is limited to placements, and none of them exists on what was asked about.",
		Hint: "ask the publisher to correct the entry or the placements",
	},
	{
		Code: "entry.restriction_ignored", Title: "the entry has a member that looks like a restriction but is not one",
		Why: "Readers ignore members they do not know, such as country or expires. The verdict ignores them too, although " +
			"the publisher may have meant to grant less.",
		Hint: "ask the publisher to use the member of the format; avow validate names it",
	},
	{
		Code: "entry.signal_needed", Title: "signals only; ask with a signal",
		Why: "The agent may sell signals of the publisher, no entry lets it sell a property, and the question names " +
			"neither. Authorization for signals says nothing about properties. The verdict is conditional; the grant lists " +
			"the signals that the file defines.",
		Hint: "name the signal; for properties the answer is no",
	},
	{
		Code: "entry.signals_only", Title: "the entry is about signals",
		Why:  "Authorization for signals says nothing about properties.",
		Hint: "ask about a signal, or ask the publisher for an entry about properties",
	},
	{
		Code: "entry.properties_only", Title: "the entry is about properties",
		Why:  "Authorization for properties says nothing about signals.",
		Hint: "ask about a property, or ask the publisher for an entry about signals",
	},
}

var propertyCodes = []adagents.Rule{
	{
		Code: "property.not_covered", Title: "the entry does not cover the property",
		Why:  "The publisher has the property, and the entry's selector does not reach it.",
		Hint: "ask the publisher to add the property to the entry",
	},
	{
		Code: "property.unknown", Title: "the publisher has no such property",
		Why: "No usable property of the file belongs to the publisher and matches the question. Nothing is inferred: a " +
			"domain without a property is not one.",
		Hint: "check the id or identifier, or ask the publisher to declare the property",
	},
	{
		Code: "property.owner_revoked", Title: "the property belongs to a revoked publisher",
		Why: "The file revokes the publisher of the property, or a host the property is known as. That wins over every " +
			"entry.",
		Hint: "ask the publisher where its file is now",
	},
	{
		Code: "property.left_out", Title: "the property is faulty",
		Why: "The file has the property, and it does not conform, for example because it has no identifiers. Such a " +
			"property is skipped; the rest of the file is used.",
		Hint: "ask the publisher to fix the property; avow validate shows what is wrong",
	},
	{
		Code: "property.no_publisher", Title: "the property belongs to no publisher",
		Why: "The property names no publisher. In a publisher's own file it is that publisher's; in a file that several " +
			"may share it is not known whose it is.",
		Hint: "ask the file's maintainer to give the property its publisher_domain",
	},
	{
		Code: "property.other_publisher", Title: "the property belongs to another publisher",
		Why: "Only the publisher's own properties authorize for it. A property of another publisher is that publisher's " +
			"to grant.",
		Hint: "ask about the publisher the property belongs to",
	},
	{
		Code: "property.other_type", Title: "the property is of another type",
		Why:  "The property asked about is there, with another property_type than the question gives.",
		Hint: "ask with the type of the file, or without",
	},
	{
		Code: "property.other_identifier", Title: "the property has other identifiers",
		Why: "The question names a property and an identifier, which must belong together. The property is there, and the " +
			"identifier is not one of its own.",
		Hint: "ask about one of the two",
	},
	{
		Code: "property.other_host", Title: "the property is known as a host of another domain",
		Why: "The file that covers the property speaks for the publisher asked about. Only the publisher itself claims " +
			"that a host outside its own domain is its own. It does not change the verdict.",
		Hint: "ask about the domain of that host as well",
	},
	{
		Code: "property.other_identifier_type", Title: "the identifier is declared with another type",
		Why:  "Identifiers are compared within one type. The same value under another type names something else.",
		Hint: "ask with the type of the file",
	},
	{
		Code: "identifier.publisher_word", Title: "only the publisher says that the id is its own",
		Why: "A host name proves itself, since the file is served under it. An app, a device or a show has an id that " +
			"anyone can write into a file, so an answer about one is only as good as the publisher's claim to it. The verdict " +
			"is the same.",
		Hint: "compare the id with what its store or its owner says, for example the app's entry there or its app-ads.txt",
	},
}

var placementCodes = []adagents.Rule{
	{
		Code: "placement.unknown", Title: "the file has no such placement",
		Why: "An entry that is limited to placements does not cover it. One that is not covers the property whatever the " +
			"placement.",
		Hint: "check the id, or ask the publisher to declare the placement",
	},
	{
		Code: "placement.left_out", Title: "the placement is left out",
		Why: "The file has the placement, and it does not conform, for example because it has no name or a private " +
			"member; or one without a readable placement_id may be meant. Such a placement is skipped, and where it runs is " +
			"not known: no entry covers it, whatever the property.",
		Hint: "ask the publisher to correct the placement; avow validate shows what is wrong",
	},
	{
		Code: "placement.elsewhere", Title: "the placement does not run on the property",
		Why:  "A placement is covered where it runs on a property that the entry covers and the question is about.",
		Hint: "ask about the property the placement runs on",
	},
	{
		Code: "placement.other_collection", Title: "the placement belongs to other collections",
		Why:  "The entry is limited to collections, and the placement belongs to others.",
		Hint: "ask about the collection the placement belongs to",
	},
}

var signalCodes = []adagents.Rule{
	{
		Code: "signal.left_out", Title: "the signal is left out",
		Why: "The file has a definition of the signal that does not conform, or one without a readable id that may be " +
			"meant. It is skipped, and not taken for one that a catalog outside the file defines: the entry does not cover it.",
		Hint: "ask the publisher to correct the signal; avow validate shows what is wrong",
	},
	{
		Code: "signal.not_covered", Title: "the entry does not cover the signal",
		Why: "The entry's selector does not reach the signal. A tag covers the signals that carry it; explaining it in " +
			"signal_tags covers nothing.",
		Hint: "ask the publisher to add the signal to the entry",
	},
	{
		Code: "signal.unknown", Title: "the file defines no such signal",
		Why:  "Only defined signals are covered.",
		Hint: "check the id",
	},
	{
		Code: "signal.country_not_listed", Title: "the signal may not be used in the country",
		Why:  "The definition of the signal lists countries, which narrow those of the entry.",
		Hint: "use the signal in the countries it lists",
	},
	{
		Code: "signal.in_catalog", Title: "the signal is defined outside the file",
		Why: "The entry lists the signal, or signals by tag, and the file refers to a catalog elsewhere instead of " +
			"defining it. The verdict is conditional.",
		Hint: "look the signal up in the catalog and, for an entry with tags, compare them",
	},
}
