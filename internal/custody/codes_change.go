package custody

import "github.com/avow-project/avow/adagents"

// checkMeant is the advice for changes that an honest publisher makes as well.
const checkMeant = "confirm with the publisher that the change is intended"

var agentCodes = []adagents.Rule{
	{
		Code: "agent.added", Severity: adagents.Alert, Title: "an agent is authorized that was not before",
		Why:  "A new seller is the first thing that an attacker who takes over a file adds.",
		Hint: checkMeant,
	},
	{
		Code: "agent.delegation_downgraded", Severity: adagents.Alert, Title: "an agent is delegated less directly",
		Why:  "A path from direct to delegated, or to an ad network, means more hands between buyer and publisher.",
		Hint: checkMeant,
	},
	{
		Code: "agent.exclusive_lost", Severity: adagents.Alert, Title: "an agent is no longer the only one",
		Why:  "Others may be authorized for the same inventory from now on.",
		Hint: checkMeant,
	},
	{
		Code: "agent.unpinned", Severity: adagents.Alert, Title: "an agent, or one of its entries, no longer pins a key",
		Why:  "Messages about what the entry covers can no longer be checked against the publisher's file.",
		Hint: "ask the publisher to pin the keys again",
	},
	{
		Code: "agent.silenced", Severity: adagents.Warning, Title: "an entry of an agent no longer accepts any signature",
		Why:  "A list of keys without one that can be used, unlike no list, lets no key sign: messages about what the entry covers are refused.",
		Hint: "ask the publisher to name the keys, or to leave the list out",
	},
	{
		Code: "agent.removed", Severity: adagents.Warning, Title: "an agent is no longer authorized",
		Why:  "Campaigns that buy through it lose their authorization.",
		Hint: "move what is bought through the agent",
	},
	{
		Code: "agent.delegation_changed", Severity: adagents.Warning, Title: "an agent's delegation type changed",
		Why:  "One of the two types is missing or unknown, so it is unclear which is more direct.",
		Hint: checkMeant,
	},
	{
		Code: "agent.delegation_upgraded", Severity: adagents.Warning, Title: "an agent is delegated more directly",
		Why:  "The publisher vouches for a shorter path than before.",
		Hint: checkMeant,
	},
	{
		Code: "agent.exclusive_gained", Severity: adagents.Warning, Title: "an agent is the only one now",
		Why:  "Entries of other agents for the same inventory contradict it.",
		Hint: checkMeant,
	},
	{
		Code: "agent.described", Severity: adagents.Info, Title: "an agent is authorized in other words",
		Why:  "The text authorized_for is for people and decides nothing.",
		Hint: "nothing to do",
	},
}

