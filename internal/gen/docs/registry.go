package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"regexp"
	"strings"
	"text/template"

	"github.com/avow-project/avow/internal/service/api"
	"github.com/avow-project/avow/internal/std/markdown"
)

//go:embed registry.md.tmpl
var registryTemplate string

// An area is a group of operations of the AAO registry, as its OpenAPI document lists them.
// Which of them are served follows from the table of routes.
type area struct {
	Name string
	// Instead says why the others are not served, and what to use. It follows a colon.
	Instead    string
	Operations []string
}

var areas = []area{
	{"Check and create files", "", []string{
		"POST /api/adagents/validate", "POST /api/adagents/create", "GET /api/properties/validate",
		"GET /api/public/validate-publisher",
	}},
	{
		"Publishers and properties",
		"avow hosts no files for publishers.",
		[]string{
			"GET /api/registry/publisher", "GET /api/registry/publishers", "GET /api/registry/publisher/authorization",
			"GET /api/properties/resolve", "POST /api/properties/resolve/bulk", "GET /api/properties/registry",
			"GET /api/properties/history", "POST /api/properties/check", "GET /api/properties/check/{reportId}",
			"POST /api/properties/check/bulk", "GET /api/properties/check/bulk/{reportId}", "POST /api/properties/save",
			"POST /api/properties/hosted/{domain}/claim", "POST /api/properties/hosted/{domain}/verify-origin",
		},
	},
	{
		"Who may sell what",
		"",
		[]string{
			"GET /v1/agents/{encodedUrl}/publishers", "GET /api/v1/agents/{encodedUrl}/publishers",
			"GET /api/registry/lookup/domain/{domain}", "GET /api/registry/lookup/property",
			"GET /api/registry/lookup/agent/{agentUrl}/domains", "GET /api/registry/validate/property-authorization",
			"POST /api/registry/validate/product-authorization", "POST /api/registry/verify/supply-path",
			"POST /api/registry/expand/product-identifiers", "GET /api/registry/operator", "GET /api/registry/authorizations",
			"GET /api/registry/authorizations/snapshot", "GET /api/registry/feed", "GET /api/registry/feed/stream",
		},
	},
	{
		"Search, counts and the service itself",
		"the key set is for badges, which avow does not issue.",
		[]string{
			"GET /api", "GET /api/search", "GET /api/registry/stats", "GET /api/manifest-refs/lookup",
			"GET /api/.well-known/jwks.json",
		},
	},
	{
		"Agents",
		"call the agent itself; avow does not relay its products and formats.",
		[]string{
			"GET /api/registry/agents", "GET /api/registry/agents/search", "GET /api/public/discover-agent",
			"GET /api/public/agent-formats", "GET /api/public/agent-publishers", "GET /api/public/agent-products",
		},
	},
	{
		"Crawling",
		"a brand crawl request is done when it is answered.",
		[]string{
			"POST /api/registry/crawl-request", "GET /api/registry/crawl-request/{crawlRequestId}",
			"POST /api/registry/manager-revalidation-request", "POST /api/registry/publisher/{domain}/adagents/revalidate",
			"POST /api/registry/brand-crawl-request", "POST /api/registry/brand/{domain}/force-crawl",
		},
	},
	{"Community mirrors", "", []string{
		"GET /api/registry/mirrors", "GET /api/registry/mirrors/{platform}", "PUT /api/registry/mirrors/{platform}",
		"DELETE /api/registry/mirrors/{platform}", "GET /api/registry/mirror-proposals",
		"GET /api/registry/mirror-proposals/{id}", "POST /api/registry/mirror-proposals/{id}/approve",
		"POST /api/registry/mirror-proposals/{id}/reject",
	}},
	{
		"Brands",
		"avow hosts no brand.json.",
		[]string{
			"GET /api/brands/resolve", "POST /api/brands/resolve/bulk", "GET /api/brands/brand-json", "GET /api/brands/enrich",
			"POST /api/brands/save", "GET /api/brands/registry", "GET /api/brands/history", "GET /api/brands/find",
			"POST /api/brands/setup-my-brand",
		},
	},
	{"Property catalog", "avow takes no disputes. What it shows is what files say, and publishers correct it there.",
		[]string{
			"GET /api/registry/catalog", "GET /api/registry/catalog/sync", "POST /api/registry/catalog/disputes",
			"GET /api/registry/catalog/disputes/{id}", "POST /api/registry/resolve",
		}},
	{"Policies", "avow keeps no policies.", []string{
		"GET /api/policies/registry", "GET /api/policies/resolve", "POST /api/policies/resolve/bulk",
		"GET /api/policies/history", "POST /api/policies/save",
	}},
	{
		"Tests, badges and monitoring of agents",
		"avow does not test or certify agents, and does not store their credentials.",
		[]string{
			"GET /api/registry/agents/{encodedUrl}/compliance", "GET /api/registry/agents/{encodedUrl}/compliance/history",
			"GET /api/registry/agents/{encodedUrl}/compliance/diagnostics",
			"PUT /api/registry/agents/{encodedUrl}/compliance/opt-out", "GET /api/registry/agents/{encodedUrl}/verification",
			"PUT /api/registry/agents/{encodedUrl}/lifecycle", "GET /api/registry/agents/{encodedUrl}/badge/{role}.svg",
			"GET /api/registry/agents/{encodedUrl}/badge/{role}/embed",
			"GET /api/registry/agents/{encodedUrl}/badge/{role}/{version}.svg",
			"GET /api/registry/agents/{encodedUrl}/badge/{role}/{version}/embed",
			"GET /api/registry/agents/{encodedUrl}/monitoring/settings",
			"PUT /api/registry/agents/{encodedUrl}/monitoring/pause",
			"PUT /api/registry/agents/{encodedUrl}/monitoring/interval",
			"POST /api/registry/agents/{encodedUrl}/monitoring/requeue",
			"GET /api/registry/agents/{encodedUrl}/monitoring/requests", "POST /api/registry/agents/{encodedUrl}/refresh",
			"GET /api/registry/agents/{encodedUrl}/auth-status", "PUT /api/registry/agents/{encodedUrl}/connect",
			"PUT /api/registry/agents/{encodedUrl}/oauth-client-credentials",
			"POST /api/registry/agents/{encodedUrl}/oauth-client-credentials/test", "GET /api/storyboards",
			"GET /api/storyboards/{id}", "GET /api/storyboards/{storyboardId}/first-step",
			"GET /api/registry/agents/{encodedUrl}/storyboard-status", "POST /api/registry/agents/storyboard-status",
			"GET /api/registry/agents/{encodedUrl}/applicable-storyboards",
			"POST /api/registry/agents/{encodedUrl}/storyboard/{storyboardId}/step/{stepId}",
			"POST /api/registry/agents/{encodedUrl}/storyboard/{storyboardId}/run",
			"POST /api/registry/agents/{encodedUrl}/storyboard/{storyboardId}/compare",
		},
	},
	{"Accounts", "operators make keys with `avow keys create`. Agents are not registered: publishers name them.", []string{
		"GET /api/me/agents", "POST /api/me/agents", "PATCH /api/me/agents/{url}", "DELETE /api/me/agents/{url}",
		"POST /api/organizations",
	}},
}

