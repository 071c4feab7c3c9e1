//go:build !race

package resolve

// checked tells whether reads of a block are checked.
const checked = false
