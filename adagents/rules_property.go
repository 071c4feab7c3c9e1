package adagents

var propertyRules = []rule[*Property]{}
