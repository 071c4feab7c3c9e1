package repotest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// layer is one row of the import table. Pattern is a package path below the
// module, or a prefix ending in "/..."; may lists, in the same notation, what
// the packages of the row may import of this module; why is the reason, shown
// when the rule is broken.
//
// Rows are ordered from the inside out: a row may only name rows above it, so
// the table itself cannot describe a cycle.
type layer struct {
	pattern string
	may     []string
	why     string
}

// Groups of rows, to keep the table readable.
var (
	leaves = []string{
		"internal/std/hostname", "internal/std/ipclass", "internal/std/iso3166", "internal/std/jwk", "internal/std/langtag",
		"internal/std/rfc3339", "internal/std/spell", "internal/std/textsafe", "internal/std/jsontree", "internal/std/freshness", "internal/std/words", "internal/std/sfv", "internal/std/jcs", "internal/std/markdown", "internal/flight", "internal/std/textedit",
	}
	library = []string{"adagents", "internal/adstxt", "internal/fetch", "discover", "internal/custody", "resolve", "internal/index", "formats", "keypin", "supplypath", "internal/translog", "internal/websource", "internal/supply", "."}
	shared  = slices.Concat(leaves, []string{"internal/model"})
	// values are what commands ask and show: the library, and its results as JSON.
	values = slices.Concat(leaves, library, []string{"internal/operator", "internal/redact", "internal/answer", "internal/question", "internal/headline", "internal/wire"})
)

