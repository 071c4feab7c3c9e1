package witness_test

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/service/store/highwater"
	"github.com/avow-project/avow/internal/service/witness"
	"github.com/avow-project/avow/internal/translog"
)

const origin = "registry.example/log"

var now = time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC)

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func signer(t *testing.T, name string, kind translog.KeyType, seed byte) *translog.Signer {
	t.Helper()
	s, err := translog.NewSigner(name, kind, append(make([]byte, 31), seed))
	ok(t, err)
	return s
}

// A tree is leaves that are numbers, and its hashes.
type tree []tlog.Hash

// ReadHashes is part of tlog.HashReader.
func (h tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var all []tlog.Hash
	for _, i := range indexes {
		all = append(all, h[i])
	}
	return all, nil
}

// grow returns a tree of leaves whose first ones are those of every other tree, up to common.
func grow(t *testing.T, size, common int, name string) tree {
	t.Helper()
	var h tree
	for i := range size {
		text := fmt.Sprint("leaf ", i)
		if i >= common {
			text += name
		}
		more, err := tlog.StoredHashes(int64(i), []byte(text), h)
		ok(t, err)
		h = append(h, more...)
	}
	return h
}

func (h tree) head(t *testing.T, size int64) *translog.Checkpoint {
	t.Helper()
	root, err := tlog.TreeHash(size, h)
	ok(t, err)
	return &translog.Checkpoint{Origin: origin, Size: size, Root: root}
}

func (h tree) proof(t *testing.T, size, old int64) tlog.TreeProof {
	t.Helper()
	if old == 0 || old > size {
		return nil
	}
	p, err := tlog.ProveTree(size, old, h)
	ok(t, err)
	return p
}

// signed is a head that the log has signed.
func signed(t *testing.T, c *translog.Checkpoint) []byte {
	t.Helper()
	note, err := translog.Sign(c, now, signer(t, c.Origin, translog.Plain, 1))
	ok(t, err)
	return note
}

func config(t *testing.T, path string, key byte) witness.Config {
	t.Helper()
	policy, err := translog.ParsePolicy([]byte("log " + signer(t, origin, translog.Plain, 1).String() + "\nquorum none\n"))
	ok(t, err)
	k := signer(t, "witness.example/w", translog.Timed, key)
	_, err = os.Stat(path)
	if err != nil {
		text, err := witness.Empty(k)
		ok(t, err)
		ok(t, os.WriteFile(path, text, 0o600))
	}
	return witness.Config{Key: k, Policy: policy, State: path, Write: highwater.WriteFile, Now: func() time.Time { return now }}
}

