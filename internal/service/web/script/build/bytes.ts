// The service counts bytes, and scripts count UTF-16 units.

/** The places in a text that byte offsets stand for; offsets are in any order. */
export function places(text: string, offsets: readonly number[]): Map<number, number> {
  const out = new Map<number, number>();
  let units = 0;
  let bytes = 0;
  for (const offset of [...offsets].sort((a, b) => a - b)) {
    while (bytes < offset && units < text.length) {
      const code = text.codePointAt(units) ?? 0;
      bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      units += code < 0x10000 ? 1 : 2;
    }
    out.set(offset, units);
  }
  return out;
}
