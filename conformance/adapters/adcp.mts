// Answers the conformance suite with @adcp/sdk 6.11.0. Node.js from 22.18 runs it as it is; for earlier ones:
// npx tsc adcp.mts --module nodenext --target es2022 --skipLibCheck
import { createInterface } from "node:readline";
import { PropertyCrawler } from "@adcp/sdk";
import { canonicalTargetUri, InMemoryReplayStore, InMemoryRevocationStore, StaticJwksResolver, verifyRequestSignature } from "@adcp/sdk/signing";
type Page = { name: string; status?: number; headers?: [string, string][]; text?: string };
type Case = { kind: string; files: Page[]; question: Record<string, string>; time: string };
let pages = new Map<string, Page>(); // the web of the case
globalThis.fetch = async (input, init = {}) => {
  for (let url = String(input); ; ) {
    const { status = 404, headers: list = [], text = "" } = pages.get(url) ?? {};
    if (!pages.has(url) && ![...pages.keys()].some((k) => new URL(k).host === new URL(url).host)) throw new TypeError("fetch failed");
    const headers = new Headers(list), next = status >= 300 && status < 400 && headers.get("location");
    if (!next || init.redirect === "manual") return new Response([204, 304].includes(status) ? null : text, { status, headers });
    if (init.redirect === "error" || !pages.delete(url)) throw new TypeError("redirect");
    url = new URL(next, url).href; // a page is gone after its redirect, so that no loop lasts
  }
};
const find = async ({ files, question }: Case) => {
  pages = new Map(files.map((f) => [f.name, f]));
  return { usable: Object.keys((await new PropertyCrawler({ logLevel: "error" }).fetchPublisherProperties([question.domain])).properties).length > 0 };
};
const agentURL = async ({ question: { url, other } }: Case) =>
  other ? { same: canonicalTargetUri(url) === canonicalTargetUri(other) } : { canonical: canonicalTargetUri(url) };
async function signature({ files: [file, message], question, time }: Case): Promise<object> {
  const [[request, ...headers], ...body] = message.text!.split("\n\n").map((part, i) => (i ? [part] : part.split("\n")));
  const fields = Object.fromEntries(headers.map((h) => [h.slice(0, h.indexOf(":")).toLowerCase(), h.slice(h.indexOf(":") + 1).trim()]));
  const jwks = new StaticJwksResolver(JSON.parse(file.text!).authorized_agents.flatMap((a: any) => a.signing_keys));
  const options = { jwks, capability: { supported: true, covers_content_digest: (question.digest ?? "either") as "either", required_for: [] },
    replayStore: new InMemoryReplayStore(), revocationStore: new InMemoryRevocationStore(), now: () => Date.parse(time) / 1000 };
  const sent = { method: request.split(" ")[0], url: `https://${fields.host}${request.split(" ")[1]}`, headers: fields, body: body.join("\n\n") };
  return verifyRequestSignature(sent, options).then(({ status }) => ({ accepted: status === "verified" }), () => ({ accepted: false }));
}
const kinds: Record<string, (c: Case) => Promise<object>> = { agent_url: agentURL, discovery: find, redirect: find, signature };
for await (const line of createInterface({ input: process.stdin })) {
  const c: Case = JSON.parse(line);
  const refused = (e: Error) => (/strip credentials|A-label/.test(e.message) ? { unsupported: e.message } : { error: e.message });
  const kind = c.kind === "signature" && c.question.profile !== "request-3.1" ? "other" : c.kind;
  console.log(JSON.stringify(kinds[kind] ? await kinds[kind](c).then((answer) => ({ answer }), refused) : { unsupported: "the package has no public function for it" }));
}
