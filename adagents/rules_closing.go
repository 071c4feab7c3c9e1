package adagents

var closingRules = []rule[*File]{}
