package adagents

var fileRules = []rule[*File]{}