var scopeCodes = []adagents.Rule{
	{
		Code: "agent.entry_added", Severity: adagents.Warning, Title: "an agent has an additional entry",
		Why:  "One entry that covers what is asked is enough, so another can only widen what the agent may sell.",
		Hint: checkMeant,
	},
	{
		Code: "agent.entry_effective", Severity: adagents.Warning, Title: "an entry that had no effect has one now",
		Why:  "What was wrong with the entry was fixed, and it authorizes.",
		Hint: checkMeant,
	},
	{
		Code: "agent.scope_changed", Severity: adagents.Warning, Title: "an agent's scope is described differently",
		Why:  "The authorization type changed, so the two scopes cannot be compared.",
		Hint: checkMeant,
	},
	{
		Code: "agent.scope_widened", Severity: adagents.Warning, Title: "an agent is authorized for more",
		Why:  "The entry selects something that it did not.",
		Hint: checkMeant,
	},
	{
		Code: "agent.countries_widened", Severity: adagents.Warning, Title: "an agent is authorized in more countries",
		Why:  "An entry without countries holds in all.",
		Hint: checkMeant,
	},
	{
		Code: "agent.window_widened", Severity: adagents.Warning, Title: "an agent is authorized for a longer time",
		Why:  "effective_from lies earlier, effective_until later, or one of them is gone.",
		Hint: checkMeant,
	},
	{
		Code: "agent.limits_widened", Severity: adagents.Warning, Title: "an agent's entry is limited less",
		Why:  "Its collections or placements allow more; without a list they allow everything.",
		Hint: checkMeant,
	},
	{
		Code: "agent.entry_removed", Severity: adagents.Info, Title: "an agent has one entry fewer",
		Why:  "What only that entry covered is no longer authorized.",
		Hint: "nothing to do unless something is bought that it covered",
	},
	{
		Code: "agent.entry_inert", Severity: adagents.Info, Title: "an entry no longer has an effect",
		Why:  "Something in it cannot be read or comes to nothing, so it authorizes nothing.",
		Hint: "ask the publisher to fix the entry; avow validate shows what is wrong",
	},
	{
		Code: "agent.scope_narrowed", Severity: adagents.Info, Title: "an agent is authorized for less",
		Why:  "The entry does not select something that it did.",
		Hint: "nothing to do unless something is bought that it covered",
	},
	{
		Code: "agent.countries_narrowed", Severity: adagents.Info, Title: "an agent is authorized in fewer countries",
		Why:  "Countries are gone from the list, or there is a list where there was none.",
		Hint: "nothing to do unless something is bought there",
	},
	{
		Code: "agent.window_narrowed", Severity: adagents.Info, Title: "an agent is authorized for a shorter time",
		Why:  "effective_from lies later or effective_until earlier.",
		Hint: "nothing to do unless something is bought for that time",
	},
	{
		Code: "agent.limits_narrowed", Severity: adagents.Info, Title: "an agent's entry is limited more",
		Why:  "Its collections or placements allow less.",
		Hint: "nothing to do unless something is bought that it covered",
	},
}

var keyCodes = []adagents.Rule{
	{
		Code: "signing_key.added", Severity: adagents.Alert, Title: "an agent may sign with another key",
		Why:  "The holder of the key can speak for the agent.",
		Hint: checkMeant,
	},
	{
		Code: "signing_key.replaced", Severity: adagents.Alert, Title: "a key has taken the name of another",
		Why:  "The kid is the same and the key material is not. Rotation uses a new kid.",
		Hint: checkMeant,
	},
	{
		Code: "signing_key.removed", Severity: adagents.Alert, Title: "an agent may no longer sign with a key",
		Why:  "Messages signed with it are refused from now on.",
		Hint: checkMeant,
	},
	{
		Code: "signing_key.restored", Severity: adagents.Alert, Title: "the revocation of a key was taken back",
		Why:  "revoked_at is gone or lies later, so signatures count that did not before.",
		Hint: checkMeant,
	},
	{
		Code: "signing_key.withdrawn", Severity: adagents.Warning, Title: "a key of an agent is revoked",
		Why:  "Signatures made at or after revoked_at are refused.",
		Hint: "look at what the key has signed lately",
	},
	{
		Code: "signing_key.repurposed", Severity: adagents.Warning, Title: "a key of an agent has another purpose",
		Why:  "alg, use, key_ops or adcp_use of the key changed, so messages may be accepted that were refused before, or the other way round.",
		Hint: checkMeant,
	},
	{
		Code: "encryption_key.changed", Severity: adagents.Alert, Title: "messages to an agent are encrypted for other keys",
		Why:  "The holder of a new private key can read messages sent to the agent.",
		Hint: checkMeant,
	},
}

