package adagents

import (
	"slices"
	"strings"
	"sync"
)

// Rules returns the catalogue, in the order of the file's sections.
func Rules() []Rule {
	var all []Rule
	all = append(all, slices.Concat(documentRules...)...)
	all = appendRules(all, fileRules...)
	all = appendRules(all, pointerRules)
	all = appendRules(all, contactRules)
	all = appendRules(all, propertyRules...)
	all = appendRules(all, identifierRules...)
	all = appendRules(all, collectionRules...)
	all = appendRules(all, placementRules...)
	all = appendRules(all, formatOptionRules...)
	all = appendRules(all, formatEntryRules, formatScopeRules)
	all = appendRules(all, declarationRules...)
	all = appendRules(all, rendererRules)
	all = appendRules(all, signalRules...)
	all = appendRules(all, tagRules)
	all = appendRules(all, agentObjectRules)
	all = appendRules(all, agentRules...)
	all = appendRules(all, selectorObjectRules)
	all = appendRules(all, selectorRules...)
	all = appendRules(all, collectionObjectRules)
	all = appendRules(all, collectionSelectorRules...)
	all = appendRules(all, keyObjectRules)
	all = appendRules(all, signingKeyRules...)
	all = appendRules(all, encryptionKeyRules)
	all = appendRules(all, revocationRules)
	all = appendRules(all, featureRules)
	all = appendRules(all, closingRules...)
	slices.SortStableFunc(all, byGroup)
	return all
}

func appendRules[T any](all []Rule, lists ...[]rule[T]) []Rule {
	for _, rules := range lists {
		for i := range rules {
			all = append(all, rules[i].Rule)
		}
	}
	return all
}

// LookupRule returns the rule with the given code.
func LookupRule(code string) (Rule, bool) {
	r, ok := rulesByCode()[code]
	return r, ok
}

var rulesByCode = sync.OnceValue(func() map[string]Rule {
	all := map[string]Rule{}
	for _, r := range Rules() {
		all[r.Code] = r
	}
	return all
})

// byGroup orders rules by the group their code begins with.
func byGroup(a, b Rule) int {
	return strings.Compare(group(a.Code), group(b.Code))
}

func group(code string) string {
	g, _, _ := strings.Cut(code, ".")
	return g
}

// closingRules look at the whole file once every entry has been judged.
var closingRules = [][]rule[*File]{tagClosingRules, revocationClosingRules, featureClosingRules, propertyClosingRules,
	agentDoubleRules, agentExclusiveRules, agentInferredRules, agentAdviceRules}

// fileRules look at the top level of an inline file. They run before the
// sections, so what they report about a section concerns it as a whole.
var fileRules = [][]rule[*File]{agentsListRules, fileHeadRules, catalogRules, supersededRules, sectionRules}

// propertyRules look at one property, after its identifiers. A consumer leaves
// out a property that does not conform and uses the others.
var propertyRules = [][]rule[*propertyCheck]{propertyShapeRules, propertyIDRules, propertyListRules,
	propertyPublisherRules, propertyDuplicateRules}

// propertyClosingRules need the whole file.
var propertyClosingRules = []rule[*File]{tagUndefinedRule, publisherDomainMissingRule, unreferencedRule}

// placementRules look at one entry of the public placement catalog. Its format
// options have been checked before.
var placementRules = [][]rule[*Placement]{
	placementCoreRules,
	placementLinkRules,
	placementTagRules,
	placementChannelRules,
	placementPrivateRules,
	placementOptionRules,
	placementPreviewRules,
}

// agentRules look at one entry of authorized_agents that is an object. Whatever leaves the scope
// of an entry in doubt makes it authorize nothing: an entry that cannot be read
// must never grant more than the publisher wrote.
var agentRules = [][]rule[*Agent]{
	agentURLRules,
	agentEntryRules,
	agentSelectorRules,
	agentInlineRules,
	agentQualifierRules,
	agentCountryRules,
	agentWindowRules,
	agentPropertyRules,
	agentSignalRules,
	agentPlacementRules,
	agentPublisherRules,
	agentKeyRules,
	agentBrandRules,
	agentNothingRules,
}
