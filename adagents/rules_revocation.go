package adagents

var revocationRules = []rule[*Revocation]{}