func start(t *testing.T, c witness.Config) *httptest.Server {
	t.Helper()
	w, err := witness.New(c)
	ok(t, err)
	s := httptest.NewServer(&witness.Handler{Witness: w, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	t.Cleanup(s.Close)
	return s
}

func post(t *testing.T, url string, body []byte) (int, string, string) {
	t.Helper()
	r, err := http.Post(url+"/add-checkpoint", "text/plain", strings.NewReader(string(body)))
	ok(t, err)
	text, err := io.ReadAll(r.Body)
	ok(t, err)
	ok(t, r.Body.Close())
	return r.StatusCode, string(text), r.Header.Get("Content-Type")
}

func TestEveryStatus(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "witness.json")
	s, h := start(t, config(t, path, 2)), grow(t, 40, 40, "")
	other := grow(t, 40, 0, "x")
	key := &signer(t, "witness.example/w", translog.Timed, 2).Key
	stranger, err := translog.Sign(h.head(t, 10), now, signer(t, origin, translog.Plain, 9))
	ok(t, err)
	elsewhere := signed(t, &translog.Checkpoint{Origin: "other.example/log"})
	forged := []byte(strings.Replace(string(signed(t, h.head(t, 10))), "\n10\n", "\n11\n", 1))
	text := witness.RequestText
	for i, c := range []struct {
		body   []byte
		status int
	}{
		{nil, 400},
		{[]byte("old 0\n"), 400},
		{[]byte("old x\n\n" + string(signed(t, h.head(t, 10)))), 400},
		{[]byte("old 00\n\n" + string(signed(t, h.head(t, 10)))), 400},
		{[]byte("old -1\n\n" + string(signed(t, h.head(t, 10)))), 400},
		{[]byte("new 0\n\n" + string(signed(t, h.head(t, 10)))), 400},
		{[]byte("old 0\nno hash\n\n" + string(signed(t, h.head(t, 10)))), 400},
		{text(0, make(tlog.TreeProof, 64), signed(t, h.head(t, 10))), 400},
		{[]byte("old 0\n\nno checkpoint\n"), 400},
		{append(text(0, nil, signed(t, h.head(t, 10))), make([]byte, 64<<10)...), 400},
		{text(11, nil, signed(t, h.head(t, 10))), 400},
		{text(0, nil, elsewhere), 404},
		{text(0, nil, stranger), 403},
		{text(0, nil, forged), 403},
		{text(5, h.proof(t, 10, 5), signed(t, h.head(t, 10))), 409},
		{text(0, h.proof(t, 10, 5), signed(t, h.head(t, 10))), 422},
		{text(0, nil, signed(t, &translog.Checkpoint{Origin: origin})), 422}, // size 0 with another root
		{text(0, nil, signed(t, h.head(t, 0))), 200},
		{text(0, nil, signed(t, h.head(t, 10))), 200},
		{text(0, nil, signed(t, h.head(t, 10))), 409},
		{text(10, nil, signed(t, h.head(t, 10))), 200},
		{text(10, h.proof(t, 20, 10), signed(t, h.head(t, 10))), 422},
		{text(10, nil, signed(t, other.head(t, 10))), 422},
		{text(10, nil, signed(t, h.head(t, 20))), 422},
		{text(10, other.proof(t, 20, 10), signed(t, other.head(t, 20))), 422},
		{text(9, h.proof(t, 20, 9), signed(t, h.head(t, 20))), 409},
		{text(10, h.proof(t, 20, 10), signed(t, h.head(t, 20))), 200},
		{text(0, nil, signed(t, other.head(t, 5))), 409},
	} {
		status, answer, kind := post(t, s.URL, c.body)
		if status != c.status {
			t.Errorf("%d: status %d, want %d: %s", i, status, c.status, answer)
		}
		switch _, err := strconv.Atoi(strings.TrimSuffix(answer, "\n")); {
		case status == 409 && (err != nil || kind != "text/x.tlog.size"):
			t.Errorf("%d: a conflict is %s: %q", i, kind, answer)
		case status == 200 && !strings.HasPrefix(answer, "— witness.example/w "):
			t.Errorf("%d: got %q", i, answer)
		}
	}
	note := signed(t, h.head(t, 30))
	_, line, _ := post(t, s.URL, text(20, h.proof(t, 30, 20), note))
	head, by, err := translog.Open(append(note, line...), key)
	ok(t, err)
	if head.Size != 30 || len(by) != 1 || !by[0].At.Equal(now) {
		t.Errorf("%d leaves, signed by %v", head.Size, by)
	}
	r, err := http.Get(s.URL + "/" + translog.HashOf([]byte(origin)) + "/checkpoint")
	ok(t, err)
	last, err := io.ReadAll(r.Body)
	ok(t, err)
	ok(t, r.Body.Close())
	if string(last) != string(note)+line {
		t.Errorf("shown is %s", last)
	}
	for path, want := range map[string]int{"/checkpoint": 404, "/00/checkpoint": 404, "/add-checkpoint": 405, "/": 404} {
		r, err := http.Get(s.URL + path)
		ok(t, err)
		ok(t, r.Body.Close())
		if r.StatusCode != want {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
	}
	// Another start knows what was signed; another key does not take the state over.
	status, answer, _ := post(t, start(t, config(t, path, 2)).URL, text(20, nil, note))
	if status != 409 || answer != "30\n" {
		t.Errorf("after another start: %d %s", status, answer)
	}
	_, err = witness.New(config(t, path, 3))
	if err == nil {
		t.Error("another witness goes on with the state")
	}
}

// TestForksAreRefused tries other histories with whatever proof and size.
func TestForksAreRefused(t *testing.T) {
	t.Parallel()
	h := grow(t, 300, 300, "")
	c := config(t, filepath.Join(t.TempDir(), "witness.json"), 2)
	s := start(t, c)
	status, answer, _ := post(t, s.URL, witness.RequestText(0, nil, signed(t, h.head(t, 200))))
	if status != 200 {
		t.Fatal(answer)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		fork := grow(t, 300, random.IntN(200), "x")
		for range 10 {
			old, size := random.Int64N(301), 1+random.Int64N(300)
			if random.IntN(2) == 0 {
				old = 200
			}
			proof := fork.proof(t, size, old)
			if random.IntN(3) == 0 {
				proof = h.proof(t, size, old)
			}
			head := fork.head(t, size)
			if head.Root == h.head(t, size).Root && size >= 200 {
				t.Fatal("the fork is none")
			}
			status, answer, _ := post(t, s.URL, witness.RequestText(old, proof, signed(t, head)))
			if status == 200 {
				t.Fatalf("a fork of %d leaves is signed with old %d: %s", size, old, answer)
			}
		}
	}
}

// TestTwoAtOnce sends two histories at the same time: one of them is signed, and stays.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	for range 5 {
		s := start(t, config(t, filepath.Join(t.TempDir(), "witness.json"), 2))
		var all sync.WaitGroup
		var status [8]int
		for i := range status {
			note := signed(t, grow(t, 10+i, 0, fmt.Sprint("x", i)).head(t, int64(10+i)))
			all.Go(func() { status[i], _, _ = post(t, s.URL, witness.RequestText(0, nil, note)) })
		}
		all.Wait()
		n := map[int]int{}
		for _, st := range status {
			n[st]++
		}
		if n[200] != 1 || n[409] != 7 {
			t.Fatalf("answers %v", status)
		}
	}
}

