// Package cli is the command line of avow: it puts the commands together and runs one.
//
// Other people's scripts rely on what the commands print, so their habits are few and
// fixed. Data goes to standard output and messages to standard error, as
// "avow: error: ..." followed by "hint: ..." lines. The exit code is 0 for yes, 1 for no,
// 2 for wrong usage and 3 when the answer could not be determined.
// Colour appears on a terminal only.
//
// Whatever comes from a file, the web, a file name or an argument is outside text, so
// it passes through internal/std/textsafe before a terminal sees it; JSON output
// escapes the same characters in JSON's own way. A value that a finding calls secret is
// not repeated in any report: see internal/redact.
//
// Each command, or family of commands, is a package below this one and is registered in
// commands. It gets everything it touches from console.Env, and reports failure by
// returning an error: see console.UsageError and console.Failure. That keeps the whole
// command line testable in one process. Requests are made through package request and the
// guard of Env.Network alone, and --verbose lists every one. The exception is conformance run
// --url, which may name a registry on this machine.
package cli
