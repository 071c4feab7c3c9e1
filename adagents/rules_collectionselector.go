package adagents

var collectionSelectorRules = []rule[*CollectionSelector]{}