// TestTwoWitnesses has a log cosigned by two, as a policy asks for.
func TestTwoWitnesses(t *testing.T) {
	t.Parallel()
	h := grow(t, 20, 20, "")
	note := signed(t, h.head(t, 20))
	policy := "log " + signer(t, origin, translog.Plain, 1).String() + "\n"
	for _, key := range []byte{2, 3} {
		c := config(t, filepath.Join(t.TempDir(), "witness.json"), key)
		policy += witness.PolicyLine(fmt.Sprint("w", key), &c.Key.Key)
		_, line, _ := post(t, start(t, c).URL, witness.RequestText(0, nil, signed(t, h.head(t, 20))))
		note = append(note, line...)
	}
	p, err := translog.ParsePolicy([]byte(policy + "group both all w2 w3\nquorum both\n"))
	ok(t, err)
	checked, err := p.Check(note)
	ok(t, err)
	if len(checked.Witnesses) != 2 {
		t.Errorf("cosigned by %v", checked.Witnesses)
	}
}

// killed is set for the process that dies between keeping a signature and giving it out.
const killed = "AVOW_TEST_WITNESS"

func TestKilledBeforeTheAnswer(t *testing.T) {
	if path := os.Getenv(killed); path != "" {
		c := config(t, path, 2)
		c.Write = func(path string, text []byte) error {
			ok(t, highwater.WriteFile(path, text))
			if strings.HasSuffix(path, ".seen") {
				return nil // when it begins; the one of the signature is never written
			}
			p, err := os.FindProcess(os.Getpid())
			ok(t, err)
			ok(t, p.Kill())
			select {}
		}
		post(t, start(t, c).URL, witness.RequestText(0, nil, signed(t, grow(t, 10, 10, "").head(t, 10))))
		return
	}
	t.Parallel()
	path := filepath.Join(t.TempDir(), "witness.json")
	config(t, path, 2)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestKilledBeforeTheAnswer$")
	cmd.Env = append(os.Environ(), killed+"="+path)
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatalf("it was not killed: %s", out)
	}
	s := start(t, config(t, path, 2))
	fork := grow(t, 10, 0, "x")
	if status, answer, _ := post(t, s.URL, witness.RequestText(0, nil, signed(t, fork.head(t, 10)))); status != 409 || answer != "10\n" {
		t.Errorf("another history after the kill: %d %s", status, answer)
	}
	// The log asks again, and gets what it missed.
	if status, answer, _ := post(t, s.URL, witness.RequestText(10, nil, signed(t, grow(t, 10, 10, "").head(t, 10)))); status != 200 {
		t.Errorf("%d %s", status, answer)
	}
}

// TestStatePutBack: a witness does not begin with an old copy of its state, nor with a new one
// beside the number of the old.
func TestStatePutBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "witness.json")
	c, h := config(t, path, 2), grow(t, 30, 30, "")
	empty, err := os.ReadFile(path)
	ok(t, err)
	s := start(t, c)
	var copies [][]byte
	for _, size := range []int64{10, 20, 30} {
		status, answer, _ := post(t, s.URL, witness.RequestText(size-10, h.proof(t, size, size-10), signed(t, h.head(t, size))))
		if status != 200 {
			t.Fatal(answer)
		}
		text, err := os.ReadFile(path)
		ok(t, err)
		copies = append(copies, text)
	}
	for i, text := range [][]byte{empty, copies[0], copies[1]} {
		ok(t, os.WriteFile(path, text, 0o600))
		_, err = witness.New(c)
		if err == nil || !strings.Contains(err.Error(), "is an old copy: 3 heads were signed, and it knows of "+strconv.Itoa(i)) {
			t.Errorf("copy %d: %v", i, err)
		}
	}
	ok(t, os.WriteFile(path, copies[2], 0o600))
	_, err = witness.New(c)
	ok(t, err)
	for _, number := range []string{"", "x"} {
		ok(t, os.WriteFile(path+".seen", []byte(number), 0o600))
		_, err = witness.New(c)
		if err == nil {
			t.Errorf("it begins with the number %q", number)
		}
	}
	ok(t, os.Remove(path+".seen"))
	_, err = witness.New(c)
	if err == nil {
		t.Error("it begins without the number of heads that were signed")
	}
}

// TestNothingIsSignedThatCannotBeKept has a disk that is full.
func TestNothingIsSignedThatCannotBeKept(t *testing.T) {
	t.Parallel()
	c := config(t, filepath.Join(t.TempDir(), "witness.json"), 2)
	full := false
	c.Write = func(path string, text []byte) error {
		if full {
			return os.ErrPermission
		}
		return highwater.WriteFile(path, text)
	}
	s, h := start(t, c), grow(t, 10, 10, "")
	full = true
	if status, answer, _ := post(t, s.URL, witness.RequestText(0, nil, signed(t, h.head(t, 5)))); status != 503 || strings.Contains(answer, "permission") {
		t.Errorf("%d %s", status, answer)
	}
	full = false
	if status, answer, _ := post(t, s.URL, witness.RequestText(0, nil, signed(t, h.head(t, 10)))); status != 200 {
		t.Errorf("%d %s", status, answer)
	}
}
