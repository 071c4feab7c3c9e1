// Package cli is the command line of avow: commands, flags, exit codes and
// output formats.
//
// Other people's scripts rely on what this package prints, so its habits are
// few and fixed. Data goes to standard output and messages to standard error,
// as "avow: error: ..." followed by "hint: ..." lines. The exit code is 0 for
// yes, 1 for no, 2 for a command that was called wrongly and 3 when the answer
// could not be found out. Colour appears on a terminal only.
//
// Whatever comes from a file, the web, a file name or an argument was written by
// somebody else, so it passes through internal/std/textsafe before a terminal sees
// it; JSON output escapes the same characters in JSON's own way. A value that a
// finding calls secret is not repeated in any report: see redact.
//
// Requests are made by package discover alone, through the guard of Env.Network.
// Nothing else here opens a connection, and --verbose lists every one.
//
// One file holds one command. Commands are registered in (*app).commands, get
// everything they touch from Env, and report failure by returning an error:
// see usageError and failure. That keeps the whole command line testable in
// one process.
package cli
