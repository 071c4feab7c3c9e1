package adagents

var agentRules = []rule[*Agent]{}
