package registry

import (
	"context"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/websource"
)

// AutoBrand asks for the brand.json of an agent's operator where it should be.
const AutoBrand = "auto"

// noBrands says why nothing is compared by a service without a reader.
const noBrands = "this service does not read brand.json"

// compareOperator compares an answer with what the operator of the agent says. It makes
// no request when no property is authorized.
func (s *Service) compareOperator(ctx context.Context, agent, brand string, a *QuestionAnswer) *operator.Comparison {
	switch {
	case s.config.Brands == nil:
		return operator.Nothing(noBrands)
	case !operator.Covered(a.Grants):
		return operator.Nothing("no property is authorized, so that there is nothing to compare")
	case brand == AutoBrand:
		brand = ""
	}
	return operator.Compare(s.config.Brands.Operator(ctx, agent, brand, a.Question.At), a.Grants)
}

// compareOperators asks the operators of the agents of a file and returns the results by
// the canonical URLs of the agents. It takes half of the requests that are left, so that
// the agents themselves can be asked too.
func (s *Service) compareOperators(ctx context.Context, c *checked) map[string]*operator.Comparison {
	urls := canonicalAgents(agentsOf(c.discovery))
	if s.config.Brands == nil || len(urls) == 0 {
		return nil
	}
	left, limited := fetch.BudgetLeft(ctx)
	if limited {
		ctx = fetch.WithBudget(ctx, left/2)
	}
	ctx, cancel := context.WithTimeout(ctx, s.limits.probe/2)
	defer cancel()
	doc := websource.DocumentOf(c.discovery.Domain, c.discovery)
	known := map[string]*operator.Comparison{}
	for i, both := range s.config.Brands.Compare(ctx, doc, urls, c.discovery.At) {
		known[urls[i]] = both
	}
	return known
}

// canonicalAgents returns URLs in the form in which agents are checked, each once.
func canonicalAgents(urls []string) []string {
	var list []string
	seen := map[string]bool{}
	for _, url := range urls {
		canonical, _, err := hostname.CanonicalURL(url)
		if err == nil && !seen[canonical] {
			seen[canonical] = true
			list = append(list, canonical)
		}
	}
	return list
}
