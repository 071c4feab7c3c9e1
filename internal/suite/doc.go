// Package suite runs the conformance suite against any implementation: it reads the cases, hands
// them to a command or a registry, compares the answers and reports them.
//
// A case is data: files, a question, a time and the answer to give. The answer comes from an
// Answerer, which knows nothing of what is expected. A program is asked over its standard input and
// output, one line of JSON for each case (Process); a registry over its routes (Registry).
// docs/conformance.md describes the lines.
package suite
