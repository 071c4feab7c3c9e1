package notary_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/service/store/sqlite"
	"github.com/avow-project/avow/internal/test/storetest"
	"github.com/avow-project/avow/internal/test/witness"
	"github.com/avow-project/avow/internal/translog"
)

var noon = time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC)

// A registryLog is the log of a registry, with a witness that the registry runs.
type registryLog struct {
	store  *records.Store
	keys   *notary.Keys
	signer *translog.Signer
	url    string
}

// newRegistry makes a log with a leaf for each publisher.
func newRegistry(t *testing.T, keys *notary.Keys, publishers ...int) *registryLog {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	ok(t, err)
	t.Cleanup(func() { ok(t, s.Close()) })
	first := keys.First()
	first.At = noon
	ok(t, s.Log().Begin(t.Context(), keys.Log.Name, first))
	r := &registryLog{store: s, keys: keys}
	r.add(t, publishers...)
	return r
}

func newKeys(t *testing.T, origin string) *notary.Keys {
	t.Helper()
	keys, err := notary.NewKeys(origin)
	ok(t, err)
	return keys
}

func (r *registryLog) add(t *testing.T, publishers ...int) {
	t.Helper()
	for _, p := range publishers {
		ok(t, r.store.Custody().Commit(t.Context(), storetest.LoggedChange(p, noon)))
	}
}

// serveWitness has the registry cosign the logs of others.
func (r *registryLog) serveWitness(t *testing.T, name string, logs ...*notary.Keys) {
	t.Helper()
	seed := sha256.Sum256([]byte(name))
	var err error
	r.signer, err = translog.NewSigner(name, translog.Timed, seed[:])
	ok(t, err)
	var all []*translog.Key
	for _, k := range logs {
		all = append(all, &k.Log.Key)
	}
	server := httptest.NewServer(witness.New(r.signer, func() time.Time { return noon }, all...))
	t.Cleanup(server.Close)
	r.url = server.URL
}

// line is the line of a policy for the witness.
func (r *registryLog) line() string {
	return "witness " + r.signer.Name + " " + r.signer.String() + " " + r.url + "\n"
}

// notary returns a notary of the log, with a policy that has some lines more.
func (r *registryLog) notary(t *testing.T, lines string) (*translog.Policy, *notary.Notary) {
	t.Helper()
	policy, err := translog.ParsePolicy([]byte("log " + r.keys.Log.String() + "\nwitness clock " + r.keys.Clock.String() + "\n" + lines))
	ok(t, err)
	return policy, notary.New(notary.Config{Store: r.store.Log(), Keys: r.keys, Now: func() time.Time { return noon }, Policy: policy, Client: http.DefaultClient, Patience: time.Hour})
}

// sign signs the log with such a notary.
func (r *registryLog) sign(t *testing.T, lines string) (*translog.Policy, error) {
	t.Helper()
	policy, n := r.notary(t, lines)
	return policy, n.Flush(t.Context())
}

// published returns how many leaves the published head has, after it is checked.
func (r *registryLog) published(t *testing.T, policy *translog.Policy) int64 {
	t.Helper()
	signed, err := r.store.Log().LastSigned(t.Context())
	ok(t, err)
	checked, err := policy.Check(signed.Note)
	ok(t, err)
	return checked.Head.Size
}

