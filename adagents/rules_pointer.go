package adagents

var pointerRules = []rule[*Pointer]{}
