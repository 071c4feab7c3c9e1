package notary

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/translog"
)

// A response is what a witness has answered.
type response struct {
	witness *translog.PolicyWitness
	// line is its cosignature; empty for none.
	line []byte
	// size is how many leaves it has signed.
	size int64
	err  error
}

// witnesses are those that can be asked.
func (n *Notary) witnesses() []*translog.PolicyWitness {
	var all []*translog.PolicyWitness
	if n.config.Policy != nil {
		for i := range n.config.Policy.Witnesses {
			if n.config.Policy.Witnesses[i].URL != "" {
				all = append(all, &n.config.Policy.Witnesses[i])
			}
		}
	}
	return all
}

// askAll asks all witnesses at the same time, and hands over each answer as it comes.
func (n *Notary) askAll(ctx context.Context, ask func(context.Context, *translog.PolicyWitness) response,
	take func(response) error) error {
	ctx, cancel := context.WithTimeout(ctx, n.config.Patience)
	defer cancel()
	all := n.witnesses()
	answers := make(chan response, len(all))
	for _, w := range all {
		go func() {
			t := ask(ctx, w)
			t.witness = w
			answers <- t
		}()
	}
	var err error
	for range all {
		t := <-answers
		n.noteWitness(ctx, t)
		var behind *BehindError
		if errors.As(t.err, &behind) {
			n.halted = t.err
		}
		err = errors.Join(err, take(t))
	}
	return err
}

// noteWitness remembers how far a witness is, and tells when it begins to fail and when it
// answers again.
func (n *Notary) noteWitness(ctx context.Context, t response) {
	failing := n.failing[t.witness.Name]
	switch {
	case t.err != nil && !failing:
		n.config.Log.WarnContext(ctx, "a witness does not cosign the log", "witness", t.witness.Name, "error", t.err)
	case t.err == nil && failing:
		n.config.Log.InfoContext(ctx, "a witness cosigns the log again", "witness", t.witness.Name)
	}
	n.failing[t.witness.Name] = t.err != nil
	n.troubles.note(t.witness.Name, t.err != nil, n.config.Now())
	if len(t.line) > 0 && n.config.Cosigned != nil {
		n.config.Cosigned(t.witness.Name, n.config.Now())
	}
	if t.err == nil {
		n.sizes[t.witness.Name] = t.size
	}
}

// compareAll asks what witnesses have signed of this log, before anything is signed with keys that
// another copy of the store may have signed with. A witness that does not answer is passed over.
func (n *Notary) compareAll(ctx context.Context, known []*translog.Key) error {
	_ = n.askAll(ctx, func(ctx context.Context, w *translog.PolicyWitness) response {
		size, err := n.compareWith(ctx, w, known)
		return response{size: size, err: err}
	}, func(response) error { return nil })
	return n.halted
}

// compareWith compares the log with what a witness has signed of it: only a head that was signed
// with a key of the log speaks against the log, not the word of the witness.
func (n *Notary) compareWith(ctx context.Context, w *translog.PolicyWitness, known []*translog.Key) (int64, error) {
	origin := n.config.Keys.Log.Name
	status, text, err := n.call(ctx, http.MethodGet, strings.TrimSuffix(w.URL, "/")+"/"+translog.HashOf([]byte(origin))+
		"/checkpoint", nil)
	switch {
	case err != nil:
		return 0, err
	case status == http.StatusNotFound:
		return 0, nil
	case status != http.StatusOK:
		return 0, fmt.Errorf("it answers %d", status)
	}
	head, _, err := translog.Open(text, known...)
	if err != nil || head.Origin != origin {
		return 0, errors.New("what it shows is not signed by this log")
	}
	s, err := n.config.Store.State(ctx)
	if err != nil {
		return 0, err
	}
	if s.Size < head.Size {
		return 0, &BehindError{"witness " + w.Name, head.Size, s.Size}
	}
	return head.Size, sameRoot("witness "+w.Name, head.Size, head.Root, n.config.Store.Tree(ctx))
}