// TestWitnesses: two registries cosign each other, and a third that shows another history under the
// name of the first is found by the second.
func TestWitnesses(t *testing.T) {
	t.Parallel()
	a := newRegistry(t, newKeys(t, "a.example/log"), 1, 2)
	b := newRegistry(t, newKeys(t, "b.example/log"), 3)
	a.serveWitness(t, "a.example/witness", b.keys)
	b.serveWitness(t, "b.example/witness", a.keys)
	for _, more := range []int{4, 5, 6} {
		forA, err := a.sign(t, b.line()+"quorum b.example/witness\n")
		ok(t, err)
		forB, err := b.sign(t, a.line()+"quorum a.example/witness\n")
		ok(t, err)
		if got, want := []int64{a.published(t, forA), b.published(t, forB)}, []int64{int64(more - 1), int64(more - 2)}; got[0] != want[0] || got[1] != want[1] {
			t.Errorf("%v leaves are published, want %v", got, want)
		}
		a.add(t, more)
		b.add(t, more)
	}
	// The same keys with another history, longer and shorter than the one that was signed.
	for _, publishers := range [][]int{{7}, {7, 8, 9, 10, 11, 12, 13}} {
		fork := newRegistry(t, a.keys, publishers...)
		_, err := fork.sign(t, b.line()+"quorum clock\n")
		var behind *notary.BehindError
		if !errors.As(err, &behind) || behind.Path != "witness b.example/witness" {
			t.Errorf("a second history of %d leaves: %v", len(publishers)+1, err)
		}
		_, err = fork.store.Log().LastSigned(t.Context())
		if !errors.Is(err, notary.ErrPending) {
			t.Errorf("it was published: %v", err)
		}
	}
}

// TestQuorum: what witnesses have to sign is published when enough of them have, and one that is
// down or answers nonsense keeps nothing back unless its signature is needed.
func TestQuorum(t *testing.T) {
	t.Parallel()
	a, b := newRegistry(t, newKeys(t, "a.example/log"), 1), &registryLog{}
	b.serveWitness(t, "b.example/witness", a.keys)
	down, odd := &registryLog{}, &registryLog{}
	down.serveWitness(t, "down.example/witness", a.keys)
	odd.serveWitness(t, "odd.example/witness", a.keys)
	gone := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer gone.Close()
	down.url = gone.URL
	nonsense := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("— x y\n")) }))
	defer nonsense.Close()
	odd.url = nonsense.URL
	all := b.line() + down.line() + odd.line()
	_, err := a.sign(t, all+"group both all b.example/witness down.example/witness\nquorum both\n")
	if !errors.Is(err, translog.ErrQuorum) {
		t.Errorf("without a quorum: %v", err)
	}
	_, err = a.store.Log().LastSigned(t.Context())
	if !errors.Is(err, notary.ErrPending) {
		t.Errorf("it was published: %v", err)
	}
	for _, quorum := range []string{"group one 1 b.example/witness down.example/witness odd.example/witness\nquorum one\n", "quorum clock\n", "quorum none\n"} {
		a.add(t, 2)
		_, err := a.sign(t, all+quorum)
		ok(t, err)
		// Also a policy that asks for more than is needed to publish finds the signature.
		strict, err := translog.ParsePolicy([]byte("log " + a.keys.Log.String() + "\n" + b.line() + "quorum b.example/witness\n"))
		ok(t, err)
		a.published(t, strict)
	}
}

// TestSlowWitness: a head is shown while a witness that is not needed has not answered yet.
func TestSlowWitness(t *testing.T) {
	t.Parallel()
	a, slow := newRegistry(t, newKeys(t, "a.example/log"), 1), &registryLog{}
	slow.serveWitness(t, "slow.example/witness", a.keys)
	asked, shown := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			close(asked)
			<-shown
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	slow.url = server.URL
	_, n := a.notary(t, slow.line()+"quorum clock\n")
	ended := make(chan error, 1)
	go func() { ended <- n.Flush(t.Context()) }()
	select {
	case <-asked:
	case err := <-ended:
		t.Fatalf("the witness was not asked: %v", err)
	}
	_, err := a.store.Log().LastSigned(context.WithoutCancel(t.Context()))
	close(shown)
	ok(t, errors.Join(err, <-ended))
}

