package formats_test

import (
	"fmt"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/formats"
	"github.com/avow-project/avow/resolve"
)

func ExampleAsk() {
	file, err := adagents.Parse([]byte(`{
		"authorized_agents": [],
		"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "publisher.example"}]}],
		"placements": [{"placement_id": "top", "name": "Top of the page", "property_ids": ["site"], "format_options": [
			{"format_option_id": "banner", "format_kind": "image", "params": {"sizes": [{"width": 300, "height": 250}, {"width": 728, "height": 90}]}}
		]}]
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	product, err := formats.ReadProduct([]byte(`{"product_id": "news", "format_options": [
		{"format_option_id": "wide", "format_kind": "image", "params": {"width": 728, "height": 90}},
		{"format_option_id": "tall", "format_kind": "image", "params": {"width": 160, "height": 600}}
	], "placements": [{"kind": "publisher_ref", "publisher_domain": "publisher.example", "placement_id": "top"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}

	doc := &resolve.Document{Publisher: "publisher.example", State: resolve.Usable, File: file}
	report, err := formats.Ask(doc, formats.Question{Placement: "top", Product: product})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range report.Placements {
		for _, a := range p.Accepted {
			fmt.Println(p.PlacementID, "accepts", a.Reference.FormatOptionID, string(a.Params))
		}
		for _, r := range p.Refused {
			fmt.Println(p.PlacementID, "refuses", r.Format.Reference.FormatOptionID, "because of", r.Parameter)
		}
	}

	// Output:
	// top accepts wide {"width":728,"height":90}
	// top refuses tall because of sizes
}
