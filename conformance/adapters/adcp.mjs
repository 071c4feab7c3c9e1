// Answers the conformance suite with the public functions of the npm package @adcp/sdk 6.11.0.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const require = createRequire(resolve(process.argv[2] ?? ".", "adapter.cjs"));
const { NetworkConsistencyChecker, PropertyCrawler } = require("@adcp/sdk");
const { canonicalTargetUri } = require("@adcp/sdk/signing");
let pages = new Map(); // the web of the case
globalThis.fetch = async (input, init = {}) => {
  for (let url = String(input), hops = 0; hops <= 20; hops++) {
    const page = pages.get(url);
    if (!page && ![...pages.keys()].some((k) => new URL(k).host === new URL(url).host)) throw new TypeError("fetch failed");
    const headers = new Headers(page?.headers ?? []);
    const next = page?.status >= 300 && page.status < 400 && headers.get("location");
    if (!next || init.redirect === "manual") return new Response([204, 304].includes(page?.status) ? null : (page?.text ?? ""), { status: page?.status ?? 404, headers });
    if (init.redirect === "error") throw new TypeError("redirect");
    url = new URL(next, url).href;
  }
  throw new TypeError("too many redirects");
};
const find = async ({ files, question }) => {
  pages = new Map(files.map((f) => [f.name, f]));
  const { properties } = await new PropertyCrawler({ logLevel: "silent" }).fetchPublisherProperties([question.domain]);
  return { usable: Object.keys(properties).length > 0 };
};
const kinds = {
  // The function is made for signatures, and wants URLs without a user name and outside letters.
  agent_url: ({ question: { url, other } }) => (other ? { same: canonicalTargetUri(url) === canonicalTargetUri(other) } : { canonical: canonicalTargetUri(url) }),
  discovery: find,
  redirect: find,
};
for await (const line of createInterface({ input: process.stdin })) {
  const c = JSON.parse(line);
  const reply = await (async () => (kinds[c.kind] ? { answer: await kinds[c.kind](c) } : { unsupported: "the package has no public function for it" }))().catch((e) => ({ [/strip credentials|A-label/.test(e.message) ? "unsupported" : "error"]: String(e.message) }));
  process.stdout.write(JSON.stringify(reply) + "\n");
}
