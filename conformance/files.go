package conformance

import "embed"

// Files has every vector under its path in this folder, such as discovery/NAME.txtar.
//
//go:embed discovery/*.txtar fields/*.txt formats/*.txtar log/*.json pins/*.txtar resolution/*.txtar supplypath/*.txtar
var Files embed.FS
