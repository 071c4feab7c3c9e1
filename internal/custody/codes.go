package custody

import (
	"slices"
	"sync"

	"github.com/avow-project/avow/adagents"
)

// Codes returns the catalogue: events of files, of publishers, of moves, of revocations
// and of the machine, then changes of agents, of keys and of the rest of a file. A severity
// is the usual one: that of file.changed is the highest of its changes, and what concerns a
// record without authority is Info.
func Codes() []adagents.Rule { return slices.Clone(catalogue()) }

var catalogue = sync.OnceValue(func() []adagents.Rule {
	return slices.Concat(fileCodes, publisherCodes, moveCodes, revocationCodes, machineCodes,
		agentCodes, scopeCodes, keyCodes, contentCodes, headCodes)
})

// ranks has the place of each code in the catalogue.
var ranks = sync.OnceValue(func() map[string]int {
	out := make(map[string]int)
	for i, c := range catalogue() {
		out[c.Code] = i
	}
	return out
})

// usual has the severities of events and changes by those of the catalogue.
var usual = [...]Severity{adagents.Info: Info, adagents.Warning: Warning, adagents.Alert: Alert}

func severityOf(code string) Severity { return usual[catalogue()[ranks()[code]].Severity] }

var fileCodes = []adagents.Rule{
	{
		Code: "file.adopted", Severity: adagents.Info, Title: "the first version of a file was adopted",
		Why:  "Nothing was known about the file, so there is nothing to compare it with. It takes effect at once.",
		Hint: "nothing to do",
	},
	{
		Code: "file.changed", Severity: adagents.Info, Title: "a new version of a file was adopted",
		Why: "The content of the file changed, and its date is not earlier. It takes effect at once; its most serious " +
			"change sets the severity.",
		Hint: "look at the changes; avow diff shows all of them",
	},
	{
		Code: "file.rollback", Severity: adagents.Alert, Title: "an older version of a file was refused",
		Why: "Its last_updated lies more than a minute before one that was adopted. An old copy can bring a dismissed " +
			"agent back, so the newer version stays in effect, for a day at most.",
		Hint: "ask the publisher to publish with a current date; if the old version is intended, confirm it with avow hold " +
			"confirm",
	},
	{
		Code: "file.contradicted", Severity: adagents.Alert,
		Title: "a version that was seen for a short time is no longer in effect",
		Why: "It added an agent, a key or revocations, and then three checks at least ten minutes apart found the same " +
			"older version. An attacker between avow and the origin leaves such a trace. The older version is ignored as " +
			"well, because an old copy could bring a dismissed agent back.",
		Hint: "ask the publisher which version is right: it can publish that one with a current date, or you accept the " +
			"older one with avow hold confirm",
	},
	{
		Code: "file.date_missing", Severity: adagents.Warning, Title: "a version without a date was refused",
		Why:  "Versions before it had a last_updated. Without one, an old copy cannot be recognized.",
		Hint: "ask the publisher to add last_updated, or confirm the version with avow hold confirm",
	},
	{
		Code: "file.future", Severity: adagents.Alert, Title: "a version dated in the future was refused",
		Why: "Its last_updated lies more than a minute ahead. After adopting it, avow would take every honest version for " +
			"an older one.",
		Hint: "ask the publisher to correct the date; check the clock of this machine",
	},
	{
		Code: "file.etag_reused", Severity: adagents.Alert, Title: "two versions of a file have the same ETag",
		Why: "An ETag stands for exact bytes. When it does not change with them, caches and conditional requests hide a " +
			"new version.",
		Hint: "ask the publisher to fix its server; avow asks for the whole file at least once a week",
	},
	{
		Code: "file.catalog_etag_reused", Severity: adagents.Warning, Title: "the catalog changed and kept its catalog_etag",
		Why: "Buyers resolve references to the catalog again when catalog_etag changes. Otherwise they keep using the old " +
			"catalog. avow itself compares the bytes.",
		Hint: "ask the publisher to change catalog_etag with every change of the catalog; avow create --etag makes one " +
			"from the content",
	},
	{
		Code: "file.date_reused", Severity: adagents.Warning, Title: "a file changed and kept its date",
		Why:  "last_updated does not tell which of the two versions is newer, so an old copy would go unnoticed.",
		Hint: "ask the publisher to set last_updated with every change",
	},
	{
		Code: "file.failing", Severity: adagents.Warning, Title: "requests for a file began to fail",
		Why:  "The adopted version stays in effect for a day, and never longer than a week after it was last confirmed.",
		Hint: "avow discover shows each request; ask the publisher if it lasts",
	},
	{
		Code: "file.recovered", Severity: adagents.Info, Title: "a file can be fetched again",
		Why:  "Requests had failed, or brought versions that were refused.",
		Hint: "nothing to do",
	},
	{
		Code: "file.expired", Severity: adagents.Alert, Title: "a file is no longer in effect",
		Why: "Requests have failed for a day, or nothing has confirmed the version for a week. The publisher may have " +
			"withdrawn it since.",
		Hint: "ask the publisher why the file cannot be fetched",
	},
	{
		Code: "file.ends_soon", Severity: adagents.Warning, Title: "an entry or a key of a file ends soon",
		Why: "From then on the agent is no longer authorized, or its signatures with that key are refused. avow reports " +
			"it two weeks ahead unless you name another lead time, and again in the last three days.",
		Hint:   "ask the publisher to extend effective_until, or to list the agent's next key, if that is not intended",
		Varies: "info before the last three days",
	},
	{
		Code: "file.gone", Severity: adagents.Alert, Title: "a file was taken away",
		Why:  "The origin says that there is no such file. That ends all authority that comes from it, at once.",
		Hint: "ask the file's maintainer whether this is intended",
	},
	{
		Code: "file.denied", Severity: adagents.Alert, Title: "access to a file is denied",
		Why: "The origin refuses the request, and waiting will not help. Nothing in the file is in effect until the " +
			"origin answers again.",
		Hint: "ask the file's maintainer whether requests are blocked by mistake",
	},
	{
		Code: "file.returned", Severity: adagents.Warning, Title: "a file that was gone is back",
		Why:  "The origin serves the file again, and it takes effect by the usual rules. What was known before still applies.",
		Hint: "check that the return is intended",
	},
	{
		Code: "file.confirmed", Severity: adagents.Info, Title: "an operator has confirmed a refused version",
		Why: "The version is adopted the next time it is seen; if a moderator of a service confirmed it, after ten " +
			"minutes. The latest date stays what it was.",
		Hint: "nothing to do",
	},
	{
		Code: "file.undone", Severity: adagents.Info, Title: "an operator has taken back the confirmation of a version",
		Why:  "The version is refused as before.",
		Hint: "nothing to do",
	},
	{
		Code: "file.overflow", Severity: adagents.Alert, Title: "a file has more revocations than can be kept",
		Why:  "None of them may be forgotten, so nothing of the file is in effect until a week after they fit again.",
		Hint: "ask the file's maintainer to remove entries older than a week",
	},
}

