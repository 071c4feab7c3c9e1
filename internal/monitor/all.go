package monitor

import (
	"errors"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/translog"
)

// follower returns what follows all of a log, up to the next leaf. What was read before is read again
// when it is not remembered, which is when a process begins. What is wrong with it is told unless it
// was: not all of it was checked as long as only some domains were followed.
func (l *visit) follower() (*translog.Follower, error) {
	origin := l.head.Head.Origin
	f := l.followers[origin]
	if f == nil || f.Size > l.state.Next {
		f = translog.NewFollower()
	}
	delete(l.followers, origin) // unless it gets to the end
	told := len(l.pending)
	for f.Size < l.state.Next {
		bundle, err := l.tree.bundle(f.Size / translog.TileWidth)
		if err != nil {
			l.pending = l.pending[:told] // it is found again
			return nil, err
		}
		for _, text := range bundle[f.Size%translog.TileWidth:] {
			if f.Size == l.state.Next {
				break
			}
			leaf, err := translog.ParseLeaf(text)
			if err != nil {
				f.Skip()
				continue
			}
			index := f.Size
			err = f.Add(leaf, tlog.RecordHash(text))
			if index >= l.state.All {
				l.fault(err)
			}
		}
	}
	l.state.All = l.state.Next
	if l.followers == nil {
		l.followers = map[string]*translog.Follower{}
	}
	l.followers[origin] = f
	return f, nil
}

// takeAll looks at every leaf, whomever it is about.
func (l *visit) takeAll(f *translog.Follower, list []read) {
	for _, r := range list {
		for f.Size < r.index {
			f.Skip() // it could not be read, and that was told
		}
		l.fault(f.Add(r.leaf, r.hash))
	}
	for f.Size < l.state.Next {
		f.Skip()
	}
	l.state.All = l.state.Next
}

// fault raises an alarm about a leaf that does not lead to the one before it.
func (l *visit) fault(err error) {
	var fault *translog.FaultError
	if errors.As(err, &fault) && fault.Kind == translog.FaultChain {
		l.bad(Broken, "%v", err)
	}
}