// A comparison is an area with what avow has of it.
type comparison struct {
	area
	Served  []string // operations as this service names their parameters
	Missing []string
}

var parameter = regexp.MustCompile(`\{[^}]*\}`)

// compare returns the areas, and how many of all operations are served.
func compare() ([]comparison, int, int, error) {
	var list []comparison
	served, all := 0, 0
	routes := map[string]string{}
	for _, g := range api.New(api.Config{}).Reference().Groups {
		for _, r := range g.Routes {
			name := r.Method + " " + r.Path
			routes[parameter.ReplaceAllString(name, "{}")] = name
		}
	}
	for _, a := range areas {
		c := comparison{area: a}
		for _, o := range a.Operations {
			if name, ok := routes[parameter.ReplaceAllString(o, "{}")]; ok {
				c.Served = append(c.Served, name)
			} else {
				c.Missing = append(c.Missing, o)
			}
		}
		if (a.Instead == "") != (len(c.Missing) == 0) {
			return nil, 0, 0, fmt.Errorf("%s: %d operations are missing, and the reason is %q",
				a.Name, len(c.Missing), a.Instead)
		}
		served, all = served+len(c.Served), all+len(a.Operations)
		list = append(list, c)
	}
	return list, served, all, nil
}

// registryPage returns docs/registry.md.
func registryPage() ([]byte, error) {
	list, served, all, err := compare()
	if err != nil {
		return nil, err
	}
	t, err := template.New("registry").Funcs(template.FuncMap{"anchor": markdown.Anchor}).Parse(registryTemplate)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{"Areas": list, "Served": served, "All": all})
	return b.Bytes(), err
}

// readme is the page whose table of areas is generated, seen from this folder.
const readme = "../../../README.md"

const (
	tableBegins = "<!-- This table is written by make generate. -->\n"
	tableEnds   = "<!-- End of the table. -->\n"
)

// readmePage returns the README with the table of areas as it is now.
func readmePage() ([]byte, error) {
	text, err := os.ReadFile(readme)
	if err != nil {
		return nil, err
	}
	list, _, _, err := compare()
	if err != nil {
		return nil, err
	}
	before, rest, begins := strings.Cut(string(text), tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return nil, fmt.Errorf("%s has no table between %q and %q", readme, tableBegins, tableEnds)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%s\n| Operations | Served | Not served |\n|---|---|---|\n", before, tableBegins)
	for _, c := range list {
		missing := strings.TrimSuffix(fmt.Sprintf("%d: %s", len(c.Missing), c.Instead), ": ")
		fmt.Fprintf(&b, "| %s | %d | %s |\n", c.Name, len(c.Served), missing)
	}
	fmt.Fprint(&b, "\n", tableEnds, after)
	return b.Bytes(), nil
}
