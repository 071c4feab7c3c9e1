package translog_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/translog"
)

// at is when the checkpoints of the tests are signed.
var at = time.Unix(1794837731, 0).UTC()

func signer(t testing.TB, name string, kind translog.KeyType, secret string) *translog.Signer {
	t.Helper()
	seed := sha256.Sum256([]byte(secret))
	s, err := translog.NewSigner(name, kind, seed[:])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const origin = "registry.example.com/log"

// keys are those of the log, of its clock and of a witness.
func keys(t testing.TB) (*translog.Signer, *translog.Signer, *translog.Signer) {
	t.Helper()
	return signer(t, origin, translog.Plain, "avow test log key 1"), signer(t, origin, translog.Timed, "avow test log clock key 1"),
		signer(t, "witness1.example/w", translog.Timed, "avow test witness key 1")
}

const (
	fileURL   = "https://example.com/.well-known/adagents.json"
	documentA = `{"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"all"}],"last_updated":"2026-11-16T12:00:00Z"}`
	documentB = `{"authorized_agents":[],"last_updated":"2026-11-01T00:00:00Z"}`
)

func moment(t testing.TB, text string) time.Time {
	t.Helper()
	m, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func version(t testing.TB, document, dated string, agents ...translog.Agent) *translog.Document {
	t.Helper()
	return &translog.Document{
		Hash: translog.HashOf([]byte(document)), Bytes: int64(len(document)), Dated: moment(t, dated),
		Agents:  translog.DigestOf(translog.AgentsText(agents)),
		Revokes: translog.DigestOf(translog.RevokedText(nil)),
	}
}

// leaves are the first four of a log.
func leaves(t testing.TB) []*translog.Leaf {
	t.Helper()
	log, clock, _ := keys(t)
	seen := moment(t, "2026-11-16T14:02:11Z")
	file, a := translog.File(fileURL), translog.HashOf([]byte(documentA))
	agent := translog.Agent{URL: "https://agent.example/mcp", Canonical: true}
	all := []*translog.Leaf{
		{Kind: "log.begin", Subject: translog.Subject{Kind: translog.SubjectLog}, Number: 1, At: moment(t, "2026-11-16T14:00:00Z"), Keys: []string{log.String(), clock.String()}},
		{Kind: "file.adopted", Subject: file, Number: 4, At: moment(t, "2026-11-16T14:02:11.25Z"), Seen: seen, Document: version(t, documentA, "2026-11-16T12:00:00Z", agent), Counts: a},
		{Kind: "publisher.located", Subject: translog.Publisher("example.com"), Number: 5, At: moment(t, "2026-11-16T14:02:11.25Z"), Seen: seen, Place: translog.Place{Method: "direct", File: file.Name}},
		{Kind: "file.rollback", Subject: file, Number: 6, At: moment(t, "2026-11-17T09:00:00.5Z"), Seen: moment(t, "2026-11-17T09:00:00Z"), Document: version(t, documentB, "2026-11-01T00:00:00Z"), Counts: a},
	}
	all[3].Previous = &translog.Link{Index: 1, Hash: translog.LeafHash(text(t, all[1]))}
	return all
}

func text(t testing.TB, l *translog.Leaf) []byte {
	t.Helper()
	b, err := l.Text()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A tree has leaves and the hashes over them in memory.
type tree struct {
	leaves [][]byte
	hashes []tlog.Hash
}

func (tr *tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var all []tlog.Hash
	for _, i := range indexes {
		all = append(all, tr.hashes[i])
	}
	return all, nil
}

func (tr *tree) add(t testing.TB, leaf []byte) {
	t.Helper()
	more, err := tlog.StoredHashes(int64(len(tr.leaves)), leaf, tr)
	if err != nil {
		t.Fatal(err)
	}
	tr.leaves, tr.hashes = append(tr.leaves, leaf), append(tr.hashes, more...)
}

func (tr *tree) root(t testing.TB, size int64) tlog.Hash {
	t.Helper()
	h, err := tlog.TreeHash(size, tr)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// proof makes the proof of a leaf in a tree of a size, signed by all three keys.
func (tr *tree) proof(t testing.TB, index, size int64) *translog.Proof {
	t.Helper()
	log, clock, witness := keys(t)
	signed, err := translog.Sign(&translog.Checkpoint{Origin: origin, Size: size, Root: tr.root(t, size)}, at, log, clock)
	if err != nil {
		t.Fatal(err)
	}
	signed, err = translog.Cosign(signed, at, witness)
	if err != nil {
		t.Fatal(err)
	}
	hashes, err := tlog.ProveRecord(size, index, tr)
	if err != nil {
		t.Fatal(err)
	}
	return &translog.Proof{Leaf: tr.leaves[index], Index: index, Hashes: hashes, Signed: signed}
}

func exampleTree(t testing.TB) *tree {
	t.Helper()
	tr := &tree{}
	for _, l := range leaves(t) {
		tr.add(t, text(t, l))
	}
	return tr
}

// policy wants the log, its clock and the witness.
func policy(t testing.TB) *translog.Policy {
	t.Helper()
	log, clock, witness := keys(t)
	p, err := translog.ParsePolicy(fmt.Appendf(nil, "log %s\nwitness clock %s\nwitness w1 %s\ngroup both all clock w1\nquorum both\n", &log.Key, &clock.Key, &witness.Key))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestVectors compares with bytes that were made by other means.
func TestVectors(t *testing.T) {
	t.Parallel()
	log, clock, witness := keys(t)
	same(t, log.String(), "registry.example.com/log+08bdff8c+ASFAYeAoaPXhSfPdmFi/lBH5GLkxgWmTMDUWIF7EREXe")
	same(t, clock.String(), "registry.example.com/log+451b7299+BHMFh2kNwZ4qLB3j2LRW1HzGfwGdvTVPPPRqnWC0kYZK")
	same(t, witness.String(), "witness1.example/w+3439ab99+BPDovjSHAmzAV2uwRTchOkTPvWn6DmB4Y+8cYh+zVrBg")
	tr := exampleTree(t)
	for i, want := range []struct {
		bytes      int
		begin, end string
		root       string
	}{
		{259, "35d59a9a", "cc74b8", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="},
		{528, "599a9ed6", "502ca9", "NdWamnv4fFljWZC2sTWWuUxQ/5X+BeJsGNl0qlbMdLg="},
		{230, "4501e582", "369349", "i9ayE9xGYPjadLG7WtbvpCPDt5QB7HZtHi1F/NO/mW4="},
		{590, "d73e9e5d", "75f22d", "EMIPPPHy/V3aT19f5dTwiD4pW+SWjGtX8V2iPIJxcEU="},
	} {
		leaf := tr.leaves[i]
		h := translog.LeafHash(leaf)
		if len(leaf) != want.bytes || !strings.HasPrefix(h, want.begin) || !strings.HasSuffix(h, want.end) {
			t.Errorf("leaf %d has %d bytes and the hash %s\n%s", i, len(leaf), h, leaf)
		}
		same(t, tr.root(t, int64(i)).String(), want.root)
	}
	same(t, tr.root(t, 4).String(), "YTHXGNPtL+3lD8Xhnx9bc52SzWqQ33c27+HN1Et0dro=")
	proof := tr.proof(t, 1, 4).Text()
	same(t, fmt.Sprint(len(proof), " ", translog.HashOf(proof)), "1290 90b36c3650e843a99a38f620e720493350917c1f28f9d6bece577fc1f131a931")
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
