// Package growth lists everything that can grow while the service runs: what it is, whose it is, what
// bounds it and how it is counted. The list is shown by avow state check, at /metrics and in
// docs/operating.md; tests compare it with the schemas of both databases and with the code.
package growth

import (
	"fmt"
	"slices"
	"strings"
)

// A Kind is where something grows.
type Kind string

// The kinds.
const (
	Table  Kind = "table"
	File   Kind = "file"
	Cache  Kind = "cache"
	Queue  Kind = "queue"
	Count  Kind = "counter" // what is counted for each client, host or caller
	Budget Kind = "budget"  // what others have to fit into
)

// An Item is one thing that can grow.
type Item struct {
	Kind Kind
	// Name is the name of the table, or what metrics call it.
	Name string
	// Holds says what is in it, Owner whom it is charged to, Bound how large it gets, and Counted how that is
	// known. Without Owner it is the service's own.
	Holds, Owner, Bound, Counted string
	// In is where it is in the code, for what is in memory: types or functions with their packages.
	In []string
}

// All returns everything, tables first.
func All() []Item { return slices.Concat(tables, files, memory) }

// Names returns the names of a kind.
func Names(k Kind) []string {
	var names []string
	for _, i := range All() {
		if i.Kind == k {
			names = append(names, i.Name)
		}
	}
	return names
}

// Markdown is the list as docs/operating.md shows it.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| What | Holds | Charged to | Bound | Counted |\n|---|---|---|---|---|\n")
	for _, i := range All() {
		owner := i.Owner
		if owner == "" {
			owner = "the service"
		}
		fmt.Fprintf(&b, "| %s `%s` | %s | %s | %s | %s |\n", i.Kind, i.Name, i.Holds, owner, i.Bound, i.Counted)
	}
	return b.String()
}

// How what is in memory is counted.
const (
	metered  = "`avow_growth_used`"
	gates    = "`avow_http_in_flight`, `avow_http_waiting`"
	entries  = "in the code"
	requests = "the requests under way"
)