var contentCodes = []adagents.Rule{
	{
		Code: "properties.dropped", Severity: adagents.Alert, Title: "many properties are gone",
		Why:  "More than 50 properties, or more than a tenth of them, are no longer in the file.",
		Hint: checkMeant,
	},
	{
		Code: "properties.grown", Severity: adagents.Warning, Title: "many properties are new",
		Why:  "More than 50 properties, or more than a tenth of their number, came to the file.",
		Hint: checkMeant,
	},
	{
		Code: "property.identified", Severity: adagents.Warning, Title: "a property is recognised by other identifiers",
		Why:  "Agents that are authorized for the property may now sell other sites or apps.",
		Hint: checkMeant,
	},
	{
		Code: "property.added", Severity: adagents.Info, Title: "a property is new",
		Why:  "Agents whose entries select it may sell it.",
		Hint: "nothing to do",
	},
	{
		Code: "property.removed", Severity: adagents.Info, Title: "a property is gone",
		Why:  "This file no longer authorizes any agent for it.",
		Hint: "nothing to do unless something is bought there",
	},
	{
		Code: "property.changed", Severity: adagents.Info, Title: "a property is described differently",
		Why:  "Its type, name, tags or channels changed. Entries select by tag.",
		Hint: "nothing to do",
	},
	{
		Code: "revocation.removed", Severity: adagents.Alert, Title: "a publisher is no longer revoked",
		Why:  "The entry is gone from revoked_publisher_domains. Where the file is kept in custody, the publisher stays revoked for its week.",
		Hint: checkMeant,
	},
	{
		Code: "revocation.added", Severity: adagents.Warning, Title: "a publisher is revoked",
		Why:  "The file no longer applies to the publisher.",
		Hint: "nothing to do if the revocation is intended",
	},
}

var headCodes = []adagents.Rule{
	{
		Code: "pointer.moved", Severity: adagents.Alert, Title: "authority comes from another location",
		Why:  "The publisher names another URL than before.",
		Hint: checkMeant,
	},
	{
		Code: "pointer.added", Severity: adagents.Alert, Title: "authority comes from a location that was not named before",
		Why:  "There was no location, or the publisher's own file.",
		Hint: checkMeant,
	},
	{
		Code: "pointer.removed", Severity: adagents.Alert, Title: "authority no longer comes from a location",
		Why:  "The publisher no longer names the URL.",
		Hint: checkMeant,
	},
	{
		Code: "file.date_back", Severity: adagents.Alert, Title: "a version has an earlier date, or none",
		Why:  "That is what an old copy looks like.",
		Hint: "ask the publisher to publish with a current date",
	},
	{
		Code: "contact.changed", Severity: adagents.Warning, Title: "the contact of a file changed",
		Why:  "The file may have a new maintainer.",
		Hint: checkMeant,
	},
	{
		Code: "file.superseded", Severity: adagents.Warning, Title: "a file names another successor",
		Why:  "superseded_by is new, another, or gone.",
		Hint: checkMeant,
	},
	{
		Code: "catalog.etag_unchanged", Severity: adagents.Warning, Title: "the catalog changed and kept its version",
		Why:  "Clients that cache properties, placements, formats, collections, signals or tags by catalog_etag do not notice the change.",
		Hint: "ask the publisher to change catalog_etag with every change of the catalog",
	},
	{
		Code: "file.date_unchanged", Severity: adagents.Warning, Title: "the file changed and kept its date",
		Why:  "last_updated does not tell which of the two versions is newer.",
		Hint: "ask the publisher to set last_updated with every change",
	},
	dropped("collections"), dropped("placements"), dropped("formats"), dropped("signals"),
	changed("collections"), changed("placements"), changed("formats"), changed("signals"),
	{
		Code: "file.date_changed", Severity: adagents.Info, Title: "a version has a new date",
		Why:  "Every new version has one.",
		Hint: "nothing to do",
	},
	{
		Code: "catalog.etag_changed", Severity: adagents.Info, Title: "the catalog has a new version",
		Why:  "What refers to properties, placements, formats, collections or signals has to be resolved again.",
		Hint: "nothing to do",
	},
}

func dropped(list string) adagents.Rule {
	return adagents.Rule{
		Code: list + ".dropped", Severity: adagents.Warning, Title: "many " + list + " are gone",
		Why:  "More than 50 of the " + list + ", or more than a tenth, are no longer in the file.",
		Hint: checkMeant,
	}
}

func changed(list string) adagents.Rule {
	return adagents.Rule{
		Code: list + ".changed", Severity: adagents.Info, Title: "other " + list + " are offered",
		Why:  "Some of the " + list + " are new or gone. Versions of one and the same are not compared.",
		Hint: "nothing to do",
	}
}
