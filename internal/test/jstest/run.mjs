// Calls the package for each job of a list on standard input, and prints the results. A job is a
// method and its arguments; documents are bytes in base64.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { load, AvowError } = await import(pathToFileURL(process.argv[2]));
const avow = await load();
const bytes = (text) => (text === null || text === undefined ? text : new Uint8Array(Buffer.from(text, "base64")));
const results = JSON.parse(readFileSync(0, "utf8")).map(({ method, document, question, documents, options }) => {
  try {
    if (method === "check" || method === "fix") return avow[method](bytes(document), options);
    return avow[method](question, documents.map((d) => ({ ...d, document: bytes(d.document), mirror: bytes(d.mirror) })));
  } catch (e) {
    if (e instanceof AvowError) return { error: e.code };
    throw e;
  }
});
process.stdout.write(JSON.stringify(results));
