package supplypath_test

import (
	"fmt"

	"github.com/avow-project/avow/supplypath"
)

func ExampleEvaluate() {
	owner := []byte(`{
		"authorized_agents": [],
		"collections": [{"collection_id": "retro_news", "name": "Retro News", "kind": "channel", "distribution": [
			{"publisher_domain": "host.example", "property_ids": ["host_tv"]}
		]}]
	}`)
	host := []byte(`{
		"properties": [{"property_id": "host_tv", "property_type": "ctv_app", "name": "Host TV", "identifiers": [{"type": "roku_store_id", "value": "123"}]}],
		"authorized_agents": [{
			"url": "https://agent.owner.example/mcp", "authorized_for": "Channels of owner.example",
			"authorization_type": "property_ids", "property_ids": ["host_tv"], "collections": [{"publisher_domain": "owner.example"}]
		}]
	}`)
	result := supplypath.Evaluate(&supplypath.Input{
		Owner:      supplypath.Party{Domain: "owner.example", File: owner},
		Host:       supplypath.Party{Domain: "host.example", File: host},
		Agent:      "https://agent.owner.example/mcp",
		SkipAdsTxt: true,
	})
	fmt.Println(result.State, result.Collection)
	fmt.Println(result.Legs.Carriage.Matched)
	fmt.Println(result.Legs.Agent.Failure)

	// Output:
	// verified_owner_sold retro_news
	// [host_tv]
	// agent_not_declared_by_owner
}
