// Answers the conformance suite with the npm package of avow: node avow.mjs [PACKAGE]
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
const { load, AvowError } = await import(process.argv[2] ? pathToFileURL(process.argv[2]) : "@avow-project/avow");
const avow = await load();
const bytes = (f) => (f.base64 === undefined ? (f.text ?? "") : new Uint8Array(Buffer.from(f.base64, "base64")));
const given = (f) => ({ publisher: f.name, document: f.state ? null : bytes(f), state: f.state, method: f.method, url: f.url, revoked: f.revoked, replaced: f.replaced });
// A publisher that the case has no file of has none.
const documents = ({ files, question }) => {
  const named = new Set([question.publisher.toLowerCase().replace(/\.$/, ""), ...(JSON.stringify(files).match(/[a-z0-9-]+(\.[a-z0-9-]+)+/g) ?? [])]);
  files.forEach((f) => named.delete(f.name));
  return [...files.map(given), ...[...named].map((publisher) => ({ publisher, state: "absent" }))];
};
const pairs = (list) => list.map(({ publisher_domain, property_id }) => ({ publisher_domain, property_id }));
const once = (list) => [...new Map(list.map((v) => [JSON.stringify(v), v])).values()];
const kinds = {
  check({ files }) {
    const r = avow.check(bytes(files[0]));
    return { valid: r.valid, skipped: r.skipped.map((s) => s.pointer) };
  },
  authorize(c) {
    const a = avow.authorize({ ...c.question, at: c.time }, documents(c));
    return { verdict: a.verdict, authorized: a.verdict === "authorized", needs: a.needs.length ? a.needs : undefined, placements: a.placement_verdicts };
  },
  resolve(c) {
    const l = avow.list({ ...c.question, at: c.time }, documents(c));
    const all = l.grants.flatMap((g) => g.properties);
    return { verdict: l.verdict, properties: once(pairs(all)), confirmed: once(pairs(all.filter((p) => p.confirmed))), signals: l.grants.flatMap((g) => g.signals) };
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const c = JSON.parse(line);
  let reply = { unsupported: "not in the package" };
  try {
    if (kinds[c.kind]) reply = { answer: kinds[c.kind](c) };
  } catch (e) {
    reply = { error: e instanceof AvowError ? e.code : String(e) };
  }
  console.log(JSON.stringify(reply));
}
