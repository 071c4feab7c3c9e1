// Package adstxt reads the MANAGERDOMAIN lines of an ads.txt file.
//
// A publisher without an adagents.json file may be represented by a manager that
// its ads.txt names. That line decides whose file speaks for the publisher, so
// the grammar here is exact: a line counts only when it can be read in one way.
// Lines that look as if they were meant to take effect and do not are kept with the
// reason, because their author expects them to work.
//
// The package is pure: bytes go in, values come out.
package adstxt
