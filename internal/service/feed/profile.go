package feed

import (
	"context"
	"maps"
	"net/url"
	"slices"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/wire"
)

// Sales is the type of every agent here: publishers let it sell their inventory.
const Sales = "sales"

// Profile is the inventory of an agent.
type Profile struct {
	Channels         []string `json:"channels" doc:"Always empty: no file says it, like the other empty lists."`
	PropertyTypes    []string `json:"property_types" doc:"Those of the first 50 publishers that have an entry for it."`
	Markets          []string `json:"markets"`
	Categories       []string `json:"categories"`
	CategoryTaxonomy *string  `json:"category_taxonomy" doc:"Always null."`
	Tags             []string `json:"tags"`
	DeliveryTypes    []string `json:"delivery_types"`
	PropertyCount    int      `json:"property_count" doc:"Properties that it may sell, of all publishers."`
	PublisherCount   int      `json:"publisher_count"`
	HasTMP           bool     `json:"has_tmp" doc:"Always false."`
}

// An Agent is an agent in the two forms that clients know: with its inventory in members of its
// own, and with all of them in inventory_profile.
type Agent struct {
	AgentURL string `json:"agent_url"`
	URL      string `json:"url" doc:"The same."`
	Name     string `json:"name" doc:"Its host."`
	Type     string `json:"type" doc:"sales."`
	Profile
	FormatKinds      []string `json:"format_kinds"`
	InventoryProfile Profile  `json:"inventory_profile" doc:"The same members again."`
}

// AgentOf describes an agent by its inventory.
func AgentOf(agent directory.Agent, i *directory.Inventory) Agent {
	shown, none := redact.URL(agent.URL), []string{}
	p := Profile{none, wire.NotNil(slices.Sorted(maps.Keys(i.Types))), none, none, nil, none, none, i.Properties,
		agent.Publishers, false}
	return Agent{AgentURL: shown, URL: shown, Name: AgentName(agent.URL), Type: Sales, Profile: p, FormatKinds: none,
		InventoryProfile: p}
}

// Describe returns what describes agents as they are at present, by the directory of a service.
func Describe(
	get func(context.Context) (*directory.View, error),
) func(ctx context.Context, agent string) (*Agent, error) {
	return func(ctx context.Context, url string) (*Agent, error) {
		v, err := get(ctx)
		if err != nil {
			return nil, err
		}
		agent := v.Agent(url)
		i := v.Inventory(agent)
		doc := AgentOf(agent, &i)
		return &doc, v.Err()
	}
}

// AgentName is what an agent is called: its host.
func AgentName(agent string) string {
	u, err := url.Parse(agent)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
