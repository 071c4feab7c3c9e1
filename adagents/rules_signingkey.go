package adagents

var signingKeyRules = []rule[*SigningKey]{}
