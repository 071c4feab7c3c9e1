// Package formats says which creative formats can be bought: those that the catalog of
// a publisher and the product of a seller accept both.
//
// A format is a kind with limits, its parameters. Two formats of one kind need not have
// a creative in common, so they are compared parameter by parameter, each by the class
// that it belongs to: sizes as pairs and boxes, ranges, lists, upper and lower limits,
// demands, permissions, and whatever has to be equal. Intersect returns what both
// accept with the Relation of the two, or the parameter that leaves nothing, with the
// value on both sides. What cannot be compared is not accepted.
//
// ReadProduct reads a product, also one that names formats of the older model. On puts
// a product and a placement of a catalog together, layer by layer; a format that only
// the catalog has is never accepted. Redefines tells where a product says more about a
// placement than its publisher does.
//
// The package reads no clock, disk or network.
package formats