var publisherCodes = []adagents.Rule{
	{
		Code: "publisher.located", Severity: adagents.Info, Title: "a publisher's authority has its first location",
		Why:  "Nothing was known about the publisher, so the location is accepted as it is.",
		Hint: "nothing to do",
	},
	{
		Code: "publisher.failing", Severity: adagents.Warning, Title: "could not determine where a publisher's file is",
		Why:  "The adopted location stays in effect for a day, and never longer than a week after it was last confirmed.",
		Hint: "avow discover shows each request; ask the publisher if it lasts",
	},
	{
		Code: "publisher.recovered", Severity: adagents.Info, Title: "a publisher can be reached again",
		Why:  "Requests to its well-known path had failed.",
		Hint: "nothing to do",
	},
	{
		Code: "publisher.expired", Severity: adagents.Alert, Title: "a publisher's location is no longer in effect",
		Why:  "Requests have failed for a day, or the publisher has not named the location for a week.",
		Hint: "ask the publisher; a pending move can be confirmed with avow hold confirm",
	},
	{
		Code: "publisher.absent", Severity: adagents.Alert, Title: "a publisher no longer has a file",
		Why: "The well-known path has nothing. That ends the delegation at once; what was known is kept, so that " +
			"authority from another location is treated as a move.",
		Hint: "ask the publisher whether that is intended",
	},
	{
		Code: "publisher.denied", Severity: adagents.Alert, Title: "a publisher refuses to answer",
		Why: "The well-known path refuses the request, and waiting will not help. Nothing is in effect until it answers " +
			"again.",
		Hint: "ask the publisher whether requests are blocked by mistake",
	},
	{
		Code: "publisher.returned", Severity: adagents.Warning, Title: "a publisher has a file again",
		Why:  "It names the location that it had before, which takes effect at once.",
		Hint: "check that the return is intended",
	},
}

