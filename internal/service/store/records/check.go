package records

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/pack"
	"github.com/avow-project/avow/internal/translog"
)

// A Problem is something in a store that is not as it was written.
type Problem struct {
	// Table and Key say which row it is; both are empty for the database as a whole.
	Table, Key string
	// What is wrong, in words.
	What string
}

// String is the problem on one line.
func (p Problem) String() string {
	if p.Table == "" {
		return p.What
	}
	return fmt.Sprintf("%s %s: %s", p.Table, p.Key, p.What)
}

// An Inspector is a Database that can examine itself.
type Inspector interface {
	// Inspect returns what is wrong, in words.
	Inspect(ctx context.Context) ([]string, error)
}

// MaxProblems is how many problems Check lists. A store with more is not repaired one by
// one.
const MaxProblems = 1_000

// errEnough ends a check that has found MaxProblems.
var errEnough = errors.New("enough")

// Check reads everything in the store and returns what is wrong with it. An error means
// that the check could not be made, not that the store is damaged.
//
// The bytes of every document have to be those of its hash. Every record has to be
// readable and to fit its row; the adopted version of a file and every version in the
// history have to have their document. A version that was refused and a pointer may name a
// document that is not kept.
func (s *Store) Check(ctx context.Context) ([]Problem, error) {
	k := &checker{}
	err := k.inspect(ctx, s.db)
	if err == nil {
		err = s.db.Snapshot(ctx, func(c Conn) error { return k.all(ctx, c) })
	}
	switch {
	case err == nil || errors.Is(err, errEnough):
		return k.problems, nil
	case ctx.Err() == nil && len(k.problems) > 0:
		// What is damaged often cannot be read to its end.
		return append(k.problems, Problem{What: fmt.Sprintf("the rest could not be read: %v", err)}), nil
	}
	return nil, err
}

// A checker collects problems.
type checker struct {
	problems []Problem
	// last is the last number that was given to something in the history.
	last int64
}

// report adds a problem.
func (k *checker) report(p Problem) error {
	k.problems = append(k.problems, p)
	if len(k.problems) >= MaxProblems {
		return errEnough
	}
	return nil
}

// inspect asks the database itself.
func (k *checker) inspect(ctx context.Context, db Database) error {
	i, ok := db.(Inspector)
	if !ok {
		return nil
	}
	found, err := i.Inspect(ctx)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	for _, what := range found {
		err := k.report(Problem{What: what})
		if err != nil {
			return err
		}
	}
	return nil
}

