package notary

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/translog"
)

// A Naming is a leaf that names the keys of a log from there on.
type Naming struct {
	Index int64
	Keys  []string
}

// Namings returns the leaves that name keys, the newest first.
func (p Prover) Namings(ctx context.Context) ([]Naming, error) {
	return p.namings(ctx, &keyring{newest: -1})
}

// A keyring has the keys that a log has named so far.
type keyring struct {
	// newest is the index of the newest leaf about the log that was read; -1 for none.
	newest int64
	named  []Naming
}

// namings reads what is new since the keyring was filled.
func (p Prover) namings(ctx context.Context, r *keyring) ([]Naming, error) {
	index, _, err := p.Store.Newest(ctx, translog.Subject{Kind: translog.SubjectLog})
	if err != nil {
		return nil, err
	}
	var fresh []Naming
	for at := index; at > r.newest; {
		text, err := p.Leaf(ctx, at)
		if err != nil {
			return nil, err
		}
		leaf, err := translog.ParseLeaf(text)
		if err != nil {
			return nil, err
		}
		if len(leaf.Keys) > 0 {
			fresh = append(fresh, Naming{at, leaf.Keys})
		}
		if leaf.Previous == nil {
			break
		}
		at = leaf.Previous.Index
	}
	r.newest, r.named = index, append(fresh, r.named...)
	if len(r.named) == 0 || len(r.named[0].Keys) < 2 {
		return nil, fmt.Errorf("%w: it names no keys", ErrDamaged)
	}
	return r.named, nil
}

// logKeys returns the keys of a log that sign its heads and their times, each once.
func logKeys(named []Naming) ([]*translog.Key, error) {
	var all []*translog.Key
	for _, n := range named {
		for _, text := range n.Keys {
			k, err := translog.ParseKey(text)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(all, func(o *translog.Key) bool { return o.String() == text }) {
				all = append(all, k)
			}
		}
	}
	return all, nil
}

// Keys returns the public keys of the log at present: its own and its clock's.
func (p Prover) Keys(ctx context.Context) ([]string, error) {
	named, err := p.Namings(ctx)
	if err != nil {
		return nil, err
	}
	return named[0].Keys, nil
}

// A keyDocument is a key in JSON, and the sizes of heads that it signs.
type keyDocument struct {
	Key string `json:"key"`
	// From is the least size, and Until the size from which on it does not sign; 0 for a key in use.
	From  int64 `json:"from"`
	Until int64 `json:"until,omitzero"`
}

// keys answers keys: which key signs from which size on.
func (h *Handler) keys(ctx context.Context, signed *Signed) ([]byte, error) {
	named, err := h.Prover.Namings(ctx)
	if err != nil {
		return nil, err
	}
	all := []keyDocument{}
	for _, n := range slices.Backward(named) {
		if n.Index >= signed.Size {
			break
		}
		for i := range all {
			if all[i].Until == 0 && !slices.Contains(n.Keys, all[i].Key) {
				all[i].Until = n.Index + 1
			}
		}
		for _, k := range n.Keys {
			if !slices.ContainsFunc(all, func(d keyDocument) bool { return d.Key == k && d.Until == 0 }) {
				all = append(all, keyDocument{Key: k, From: n.Index + 1})
			}
		}
	}
	return json.Marshal(struct {
		Keys []keyDocument `json:"keys"`
	}{all})
}
