package adagents

import "github.com/avow-project/avow/internal/format/conform"

// Short names for what nearly every message is made with.

func quote(s string) string { return conform.Quote(s) }

func listed(values []string) string { return conform.Listed(values) }

func suggest(s string, known []string) string { return conform.Suggest(s, known) }

func suggestWith(aliases map[string]string, s string, known []string) string {
	return conform.SuggestWith(aliases, s, known)
}

func didYouMean(s string, known []string) string { return conform.DidYouMean(s, known) }

// sayProblem reports the rule for a problem within the named member.
func (r reporter) sayProblem(name string, p conform.Problem) {
	if p.Missing != "" {
		r.missing(p.At, p.Missing, "%s", p.Sentence(name)).withHint("%s", p.MissingHint())
		return
	}
	r.say(p.At, "%s", p.Sentence(name)).withHint("%s", p.Hint)
}
