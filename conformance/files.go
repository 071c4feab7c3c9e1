package conformance

import "embed"

// Files has every vector under its path in this folder, such as discovery/NAME.txtar.
//
//go:embed create/*.txtar discovery/*.txtar fields/*.txt formats/*.txtar log/*.json pins/*.txtar resolution/*.txtar supplypath/*.txtar
var Files embed.FS

// Suite has the cases of the conformance suite, which are made of the vectors, in suite/cases.jsonl.gz,
// and what there is to know about them in suite/manifest.json.
//
//go:embed suite/cases.jsonl.gz suite/manifest.json
var Suite embed.FS
