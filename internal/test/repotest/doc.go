// Package repotest holds the tests that look at the repository as a whole:
// which package imports which, what the pure packages may reach, that every
// package and exported name is explained, and that the documents agree with
// the files they talk about.
//
// Rules that are only written down are followed half of the time; these are
// the ones the design depends on, so a test asks for them.
package repotest
