// Package operator compares what the operator of an agent says about its paths with what
// the files of publishers say: the relationship of each property in a brand.json with the
// delegation_type of the entries that cover the property.
//
// The result stands beside the verdict and never changes it. The file of the publisher
// alone authorizes; a brand.json never does. What the comparison decides is whether a
// buyer may go on, or should let a person look first.
package operator
