// Answers the conformance suite with the public functions of the npm package @adcp/sdk 6.11.0. Node.js from
// 22.18 runs it as it is; for earlier ones: npx tsc adcp.mts --module nodenext --target es2022 --skipLibCheck
import { createInterface } from "node:readline";
import { PropertyCrawler } from "@adcp/sdk";
import { canonicalTargetUri } from "@adcp/sdk/signing";

type Page = { name: string; status?: number; headers?: [string, string][]; text?: string };
type Case = { kind: string; files: Page[]; question: Record<string, string> };
type Reply = { answer: object } | { unsupported: string } | { error: string };

let pages = new Map<string, Page>(); // the web of the case
globalThis.fetch = async (input, init = {}) => {
  for (let url = String(input), hops = 0; hops <= 20; hops++) {
    const page = pages.get(url);
    if (!page && ![...pages.keys()].some((k) => new URL(k).host === new URL(url).host)) throw new TypeError("fetch failed");
    const status = page?.status ?? 404;
    const headers = new Headers(page?.headers ?? []);
    const next = status >= 300 && status < 400 && headers.get("location");
    if (!next || init.redirect === "manual") return new Response([204, 304].includes(status) ? null : (page?.text ?? ""), { status, headers });
    if (init.redirect === "error") throw new TypeError("redirect");
    url = new URL(next, url).href;
  }
  throw new TypeError("too many redirects");
};
async function find(c: Case): Promise<object> {
  pages = new Map(c.files.map((f) => [f.name, f]));
  const { properties } = await new PropertyCrawler({ logLevel: "error" }).fetchPublisherProperties([c.question.domain]);
  return { usable: Object.keys(properties).length > 0 };
}
async function agentURL({ question: { url, other } }: Case): Promise<object> {
  return other ? { same: canonicalTargetUri(url) === canonicalTargetUri(other) } : { canonical: canonicalTargetUri(url) };
}
const kinds: Record<string, (c: Case) => Promise<object>> = { agent_url: agentURL, discovery: find, redirect: find };
for await (const line of createInterface({ input: process.stdin })) {
  const c: Case = JSON.parse(line);
  // The function for URLs is made for signatures, and wants none with a user name or outside letters.
  const refused = (e: Error): Reply => (/strip credentials|A-label/.test(e.message) ? { unsupported: e.message } : { error: e.message });
  const reply: Reply = kinds[c.kind] ? await kinds[c.kind](c).then((answer) => ({ answer }), refused) : { unsupported: "the package has no public function for it" };
  process.stdout.write(JSON.stringify(reply) + "\n");
}
