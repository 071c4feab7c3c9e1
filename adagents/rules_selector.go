package adagents

var selectorRules = []rule[*Selector]{}
