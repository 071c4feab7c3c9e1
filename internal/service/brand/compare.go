package brand

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// operatorsAtOnce is the number of operators that are asked at the same time.
const operatorsAtOnce = 8

// Compare compares what a publisher's file says about the paths of agents with what their
// operators say, in the order of the agents. Documents are asked for once, and not at all
// where the file lets an agent sell nothing of the publisher.
func (r *Reader) Compare(ctx context.Context, doc *resolve.Document, agents []string,
	at time.Time) []*operator.Comparison {
	list := make([]*operator.Comparison, len(agents))
	once := r.Round()
	slots := make(chan struct{}, operatorsAtOnce)
	var all sync.WaitGroup
	for i, agent := range agents {
		slots <- struct{}{}
		all.Go(func() {
			defer func() {
				fault := recover()
				if fault != nil {
					// It would end the process from here.
					list[i] = operator.Nothing(fmt.Sprintf("comparing %s: panic: %v", agent, fault))
				}
				<-slots
			}()
			list[i] = once.compare(ctx, doc, agent, at)
		})
	}
	all.Wait()
	return list
}

// compare compares what is said about one agent.
func (r *Reader) compare(ctx context.Context, doc *resolve.Document, agent string, at time.Time) *operator.Comparison {
	answer, err := resolve.Judge(doc, resolve.Question{Publisher: doc.Publisher, Agent: agent, At: at})
	if err != nil {
		return operator.Nothing(err.Error())
	}
	if !operator.Covered(answer.Grants) {
		return operator.Nothing("the file lets the agent sell no property of " + doc.Publisher)
	}
	return operator.Compare(r.Operator(ctx, asWritten(doc.File, agent), "", at), answer.Grants)
}

// asWritten is the URL of an agent as the file has it.
func asWritten(f *adagents.File, agent string) string {
	for i := range f.Agents {
		url, _, err := hostname.CanonicalURL(f.Agents[i].URL)
		if err == nil && url == agent {
			return f.Agents[i].URL
		}
	}
	return agent
}
