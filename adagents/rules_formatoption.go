package adagents

var formatOptionRules = []rule[*FormatOption]{}
