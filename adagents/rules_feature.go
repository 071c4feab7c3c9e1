package adagents

var featureRules = []rule[*Feature]{}
