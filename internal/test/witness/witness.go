// Package witness is a witness of transparency logs for tests (C2SP tlog-witness). It keeps what it has
// cosigned in memory.
package witness

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/translog"
)

// A Witness cosigns the heads of logs.
type Witness struct {
	key  *translog.Signer
	logs []*translog.Key
	now  func() time.Time
	mu   sync.Mutex
	// last are the heads that were cosigned last, by origin.
	last map[string]string
	// Keep is asked before a head is cosigned; after an error it is not. Nil stands for yes.
	Keep func() error
}

// New returns a witness that signs for logs with these keys.
func New(key *translog.Signer, now func() time.Time, logs ...*translog.Key) *Witness {
	return &Witness{key: key, now: now, logs: logs, last: map[string]string{}}
}

// A refusal is a status with what is in the body.
type refusal struct {
	status int
	body   string
}

// Error returns the body.
func (r *refusal) Error() string { return r.body }

// ServeHTTP answers add-checkpoint, and shows what was cosigned last.
func (w *Witness) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if hash, ok := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/"), "/checkpoint"); ok &&
		r.Method == http.MethodGet {
		for origin, note := range w.last {
			if translog.HashOf([]byte(origin)) == hash {
				_, _ = io.WriteString(rw, note)
				return
			}
		}
		http.NotFound(rw, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	var line string
	if err == nil {
		line, err = w.cosign(string(body))
	}
	var refused *refusal
	switch {
	case err == nil:
		_, _ = io.WriteString(rw, line)
	case errors.As(err, &refused):
		http.Error(rw, refused.body, refused.status)
	default:
		http.Error(rw, err.Error(), http.StatusBadRequest)
	}
}

// cosign returns the line with the signature.
func (w *Witness) cosign(body string) (string, error) {
	request, note, _ := strings.Cut(body, "\n\n")
	lines := strings.Split(request, "\n")
	old, err := strconv.ParseInt(strings.TrimPrefix(lines[0], "old "), 10, 64)
	if err != nil {
		return "", err
	}
	var proof tlog.TreeProof
	for _, l := range lines[1:] {
		hash, err := tlog.ParseHash(l)
		if err != nil {
			return "", err
		}
		proof = append(proof, hash)
	}
	trimmed, err := translog.Trim([]byte(note), w.logs...)
	if err != nil {
		return "", &refusal{http.StatusForbidden, "the log has not signed it"}
	}
	head, err := translog.Read(trimmed)
	if err != nil {
		return "", err
	}
	last := &translog.Checkpoint{Origin: head.Origin}
	if before := w.last[head.Origin]; before != "" {
		last, err = translog.Read([]byte(before))
		if err != nil {
			return "", err
		}
	}
	switch {
	case old > head.Size:
		return "", errors.New("old is greater than the size")
	case old != last.Size:
		return "", &refusal{http.StatusConflict, strconv.FormatInt(last.Size, 10)}
	case last.Size == head.Size && last.Size > 0 && last.Root != head.Root,
		0 < last.Size && last.Size < head.Size && tlog.CheckTree(proof, head.Size, head.Root, last.Size, last.Root) != nil:
		return "", &refusal{http.StatusUnprocessableEntity, "the head does not contain what was signed before"}
	}
	signed, err := translog.Cosign(trimmed, w.now(), w.key)
	if err == nil && w.Keep != nil {
		err = w.Keep()
	}
	if err != nil {
		return "", &refusal{http.StatusServiceUnavailable, err.Error()}
	}
	w.last[head.Origin] = string(signed)
	text := strings.TrimSuffix(string(signed), "\n")
	return text[strings.LastIndex(text, "\n")+1:] + "\n", nil
}

// PolicyLine is the line of a policy that asks for the witness.
func (w *Witness) PolicyLine(name, url string) string {
	return fmt.Sprintf("witness %s %s %s\n", name, w.key.String(), url)
}
