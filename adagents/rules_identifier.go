package adagents

var identifierRules = []rule[*Identifier]{}
