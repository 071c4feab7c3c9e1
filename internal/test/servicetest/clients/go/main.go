// Command goclient calls a running service by a client that was generated from its OpenAPI
// document, and prints what came back: goclient URL.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"avow.example/goclient/registry"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: goclient URL")
		os.Exit(2)
	}
	seen, err := ask(context.Background(), os.Args[1])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(seen)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "goclient:", err)
		os.Exit(1)
	}
}

// Seen is what the answers say, read from the generated types. The client in TypeScript
// prints the same.
type Seen struct {
	Valid         bool     `json:"valid"`
	UsableAgents  int64    `json:"usable_agents"`
	Created       string   `json:"created"`
	Verdict       string   `json:"verdict"`
	Grants        []string `json:"grants"`
	Other         string   `json:"other"`
	Mode          string   `json:"mode"`
	Properties    []string `json:"properties"`
	Coverage      float64  `json:"coverage"`
	ErrorStatus   int      `json:"error_status"`
	ErrorCode     string   `json:"error_code"`
	ErrorField    string   `json:"error_field"`
	MissingStatus int      `json:"missing_status"`
	KeyStatus     int      `json:"key_status"`
	KeyCode       string   `json:"key_code"`
}

const (
	publisher = "publisher.example"
	agent     = "https://agent.example/mcp"
)

func ask(ctx context.Context, url string) (*Seen, error) {
	client, err := registry.NewClientWithResponses(url)
	if err != nil {
		return nil, err
	}
	seen := new(Seen)
	for _, step := range []func(context.Context, *registry.ClientWithResponses, *Seen) error{tools, questions, lookups,
		faults} {
		err := step(ctx, client, seen)
		if err != nil {
			return nil, err
		}
	}
	return seen, nil
}

// unexpected is the error of an answer that is not one of those asked for.
func unexpected(call string, body []byte) error { return fmt.Errorf("%s answers %s", call, body) }

func tools(ctx context.Context, c *registry.ClientWithResponses, seen *Seen) error {
	checked, err := c.ValidateWithResponse(ctx, registry.ValidateBody{Domain: ptr(publisher)})
	if err != nil {
		return err
	}
	if checked.JSON200 == nil {
		return unexpected("validate", checked.Body)
	}
	seen.Valid, seen.UsableAgents = checked.JSON200.Valid, checked.JSON200.Data.Validation.Usable.Agents
	created, err := c.CreateWithResponse(ctx, registry.CreateJSONRequestBody{
		AuthorizedAgents: []registry.CreateJSONBody_AuthorizedAgents_Item{{
			Url: agent, AuthorizedFor: "The site",
			AdditionalProperties: map[string]any{"authorization_type": "property_ids", "property_ids": []string{"site"}},
		}},
		Properties: &[]map[string]any{{
			"property_id": "site", "property_type": "website", "name": "Site",
			"identifiers": []any{map[string]any{"type": "domain", "value": "new.example"}},
		}},
		IncludeTimestamp: ptr(false),
	})
	if err != nil {
		return err
	}
	if created.JSON200 == nil {
		return unexpected("create", created.Body)
	}
	seen.Created = created.JSON200.Data.AdagentsJson
	return nil
}

func questions(ctx context.Context, c *registry.ClientWithResponses, seen *Seen) error {
	answer, err := c.AuthorizeWithResponse(ctx,
		&registry.AuthorizeParams{Publisher: publisher, Agent: agent, Property: ptr("site")})
	if err != nil {
		return err
	}
	if answer.JSON200 == nil || !answer.JSON200.Verdict.Valid() {
		return unexpected("authorize", answer.Body)
	}
	seen.Verdict = string(answer.JSON200.Verdict)
	for _, g := range answer.JSON200.Grants {
		seen.Grants = append(seen.Grants, g.Entry)
	}
	answer, err = c.AuthorizeWithResponse(ctx,
		&registry.AuthorizeParams{Publisher: publisher, Agent: agent, Property: ptr("app")})
	if err != nil {
		return err
	}
	if answer.JSON200 == nil {
		return unexpected("authorize", answer.Body)
	}
	seen.Other = string(answer.JSON200.Verdict)
	product, err := c.ProductAuthorizationWithResponse(ctx, registry.ProductBody{
		AgentUrl: agent, PublisherProperties: []registry.SelectorBody{
			{PublisherDomain: ptr(publisher), SelectionType: "all"}},
	})
	if err != nil {
		return err
	}
	if product.JSON200 == nil {
		return unexpected("product_authorization", product.Body)
	}
	seen.Coverage = float64(product.JSON200.CoveragePercentage)
	return nil
}

func lookups(ctx context.Context, c *registry.ClientWithResponses, seen *Seen) error {
	view, err := c.PublisherWithResponse(ctx, &registry.PublisherParams{Domain: publisher, Include: ptr("placements")})
	if err != nil {
		return err
	}
	if view.JSON200 == nil || view.JSON200.Placements == nil {
		return unexpected("publisher", view.Body)
	}
	seen.Mode = view.JSON200.Hosting.Mode
	for _, p := range view.JSON200.Properties {
		seen.Properties = append(seen.Properties, *p.Id)
	}
	return nil
}

func faults(ctx context.Context, c *registry.ClientWithResponses, seen *Seen) error {
	bad, err := c.AuthorizeWithResponse(ctx,
		&registry.AuthorizeParams{Publisher: publisher, Agent: agent, Country: ptr("Germany")})
	if err != nil {
		return err
	}
	if bad.JSON400 == nil {
		return unexpected("authorize", bad.Body)
	}
	seen.ErrorStatus, seen.ErrorCode, seen.ErrorField = bad.StatusCode(), *bad.JSON400.Code, *bad.JSON400.Field
	missing, err := c.ResolvePropertyWithResponse(ctx, &registry.ResolvePropertyParams{Domain: "missing.example"})
	if err != nil {
		return err
	}
	if missing.JSON404 == nil {
		return unexpected("resolve_property", missing.Body)
	}
	seen.MissingStatus = missing.StatusCode()
	refused, err := c.CustodyHoldsWithResponse(ctx)
	if err != nil {
		return err
	}
	if refused.JSON401 == nil {
		return unexpected("custody_holds", refused.Body)
	}
	seen.KeyStatus, seen.KeyCode = refused.StatusCode(), *refused.JSON401.Code
	return nil
}

func ptr[T any](v T) *T { return &v }