// TestKeys: a log goes on with other keys, and says which sign from which size on.
func TestKeys(t *testing.T) {
	t.Parallel()
	first := newKeys(t, "a.example/log")
	a := newRegistry(t, first, 1)
	both := newKeys(t, "a.example/log")
	both.Old = first
	second := &notary.Keys{Log: both.Log, Clock: both.Clock}
	guard := notary.Guard{Path: filepath.Join(t.TempDir(), "guard"), Write: func(path string, text []byte) error { return os.WriteFile(path, text, 0o600) }}
	with := func(k *notary.Keys) *notary.Notary {
		return notary.New(notary.Config{Store: a.store.Log(), Keys: k, Guard: guard, Now: func() time.Time { return noon }})
	}
	ok(t, with(first).Flush(t.Context()))
	ok(t, with(both).Announce(t.Context()))
	ok(t, with(both).Announce(t.Context())) // the second time adds nothing
	ok(t, with(first).Flush(t.Context()))   // a service that was not restarted yet
	ok(t, with(second).Announce(t.Context()))
	lost := newKeys(t, "a.example/log")
	ok(t, with(lost).Announce(t.Context()))
	for _, k := range []*notary.Keys{first, both, second, newKeys(t, "a.example/log"), newKeys(t, "b.example/log")} {
		if with(k).Flush(t.Context()) == nil {
			t.Error("keys that the log does not name sign")
		}
	}
	if with(newKeys(t, "b.example/log")).Announce(t.Context()) == nil {
		t.Error("the keys of another log become those of this one")
	}
	size, err := notary.Prover{Store: a.store.Log()}.Audit(t.Context())
	if err != nil || size != 5 {
		t.Errorf("%d leaves: %v", size, err)
	}
	h := &notary.Handler{Prover: notary.Prover{Store: a.store.Log()}, Log: slog.New(slog.DiscardHandler)}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/log/keys", nil))
	key := func(s *translog.Signer, span string) string { return `{"key":"` + s.String() + `",` + span + `}` }
	want := `{"keys":[` + strings.Join([]string{
		key(first.Log, `"from":1,"until":4`), key(first.Clock, `"from":1,"until":4`), key(second.Log, `"from":3,"until":5`), key(second.Clock, `"from":3,"until":5`),
		key(lost.Log, `"from":5`), key(lost.Clock, `"from":5`),
	}, ",") + `]}`
	if w.Body.String() != want {
		t.Errorf("got %s\nwant %s", w.Body, want)
	}
}

// TestPolicyIsNew: a head that the policy is not satisfied with does not wait until the log grows.
func TestPolicyIsNew(t *testing.T) {
	t.Parallel()
	a, b := newRegistry(t, newKeys(t, "a.example/log"), 1), &registryLog{}
	_, err := a.sign(t, "quorum clock\n")
	ok(t, err)
	b.serveWitness(t, "b.example/witness", a.keys)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var asked atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			asked.Store(true)
			cancel()
		}
	}))
	t.Cleanup(server.Close)
	b.url = server.URL
	policy, err := translog.ParsePolicy([]byte("log " + a.keys.Log.String() + "\n" + b.line() + "quorum b.example/witness\n"))
	ok(t, err)
	looks := 0
	now := func() time.Time {
		if looks++; looks > 10 {
			cancel() // one look is enough to ask, and takes fewer
		}
		return noon.Add(time.Minute)
	}
	n := notary.New(notary.Config{Store: a.store.Log(), Keys: a.keys, Now: now, Policy: policy, Client: http.DefaultClient, Patience: time.Hour})
	n.Run(ctx) // ends when the witness is asked
	if !asked.Load() {
		t.Error("the witness was not asked")
	}
}

// TestHalted: a notary that has seen another history makes no leaves any more.
func TestHalted(t *testing.T) {
	t.Parallel()
	a, b := newRegistry(t, newKeys(t, "a.example/log"), 1, 2), &registryLog{}
	b.serveWitness(t, "b.example/witness", a.keys)
	_, err := a.sign(t, b.line()+"quorum b.example/witness\n")
	ok(t, err)
	fork := newRegistry(t, a.keys, 3)
	_, n := fork.notary(t, b.line()+"quorum clock\n")
	for range 2 {
		var behind *notary.BehindError
		err = n.Flush(t.Context())
		if !errors.As(err, &behind) {
			t.Errorf("a second history: %v", err)
		}
		fork.add(t, 4)
	}
	s, err := fork.store.Log().State(t.Context())
	if err != nil || s.Size != 2 || s.Waiting != 2 {
		t.Errorf("leaves were made: %+v %v", s, err)
	}
}