// layers is the import rule of the repository.
var layers = []layer{
	{"internal/std/ipclass", nil, "a leaf: kinds of addresses"},
	{"internal/std/hostname", []string{"internal/std/ipclass"}, "names and URLs, nothing of the file format"},
	{"internal/std/iso3166", nil, "a leaf: a table of countries"},
	{"internal/std/jwk", nil, "a leaf: checks on one key given as strings"},
	{"internal/std/langtag", nil, "a leaf: the grammar of locale tags"},
	{"internal/std/rfc3339", nil, "a leaf: the grammar of timestamps"},
	{"internal/std/spell", nil, "a leaf: distances between words"},
	{"internal/std/textsafe", nil, "a leaf: escaping, used by every output"},
	{"internal/std/jsontree", nil, "a leaf: JSON with positions, for any format"},
	{"internal/std/freshness", nil, "a leaf: arithmetic over cache headers, without a cache"},
	{"internal/std/sfv", nil, "a leaf: the grammar of structured fields"},
	{"internal/std/jcs", []string{"internal/std/jsontree"}, "the canonical form of JSON that was read"},
	{"internal/std/words", nil, "a leaf: numbers in sentences"},
	{"internal/std/markdown", nil, "a leaf: the Markdown of our own documents"},
	{"docs", nil, "a leaf: documents as bytes"},
	{"internal/buildinfo", nil, "a leaf: the version, the home of the project, and the commit"},
	{"internal/guide", []string{"internal/buildinfo", "internal/std/markdown"}, "makes a site of documents; it does not know how pages look or who serves them"},
	{"internal/std/textedit", nil, "a leaf: edits of any text, and diffs"},
	{"internal/flight", nil, "a leaf: calls that are shared and answers that are kept, whatever they are"},
	{"internal/std/clock", nil, "a leaf: a limit of time that can be held"},
	{"internal/std/filelock", nil, "a leaf: a file that one process at a time uses"},
	{"internal/service/growth", nil, "a leaf: a list of what can grow"},
	{"internal/service/budget", nil, "a leaf: what requests use together"},
	{"internal/service/patience", nil, "a leaf: what a use case tells a store about a change"},
	{"internal/netguard", []string{"internal/std/hostname", "internal/std/ipclass"}, "address policy knows names, not files or requests"},
	{"internal/model", leaves, "the tables of the format build on the leaves alone"},
	{"internal/format/layout", shared, "writes documents in canonical form; it knows the order of members and no rule"},
	{"internal/format/jsonedit", slices.Concat(shared, []string{"internal/format/layout"}), "edits to the text of a document; it knows no rule"},
	{"internal/format/conform", shared, "compares values with their types; it reports nothing"},
	{"internal/format/formatkind", slices.Concat(shared, []string{"internal/format/conform"}), "reads the params of formats; the rules about them are in adagents"},
	{"internal/format/spread", nil, "a leaf: lays any JSON text out in lines"},
	{"internal/format/lenient", leaves, "proposes edits for any JSON file; it knows no member and no rule"},
	{"internal/translog", nil, "a leaf: the texts of a transparency log, whatever it is about"},
	{"internal/adstxt", leaves, "a second format; it does not know the first"},
	{"internal/format/foreign", slices.Concat(leaves, []string{"internal/adstxt"}), "recognises files of other formats; it knows no rule"},
	{"internal/format/trust", slices.Concat(shared, []string{"internal/format/conform"}), "says whether a trust.json has the right shape; it reports nothing"},
	{"adagents", slices.Concat(shared, []string{"internal/format/layout", "internal/format/conform", "internal/format/formatkind", "internal/format/foreign", "internal/format/trust", "internal/format/jsonedit", "internal/format/lenient"}), "the format: bytes to values to reports, and nothing around it"},
	{"internal/redact", slices.Concat(leaves, []string{"adagents"}), "what every output leaves out of a file, whatever its form"},
	{"internal/draft", slices.Concat(shared, []string{"adagents", "internal/redact"}), "makes drafts of files at hand; it does not know where they come from"},
	{"schemas", nil, "a leaf: the generated JSON Schema as bytes"},
	{"internal/custody", slices.Concat(shared, []string{"adagents"}), "arithmetic over files, without a way to get them"},
	{"resolve", slices.Concat(shared, []string{"adagents"}), "arithmetic over files, without a way to get them"},
	{"internal/index", []string{"adagents", "resolve"}, "finds what is known of a publisher; the evaluator of resolve decides"},
	{"formats", slices.Concat(shared, []string{"adagents", "resolve", "internal/redact"}), "arithmetic over formats of files and products, without a way to get them"},
	{"internal/operator", slices.Concat(leaves, []string{"internal/format/foreign", "adagents", "resolve"}), "arithmetic over what operators publish and verdicts, without a way to get either"},
	{"keypin", slices.Concat(leaves, []string{"adagents"}), "arithmetic over pinned keys, without a way to get them"},
	{"keypin/pinhttp", []string{"adagents", "keypin"}, "the edge to net/http; it decides nothing"},
	{"supplypath", slices.Concat(shared, []string{"internal/adstxt"}), "arithmetic over two files and ads.txt, without a way to get them"},
	{"conformance", nil, "a leaf: vectors for other implementations as bytes"},
	{"internal/fetch", slices.Concat(leaves, []string{"internal/netguard", "internal/buildinfo", "internal/std/clock"}), "one guarded request; it does not know what it carries"},
	{"discover", slices.Concat(leaves, []string{"adagents", "internal/adstxt", "internal/fetch", "resolve"}), "uses requests to find the file; asks resolve whether the publisher has anything in it, and decides nothing else"},
	{"internal/service/metrics", nil, "counts, and writes what it counted; it knows nothing of what is counted"},
	{"internal/service/retain", []string{"internal/custody", "internal/std/hostname"}, "decides what a store keeps, over facts that it is handed"},
	{"internal/websource", slices.Concat(leaves, []string{"adagents", "discover", "resolve", "keypin", "internal/redact"}), "documents and pins from the web; it answers no question"},
	{".", []string{"discover", "internal/websource", "keypin", "resolve"}, "the front door of the library; no service code"},
	{"internal/answer", []string{"adagents", "resolve", "internal/operator", "internal/redact"}, "the one form of answers in JSON, also for the npm package, which loads what it imports"},
	{"internal/headline", slices.Concat(leaves, []string{"adagents", "internal/custody", "discover", "resolve", "internal/redact"}), "what to say first about a publisher, whatever the interface; it does not know where documents come from"},
	{"internal/supply", slices.Concat(leaves, []string{"resolve", "supplypath", "internal/fetch", "internal/answer", "internal/redact"}), "gets what a question about a supply path needs; supplypath decides"},
	{"internal/wire", slices.Concat(leaves, []string{"adagents", "internal/custody", "discover", "internal/fetch", "resolve", "internal/answer", "internal/operator", "internal/redact"}), "the objects that are written as JSON, made of values; it decides nothing"},
	{"internal/service/projection", slices.Concat(leaves, []string{"adagents", "internal/custody", "resolve", "internal/redact", "internal/wire", "internal/std/hostname"}), "what the directory and the feed say of a publisher, before anything is stored"},
	{"internal/service/custodian", slices.Concat(shared, library, []string{"internal/service/projection", "internal/wire", "internal/buildinfo", "internal/std/clock", "internal/redact", "internal/service/patience", "internal/service/retain"}), "use cases of custody; it declares the store that it needs and does not know who provides it"},
	{"internal/question", slices.Concat(leaves, []string{"resolve", "internal/redact"}), "the one parser of questions; it does not know who asks"},
	{"internal/recheck", []string{"adagents", "internal/custody", "internal/question", "internal/translog", "resolve"}, "decides the question of a receipt again"},
	{"receipt", []string{"internal/std/hostname", "internal/recheck", "internal/translog"}, "the front door of receipts"},
	{"internal/portable", slices.Concat(leaves, []string{"adagents", "resolve", "internal/answer", "internal/question"}), "bytes to JSON for other languages; what it imports is in the module that they load"},
	{"packages/wasm", []string{"internal/portable"}, "the edge to WebAssembly; it decides nothing"},
	{"internal/service/directory", slices.Concat(leaves, []string{"internal/service/projection", "adagents", "internal/custody", "resolve", "internal/buildinfo", "internal/service/custodian", "internal/wire"}), "finds what custody knows; it decides nothing"},
	{"internal/changes", slices.Concat(leaves, []string{"adagents", "internal/custody", "internal/redact"}), "says what changes; it does not know where versions come from"},
	{"internal/domainlist", slices.Concat(leaves, []string{"discover"}), "reads lists of domains; it does not know what for"},
	{"internal/rollout", slices.Concat(leaves, []string{"adagents", "internal/custody", "discover", "internal/fetch", "internal/redact", "resolve"}), "judges what was found at publishers, without a way to ask them"},
	{"internal/service/registry", slices.Concat(shared, library, []string{"internal/format/trust", "internal/service/projection", "internal/service/budget", "internal/service/custodian", "internal/service/directory", "internal/headline", "internal/operator", "internal/rollout", "internal/service/patience", "internal/service/retain"}), "use cases; it declares what it needs and does not know who provides it"},
	{"internal/test/promise", nil, "for tests: a leaf that compares lines"},
	{"internal/test/pgtest", nil, "for tests: a database server, which nothing of ours is needed for"},
	{"internal/monitor", []string{"internal/translog", "internal/std/words"}, "follows a log that it is handed piece by piece; it knows neither the network nor the disk"},
	{"internal/service/notary", slices.Concat(leaves, []string{"internal/std/clock", "adagents", "resolve", "internal/answer", "internal/translog", "internal/monitor"}), "keeps a log; it declares the store that it needs and does not know who provides it"},
	{"internal/service/feed", slices.Concat(leaves, []string{"internal/service/projection", "adagents", "internal/custody", "resolve", "internal/redact", "internal/service/directory", "internal/service/notary", "internal/service/registry", "internal/wire"}), "tells what changes in the directory, and how that stands to the log; it declares the store it needs"},
	{"internal/webhook", []string{"keypin", "internal/std/jwk", "internal/netguard", "internal/buildinfo"}, "sends signed documents; it does not know what is in them"},
	{"internal/service/subscribe", []string{"internal/service/projection", "internal/custody", "internal/netguard", "internal/std/hostname", "internal/webhook", "internal/service/custodian", "internal/service/feed", "internal/service/notary", "internal/service/registry"}, "tells what the feed tells; how it is kept and asked for is for others"},
	{"internal/test/witness", []string{"internal/translog"}, "for tests: a witness of transparency logs"},
	{"internal/test/storetest", []string{"internal/service/projection", "internal/translog", "internal/service/notary", "internal/service/feed", "internal/service/directory", "internal/service/registry", "internal/service/custodian", "internal/service/retain", "internal/custody", "resolve"}, "for tests: what every store has to do, which knows none of them"},
	{"internal/service/store/...", slices.Concat(shared, []string{"internal/service/directory", "internal/service/projection", "internal/wire", "resolve", "internal/service/feed", "internal/service/subscribe", "internal/service/registry", "internal/service/custodian", "internal/service/growth", "internal/service/patience", "internal/service/retain", "internal/service/notary", "internal/service/store/...", "adagents", "internal/custody", "internal/translog"}), "a provider; providers do not know each other"},
	{"internal/test/sqlitetest", []string{"internal/service/store/sqlite"}, "for tests: empty stores, made once and copied"},
	{"internal/service/brand", slices.Concat(leaves, []string{"adagents", "resolve", "internal/std/clock", "internal/operator", "internal/service/registry", "internal/fetch"}), "a provider; providers do not know each other"},
	{"internal/edit", slices.Concat(shared, []string{"internal/format/layout", "internal/format/jsonedit", "adagents"}), "changes the text of a file by what is meant; it checks nothing and asks nobody"},
	{"internal/catalogue", slices.Concat(leaves, []string{"adagents", "internal/custody", "discover", "formats", "keypin", "resolve", "internal/operator", "internal/rollout"}), "joins the codes of all packages for the manual, the commands and the pages; it decides nothing"},
	{"internal/lsp", slices.Concat(shared, []string{"adagents", "internal/buildinfo", "internal/catalogue", "internal/format/jsonedit"}), "answers an editor about a text that it is handed; it reads no file"},
	{"conformance/adapters/...", []string{"adagents", "resolve"}, "an example: what a library has to do to be asked"},
	{"internal/suite", slices.Concat(leaves, []string{"conformance", "internal/buildinfo"}), "asks an implementation and compares; it knows nothing of the format"},
	{"internal/deploy", slices.Concat(leaves, []string{"internal/format/layout"}), "knows web servers and hosting services; it does not know what is in a file"},
	{"internal/service/edge", []string{"discover", "resolve", "internal/service/budget", "internal/service/registry", "internal/wire"}, "what the server and the handlers agree on; it knows neither"},
	{"internal/service/ops", slices.Concat(shared, library, []string{"internal/service/projection", "internal/catalogue", "internal/service/budget", "internal/service/edge", "internal/service/custodian", "internal/service/directory", "internal/service/feed", "internal/operator", "internal/service/notary", "internal/service/registry", "internal/service/subscribe", "internal/answer", "internal/headline", "internal/question", "internal/redact", "internal/wire"}), "what clients can ask, whatever the interface; it knows none of the interfaces"},
	{"internal/service/api/...", slices.Concat(leaves, []string{"internal/buildinfo", "internal/model", "internal/service/edge", "internal/service/ops", "internal/service/registry", "internal/wire", "schemas"}), "shows operations over HTTP; what they do is not its business, and the pages are its neighbour, not its part"},
	{"internal/service/mcp", []string{"internal/buildinfo", "internal/redact", "internal/service/edge", "internal/service/ops", "internal/service/registry", "internal/std/textsafe"}, "shows operations to language models; what they do is not its business, and the other interfaces are its neighbours, not its parts"},
	{"internal/service/web", slices.Concat(shared, library, []string{"docs", "internal/operator", "internal/format/spread", "internal/guide", "internal/catalogue", "internal/changes", "internal/domainlist", "internal/rollout", "internal/deploy", "internal/draft", "internal/service/edge", "internal/service/ops", "internal/service/registry", "internal/answer", "internal/buildinfo", "internal/headline", "internal/question", "internal/redact", "internal/wire"}), "shows records as pages; the JSON is its neighbour, not its part"},
	{"internal/test/browsertest", nil, "for tests: the pages as a browser sees them"},
	{"internal/test/vectors", []string{"conformance"}, "for tests: reads the vectors of the conformance suite"},
	{"internal/test/dice", []string{"resolve"}, "for tests: random files and questions"},
	{"internal/test/agreetest", nil, "for tests: the same questions on every interface"},
	{"internal/test/suitetest", nil, "for tests: avow on every interface, held to the conformance suite"},
	{"internal/test/jstest", []string{"internal/test/vectors", "internal/portable", "internal/suite"}, "for tests: the npm package, held to what Go answers"},
	{"internal/test/editortest", nil, "for tests: the language server as an editor sees it"},
	{"internal/service/server", slices.Concat(leaves, []string{"internal/fetch", "internal/buildinfo", "internal/service/budget", "internal/service/edge", "internal/service/growth", "internal/service/metrics", "internal/service/registry", "internal/service/retain"}), "the edge around handlers that it is given; it knows none of them"},
	{"internal/cli/console", slices.Concat(leaves, []string{"adagents", "internal/custody", "internal/netguard"}), "what commands share; it knows no command"},
	{"internal/cli/loopback", []string{"internal/fetch", "internal/netguard"}, "asks this machine, for one command; the service must not reach it"},
	{"internal/cli/settings", slices.Concat(leaves, []string{"internal/cli/console", "internal/service/directory", "internal/service/edge", "internal/service/retain"}), "reads settings; it starts nothing that is set"},
	{"internal/cli/request", slices.Concat(values, []string{"internal/std/clock", "internal/cli/console", "internal/netguard", "internal/service/brand"}), "the only way of commands to the web"},
	{"internal/cli/question", slices.Concat(leaves, []string{"resolve", "internal/question", "internal/redact", "internal/cli/console"}), "reads questions; it does not know where answers come from"},
	{"internal/cli/sources", slices.Concat(values, []string{"internal/cli/console", "internal/cli/settings", "internal/cli/request", "internal/service/brand", "internal/service/custodian", "internal/service/notary", "internal/service/store", "internal/service/store/highwater", "internal/std/clock", "internal/std/filelock", "internal/webhook"}), "where documents come from; it knows no question"},
	{"internal/cli/check", slices.Concat(values, []string{"internal/cli/console", "internal/cli/request"}), "checks targets; it does not know how results are shown"},
	{"internal/cli/report", slices.Concat(values, []string{"internal/buildinfo", "internal/cli/console", "internal/catalogue", "internal/cli/request", "internal/cli/check"}), "shows results; it knows no command"},
	{"internal/cli/policy", slices.Concat(leaves, []string{"adagents", "internal/catalogue", "internal/cli/console"}), "reads what a project has decided; it checks nothing"},
	{"internal/cli/list", slices.Concat(leaves, []string{"internal/domainlist", "internal/draft", "internal/cli/console", "internal/cli/check"}), "the flags of lists; it does not know what for"},
	{"internal/cli/resume", slices.Concat(leaves, []string{"internal/std/filelock", "internal/cli/console"}), "keeps what a run has done; it does not know what that is"},
	{"internal/cli/network", slices.Concat(values, []string{"internal/catalogue", "internal/rollout", "internal/cli/console", "internal/cli/request", "internal/cli/check", "internal/cli/report", "internal/cli/list", "internal/cli/resume"}), "a command"},
	{"internal/cli/pointer", slices.Concat(leaves, []string{"adagents", "internal/deploy", "internal/cli/console", "internal/cli/check", "internal/cli/list"}), "a command; it asks nobody"},
	{"internal/cli/diff", slices.Concat(values, []string{"internal/changes", "internal/cli/console", "internal/cli/request", "internal/cli/sources", "internal/cli/check", "internal/cli/report", "internal/service/custodian"}), "a command; history and watch show changes as it does"},
	{"internal/cli/edit", slices.Concat(values, []string{"internal/model", "internal/edit", "internal/rollout", "internal/cli/console", "internal/cli/sources", "internal/cli/check", "internal/cli/report", "internal/cli/list", "internal/cli/diff"}), "a command; of the others it knows diff, whose output it uses"},
	{"internal/cli/pin", slices.Concat(values, []string{"internal/edit", "internal/cli/console", "internal/cli/request", "internal/cli/edit"}), "commands; of the others they know edit, which changes files for them"},
	{"internal/cli/batch", slices.Concat(values, []string{"internal/cli/console", "internal/cli/request", "internal/cli/question", "internal/cli/sources"}), "a part of the command authorize, which it does not know"},
	{"internal/cli/authorize", slices.Concat(values, []string{"internal/cli/console", "internal/cli/request", "internal/cli/settings", "internal/cli/question", "internal/cli/sources", "internal/cli/report", "internal/cli/batch", "internal/cli/list", "internal/cli/resume", "internal/service/brand", "internal/service/notary"}), "commands; they do not know the others"},
	{"internal/cli/create", slices.Concat(values, []string{"internal/model", "internal/draft", "internal/cli/console", "internal/cli/request", "internal/cli/check", "internal/cli/report", "internal/cli/list"}), "commands; they do not know the others"},
	{"internal/cli/discover", slices.Concat(values, []string{"internal/cli/console", "internal/cli/request", "internal/cli/check", "internal/cli/report", "internal/cli/list", "internal/cli/resume"}), "a command; it does not know the others"},
	{"internal/cli/explain", slices.Concat(values, []string{"internal/buildinfo", "internal/model", "schemas", "internal/cli/console", "internal/catalogue"}), "commands; they do not know the others"},
	{"internal/cli/conformance", []string{"internal/cli/console", "internal/suite"}, "a command; it does not know the others"},
	{"internal/cli/lsp", []string{"adagents", "internal/buildinfo", "internal/cli/console", "internal/lsp"}, "a command; it does not know the others"},
	{"internal/cli/history", slices.Concat(values, []string{"internal/cli/console", "internal/cli/request", "internal/cli/sources", "internal/cli/diff", "internal/service/custodian", "internal/service/store"}), "commands; of the others they know diff, whose output they use"},
	{"internal/cli/serve", slices.Concat(values, []string{
		"internal/cli/console", "internal/cli/settings", "internal/cli/request", "internal/cli/sources",
		"internal/service/budget", "internal/service/custodian", "internal/service/directory", "internal/service/edge", "internal/service/feed", "internal/service/subscribe", "internal/netguard", "internal/webhook", "internal/service/registry", "internal/service/retain", "internal/service/brand", "internal/service/ops", "internal/service/api", "internal/service/mcp", "internal/service/notary", "internal/service/store", "internal/service/web", "internal/service/server",
	}), "the only place that knows every part of the service"},
	{"internal/cli/log", slices.Concat(values, []string{"internal/monitor", "internal/std/clock", "internal/std/filelock", "internal/cli/console", "internal/cli/request", "internal/cli/settings", "internal/cli/sources", "internal/recheck", "internal/service/notary", "internal/service/store", "internal/webhook"}), "a command; it does not know the others"},
	{"internal/cli/state", slices.Concat(leaves, []string{"discover", "internal/fetch", "internal/service/custodian", "internal/service/growth", "internal/service/patience", "internal/cli/console", "internal/cli/settings", "internal/cli/sources", "internal/service/registry", "internal/service/retain", "internal/service/store"}), "a command; it does not know the others"},
	{"internal/cli/fix", slices.Concat(values, []string{"internal/model", "internal/cli/console", "internal/cli/request", "internal/cli/check", "internal/cli/report", "internal/service/brand"}), "the command fix"},
	{"internal/cli/validate", slices.Concat(values, []string{"internal/model", "internal/cli/console", "internal/cli/request", "internal/cli/check", "internal/cli/report", "internal/service/brand", "internal/cli/list", "internal/cli/resume", "internal/cli/loopback", "internal/cli/policy"}), "a command; it does not know the others"},
	{"internal/cli/verify", slices.Concat(values, []string{"internal/catalogue", "internal/cli/console", "internal/cli/request", "internal/cli/sources"}), "a command; it does not know the others"},
	{"internal/cli/watch", slices.Concat(values, []string{"internal/std/clock", "internal/buildinfo", "internal/cli/console", "internal/cli/request", "internal/cli/sources", "internal/cli/diff", "internal/service/custodian", "internal/service/server", "internal/service/store", "internal/cli/list", "internal/webhook"}), "a command; of the others it knows diff, whose output it uses"},
	{"internal/cli", []string{
		"internal/cli/conformance", "internal/cli/console", "internal/cli/authorize", "internal/cli/create", "internal/cli/diff", "internal/cli/discover", "internal/cli/edit", "internal/cli/explain", "internal/cli/fix", "internal/cli/history", "internal/cli/log", "internal/cli/lsp", "internal/cli/network", "internal/cli/pin", "internal/cli/pointer",
		"internal/cli/serve", "internal/cli/settings", "internal/cli/state", "internal/cli/validate", "internal/cli/verify", "internal/cli/watch", "internal/buildinfo", "internal/std/spell",
	}, "puts the commands together and does nothing else"},
	{"cmd/avow", []string{"internal/cli"}, "main calls the command line and does nothing else"},
	{"internal/test/testca", nil, "for tests and measurements; nothing that ships imports it"},
	{"internal/test/stillweb", []string{"internal/fetch"}, "for tests; nothing that ships imports it"},
	{"internal/test/fakeweb", []string{"internal/fetch", "internal/netguard", "internal/test/testca"}, "for tests; nothing that ships imports it"},
	{"internal/bench", slices.Concat(shared, []string{"adagents"}), "inputs and measurements; nothing that ships imports it"},
	{"internal/bench/press", []string{"adagents", "internal/bench"}, "files for measurements that need the parsed form; bench itself must not read what it makes"},
	{"internal/bench/cmd/...", []string{"internal/bench"}, "programs for contributors"},
	{"internal/bench/scoreboard", []string{"internal/std/textsafe", "internal/suite"}, "a program for contributors: the suite and other implementations"},
	{"internal/bench/peers", []string{"adagents", "internal/bench", "resolve", "internal/index"}, "a program for contributors: avow beside another implementation"},
	{"internal/gen/...", slices.Concat(shared, []string{"adagents", "internal/service/api", "internal/service/ops", "internal/service/web", "internal/cli", "internal/cli/console", "internal/buildinfo", "internal/catalogue", "internal/gen/genfile", "internal/suite", "internal/test/vectors", "conformance"}), "generators, run by hand; nothing imports them"},
	{"tools/...", nil, "programs for contributors; they work before anything else builds"},
	{"internal/test/servicetest", nil, "tests of the service as a whole; nothing imports it"},
	{"internal/test/crashtest", nil, "tests of stores and keepers that are killed; nothing imports it"},
	{"internal/test/blackbox", slices.Concat(leaves, []string{"internal/test/testca"}), "tests of the built program; nothing imports it"},
	{"internal/test/repotest", nil, "looks at the packages from outside"},
}

