// Package adagents reads, checks, formats and builds adagents.json, the file
// in which a publisher declares its properties, placements, formats and
// signals, and the agents allowed to sell them.
package adagents

//go:generate go run ../internal/gen/types
