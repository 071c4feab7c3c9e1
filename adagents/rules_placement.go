package adagents

var placementRules = []rule[*Placement]{}