// testOnly are modules that code outside tests must not import.
var testOnly = []struct{ prefix, why string }{
	{"testing", "a test framework in a shipped package registers its flags in the user's program"},
	{"github.com/dunglas/httpsfv", "a second opinion on structured fields in tests"},
	{"github.com/google/go-cmp", "it panics by design"},
	{"github.com/pquerna/cachecontrol", "a second opinion for tests"},
	{"go.uber.org/goleak", "it looks for leaks in tests"},
	{"github.com/remitly-oss/httpsig-go", "a second opinion on signatures in tests"},
	{"github.com/rogpeppe/go-internal", "it drives commands in tests"},
	{"code.dny.dev/ssrf", "a second opinion on addresses in tests"},
	{"github.com/yuin/goldmark", "a second opinion on Markdown in tests"},
	{"pgregory.net/rapid", "it generates test inputs"},
	{module + "/internal/test/pgtest", "it starts database servers for tests"},
	{module + "/internal/test/sqlitetest", "it makes stores for tests"},
	{module + "/internal/test/storetest", "it is a test"},
}

// testSupport are packages that are there for tests, and for measuring.
var testSupport = []string{"internal/bench/...", "internal/test/dice", "internal/test/pgtest", "internal/test/promise", "internal/test/sqlitetest", "internal/test/storetest"}

