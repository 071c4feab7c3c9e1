// Package servicetest tests the registry service as a whole: avow serve runs as a process
// of its own, on each of its stores, and is called over HTTP by these tests and by the
// client library and the command of the protocol.
//
// The process is this test program under another name, so that it can be given an
// internet of its own: see package fakeweb. All else is as it is for an operator. It has
// a key for the brand data provider that must never turn up anywhere, and each test
// looks for it in all that its processes left behind.
package servicetest
