package growth

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