// matches tells whether the package path falls under the pattern.
func matches(pattern, pkg string) bool {
	prefix, wild := strings.CutSuffix(pattern, "/...")
	return pkg == prefix || wild && strings.HasPrefix(pkg, prefix+"/")
}

func matchesAny(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, pkg) })
}

// layerOf finds the row of a package.
func layerOf(table []layer, pkg string) (layer, bool) {
	i := slices.IndexFunc(table, func(l layer) bool { return matches(l.pattern, pkg) })
	if i < 0 {
		return layer{}, false
	}
	return table[i], true
}

// checkLayers applies the table to every import between packages of the
// repository. A package without a row is a problem too: where it belongs is a
// decision, and the table is where it is written down.
func checkLayers(table []layer, g *graph) []string {
	var problems []string
	for _, p := range g.own() {
		name := rel(p.ImportPath)
		row, ok := layerOf(table, name)
		if !ok {
			problems = append(problems, fmt.Sprintf("%s has no row in the import table of internal/test/repotest; add one with its reason", name))
			continue
		}
		for _, imp := range p.Imports {
			target := &goPackage{ImportPath: imp}
			if target.ours() && !matchesAny(row.may, rel(imp)) {
				problems = append(problems, fmt.Sprintf("%s must not import %s: %s", name, rel(imp), row.why))
			}
		}
	}
	return problems
}