// memory is what a process keeps in memory or lets wait.
var memory = []Item{
	{Budget, "requests", "requests under way, and those that wait", "client: an eighth",
		"`max_requests`, twice; as many as `max_conns` wait", gates, []string{"server.newGate"}},
	{Budget, "memory", "bodies, and work on answers", "client: a quarter", "a quarter of `large_memory`; 4,096 wait",
		gates, []string{"server.NewMemory"}},
	{Budget, "documents", "documents that are held, and those being checked", "client: a quarter",
		"a quarter and a half of `large_memory`; 4,096 wait", "in bytes, in the code",
		[]string{"registry.New", "budget.Budget"}},
	{Budget, "holdings", "what one request has reserved", "client", "the request; it ends with the last byte",
		"in bytes, in the code", []string{"budget.Holding", "budget.held"}},
	{Cache, "checks", "answers about publishers, for a minute", "client while one reads it", "24 MB; the newest stays",
		metered, nil},
	{Cache, "parsed", "files that were read", "", "8 MB; the newest stays for a minute", metered, nil},
	{Cache, "asked", "files that questions are asked about", "", "32 MB", metered, nil},
	{Cache, "publishers", "records of publishers", "", "8 MB, for a while", metered, nil},
	{Cache, "files", "records of files", "", "8 MB, for a while", metered, nil},
	{Cache, "revocations", "lists of revocations", "", "32 MB", metered, nil},
	{Cache, "profiles", "what the feed says of agents", "", "4 MiB, for a minute", metered, nil},
	{Cache, "reports", "reports of lists that were checked", "", "16 MB, for 7 days", metered, nil},
	{Cache, "decisions", "answers of the API that may be given again", "", "32 MiB", metered, nil},
	{Cache, "no-brand", "domains without a brand.json", "", "50,000 domains", metered, nil},
	{Cache, "unknown-brand", "domains that the provider does not know", "", "10,000 domains, for five minutes", metered,
		nil},
	{Cache, "previews", "pictures of reports for links that are shared", "", "64 pictures of about 30 kB", entries,
		[]string{"web.previews"}},
	{Cache, "rollouts", "runs over networks", "client and key", "64 runs, 48 MB, for two hours", metered, nil},
	{Cache, "rollout-callers", "how much callers had runs ask", "client and key", "100,000 callers, for an hour", metered,
		nil},
	{Cache, "authoritative", "files that many publishers point to, for a minute", "", "256 files, 24 MB", metered, nil},
	{Cache, "memo", "encodings of an answer in `checks`", "client while one reads it", "what `checks` holds",
		"in `checks`", []string{"registry.memo"}},
	{Cache, "keys", "keys that were good", "operator", "the rows of `api_keys`", entries, []string{"registry.knownKeys"}},
	{Cache, "mirrors", "which mirror describes a publisher", "key", "the rows of `mirrors`, for ten seconds", entries,
		[]string{"registry.mirrorIndex"}},
	{Cache, "feed-tail", "the end of the feed", "", "4,096 events, 4 MiB", entries, []string{"feed.tail"}},
	{Cache, "statements", "prepared statements of SQLite", "", "the statements in the code", entries,
		[]string{"sqlite.pool"}},
	{Cache, "new-locations", "new locations that publishers led to of late", "", "10,000 publishers; then it begins anew",
		entries, []string{"custodian.newLocations"}},
	{Cache, "turn-files", "files read for one round of turns", "", "the files of one round; it ends with that", entries,
		[]string{"custodian.turnFiles"}},
	{Queue, "looks", "looks at publishers, those that go on, and those not stored yet",
		"client: 16 requests to others a call", "512, 4 and 256", entries, []string{"registry.New"}},
	{Queue, "due", "publishers and files that wait to be looked at", "site: 16", "50,000", entries,
		[]string{"custodian.Watch"}},
	{Queue, "unsaved-changes", "changes that the store did not take", "publisher", "1,000 changes, 64 MB", "`/readyz`",
		[]string{"custodian.unsavedChanges"}},
	{Queue, "names", "files whose publishers are noted later", "publisher", "10,000 files, twice", entries,
		[]string{"registry.named"}},
	{Queue, "commits", "changes that wait for SQLite", "client", requests + " and looks; 64 in a transaction",
		"`avow_store_seconds`", []string{"sqlite.group"}},
	{Queue, "deliveries", "deliveries under way, and how long receivers take", "key: 4; host: 4",
		"32; 1,000 subscriptions", entries, []string{"subscribe.Sender"}},
	{Queue, "streams", "open streams of the feed, and of checks that are followed", "client and key: 100 of each",
		"2,000 of each", entries, []string{"edge.Streams"}},
	{Queue, "following", "steps of checks under way, for those who follow them", "client: 100 streams",
		"the looks and 2,000 streams; at most 16 steps without documents", entries,
		[]string{"registry.following", "registry.progress"}},
	{Queue, "outgoing", "requests to others, and those that wait for their turn",
		"client: one place in the queue of a site", "the looks; 10,000 idle sites are remembered", "`avow_fetches_total`",
		[]string{"fetch.hostLimiter", "fetch.newHostLimiter", "fetch.waiters"}},
	{Queue, "large-files", "large files on their way", "", "2 at once; as many wait as there are looks", entries,
		[]string{"discover.New"}},
	{Queue, "agents", "agents of a file that are asked at once", "client", "one check: 8 at once", entries,
		[]string{"discover.Agents", "discover.probing"}},
	{Queue, "operators", "operators that are asked at once", "client", "one call: 8 at once", entries,
		[]string{"brand.Compare", "brand.round"}},
	{Queue, "rollout-places", "publishers of a run that are asked at once", "client and key",
		"one run: a fixed number at once", entries, []string{"registry.each"}},
	{Queue, "witnesses", "answers of witnesses", "", "the witnesses of `log_policy`", entries, []string{"notary.askAll"}},
	{Queue, "turned-away", "clients that are turned away with 503 because all connections are taken", "",
		"256 for a second; others are cut off", "`avow_http_connections_refused_total`", []string{"server.start"}},
	{Queue, "listeners", "errors of listeners", "", "the addresses in `addr`", entries, []string{"server.newService"}},
	{Count, "rates", "how much clients have asked for", "client and its networks", "100,000 clients; the oldest goes",
		entries, []string{"server.limiter"}},
	{Count, "connections", "open connections of clients", "client: `max_conns_per_client`", "`max_conns`",
		"`avow_http_connections`", []string{"server.connections"}},
	{Count, "refreshes", "new answers that callers were given", "client", "4,096; the oldest goes", entries,
		[]string{"registry.refreshes"}},
	{Count, "enrichment", "what callers took of the day's quota", "client: half of it", "100,000 callers a day", entries,
		[]string{"registry.shares"}},
	{Count, "rollout-runs", "runs that go on", "client and key", "the runs of `rollouts`", entries,
		[]string{"registry.rollouts"}},
	{Count, "bringers", "what clients have brought into the store today", "client",
		"100,000 clients; then the day begins anew", entries, []string{"registry.space"}},
	{Count, "troubles", "what is wrong with the log", "", "the kinds of troubles", entries, []string{"notary.troubles"}},
	{Count, "metrics", "series of metrics", "", "labels with a fixed list of values", "`/metrics`",
		[]string{"metrics.Set", "metrics.family"}},
}

// What bounds several tables.
const (
	inBudget    = "`store_budget`: guests have a quarter of it, a site and a client less, and go first when it is full"
	oneEach     = "one row"
	withKey     = "what callers with a key and the operator store; kept until it is removed"
	onePerName  = "one row for each publisher in `custody_publishers`"
	logForEver  = "none: a transparency log keeps everything, about 0.5 kB an event"
	byHistory   = "`keep_history`, and the limits of guests"
	bytesOf     = "rows; bytes for guests in `custody_files`"
	inGuests    = "rows; bytes for guests in `custody_publishers`"
	rows        = "rows"
	client      = "client, site and all guests, or a key"
	ofPublisher = "publisher; client, site and all guests if it is one"
)

