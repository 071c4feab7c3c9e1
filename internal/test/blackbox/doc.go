// Package blackbox holds tests that run the built program, unchanged, inside a
// network namespace of its own.
//
// In that namespace every address there is, public or reserved, leads to
// listeners of the test, and so does every DNS query. The program believes to be
// on the internet; the test sees each connection it tries to make. Nothing here
// is part of the program.
package blackbox