var moveCodes = []adagents.Rule{
	{
		Code: "move.held", Severity: adagents.Alert, Title: "a publisher's authority moves to another location",
		Why: "Someone who takes over a website could do the same. The old location stays in effect for a day, until the " +
			"new one has stayed the same, or until an operator confirms the move.",
		Hint: "ask the publisher through another channel; then avow hold confirm or avow hold reject",
	},
	{
		Code: "move.restarted", Severity: adagents.Alert, Title: "a pending move has another target",
		Why:  "A location that keeps changing is not stable. The day starts again.",
		Hint: "ask the publisher through another channel; then avow hold confirm or avow hold reject",
	},
	{
		Code: "move.doubted", Severity: adagents.Alert, Title: "a pending move looks suspicious",
		Why: "The file at the new location is older, has an agent that was never seen, delegates less directly, " +
			"contradicts brand.json, or cannot be used. The move is pending until an operator confirms it.",
		Hint: "ask the publisher through another channel; then avow hold confirm or avow hold reject",
	},
	{
		Code: "move.cancelled", Severity: adagents.Warning, Title: "a move was taken back",
		Why: "The publisher names the adopted location again, or has no file any more. If the other location comes again, " +
			"its day starts again.",
		Hint: "ask the publisher whether someone else had access",
	},
	{
		Code: "move.adopted", Severity: adagents.Warning, Title: "a publisher's authority has moved",
		Why:  "The new location has stayed the same for a day, and there was no reason for doubt.",
		Hint: "nothing to do if the move is intended",
	},
	{
		Code: "move.confirmed", Severity: adagents.Info, Title: "an operator has confirmed a move",
		Why:  "The new location takes effect at once.",
		Hint: "nothing to do",
	},
	{
		Code: "move.rejected", Severity: adagents.Info, Title: "an operator has rejected a move",
		Why: "The new location is not adopted without a decision, even when it appears again. The old one stays in effect " +
			"within its time.",
		Hint: "avow hold confirm still lets it in",
	},
	{
		Code: "move.undone", Severity: adagents.Info, Title: "an operator has taken back a decision about a move",
		Why:  "The new location waits for a decision again, as before. If it was confirmed, the old one is in effect again.",
		Hint: "nothing to do",
	},
}