// tables are those of the store, in the order of the schema.
var tables = []Item{
	{Table, "documents", "the bytes of versions, mirrors and proposals", client,
		inBudget + "; removed a day after nothing refers to it", bytesOf, nil},
	{Table, "brands", "brand data", "key, or the quota of the day", "`enrich_quota` a day, 1 MB each; what keys save",
		rows, nil},
	{Table, "mirrors", "files kept for platforms", "key", withKey, rows, nil},
	{Table, "proposals", "proposed changes of mirrors", "key", "100 of one key wait; those decided are kept", rows, nil},
	{Table, "api_keys", "hashes of keys", "operator", "what the operator makes", rows, nil},
	{Table, "budgets", "what was used of a quota", "", "one row a day for each quota", rows, nil},
	{Table, "probes", "whether the store can be written", "", oneEach, rows, nil},
	{Table, "custody_publishers", "the state of each publisher", client,
		"as many guests as fit into a sixteenth of `store_budget` at 4 kB, 500 of a site, 10,000 of a client in a day",
		"rows and bytes", nil},
	{Table, "identifiers", "what publishers are found by", ofPublisher,
		"what the version in effect lists, and 30 days longer", inGuests, nil},
	{Table, "custody_files", "the state of each file", client,
		"one row for each URL at which a publisher's file was; removed with guests", "rows and bytes", nil},
	{Table, "custody_revocations", "revocations, in parts", ofPublisher,
		"what files revoke: 20 MB of a file; never removed", bytesOf, nil},
	{Table, "custody_versions", "adopted versions", ofPublisher, byHistory, bytesOf, nil},
	{Table, "custody_places", "adopted places of files", ofPublisher, byHistory, inGuests, nil},
	{Table, "custody_events", "what happened", ofPublisher, "`keep_history` and 8 days; the last 20 of a guest", inGuests,
		nil},
	{Table, "custody_clock", "the latest time", "", oneEach, rows, nil},
	{Table, "custody_store", "the identity of the store", "", oneEach, rows, nil},
	{Table, "custody_history", "from when on the history is complete", "", oneEach, rows, nil},
	{Table, "due", "what to look at, and when", ofPublisher,
		"one row for each publisher and file that is known or was named; names in files: as many as there may be guests",
		rows, nil},
	{Table, "crawl_requests", "requested looks", "key", "30 days; limits of each caller", rows, nil},
	{Table, "site_leases", "which process asks which site", "", "the sites asked of late", rows, nil},
	{Table, "agents", "agents that files name", ofPublisher, "those that have a row in `pairs`", rows, nil},
	{Table, "pairs", "what publishers let agents sell", ofPublisher, "the entries of the version in effect", inGuests,
		nil},
	{Table, "property_types", "how many properties there are of a type", "", "one row for each type of the protocol", rows,
		nil},
	{Table, "turns", "when the directory makes a publisher again", "", onePerName, rows, nil},
	{Table, "feed_events", "the change feed", ofPublisher,
		"as long as it holds, and 90 days; of a guest as long as its file, and 7 days", inGuests, nil},
	{Table, "subscriptions", "who is told of changes", "key", "20 of one key, 1,000 in all", rows, nil},
	{Table, "log_state", "the state of the transparency log", "", oneEach, rows, nil},
	{Table, "log_outbox", "events that are not in the log yet", "",
		"emptied as leaves are made; without a process that signs it waits for one", "rows, `avow_log_waiting`", nil},
	{Table, "log_leaves", "leaves in no full bundle", "", "256 rows", rows, nil},
	{Table, "log_bundles", "leaves", "", logForEver, rows, nil},
	{Table, "log_numbers", "the first leaf of each bundle", "", logForEver, rows, nil},
	{Table, "log_tiles", "hashes of the log", "", logForEver, rows, nil},
	{Table, "log_checkpoints", "signed heads", "", "none: one for each head that was shown", rows, nil},
	{Table, "log_subjects", "the newest leaf of each subject", "",
		"none: one row for each publisher and file that the log has", rows, nil},
	{Table, "schema_versions", "the version of the schema", "", "one row for each migration", rows, nil},
}

// files are what is on the disk beside the tables.
var files = []Item{
	{File, "store", "all tables", "",
		"`store_budget`; over it guests go, then older history; on PostgreSQL only the shares of guests are enforced",
		"`avow_store_bytes`", nil},
	{File, "wal", "the write-ahead log of SQLite", "",
		"64 MB and one change; truncated after two seconds without a change", "in `avow_store_bytes`", nil},
	{File, "reserve", "room for a start on a full disk (SQLite)", "", "1 MB", "constant", nil},
	{File, "mark", "how far the store has got, beside it", "", "less than 1 kB", "constant", nil},
	{File, "snapshots", "snapshots of the feed in temporary files", "", "4 of 4 GiB; one that is not read goes",
		"in the code", []string{"ops.copies"}},
}
