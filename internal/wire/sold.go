package wire

import "github.com/avow-project/avow/resolve"

// Sold is how much of a publisher's own properties an agent may sell. Every row of a list of
// publishers or agents has it.
type Sold struct {
	Authorized  int      `json:"properties_authorized" doc:"How many of the publisher's own properties the agent may sell: a question about one of them is answered with yes."`
	Conditional int      `json:"properties_conditional" doc:"How many more it may sell if the question names what limited lists."`
	Total       int      `json:"properties_total" doc:"How many properties of its own the publisher has."`
	Limited     []string `json:"limited" doc:"What these depend on: country, placement, collection, time; empty for nothing."`
}

// SoldOf shows a row.
func SoldOf(r *resolve.Row) Sold {
	return Sold{r.AuthorizedCount, r.ConditionalCount, r.Total, NotNil(r.Limited.Strings())}
}
