// Package packaging makes the packages of a release, and has the tests of what others use to
// run avow: the action, the hooks, the units and the manifests. It is a module of its own,
// so that users of the library do not get what only releases need.
package packaging
