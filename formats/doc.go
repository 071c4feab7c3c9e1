// Package formats says which creative formats can be bought: those that the catalog of
// a publisher and the product of a seller accept both.
//
// Ask answers from the document of a publisher, such as an avow.Source supplies, and a product
// that ReadProduct has read. Without a product it lists what the catalog accepts.
//
// A format is a kind with limits, its parameters. Two formats of one kind need not have
// a creative in common, so they are compared parameter by parameter, each by the class
// that it belongs to: sizes as pairs and boxes, ranges, lists, upper and lower limits,
// demands, permissions, and whatever has to be equal. A format that can be bought is what
// both sides accept, with how the two lie to each other. One that cannot comes with the
// parameter that leaves nothing, and its value on both sides. What cannot be compared is not
// accepted, and neither is a format that only the catalog has.
//
// The package reads no clock, disk or network.
package formats
