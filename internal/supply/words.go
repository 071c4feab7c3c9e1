package supply

import (
	"github.com/avow-project/avow/supplypath"
)

// A Step is a leg of an answer for people.
type Step struct {
	// Name is what the leg is about.
	Name string
	supplypath.Leg
	// Skipped: the leg was not needed. Text says what was found.
	Skipped bool
	Text    string
}

// Steps are the five legs, in the order in which they are read.
func (a *Answer) Steps() []Step {
	l := &a.Legs
	host := ""
	if l.Host.Entry != nil {
		host = "an entry of " + a.Host + " grants it"
	}
	list := []Step{
		{Name: "channel", Leg: l.Collection, Text: a.declared()},
		{Name: "carriage", Leg: l.Carriage.Leg, Text: a.carried()},
		{Name: "agent", Leg: l.Agent, Text: a.Owner + " names the agent for it"},
		{Name: "grant", Leg: l.Host.Leg, Text: host},
		{Name: "partner", Leg: l.Partner, Text: "the ads.txt of " + a.Host + " names " + a.Owner},
	}
	for i := range list {
		s := &list[i]
		s.Skipped = s.Failure == supplypath.NotEvaluated
		if !s.OK {
			s.Text = s.Detail
		}
	}
	return list
}

// declared says which collection the owner declares.
func (a *Answer) declared() string {
	return a.Owner + " declares " + a.Result.Collection + ", " + a.Legs.Collection.Detail
}

// carried says on what the owner says that the host carries the collection.
func (a *Answer) carried() string {
	c := &a.Legs.Carriage
	if len(c.Matched) == 0 {
		return a.Owner + " says that " + a.Host + " carries it, and names no property"
	}
	return a.Owner + " says that " + a.Host + " carries it on " + listed(c.Matched)
}

// mostNamed is how many ids a sentence names.
const mostNamed = 5

func listed(ids []string) string {
	text := ""
	for i, id := range ids {
		if i == mostNamed {
			return text + " and others"
		}
		if i > 0 {
			text += ", "
		}
		text += id
	}
	return text
}

// Sentence says in words what the state means.
func (a *Answer) Sentence() string {
	switch a.State {
	case supplypath.VerifiedOwnerSold:
		return a.Host + " lets the agent sell the channel of " + a.Owner + " on every property that carries it"
	case supplypath.HostDelegated:
		return a.Host + " names " + a.Owner + " in ads.txt, and " + a.Owner + " names the agent; this is not an authorization"
	case supplypath.OwnerAttested:
		return "only " + a.Owner + " says that " + a.Host + " carries the channel; this is not an authorization"
	}
	return "nothing proves that the agent may sell a channel of " + a.Owner + " on " + a.Host
}
