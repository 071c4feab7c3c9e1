package operator

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// Code returns the code of an agreement, in the form of other codes.
func Code(a Agreement) string { return agreementCodes[a].Code }

// Code returns the code of a state.
func (s State) Code() string { return stateCodes[s].Code }

// Codes returns the catalogue of the codes of agreements and states.
func Codes() []adagents.Rule { return slices.Concat(agreementCodes, stateCodes) }

// agreementCodes explain agreements. The authorization by the file stands in every case.
var agreementCodes = []adagents.Rule{
	AgreementUnknown: {
		Code: "relationship.unknown", Title: "nothing is known about the path from the operator",
		Why:  "Neither side describes the path, or what the operator says could not be determined.",
		Hint: "hold for a person: the path rests on the publisher's file alone",
	},
	Agree: {
		Code: "relationship.agree", Title: "publisher and operator describe the path alike",
		Why:  "The delegation_type of the entry and the relationship in the operator's brand.json are the same.",
		Hint: "proceed: both sides describe the path alike",
	},
	Inline: {
		Code: "relationship.inline", Title: "the property is the operator's own",
		Why:  "The operator declares the property its own and the file does not delegate it, so there is nothing to compare.",
		Hint: "proceed: the operator declares the property its own, and the publisher describes no other path",
	},
	Mismatch: {
		Code: "relationship.mismatch", Title: "publisher and operator describe the path differently",
		Why:  "The delegation_type of the entry is not the relationship in the operator's brand.json.",
		Hint: "hold for a person: ask the publisher and the operator which of the two is right",
	},
	IncompletePublisher: {
		Code: "relationship.incomplete_publisher", Title: "the publisher does not describe the path",
		Why:  "The operator's brand.json has a relationship for the property, and the entry has no delegation_type.",
		Hint: "hold for a person: ask the publisher to add delegation_type to the entry",
	},
	IncompleteOperator: {
		Code: "relationship.incomplete_operator", Title: "the operator does not describe the path",
		Why:  "The entry has a delegation_type, and the operator says nothing about the property.",
		Hint: "hold for a person: ask the operator to list the property with its relationship in its brand.json",
	},
	NotComparable: {
		Code: "relationship.not_comparable", Title: "the descriptions of the path cannot be compared",
		Why: "The operator declares the property its own while the publisher says that another company sells it, or one " +
			"side uses an undefined word.",
		Hint: "hold for a person: ask the operator and the publisher who owns the property and who sells it",
	},
	Ambiguous: {
		Code: "relationship.ambiguous", Title: "the operator describes the path in several ways",
		Why: "The brand.json lists the property with different relationships, or names the agent more than once. None of " +
			"them is used.",
		Hint: "hold for a person: ask the operator to say it once in its brand.json",
	},
}

// stateCodes explain states.
var stateCodes = []adagents.Rule{
	NotAsked: {
		Code: "brand.not_asked", Title: "the operator's brand.json was not asked for",
		Why:  "Nothing was asked about the operator, or the agent's URL has no host that could be asked.",
		Hint: "ask again with the operator's brand.json",
	},
	Found: {
		Code: "brand.found", Title: "the operator's brand.json names the agent",
		Why:  "It names the agent once, so what it says about properties is compared with the publisher's file.",
		Hint: "nothing to do",
	},
	Absent: {
		Code: "brand.absent", Title: "the operator has no brand.json",
		Why:  "Publishing one is voluntary. The operator then describes no path.",
		Hint: "ask the operator to publish a brand.json",
	},
	AgentMissing: {
		Code: "brand.agent_missing", Title: "the brand.json does not name the agent",
		Why:  "There is one, and the agent is not in it. It describes no path of this agent.",
		Hint: "ask the operator to add the agent with its URL",
	},
	AgentAmbiguous: {
		Code: "brand.agent_ambiguous", Title: "the brand.json names the agent more than once",
		Why:  "What each of them says may differ, so none of them is used.",
		Hint: "ask the operator to name the agent once",
	},
	OtherDomain: {
		Code: "brand.other_domain", Title: "the brand.json belongs to another domain",
		Why: "It names the agent, and does not list the agent's domain among its operators. Anybody could write that, so " +
			"it is not used.",
		Hint: "ask its owner to list the agent's domain among the operators",
	},
	Unusable: {
		Code: "brand.unusable", Title: "the brand.json cannot be read",
		Why:  "It is there, and it is not what a brand.json has to be.",
		Hint: "ask the operator to correct it; the message says what is wrong",
	},
	Unreachable: {
		Code: "brand.unreachable", Title: "it is not known whether the operator has a brand.json",
		Why:  "The request failed in a manner that says nothing about the document.",
		Hint: "ask again later",
	},
}
