package records

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/custody"
)

// A kind says what a column has in it.
type kind uint8

// The kinds.
const (
	kindText kind = iota
	isNumber
	kindBool
	isBytes
	// isRecord: packed JSON of a type.
	isRecord
)

// A column is one of a table.
type column struct {
	name     string
	kind     kind
	nullable bool
	// record makes an empty value of the type, for isRecord.
	record func() any
}

// A table is one that is moved with a store.
type table struct {
	name string
	// key is how many of the columns, from the first on, are the primary key.
	key     int
	columns []column
	// page is how many rows are read at once.
	page int64
}

// pageRows is how many rows of ordinary size are read at once; pageDocuments is for those
// that have up to 32 MB.
const (
	pageRows      = 500
	pageDocuments = 8
)

// tables are those that have what a store knows. A row only refers to rows of tables
// above. Missing are the version of the schema, the probes, and who asks
// which site.
var tables = []table{
	describe("documents", 1, pageDocuments, "hash text, size number, packed bytes, at number"),
	describe("brands", 2, pageRows,
		"domain text, source text, manifest bytes, updated_at number, revision number, saved_by text"),
	describe("mirrors", 1, pageRows,
		"platform text, document text, catalog_etag text, superseded_by text, publisher_domains bytes?, created_at number,"+
			"updated_at number, superseded_at number?, own_file_url text, own_file_at number?, checked_at number?"),
	describe("proposals", 1, pageRows,
		"id text, platform text, document text, base text, digest text, state text, submitted_at number, submitted_by text,"+
			"decided_at number?, decided_by text, reason text"),
	describe("api_keys", 1, pageRows, "id text, name text, scope text, hash text, created_at number, revoked_at number?"),
	describe("budgets", 2, pageRows, "budget text, period text, taken number"),
	describe("custody_publishers", 1, pageRows,
		"domain text, revision number, held flag, record publisher, since number, current_file bytes?, next_file bytes?, "+
			"file bytes?,"+
			"guest number?, site text, listed text, told text, brief bytes, state number, looked number, shown bytes, bytes "+
			"number"),
	describe("identifiers", 2, pageRows, "key bytes, domain text, since number, gone number?"),
	describe("custody_files", 1, pageRows, "key bytes, url text, revision number, held flag, revoked number, record file,"+
		"guest number?, site text, bytes number, brief bytes"),
	describe("custody_revocations", 2, pageRows, "file bytes, first text, digest bytes, packed bytes"),
	describe("custody_versions", 1, pageRows,
		"number number, file bytes, hash text, adopted_at number, last_updated number?, catalog_etag text, bytes number"),
	describe("custody_places", 1, pageRows,
		"number number, domain text, adopted_at number, method text, url text, manager text, absent flag, pointer text"),
	describe("custody_events", 1, pageRows, "number number, severity number, publisher text, file bytes?, record event"),
	describe("due", 1, pageRows,
		"name text, url text, class number, attempt number, at number, fence number, requested_at number"),
	describe("crawl_requests", 1, pageRows,
		"id text, domain text, caller text, status text, attempts number, requested_at number, started_at number?,"+
			"attempted_at number?, completed_at number?, next_at number?, error text"),
	describe("agents", 1, pageRows,
		"key bytes, url text, known number, publishers number, properties number, told number"),
	describe("pairs", 3, pageRows,
		"agent bytes, state number, domain text, authorized number, conditional number, total number, limited number, "+
			"types number,"+
			"pinned flag, made number, next number?"),
	describe("property_types", 1, pageRows, "type text, properties number"),
	describe("turns", 1, pageRows, "domain text, at number"),
	describe("feed_events", 1, pageRows,
		"number number, at number, type text, publisher text, agent text, entity text, live flag, digest bytes, payload bytes"),
	describe("subscriptions", 1, pageRows,
		"id text, owner text, url text, filter text, created_at number, position number, position_at number, next_at number,"+
			"failures number, failing_since number?, problem text, delivered_at number?, suspended_at number?, fence number"),
	describe("custody_clock", 1, pageRows, "id number, noted number"),
	describe("custody_history", 1, pageRows, "id number, since number"),
	describe("custody_store", 1, pageRows, "id number, identity text, last number"),
	describe("log_state", 1, pageRows, "id number, active flag, origin text, size number, root bytes, cursor number"),
	describe("log_outbox", 1, pageRows, "number number, subject bytes, body bytes"),
	describe("log_leaves", 1, pageRows, "leaf_index number, leaf bytes"),
	describe("log_bundles", 1, pageRows, "bundle number, packed bytes"),
	describe("log_tiles", 2, pageRows, "level number, tile number, data bytes"),
	describe("log_subjects", 1, pageRows, "subject bytes, leaf_index number, hash bytes"),
	describe("log_numbers", 1, pageRows, "number number, leaf_index number"),
	describe("log_checkpoints", 1, pageRows, "size number, at number, note bytes"),
}

