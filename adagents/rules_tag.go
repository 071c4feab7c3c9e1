package adagents

var tagRules = []rule[*Tag]{}
