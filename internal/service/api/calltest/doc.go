// Package calltest calls package api from outside: over real connections, with a real
// store and an internet of its own.
//
// It is a package apart because the store is large. A fuzz test builds everything that
// its package imports in a slow way, and those of package api should not wait for that.
package calltest
