// Answers the conformance suite with a validator that knows nothing of the format, ajv, and the schema
// of adagents.json as the npm package @adcp/sdk has it: node schema.mjs FOLDER, where both are installed.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const require = createRequire(resolve(process.argv[2] ?? ".", "adapter.cjs"));
const { default: Ajv } = require("ajv");
const { default: addFormats } = require("ajv-formats");
const folder = join(dirname(require.resolve("@adcp/sdk")), "schemas-data", "3.0");
const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
const ajv = new Ajv({ strict: false });
addFormats(ajv);
for (const name of readdirSync(folder, { recursive: true })) {
  if (/^(core|enums)\/.*\.json$/.test(name)) ajv.addSchema(read(name));
}
const valid = ajv.compile(read("adagents.json"));
// What is not JSON, or not UTF-8, is not valid either.
const check = ({ text, base64 }) => {
  try {
    return valid(JSON.parse(text ?? new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, "base64"))));
  } catch {
    return false;
  }
};
for await (const line of createInterface({ input: process.stdin })) {
  const c = JSON.parse(line);
  console.log(JSON.stringify(c.kind === "check" ? { answer: { valid: check(c.files[0]) } } : { unsupported: "a schema is about one file" }));
}
