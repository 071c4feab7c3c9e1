// Package jstest runs the npm package of packages/js in Node.js, and holds its answers to those of
// Go.
package jstest
