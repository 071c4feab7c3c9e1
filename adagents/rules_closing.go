package adagents

import "slices"

// closingRules look at the whole file once every entry has been judged.
var closingRules = slices.Concat(tagClosingRules, revocationClosingRules, featureClosingRules,
	propertyClosingRules, agentClosingRules)