// describe makes a table of its columns, each a name and a kind; a question mark is for
// those that may be missing.
func describe(name string, key int, page int64, columns string) table {
	t := table{name: name, key: key, page: page}
	for _, text := range strings.Split(columns, ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(text), " ")
		kind, nullable := strings.CutSuffix(kind, "?")
		c := column{name: name, nullable: nullable}
		switch kind {
		case "number":
			c.kind = isNumber
		case "flag":
			c.kind = kindBool
		case "bytes":
			c.kind = isBytes
		case "publisher":
			c.kind, c.record = isRecord, func() any { return new(custody.Publisher) }
		case "file":
			c.kind, c.record = isRecord, func() any { return new(custody.File) }
		case "event":
			c.kind, c.record = isRecord, func() any { return new(custody.Event) }
		}
		t.columns = append(t.columns, c)
	}
	return t
}

// names are those of the columns.
func (t *table) names() []string {
	var all []string
	for _, c := range t.columns {
		all = append(all, c.name)
	}
	return all
}

// Columns returns the names of the columns of every table that is moved with a store.
func Columns() map[string][]string {
	all := map[string][]string{}
	for i := range tables {
		all[tables[i].name] = tables[i].names()
	}
	return all
}

// insert is the statement that adds a row.
func (t *table) insert() string {
	return fmt.Sprintf(`INSERT INTO %s (%s) VALUES (%s)`, t.name, strings.Join(t.names(), ", "),
		parameters(1, len(t.columns)))
}

// parameters are n of them, from a number on.
func parameters(first, n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("$%d", first+i))
	}
	return strings.Join(all, ", ")
}

// walk calls f for every row in the order of the key, page by page: a statement has a
// limit of time, and a whole table has none. No statement is open while f runs.
func (t *table) walk(ctx context.Context, c Conn, f func(row []any) error) error {
	names, key := strings.Join(t.names(), ", "), strings.Join(t.names()[:t.key], ", ")
	statement, args := fmt.Sprintf(`SELECT %s FROM %s ORDER BY %s LIMIT $1`, names, t.name, key), []any{t.page}
	for {
		var rows [][]any
		err := each(ctx, c, func(r Rows) error {
			row, err := t.scan(r)
			rows = append(rows, row)
			return err
		}, statement, args...)
		if err != nil {
			return err
		}
		for _, row := range rows {
			err := f(row)
			if err != nil {
				return err
			}
		}
		if int64(len(rows)) < t.page {
			return nil
		}
		statement = fmt.Sprintf(`SELECT %s FROM %s WHERE (%s) > (%s) ORDER BY %s LIMIT $1`, names, t.name, key,
			parameters(2, t.key), key)
		args = slices.Concat([]any{t.page}, rows[len(rows)-1][:t.key])
	}
}

// scan reads a row: values of type string, int64, bool or []byte, or nil.
func (t *table) scan(r Rows) ([]any, error) {
	targets := make([]any, len(t.columns))
	for i, c := range t.columns {
		switch c.kind {
		case kindText:
			targets[i] = new(string)
		case isNumber:
			targets[i] = new(*int64)
		case kindBool:
			targets[i] = new(bool)
		default:
			targets[i] = new([]byte)
		}
	}
	err := r.Scan(targets...)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", t.name, err)
	}
	row := make([]any, len(targets))
	for i, target := range targets {
		row[i] = t.columns[i].value(target)
	}
	return row, nil
}

// value is what a target of scan has.
func (c *column) value(target any) any {
	switch v := target.(type) {
	case *string:
		return *v
	case **int64:
		if *v == nil {
			return nil
		}
		return **v
	case *bool:
		return *v
	case *[]byte:
		switch {
		case *v != nil:
			return *v
		case !c.nullable:
			return []byte{}
		}
	}
	return nil
}
