package witness

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/translog"
)

const (
	// maxBody is how many bytes a request has at most.
	maxBody = 64 << 10
	// maxHashes is how many hashes a proof has at most.
	maxHashes = 63
)

// Prefix is the path that a service has its witness below.
const Prefix = "/witness/"

// Pattern returns the pattern of such a path, for metrics; empty for one that there is not.
func Pattern(path string) string {
	rest, ok := strings.CutPrefix(path, Prefix)
	switch {
	case ok && rest == "add-checkpoint":
		return path
	case ok && strings.HasSuffix(rest, "/checkpoint"):
		return Prefix + "{hash}/checkpoint"
	}
	return ""
}

// A Handler answers add-checkpoint, and shows what was cosigned last.
type Handler struct {
	Witness *Witness
	Log     *slog.Logger
}

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	hash, shown := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/"), "/checkpoint")
	switch {
	case r.URL.Path == "/add-checkpoint" && r.Method == http.MethodPost:
		h.add(w, r)
	case r.URL.Path == "/add-checkpoint":
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "heads are sent with POST", http.StatusMethodNotAllowed)
	case shown && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		h.show(w, hash)
	default:
		http.NotFound(w, r)
	}
}

func (h *Handler) show(w http.ResponseWriter, hash string) {
	note, ok := h.Witness.checkpoint(hash)
	if !ok {
		http.Error(w, "nothing was signed for such a log", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, note) // the client may be gone
}

func (h *Handler) add(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, fmt.Sprintf("the request cannot be read, or has more than %d bytes", maxBody), http.StatusBadRequest)
		return
	}
	q, err := parseRequest(body)
	var line []byte
	if err == nil {
		line, err = h.Witness.cosign(q)
	}
	var conflict *conflictError
	switch {
	case err == nil:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write(line) // the client may be gone
	case errors.As(err, &conflict):
		w.Header().Set("Content-Type", "text/x.tlog.size")
		w.WriteHeader(http.StatusConflict)
		_, _ = fmt.Fprintf(w, "%d\n", conflict.size) // the client may be gone
	default:
		h.refuse(w, r, err)
	}
}

// refuse answers that a head is not signed. A log that signed it and cannot prove it is worth a
// word to the operator.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusServiceUnavailable
	switch {
	case errors.Is(err, errMalformed):
		status = http.StatusBadRequest
	case errors.Is(err, errUnknown):
		status = http.StatusNotFound
	case errors.Is(err, errUntrusted):
		status = http.StatusForbidden
	case errors.Is(err, errProof):
		status = http.StatusUnprocessableEntity
		h.Log.WarnContext(r.Context(), "a log has signed a head and does not prove that it contains what was signed before", "error", err)
	default:
		h.Log.ErrorContext(r.Context(), "what is signed cannot be kept, so nothing is", "error", err)
		err = errors.New("nothing can be signed at present")
	}
	http.Error(w, err.Error(), status)
}

// parseRequest reads the body of add-checkpoint.
func parseRequest(body []byte) (*request, error) {
	head, note, ok := bytes.Cut(body, []byte("\n\n"))
	if !ok {
		return nil, fmt.Errorf("%w: there is no empty line before a checkpoint", errMalformed)
	}
	lines := strings.Split(string(head), "\n")
	size, ok := strings.CutPrefix(lines[0], "old ")
	old, err := strconv.ParseInt(size, 10, 64)
	if !ok || err != nil || old < 0 || strconv.FormatInt(old, 10) != size {
		return nil, fmt.Errorf("%w: it does not begin with the line old and a size", errMalformed)
	}
	if len(lines)-1 > maxHashes {
		return nil, fmt.Errorf("%w: a proof has %d hashes at most", errMalformed, maxHashes)
	}
	q := &request{old: old, note: note}
	for _, l := range lines[1:] {
		hash, err := tlog.ParseHash(l)
		if err != nil || hash.String() != l {
			return nil, fmt.Errorf("%w: a line is not a hash in base64", errMalformed)
		}
		q.proof = append(q.proof, hash)
	}
	return q, nil
}

// RequestText returns the body of add-checkpoint.
func RequestText(old int64, proof tlog.TreeProof, note []byte) []byte {
	text := fmt.Appendf(nil, "old %d\n", old)
	for _, h := range proof {
		text = append(text, h.String()+"\n"...)
	}
	return append(append(text, '\n'), note...)
}

// PolicyLine is the line of a policy that asks for the witness.
func PolicyLine(name string, k *translog.Key) string {
	return "witness " + name + " " + k.String() + "\n"
}
