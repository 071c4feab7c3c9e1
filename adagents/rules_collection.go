package adagents

var collectionRules = []rule[*Collection]{}
