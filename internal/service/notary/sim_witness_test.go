package notary_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/test/witness"
	"github.com/avow-project/avow/internal/translog"
)

// A simWitness is a witness and what it has cosigned.
type simWitness struct {
	w        *world
	key      *translog.Signer
	handler  *witness.Witness
	cosigned []*translog.Checkpoint
	// size is what it said last that it has signed.
	size int64
}

func newSimWitness(w *world, i int) *simWitness {
	s := &simWitness{w: w, key: simSigner(fmt.Sprint("witness.example/", i), translog.Timed, byte(10+i))}
	s.handler = witness.New(s.key, w.clock, &w.keys.Log.Key)
	return s
}

// ask sends a head, with the size that the witness has signed last and a proof from it.
func (s *simWitness) ask(note []byte, t notary.Tree) (bool, error) {
	head, _, err := translog.Open(note, &s.w.keys.Log.Key)
	if err != nil {
		return false, err
	}
	var old int64
	for range 2 {
		var proof tlog.TreeProof
		if old > 0 && old <= head.Size {
			proof, err = tlog.ProveTree(head.Size, old, notary.Hashes(t))
			if err != nil {
				return false, err
			}
		}
		status, body := exchange(s.handler, http.MethodPost, "/add-checkpoint", notary.RequestText(old, proof, note))
		switch status {
		case http.StatusOK:
			s.w.done.cosigned++
			return true, s.checkCosigned(head, append(bytes.Clone(note), body...), t)
		case http.StatusConflict:
			old, err = strconv.ParseInt(strings.TrimSuffix(string(body), "\n"), 10, 64)
			s.size = old
			if err != nil {
				return false, err
			}
		default:
			return false, nil
		}
	}
	return false, nil
}

// exchange asks a handler.
func exchange(h http.Handler, method, path string, body []byte) (int, []byte) {
	r := httptest.NewRecorder()
	h.ServeHTTP(r, httptest.NewRequest(method, path, bytes.NewReader(body)))
	return r.Code, r.Body.Bytes()
}

// askWitnesses has the last head cosigned. One of the witnesses may not be able to keep it.
func (w *world) askWitnesses() error {
	signed, err := w.store.Log().LastSigned(w.ctx)
	if errors.Is(err, notary.ErrPending) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, s := range w.witnesses {
		bad := w.rng.IntN(4) == 0
		s.handler.Keep = func() error {
			if bad {
				return errFault
			}
			return nil
		}
		good, err := s.ask(signed.Note, w.store.Log().Tree(w.ctx))
		if err == nil && !good && !bad && w.current == nil && s.size <= signed.Size {
			// A copy that was put back may have the leaves and not the head.
			err = violated("a witness cosigns an honest log", "it refuses %d leaves", signed.Size)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// simSource is a log as it is served.
type simSource struct{ log notary.Store }

// Get is part of monitor.Source.
func (s simSource) Get(_ context.Context, path string) ([]byte, error) {
	h := &notary.Handler{Prover: notary.Prover{Store: s.log}, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	status, body := exchange(h, http.MethodGet, notary.Prefix+path, nil)
	switch status {
	case http.StatusOK:
		return body, nil
	case http.StatusNotFound:
		return nil, monitor.ErrAbsent
	}
	return nil, errors.New(string(body))
}
