// Calls a running service by types that were generated from its OpenAPI document, and prints
// what came back: node client.js URL. The client in Go prints the same.
import createClient from "openapi-fetch";
import type { components, paths } from "./registry.js";

// A verdict is one of six words: an unknown one must not compile.
type Verdict = components["schemas"]["AuthorizeReply"]["verdict"];
const no: Verdict = "not_authorized";
// @ts-expect-error
const unknown: Verdict = "allowed";

declare const process: { argv: string[]; stdout: { write(text: string): void } };

const publisher = "publisher.example";
const agent = "https://agent.example/mcp";
const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });

function need<T>(call: string, data: T | undefined, error: unknown): T {
  if (data === undefined) {
    throw new Error(`${call} answers ${JSON.stringify(error)}`);
  }
  return data;
}

async function tools() {
  const checked = await client.POST("/api/adagents/validate", { body: { domain: publisher } });
  const validation = need("validate", checked.data, checked.error);
  const created = await client.POST("/api/adagents/create", {
    body: {
      authorized_agents: [{ url: agent, authorized_for: "The site", authorization_type: "property_ids", property_ids: ["site"] }],
      properties: [{ property_id: "site", property_type: "website", name: "Site", identifiers: [{ type: "domain", value: "new.example" }] }],
      include_schema: true,
      include_timestamp: false,
    },
  });
  return {
    valid: validation.valid,
    usable_agents: validation.data.validation?.usable?.agents,
    created: need("create", created.data, created.error).data.adagents_json,
  };
}

async function questions() {
  const ask = async (property: string) => {
    const answer = await client.GET("/api/authorize", { params: { query: { publisher, agent, property } } });
    return need("authorize", answer.data, answer.error);
  };
  const site = await ask("site");
  const other = await ask("app");
  const product = await client.POST("/api/registry/validate/product-authorization", {
    body: { agent_url: agent, publisher_properties: [{ publisher_domain: publisher, selection_type: "all" }] },
  });
  return {
    verdict: site.verdict,
    grants: site.grants.map((g) => g.entry),
    other: other.verdict === no ? no : other.verdict,
    coverage: need("product_authorization", product.data, product.error).coverage_percentage,
  };
}

async function lookups() {
  const answer = await client.GET("/api/registry/publisher", { params: { query: { domain: publisher, include: "placements" } } });
  const view = need("publisher", answer.data, answer.error);
  need("publisher", view.placements, view);
  return { mode: view.hosting.mode, properties: view.properties.map((p) => p.id) };
}

async function faults() {
  const bad = await client.GET("/api/authorize", { params: { query: { publisher, agent, country: "Germany" } } });
  const missing = await client.GET("/api/properties/resolve", { params: { query: { domain: "missing.example" } } });
  const refused = await client.GET("/api/custody/holds");
  return {
    error_status: bad.response.status,
    error_code: bad.error?.code,
    error_field: bad.error?.field,
    missing_status: missing.error && missing.response.status,
    key_status: refused.response.status,
    key_code: refused.error?.code,
  };
}

const seen = { ...(await tools()), ...(await questions()), ...(await lookups()), ...(await faults()) };
process.stdout.write(JSON.stringify(seen) + "\n");
