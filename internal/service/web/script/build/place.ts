// Where findings are while checks come and go: nothing moves unless the user does something.
import type { Finding } from './service';

/** The place of a finding. A past one is not found any more. */
export interface Place {
  readonly f: Finding;
  readonly past: boolean;
}

/** What a finding looks like. */
function look(f: Finding): string {
  return JSON.stringify([f.pointer, f.code, f.severity, f.message, f.hint, f.fixes?.map((x) => x.title)]);
}

/** The places of the findings that were laid out, as they are now, and the findings that came later. */
export function placed(laid: readonly Finding[], now: readonly Finding[]): { readonly places: readonly Place[]; readonly late: readonly Finding[] } {
  if (laid === now) return { places: laid.map((f) => ({ f, past: false })), late: [] };
  const left = new Map<string, Finding[]>();
  for (const f of now) left.set(look(f), [...(left.get(look(f)) ?? []), f]);
  const places = laid.map((f) => {
    const same = left.get(look(f))?.shift();
    return { f: same ?? f, past: same === undefined };
  });
  return { places, late: [...left.values()].flat() };
}
