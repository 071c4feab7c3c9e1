// Package suitetest holds avow to the conformance suite on every interface, and the suite to
// implementations that are wrong on purpose.
package suitetest
