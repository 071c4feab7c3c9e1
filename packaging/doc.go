// Package packaging makes the packages of a release: archives, deb, rpm, images for containers, lists of
// what is inside, the npm package, and checksums. The same commit gives the same bytes, on any machine,
// at any time. It is a module of its own, so that users of the library do not get what only releases
// need. Its tests install and run the packages, and run what others use to run avow in pipelines.
package packaging
