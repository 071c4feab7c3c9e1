// The checker, the fixer and the resolver of avow, which is written in Go, as a WebAssembly
// module. Nothing is sent anywhere, and nothing is read but the module itself.

const wasi = 8; // the number of an error for whatever a module without files asks for
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A request that cannot be answered: an option or a question is wrong. */
export class AvowError extends Error {
  constructor({ code, message, hint, field }) {
    super(hint ? `${message}; ${hint}` : message);
    this.name = "AvowError";
    this.code = code;
    this.hint = hint;
    this.field = field;
  }
}

/** What the module may ask of its surroundings: the time, chance, and a place for its last words. */
function surroundings(memory) {
  const view = () => new DataView(memory().buffer);
  let words = "";
  return {
    args_get: () => 0,
    args_sizes_get: (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), 0),
    environ_get: () => 0,
    environ_sizes_get: (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), 0),
    clock_time_get: (id, _precision, at) => {
      const ms = id === 0 ? Date.now() : performance.now();
      view().setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    random_get: (at, size) => {
      for (let i = 0; i < size; i += 65536) crypto.getRandomValues(new Uint8Array(memory().buffer, at + i, Math.min(65536, size - i)));
      return 0;
    },
    fd_write: (_fd, list, count, written) => {
      let total = 0;
      for (let i = 0; i < count; i++) {
        const size = view().getUint32(list + 8 * i + 4, true);
        words = (words + decoder.decode(new Uint8Array(memory().buffer, view().getUint32(list + 8 * i, true), size))).slice(-2000);
        total += size;
      }
      view().setUint32(written, total, true);
      return 0;
    },
    fd_close: () => wasi,
    fd_read: () => wasi,
    fd_fdstat_get: () => wasi,
    fd_fdstat_set_flags: () => wasi,
    fd_prestat_get: () => wasi,
    fd_prestat_dir_name: () => wasi,
    sched_yield: () => 0,
    // Nothing here waits: every answer is computed in one go.
    poll_oneoff: (_in, _out, _count, events) => (view().setUint32(events, 0, true), 0),
    proc_exit: (code) => {
      throw new Error(`avow ended with ${code}: ${words}`);
    },
  };
}

const bytesOf = (document) => (typeof document === "string" ? encoder.encode(document) : document);

/** An instance of the module. */
class Avow {
  #exports;

  constructor(exports) {
    this.#exports = exports;
  }

  #call(request, data) {
    const ask = encoder.encode(JSON.stringify(request));
    const size = data.reduce((n, d) => n + d.length, 0);
    let at = this.#exports.avow_alloc(ask.length + size) >>> 0;
    const memory = new Uint8Array(this.#exports.memory.buffer);
    memory.set(ask, at);
    at += ask.length;
    for (const d of data) {
      memory.set(d, at);
      at += d.length;
    }
    const packed = BigInt.asUintN(64, this.#exports.avow_call(ask.length, size));
    const answer = new Uint8Array(this.#exports.memory.buffer, Number(packed >> 32n), Number(packed & 0xffffffffn));
    const { result, error } = JSON.parse(decoder.decode(answer));
    if (error) throw new AvowError(error);
    return result;
  }

  check(document, options = {}) {
    return this.#call({ ...options, op: "check" }, [bytesOf(document)]);
  }

  fix(document, options = {}) {
    const before = bytesOf(document);
    const result = this.#call({ ...options, op: "fix" }, [before]);
    return { ...result, text: decoder.decode(apply(before, result.edits)) };
  }

  format(document) {
    return this.#call({ op: "format" }, [bytesOf(document)]).text;
  }

  authorize(question, documents) {
    return this.#resolve("authorize", question, documents);
  }

  list(question, documents) {
    return this.#resolve("list", question, documents);
  }

  #resolve(op, question, documents) {
    const given = Array.isArray(documents) ? documents : Object.entries(documents).map(([publisher, document]) => ({ publisher, document }));
    const when = question.at === undefined ? new Date() : question.at;
    const at = when instanceof Date ? when.toISOString() : when;
    const data = [];
    const list = given.map(({ document, mirror, ...rest }) => {
      const text = bytesOf(document ?? "");
      const catalog = bytesOf(mirror ?? "");
      data.push(text, catalog);
      return { ...rest, state: rest.state ?? (document === undefined || document === null ? "absent" : undefined), size: text.length, mirror_size: catalog.length };
    });
    return this.#call({ ...question, at, op, documents: list }, data);
  }
}

/** Makes the edits of a fix in the bytes of a document. */
export function apply(document, edits) {
  const before = bytesOf(document);
  const parts = [];
  let at = 0;
  for (const e of edits) {
    parts.push(before.subarray(at, e.start), encoder.encode(e.new));
    at = e.end;
  }
  parts.push(before.subarray(at));
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  parts.reduce((n, p) => (out.set(p, n), n + p.length), 0);
  return out;
}

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source === undefined) {
    const url = new URL("./avow.wasm", import.meta.url);
    if (url.protocol === "file:") {
      const { readFile } = await import("node:fs/promises");
      return WebAssembly.compile(await readFile(url));
    }
    source = fetch(url);
  }
  const given = await source;
  if (typeof Response !== "undefined" && given instanceof Response) {
    if (!given.ok) throw new Error(`avow.wasm: ${given.status}`);
    const typed = given.headers.get("content-type")?.startsWith("application/wasm");
    return typed ? WebAssembly.compileStreaming(given) : WebAssembly.compile(await given.arrayBuffer());
  }
  return WebAssembly.compile(given);
}

/** Loads the module. Compiling it takes a few tenths of a second; keep what it returns. */
export async function load(source) {
  let exports;
  const module = await compile(source);
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: surroundings(() => exports.memory) });
  exports = instance.exports;
  exports._initialize();
  return new Avow(exports);
}
