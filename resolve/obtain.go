package resolve

import (
	"cmp"
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// A Rememberer is a Source that can say what it knows about a publisher without asking
// anybody. A listing that has waited long enough for an answer makes do with that.
type Rememberer interface {
	Last(ctx context.Context, publisher string) (*Document, error)
}

// obtain asks for the documents of all publishers that have to be asked.
func (l *lister) obtain(ctx context.Context, r *Resolver) error {
	waiting, cancel := context.WithTimeout(ctx, cmp.Or(l.o.Wait, DefaultWait))
	defer cancel()
	g, group := errgroup.WithContext(ctx)
	g.SetLimit(maxLookups)
	stop := context.AfterFunc(group, cancel)
	defer stop()
	var mu sync.Mutex
	for _, domain := range l.order {
		if !l.states[domain].Asked {
			continue
		}
		g.Go(func() error {
			doc, err := r.patient(group, waiting, domain, cmp.Or(l.o.Patience, DefaultPatience))
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			l.found[domain] = doc
			return nil
		})
	}
	return g.Wait()
}

// patient asks for a document for as long as somebody may take. The error is that of the
// source, or of ctx: that the time is over is part of the answer.
func (r *Resolver) patient(ctx, waiting context.Context, domain string, patience time.Duration) (*Document, error) {
	limited, cancel := context.WithTimeout(waiting, patience)
	defer cancel()
	doc, err := r.document(limited, domain)
	if limited.Err() == nil || ctx.Err() != nil || err == nil && doc.State != Unreachable {
		return doc, err
	}
	why := "no answer came within " + patience.String()
	if waiting.Err() != nil {
		why = "the time for all publishers together was over before it answered"
	}
	if kept, ok := r.source.(Rememberer); ok {
		doc, err = kept.Last(ctx, domain)
		if err != nil {
			return nil, err
		}
		doc = speaksFor(doc, domain)
		if doc.State != Unreachable {
			return doc, nil
		}
	}
	return &Document{Publisher: domain, Detail: why}, nil
}