// checkTable finds rows without a reason and rows that name a row below them
// (their own pattern is allowed: parts of one layer may know each other).
func checkTable(table []layer) []string {
	var problems []string
	for i, row := range table {
		if row.why == "" {
			problems = append(problems, row.pattern+" has no reason")
		}
		for _, target := range row.may {
			known := slices.ContainsFunc(table[:i+1], func(l layer) bool { return l.pattern == target || matches(l.pattern, target) })
			if !known {
				problems = append(problems, fmt.Sprintf("%s may import %s, which is not an earlier row", row.pattern, target))
			}
		}
	}
	return problems
}

// checkTestOnly finds shipped packages that import a module meant for tests.
// Packages for tests, and benchmarks, use package testing; they do not ship.
func checkTestOnly(g *graph) []string {
	var problems []string
	for _, p := range g.own() {
		if matchesAny(testSupport, rel(p.ImportPath)) {
			continue
		}
		for _, imp := range p.Imports {
			for _, rule := range testOnly {
				if matches(rule.prefix+"/...", imp) {
					problems = append(problems, fmt.Sprintf("%s imports %s outside its tests: %s", rel(p.ImportPath), imp, rule.why))
				}
			}
		}
	}
	return problems
}

func TestImportTableIsOrdered(t *testing.T) {
	t.Parallel()
	report(t, checkTable(layers))
}

func TestImportsFollowTheTable(t *testing.T) {
	t.Parallel()
	report(t, checkLayers(layers, load(t)))
}

func TestTestModulesStayInTests(t *testing.T) {
	t.Parallel()
	report(t, checkTestOnly(load(t)))
}

func TestPackagesLoad(t *testing.T) {
	t.Parallel()
	for _, p := range load(t).own() {
		if p.Error != nil {
			t.Errorf("%s: %s", rel(p.ImportPath), p.Error.Err)
		}
	}
}
