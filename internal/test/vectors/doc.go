// Package vectors reads the vectors of package conformance, and its tests hold avow to them.
package vectors
