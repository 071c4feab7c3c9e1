package records

import (
	"bytes"
	"context"
	"fmt"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/translog"
)

// Recoverable looks for events that wait and that leaves of the log are not about.
func (l *Log) Recoverable(ctx context.Context, after int64, leaves [][]byte) error {
	parsed, err := parseLeaves(leaves)
	if err != nil {
		return err
	}
	return recoverable(ctx, l.s.db, after, parsed)
}

func parseLeaves(texts [][]byte) ([]*translog.Leaf, error) {
	var all []*translog.Leaf
	for _, text := range texts {
		leaf, err := translog.ParseLeaf(text)
		if err != nil {
			return nil, err
		}
		all = append(all, leaf)
	}
	return all, nil
}

// recoverable compares what waits with leaves: a number that both have is that of one event.
func recoverable(ctx context.Context, c Conn, after int64, leaves []*translog.Leaf) error {
	bodies := map[int64][]byte{}
	for _, leaf := range leaves {
		body, err := leaf.Body()
		if err != nil {
			return err
		}
		bodies[leaf.Number] = body
	}
	rows, err := list(ctx, c, func(r Rows) (*outgoing, error) {
		o := &outgoing{}
		return o, r.Scan(&o.number, &o.body)
	}, `SELECT number, body FROM log_outbox WHERE number > $1 AND number <= $2 ORDER BY number LIMIT $3`,
		after, leaves[len(leaves)-1].Number, int64(len(leaves)+1))
	for _, o := range rows {
		if err == nil && !bytes.Equal(bodies[o.number], o.body) {
			err = fmt.Errorf("%w: event %d waits here, and is not the one that was signed with that number",
				notary.ErrOther, o.number)
		}
	}
	return err
}

// Recover appends leaves that the store has lost.
func (l *Log) Recover(ctx context.Context, first int64, leaves [][]byte) error {
	parsed, err := parseLeaves(leaves)
	if err != nil || len(leaves) == 0 {
		return err
	}
	return l.s.db.Update(ctx, func(c Conn) error {
		state, err := lockLog(ctx, c)
		if err != nil {
			return err
		}
		if state.Size != first {
			return fmt.Errorf("%w: it has got to %d leaves meanwhile, and leaf %d was next", notary.ErrOther, state.Size, first)
		}
		err = recoverable(ctx, c, state.Cursor, parsed)
		if err != nil {
			return err
		}
		subjects := make([][]byte, len(parsed))
		for i, leaf := range parsed {
			subjects[i] = subjectKey(leaf.Subject)
		}
		w, err := newLeafWriter(ctx, c, state, subjects)
		if err != nil {
			return err
		}
		for i, leaf := range parsed {
			err := w.recover(state, leaf, leaves[i])
			if err != nil {
				return err
			}
			state.Cursor = leaf.Number
		}
		err = w.finish(state.Cursor)
		if err != nil {
			return err
		}
		_, err = exec(ctx, c, `DELETE FROM log_outbox WHERE number <= $1`, state.Cursor)
		return err
	})
}

// recover appends a leaf as it is, if it is the next one of its log.
func (w *leafWriter) recover(s *notary.State, leaf *translog.Leaf, text []byte) error {
	subject := subjectKey(leaf.Subject)
	previous := w.previous(subject)
	if w.edge.Size > 0 && leaf.Number <= s.Cursor || (previous == nil) != (leaf.Previous == nil) || previous != nil &&
		*previous != *leaf.Previous {
		return fmt.Errorf("%w: leaf %d does not go on from those before it", notary.ErrOther, w.edge.Size)
	}
	if leaf.Kind == notary.EndKind {
		err := endLog(w.ctx, w.c, leaf.Number)
		if err != nil {
			return err
		}
	}
	return w.append(leaf.Number, subject, text)
}

// Restored looks for a leaf that waits and says that an old copy was accepted.
func (l *Log) Restored(ctx context.Context, after int64) (bool, error) {
	rows, err := list(ctx, l.s.db, func(r Rows) (*[]byte, error) {
		body := new([]byte)
		return body, r.Scan(body)
	}, `SELECT body FROM log_outbox WHERE subject = $1 AND number > $2`,
		subjectKey(translog.Subject{Kind: translog.SubjectLog}), after)
	for _, body := range rows {
		if err != nil {
			break
		}
		var text []byte
		text, err = translog.Complete(body, nil)
		if err != nil {
			break
		}
		var leaf *translog.Leaf
		leaf, err = translog.ParseLeaf(text)
		if err == nil && leaf.Kind == restoredCode {
			return true, nil
		}
	}
	return false, err
}