var revocationCodes = []adagents.Rule{
	{
		Code: "revocation.observed", Severity: adagents.Warning, Title: "a file revokes a publisher",
		Why: "Authority from this file does not apply to the publisher from now on, whatever date the entry has, for a " +
			"week at least. Other files are not concerned.",
		Hint: "nothing to do if the revocation is intended",
	},
	{
		Code: "revocation.relisted", Severity: adagents.Warning, Title: "a file revokes a publisher again",
		Why:  "The entry had disappeared. The week starts again.",
		Hint: "nothing to do if the revocation is intended",
	},
	{
		Code: "revocation.delisted", Severity: adagents.Alert, Title: "a revocation disappeared too early",
		Why: "The publisher stays revoked until a week after the entry was first seen, because an attacker who wanted to " +
			"revive an agent would remove the entry first.",
		Hint: "ask the file's maintainer whether this is intended",
	},
	{
		Code: "revocation.released", Severity: adagents.Info, Title: "a revocation is over",
		Why:  "The entry is gone, and a week has passed since it was first seen.",
		Hint: "nothing to do",
	},
	{
		Code: "revocation.lifted", Severity: adagents.Alert, Title: "an operator has ended the hold of a revocation",
		Why:  "The file no longer lists the publisher, and the remaining hold was ended early. The message has the reason.",
		Hint: "nothing to do if it was intended",
	},
}

var machineCodes = []adagents.Rule{
	{
		Code: "clock.back", Severity: adagents.Alert, Title: "the clock of the machine went back",
		Why: "It shows a time well before one that was already recorded. Until it is right again, holds last longer and " +
			"files expire sooner.",
		Hint: "set the clock, and check what sets it; if it is right, the store was used with one that was ahead, and avow " +
			"state set-clock repairs it",
	},
	{
		Code: "clock.ahead", Severity: adagents.Alert, Title: "the clock of the machine is ahead",
		Why: "It shows a time well after the latest one that was recorded, and after the dates that web servers send. " +
			"That time is not recorded. Until the clock is right, files expire sooner and holds are measured by what the " +
			"servers say.",
		Hint: "set the clock, and check what sets it; if it is right, say so with avow state set-clock",
	},
	{
		Code: "clock.set", Severity: adagents.Alert, Title: "an operator has set the clock of the store",
		Why: "The latest recorded time was wrong. Records with a date in the future are not in effect until they are seen " +
			"again; revocations and holds stay.",
		Hint: "avow crawl --all --force checks every publisher at once; nothing else to do if it was intended",
	},
	{
		Code: "state.unsaved", Severity: adagents.Alert, Title: "something that must not be lost could not be saved",
		Why: "avow answers no questions about the publisher until it can: an answer must not depend on what a restart " +
			"would forget.",
		Hint: "check the disk or the database",
	},
	{
		Code: "property.contested", Severity: adagents.Warning,
		Title: "another publisher lists an identifier that this one lists, too",
		Why: "A publisher that listed it 24 hours before all others, or that came first and has its domain in the name of " +
			"the app, keeps its authorizations; otherwise they are conditional until one of them drops it.",
		Hint: "ask the other publisher to remove it; questions that name the publisher are answered from its file alone",
	},
	{
		Code: "history.trimmed", Severity: adagents.Info, Title: "earlier events of a publisher or a file are not kept",
		Why: "Few events are kept about domains that only anonymous callers asked about. The state before the first event " +
			"that says so is no longer known.",
		Hint: "ask with a key, or with avow on the command line: what an operator asks about is kept",
	},
	{
		Code: "state.restored", Severity: adagents.Alert, Title: "an old copy of the store was accepted",
		Why: "The store is older than a state seen earlier, so revocations and dismissed agents may be missing. Nothing " +
			"in it takes effect until it is seen again.",
		Hint: "avow crawl --all --force checks every publisher at once; look into what was revoked within a week before " +
			"this event",
	},
}

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
		Why: "A list of keys without one that can be used, unlike no list, lets no key sign: messages about what the " +
			"entry covers are refused.",
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
		Why: "alg, use, key_ops or adcp_use of the key changed, so messages may be accepted that were refused before, or " +
			"the other way round.",
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
		Why: "The entry is gone from revoked_publisher_domains. Where the file is kept in custody, the publisher stays " +
			"revoked for its week.",
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
		Why: "Clients that cache properties, placements, formats, collections, signals or tags by catalog_etag do not " +
			"notice the change.",
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
