package adagents

var signalRules = []rule[*Signal]{}
