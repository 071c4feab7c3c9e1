package notary

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/translog"
)

// Prefix is the path that a log is served below.
const Prefix = "/log/"

// A Handler serves a log: the tiles of C2SP tlog-tiles, and proofs for those who do not want
// to make them of tiles. Nothing is shown that was not signed.
type Handler struct {
	Prover Prover
	// Keys sign receipts; nil where they are not at hand, and then there are no receipts.
	Keys *Keys
	// URL is the log's, for the policy; empty when it is not known.
	URL string
	// PolicyText is the policy; empty for one that asks for the keys of the log alone.
	PolicyText []byte
	Log        *slog.Logger
}

// What answers may be kept for.
const (
	forGood   = "public, max-age=31536000, immutable"
	forMoment = "public, max-age=5"
	notAtAll  = "no-store"
)

// Pattern returns the pattern of a path, for metrics; empty for one that there is not.
func Pattern(path string) string {
	rest, ok := strings.CutPrefix(path, Prefix)
	if !ok {
		return ""
	}
	word, more, _ := strings.Cut(rest, "/")
	switch {
	case (word == "checkpoint" || word == "policy" || word == "keys") && more == "":
		return path
	case word == "tile" || word == "leaf" || word == "proof" || word == "publisher" || word == "history":
		return Prefix + word + "/"
	}
	return ""
}

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "a log is only read", http.StatusMethodNotAllowed)
		return
	}
	a, err := h.answer(r.Context(), strings.TrimPrefix(r.URL.Path, Prefix))
	if err != nil {
		h.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", a.kind)
	w.Header().Set("Cache-Control", a.keep)
	w.Header().Set("ETag", strconv.Quote(translog.HashOf(a.body)[:32]))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.body))
}

// An answered is an answer.
type answered struct {
	kind, keep string
	body       []byte
}

const (
	plain  = "text/plain; charset=utf-8"
	binary = "application/octet-stream"
)

// fail answers with an error. What may be there in a moment is not kept.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	w.Header().Set("Cache-Control", notAtAll)
	switch {
	case errors.Is(err, ErrPending):
		w.Header().Set("Retry-After", "10")
		http.Error(w, err.Error(), http.StatusNotFound)
	case errors.Is(err, ErrNotFound) || errors.Is(err, ErrNoLog) || errors.Is(err, ErrLong) || errors.Is(err, errPath):
		http.Error(w, err.Error(), http.StatusNotFound)
	default:
		h.Log.ErrorContext(r.Context(), "the transparency log cannot be read", "error", err)
		http.Error(w, "the log cannot be read at present", http.StatusServiceUnavailable)
	}
}

var errPath = errors.New("there is no such thing in a log")

func (h *Handler) answer(ctx context.Context, path string) (*answered, error) {
	signed, err := h.Prover.Store.LastSigned(ctx)
	if err != nil {
		return nil, err
	}
	a := &answered{kind: plain, keep: forMoment}
	word, rest, _ := strings.Cut(path, "/")
	switch {
	case path == "checkpoint":
		a.body = signed.Note
	case path == "keys":
		a.kind = "application/json"
		a.body, err = h.keys(ctx, signed)
	case path == "policy":
		a.body, err = h.policy(ctx)
	case word == "tile":
		a.kind, a.keep = binary, forGood
		a.body, err = h.tile(ctx, path, signed)
	case word == "leaf":
		a.keep = forGood
		a.body, err = h.leaf(ctx, rest, signed)
	case word == "proof":
		a.body, err = h.proof(ctx, rest)
	case word == "publisher":
		a.kind = "application/json"
		a.body, err = h.publisher(ctx, rest, signed)
	case word == "history":
		a.body, err = h.history(ctx, rest)
	default:
		err = errPath
	}
	return a, err
}

func (h *Handler) policy(ctx context.Context) ([]byte, error) {
	if len(h.PolicyText) > 0 {
		return h.PolicyText, nil
	}
	keys, err := h.Prover.Keys(ctx)
	if err != nil {
		return nil, err
	}
	return []byte(PolicyText(keys, h.URL)), nil
}

// tile returns a tile as far as it is signed. One of a smaller log is the beginning of the
// one that is stored.
func (h *Handler) tile(ctx context.Context, path string, signed *Signed) ([]byte, error) {
	t, err := translog.ParseTile(path)
	if err != nil {
		return nil, errPath
	}
	if t.Width > t.WidthAt(signed.Size) {
		return nil, ErrNotFound
	}
	if t.Entries {
		leaves, err := h.Prover.Store.Leaves(ctx, t.N)
		if err == nil && len(leaves) < t.Width {
			err = ErrDamaged
		}
		if err != nil {
			return nil, err
		}
		return translog.Bundle(leaves[:t.Width]), nil
	}
	data, err := h.Prover.Store.Tree(ctx).Tile(t.Level, t.N)
	if err == nil && len(data) < t.Width*tlog.HashSize {
		err = ErrDamaged
	}
	if err != nil {
		return nil, err
	}
	return data[:t.Width*tlog.HashSize], nil
}

// numberIn reads a number in a path.
func numberIn(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != text {
		return 0, errPath
	}
	return n, nil
}

// domainIn reads a domain in a path, with nothing before or behind it.
func domainIn(text string) (string, error) {
	domain, change, err := hostname.Canonical(text)
	if err != nil || change&^(hostname.ChangeCase|hostname.ChangeTrailingDot|hostname.ChangeIDN) != 0 {
		return "", errPath
	}
	return domain, nil
}

func (h *Handler) leaf(ctx context.Context, text string, signed *Signed) ([]byte, error) {
	index, err := numberIn(text)
	if err != nil {
		return nil, err
	}
	if index >= signed.Size {
		return nil, ErrNotFound
	}
	return h.Prover.Leaf(ctx, index)
}

// proof answers proof/INDEX and proof/number/NUMBER.
func (h *Handler) proof(ctx context.Context, text string) ([]byte, error) {
	number, byNumber := strings.CutPrefix(text, "number/")
	n, err := numberIn(number)
	if err == nil && byNumber {
		n, err = h.Prover.Store.IndexOf(ctx, n)
	}
	if err != nil {
		return nil, err
	}
	p, err := h.Prover.Proof(ctx, n)
	if err != nil {
		return nil, err
	}
	return p.Text(), nil
}

// gaugeLimit is how long a gauge may take to read.
const gaugeLimit = 5 * time.Second

// Waiting returns how many events are not in the signed log yet, for a gauge; NaN when that cannot
// be found out.
func (h *Handler) Waiting() float64 {
	ctx, cancel := context.WithTimeout(context.Background(), gaugeLimit)
	defer cancel()
	signed, err := h.Prover.Store.LastSigned(ctx) // first, because others go on
	if errors.Is(err, ErrPending) {
		signed, err = &Signed{}, nil
	}
	if err != nil {
		return math.NaN()
	}
	s, err := h.Prover.Store.State(ctx)
	if err != nil {
		return math.NaN()
	}
	return float64(s.Waiting + s.Size - signed.Size)
}

// SignedAt returns when the head was signed last, in seconds since 1970, for a gauge; zero for never,
// and NaN when that cannot be found out.
func (h *Handler) SignedAt() float64 {
	ctx, cancel := context.WithTimeout(context.Background(), gaugeLimit)
	defer cancel()
	signed, err := h.Prover.Store.LastSigned(ctx)
	switch {
	case errors.Is(err, ErrPending):
		return 0
	case err != nil:
		return math.NaN()
	}
	return float64(signed.At.Unix())
}
