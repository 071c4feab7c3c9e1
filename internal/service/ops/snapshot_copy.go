package ops

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/flight"
)

const (
	// copyLife is how long a copy without proofs is given to those who ask for the same: how
	// publishers stand is of the time when it was made.
	copyLife = 10 * time.Minute
	// mostCopies is how many files there are, and copyBytes how large one gets. With as many, those
	// who ask are given the newest.
	mostCopies = 4
	copyBytes  = 4 << 30
	// copyPiece is how much of one is sent at a time.
	copyPiece = 64 << 10
)

// copies are snapshots in files, so that one is made for all who ask for it. While one is being
// made, it is also given to those who ask for a newer one: it says where the feed goes on.
type copies struct {
	mu     sync.Mutex
	list   []*snapshotCopy // the oldest first
	making flight.Group[string, int]
	life   time.Duration
	now    func() time.Time
	// observe is told whether a copy was there.
	observe func(name string, hit bool)
}

// A snapshotCopy is read while it is made.
type snapshotCopy struct {
	reply *snapshotReply
	began time.Time
	file  *os.File
	// users are those who read it; without any, one that is being made is given up.
	users int
	// call returns how many rows there are.
	call *flight.Call[int]

	mu    sync.Mutex
	size  int64
	moved chan struct{} // closed when there is more
}

// take returns a copy for a reply; if there is none, write makes it. It has to be left. The error is
// about the directory for temporary files.
func (k *copies) take(ctx context.Context, reply *snapshotReply,
	write func(context.Context, io.Writer) (int, error)) (*snapshotCopy, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.shared(reply)
	k.observe("snapshot", c != nil)
	if c != nil {
		c.users++
		return c, nil
	}
	file, err := os.CreateTemp("", "avow-snapshot-")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // where an open file can be removed, a crash leaves nothing
	c = &snapshotCopy{reply: reply, began: k.now(), file: file, users: 1, moved: make(chan struct{})}
	c.call, err = k.making.Join(ctx, file.Name(), func(ctx context.Context) (int, error) { return write(ctx, c) })
	if err != nil {
		c.remove()
		return nil, err
	}
	k.list = append(k.list, c)
	k.tidy()
	return c, nil
}

// shared returns the copy to give for a reply; nil when one has to be made.
func (k *copies) shared(reply *snapshotReply) *snapshotCopy {
	if len(k.list) == 0 {
		return nil
	}
	last := k.list[len(k.list)-1]
	same := last.reply.tag == reply.tag && k.now().Sub(last.began).Abs() < k.life
	if !last.ended() || last.whole() && (same || len(k.list) >= mostCopies) {
		return last
	}
	return nil
}

// leave ends the reading of a copy. The last to leave one that is being made sees that end.
func (k *copies) leave(ctx context.Context, c *snapshotCopy) {
	k.mu.Lock()
	defer k.mu.Unlock()
	c.users--
	if c.users == 0 {
		c.call.Leave(ctx)
		<-c.call.Done()
	}
	k.tidy()
}

// tidy removes copies that are not read, except the newest, if it is whole.
func (k *copies) tidy() {
	kept := k.list[:0]
	for i, c := range k.list {
		if c.users > 0 || k.life > 0 && i == len(k.list)-1 && c.whole() {
			kept = append(kept, c)
			continue
		}
		c.remove()
	}
	clear(k.list[len(kept):])
	k.list = kept
}

// remove removes the file; nothing is lost with it.
func (c *snapshotCopy) remove() {
	_ = c.file.Close()
	_ = os.Remove(c.file.Name())
}

// Write adds to the copy.
func (c *snapshotCopy) Write(b []byte) (int, error) {
	n, err := c.file.Write(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size += int64(n)
	close(c.moved)
	c.moved = make(chan struct{})
	if err == nil && c.size > copyBytes {
		err = errCopySize
	}
	return n, err
}

var errCopySize = errors.New("the snapshot is larger than a copy may be")

// state returns how much there is, and what is closed when there is more.
func (c *snapshotCopy) state() (int64, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size, c.moved
}

func (c *snapshotCopy) ended() bool {
	select {
	case <-c.call.Done():
		return true
	default:
		return false
	}
}

func (c *snapshotCopy) whole() bool {
	if !c.ended() {
		return false
	}
	_, err := c.call.Result()
	return err == nil
}

// send writes the copy to a client until it has all of it, and returns how many rows those are. It
// calls rest when there is no more yet.
func (c *snapshotCopy) send(ctx context.Context, w io.Writer, rest func()) (int, error) {
	piece := make([]byte, copyPiece)
	for at := int64(0); ; {
		ended := c.ended()
		size, moved := c.state()
		switch {
		case at < size:
			n, err := c.file.ReadAt(piece[:min(copyPiece, size-at)], at)
			if err == nil {
				_, err = w.Write(piece[:n])
			}
			if err != nil {
				return 0, err
			}
			at += int64(n)
		case ended:
			return c.call.Result()
		default:
			rest()
			select {
			case <-moved:
			case <-c.call.Done():
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}
	}
}
