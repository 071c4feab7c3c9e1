// Package portable answers programs in other languages: the check, the repair, the layout and the
// resolver behind one function that takes bytes and returns JSON. It is what the WebAssembly
// module of packages/wasm exports.
//
// The JSON is written by hand, in a fixed order of members. A library that finds members by
// reflection would make the module a tenth larger.
package portable