// cosign asks a witness for its signature. One that has signed another size gets the proof from
// there.
func (n *Notary) cosign(ctx context.Context, w *translog.PolicyWitness, old int64, c *Signed,
	known []*translog.Key) response {
	for range 2 {
		proof, err := n.proofFrom(ctx, old, c.Size)
		if err != nil {
			return response{err: err}
		}
		status, body, err := n.call(ctx, http.MethodPost, strings.TrimSuffix(w.URL, "/")+"/add-checkpoint",
			RequestText(old, proof, c.Note))
		if err != nil {
			return response{err: err}
		}
		switch status {
		case http.StatusOK:
			line, err := lineOf(c.Note, body, w.Key)
			return response{line: line, size: c.Size, err: err}
		case http.StatusConflict:
			have, err := strconv.ParseInt(strings.TrimSpace(string(body)), 10, 64)
			if err == nil && 0 <= have && have < c.Size && have != old {
				old = have
				continue
			}
		}
		have, err := n.compareWith(ctx, w, known)
		switch {
		case err != nil:
			return response{err: err}
		case status == http.StatusConflict && have > c.Size:
			return response{size: have} // another process was faster
		case have == old:
			return response{err: fmt.Errorf("it answers %d: %.200q", status, body)}
		}
		old = have
	}
	return response{err: errors.New("it names another size each time")}
}

// proofFrom proves that a head contains a smaller one.
func (n *Notary) proofFrom(ctx context.Context, old, size int64) (tlog.TreeProof, error) {
	if old == 0 || old == size {
		return nil, nil
	}
	return tlog.ProveTree(size, old, Hashes(n.config.Store.Tree(ctx)))
}

// lineOf returns the cosignature in an answer, which is verified.
func lineOf(note, answer []byte, key *translog.Key) ([]byte, error) {
	own, err := translog.Trim(append(bytes.Clone(note), answer...), key)
	if err != nil {
		return nil, err
	}
	return translog.Signatures(own), nil
}

// call makes a request. Answers of a witness are small.
func (n *Notary) call(ctx context.Context, method, url string, body []byte) (int, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "text/plain; charset=utf-8")
	answer, err := n.config.Client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, translog.MaxNote))
	return answer.StatusCode, text, errors.Join(err, answer.Body.Close())
}

// collect asks the witnesses for their signatures under a head, and publishes it as soon as the
// policy is satisfied; once more in the end, with all of them.
func (n *Notary) collect(ctx context.Context, c *Signed, published bool, known []*translog.Key) error {
	sizes, asked := maps.Clone(n.sizes), *c // both change while answers come
	more := false
	err := n.askAll(ctx, func(ctx context.Context, w *translog.PolicyWitness) response {
		return n.cosign(ctx, w, min(sizes[w.Name], asked.Size), &asked, known)
	}, func(t response) error {
		if len(t.line) == 0 {
			return nil
		}
		c.Note, more = append(bytes.Clone(c.Note), t.line...), true
		if !published && n.satisfied(c.Note) == nil {
			published, more = true, false
			return n.publish(ctx, c)
		}
		return nil
	})
	switch {
	case n.halted != nil:
		return n.halted
	case err != nil:
		return err
	case !published:
		return translog.ErrQuorum
	case more:
		return n.publish(ctx, c)
	}
	return nil
}

// publish saves a head with cosignatures, unless a newer one is there.
func (n *Notary) publish(ctx context.Context, c *Signed) error {
	return n.config.Store.Sign(ctx, func(_ *State, last *Signed, t Tree) (*Signed, error) {
		if last != nil && (last.Size > c.Size || last.Size == c.Size && last.At.After(c.At)) {
			return nil, nil
		}
		head, err := translog.Read(c.Note)
		if err != nil {
			return nil, err
		}
		return c, sameRoot("what was cosigned", head.Size, head.Root, t)
	})
}

// satisfied returns nil if the policy asks for nothing more.
func (n *Notary) satisfied(note []byte) error {
	if n.config.Policy == nil {
		return nil
	}
	_, err := n.config.Policy.Check(note)
	return err
}

// RequestText returns the body of add-checkpoint, by which a witness is asked (C2SP tlog-witness).
func RequestText(old int64, proof tlog.TreeProof, note []byte) []byte {
	text := fmt.Appendf(nil, "old %d\n", old)
	for _, h := range proof {
		text = append(text, h.String()+"\n"...)
	}
	return append(append(text, '\n'), note...)
}
