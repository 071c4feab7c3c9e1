package resolve

import (
	"math"
	"time"
)

// An AgentDecision is what a question about an agent of a file is answered that names nothing
// else, with the entries that are for the agent.
type AgentDecision struct {
	Agent string // canonical URL
	// Entries are the numbers of these entries in authorized_agents.
	Entries []int32
	Decision
}

// Agents decides about each agent that the file has an entry for, in the order of their URLs. It
// returns false, with those it came to, where that would take longer than one question may.
func (s *Subject) Agents(publisher string, at time.Time) ([]AgentDecision, bool) {
	if s.f == nil {
		return nil, true
	}
	work := budget{left: maxWork, look: math.MinInt}
	out := make([]AgentDecision, 0, len(s.f.agents))
	for i := range s.f.agents {
		one := AgentDecision{Agent: s.f.str(s.f.agents[i].url)}
		entries := s.f.list(s.f.agents[i].entries)
		q := Question{Publisher: publisher, Agent: one.Agent, At: at}
		one.Decision = s.decide(&q, entries, &work)
		if work.left < 0 {
			return out, false
		}
		one.Entries = make([]int32, len(entries))
		for k, n := range entries {
			one.Entries[k] = s.f.entries[n].written()
		}
		out = append(out, one)
	}
	return out, true
}
