package growth

// How what is in memory is counted.
const (
	metered  = "`avow_growth_used`"
	gates    = "`avow_http_in_flight`, `avow_http_waiting`"
	entries  = "in the code"
	requests = "the requests under way"
)

// memory is what a process keeps in memory or lets wait.
var memory = []Item{
	{Budget, "requests", "requests under way, and those that wait", "client: an eighth", "`max_requests`, twice; as many as `max_conns` wait", gates, []string{"server.newGate"}},
	{Budget, "memory", "bodies, and work on answers", "client: a quarter", "a quarter of `large_memory`; 4,096 wait", gates, []string{"server.NewMemory"}},
	{Budget, "documents", "documents that are held, and those being checked", "client: a quarter", "a quarter and a half of `large_memory`; 4,096 wait", "in bytes, in the code", []string{"registry.New", "budget.Budget"}},
	{Budget, "holdings", "what one request has reserved", "client", "the request; it ends with the last byte", "in bytes, in the code", []string{"budget.Holding", "budget.held"}},
	{Cache, "checks", "answers about publishers, for a minute", "client while one reads it", "24 MB; the newest stays", metered, nil},
	{Cache, "parsed", "files that were read", "", "8 MB; the newest stays for a minute", metered, nil},
	{Cache, "asked", "files that questions are asked about", "", "32 MB", metered, nil},
	{Cache, "publishers", "records of publishers", "", "8 MB, for a while", metered, nil},
	{Cache, "files", "records of files", "", "8 MB, for a while", metered, nil},
	{Cache, "revocations", "lists of revocations", "", "32 MB", metered, nil},
	{Cache, "profiles", "what the feed says of agents", "", "4 MiB, for a minute", metered, nil},
	{Cache, "reports", "reports of lists that were checked", "", "16 MB, for 7 days", metered, nil},
	{Cache, "decisions", "answers of the API that may be given again", "", "32 MiB", metered, nil},
	{Cache, "no-brand", "domains without a brand.json", "", "50,000 domains", metered, nil},
	{Cache, "unknown-brand", "domains that the provider does not know", "", "10,000 domains, for five minutes", metered, nil},
	{Cache, "previews", "pictures of reports for links that are shared", "", "64 pictures of about 30 kB", entries, []string{"web.previews"}},
	{Cache, "rollouts", "runs over networks", "client and key", "64 runs, 48 MB, for two hours", metered, nil},
	{Cache, "rollout-callers", "how much callers had runs ask", "client and key", "100,000 callers, for an hour", metered, nil},
	{Cache, "authoritative", "files that many publishers point to, for a minute", "", "256 files, 24 MB", metered, nil},
	{Cache, "memo", "encodings of an answer in `checks`", "client while one reads it", "what `checks` holds", "in `checks`", []string{"registry.memo"}},
	{Cache, "keys", "keys that were good", "operator", "the rows of `api_keys`", entries, []string{"registry.knownKeys"}},
	{Cache, "mirrors", "which mirror describes a publisher", "key", "the rows of `mirrors`, for ten seconds", entries, []string{"registry.mirrorIndex"}},
	{Cache, "feed-tail", "the end of the feed", "", "4,096 events, 4 MiB", entries, []string{"feed.tail"}},
	{Cache, "statements", "prepared statements of SQLite", "", "the statements in the code", entries, []string{"sqlite.pool"}},
	{Cache, "news", "publishers whose records changed of late", "", "10,000 publishers; then it begins anew", entries, []string{"custodian.news"}},
	{Cache, "turn-files", "files read for one round of turns", "", "the files of one round; it ends with that", entries, []string{"custodian.turnFiles"}},
	{Queue, "looks", "looks at publishers, those that go on, and those not stored yet", "client: 16 requests to others a call", "512, 4 and 256", entries, []string{"registry.New"}},
	{Queue, "due", "publishers and files that wait to be looked at", "site: 16", "50,000", entries, []string{"custodian.Watch"}},
	{Queue, "doubts", "changes that the store did not take", "publisher", "1,000 changes, 64 MB", "`/readyz`", []string{"custodian.doubts"}},
	{Queue, "names", "files whose publishers are noted later", "publisher", "10,000 files, twice", entries, []string{"registry.named"}},
	{Queue, "commits", "changes that wait for SQLite", "client", requests + " and looks; 64 in a transaction", "`avow_store_seconds`", []string{"sqlite.group"}},
	{Queue, "deliveries", "deliveries under way, and how long receivers take", "key: 4; host: 4", "32; 1,000 subscriptions", entries, []string{"subscribe.Sender"}},
	{Queue, "streams", "open streams of the feed, and of checks that are followed", "client and key: 100 of each", "2,000 of each", entries, []string{"edge.Streams"}},
	{Queue, "following", "steps of checks under way, for those who follow them", "client: 100 streams", "the looks and 2,000 streams; at most 16 steps without documents", entries, []string{"registry.following", "registry.progress"}},
	{Queue, "outgoing", "requests to others, and those that wait for their turn", "client: one place in the queue of a site", "the looks; 10,000 idle sites are remembered", "`avow_fetches_total`", []string{"fetch.hostLimiter", "fetch.newHostLimiter", "fetch.waiters"}},
	{Queue, "large-files", "large files on their way", "", "2 at once; as many wait as there are looks", entries, []string{"discover.New"}},
	{Queue, "agents", "agents of a file that are asked at once", "client", "one check: 8 at once", entries, []string{"discover.Agents", "discover.probing"}},
	{Queue, "operators", "operators that are asked at once", "client", "one call: 8 at once", entries, []string{"brand.Compare", "brand.round"}},
	{Queue, "rollout-places", "publishers of a run that are asked at once", "client and key", "one run: a fixed number at once", entries, []string{"registry.each"}},
	{Queue, "witnesses", "answers of witnesses", "", "the witnesses of `log_policy`", entries, []string{"notary.askAll"}},
	{Queue, "turned-away", "clients that are turned away with 503 because all connections are taken", "", "256 for a second; others are cut off", "`avow_http_connections_refused_total`", []string{"server.start"}},
	{Queue, "listeners", "errors of listeners", "", "the addresses in `addr`", entries, []string{"server.newService"}},
	{Count, "rates", "how much clients have asked for", "client and its networks", "100,000 clients; the oldest goes", entries, []string{"server.limiter"}},
	{Count, "connections", "open connections of clients", "client: `max_conns_per_client`", "`max_conns`", "`avow_http_connections`", []string{"server.connections"}},
	{Count, "refreshes", "new answers that callers were given", "client", "4,096; the oldest goes", entries, []string{"registry.refreshes"}},
	{Count, "enrichment", "what callers took of the day's quota", "client: half of it", "100,000 callers a day", entries, []string{"registry.shares"}},
	{Count, "rollout-runs", "runs that go on", "client and key", "the runs of `rollouts`", entries, []string{"registry.rollouts"}},
	{Count, "bringers", "what clients have brought into the store today", "client", "100,000 clients; then the day begins anew", entries, []string{"registry.space"}},
	{Count, "troubles", "what is wrong with the log", "", "the kinds of troubles", entries, []string{"notary.troubles"}},
	{Count, "metrics", "series of metrics", "", "labels with a fixed list of values", "`/metrics`", []string{"metrics.Set", "metrics.family"}},
}
