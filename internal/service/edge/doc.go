// Package edge is what the server and the handlers inside it agree on: what a route is (its
// class, its limits, who may call it from where) and what HTTP calls that which is wrong.
// There is one table of each.
package edge
