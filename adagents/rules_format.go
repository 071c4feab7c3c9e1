package adagents

var formatRules = []rule[*FormatDeclaration]{}
