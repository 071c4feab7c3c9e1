// Drafts on this device. A draft is written by one tab at a time: who would overwrite what
// another tab has written keeps the own text as a draft of its own instead.

export interface Draft {
  readonly id: string;
  readonly domain: string;
  readonly text: string;
  readonly saved: number;
  /** Changes with every write, from any tab. */
  readonly mark: string;
}

const prefix = 'avow.draft.';
const current = 'avow.draft';

function key(id: string): string {
  return prefix + id;
}

export function newID(): string {
  return crypto.getRandomValues(new Uint32Array(3)).reduce((s, n) => s + n.toString(36), '');
}

function read(name: string): Draft | null {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(name) ?? 'null');
    if (typeof draft !== 'object' || draft === null) return null;
    const d = draft as Record<string, unknown>;
    if (typeof d['id'] !== 'string' || typeof d['text'] !== 'string' || typeof d['domain'] !== 'string' || typeof d['saved'] !== 'number' || typeof d['mark'] !== 'string') return null;
    return { id: d['id'], text: d['text'], domain: d['domain'], saved: d['saved'], mark: d['mark'] };
  } catch {
    return null;
  }
}

/** The drafts on this device, the latest first. */
export function drafts(): Draft[] {
  const list: Draft[] = [];
  try {
    for (let i = 0; i < localStorage.length; i++) {
      const name = localStorage.key(i);
      const draft = name?.startsWith(prefix) ? read(name) : null;
      if (draft) list.push(draft);
    }
  } catch {
    return [];
  }
  return list.sort((a, b) => b.saved - a.saved);
}

export function draftOf(id: string): Draft | null {
  return read(key(id));
}

/** The mark of a draft, which is written first: a draft may have megabytes after it. */
function markOf(id: string): string | null {
  try {
    const text = localStorage.getItem(key(id));
    return (text === null ? undefined : /^\{"mark":"(\w*)"/.exec(text)?.[1]) ?? draftOf(id)?.mark ?? null;
  } catch {
    return null;
  }
}

/** The draft that this tab had before it was loaded again. */
export function ofThisTab(): Draft | null {
  try {
    const id = sessionStorage.getItem(current);
    return id === null ? null : draftOf(id);
  } catch {
    return null;
  }
}

export type Saved = 'saved' | 'elsewhere' | 'full';

/** The draft that this tab writes. */
export class Slot {
  #mark: string | null;

  constructor(readonly id: string, mark: string | null) {
    this.#mark = mark;
  }

  /** Makes this the draft that the tab has when it is loaded again. */
  hold(): void {
    try {
      sessionStorage.setItem(current, this.id);
    } catch {
      // the tab begins anew then
    }
  }

  /** Whether another tab has written the draft since this one did. */
  get elsewhere(): boolean {
    const there = markOf(this.id);
    return there !== null && there !== this.#mark;
  }

  save(text: string, domain: string): Saved {
    if (this.elsewhere) return 'elsewhere';
    const mark = newID();
    try {
      localStorage.setItem(key(this.id), JSON.stringify({ mark, id: this.id, domain, saved: Date.now(), text } satisfies Draft));
    } catch {
      return 'full';
    }
    this.#mark = mark;
    this.hold();
    return 'saved';
  }
}

export function forget(id: string): void {
  localStorage.removeItem(key(id));
}

/** Calls back when another tab writes a draft. */
export function watch(id: () => string, changed: () => void): void {
  addEventListener('storage', (e) => {
    if (e.key === key(id())) changed();
  });
}