// all checks at every row.
func (k *checker) all(ctx context.Context, c Conn) error {
	err := one(ctx, c, func(r Rows) error { return r.Scan(&k.last) }, `SELECT last FROM custody_store WHERE id = 1`)
	if errors.Is(err, registry.ErrNotFound) {
		err = k.report(Problem{"custody_store", "1", "the row is missing"})
	}
	if err != nil {
		return err
	}
	for i := range tables {
		t := &tables[i]
		check := checks[t.name]
		if check == nil {
			continue
		}
		err := t.walk(ctx, c, func(row []any) error {
			what := check(ctx, k, c, row)
			if what == nil {
				return nil
			}
			if !errors.Is(what, errWrong) && !errors.Is(what, errDamaged) {
				return what
			}
			return k.report(Problem{t.name, t.show(row), what.Error()})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// show is the key of a row.
func (t *table) show(row []any) string {
	var key []byte
	for i, v := range row[:t.key] {
		if i > 0 {
			key = append(key, ' ')
		}
		if b, ok := v.([]byte); ok {
			key = fmt.Appendf(key, "%x", b)
		} else {
			key = fmt.Appendf(key, "%v", v)
		}
	}
	return string(key)
}

// errWrong is about a row that can be read and is not right.
var errWrong = errors.New("this is wrong")

// wrong makes such an error.
type wrong string

// Error says what is wrong.
func (w wrong) Error() string { return string(w) }

// Is tells that it is errWrong.
func (w wrong) Is(target error) bool { return target == errWrong }

// unless is wrong unless something holds.
func unless(holds bool, what string) error {
	if holds {
		return nil
	}
	return wrong(what)
}

// A rowCheck finds out what is wrong with a row, whose columns are those of its table. It
// returns nil, something wrong, or a failure of the store.
type rowCheck = func(ctx context.Context, k *checker, c Conn, row []any) error

// checks are by table. The others have nothing that the database does not check
// after by itself.
var checks = map[string]rowCheck{
	"documents":           checkDocument,
	"brands":              checkBrand,
	"mirrors":             checkMirror,
	"proposals":           checkProposal,
	"api_keys":            checkKey,
	"custody_publishers":  checkPublisher,
	"identifiers":         checkIdentifier,
	"custody_files":       checkFile,
	"due":                 checkDue,
	"custody_revocations": checkRevocations,
	"custody_versions":    checkVersion,
	"custody_places":      checkPlace,
	"custody_events":      checkEvent,
	"custody_store":       checkStore,
	"feed_events":         checkFeed,
	"log_state":           checkLog,
	"log_leaves":          checkLeaf,
	"log_bundles":         checkBundle,
}

// checkDocument compares the bytes with their hash.
func checkDocument(_ context.Context, _ *checker, _ Conn, row []any) error {
	body, err := pack.Unbytes(row[2].([]byte), row[1].(int64))
	if err != nil {
		return err
	}
	return unless(string(registry.HashOf(body)) == row[0], "the bytes are not those of the hash")
}

// known is wrong unless there is a document.
func known(ctx context.Context, c Conn, hash string) error {
	n, err := number(ctx, c, `SELECT COUNT(*) FROM documents WHERE hash = $1`, hash)
	if err != nil {
		return err
	}
	return unless(n == 1, "there is no document "+hash)
}

// checkBrand reads the manifest.
func checkBrand(_ context.Context, _ *checker, _ Conn, row []any) error {
	manifest := jsontext.Value(row[2].([]byte))
	err := unless(len(manifest) == 0 || manifest.IsValid(), "the manifest is not JSON")
	if err != nil {
		return err
	}
	return unless(row[4].(int64) > 0, "the revision is not positive")
}

// checkMirror reads the domains and checks for the document.
func checkMirror(ctx context.Context, _ *checker, c Conn, row []any) error {
	domains, _ := row[4].([]byte)
	_, err := pack.Unstrings[string](domains)
	if err != nil {
		return err
	}
	return known(ctx, c, row[1].(string))
}

// checkProposal checks for the document and the state.
func checkProposal(ctx context.Context, _ *checker, c Conn, row []any) error {
	switch registry.ProposalState(row[5].(string)) {
	case registry.Pending, registry.Approved, registry.Rejected:
		return known(ctx, c, row[2].(string))
	}
	return wrong("there is no such state")
}

// hashForm is how a hash is written.
var hashForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{64}$`) })

// checkKey checks at the hash of a key.
func checkKey(_ context.Context, _ *checker, _ Conn, row []any) error {
	return unless(hashForm().MatchString(row[3].(string)), "the hash of the key is none")
}

// checkPublisher reads the record and compares it with its row.
func checkPublisher(ctx context.Context, _ *checker, c Conn, row []any) error {
	p := &custody.Publisher{}
	err := decodeRecord(row[3].([]byte), p)
	if err != nil {
		return err
	}
	file, _ := row[7].([]byte)
	n := 0
	if row[10] == "" {
		n, err = number(ctx, c, `SELECT COUNT(*) FROM identifiers WHERE domain = $1 AND gone IS NULL`, row[0])
		if err != nil {
			return err
		}
	}
	return firstOf(
		unless(n == 0, "it has identifiers without a version that lists them"),
		unless(row[10] == "" || hashForm().MatchString(row[10].(string)),
			"the version that it lists identifiers of has no hash"),
		unless(string(p.Domain) == row[0], "the record is about another publisher"),
		unless(row[1].(int64) > 0, "the revision is not positive"),
		unless(row[2].(bool) == asksModerator(p), "the record and its row disagree about a hold"),
		unless(bytes.Equal(row[12].([]byte), publisherBrief(p)), "the record and its brief disagree"),
		unless(bytes.Equal(file, leadsTo(p).file), "the record and its row disagree about the file"),
	)
}

// checkIdentifier checks at the key, which is a hash.
func checkIdentifier(_ context.Context, _ *checker, _ Conn, row []any) error {
	return unless(len(row[0].([]byte)) == sha256.Size, "the key is not that of an identifier")
}

// firstOf is the first error.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// checkFile reads the record with its revocations and compares it with its row.
func checkFile(ctx context.Context, _ *checker, c Conn, row []any) error {
	url := row[1].(string)
	if !bytes.Equal(row[0].([]byte), fileKey(url)) {
		return wrong("the key does not match the URL")
	}
	f, err := readFile(ctx, c, url)
	if err != nil {
		return err
	}
	err = firstOf(
		unless(row[3].(bool) == (f.Refused != nil), "the record and its row disagree about a hold"),
		unless(bytes.Equal(row[9].([]byte), fileBrief(f)), "the record and its brief disagree"),
	)
	removed := f.WholeAt.IsZero() // the bodies of a guest may be
	if err != nil || f.Hash == "" || removed {
		return err
	}
	return known(ctx, c, f.Hash)
}

// checkDue compares the name with the URL.
func checkDue(_ context.Context, _ *checker, _ Conn, row []any) error {
	url := row[1].(string)
	return unless(url == "" || row[0] == custodian.FileKey(url), "the name does not match the URL")
}

// checkRevocations compares a part with its digest.
func checkRevocations(_ context.Context, _ *checker, _ Conn, row []any) error {
	flat, err := pack.Unsized(row[3].([]byte))
	if err != nil {
		return err
	}
	list, err := appendPart(nil, row[3].([]byte))
	if err != nil {
		return err
	}
	return firstOf(
		unless(len(list) > 0 && list[0].Domain == row[1], "the part begins with another domain"),
		unless(bytes.Equal(part{flat: flat}.digest(), row[2].([]byte)), "the part does not match the digest"),
	)
}

// numbered is wrong unless a number was given by this store.
func (k *checker) numbered(n any) error {
	return unless(n.(int64) > 0 && n.(int64) <= k.last, "the number was never given")
}

// checkVersion checks for the document.
func checkVersion(ctx context.Context, k *checker, c Conn, row []any) error {
	return firstOf(k.numbered(row[0]), known(ctx, c, row[2].(string)))
}

// checkPlace checks at the number.
func checkPlace(_ context.Context, k *checker, _ Conn, row []any) error { return k.numbered(row[0]) }

// checkEvent reads the record and compares it with its row.
func checkEvent(_ context.Context, k *checker, _ Conn, row []any) error {
	e := &custody.Event{}
	err := decodeRecord(row[4].([]byte), e)
	if err != nil {
		return err
	}
	var key []byte
	if e.URL != "" {
		key = fileKey(e.URL)
	}
	file, _ := row[3].([]byte)
	return firstOf(
		k.numbered(row[0]),
		unless(int64(e.Severity) == row[1] && e.Publisher == row[2] && bytes.Equal(key, file),
			"the record is about something else"),
	)
}

// checkFeed reads the payload.
func checkFeed(_ context.Context, k *checker, _ Conn, row []any) error {
	payload, err := pack.Unsized(row[8].([]byte))
	if err != nil {
		return err
	}
	return firstOf(k.numbered(row[0]), unless(jsontext.Value(payload).IsValid(), "the payload is not JSON"))
}

// checkStore checks at the counter.
func checkStore(_ context.Context, _ *checker, _ Conn, row []any) error {
	return unless(row[0] == int64(1) && row[1] != "" && row[2].(int64) >= 0, "the identity or the counter is missing")
}

// checkLog compares the root of the tree with the one that is noted. Whether all leaves are
// those of the tree is found by the audit of the log.
func checkLog(ctx context.Context, _ *checker, c Conn, row []any) error {
	root, err := notary.RootAt(tree{ctx, c}, row[3].(int64))
	if err != nil {
		return wrong("the tiles of the log cannot be read: " + err.Error())
	}
	return unless(bytes.Equal(root[:], row[4].([]byte)), "the tiles of the log do not have the root that was noted")
}

// checkLeaf compares a leaf with its hash in the tree.
func checkLeaf(ctx context.Context, _ *checker, c Conn, row []any) error {
	return checkLeafAt(ctx, c, row[0].(int64), row[1].([]byte))
}

// checkBundle compares the leaves of a bundle with their hashes in the tree.
func checkBundle(ctx context.Context, _ *checker, c Conn, row []any) error {
	text, err := pack.Unsized(row[1].([]byte))
	if err != nil {
		return err
	}
	leaves, err := translog.Unbundle(text)
	if err != nil || len(leaves) != translog.TileWidth {
		return wrong("it has no 256 leaves")
	}
	for i, leaf := range leaves {
		err := checkLeafAt(ctx, c, row[0].(int64)*translog.TileWidth+int64(i), leaf)
		if err != nil {
			return err
		}
	}
	return nil
}

func checkLeafAt(ctx context.Context, c Conn, index int64, leaf []byte) error {
	data, err := tree{ctx, c}.Tile(0, index/translog.TileWidth)
	i := index % translog.TileWidth * tlog.HashSize
	if err != nil || int64(len(data)) < i+tlog.HashSize {
		return wrong("the tree has no hash of the leaf")
	}
	h := tlog.RecordHash(leaf)
	return unless(bytes.Equal(h[:], data[i:i+tlog.HashSize]), "the leaf is not the one in the tree")
}
